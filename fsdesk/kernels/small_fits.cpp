// Many small fits in one call: each with a few features on one split of the rows; returns the number of misclassified
// tested rows.
//
// Nearest neighbour: a tested row gets the class of the training row with the smallest
//   d(x, y) = sum over the fit's features j, in their order, of (s_j x_j - s_j y_j)^2,
// ties going to the lowest row; s_j is 1, or the reciprocal standard deviation of the split's training rows (0 if they
// are all equal). Rows are compared value by value, so that equal rows have identical distances. Work and memory of a
// fit depend on its own features and rows, not on those of the table.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lanes.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr int kTogether = kWidth;    // tested rows compared together: eight independent sums
constexpr Whole kTrainAtOnce = 256;  // training rows whose values stay in the cache; a multiple of the lanes

/// The rows of one split by their role in it.
struct Split {
    std::vector<Whole> trained, tested;

    void read(View<const std::int8_t, 1> labels) {
        trained.clear();
        tested.clear();
        for (Whole row = 0; row < labels.size(); ++row) {
            if (labels[row] == -1) trained.push_back(row);
            if (labels[row] == 0) tested.push_back(row);
        }
    }
};

/// One thread's memory for nearest neighbours.
class Nearest {
  public:
    Nearest(Columns columns, const SmallFits& fits, bool learns_scale) : columns_(columns), fits_(fits), learns_scale_(learns_scale) {}

    /// Find the training row nearest to each tested row, as its index among them; 0 if no distance is a number.
    const std::vector<Whole>& find(const Split& split, Whole fit, Watch& watch) {
        const auto features = fits_.features[fit];
        const Whole trained = static_cast<Whole>(split.trained.size()), tested = static_cast<Whole>(split.tested.size());
        const Whole tiles = (trained + kTrainAtOnce - 1) / kTrainAtOnce;
        gather(split, fit);
        const Whole even = (tested + kTogether - 1) / kTogether * kTogether;
        best_.assign(static_cast<std::size_t>(even * kLanes), kInfinity);
        place_.assign(best_.size(), 0);
        nearest_.assign(split.tested.size(), 0);
        for (Whole tile = 0; tile < tiles; ++tile) {
            const Whole first = tile * kTrainAtOnce, width = std::min(kTrainAtOnce, trained - first);
            const double* values = train_.data() + first * features.size();
            for (Whole test = 0; test < tested; test += kTogether) {
                if (test % 64 == 0) watch.check();
                compare(values, first, width, features.size(), test);
            }
        }
        for (Whole test = 0; test < tested; ++test) nearest_[static_cast<std::size_t>(test)] = least(test);
        return nearest_;
    }

    /// Fill in the mean and the standard deviation, over the tested rows, of the margin of a row's own class, m = (b -
    /// a) / (a + b), with a and b the distances to the nearest training row of its own class and of another one.
    /// Without a training row of its own class, or of another one, m is -1 or 1; if both distances are 0, m is 0.
    void margin(const Split& split, Whole fit, Integers target, View<double, 1> found, Watch& watch) {
        const auto features = fits_.features[fit];
        gather(split, fit);
        const Whole trained = static_cast<Whole>(split.trained.size()), tested = static_cast<Whole>(split.tested.size());
        far_.resize(split.trained.size());
        margins_.resize(split.tested.size());
        for (Whole test = 0; test < tested; ++test) {
            if (test % 64 == 0) watch.check();
            measure(trained, features.size(), test);
            const Whole truth = target[split.tested[static_cast<std::size_t>(test)]];
            double own = kInfinity, other = kInfinity;
            for (Whole place = 0; place < trained; ++place) {
                const double distance = far_[static_cast<std::size_t>(place)];
                double& best = target[split.trained[static_cast<std::size_t>(place)]] == truth ? own : other;
                if (distance < best) best = distance;
            }
            margins_[static_cast<std::size_t>(test)] = lead(std::sqrt(own), std::sqrt(other));
        }
        mean_and_deviation(margins_.data(), tested, found.data());
    }

