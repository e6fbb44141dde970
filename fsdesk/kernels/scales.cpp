// Statistics of one column over the training rows of a fit: imputed values, variance, location and scale.
//
// Missing values are imputed with the median of the training rows; those of indicators with 1 for the most frequent
// category of the feature and 0 for the others (ties: the category without its own indicator first, then the lowest). A
// column with equal training rows has variance and scale 0 exactly.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>

#include "lanes.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kUnsure = 1e-3;  // below this fraction of the overall variance, totals have lost too many digits

using Labels = View<const Whole, 1>;

bool trains(Whole label, Whole fold) { return label != fold && label >= -1; }

double known(double value, double fill) { return std::isnan(value) ? fill : value; }

/// The rows with a value in a column, by ascending value.
void sort_known(Reals values, std::vector<Whole>& order) {
    order.clear();
    for (Whole row = 0; row < values.size(); ++row) {
        if (!std::isnan(values[row])) order.push_back(row);
    }
    std::sort(order.begin(), order.end(), [&](Whole a, Whole b) {
        return values[a] < values[b] || (values[a] == values[b] && a < b);
    });
}

/// The median of a fit's training rows, from the order of all rows.
double median(Reals values, const std::vector<Whole>& order, Labels labels, Whole fold) {
    Whole present = 0, seen = 0;
    for (const Whole row : order) present += trains(labels[row], fold);
    double lower = 0.0;
    for (const Whole row : order) {
        if (!trains(labels[row], fold)) continue;
        if (seen == (present - 1) / 2) lower = values[row];
        if (seen == present / 2) return (lower + values[row]) / 2.0;
        ++seen;
    }
    return 0.0;
}

/// The same for one fit only, for which sorting does not pay; known: scratch.
double median(Reals values, Labels labels, Whole fold, std::vector<double>& known) {
    known.clear();
    for (Whole row = 0; row < values.size(); ++row) {
        if (trains(labels[row], fold) && !std::isnan(values[row])) known.push_back(values[row]);
    }
    if (known.empty()) return 0.0;
    const auto upper = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::nth_element(known.begin(), upper, known.end());
    return ((known.size() % 2 ? *upper : *std::max_element(known.begin(), upper)) + *upper) / 2.0;
}

/// The index of the most frequent category's indicator, or -1 if that category has none: the first of several.
Whole most_frequent(Columns columns, View<const std::int32_t, 1> indicators, Labels labels, Whole fold) {
    const Whole count = indicators.size(), n = labels.size();
    std::vector<double> counts(static_cast<std::size_t>(count), 0.0);
    double most = 0.0;
    for (Whole row = 0; row < n; ++row) most += trains(labels[row], fold) && !std::isnan(columns[indicators[0]][row]);
    for (Whole place = 0; place < count; ++place) {
        const Reals values = columns[indicators[place]];
        double& own = counts[static_cast<std::size_t>(place)];
        for (Whole row = 0; row < n; ++row) own += trains(labels[row], fold) ? known(values[row], 0.0) : 0.0;
        most -= own;
    }
    Whole winner = -1;
    for (Whole place = 0; place < count; ++place) {
        if (counts[static_cast<std::size_t>(place)] <= most) continue;
        most = counts[static_cast<std::size_t>(place)];
        winner = place;
    }
    return winner;
}

/// Variance of the completed training rows, in two passes.
double filled_variance(Reals values, double fill, Labels labels, Whole fold) {
    double size = 0.0, total = 0.0, lowest = kInfinity, highest = -kInfinity, squares = 0.0;
    for (Whole row = 0; row < values.size(); ++row) {
        if (!trains(labels[row], fold)) continue;
        const double value = known(values[row], fill);
        ++size;
        total += value;
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    if (!(lowest < highest)) return 0.0;
    const double mean = total / size;
    for (Whole row = 0; row < values.size(); ++row) {
        if (!trains(labels[row], fold)) continue;
        const double step = known(values[row], fill) - mean;
        squares += step * step;
    }
    return squares / size;
}

/// The value at a fractional position in ascending values, by linear interpolation.
double between(const std::vector<double>& values, double position) {
    const auto place = static_cast<std::size_t>(position), after = std::min(place + 1, values.size() - 1);
    return values[place] + (values[after] - values[place]) * (position - static_cast<double>(place));
}

}  // namespace

