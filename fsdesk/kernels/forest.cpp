// Importance of columns in extremely randomised trees (P. Geurts, D. Ernst and L. Wehenkel, Machine Learning 63, 2006).
//
// A node draws columns without replacement until it has as many that vary within it as it is to look at. Each is cut at
// random between its least and its greatest value; the cut of the least impurity
//   n_left G(left) + n_right G(right),  G = 1 - sum over classes (n_c / n)^2
// splits the node, and a node that is pure or does not vary is a leaf. A column's importance in a tree is the sum, over the
// nodes that it splits, of n G(node) - n_left G(left) - n_right G(right), over the number of rows.
//
// Random numbers are drawn, and sums are added, in the order that scikit-learn's ExtraTreesClassifier has, so that the trees
// and importances are its own to the last bit: a xorshift generator for each tree (G. Marsaglia, Xorshift RNGs, Journal of
// Statistical Software 8, 2003), columns known to be constant above a node left aside in it, left branches before right ones.
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr int kLanes = 8;
constexpr float kConstant = 1e-7F;  // values no further apart are one value
constexpr double kPure = std::numeric_limits<double>::epsilon();

/// Whole numbers below 2^31, as a state of 32 bits gives them.
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

/// Rows by class.
struct Counts {
    std::vector<double> of;
    double all = 0.0;

    double impurity() const {
        double squares = 0.0;
        for (const double own : of) squares += own * own;
        return 1.0 - squares / (all * all);
    }
};

struct Node {
    Whole first, end, constants;  // its rows, and how many columns are known to be constant in it
    double impurity;
};

struct Cut {
    Whole column = -1;
    double threshold = 0.0, left = 0.0, right = 0.0;  // impurities
    Whole rows = 0;                                   // to the left
};

/// One thread's memory for one tree after another.
class Tree {
  public:
    Tree(View<const float, 2> columns, Integers target, Whole classes, Whole most)
        : columns_(columns), target_(target), most_(most), rows_(static_cast<std::size_t>(target.size())), values_(rows_.size()),
          codes_(rows_.size()), order_(static_cast<std::size_t>(columns.size())), constant_(order_.size()),
          to_left_(static_cast<std::size_t>(classes)), turns_(4 * to_left_.size()) {
        for (Counts* counts : {&node_, &left_, &right_}) counts->of.resize(static_cast<std::size_t>(classes));
    }

    /// Grow a tree and fill in (q,) importances.
    void grow(std::uint32_t state, View<double, 1> importances, Watch& watch) {
        Random random(state);
        std::iota(rows_.begin(), rows_.end(), std::int32_t{0});
        std::iota(order_.begin(), order_.end(), std::int32_t{0});
        std::fill(importances.begin(), importances.end(), 0.0);
        const auto n = static_cast<Whole>(rows_.size());
        count(0, n);
        open_.assign(1, {0, n, 0, node_.impurity()});
        while (!open_.empty()) {
            watch.check();
            Node node = open_.back();
            open_.pop_back();
            const Whole size = node.end - node.first;
            if (size < 2 || node.impurity <= kPure) continue;
            count(node.first, node.end);
            const Cut cut = best(node, random);
            if (cut.column < 0) continue;
            const double above = static_cast<double>(size), below = static_cast<double>(cut.rows);
            const double gain = node.impurity - (above - below) / above * cut.right - below / above * cut.left;
            if (above / static_cast<double>(n) * gain + kPure < 0.0) continue;
            importances[cut.column] += above * node.impurity - below * cut.left - (above - below) * cut.right;
            const auto values = columns_[cut.column];
            const auto is_left = [&](std::int32_t row) { return static_cast<double>(values[row]) <= cut.threshold; };
            const auto middle = std::partition(rows_.begin() + node.first, rows_.begin() + node.end, is_left);
            const Whole place = middle - rows_.begin();
            open_.push_back({place, node.end, node.constants, cut.right});
            open_.push_back({node.first, place, node.constants, cut.left});
        }
        for (double& importance : importances) importance /= static_cast<double>(n);
    }