  private:
    static double lead(double own, double other) {
        if (other == kInfinity) return own == kInfinity ? 0.0 : 1.0;
        if (own == kInfinity) return -1.0;
        return own + other > 0.0 ? (other - own) / (own + other) : 0.0;
    }

    /// Distances of one tested row to all training rows, feature by feature as in compare().
    void measure(Whole trained, Whole q, Whole test) {
        const double* row = test_.data() + test * q;
        std::fill(far_.begin(), far_.end(), 0.0);
        const Whole padded = (trained + kLanes - 1) / kLanes * kLanes;
        for (Whole first = 0; first < trained; first += kTrainAtOnce) {
            const Whole width = std::min(kTrainAtOnce, padded - first), count = std::min(width, trained - first);
            double* far = far_.data() + first;
            for (Whole feature = 0; feature < q; ++feature) {
                const double* column = train_.data() + first * q + feature * width;
                for (Whole place = 0; place < count; ++place) {
                    const double step = row[feature] - column[place];
                    far[place] += step * step;
                }
            }
        }
    }

    /// Training rows as (tiles, features, rows of a tile), tested rows as (features,) each, in their scales.
    void gather(const Split& split, Whole fit) {
        const auto features = fits_.features[fit];
        const double* fill = fits_.fill.size() ? fits_.fill.data() + fits_.features.offsets[fit] : nullptr;
        const Whole trained = static_cast<Whole>(split.trained.size()), tested = static_cast<Whole>(split.tested.size());
        const Whole padded = (trained + kLanes - 1) / kLanes * kLanes, q = features.size();
        const Whole even = (tested + kTogether - 1) / kTogether * kTogether;
        train_.resize(static_cast<std::size_t>((padded + kTrainAtOnce) * q));
        test_.resize(static_cast<std::size_t>(even * q));
        column_.resize(static_cast<std::size_t>(padded));
        for (Whole feature = 0; feature < q; ++feature) {
            const auto values = columns_[features[feature]];
            const double filling = fill ? fill[feature] : std::numeric_limits<double>::quiet_NaN();
            const auto known = [&](Whole row) { return std::isnan(values[row]) ? filling : values[row]; };
            for (Whole place = 0; place < trained; ++place) column_[place] = known(split.trained[place]);
            std::fill(column_.begin() + trained, column_.end(), 0.0);
            const double factor = learns_scale_ ? scale(trained) : 1.0;
            for (Whole place = 0; place < trained; ++place) column_[place] *= factor;
            for (Whole first = 0; first < trained; first += kTrainAtOnce) {
                const Whole width = std::min(kTrainAtOnce, padded - first);
                std::copy_n(column_.data() + first, width, train_.data() + first * q + feature * width);
            }
            for (Whole place = 0; place < even; ++place) {
                test_[place * q + feature] = place < tested ? known(split.tested[place]) * factor : 0.0;
            }
        }
    }

    /// The reciprocal standard deviation of the gathered column; 0 if its values are all equal.
    double scale(Whole count) const {
        const double first = column_[0], mean = sum(column_.data(), count) / static_cast<double>(count);
        if (std::all_of(column_.begin(), column_.begin() + count, [first](double value) { return value == first; })) return 0.0;
        return 1.0 / std::sqrt(sum_of_squares(column_.data(), count, mean) / static_cast<double>(count));
    }