/// Fill in (total, fits) the imputed value of each column of each mask, and the variance of its completed training
/// rows, (0, fits) if not needed.
///
/// group, nominal: (p,) feature of each column, and which columns are indicators; those of a feature are adjacent, in
/// masks, too. Both numbers are 0 for columns without missing values.
void fill_gaps(Columns columns, const Measurements& all, Integers group, View<const bool, 1> nominal,
               View<double, 2> fill, View<double, 2> variance, const Effort& effort) {
    std::fill_n(fill.data(), fill.count(), 0.0);
    std::fill_n(variance.data(), variance.count(), 0.0);
    share(all.size(), effort, [&](Whole measurement, int) {
        const auto chosen = all.columns[measurement];
        const Folds labels = all.labels[all.folds_of[measurement]];
        const bool is_alone = labels.size() * all.folds == 1;
        std::vector<Whole> order;
        std::vector<double> known;
        for (Whole place = 0, end = 0; place < chosen.size(); place = end) {
            const Reals values = columns[chosen[place]];
            const bool is_indicator = nominal[chosen[place]];
            end = place + 1;
            while (is_indicator && end < chosen.size() && group[chosen[end]] == group[chosen[place]]) ++end;
            effort.watch.check();
            if (std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) continue;
            if (!is_indicator && !is_alone) sort_known(values, order);
            for (Whole fit = 0; fit < labels.size() * all.folds; ++fit) {
                const Labels own = labels[fit / all.folds];
                const Whole fold = fit % all.folds, first = all.columns.offsets[measurement];
                effort.watch.check();
                if (is_indicator) {
                    const Whole winner = most_frequent(columns, {chosen.data() + place, {end - place}}, own, fold);
                    if (winner >= 0) fill[first + place + winner][fit] = 1.0;
                } else {
                    fill[first + place][fit] = is_alone ? median(values, own, fold, known) : median(values, order, own, fold);
                }
                for (Whole one = place; one < end && variance.size(); ++one) {
                    variance[first + one][fit] = filled_variance(columns[chosen[one]], fill[first + one][fit], own, fold);
                }
            }
        }
    });
}

