// Shared by the fits of one measurement in svm.cpp: its problems, the scales of its fits, its columns, Gram matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels.hpp"
#include "products.hpp"
#include "svm_loss.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

// Problems

/// Some fits of a measurement: all folds of some repeats, or some of one repeat.
struct Part {
    Whole repeat, repeats, fold, folds;

    Whole size() const { return repeats * folds; }
};

struct Problem {
    Whole one, other;  // a class and the one it is separated from, or -1 for all others; both -1 for a regression
};

/// Shared by all fits of one measurement. Rows are sorted by class, and identified by their position in this order.
struct Plan {
    const SvmOptions& options;
    Columns columns;
    View<const std::int32_t, 1> chosen;
    Rows order, target, labels;  // (n,) rows of the table, their classes; (repeats, n) folds: -1 trained on in all fits
    Rows starts;                 // (classes + 1,) offsets of the classes
    Numbers response;            // (n,) of a regression
    Numbers costs;               // (fits + 1, classes + 1) see learn_costs
    std::vector<Problem> problems;
    Whole repeats, folds;
    bool is_regression, is_squared;

    Plan(Columns table, Integers codes, Folds given, Whole folds_, View<const std::int32_t, 1> chosen_, const SvmOptions& options_,
         Rows rows, std::vector<Problem> problems_)
        : options(options_), columns(table), chosen(chosen_), order(std::move(rows)), problems(std::move(problems_)),
          repeats(given.size()), folds(folds_), is_regression(options_.response.size() > 0),
          is_squared(options_.squared && !is_regression) {
        const Whole classes = options.classes;
        starts.assign(at(classes + 1), 0);
        for (const Whole row : order) ++starts[at(codes[row] + 1)];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        std::stable_sort(order.begin(), order.end(), [&](Whole a, Whole b) { return codes[a] < codes[b]; });
        for (const Whole row : order) {
            target.push_back(codes[row]);
            if (is_regression) response.push_back(options.response[row]);
        }
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            for (const Whole row : order) labels.push_back(given[repeat][row]);
        }
        learn_costs();
    }

    Whole n() const { return static_cast<Whole>(order.size()); }
    Whole q() const { return chosen.size(); }
    Whole fits() const { return repeats * folds; }
    const Whole* labels_of(Whole fit) const { return labels.data() + std::max<Whole>(fit, 0) / folds * n(); }
    static constexpr Whole kNoFold = -3;
    Whole fold_of(Whole fit) const { return fit < 0 ? kNoFold : fit % folds; }
    const double* costs_of(Whole fit) const { return costs.data() + (fit < 0 ? fits() : fit) * (options.classes + 1); }

    /// Whether the training rows of a fit (-1: all rows) pose a problem at all.
    bool has_both(Problem problem, Whole fit) const {
        const double* own = costs_of(fit);
        if (problem.one < 0) return true;
        if (problem.other < 0) return own[problem.one] > 0.0 && own[options.classes] > 1.0;
        return own[problem.one] > 0.0 && own[problem.other] > 0.0;
    }

    /// The rows of a problem's two parts, as ranges: all rows in one if it does not have two classes.
    std::array<Whole, 4> ranges(Problem problem) const {
        if (problem.other < 0) return {0, n(), 0, 0};
        return {starts[at(problem.one)], starts[at(problem.one + 1)], starts[at(problem.other)], starts[at(problem.other + 1)]};
    }

    /// Fill in the training rows of a problem; return their number.
    Whole rows_of(Problem problem, Whole fit, Rows& rows) const {
        const auto [a, b, c, d] = ranges(problem);
        const Whole *own = labels_of(fit), fold = fold_of(fit);
        rows.resize(at(n() + 1));
        Whole count = 0;
        for (Whole row = a; row < b; ++row) {
            rows[at(count)] = row;
            count += own[row] != fold;
        }
        for (Whole row = c; row < d; ++row) {
            rows[at(count)] = row;
            count += own[row] != fold;
        }
        return count;
    }

    /// Position of a row among all rows of a problem.
    Whole place_of(Problem problem, Whole row) const {
        const auto [a, b, c, d] = ranges(problem);
        return row >= a && row < b ? row - a : b - a + row - c;
    }

    /// Rows tested by a fit.
    void tested(Whole fit, Rows& rows) const {
        const Whole *own = labels_of(fit), fold = fold_of(fit);
        rows.resize(at(n() + 1));
        Whole count = 0;
        for (Whole row = 0; row < n(); ++row) {
            rows[at(count)] = row;
            count += own[row] == fold;
        }
        rows.resize(at(count));
    }

    /// Fill in responses and bounds of rows; test rows of the fit, if among them, get bounds of 0.
    void pose(Problem problem, Whole fit, const Whole* rows, bool has_tested, Loss& loss) const {
        const Whole *own = labels_of(fit), fold = fold_of(fit);
        const double *each = costs_of(fit), cost = options.cost;
        const bool weighs_both = problem.other >= 0 || each[options.classes] == 2.0;  // as LIBLINEAR, whose "all others" have weight 1
        if (problem.other >= 0) {  // rows of one class, then of the other
            const Whole border = std::lower_bound(rows, rows + loss.size, starts[at(problem.one + 1)]) - rows;
            const auto fill = [&](Whole first, Whole end, double sign, double weight) {
                std::fill(loss.y + first, loss.y + end, sign);
                std::fill(loss.rate + first, loss.rate + end, weight);
                std::fill(loss.high + first, loss.high + end, sign > 0.0 ? weight : 0.0);
                std::fill(loss.low + first, loss.low + end, sign > 0.0 ? 0.0 : -weight);
            };
            fill(0, border, 1.0, each[problem.one]);
            fill(border, loss.size, -1.0, each[problem.other]);
        } else {
            for (Whole k = 0; k < loss.size; ++k) {
                const Whole row = rows[k], code = target[at(row)];
                const bool is_positive = code == problem.one;
                const double weight = problem.one >= 0 && (is_positive || weighs_both) ? each[code] : cost;
                const double bound = is_squared ? kInfinity : weight;
                loss.y[k] = is_regression ? response[at(row)] : is_positive ? 1.0 : -1.0;
                loss.rate[k] = weight;
                loss.high[k] = is_positive || is_regression ? bound : 0.0;
                loss.low[k] = !is_positive || is_regression ? -bound : 0.0;
            }
        }
        if (!has_tested) return;
        for (Whole k = 0; k < loss.size; ++k) {
            const bool trains = own[rows[k]] != fold;
            loss.rate[k] = trains ? loss.rate[k] : cost;
            loss.high[k] = trains ? loss.high[k] : 0.0;
            loss.low[k] = trains ? loss.low[k] : 0.0;
        }
    }

  private:
    /// C of each class among the training rows of every fit, 0 if it has none, and the number of classes present; the
    /// last fit leaves no row out. Balanced classes are weighted as if they had equally many rows.
    void learn_costs() {
        const Whole classes = options.classes, width = classes + 1;
        costs.assign(at((fits() + 1) * width), 0.0);
        for (Whole fit = 0; fit <= fits(); ++fit) {
            double* own = costs.data() + fit * width;
            for (Whole code = 0; code < classes; ++code) own[code] = static_cast<double>(starts[at(code + 1)] - starts[at(code)]);
        }
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            for (Whole row = 0; row < n(); ++row) {
                const Whole fold = labels[at(repeat * n() + row)];
                if (fold >= 0) --costs[at((repeat * folds + fold) * width + target[at(row)])];
            }
        }
        for (Whole fit = 0; fit <= fits(); ++fit) {
            double *own = costs.data() + fit * width, present = 0.0, all = 0.0;
            for (Whole code = 0; code < classes; ++code) {
                present += own[code] > 0.0;
                all += own[code];
            }
            for (Whole code = 0; code < classes; ++code) {
                const double share = options.balanced ? all / std::max(present * own[code], 1.0) : 1.0;
                own[code] = own[code] > 0.0 ? options.cost * share : 0.0;
            }
            own[classes] = present;
        }
    }
};