    /// Compare kTogether tested rows with a tile of training rows, eight at once.
    void compare(const double* values, Whole first, Whole count, Whole q, Whole test) {
        const Whole width = (count + kLanes - 1) / kLanes * kLanes;
        Part best[kTogether][kParts];
        WholePart place[kTogether][kParts], own;
        std::memcpy(best, best_.data() + test * kLanes, sizeof best);
        std::memcpy(place, place_.data() + test * kLanes, sizeof place);
        for (int lane = 0; lane < kWidth; ++lane) own[lane] = first + lane;
        for (Whole start = 0; start < width; start += kLanes) {
            double padded[kLanes];  // rows with NaN are infinitely far
            for (Whole lane = 0; lane < kLanes; ++lane) padded[lane] = start + lane < count ? 0.0 : kInfinity;
            Lanes far[kTogether];
            for (auto& distances : far) distances = Lanes::load(padded);
            const double *column = values + start, *row = test_.data() + test * q;
            for (Whole feature = 0; feature < q; ++feature, column += width) {
                const Lanes training = Lanes::load(column);
                for (int t = 0; t < kTogether; ++t) {
                    const Lanes step = Lanes::all(row[t * q + feature]) - training;
                    far[t] = far[t] + step * step;
                }
            }
            for (int p = 0; p < kParts; ++p, own += kWidth) {
                for (int t = 0; t < kTogether; ++t) {
                    const auto is_nearer = far[t].part[p] < best[t][p];
                    best[t][p] = is_nearer ? far[t].part[p] : best[t][p];
                    place[t][p] = is_nearer ? own : place[t][p];
                }
            }
        }
        std::memcpy(best_.data() + test * kLanes, best, sizeof best);
        std::memcpy(place_.data() + test * kLanes, place, sizeof place);
    }

    /// The lowest index among the lanes' best.
    Whole least(Whole test) const {
        const double* best = best_.data() + test * kLanes;
        const Whole* place = place_.data() + test * kLanes;
        int winner = 0;
        for (int lane = 1; lane < kLanes; ++lane) {
            const bool is_lower = best[lane] == best[winner] && place[lane] < place[winner];
            if (best[lane] < best[winner] || is_lower) winner = lane;
        }
        return place[winner];
    }

    Columns columns_;
    const SmallFits& fits_;
    bool learns_scale_;
    std::vector<double> train_, test_, column_, best_, far_, margins_;
    std::vector<Whole> place_, nearest_;
};

}  // namespace

/// Fill in (fits,) misclassified tested rows and, if requested, (fits, n) the predicted class of a tested row, else -1.
///
/// columns: (p, n); predicted: (0, n) if not requested. Every split has a training row.
void nn_errors(Columns columns, Integers target, const SmallFits& fits, bool learns_scale, View<Whole, 1> errors,
               View<std::int16_t, 2> predicted, const Effort& effort) {
    struct Worker {
        Nearest nearest;
        Split split;
        Whole read = -1;  // which split that is
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads), Worker{Nearest(columns, fits, learns_scale), {}});
    share(fits.size(), effort, [&](Whole fit, int number) {
        Worker& worker = workers[static_cast<std::size_t>(number)];
        if (worker.read != fits.split_of[fit]) worker.split.read(fits.splits[worker.read = fits.split_of[fit]]);
        const Split& split = worker.split;
        const auto& nearest = worker.nearest.find(split, fit, effort.watch);
        const bool tells = predicted.size() != 0;
        if (tells) std::fill(predicted[fit].begin(), predicted[fit].end(), std::int16_t{-1});
        Whole misses = 0;
        for (std::size_t test = 0; test < nearest.size(); ++test) {
            const Whole row = split.tested[test], said = target[split.trained[static_cast<std::size_t>(nearest[test])]];
            misses += said != target[row];
            if (tells) predicted[fit][row] = static_cast<std::int16_t>(said);
        }
        errors[fit] = misses;
    });
}

/// Fill in (fits, 2) mean and standard deviation of the tested rows' margins; each split has a training and a tested row.
void nn_margins(Columns columns, Integers target, const SmallFits& fits, bool learns_scale, View<double, 2> margins,
                const Effort& effort) {
    struct Worker {
        Nearest nearest;
        Split split;
        Whole read = -1;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads), Worker{Nearest(columns, fits, learns_scale), {}});
    share(fits.size(), effort, [&](Whole fit, int number) {
        Worker& worker = workers[static_cast<std::size_t>(number)];
        if (worker.read != fits.split_of[fit]) worker.split.read(fits.splits[worker.read = fits.split_of[fit]]);
        worker.nearest.margin(worker.split, fit, target, margins[fit], effort.watch);
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
