// Extremely randomised trees (P. Geurts, D. Ernst and L. Wehenkel, Machine Learning 63, 2006): importances of columns,
// and predictions of a forest for rows it was not grown on.
//
// A node draws columns without replacement until it has the required number of columns that vary within it. Each is cut
// at random between its minimum and its maximum; the cut with the least impurity
//   w_left G(left) + w_right G(right),  G = 1 - sum over classes (w_c / w)^2, or the variance of numbers
// splits the node, with w the weight of its rows; a node that is pure or does not vary is a leaf. A column's importance
// in a tree is the sum, over the nodes that it splits, of w G(node) - w_left G(left) - w_right G(right), over the
// number of rows. A leaf predicts its class proportions or its mean; a forest the mean of its trees.
//
// Random numbers are drawn, and sums are added, in the same order as in scikit-learn's ExtraTreesClassifier and
// ExtraTreesRegressor, so that trees, importances and predictions are identical bit for bit: a xorshift generator for
// each tree (G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8, 2003), columns known to be constant above
// a node skipped in it, left branches before right ones. Sums of weights and numbers are rounded, so rows are kept in
// the order left by every cut tried, and the shorter side of a cut is added up, or subtracted from its end. Tested rows
// go down with the tree as it grows: no tree is stored.
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr int kLanes = 8;
constexpr float kConstant = 1e-7F;  // values no further apart are equal
constexpr double kPure = std::numeric_limits<double>::epsilon();

/// Integers below 2^31, from a 32-bit state.
class Random {
  public:
    explicit Random(std::uint32_t state) : state_(state == 0 ? 1 : state) {}

    std::uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_ & 0x7fffffffU;
    }

    /// From low to high - 1.
    Whole whole(Whole low, Whole high) { return low + static_cast<Whole>(next() % static_cast<std::uint32_t>(high - low)); }

    double real(double low, double high) { return (high - low) * static_cast<double>(next()) / 2147483647.0 + low; }

  private:
    std::uint32_t state_;
};

struct Node {
    Whole first, end, constants;  // its rows, and the number of columns known to be constant in it
    double impurity;
    Whole first_test, end_test;
};

struct Cut {
    Whole column = -1;
    double threshold = 0.0;
    Whole rows = 0;  // to the left
};

/// Impurities and weights of both sides of a cut.
struct Sides {
    double left, right, left_weight, right_weight;
};

double gini(const std::vector<double>& sums, double weight) {
    double squares = 0.0;
    for (const double own : sums) squares += own * own;
    return 1.0 - squares / (weight * weight);
}

/// The largest single-precision value not above a threshold: the same rows are at or below both.
float bound_of(double threshold) {
    const auto bound = static_cast<float>(threshold);
    return static_cast<double>(bound) > threshold ? std::nextafter(bound, -std::numeric_limits<float>::infinity()) : bound;
}

/// Bring rows at or below a threshold to the front, others swapped to the end one by one; return the number of the
/// former.
template <class Swap>
Whole part_rows(const float* values, Whole size, float bound, Swap swap) {
    Whole place = 0, end = size;
    while (place < end) {  // without branches, which would be unpredictable
        const Whole is_left = values[place] <= bound;
        end -= 1 - is_left;
        swap(place, is_left ? place : end);
        place += is_left;
    }
    return place;
}

// Statistics of a tree's rows. A node is entered; its cuts are divided, and their merit is computed; the last one
// recorded is the best; settle() gives its sides once the rows are partitioned.

/// Rows by class: integers, so that their order does not matter.
class Counts {
  public:
    static constexpr bool kMoves = false;  // whether divide() partitions rows

    Counts(Integers target, Whole classes)
        : target_(target), codes_(static_cast<std::size_t>(target.size())), to_left_(static_cast<std::size_t>(classes)),
          turns_(4 * to_left_.size()), node_(to_left_.size()), left_(to_left_.size()), right_(to_left_.size()) {}

    Whole width() const { return static_cast<Whole>(node_.size()); }
    double whole() const { return static_cast<double>(target_.size()); }
    double weight() const { return weight_; }
    double impurity() const { return gini(node_, weight_); }