/// The results of the fits: (repeats, n, classes) votes or values, and sums of decision values, of size 0 if not
/// requested; rows of the table.
struct Said {
    View<double, 3> votes, sums;
};

/// Store the decision values of test rows.
void record(const Plan& plan, Problem problem, Whole fit, const Rows& tests, const double* values, const Said& said) {
    const auto [one, other] = problem;
    const Whole repeat = fit / plan.folds;
    const auto votes = said.votes[repeat];
    for (std::size_t k = 0; k < tests.size(); ++k) {
        const Whole row = plan.order[at(tests[k])];
        const double value = values[k];
        if (other < 0) {
            votes[row][std::max<Whole>(one, 0)] = value;
            continue;
        }
        votes[row][value > 0.0 ? one : other] += 1.0;
        if (said.sums.size() != 0) {
            said.sums[repeat][row][one] += value;
            said.sums[repeat][row][other] -= value;
        }
    }
}

// Scales

constexpr double kNoWeight = 1e12;      // penalty of a constant column: its contribution to a product vanishes
constexpr double kLargestWeight = 1e30; // for a column: its products stay within single precision
constexpr Whole kCellsAtOnce = 1 << 15; // for a wide table
constexpr Whole kNumbersAColumn = 6;    // learned by a fit: imputed value, start, scale, some of them twice

