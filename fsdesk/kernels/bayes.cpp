// Gaussian naive Bayes: log of prior times density of every class for every tested row of a cross-validation.
//
//   log P(c) - sum over columns j of [ log(2 pi v_cj) / 2 + (x_j - m_cj)^2 / (2 v_cj) ]
//
// m and v are mean and variance of the training rows of class c, P(c) the proportion of the class (with balanced
// classes, the same for all present ones: 1, because a common factor has no effect), and `smoothing` times the largest
// variance among the columns is added to every v (scikit-learn's var_smoothing). Folds share their sums: a fit has
// those of all rows minus those of its own fold; if too few digits remain, it is summed row by row (Welford 1962).
//
// columns: (p, n) values, NaN if missing. Options; (total) are the columns of all masks, one after another:
//   fill       (total, repeats * folds) imputed values in each fit
//   once       (total,) imputed values common to all fits; NaN if they differ
//   unit       (total,) unit of each column's variance in the search for the largest; (0,) if each column is
//              standardised by its training rows to variance 1, constant ones unchanged
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "lanes.hpp"
#include "logarithm.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kUnsure = 1e-6;  // below this fraction of the column's mean square, sums have lost too many digits
constexpr double kTwoPi = 6.283185307179586;

double known(double value, double fill) { return std::isnan(value) ? fill : value; }

/// Measures the rows of one repeat; its memory is reused for the next.
class Bayes {
  public:
    Bayes(Columns columns, Integers target, const Measurements& measurements, const BayesOptions& options)
        : columns_(columns), codes_(target), all_(measurements), options_(options), folds_(measurements.folds),
          classes_(options.classes) {
        const auto cells = static_cast<std::size_t>(folds_ * classes_);
        size_.resize(cells);
        first_.resize(cells + static_cast<std::size_t>(classes_));
        second_.resize(first_.size());
        total_.resize(static_cast<std::size_t>(classes_));
        squares_.resize(total_.size());
    }

    /// The rows of a measurement in one repeat: those that are not left out.
    const std::vector<Whole>& rows(Whole measurement, Whole repeat) {
        const Whole wanted = all_.folds_of[measurement] * all_.labels.extent(1) + repeat;
        if (read_ == wanted) return rows_;
        read_ = wanted;
        rows_.clear();
        labels_.clear();
        target_.clear();
        const auto labels = all_.labels[all_.folds_of[measurement]][repeat];
        for (Whole row = 0; row < labels.size(); ++row) {
            if (labels[row] < -1) continue;
            rows_.push_back(row);
            labels_.push_back(labels[row]);
            target_.push_back(codes_[row]);
        }
        return rows_;
    }

    /// Fill in (rows, classes) the results of a measurement in one repeat; 0 for rows that are not tested.
    void measure(Whole measurement, Whole repeat, View<double, 2> joint, Watch& watch) {
        const auto chosen = all_.columns[measurement];
        const Whole start = all_.columns.offsets[measurement], fit = repeat * folds_;
        rows(measurement, repeat);
        mean_.resize(static_cast<std::size_t>(chosen.size() * folds_ * classes_));
        variance_.resize(mean_.size());
        overall_.resize(static_cast<std::size_t>(chosen.size() * folds_));
        count_rows();
        add_priors(joint);
        const View<double, 3> mean(mean_.data(), {chosen.size(), folds_, classes_});
        const View<double, 3> variance(variance_.data(), mean.shape());
        const View<double, 2> overall(overall_.data(), {chosen.size(), folds_});
        for (Whole place = 0; place < chosen.size(); ++place) {
            watch.check();
            fill_ = options_.fill[start + place].data() + fit;
            learn(values_of(chosen[place]), options_.once[start + place], mean[place], variance[place], overall[place]);
        }
        smooth(start, variance, overall);
        for (Whole place = 0; place < chosen.size(); ++place) {
            watch.check();
            fill_ = options_.fill[start + place].data() + fit;
            add_densities(values_of(chosen[place]), options_.once[start + place], mean[place], variance[place], joint);
        }
    }