    void enter(const std::int32_t* rows, Whole size) {
        std::fill(node_.begin(), node_.end(), 0.0);
        for (Whole place = 0; place < size; ++place) {
            const Whole code = target_[rows[place]];
            codes_[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(code);
            node_[static_cast<std::size_t>(code)] += 1.0;
        }
        weight_ = static_cast<double>(size);
    }

    void value(double* out) const {
        for (std::size_t code = 0; code < node_.size(); ++code) out[code] = node_[code] / weight_;
    }

    /// Count rows by class to both sides of a threshold; return how many are to the left.
    Whole divide(float* values, std::int32_t*, Whole size, float bound) {
        const std::int32_t* codes = codes_.data();
        std::int32_t rows = 0;
        std::fill(to_left_.begin(), to_left_.end(), 0);
        if (to_left_.size() == 2) {
            std::int32_t seconds = 0;
            for (Whole place = 0; place < size; ++place) {
                const std::int32_t is_left = values[place] <= bound;
                rows += is_left;
                seconds += is_left & codes[place];
            }
            to_left_[0] = rows - seconds;
            to_left_[1] = seconds;
        } else {
            // In turn into four counts of each class, so that none waits for the previous one.
            std::fill(turns_.begin(), turns_.end(), 0);
            for (Whole place = 0; place < size; ++place) {
                const std::int32_t is_left = values[place] <= bound;
                turns_[static_cast<std::size_t>(4 * codes[place] + (place & 3))] += is_left;
                rows += is_left;
            }
            for (std::size_t code = 0; code < to_left_.size(); ++code) {
                to_left_[code] = turns_[4 * code] + turns_[4 * code + 1] + turns_[4 * code + 2] + turns_[4 * code + 3];
            }
        }
        return rows;
    }

    double merit(const std::int32_t*, Whole, Whole rows) {
        for (std::size_t code = 0; code < to_left_.size(); ++code) {
            left_[code] = static_cast<double>(to_left_[code]);
            right_[code] = node_[code] - left_[code];
        }
        const double below = static_cast<double>(rows), above = weight_ - below;
        tried_ = {gini(left_, below), gini(right_, above), below, above};
        return -above * tried_.right - below * tried_.left;
    }

    void note() { best_ = tried_; }
    Sides settle(const std::int32_t*, Whole, Whole) const { return best_; }

  private:
    Integers target_;
    std::vector<std::int32_t> codes_, to_left_, turns_;
    std::vector<double> node_, left_, right_;
    double weight_ = 0.0;
    Sides tried_{}, best_{};
};

/// Rounded sums. Own: add(row, sign, sums) adds a row's contribution and returns its weight.
template <class Own>
class Ordered {
  public:
    static constexpr bool kMoves = true;

    explicit Ordered(Own own) : own_(std::move(own)), node_(own_.width()), left_(own_.width()), right_(own_.width()) {
        for (Whole row = 0; row < own_.size(); ++row) whole_ += own_.add(static_cast<std::int32_t>(row), 1.0, left_.data());
    }

    Whole width() const { return static_cast<Whole>(node_.size()); }
    double whole() const { return whole_; }
    double weight() const { return weight_; }
    double impurity() const { return own_.impurity(node_, squares_, weight_); }

    void enter(const std::int32_t* rows, Whole size) {
        std::fill(node_.begin(), node_.end(), 0.0);
        squares_ = weight_ = 0.0;
        for (Whole place = 0; place < size; ++place) {
            weight_ += own_.add(rows[place], 1.0, node_.data());
            squares_ += own_.square(rows[place]);
        }
    }

    void value(double* out) const {
        for (std::size_t part = 0; part < node_.size(); ++part) out[part] = node_[part] / weight_;
    }

    Whole divide(float* values, std::int32_t* rows, Whole size, float bound) {
        return part_rows(values, size, bound, [=](Whole one, Whole other) {
            std::swap(values[one], values[other]);
            std::swap(rows[one], rows[other]);
        });
    }

    double merit(const std::int32_t* rows, Whole size, Whole place) {
        update(rows, size, place);
        return own_.merit(left_, right_, left_weight_, right_weight_);
    }

    void note() {}

    Sides settle(const std::int32_t* rows, Whole size, Whole place) {
        update(rows, size, place);
        double squares = 0.0;
        for (Whole row = 0; row < place; ++row) squares += own_.square(rows[row]);
        return {own_.impurity(left_, squares, left_weight_), own_.impurity(right_, squares_ - squares, right_weight_),
                left_weight_, right_weight_};
    }

  private:
    /// Sum both sides of a cut, from the end with fewer rows.
    void update(const std::int32_t* rows, Whole size, Whole place) {
        if (place <= size - place) {
            std::fill(left_.begin(), left_.end(), 0.0);
            left_weight_ = 0.0;
            for (Whole row = 0; row < place; ++row) left_weight_ += own_.add(rows[row], 1.0, left_.data());
        } else {
            left_ = node_;
            left_weight_ = weight_;
            for (Whole row = size - 1; row >= place; --row) left_weight_ -= own_.add(rows[row], -1.0, left_.data());
        }
        right_weight_ = weight_ - left_weight_;
        for (std::size_t part = 0; part < node_.size(); ++part) right_[part] = node_[part] - left_[part];
    }