/// Values learned by some fits for some columns, in units of z: square of the scale, zero point of the scaled columns
/// (if a bias is penalised), and imputed values; (1, q) if shared by all fits, empty if not needed.
struct Scales {
    Numbers penalty, origin, fill;
    Whole fits = 1, begin = 0, q = 0;  // q columns of the plan from `begin` on

    void resize(Whole fits_, Whole begin_, Whole q_, bool varies, bool centred, bool has_gaps) {
        fits = varies ? fits_ : 1;
        begin = begin_;
        q = q_;
        penalty.resize(at(fits * q));
        origin.resize(centred ? at(fits * q) : 0);
        fill.resize(has_gaps ? at(fits * q) : 0);
    }

    Whole row(Whole fit) const { return std::min(fit, fits - 1) * q; }
    const double* penalty_of(Whole fit) const { return penalty.data() + row(fit); }
    const double* origin_of(Whole fit) const { return origin.empty() ? nullptr : origin.data() + row(fit); }
    const double* fill_of(Whole fit) const { return fill.empty() ? nullptr : fill.data() + row(fit); }
};

/// Columns of a plan, standardised, and the values learned by its fits.
class Source {
  public:
    Source(const Plan& plan, Watch& watch) : plan_(plan), options_(plan.options), watch_(watch) {
        for (const std::int32_t column : plan.chosen) has_gaps_ |= options_.has_gaps[column];
        varies_ = has_gaps_ || options_.scaling == Scaling::fold;
    }

    bool has_gaps() const { return has_gaps_; }
    bool varies() const { return varies_; }

    /// Fill in one column of all rows, with 0 for missing values.
    template <class T>
    void standardise(Whole place, T* out) const {
        const Whole column = plan_.chosen[place];
        const Reals values = plan_.columns[column];
        const double mean = options_.mean[column], once = options_.once[column];
        const double begin = options_.begin[column], times = 1.0 / options_.deviation[column];
        for (Whole k = 0; k < plan_.n(); ++k) {
            double value = values[plan_.order[at(k)]];
            value = std::isnan(value) ? once : value;
            value = (value - mean) * times - begin;
            out[k] = static_cast<T>(std::isnan(value) ? 0.0 : value);
        }
    }

    /// Positions of the missing values of a column that each fit imputes.
    void gaps(Whole place, Rows& found) const {
        found.clear();
        const Whole column = plan_.chosen[place];
        if (!options_.has_gaps[column]) return;
        const Reals values = plan_.columns[column];
        for (Whole k = 0; k < plan_.n(); ++k) {
            if (std::isnan(values[plan_.order[at(k)]])) found.push_back(k);
        }
    }

    /// Learn for some fits from columns `first` to `end`, which keep features whole; for the machine over all rows
    /// separately.
    void learn(const Part& part, Folds labels, Whole first, Whole end, Scales& scales) {
        if (varies_) relabel(part, labels);
        learn_of(part.size(), part.folds, first, end, scales);
    }

    void learn_whole(Folds labels, Whole first, Whole end, Scales& scales) {
        if (varies_) {
            own_.assign(at(labels.extent(1)), -1);
            for (Whole row = 0; row < labels.extent(1); ++row) {
                if (labels[0][row] == -2) own_[at(row)] = -2;
            }
            repeats_ = 1;
        }
        learn_of(1, 1, first, end, scales);
    }

    /// The end of columns from `first` on that have `cells` numbers or slightly more.
    Whole end_of(Whole first, Whole cells) const {
        const auto& chosen = plan_.chosen;
        Whole end = std::min(chosen.size(), first + std::max<Whole>(1, cells / std::max<Whole>(1, plan_.n())));
        while (end < chosen.size() && options_.group[chosen[end]] == options_.group[chosen[end - 1]]) ++end;
        return end;
    }

    Watch& watch() { return watch_; }

  private:
    /// Folds of the part counted from its first; rows tested by other fits are trained on.
    void relabel(const Part& part, Folds labels) {
        repeats_ = part.repeats;
        own_.clear();
        for (Whole repeat = part.repeat; repeat < part.repeat + part.repeats; ++repeat) {
            for (const Whole label : labels[repeat]) {
                const bool is_own = label >= part.fold && label < part.fold + part.folds;
                own_.push_back(is_own ? label - part.fold : std::min<Whole>(label, -1));
            }
        }
    }