  private:
    /// A column's values in these rows.
    Reals values_of(std::int32_t column) {
        const Reals values = columns_[column];
        if (static_cast<Whole>(rows_.size()) == values.size()) return values;
        values_.resize(rows_.size());
        std::transform(rows_.begin(), rows_.end(), values_.begin(), [values](Whole row) { return values[row]; });
        return view(values_);
    }

    View<double, 2> size() { return {size_.data(), {folds_, classes_}}; }

    /// Training rows of each class in each fit.
    void count_rows() {
        std::fill(total_.begin(), total_.end(), 0.0);
        std::fill(size_.begin(), size_.end(), 0.0);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            ++total_[static_cast<std::size_t>(target_[row])];
            if (labels_[row] >= 0) ++size()[labels_[row]][target_[row]];
        }
        for (Whole fold = 0; fold < folds_; ++fold) {
            for (Whole code = 0; code < classes_; ++code) {
                size()[fold][code] = total_[static_cast<std::size_t>(code)] - size()[fold][code];
            }
        }
    }

    void add_priors(View<double, 2> joint) {
        std::fill_n(joint.data(), joint.count(), 0.0);
        std::vector<double> prior(size_.size());
        for (Whole fold = 0; fold < folds_; ++fold) {
            double rows = 0.0;
            for (const double own : size()[fold]) rows += own;
            for (Whole code = 0; code < classes_; ++code) {
                const double own = size()[fold][code], share = options_.balanced && own > 0.0 ? 1.0 : own / rows;
                prior[static_cast<std::size_t>(fold * classes_ + code)] = natural_log(share);
            }
        }
        for (Whole row = 0; row < joint.size(); ++row) {
            const Whole fold = labels_[static_cast<std::size_t>(row)];
            if (fold >= 0) std::copy_n(prior.data() + fold * classes_, classes_, joint[row].data());
        }
    }

    /// Mean and variance of one column's training rows, (folds, classes), and (folds,) the variance of all classes.
    void learn(Reals values, double once, View<double, 2> mean, View<double, 2> variance, View<double, 1> overall) {
        const Whole n = values.size();
        double centre = sum(values.data(), n) / static_cast<double>(n);
        bool is_sure = true;
        if (std::isnan(centre)) {
            centre = 0.0;
            for (const double value : values) centre += known(value, once);
            centre /= static_cast<double>(n);
            is_sure = !std::isnan(centre);
        }
        std::fill(first_.begin(), first_.end(), 0.0);
        std::fill(second_.begin(), second_.end(), 0.0);
        const Whole *labels = labels_.data(), *target = target_.data();
        for (Whole row = 0; row < n && is_sure; ++row) {
            const double value = known(values[row], once) - centre;
            // Rows that are only trained on have the last index, which no fit leaves out.
            const auto cell = static_cast<std::size_t>((labels[row] < 0 ? folds_ : labels[row]) * classes_ + target[row]);
            first_[cell] += value;
            second_[cell] += value * value;
        }
        std::fill(total_.begin(), total_.end(), 0.0);
        std::fill(squares_.begin(), squares_.end(), 0.0);
        for (std::size_t cell = 0; cell < first_.size(); ++cell) {
            total_[cell % total_.size()] += first_[cell];
            squares_[cell % total_.size()] += second_[cell];
        }
        for (Whole fold = 0; fold < folds_; ++fold) {
            double rows = 0.0, sums = 0.0, whole = 0.0;
            bool is_unsure = !is_sure;
            for (Whole code = 0; code < classes_; ++code) {
                const auto own = static_cast<std::size_t>(code), cell = static_cast<std::size_t>(fold * classes_ + code);
                const double s = total_[own] - first_[cell], q = squares_[own] - second_[cell], m = size()[fold][code];
                const double middle = m > 0.0 ? s / m : 0.0;
                mean[fold][code] = m > 0.0 ? middle + centre : 0.0;
                variance[fold][code] = m > 0.0 ? std::max(0.0, q / m - middle * middle) : 1.0;
                is_unsure |= m > 0.0 && !(variance[fold][code] > kUnsure * (q / m));
                rows += m;
                sums += s;
                whole += q;
            }
            overall[fold] = std::max(0.0, whole / rows - (sums / rows) * (sums / rows));
            if (is_unsure || !(overall[fold] > kUnsure * (whole / rows))) {
                overall[fold] = learn_exactly(values, known(once, fill_[fold]), fold, mean[fold], variance[fold]);
            }
        }
    }

    /// The same for one fit, row by row; return the variance of all classes.
    double learn_exactly(Reals values, double fill, Whole fold, View<double, 1> mean, View<double, 1> variance) {
        std::vector<double> size(static_cast<std::size_t>(classes_), 0.0);
        std::fill(mean.begin(), mean.end(), 0.0);
        std::fill(variance.begin(), variance.end(), 0.0);
        double rows = 0.0, centre = 0.0, squares = 0.0;
        for (Whole row = 0; row < values.size(); ++row) {
            if (labels_[static_cast<std::size_t>(row)] == fold) continue;
            const double value = known(values[row], fill);
            const Whole code = target_[static_cast<std::size_t>(row)];
            double step = value - mean[code];
            mean[code] += step / ++size[static_cast<std::size_t>(code)];
            variance[code] += step * (value - mean[code]);
            step = value - centre;
            centre += step / ++rows;
            squares += step * (value - centre);
        }
        for (Whole code = 0; code < classes_; ++code) {
            const double own = size[static_cast<std::size_t>(code)];
            variance[code] = own > 0.0 ? variance[code] / own : 1.0;
        }
        return squares / rows;
    }

    void smooth(Whole start, View<double, 3> variance, View<double, 2> overall) {
        const Reals unit = options_.unit;
        for (Whole fold = 0; fold < folds_; ++fold) {
            double largest = 0.0;
            for (Whole place = 0; place < overall.size(); ++place) {
                largest = std::max(largest, overall[place][fold] / (unit.size() ? unit[start + place] : 1.0));
            }
            for (Whole place = 0; place < overall.size(); ++place) {
                const double own = overall[place][fold];
                const double base = unit.size() ? largest * unit[start + place] : own > 0.0 ? own : std::min(1.0, largest);
                for (double& value : variance[place][fold]) value += options_.smoothing * base;
            }
        }
    }

    /// Add one column's log-densities to the tested rows; a column without any variance has no effect.
    void add_densities(Reals values, double once, View<double, 2> mean, View<double, 2> variance, View<double, 2> joint) {
        weight_.assign(size_.size(), 0.0);
        offset_.assign(size_.size(), 0.0);
        for (std::size_t cell = 0; cell < size_.size(); ++cell) {
            const double own = variance.data()[cell];
            if (!(own > 0.0)) continue;
            weight_[cell] = 0.5 / own;
            offset_[cell] = 0.5 * natural_log(kTwoPi * own);
        }
        for (Whole row = 0; row < values.size(); ++row) {
            const Whole fold = labels_[static_cast<std::size_t>(row)];
            if (fold < 0) continue;
            const double value = known(known(values[row], once), fill_[fold]);
            const double *middle = mean.data() + fold * classes_, *weight = weight_.data() + fold * classes_;
            const double* offset = offset_.data() + fold * classes_;
            double* out = joint.data() + row * classes_;
            for (Whole code = 0; code < classes_; ++code) {
                const double distance = value - middle[code];
                out[code] -= offset[code] + distance * distance * weight[code];
            }
        }
    }

    Columns columns_;
    Integers codes_;
    const Measurements& all_;
    const BayesOptions& options_;
    Whole folds_, classes_;
    Whole read_ = -1;  // the repeat and labels of the rows
    std::vector<Whole> rows_, labels_, target_;
    const double* fill_ = nullptr;  // (folds,) of the current column
    std::vector<double> values_, size_, first_, second_, total_, squares_, mean_, variance_, overall_, weight_, offset_;
};