    Own own_;
    std::vector<double> node_, left_, right_;
    double whole_ = 0.0, squares_ = 0.0, weight_ = 0.0, left_weight_ = 0.0, right_weight_ = 0.0;
};

/// Rows by class, each class with its own weight.
class Weighted {
  public:
    Weighted(Integers target, std::vector<double> weights) : target_(target), weights_(std::move(weights)) {}

    Whole size() const { return target_.size(); }
    std::size_t width() const { return weights_.size(); }

    double add(std::int32_t row, double sign, double* sums) const {
        const auto code = static_cast<std::size_t>(target_[row]);
        sums[code] += sign * weights_[code];
        return weights_[code];
    }

    double square(std::int32_t) const { return 0.0; }
    double impurity(const std::vector<double>& sums, double, double weight) const { return gini(sums, weight); }

    double merit(const std::vector<double>& left, const std::vector<double>& right, double below, double above) const {
        const double to_left = gini(left, below), to_right = gini(right, above);
        return -above * to_right - below * to_left;
    }

  private:
    Integers target_;
    std::vector<double> weights_;
};

/// Numbers, and the sum of their squares.
class Numbers {
  public:
    explicit Numbers(Reals response) : response_(response) {}

    Whole size() const { return response_.size(); }
    std::size_t width() const { return 1; }

    double add(std::int32_t row, double sign, double* sums) const {
        sums[0] += sign * response_[row];
        return 1.0;
    }

    double square(std::int32_t row) const { return response_[row] * response_[row]; }

    double impurity(const std::vector<double>& sums, double squares, double weight) const {
        const double mean = sums[0] / weight;
        return squares / weight - mean * mean;
    }

    double merit(const std::vector<double>& left, const std::vector<double>& right, double below, double above) const {
        return left[0] * left[0] / below + right[0] * right[0] / above;
    }

  private:
    Reals response_;
};

/// One thread's memory for one tree after another.
template <class Sums>
class Tree {
  public:
    Tree(View<const float, 2> columns, View<const float, 2> test, Sums sums)
        : columns_(columns), test_(test), sums_(std::move(sums)), rows_(static_cast<std::size_t>(columns.extent(1))),
          tests_(static_cast<std::size_t>(test.extent(1))), values_(rows_.size()) {}

    Whole width() const { return sums_.width(); }

    /// Grow a tree on some columns, with `most` considered at each node; fill in (features,) importances, unless of
    /// size 0, and predictions for tested rows: (t, width).
    void grow(View<const std::int32_t, 1> features, std::uint32_t state, Whole most, View<double, 1> importances, double* said,
              Watch& watch) {
        features_ = features, most_ = most;
        Random random(state);
        std::iota(rows_.begin(), rows_.end(), std::int32_t{0});
        std::iota(tests_.begin(), tests_.end(), std::int32_t{0});
        order_.resize(static_cast<std::size_t>(features.size()));
        constant_.resize(order_.size());
        std::iota(order_.begin(), order_.end(), std::int32_t{0});
        std::fill(importances.begin(), importances.end(), 0.0);
        const auto n = static_cast<Whole>(rows_.size());
        sums_.enter(rows_.data(), n);
        open_.assign(1, {0, n, 0, sums_.impurity(), 0, static_cast<Whole>(tests_.size())});
        while (!open_.empty()) {
            watch.check();
            Node node = open_.back();
            open_.pop_back();
            std::int32_t* rows = rows_.data() + node.first;
            const Whole size = node.end - node.first;
            const bool may_split = size >= 2 && node.impurity > kPure, tells = node.first_test < node.end_test;
            if (!may_split && !tells) continue;
            sums_.enter(rows, size);
            const Cut cut = may_split ? best(node, random) : Cut();
            if (cut.column < 0) {
                tell(node, said);
                continue;
            }
            const float bound = bound_of(cut.threshold);
            const float* values = columns_[features_[cut.column]].data();
            if (!Sums::kMoves) {
                std::partition(rows, rows + size, [=](std::int32_t row) { return values[row] <= bound; });
            } else if (last_ != cut.column) {
                for (Whole place = 0; place < size; ++place) values_[static_cast<std::size_t>(place)] = values[rows[place]];
                sums_.divide(values_.data(), rows, size, bound);
            }
            const Sides sides = sums_.settle(rows, size, cut.rows);
            const double above = sums_.weight();
            const double gain = node.impurity - sides.right_weight / above * sides.right - sides.left_weight / above * sides.left;
            if (above / sums_.whole() * gain + kPure < 0.0) {
                tell(node, said);
                continue;
            }
            if (importances.size() > 0) {
                importances[cut.column] +=
                    above * node.impurity - sides.left_weight * sides.left - sides.right_weight * sides.right;
            }
            const float* tested = test_.data() + features_[cut.column] * test_.extent(1);
            const auto middle = std::partition(tests_.begin() + node.first_test, tests_.begin() + node.end_test,
                                               [=](std::int32_t row) { return tested[row] <= bound; });
            const Whole place = node.first + cut.rows, place_test = middle - tests_.begin();
            open_.push_back({place, node.end, node.constants, sides.right, place_test, node.end_test});
            open_.push_back({node.first, place, node.constants, sides.left, node.first_test, place_test});
        }
        for (double& importance : importances) importance /= static_cast<double>(n);
    }