    void learn_of(Whole fits, Whole folds, Whole first, Whole end, Scales& scales) {
        const Whole width = end - first, shift = first - scales.begin, n = plan_.columns.extent(1);
        const bool is_centred = !scales.origin.empty();
        Rows chosen, complete, holes;  // columns; places from `first` on
        std::vector<std::int32_t> incomplete;
        for (Whole place = first; place < end; ++place) {
            const std::int32_t column = plan_.chosen[place];
            chosen.push_back(column);
            (options_.has_gaps[column] ? holes : complete).push_back(place - first);
            if (options_.has_gaps[column]) incomplete.push_back(column);
        }
        const auto of = [&](Reals values) {
            Numbers some;
            for (const Whole column : chosen) some.push_back(values[column]);
            return some;
        };
        const Numbers mean = of(options_.mean), deviation = of(options_.deviation), begin = of(options_.begin);
        const Effort effort{1, watch_};
        const Folds labels(own_.data(), {repeats_, n});
        Numbers fill(at(fits * static_cast<Whole>(incomplete.size()))), variance(fill.size()), filled;
        if (!incomplete.empty()) {
            const Whole offsets[2] = {0, static_cast<Whole>(incomplete.size())}, of_first = 0;
            const Measurements all{{{incomplete.data(), {offsets[1]}}, {offsets, {2}}}, {&of_first, {1}},
                                   {own_.data(), {1, repeats_, n}}, folds};
            fill_gaps(plan_.columns, all, options_.group, options_.nominal, {fill.data(), {offsets[1], fits}},
                      {variance.data(), {offsets[1], fits}}, effort);
            filled.assign(at(fits * width), 0.0);
            for (std::size_t hole = 0; hole < holes.size(); ++hole) {
                const Whole place = holes[hole];
                for (Whole fit = 0; fit < fits; ++fit) {
                    const double own = fill[hole * at(fits) + at(fit)];
                    filled[at(fit * width + place)] = own;
                    scales.fill[at(fit * scales.q + shift + place)] = (own - mean[at(place)]) / deviation[at(place)] - begin[at(place)];
                }
            }
            for (Whole fit = 0; fit < fits; ++fit) {
                for (const Whole place : complete) scales.fill[at(fit * scales.q + shift + place)] = 0.0;
            }
        }
        const auto penalty = [&](Whole fit, Whole place) -> double& { return scales.penalty[at(fit * scales.q + shift + place)]; };
        const auto origin = [&](Whole fit, Whole place) -> double& { return scales.origin[at(fit * scales.q + shift + place)]; };
        if (options_.scaling != Scaling::fold) {
            for (Whole fit = 0; fit < scales.fits; ++fit) {
                for (Whole place = 0; place < width; ++place) {
                    const double own = deviation[at(place)];
                    const bool is_once = options_.scaling == Scaling::once;
                    penalty(fit, place) = is_once ? 1.0 : 1.0 / (own * own);
                    if (is_centred) origin(fit, place) = is_once ? 0.0 : -mean[at(place)] / own;
                }
            }
            return;
        }
        if (options_.scaler == Scaler::z_score && !is_centred) {
            Rows known;
            Numbers middle, spread;
            for (const Whole place : complete) {
                known.push_back(chosen[at(place)]);
                middle.push_back(mean[at(place)]);
                spread.push_back(deviation[at(place)]);
            }
            Numbers variances(at(fits) * known.size());
            const Whole count = static_cast<Whole>(known.size());
            training_variances(plan_.columns, view(known), {middle.data(), {count}}, {spread.data(), {count}}, labels, folds,
                               {variances.data(), {fits, count}}, effort);
            for (Whole fit = 0; fit < fits; ++fit) {
                for (Whole place = 0; place < count; ++place) penalty(fit, complete[at(place)]) = variances[at(fit * count + place)];
                for (std::size_t hole = 0; hole < holes.size(); ++hole) {
                    const double own = deviation[at(holes[hole])];
                    penalty(fit, holes[hole]) = variance[hole * at(fits) + at(fit)] / (own * own);
                }
            }
        } else {
            Numbers centre(at(fits * width)), scale(centre.size());
            if (filled.empty()) filled.assign(at(width), 0.0);
            training_scales(plan_.columns, view(chosen), {filled.data(), {static_cast<Whole>(filled.size()) / width, width}}, labels,
                            folds, options_.scaler, {centre.data(), {fits, width}}, {scale.data(), {fits, width}}, effort);
            for (Whole fit = 0; fit < fits; ++fit) {
                for (Whole place = 0; place < width; ++place) {
                    const double own = scale[at(fit * width + place)] / deviation[at(place)];
                    penalty(fit, place) = own * own;
                    if (is_centred) origin(fit, place) = (centre[at(fit * width + place)] - mean[at(place)]) / deviation[at(place)];
                }
            }
        }
        for (Whole fit = 0; fit < fits; ++fit) {
            for (Whole place = 0; place < width; ++place) {
                if (penalty(fit, place) <= 0.0) penalty(fit, place) = kNoWeight;
            }
        }
    }