/// Fill in (fits, q) variances of the training rows relative to the overall variance, from sums shared by folds.
///
/// chosen: (q,) columns without missing values; mean, deviation: (q,) of all rows, no deviation 0.
void training_variances(Columns columns, Integers chosen, Reals mean, Reals deviation, Folds labels, Whole folds,
                        View<double, 2> variances, const Effort& effort) {
    const Whole n = labels.extent(1), cells = folds + 2;  // for the rows of each fold, those only trained on, those left out
    const auto cell_of = [folds](Whole label) { return label >= 0 ? label : folds - 1 - label; };
    std::vector<double> sizes(static_cast<std::size_t>(variances.size()));
    for (Whole repeat = 0; repeat < labels.size(); ++repeat) {
        double* own = sizes.data() + repeat * folds;
        const double all = static_cast<double>(n - std::count(labels[repeat].begin(), labels[repeat].end(), -2));
        std::fill_n(own, folds, all);
        for (const Whole label : labels[repeat]) {
            if (label >= 0) --own[label];
        }
    }
    struct Worker {
        std::vector<double> z, sums;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share((chosen.size() + kLanes - 1) / kLanes, effort, [&](Whole part, int number) {  // eight columns side by side
        auto& [z, sums] = workers[static_cast<std::size_t>(number)];
        z.assign(static_cast<std::size_t>(n * kLanes), 0.0);
        sums.resize(static_cast<std::size_t>(cells * 2 * kLanes));
        const Whole first = part * kLanes, width = std::min<Whole>(kLanes, chosen.size() - first);
        for (Whole lane = 0; lane < width; ++lane) {
            const Reals values = columns[chosen[first + lane]];
            const double centre = mean[first + lane], times = 1.0 / deviation[first + lane];
            for (Whole row = 0; row < n; ++row) z[static_cast<std::size_t>(row * kLanes + lane)] = (values[row] - centre) * times;
        }
        for (Whole repeat = 0; repeat < labels.size(); ++repeat) {
            effort.watch.check();
            std::fill(sums.begin(), sums.end(), 0.0);
            for (Whole row = 0; row < n; ++row) {
                double* own = sums.data() + cell_of(labels[repeat][row]) * 2 * kLanes;
                const Lanes value = Lanes::load(z.data() + row * kLanes);
                (Lanes::load(own) + value).store(own);
                (Lanes::load(own + kLanes) + value * value).store(own + kLanes);
            }
            Lanes total = Lanes::all(0.0), squares = total;
            for (Whole cell = 0; cell <= folds; ++cell) {
                total = total + Lanes::load(sums.data() + cell * 2 * kLanes);
                squares = squares + Lanes::load(sums.data() + (cell * 2 + 1) * kLanes);
            }
            for (Whole fold = 0; fold < folds; ++fold) {
                const Whole fit = repeat * folds + fold;
                double sum[kLanes], square[kLanes];
                (total - Lanes::load(sums.data() + fold * 2 * kLanes)).store(sum);
                (squares - Lanes::load(sums.data() + (fold * 2 + 1) * kLanes)).store(square);
                for (Whole lane = 0; lane < width; ++lane) {
                    const double size = sizes[static_cast<std::size_t>(fit)], centre = sum[lane] / size;
                    double& own = variances[fit][first + lane];
                    own = square[lane] / size - centre * centre;
                    if (own >= kUnsure) continue;
                    const double scale = deviation[first + lane];
                    own = filled_variance(columns[chosen[first + lane]], 0.0, labels[repeat], fold) / (scale * scale);
                }
            }
        }
    });
}

/// Fill in (fits, q) location and scale of the completed training rows, by definition.
///
/// Z-score: mean and standard deviation; Pareto: mean and its square root; min-max: minimum and range; robust: median
/// and interquartile range, 1 if that is 0 but the rows differ. If all rows are equal, the location is their value.
/// chosen: (q,) columns; fill: (fits, q), or (1, q) if shared by all fits.
void training_scales(Columns columns, Integers chosen, View<const double, 2> fill, Folds labels, Whole folds,
                     Scaler scaler, View<double, 2> centre, View<double, 2> scale, const Effort& effort) {
    share(chosen.size(), effort, [&](Whole place, int) {
        const Reals column = columns[chosen[place]];
        std::vector<Whole> order;
        std::vector<double> values;
        if (scaler == Scaler::robust) sort_known(column, order);
        for (Whole fit = 0; fit < centre.size(); ++fit) {
            effort.watch.check();
            const Labels own = labels[fit / folds];
            const Whole fold = fit % folds;
            const double filling = fill[std::min(fit, fill.size() - 1)][place];
            values.clear();
            for (Whole row = 0; row < own.size(); ++row) {
                if (trains(own[row], fold)) values.push_back(known(column[row], filling));
            }
            const Whole size = static_cast<Whole>(values.size());
            const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
            const double low = size ? *lowest : 0.0, high = size ? *highest : 0.0;
            centre[fit][place] = low;
            scale[fit][place] = high - low;
            if (!(low < high) || scaler == Scaler::min_max) continue;
            if (scaler == Scaler::z_score || scaler == Scaler::pareto) {
                const double mean = sum(values.data(), size) / static_cast<double>(size);
                centre[fit][place] = mean;
                scale[fit][place] = std::sqrt(sum_of_squares(values.data(), size, mean) / static_cast<double>(size));
                if (scaler == Scaler::pareto) scale[fit][place] = std::sqrt(scale[fit][place]);
                continue;
            }
            values.clear();
            for (const Whole row : order) {
                if (trains(own[row], fold)) values.push_back(column[row]);
            }
            const auto gap = std::lower_bound(values.begin(), values.end(), filling);
            values.insert(gap, static_cast<std::size_t>(size) - values.size(), filling);
            const double last = static_cast<double>(size - 1), range = between(values, 0.75 * last) - between(values, 0.25 * last);
            centre[fit][place] = between(values, 0.5 * last);
            scale[fit][place] = range != 0.0 ? range : 1.0;
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