  private:
    /// Write the predictions of the node entered last for a leaf's tested rows.
    void tell(const Node& node, double* said) {
        const Whole width = sums_.width();
        for (Whole place = node.first_test; place < node.end_test; ++place) {
            sums_.value(said + tests_[static_cast<std::size_t>(place)] * width);
        }
    }

    /// The best of the cuts drawn; none if no column varies. Records which columns were found to be constant.
    ///
    /// order_ contains, from the front, known constant columns that were drawn, those that were not, those found to be
    /// constant, those not drawn yet, and those considered.
    Cut best(Node& node, Random& random) {
        const Whole known = node.constants, size = node.end - node.first;
        std::int32_t* rows = rows_.data() + node.first;
        Whole left = features_.size(), found = 0, drawn = 0, visited = 0;
        double least = -std::numeric_limits<double>::infinity();
        Cut best;
        while (left > known + found && (visited < most_ || visited <= found + drawn)) {
            ++visited;
            Whole place = random.whole(drawn, left - found);
            if (place < known) {
                std::swap(order_[static_cast<std::size_t>(drawn++)], order_[static_cast<std::size_t>(place)]);
                continue;
            }
            place += found;
            last_ = order_[static_cast<std::size_t>(place)];
            const auto [low, high] = gather(features_[last_], rows, size);
            if (high <= low + kConstant) {
                std::swap(order_[static_cast<std::size_t>(place)], order_[static_cast<std::size_t>(known + found++)]);
                continue;
            }
            std::swap(order_[static_cast<std::size_t>(--left)], order_[static_cast<std::size_t>(place)]);
            double threshold = random.real(static_cast<double>(low), static_cast<double>(high));
            if (threshold == static_cast<double>(high)) threshold = static_cast<double>(low);
            const Whole below = sums_.divide(values_.data(), rows, size, bound_of(threshold));
            if (below == 0 || below == size) continue;
            const double merit = sums_.merit(rows, size, below);
            if (merit > least) {
                least = merit;
                sums_.note();
                best = {last_, threshold, below};
            }
        }
        std::copy_n(constant_.begin(), known, order_.begin());
        std::copy_n(order_.begin() + known, found, constant_.begin() + known);
        node.constants = known + found;
        return best;
    }

    /// Values of the node's rows in a column, with their minimum and maximum, in eight lanes.
    std::pair<float, float> gather(Whole column, const std::int32_t* rows, Whole size) {
        const float* of_column = columns_[column].data();
        float* values = values_.data();
        for (Whole place = 0; place < size; ++place) values[place] = of_column[rows[place]];
        float low[kLanes], high[kLanes];
        std::fill_n(low, kLanes, values[0]);
        std::fill_n(high, kLanes, values[0]);
        Whole first = 0;
        for (; first + kLanes <= size; first += kLanes) {
            for (int lane = 0; lane < kLanes; ++lane) {
                low[lane] = std::min(low[lane], values[first + lane]);
                high[lane] = std::max(high[lane], values[first + lane]);
            }
        }
        for (; first < size; ++first) {
            low[0] = std::min(low[0], values[first]);
            high[0] = std::max(high[0], values[first]);
        }
        return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes)};
    }

    View<const float, 2> columns_, test_;
    Sums sums_;
    View<const std::int32_t, 1> features_;
    Whole most_ = 0, last_ = -1;  // the column considered last
    std::vector<std::int32_t> rows_, tests_;
    std::vector<float> values_;
    std::vector<std::int32_t> order_, constant_;
    std::vector<Node> open_;
};