/// Likelihoods of one row's classes from their logarithms, in place; they sum to 1.
void normalise(View<double, 1> joint) {
    const double most = *std::max_element(joint.begin(), joint.end());
    double total = 0.0;
    for (double& own : joint) total += own = exponential(own - most);
    for (double& own : joint) own /= total;
}

/// The lead of a row's own class over the best of the others: (a - b) / (a + b).
double margin(View<const double, 1> likelihoods, Whole truth) {
    double best = -std::numeric_limits<double>::infinity();
    for (Whole code = 0; code < likelihoods.size(); ++code) {
        if (code != truth) best = std::max(best, likelihoods[code]);
    }
    return (likelihoods[truth] - best) / std::max(likelihoods[truth] + best, 1e-12);
}

}  // namespace

/// Fill in (m, repeats, n, classes); -inf for classes without a training row, 0 for rows that are not tested. If
/// `normalised`, likelihoods that sum to 1 instead of their logarithms.
void bayes_likelihoods(Columns columns, Integers target, const Measurements& measurements, const BayesOptions& options,
                       bool normalised, View<double, 4> joint, const Effort& effort) {
    const Whole repeats = joint.extent(1);
    std::vector<Bayes> workers(static_cast<std::size_t>(effort.threads), Bayes(columns, target, measurements, options));
    share(measurements.size() * repeats, effort, [&](Whole part, int worker) {
        const Whole measurement = part / repeats, repeat = part % repeats;
        Bayes& bayes = workers[static_cast<std::size_t>(worker)];
        const auto& rows = bayes.rows(measurement, repeat);
        const auto labels = measurements.labels[measurements.folds_of[measurement]][repeat];
        const auto out = joint[measurement][repeat];
        std::vector<double> own(rows.size() * static_cast<std::size_t>(options.classes));
        const View<double, 2> said(own.data(), {static_cast<Whole>(rows.size()), options.classes});
        bayes.measure(measurement, repeat, said, effort.watch);
        std::fill_n(out.data(), out.count(), 0.0);
        for (Whole place = 0; place < said.size(); ++place) {
            const Whole row = rows[static_cast<std::size_t>(place)];
            if (normalised && labels[row] >= 0) normalise(said[place]);
            std::copy(said[place].begin(), said[place].end(), out[row].begin());
        }
    });
}