    const Plan& plan_;
    const SvmOptions& options_;
    Watch& watch_;
    bool has_gaps_ = false, varies_ = false;
    Rows own_;
    Whole repeats_ = 1;
};

/// Number of fits that learn at most a share-th of the table's numbers, with this many per column.
Whole many_fits(const Plan& plan, Whole numbers, Whole share) {
    const Whole all = numbers * std::max<Whole>(1, plan.q());
    return std::max<Whole>(1, std::max<Whole>(1 << 17, all * plan.n() / share) / all);
}

/// Calls `work` for up to this many fits at a time.
template <class Work>
void in_parts(const Plan& plan, Whole many, Work work) {
    const Whole step = std::max<Whole>(1, many / plan.folds);
    for (Whole repeat = 0; repeat < plan.repeats; repeat += step) {
        const Whole repeats = std::min(step, plan.repeats - repeat);
        if (many >= plan.folds) {
            work(Part{repeat, repeats, 0, plan.folds});
            continue;
        }
        for (Whole fold = 0; fold < plan.folds; fold += many) work(Part{repeat, 1, fold, std::min(many, plan.folds - fold)});
    }
}

Whole fit_of(const Plan& plan, const Part& part, Whole place) {
    return (part.repeat + place / part.folds) * plan.folds + part.fold + place % part.folds;
}

// Gram matrices

/// Room for the products of n rows: (n, stride), padded with zeros.
struct Gram {
    Numbers values;
    Whole n = 0, stride = 0;

    void resize(Whole rows) {
        n = rows;
        stride = even_line(rows);
        values.assign(at(n * stride), 0.0);
    }
    double* operator[](Whole row) { return values.data() + row * stride; }
    const double* operator[](Whole row) const { return values.data() + row * stride; }

    /// From the part on and above the diagonal, plus `more`, in either precision.
    template <class T>
    void mirror(const T* sums, double more) {
        constexpr Whole together = 8;  // columns below the diagonal, along cache lines
        for (Whole i = 0; i < n; ++i) {
            const T* own = sums + i * stride;
            double* line = values.data() + i * stride;
            for (Whole j = i; j < n; ++j) line[j] = static_cast<double>(own[j]) + more;
            std::fill(line + n, line + stride, 0.0);
        }
        for (Whole first = 0; first < n; first += together) {
            for (Whole i = first + 1; i < n; ++i) {
                double* line = values.data() + i * stride;
                for (Whole j = first; j < std::min(first + together, i); ++j) line[j] = values[at(j * stride + i)];
            }
        }
    }
};

/// Computes the Gram matrix of one fit from columns, in single or double precision; the matrix itself has sums in
/// double precision.
template <class T>
class Multiply {
  public:
    /// are_equal: both sides of a product are the same.
    void begin(bool are_equal, Gram& gram) {
        gram_ = &gram;
        stride_ = gram.stride;
        if constexpr (std::is_same_v<T, double>) {
            sums_ = gram.values.data();
        } else {
            room_.resize(at(gram.n * stride_));
            sums_ = room_.data();
        }
        std::fill_n(sums_, gram.n * stride_, T(0));
        left_.resize(at(kTerms * stride_));
        right_.resize(are_equal ? 0 : left_.size());
        terms_ = 0;
    }

    /// Room for the two sides of the next column.
    T* left() { return left_.data() + terms_ * stride_; }
    T* right() { return right_.data() + terms_ * stride_; }

    void add(Watch& watch) {
        if (++terms_ < kTerms) return;
        flush();
        watch.check();
    }

    /// Add `more` to all products.
    void end(double more) {
        flush();
        Products<T>::turn_last(gram_->n, sums_, stride_);
        gram_->mirror(sums_, more);
    }

  private:
    void flush() {
        const T* right = right_.empty() ? left_.data() : right_.data();
        Products<T>::add_upper({left_.data(), 1, stride_}, right, stride_, gram_->n, terms_, sums_, stride_);
        terms_ = 0;
    }

    Gram* gram_ = nullptr;
    Whole stride_ = 0, terms_ = 0;
    T* sums_ = nullptr;
    Line<T> room_, left_, right_;  // (terms, n) each
};

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