  private:
    void count(Whole first, Whole end) {
        std::fill(node_.of.begin(), node_.of.end(), 0.0);
        for (Whole place = first; place < end; ++place) {
            const Whole code = target_[rows_[place]];
            codes_[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(code);
            node_.of[static_cast<std::size_t>(code)] += 1.0;
        }
        node_.all = static_cast<double>(end - first);
    }

    /// The best of the cuts drawn; none where no column varies. Notes which columns were found to be constant.
    ///
    /// order_ holds, from the front, known constant columns that were drawn, those that were not, those found to be
    /// constant, those not drawn yet, and those looked at.
    Cut best(Node& node, Random& random) {
        const Whole known = node.constants;
        Whole left = columns_.size(), found = 0, drawn = 0, visited = 0;
        double least = -std::numeric_limits<double>::infinity();
        Cut best;
        while (left > known + found && (visited < most_ || visited <= found + drawn)) {
            ++visited;
            Whole place = random.whole(drawn, left - found);
            if (place < known) {
                std::swap(order_[drawn++], order_[place]);
                continue;
            }
            place += found;
            const Whole column = order_[place];
            const auto [low, high] = gather(column, node);
            if (high <= low + kConstant) {
                std::swap(order_[place], order_[known + found++]);
                continue;
            }
            std::swap(order_[--left], order_[place]);
            double threshold = random.real(static_cast<double>(low), static_cast<double>(high));
            if (threshold == static_cast<double>(high)) threshold = static_cast<double>(low);
            const Whole rows = divide(node, threshold);
            if (rows == 0 || rows == node.end - node.first) continue;
            const double to_left = left_.impurity(), to_right = right_.impurity();
            const double merit = -right_.all * to_right - left_.all * to_left;
            if (merit > least) {
                least = merit;
                best = {column, threshold, to_left, to_right, rows};
            }
        }
        std::copy_n(constant_.begin(), known, order_.begin());
        std::copy_n(order_.begin() + known, found, constant_.begin() + known);
        node.constants = known + found;
        return best;
    }

    /// Values of the node's rows in a column, and the least and the greatest of them, in eight lanes.
    std::pair<float, float> gather(Whole column, const Node& node) {
        const float* of_column = columns_[column].data();
        const std::int32_t* rows = rows_.data() + node.first;
        float* values = values_.data() + node.first;
        const Whole size = node.end - node.first;
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

    /// Count rows by class to both sides of a threshold; return how many are to the left.
    Whole divide(const Node& node, double threshold) {
        // The same for values in single precision as the greatest of these that is not above it.
        auto bound = static_cast<float>(threshold);
        if (static_cast<double>(bound) > threshold) bound = std::nextafter(bound, -std::numeric_limits<float>::infinity());
        const Whole size = node.end - node.first;
        const float* values = values_.data() + node.first;
        const std::int32_t* codes = codes_.data() + node.first;
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
            // In turn into four counts of each class, none of which waits for the one before.
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
        for (std::size_t code = 0; code < to_left_.size(); ++code) {
            left_.of[code] = static_cast<double>(to_left_[code]);
            right_.of[code] = node_.of[code] - left_.of[code];
        }
        left_.all = static_cast<double>(rows);
        right_.all = node_.all - left_.all;
        return rows;
    }

    View<const float, 2> columns_;
    Integers target_;
    Whole most_;
    std::vector<std::int32_t> rows_;
    std::vector<float> values_;
    std::vector<std::int32_t> codes_, order_, constant_, to_left_, turns_;
    Counts node_, left_, right_;
    std::vector<Node> open_;
};

}  // namespace

/// Fill in (trees, q) importances, those of a tree from its state; a node looks at `most` columns.
///
/// columns: (q, n) finite values; target: (n,) codes below classes.
void forest_importances(View<const float, 2> columns, Integers target, Whole classes, View<const std::uint32_t, 1> states,
                        Whole most, View<double, 2> importances, const Effort& effort) {
    std::vector<Tree> workers(static_cast<std::size_t>(effort.threads), Tree(columns, target, classes, most));
    share(states.size(), effort, [&](Whole tree, int worker) {
        workers[static_cast<std::size_t>(worker)].grow(states[tree], importances[tree], effort.watch);
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