/// Fill in (m, repeats) the number of misclassified tested rows, ties going to the first class; and, if requested, (m,
/// repeats, 2) mean and standard deviation of the tested rows' margins, else (0, repeats, 2).
void bayes_errors(Columns columns, Integers target, const Measurements& measurements, const BayesOptions& options,
                  View<Whole, 2> errors, View<double, 3> margins, const Effort& effort) {
    struct Worker {
        Bayes bayes;
        std::vector<double> joint, margins;
    };
    const Whole repeats = errors.extent(1);
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads),
                                Worker{Bayes(columns, target, measurements, options), {}, {}});
    share(measurements.size() * repeats, effort, [&](Whole part, int number) {
        const Whole measurement = part / repeats, repeat = part % repeats;
        Worker& own = workers[static_cast<std::size_t>(number)];
        const auto& rows = own.bayes.rows(measurement, repeat);
        own.joint.resize(rows.size() * static_cast<std::size_t>(options.classes));
        own.margins.clear();
        const View<double, 2> joint(own.joint.data(), {static_cast<Whole>(rows.size()), options.classes});
        own.bayes.measure(measurement, repeat, joint, effort.watch);
        const auto labels = measurements.labels[measurements.folds_of[measurement]][repeat];
        Whole misses = 0;
        for (Whole place = 0; place < joint.size(); ++place) {
            const Whole row = rows[static_cast<std::size_t>(place)];
            if (labels[row] < 0) continue;
            const auto said = joint[place];
            misses += std::max_element(said.begin(), said.end()) - said.begin() != target[row];
            if (margins.size() == 0) continue;
            normalise(said);
            own.margins.push_back(margin(said, target[row]));
        }
        errors[measurement][repeat] = misses;
        if (margins.size() == 0) return;
        mean_and_deviation(own.margins.data(), static_cast<Whole>(own.margins.size()), margins[measurement][repeat].data());
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