/// (q, n) values in single precision; larger ones become its maximum.
std::vector<float> in_single(Columns columns) {
    static constexpr double most = std::numeric_limits<float>::max();
    std::vector<float> single(static_cast<std::size_t>(columns.count()));
    std::transform(columns.data(), columns.data() + columns.count(), single.begin(),
                   [](double value) { return static_cast<float>(std::clamp(value, -most, most)); });
    return single;
}

/// (classes,) weights that are equal for all classes present.
std::vector<double> balancing(Integers target, Whole classes) {
    std::vector<double> weights(static_cast<std::size_t>(classes), 0.0);
    for (const Whole code : target) weights[static_cast<std::size_t>(code)] += 1.0;
    const auto seen = static_cast<double>(std::count_if(weights.begin(), weights.end(), [](double rows) { return rows > 0.0; }));
    for (double& weight : weights) weight = weight > 0.0 ? static_cast<double>(target.size()) / (seen * weight) : 0.0;
    return weights;
}

constexpr Whole kKept = 1 << 20;  // predictions of trees before they are summed

/// Grow a forest on each list of columns; trees are summed in order, whichever thread grew them.
template <class Sums>
void grow_all(Columns train, Columns test, const Lists<std::int32_t>& subsets, const ForestOptions& options, const Sums& sums,
              View<double, 3> said, const Effort& effort) {
    const auto single = in_single(train), single_test = in_single(test);
    using Table = View<const float, 2>;
    const Tree<Sums> first(Table(single.data(), train.shape()), Table(single_test.data(), test.shape()), sums);
    std::vector<Tree<Sums>> workers(static_cast<std::size_t>(effort.threads), first);
    const Whole trees = options.states.size(), numbers = test.extent(1) * first.width();
    const Whole together = std::min(trees, std::max<Whole>(effort.threads, kKept / std::max<Whole>(1, numbers)));
    std::vector<double> kept(static_cast<std::size_t>(together * numbers));
    for (Whole subset = 0; subset < subsets.size(); ++subset) {
        double* total = said[subset].data();
        std::fill_n(total, numbers, 0.0);
        for (Whole start = 0; start < trees; start += together) {
            const Whole many = std::min(together, trees - start);
            share(many, effort, [&](Whole tree, int worker) {
                workers[static_cast<std::size_t>(worker)].grow(subsets[subset], options.states[start + tree], options.most[subset],
                                                               {}, kept.data() + tree * numbers, effort.watch);
            });
            for (Whole tree = 0; tree < many; ++tree) {
                const double* own = kept.data() + tree * numbers;
                for (Whole place = 0; place < numbers; ++place) total[place] += own[place];
            }
        }
        for (Whole place = 0; place < numbers; ++place) total[place] /= static_cast<double>(trees);
    }
}

}  // namespace

/// Fill in (trees, q) importances, those of a tree from its state; a node considers `most` columns.
///
/// columns: (q, n) finite values; target: (n,) codes below classes.
void forest_importances(View<const float, 2> columns, Integers target, Whole classes, View<const std::uint32_t, 1> states,
                        Whole most, View<double, 2> importances, const Effort& effort) {
    std::vector<std::int32_t> features(static_cast<std::size_t>(columns.size()));
    std::iota(features.begin(), features.end(), std::int32_t{0});
    const View<const float, 2> nothing(nullptr, {columns.size(), 0});
    std::vector<Tree<Counts>> workers(static_cast<std::size_t>(effort.threads), Tree(columns, nothing, Counts(target, classes)));
    share(states.size(), effort, [&](Whole tree, int worker) {
        workers[static_cast<std::size_t>(worker)].grow(view(features), states[tree], most, importances[tree], nullptr, effort.watch);
    });
}

/// Fill in (m, t, classes) mean class proportions in the leaves reached by tested rows, or (m, t, 1) mean numbers.
///
/// train: (q, n), test: (q, t) finite values; each subset has a column; target: (n,) codes below classes, empty if
/// there is a response (n,).
void forest_fits(Columns train, Columns test, Integers target, const Lists<std::int32_t>& subsets, const ForestOptions& options,
                 View<double, 3> said, const Effort& effort) {
    if (options.response.size() > 0) {
        grow_all(train, test, subsets, options, Ordered(Numbers(options.response)), said, effort);
    } else if (options.balanced) {
        Ordered sums(Weighted(target, balancing(target, options.classes)));
        grow_all(train, test, subsets, options, sums, said, effort);
    } else {
        grow_all(train, test, subsets, options, Counts(target, options.classes), said, effort);
    }
}

}  // namespace fsdesk::FSDESK_LEVEL
