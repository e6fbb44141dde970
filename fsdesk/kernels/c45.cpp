// C4.5 decision trees: Quinlan's release 8 (C4.5: Programs for Machine Learning, 1993), identical to Weka's J48.
//
// A node splits by the feature with the best gain ratio among those of at least average gain. With N the weight of its
// rows, N(c) that of class c, x' = x log2 x, and a split that sends the weights N_b down its branches:
//
//   gain N  = sum_b [ sum_c N_b(c)' - N_b' ] - [ sum_c N(c)' - N' ]        (over rows whose value is known)
//   split   = N' - sum_b N_b'                                              (rows of unknown value form another branch)
//   ratio   = gain N / split
//
// Numeric features have two branches, at one of all cuts; their gain is reduced by log2(cuts) / N. Nominal ones have a
// branch for each category. Rows of unknown value go down all branches with fractional weights. A tree is pruned by
// pessimistic errors as it grows, depth first: a node as soon as everything below it is done; its largest branch may
// replace it. J48 treats numbers as different if they differ by at least 1e-6, and takes the first of equals: this code
// does the same, whatever the order of its sums.
//
// What makes it fast: every column is sorted once for all masks and folds, and an entry is a single number containing
// the rank of the value, the class and the row; sorted rows are sent down the branches and never sorted again; if all
// rows have weight 1, x log2 x is looked up as an integer, so that the search for the best cut needs only additions and
// comparisons; the rows of a value shared by at least half of them are not listed (zeros of sparse columns); and a node
// that cannot save any error becomes a leaf immediately.
//
//   raw      (p, n) values, or codes 0, 1, ... of nominal features; NaN if missing
//   entries  (p, n) rank << rank_shift | class << class_shift | row, ascending; the rank of a missing value is n
#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "c45_cuts.hpp"
#include "exponential.hpp"
#include "lanes.hpp"
#include "logarithm.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

using namespace c45;

constexpr double kNearAverage = 1e-3;     // a gain may be this far below the average: J48's choice to be close to C4.5
constexpr double kLargestLeast = 25.0;    // minimum number of rows on each side of a numeric cut
constexpr double kLeastShare = 0.1;       // 10 % of a class, at most 25
constexpr double kManyLevels = 0.3;       // a feature with a category for every third row does not count in the average
constexpr double kNothingGained = 1e-3;   // a split that saves fewer training errors is undone before pruning
constexpr double kTolerated = 0.1;        // a simpler tree may have this much higher estimated error
constexpr Whole kAhead = 32;              // rows that pruning sends down together; for most branches this soon proves pointless
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Pessimistic errors

double normal_excess(double total, double errors, double z) {
    if (errors + 0.5 >= total) return std::max(total - errors, 0.0);
    const double f = (errors + 0.5) / total;
    const double spread = z * std::sqrt(f / total - f * f / total + z * z / (4.0 * total * total));
    return total * (f + z * z / (2.0 * total) + spread) / (1.0 + z * z / total) - errors;
}

/// Weight of the rows that are not of the most frequent class.
double wrong(const double* counts, Whole classes) {
    double total = 0.0, most = 0.0;
    for (Whole each = 0; each < classes; ++each) {
        total += counts[each];
        most = std::max(most, counts[each]);
    }
    return total - most;
}

/// Expected errors of a leaf: the upper confidence limit of a binomial (Quinlan 1993, section 4.2). It is interpolated
/// between 0 and 1 observed errors; from 1 on it is the normal approximation with continuity correction.
double leaf_errors(const double* counts, Whole classes, const C45Rules& rules) {
    const double total = sum_of(counts, classes);
    if (is_same(total, 0.0)) return 0.0;
    const double errors = wrong(counts, classes);
    if (errors >= 1.0) return errors + normal_excess(total, errors, rules.quantile);
    const double none = total * (1.0 - exponential(natural_log(rules.confidence) / total));
    if (errors == 0.0) return none;
    return errors + none + errors * (normal_excess(total, 1.0, rules.quantile) - none);
}

// Trees

enum class Task : std::uint8_t { split, finish, divide_again, finish_again };

/// Nodes by number, 0 for the root; the branches of a node are adjacent.
struct Node {
    Whole feature = -1;        // -1 at leaves
    double threshold = 0.0;    // for a numeric feature: rows with values up to this take the first branch
    Whole first = 0, branches = 0;
    double size = 0.0;         // weight of the training rows; a leaf without any predicts as its parent
    double training = 0.0;     // misclassified training rows below it before pruning
    double estimate = 0.0;     // the pessimistic errors after it
    double weight = 0.0, most = 0.0;  // for a leaf that receives more rows by pruning: of its rows, of its largest class
    Whole start = 0, end = 0;  // its rows in the arena
    Whole free = 0;            // where the arena was free before the node was split
    Whole listed = 0;          // where its rows begin in the sorted lists: a stack, with branches in their node's place
    Whole alive = 0, nominal = 0;  // number of features that may vary among its rows
    Whole below = -1;          // the next node on the stack of unfinished ones
    Task task = Task::split;
    bool misses = false;       // whether rows below have missing values in split features
};

constexpr Whole kTouched = -2;  // Node::below of a leaf that received more rows

struct Tree {
    std::vector<Node> nodes;
    std::vector<double> counts;  // (nodes, classes) weight of training rows at a node
    Whole classes;

    explicit Tree(Whole kinds) : classes(kinds) { make_room(64); }

    Node& operator[](Whole node) { return nodes[static_cast<std::size_t>(node)]; }
    const Node& operator[](Whole node) const { return nodes[static_cast<std::size_t>(node)]; }
    double* counts_of(Whole node) { return counts.data() + node * classes; }

    void make_room(Whole many) {
        if (many <= static_cast<Whole>(nodes.size())) return;
        nodes.resize(static_cast<std::size_t>(2 * many));
        counts.resize(nodes.size() * static_cast<std::size_t>(classes));
    }
};

/// Findings about each feature of a node while growing.
struct Found {
    double part = 0.0;   // weight of the rows below the cut; for categories, their part of the split's entropy
    double known = 0.0;  // weight of the rows that have a value
    Whole cut = 0;       // how many of a node's rows are below it
};

struct Freed {
    void operator()(void* memory) const { std::free(memory); }
};

/// Grows trees one after another and predicts with them; its memory is reused.
template <class Entry>
class Grower {
  public:
    Grower(const C45Table& table, const C45Rules& rules, Watch& watch)
        : table_(table), rules_(rules), watch_(watch), n_(table.target.size()), classes_(table.classes),
          reach_(table.gap / 10), shifts_{table.class_shift, table.rank_shift}, tree_(classes_),
          gains_(n_, classes_), own_gains_(n_, classes_), sides_(classes_) {
        const auto rows = static_cast<std::size_t>(n_), kinds = static_cast<std::size_t>(classes_);
        Whole branches = 2;
        for (const Whole levels : table.levels) branches = std::max(branches, levels);
        is_training_.resize(rows);
        rows_.resize(rows);
        arena_row_.resize(rows);
        arena_weight_.resize(rows);
        source_row_.resize(rows);
        source_weight_.resize(rows);
        way_.resize(rows);
        spare_.resize(rows + kBlock);
        scores_.resize(rows + 1 + kBlock);
        more_scores_.resize(scores_.size());
        here_.resize(kinds);
        there_.resize(kinds);
        right_.resize(kinds);
        tally_.resize(kinds);
        shares_.resize(kinds);
        edges_.resize(static_cast<std::size_t>(branches + 1));
        spot_.resize(edges_.size());
        share_.resize(edges_.size());
    }

    /// The features that trees may use, ascending, at least one; and the size of the largest training set to come.
    void choose(View<const std::int32_t, 1> chosen, Whole longest) {
        chosen_ = chosen;
        numeric_.clear();
        nominal_.clear();
        Whole most = 0;
        bool is_least = true;  // thresholds of crowded features move, and with many categories two must have enough rows
        bool has_gaps = false;
        for (Whole index = 0; index < chosen.size(); ++index) {
            const Whole levels = table_.levels[chosen[index]];
            (levels > 0 ? nominal_ : numeric_).push_back(index);
            most = std::max(most, levels);
            has_gaps |= !is_complete(chosen[index]);
            is_least &= table_.crowded[static_cast<std::size_t>(chosen[index])] == 0 && levels <= 2;
        }
        least_ = is_least ? rules_.min_rows : 0.0;
        const auto q = static_cast<std::size_t>(chosen.size());
        gain_.resize(q);
        found_.resize(q);
        counted_.resize(q);
        features_.resize(q);
        categories_.resize(static_cast<std::size_t>(std::max<Whole>(1, most) * classes_));
        stride_ = 0;  // nothing is kept
        reserve_lists(has_gaps ? longest + longest / 4 + 1 : longest);  // rows then go down several branches
    }

    /// Grow and prune a tree from rows, ascending, at least one, with weights above 0.
    void grow(const std::int32_t* rows, const double* weights, Whole many) {
        prepare(rows, weights, many);
        Whole nodes = 1, free = many, top = -1;
        count(0);
        if (is_open(0)) top = 0;
        while (top >= 0) {
            const Whole node = top;
            top = tree_[node].below;
            tree_[node].below = -1;
            const Task task = tree_[node].task;
            pace(tree_[node].end - tree_[node].start);
            if (task == Task::split && !split(node)) continue;
            if (task == Task::split || task == Task::divide_again) {
                tree_[node].below = top;
                top = branch_out(node, nodes, free);
                continue;
            }
            const bool is_raised = finish(node, free);
            free = tree_[node].free;
            if (is_raised) {
                tree_[node].below = top;
                top = node;
            } else if (task == Task::finish && tree_[node].feature < 0) {
                nodes = tree_[node].first;
            }
        }
        settle();
    }

    /// Fill in the tree's predictions for some rows: (n,) classes and (n, classes) proportions, unless null.
    void ask(const std::int32_t* tested, Whole many, Whole* predicted, double* scores) {
        std::copy_n(tested, many, rows_.begin());
        find_leaves(0, rows_.data(), many);
        const auto share_out = [&](Whole row, bool is_smoothed, double* shares) {
            if (way_[row] >= 0) {
                shares_at(way_[row], is_smoothed, shares);
            } else {
                shares_of(row, is_smoothed, shares);
            }
        };
        for (Whole index = 0; index < many; ++index) {
            const Whole row = tested[index];
            if (predicted != nullptr) {
                share_out(row, false, shares_.data());
                Whole best = 0;  // the first of equals
                for (Whole each = 1; each < classes_; ++each) {
                    if (shares_[each] - shares_[best] > kSmall) best = each;
                }
                predicted[row] = best;
            }
            if (scores != nullptr) share_out(row, rules_.smoothed, scores + row * classes_);
            pace(classes_);
        }
    }

    const Tree& tree() const { return tree_; }

  private:
    /// Check for a stop after this many rows.
    void pace(Whole rows) {
        since_ += rows + 16;
        if (since_ < 1 << 14) return;
        since_ = 0;
        watch_.check();
    }

    Entry* list(Whole index) { return lists_.get() + index * stride_; }

    /// Room for this many rows of each feature; the content is kept in place, because it may be most of a fit's memory.
    void reserve_lists(Whole length) {
        const Whole stride = length + kBlock, q = chosen_.size(), size = q * stride + 2 * kBlock;
        if (size > room_) {
            void* longer = std::realloc(lists_.get(), static_cast<std::size_t>(size) * sizeof(Entry));
            if (longer == nullptr) throw std::bad_alloc();
            static_cast<void>(lists_.release());
            lists_.reset(static_cast<Entry*>(longer));
            room_ = size;
        }
        for (Whole index = q - 1; index > 0 && stride > stride_; --index) {
            std::memmove(lists_.get() + index * stride, list(index), static_cast<std::size_t>(stride_) * sizeof(Entry));
        }
        stride_ = stride;
    }

    const double* raw(Whole column) const { return table_.raw.data() + column * n_; }
    const Entry* entries(Whole column) const { return table_.template entries<Entry>() + column * n_; }
    const C45Table::Common& common(Whole column) const { return table_.common[static_cast<std::size_t>(column)]; }
    bool is_crowded(Whole column) const { return table_.crowded[static_cast<std::size_t>(column)] != 0; }
    bool is_chained(Whole column) const { return table_.chained[static_cast<std::size_t>(column)] != 0; }
    bool is_complete(Whole column) const { return table_.known[static_cast<std::size_t>(column)] == n_; }

    // Lists without the rows of a common value

    /// Number of a node's rows with a value other than the common one, whose rank is given.
    Whole others(const Entry* own, Whole many, Whole rank) const {
        const Entry last = own[many - 1];
        return static_cast<Whole>(last >> shifts_.of_rank) == rank ? static_cast<Whole>(last) & shifts_.row_bits() : many;
    }

    /// Record how many of a node's rows have another value, if not all: in the last place of the node's list, with the
    /// common value's rank, which no listed row has.
    void mark(Entry* own, Whole many, Whole count, Whole rank) const {
        if (count == many) return;
        own[many - 1] = static_cast<Entry>(static_cast<Entry>(rank) << shifts_.of_rank | static_cast<Entry>(count));
    }

    // Growing

    /// Start from a root with all training rows, also sorted by each feature.
    void prepare(const std::int32_t* rows, const double* weights, Whole many) {
        std::fill(is_training_.begin(), is_training_.end(), std::uint8_t{0});
        for (Whole index = 0; index < many; ++index) is_training_[rows[index]] = 1;
        std::copy_n(rows, many, arena_row_.begin());
        std::copy_n(weights, many, arena_weight_.begin());
        bool is_any = false;
        for (Whole index = 0; index < chosen_.size(); ++index) {
            const Whole levels = table_.levels[chosen_[index]];
            counted_[index] = levels == 0 || kManyLevels * static_cast<double>(many) - static_cast<double>(levels) > kSmall;
            is_any |= counted_[index] != 0;
        }
        if (!is_any) std::fill(counted_.begin(), counted_.end(), std::uint8_t{1});
        Node root;
        root.end = many;
        root.alive = static_cast<Whole>(numeric_.size());
        root.nominal = static_cast<Whole>(nominal_.size());
        tree_[0] = root;
        for (Whole index = 0; index < chosen_.size(); ++index) {
            const Whole column = chosen_[index];
            const C45Table::Common& own = common(column);
            if (table_.levels[column] > 0 && own.rank < 0) continue;
            Whole count = take_training(entries(column), own.begin, list(index));
            count += take_training(entries(column) + own.end, n_ - own.end, list(index) + count);
            mark(list(index), many, count, own.rank);
            pace(n_);
        }
    }

    /// Fill in the training rows among some sorted rows, and return their number. There is room for kBlock more.
    [[gnu::noinline]] Whole take_training(const Entry* source, Whole many, Entry* taken) const {
        const std::uint8_t* is_training = is_training_.data();
        const auto row_bits = static_cast<Entry>(shifts_.row_bits());
        Whole count = 0;
        for (Whole place = 0; place < many; ++place) {
            const Entry entry = source[place];
            taken[count] = entry;
            count += is_training[entry & row_bits];
        }
        return count;
    }

    /// Count the rows of a node by class.
    void count(Whole node) {
        double* counts = tree_.counts_of(node);
        std::fill_n(counts, classes_, 0.0);
        for (Whole index = tree_[node].start; index < tree_[node].end; ++index) {
            counts[table_.target[arena_row_[index]]] += arena_weight_[index];
        }
    }

    /// Whether a node with counted rows may have branches; else it is settled as a leaf.
    ///
    /// If all leaves have at least `least_` rows, errors of a node decrease only in a leaf in which another class
    /// outnumbers the node's: r rows of other classes save at most 2 r - least. Splits that save nothing would be
    /// undone.
    bool is_open(Whole number) {
        Node& node = tree_[number];
        const double* counts = tree_.counts_of(number);
        double size = 0.0, most = 0.0;
        for (Whole each = 0; each < classes_; ++each) {
            size += counts[each];
            most = std::max(most, counts[each]);
        }
        node.size = size;
        if (node.task == Task::split) {
            node.feature = -1;
            node.training = size - most;
            const double saved = 2 * (size - most) - least_;
            const bool is_large = !is_smaller(size, 2 * rules_.min_rows);
            if (is_large && !is_same(size, most) && saved > kNothingGained / 2) return true;
        } else if (node.feature >= 0) {
            return true;
        }
        node.estimate = leaf_errors(counts, classes_, rules_);
        node.misses = false;
        return false;
    }

    /// Choose the split of a node; return whether there is one, else it is settled as a leaf.
    bool split(Whole number) {
        Node& node = tree_[number];
        bool is_unit = true;
        for (Whole index = node.start; index < node.end; ++index) is_unit &= arena_weight_[index] == 1.0;
        choose_split(node, tree_.counts_of(number), is_unit);
        if (node.feature < 0) {
            node.estimate = leaf_errors(tree_.counts_of(number), classes_, rules_);
            node.misses = false;
        } else if (table_.levels[node.feature] == 0 && is_crowded(node.feature)) {
            node.threshold = settled_threshold(node.feature, node.threshold);
        }
        return node.feature >= 0;
    }

    /// Split the rows of a node and push its branches on the stack; return the top of the stack.
    Whole branch_out(Whole number, Whole& nodes, Whole& free) {
        const bool is_new = tree_[number].task == Task::split;
        if (is_new) {
            const Whole levels = table_.levels[tree_[number].feature];
            tree_[number].first = nodes;
            tree_[number].branches = levels > 0 ? levels : 2;
            nodes += tree_[number].branches;
            tree_.make_room(nodes);
        }
        Node& node = tree_[number];
        const Whole rows = node.end - node.start;
        node.free = free;
        const bool is_parted = is_new && cut_at_ > 0;
        Whole now_free = free;
        if (is_parted) {
            part(node, number, list(winner_) + node.listed, cut_at_);
        } else {
            now_free = divide(node, node.start, node.end, free);
        }
        const Whole reached = node.listed + edges_[static_cast<std::size_t>(node.branches)] - edges_[0];
        if (is_new && reached > stride_ - kBlock) reserve_lists(reached + reached / 4);
        node.task = is_new ? Task::finish : Task::finish_again;
        node.misses = now_free > free;
        Whole top = number;
        std::uint64_t open_branches = 0;
        for (Whole each = 0; each < node.branches; ++each) {
            const Whole branch = node.first + each;
            Node& own = tree_[branch];
            own.start = edges_[static_cast<std::size_t>(each)];
            own.end = edges_[static_cast<std::size_t>(each + 1)];
            own.listed = node.listed + own.start - edges_[0];
            own.task = is_new ? Task::split : Task::divide_again;
            own.alive = node.alive;
            own.nominal = node.nominal;
            if (!is_parted) count(branch);
            if (is_open(branch)) {
                own.below = top;
                top = branch;
                open_branches |= std::uint64_t{1} << (each & 63);
            }
        }
        if (is_new && top != number) send_down(node, rows, now_free == free, open_branches);
        free = now_free;
        return top;
    }

    /// Prune at a node whose branches are done; return whether a branch replaced the node.
    bool finish(Whole number, Whole free) {
        Node& node = tree_[number];
        double training = 0.0, pessimistic = 0.0;
        for (Whole branch = node.first; branch < node.first + node.branches; ++branch) {
            training += tree_[branch].training;
            pessimistic += tree_[branch].estimate;
            node.misses |= tree_[branch].misses;
        }
        node.estimate = pessimistic;
        const double as_leaf = leaf_errors(tree_.counts_of(number), classes_, rules_);
        const auto make_leaf = [&] {
            node.feature = -1;
            node.estimate = as_leaf;
            node.misses = false;
        };
        if (node.task == Task::finish) {
            node.training = training;
            if (training >= wrong(tree_.counts_of(number), classes_) - kNothingGained) {
                make_leaf();
                return false;
            }
        }
        if (!rules_.pruned) return false;
        const Whole largest = largest_branch(node);
        double raised = kInfinity;
        if (rules_.raising) {
            // If it is not raised, it becomes a leaf if that has no more errors than the branches: only fewer errors
            // count then.
            double limit = pessimistic + kTolerated;
            limit = (as_leaf < limit + kSmall ? as_leaf - kTolerated : limit) + 2 * kSmall;
            raised = errors_if_raised(node, largest, limit, free);
        }
        if (as_leaf < pessimistic + kTolerated + kSmall && as_leaf < raised + kTolerated + kSmall) {
            make_leaf();
            return false;
        }
        if (raised >= pessimistic + kTolerated + kSmall) return false;
        const Node& own = tree_[largest];
        node.feature = own.feature;
        node.threshold = own.threshold;
        node.first = own.first;
        node.branches = own.branches;
        node.task = Task::divide_again;
        return true;
    }

    // Choosing a split

    /// The feature of the split, -1 for a leaf; the middle of the cut if numeric; and how many features vary.
    void choose_split(Node& node, const double* counts, bool is_unit) {
        const Whole many = node.end - node.start;
        const std::int32_t* rows = arena_row_.data() + node.start;
        const double total = sum_of(counts, classes_);
        std::fill(gain_.begin(), gain_.end(), -1.0);
        if (is_unit) {
            scan_unit_rows(node, many, counts);
        } else {
            weight_.resize(static_cast<std::size_t>(n_));
            for (Whole index = 0; index < many; ++index) weight_[rows[index]] = arena_weight_[node.start + index];
            scan_weighted_rows(node, many, counts);
        }
        scan_nominal(node, many, counts, total, is_unit);
        winner_ = best_ratio(total, is_unit);
        cut_at_ = -1;
        node.feature = winner_ < 0 ? -1 : chosen_[winner_];
        node.threshold = 0.0;
        if (winner_ < 0 || table_.levels[node.feature] > 0) return;
        const Found& best = found_[winner_];
        const Entry* own = list(winner_) + node.listed;
        const Whole count = others(own, many, common(node.feature).rank);
        node.threshold = middle(node.feature, own, many, count, best.cut);
        const bool is_listed = count == many && best.known == static_cast<double>(count);
        if (is_unit && is_listed && !is_crowded(node.feature) && std::isfinite(node.threshold)) cut_at_ = best.cut;
    }

    /// The midpoint between the values on both sides of a cut; `upper` is the position of the first row above it among
    /// all rows of the node. The lower value if rounding would reach the upper.
    double middle(Whole column, const Entry* own, Whole many, Whole count, Whole upper) const {
        const Whole first = common(column).rank < 0 ? -1 : common(column).rank << shifts_.of_rank;
        double lower = 0.0, higher = 0.0;
        for (const Whole place : {upper - 1, upper}) {
            auto entry = static_cast<Whole>(entries(column)[common(column).begin]);
            const Whole shifted = place - (many - count);
            if (place < count && static_cast<Whole>(own[place]) < first) entry = static_cast<Whole>(own[place]);
            if (shifted >= 0 && static_cast<Whole>(own[shifted]) >= first) entry = static_cast<Whole>(own[shifted]);
            lower = higher;
            higher = raw(column)[entry & shifts_.row_bits()];
        }
        double found = (lower + higher) / 2;
        if (!std::isfinite(found)) found = lower / 2 + higher / 2;
        return found == higher ? lower : found;
    }

    /// Index of the feature with the best gain ratio among those of at least average gain; -1 if none gains.
    Whole best_ratio(double total, bool is_unit) const {
        double average = 0.0;
        Whole useful = 0;
        const Whole q = chosen_.size();
        for (Whole index = 0; index < q; ++index) {
            const bool counts = (gain_[index] >= 0.0) & (counted_[index] != 0);
            average += counts ? gain_[index] : 0.0;
            useful += counts;
        }
        if (useful == 0) return -1;
        const double floor = average / static_cast<double>(useful) - kNearAverage, whole = plogp(total);
        Whole winner = -1;
        double best = 0.0;
        for (Whole index = 0; index < q; ++index) {
            const double gain = gain_[index];
            if (gain < 0.0 || gain < floor) continue;
            const Found& own = found_[index];
            double split = own.part;
            if (table_.levels[chosen_[index]] == 0) {
                const double rest = own.known - own.part;
                split = is_unit ? -log_of(own.part) - log_of(rest) : -plogp(own.part) - plogp(rest);
            }
            split += whole;
            if (own.known < total) split -= plogp(total - own.known);
            if (std::fabs(split) >= kSmall && gain * total / split > best + kSmall) {
                winner = index;
                best = gain * total / split;
            }
        }
        return winner;
    }

    /// x log2 x of an integer.
    double log_of(double count) const { return table_.logs[static_cast<std::size_t>(count)]; }

    /// Minimum number of rows on each side of a numeric cut.
    double fewest(double known) const {
        const double least = kLeastShare * known / static_cast<double>(classes_);
        return least - rules_.min_rows < kSmall ? rules_.min_rows : std::min(least, kLargestLeast);
    }

    Whole fewest_rows(Whole known) const {
        return static_cast<Whole>(std::ceil(fewest(static_cast<double>(known)) - kSmall));
    }

    /// Gain per row, minus the chance gain from choosing among this many cuts; -1 if nothing is left.
    double corrected(double gain, Whole cuts, double total) const {
        const double left = (gain - table_.logs[static_cast<std::size_t>(cuts)] / static_cast<double>(cuts)) / total;
        return left >= kSmall ? left : -1.0;
    }

    /// Whether all rows with a known value have the same one.
    bool is_constant(const Entry* own, Whole present) const {
        return present == 0 || own[0] >> shifts_.of_rank == own[present - 1] >> shifts_.of_rank;
    }

    /// Number of a node's rows with a known value.
    Whole present_rows(const Entry* own, Whole total) const {
        while (total > 0 && static_cast<Whole>(own[total - 1] >> shifts_.of_rank) == n_) --total;
        return total;
    }

    /// Entries in which neighbours with values no further apart than the gap have the same rank.
    const Entry* joined(const Entry* own, Whole many, Whole column) {
        joined_.resize(static_cast<std::size_t>(n_ + kBlock));
        const double* values = raw(column);
        const Entry below_rank = static_cast<Entry>((Entry{1} << shifts_.of_rank) - 1);
        Entry rank = 0;
        double last = values[static_cast<Whole>(own[0]) & shifts_.row_bits()];
        for (Whole each = 0; each < many; ++each) {
            const double value = values[static_cast<Whole>(own[each]) & shifts_.row_bits()];
            rank += last + table_.gap < value;
            joined_[each] = static_cast<Entry>((rank << shifts_.of_rank) | (own[each] & below_rank));
            last = value;
        }
        return joined_.data();
    }

    /// The best cut of each numeric feature.
    void scan_unit_rows(Node& node, Whole total, const double* counts) {
        const Whole score = gains_.fill(counts, classes_, table_.whole.data());
        const auto tolerance = static_cast<Whole>(kSmall * static_cast<double>(total) / table_.unit);
        const Whole low = fewest_rows(total);
        Whole each = 0, waiting = -1;
        while (each < node.alive) {
            const Whole index = numeric_[each], column = chosen_[index];
            const Entry* own = list(index) + node.listed;
            const Whole present = is_complete(column) ? total : present_rows(own, total);
            const Whole count = others(own, total, common(column).rank);
            if (count == 0 || (count == total && is_constant(own, present))) {
                std::swap(numeric_[each], numeric_[--node.alive]);
                continue;
            }
            ++each;
            if (present < total || is_chained(column)) {
                scan_alone(index, own, total, present, score, low, tolerance);
            } else if (total < 2 * low) {
                continue;
            } else if (count < total) {
                const UnitCut cut = best_unit_cut(own, count, total - count, common(column).rank, shifts_, gains_,
                                                  here_.data(), scores_.data(), score, low, tolerance);
                keep(cut, index, total, total, score);
            } else if (waiting < 0) {
                waiting = index;
            } else {
                const Entry* one = list(waiting) + node.listed;
                score_two(one, own, total - low, shifts_, score, gains_, here_.data(), there_.data(), scores_.data(),
                          more_scores_.data());
                keep_scored(waiting, one, scores_.data(), gains_, total, total, score, low, tolerance);
                keep_scored(index, own, more_scores_.data(), gains_, total, total, score, low, tolerance);
                waiting = -1;
            }
            pace(total);
        }
        if (waiting >= 0) scan_one(waiting, list(waiting) + node.listed, gains_, total, total, score, low, tolerance);
    }

    void scan_one(Whole index, const Entry* own, const Gains& gains, Whole total, Whole present, Whole score, Whole low,
                  Whole tolerance) {
        score_one(own, present - low, shifts_, score, gains, here_.data(), scores_.data());
        keep_scored(index, own, scores_.data(), gains, total, present, score, low, tolerance);
    }

    void keep_scored(Whole index, const Entry* own, Whole* scores, const Gains& gains, Whole total, Whole present,
                     Whole score, Whole low, Whole tolerance) {
        const Whole* sides = gains.sides.data();
        const Whole floor = score - sides[0] + tolerance;
        const UnitCut cut = best_scored_cut(own, present, scores, sides, shifts_.of_rank, low, floor, tolerance);
        keep(cut, index, total, present, score);
    }

    /// A column with missing values, or in which closeness of values depends on the others of a node.
    void scan_alone(Whole index, const Entry* own, Whole total, Whole present, Whole score, Whole low, Whole tolerance) {
        const Gains* gains = &gains_;
        if (present < total) {
            std::fill(right_.begin(), right_.end(), 0.0);
            for (Whole each = 0; each < present; ++each) right_[kind_of(own[each])] += 1.0;
            score = own_gains_.fill(right_.data(), classes_, table_.whole.data());
            gains = &own_gains_;
            low = fewest_rows(present);
        }
        if (present < 2 * low) return;
        const Whole column = chosen_[index];
        if (is_chained(column)) own = joined(own, present, column);
        scan_one(index, own, *gains, total, present, score, low, tolerance);
    }

    /// The class of an entry.
    std::size_t kind_of(Entry entry) const {
        return static_cast<std::size_t>((entry >> shifts_.of_class) & static_cast<Entry>(shifts_.kinds()));
    }

    /// The gain of a column's best cut.
    void keep(const UnitCut& cut, Whole index, Whole total, Whole present, Whole score) {
        if (cut.below <= 0) return;
        const Whole whole = cut.score - score + table_.whole[static_cast<std::size_t>(present)];
        const double gain = static_cast<double>(whole) * table_.unit;
        gain_[index] = corrected(gain, cut.cuts, static_cast<double>(total));
        found_[index] = {static_cast<double>(cut.below), static_cast<double>(present), cut.below};
    }

    /// The best cut of each numeric feature, with arbitrary row weights.
    void scan_weighted_rows(Node& node, Whole total, const double* counts) {
        const double size = sum_of(counts, classes_);
        double all_terms = 0.0;
        for (Whole each = 0; each < classes_; ++each) {
            right_[each] = plogp(counts[each]);
            all_terms += right_[each];
        }
        sides_.make_room(n_);
        Whole each = 0;
        while (each < node.alive) {
            const Whole index = numeric_[each], column = chosen_[index], rank = common(column).rank;
            const Entry* own = list(index) + node.listed;
            const Whole present = is_complete(column) ? total : present_rows(own, total);
            const Whole count = others(own, total, rank);
            if (count == 0 || (count == total && is_constant(own, present))) {
                std::swap(numeric_[each], numeric_[--node.alive]);
                continue;
            }
            ++each;
            double known = size, terms = all_terms, base = all_terms - plogp(size);
            const double *own_counts = counts, *own_terms = right_.data();
            if (present < total) {
                known_weights(own, present, known, terms);
                base = terms - plogp(known);
                own_counts = sides_.counts.data();
                own_terms = sides_.known_terms.data();
            }
            const double least = fewest(known);
            if (is_smaller(static_cast<double>(present), 2 * least)) continue;
            Whole many = present < total ? present : count;
            if (is_chained(column)) {
                own = joined(own, many, column);
                many = present;
            }
            const Cut cut = sides_.best(own, many, total - count, rank, shifts_, weight_.data(), known, least, base,
                                        kSmall * size, terms, own_counts, own_terms);
            if (cut.below > 0) {
                gain_[index] = corrected(cut.score - base, cut.cuts, size);
                found_[index] = {cut.weight, known, cut.below};
            }
            pace(total);
        }
    }

    /// Class weights of the rows with a known value, their sum, and the sum of x log2 x over them.
    void known_weights(const Entry* own, Whole present, double& known, double& terms) {
        double *counts = sides_.counts.data(), *logs = sides_.known_terms.data();
        std::fill_n(counts, classes_, 0.0);
        for (Whole each = 0; each < present; ++each) {
            counts[kind_of(own[each])] += weight_[static_cast<Whole>(own[each]) & shifts_.row_bits()];
        }
        known = terms = 0.0;
        for (Whole each = 0; each < classes_; ++each) {
            known += counts[each];
            logs[each] = plogp(counts[each]);
            terms += logs[each];
        }
    }

    /// The gain of a branch for each category of each nominal feature.
    void scan_nominal(Node& node, Whole many, const double* counts, double total, bool is_unit) {
        Whole each = 0;
        while (each < node.nominal) {
            const Whole index = nominal_[each], column = chosen_[index];
            std::fill_n(categories_.begin(), table_.levels[column] * classes_, 0.0);
            bool differs = true;
            if (common(column).rank < 0) {
                count_categories(node, column);
            } else {
                differs = count_others(list(index) + node.listed, many, column, is_unit, counts);
            }
            if (differs && gain_of_categories(index, column, is_unit, total)) {
                ++each;
            } else {
                std::swap(nominal_[each], nominal_[--node.nominal]);
            }
            pace(many);
        }
    }

    /// Weights of a node's rows by category and class.
    void count_categories(const Node& node, Whole column) {
        const double* values = raw(column);
        for (Whole index = node.start; index < node.end; ++index) {
            const Whole row = arena_row_[index];
            const double value = values[row];
            if (std::isnan(value)) continue;
            categories_[static_cast<Whole>(value) * classes_ + table_.target[row]] += arena_weight_[index];
        }
    }

    /// The same from the rows outside the common category; returns whether there are any.
    bool count_others(const Entry* own, Whole many, Whole column, bool is_unit, const double* counts) {
        const double* values = raw(column);
        const Whole row_bits = shifts_.row_bits(), count = others(own, many, common(column).rank);
        const Whole usual = static_cast<Whole>(entries(column)[common(column).begin]) & row_bits;
        double* rest = categories_.data() + static_cast<Whole>(values[usual]) * classes_;
        std::copy_n(counts, classes_, rest);
        for (Whole place = 0; place < count; ++place) {
            const Whole row = static_cast<Whole>(own[place]) & row_bits, kind = table_.target[row];
            const double weight = is_unit ? 1.0 : weight_[row];
            categories_[static_cast<Whole>(values[row]) * classes_ + kind] += weight;
            rest[kind] -= weight;
        }
        return count > 0;
    }

    /// Record the gain of the counted categories, if at least two have enough rows; return whether the rows differ.
    bool gain_of_categories(Whole index, Whole column, bool is_unit, double total) {
        double gain = 0.0, split = 0.0, known = 0.0;
        Whole filled = 0, enough = 0;
        std::vector<double>& before = tally_;
        std::fill(before.begin(), before.end(), 0.0);
        for (Whole branch = 0; branch < table_.levels[column]; ++branch) {
            const double* own = categories_.data() + branch * classes_;
            const double size = sum_of(own, classes_);
            filled += size > 0.0;
            enough += size - rules_.min_rows > -kSmall;
            split -= plogp(size);
            known += size;
            gain += terms(own, is_unit);
            for (Whole each = 0; each < classes_; ++each) before[each] += own[each];
        }
        if (enough >= 2) {
            gain += split + plogp(known) - terms(before.data(), is_unit);
            gain_[index] = gain * known / total >= kSmall ? gain / total : 0.0;
            found_[index] = {split, known, 0};
        }
        return filled > 1;
    }

    /// Sum of x log2 x, looked up if counts are integers.
    double terms(const double* counts, bool is_unit) const {
        double total = 0.0;
        for (Whole each = 0; each < classes_; ++each) {
            if (is_unit) {
                total += log_of(counts[each]);
            } else if (counts[each] >= kSmall) {  // most classes are in few categories
                total += plogp(counts[each]);
            }
        }
        return total;
    }

    // Ways of rows

    /// Branch of a row at a node; -1 if its value is missing.
    Whole branch_of(const Node& node, Whole row) const {
        const double value = raw(node.feature)[row];
        if (std::isnan(value)) return -1;
        if (table_.levels[node.feature] > 0) return static_cast<Whole>(value);
        return !(value <= node.threshold || value - node.threshold < reach_);
    }

    /// Fill in the leaves reached by rows from a node; -1 if a value is missing on the way.
    ///
    /// All rows go down together, level by level, without unpredictable branches: while one waits for its value, the
    /// others proceed. The order of the rows is lost.
    void find_leaves(Whole top, std::int32_t* rows, Whole many) {
        std::int32_t* way = way_.data();
        const Node* nodes = tree_.nodes.data();
        const double *values = table_.raw.data(), reach = reach_;
        const Whole *levels = table_.levels.data(), n = n_;
        for (Whole index = 0; index < many; ++index) way[rows[index]] = static_cast<std::int32_t>(top);
        Whole count = nodes[top].feature >= 0 ? many : 0;
        while (count > 0) {
            Whole kept = 0;
            for (Whole index = 0; index < count; ++index) {
                const std::int32_t row = rows[index];
                const Node& node = nodes[way[row]];
                const double value = values[node.feature * n + row];
                if (std::isnan(value)) {
                    way[row] = -1;
                    continue;
                }
                const Whole branch = levels[node.feature] > 0
                                         ? static_cast<Whole>(value)
                                         : static_cast<Whole>((value > node.threshold) & !(value - node.threshold < reach));
                const Whole below = node.first + branch;
                way[row] = static_cast<std::int32_t>(below);
                rows[kept] = row;
                kept += nodes[below].feature >= 0;
            }
            count = kept;
        }
    }

    /// Send a range of rows down the branches of a node, rows with unknown values down all of them with fractional
    /// weights; fill in ways, edges and shares, and return where the arena is free then: unchanged if no value is
    /// missing.
    Whole divide(const Node& node, Whole start, Whole end, Whole free) {
        if (table_.levels[node.feature] == 0 && is_complete(node.feature)) {
            cut_in_two(raw(node.feature), node.threshold, start, end);
            return free;
        }
        const Whole branches = node.branches, many = end - start;
        Whole missing = 0;
        double known = 0.0;
        std::fill_n(edges_.begin(), branches + 1, 0);
        std::fill_n(share_.begin(), branches, 0.0);
        for (Whole index = 0; index < many; ++index) {
            const std::int32_t row = source_row_[index] = arena_row_[start + index];
            const double weight = source_weight_[index] = arena_weight_[start + index];
            const Whole branch = branch_of(node, row);
            way_[row] = static_cast<std::int32_t>(branch);
            if (branch < 0) {
                ++missing;
            } else {
                ++edges_[branch + 1];
                share_[branch] += weight;
                known += weight;
            }
        }
        for (Whole branch = 0; branch < branches; ++branch) {
            share_[branch] = !is_same(known, 0.0) ? share_[branch] / known : 1.0 / static_cast<double>(branches);
            edges_[branch + 1] += share_[branch] > kSmall ? missing : 0;
        }
        edges_[0] = missing ? free : start;
        for (Whole branch = 0; branch < branches; ++branch) {
            edges_[branch + 1] += edges_[branch];
            spot_[branch] = edges_[branch];
        }
        if (edges_[branches] > static_cast<Whole>(arena_row_.size())) {
            arena_row_.resize(static_cast<std::size_t>(2 * edges_[branches]));
            arena_weight_.resize(arena_row_.size());
        }
        for (Whole index = 0; index < many; ++index) {
            const std::int32_t row = source_row_[index];
            const double weight = source_weight_[index];
            if (way_[row] >= 0) {
                const Whole place = spot_[way_[row]]++;
                arena_row_[place] = row;
                arena_weight_[place] = weight;
                continue;
            }
            for (Whole branch = 0; branch < branches; ++branch) {
                if (share_[branch] <= kSmall) continue;
                const Whole place = spot_[branch]++;
                arena_row_[place] = row;
                arena_weight_[place] = weight * share_[branch];
            }
        }
        return missing ? edges_[branches] : free;
    }

    /// The same by a column without missing values: without unpredictable branches.
    void cut_in_two(const double* values, double threshold, Whole start, Whole end) {
        std::int32_t *way = way_.data(), *rows = arena_row_.data(), *aside = source_row_.data();
        double *weights = arena_weight_.data(), *weights_aside = source_weight_.data();
        const double reach = reach_;
        Whole left = start, right = 0;
        for (Whole index = start; index < end; ++index) {
            const std::int32_t row = rows[index];
            const double weight = weights[index], value = values[row];
            const auto side = static_cast<std::int32_t>((value > threshold) & !(value - threshold < reach));
            way[row] = side;
            rows[left] = aside[right] = row;
            weights[left] = weights_aside[right] = weight;
            right += side;
            left += 1 - side;
        }
        std::copy_n(aside, right, rows + left);
        std::copy_n(weights_aside, right, weights + left);
        edges_[0] = start;
        edges_[1] = end - right;
        edges_[2] = end;
    }

    /// The same if all rows have weight 1 and no missing values, from the node's rows sorted by the feature of the
    /// split, of which this many take the first branch; rows of both branches are counted, too.
    void part(const Node& node, Whole number, const Entry* own, Whole below) {
        std::int32_t *way = way_.data(), *rows = arena_row_.data() + node.start;
        const Whole many = node.end - node.start;
        const auto row_bits = static_cast<Entry>(shifts_.row_bits());
        for (Whole place = 0; place < many; ++place) {
            const auto row = static_cast<std::int32_t>(own[place] & row_bits);
            way[row] = place >= below;
            rows[place] = row;
        }
        edges_[0] = node.start;
        edges_[1] = node.start + below;
        edges_[2] = node.end;
        const bool is_left = 2 * below <= many;  // the branch with fewer rows is counted, the other has the rest
        double *few = tree_.counts_of(node.first + !is_left), *most = tree_.counts_of(node.first + is_left);
        const double* all = tree_.counts_of(number);
        std::fill_n(few, classes_, 0.0);
        const Whole begin = is_left ? 0 : below, end = is_left ? below : many;
        for (Whole place = begin; place < end; ++place) few[kind_of(own[place])] += 1.0;
        for (Whole each = 0; each < classes_; ++each) most[each] = all[each] - few[each];
    }

    /// Send the sorted rows of a node the given ways, so that those of each branch stay sorted.
    ///
    /// open_branches: of two branches, those whose rows are needed: 1 the first, 2 the second, 3 both.
    void send_down(const Node& node, Whole rows, bool is_known, std::uint64_t open_branches) {
        std::copy_n(numeric_.begin(), node.alive, features_.begin());
        std::copy_n(nominal_.begin(), node.nominal, features_.begin() + node.alive);
        const auto row_bits = static_cast<Entry>(shifts_.row_bits());
        const std::int32_t* way = way_.data();
        Entry* spare = spare_.data();
        for (Whole position = 0; position < node.alive + node.nominal; ++position) {
            const Whole index = features_[position], column = chosen_[index], rank = common(column).rank;
            if (rank < 0 && table_.levels[column] > 0) continue;
            Entry* own = list(index) + node.listed;
            const Whole count = others(own, rows, rank);
            if (node.branches == 2 && is_known) {
                const Whole below = edges_[1] - edges_[0];
                const Whole left = send(own, count, row_bits, way, own, spare);
                if (open_branches != 1) copy_blocks(spare, count - left, own + below);
                if (count < rows) {
                    mark(own, below, left, rank);
                    mark(own + below, rows - below, count - left, rank);
                }
                pace(rows);
                continue;
            }
            std::copy_n(own, count, spare);
            for (Whole branch = 0; branch < node.branches; ++branch) spot_[branch] = edges_[branch] - edges_[0];
            for (Whole place = 0; place < count; ++place) {
                const Entry entry = spare[place];
                const Whole branch = way[entry & row_bits];
                if (branch >= 0) {
                    own[spot_[branch]++] = entry;
                    continue;
                }
                for (Whole each = 0; each < node.branches; ++each) {
                    if (share_[each] > kSmall) own[spot_[each]++] = entry;
                }
            }
            for (Whole branch = 0; branch < node.branches; ++branch) {
                const Whole begin = edges_[branch] - edges_[0], end = edges_[branch + 1] - edges_[0];
                if (begin < end) mark(own + begin, end - begin, spot_[branch] - begin, rank);
            }
            pace(rows);
        }
    }

    /// Copy some entries, and at most a block more.
    static void copy_blocks(const Entry* source, Whole many, Entry* target) {
        for (Whole place = 0; place < many; place += kBlock) {
            std::memcpy(target + place, source + place, kBlock * sizeof(Entry));
        }
    }

    // Pruning

    /// Branch of a node with most training rows, the last of equals.
    Whole largest_branch(const Node& node) const {
        Whole largest = node.first;
        double most = 0.0;
        for (Whole branch = node.first; branch < node.first + node.branches; ++branch) {
            const double size = tree_[branch].size;
            if (size > most || is_same(size, most)) {
                largest = branch;
                most = size;
            }
        }
        return largest;
    }

    /// Pessimistic errors of a branch if it received all rows of its parent. Infinite as soon as they are known to
    /// exceed `limit`: most branches are far from replacing their parent.
    double errors_if_raised(const Node& node, Whole branch, double limit, Whole free) {
        if (!tree_[branch].misses) {
            const double errors = errors_with_more(node, branch, limit);
            if (!std::isnan(errors)) return errors;
        }
        return errors_of_all(node, branch, free);
    }

    /// The same by sending only the rows of the other branches; NaN if a value is missing on the way.
    double errors_with_more(const Node& node, Whole branch, double limit) {
        const Whole own_start = tree_[branch].start, own_end = tree_[branch].end, start = node.start, end = node.end;
        if (own_start < start || own_end > end) return kUnknown;  // rows with unknown values are in several branches
        // More rows never lower the estimate of a leaf, which is never below its misclassified rows: a bound for all to
        // come.
        double errors = tree_[branch].estimate, least = errors;
        Whole stop = end, known = start;
        const auto is_own = [=](Whole index) { return own_start <= index && index < own_end; };
        for (Whole index = start; index < end; ++index) {
            if (is_own(index)) continue;
            if (index >= known) {
                known = std::min(end, index + kAhead);
                std::copy_n(arena_row_.begin() + index, known - index, source_row_.begin());
                find_leaves(branch, source_row_.data(), known - index);
            }
            const Whole row = arena_row_[index], number = way_[row];
            if (number < 0 || least > limit) {
                stop = index;
                break;
            }
            Node& leaf = tree_[number];
            double* counts = tree_.counts_of(number);
            const double more = arena_weight_[index];
            if (leaf.below == -1) {
                errors -= leaf.estimate;
                leaf.below = kTouched;
                leaf.weight = leaf.most = 0.0;
                for (Whole each = 0; each < classes_; ++each) {
                    leaf.weight += counts[each];
                    leaf.most = std::max(leaf.most, counts[each]);
                }
            }
            const double before = leaf.weight - leaf.most;
            double& own = counts[table_.target[row]];
            own += more;
            leaf.weight += more;
            leaf.most = std::max(leaf.most, own);
            const double after = leaf.weight - leaf.most;
            least += std::max(after - leaf.estimate, 0.0) - std::max(before - leaf.estimate, 0.0);
        }
        for (Whole index = start; index < stop; ++index) {
            if (is_own(index)) continue;
            const Whole number = way_[arena_row_[index]];
            if (tree_[number].below != kTouched) continue;
            tree_[number].below = -1;
            errors += stop == end ? leaf_errors(tree_.counts_of(number), classes_, rules_) : 0.0;
        }
        for (Whole index = start; index < stop; ++index) {
            if (is_own(index)) continue;
            const Whole row = arena_row_[index];
            tree_.counts_of(way_[row])[table_.target[row]] -= arena_weight_[index];
        }
        pace(end - start);
        if (least > limit) return kInfinity;
        return stop == end ? errors : kUnknown;
    }

    /// The same by sending all rows of the parent; ranges of rows below the branch are overwritten.
    double errors_of_all(const Node& node, Whole branch, Whole free) {
        tree_[branch].start = node.start;
        tree_[branch].end = node.end;
        double errors = 0.0;
        for (Whole top = branch; top >= 0;) {
            Node& here = tree_[top];
            top = here.below;
            here.below = -1;
            if (here.feature < 0) {
                std::fill(tally_.begin(), tally_.end(), 0.0);
                for (Whole index = here.start; index < here.end; ++index) {
                    tally_[table_.target[arena_row_[index]]] += arena_weight_[index];
                }
                errors += leaf_errors(tally_.data(), classes_, rules_);
                continue;
            }
            free = divide(here, here.start, here.end, free);
            for (Whole each = 0; each < here.branches; ++each) {
                Node& own = tree_[here.first + each];
                own.start = edges_[each];
                own.end = edges_[each + 1];
                own.below = top;
                top = here.first + each;
            }
            pace(here.end - here.start);
        }
        return errors;
    }

    // Steps after a tree has grown

    /// Move thresholds to training values, and let branches without rows predict as their parents.
    ///
    /// Those of crowded features were moved when chosen: there it affects the way of rows during pruning.
    void settle() {
        for (Whole top = 0; top >= 0;) {
            const Whole number = top;
            Node& node = tree_[number];
            top = node.below;
            node.below = -1;
            if (node.feature < 0) continue;
            if (table_.levels[node.feature] == 0 && !is_crowded(node.feature)) {
                node.threshold = settled_threshold(node.feature, node.threshold);
            }
            for (Whole branch = node.first; branch < node.first + node.branches; ++branch) {
                if (is_same(tree_[branch].size, 0.0)) {
                    std::copy_n(tree_.counts_of(number), classes_, tree_.counts_of(branch));
                }
                tree_[branch].below = top;
                top = branch;
            }
        }
    }

    /// Largest training value not above the middle of a cut.
    ///
    /// As in J48, "above" means by at least `reach_`, and among training values within that distance the first in the
    /// table counts.
    double settled_threshold(Whole column, double middle) const {
        const double* values = raw(column);
        const Entry* own = entries(column);
        const auto row_at = [&](Whole place) { return static_cast<Whole>(own[place]) & shifts_.row_bits(); };
        const auto is_below = [&](double value) { return value <= middle || value - middle < reach_; };
        Whole low = 0, high = table_.known[static_cast<std::size_t>(column)];
        while (low < high) {
            const Whole half = (low + high) / 2;
            if (is_below(values[row_at(half)])) {
                low = half + 1;
            } else {
                high = half;
            }
        }
        Whole place = low - 1;
        while (!is_training_[row_at(place)]) --place;
        const double largest = values[row_at(place)];
        if (!is_crowded(column)) return largest;  // all other values are further away than the gap, which is more than `reach_`
        while (place >= 0 && !(is_training_[row_at(place)] && values[row_at(place)] != largest)) --place;
        if (place < 0 || largest - values[row_at(place)] > reach_) return largest;
        double threshold = -kInfinity;
        for (Whole row = 0; row < n_; ++row) {
            if (is_training_[row] && values[row] - threshold > reach_ && is_below(values[row])) threshold = values[row];
        }
        return threshold;
    }

    // Answers

    /// Fill in the proportion of each class at a leaf.
    void shares_at(Whole leaf, bool is_smoothed, double* shares) const {
        const double* counts = tree_.counts.data() + leaf * classes_;
        const double prior = is_smoothed ? 1.0 : 0.0;
        double total = prior * static_cast<double>(classes_);
        for (Whole each = 0; each < classes_; ++each) total += counts[each];
        for (Whole each = 0; each < classes_; ++each) shares[each] = (counts[each] + prior) / total;
    }

    /// Fill in the proportion of each class at the leaf of a row; if a value is missing, over all branches by their
    /// size.
    void shares_of(Whole row, bool is_smoothed, double* shares) {
        const double prior = is_smoothed ? 1.0 : 0.0;
        std::fill_n(shares, classes_, 0.0);
        tree_[0].weight = 1.0;  // no longer needed for errors: fraction of the row at a node
        for (Whole top = 0; top >= 0;) {
            Whole number = top;
            top = tree_[number].below;
            tree_[number].below = -1;
            const double weight = tree_[number].weight;
            for (Whole branch = 0; tree_[number].feature >= 0 && branch >= 0;) {
                branch = branch_of(tree_[number], row);
                if (branch >= 0) number = tree_[number].first + branch;
            }
            const Node& node = tree_[number];
            if (node.feature < 0) {
                const double* counts = tree_.counts_of(number);
                double total = prior * static_cast<double>(classes_);
                for (Whole each = 0; each < classes_; ++each) total += counts[each];
                for (Whole each = 0; each < classes_; ++each) shares[each] += weight * (counts[each] + prior) / total;
                continue;
            }
            double total = 0.0;
            for (Whole each = node.first; each < node.first + node.branches; ++each) total += tree_[each].size;
            for (Whole each = node.first; each < node.first + node.branches; ++each) {
                if (tree_[each].size <= kSmall) continue;
                tree_[each].weight = weight * tree_[each].size / total;
                tree_[each].below = top;
                top = each;
            }
        }
    }

    const C45Table& table_;
    const C45Rules& rules_;
    Watch& watch_;
    const Whole n_, classes_;
    const double reach_;  // J48 compares with a threshold ten times as closely as it searches for cuts
    const Shifts shifts_;
    Whole since_ = 0;
    double least_ = 0.0;  // every leaf has as many rows

    View<const std::int32_t, 1> chosen_;                       // (q,) features, ascending
    std::vector<Whole> numeric_, nominal_, features_;          // positions in chosen_, those that vary in a node first
    std::vector<std::uint8_t> counted_;                        // (q,) whether a gain counts in the average
    std::vector<double> gain_;                                 // (q,) per row; -1 if none
    std::vector<Found> found_;                                 // (q,)
    Whole winner_ = -1, cut_at_ = -1;                          // best feature; rows below its cut if `part` may be used
    std::unique_ptr<Entry, Freed> lists_;                      // (q, stride_) sorted rows of open nodes
    Whole stride_ = 0, room_ = 0;

    Tree tree_;
    std::vector<std::uint8_t> is_training_;                    // (n,)
    std::vector<std::int32_t> arena_row_, source_row_, rows_;  // rows of all nodes, each node a range; room for one node
    std::vector<double> arena_weight_, source_weight_;         // and their weights
    std::vector<std::int32_t> way_;                            // (n,) branch of each row of a node, -1 if unknown
    std::vector<Whole> edges_, spot_;                          // where the rows of each branch begin in the arena
    std::vector<double> share_;                                // (branches,) of the known rows
    std::vector<Entry> spare_, joined_;
    Gains gains_, own_gains_;
    Sides sides_;
    std::vector<Whole> here_, there_, scores_, more_scores_;
    std::vector<double> weight_, right_, tally_, shares_, categories_;
};

// Cross-validation

/// One thread: trees of one fold after another.
template <class Entry>
class Worker {
  public:
    Worker(const C45Table& table, const C45Rules& rules, const Measurements& all, Watch& watch)
        : table_(table), rules_(rules), all_(all), grower_(table, rules, watch) {}

    /// All folds of one repeat. Fill in, unless null: (n,) classes and (n, classes) proportions of tested rows.
    void measure(Whole measurement, Whole repeat, Whole* predicted, double* shares) {
        const auto labels = all_.labels[all_.folds_of[measurement]][repeat];
        std::vector<Whole> tested(static_cast<std::size_t>(all_.folds), 0);
        Whole rows = 0, fewest = labels.size();
        for (const Whole label : labels) {
            rows += label >= -1;
            if (label >= 0) ++tested[static_cast<std::size_t>(label)];
        }
        for (const Whole own : tested) fewest = own > 0 ? std::min(fewest, own) : fewest;
        grower_.choose(all_.columns[measurement], rows - fewest);
        for (Whole fold = 0; fold < all_.folds; ++fold) {
            if (tested[static_cast<std::size_t>(fold)] == 0) continue;
            if (!grow(labels, fold)) throw std::invalid_argument("a fold leaves no row to be trained on");
            grower_.ask(tested_.data(), static_cast<Whole>(tested_.size()), predicted, shares);
        }
    }

    /// The tree of a fold; false if it has no training row.
    bool grow(Integers labels, Whole fold) {
        trained_.clear();
        tested_.clear();
        for (Whole row = 0; row < labels.size(); ++row) {
            if (labels[row] == fold) {
                tested_.push_back(static_cast<std::int32_t>(row));
            } else if (labels[row] >= -1) {
                trained_.push_back(static_cast<std::int32_t>(row));
            }
        }
        if (trained_.empty()) return false;
        weigh();
        grower_.grow(trained_.data(), weights_.data(), static_cast<Whole>(trained_.size()));
        return true;
    }

    /// Number of misclassified tested rows of a repeat; proportions are kept if margins follow.
    Whole misses(Whole measurement, Whole repeat, bool keeps_shares) {
        const auto labels = all_.labels[all_.folds_of[measurement]][repeat];
        predicted_.resize(static_cast<std::size_t>(labels.size()));
        if (keeps_shares) shares_.resize(static_cast<std::size_t>(labels.size() * table_.classes));
        measure(measurement, repeat, predicted_.data(), keeps_shares ? shares_.data() : nullptr);
        Whole misses = 0;
        for (Whole row = 0; row < labels.size(); ++row) {
            misses += labels[row] >= 0 && predicted_[static_cast<std::size_t>(row)] != table_.target[row];
        }
        return misses;
    }

    /// Fill in mean and standard deviation, over the tested rows, of the margin of a row's own class: (a - b) / (a +
    /// b), with a and b the proportions of that class and of the best of the others.
    void margins(Whole measurement, Whole repeat, View<double, 1> found) {
        const auto labels = all_.labels[all_.folds_of[measurement]][repeat];
        margins_.clear();
        for (Whole row = 0; row < labels.size(); ++row) {
            if (labels[row] < 0) continue;
            const double* shares = shares_.data() + row * table_.classes;
            double best = -kInfinity;
            for (Whole each = 0; each < table_.classes; ++each) {
                if (each != table_.target[row]) best = std::max(best, shares[each]);
            }
            const double own = shares[table_.target[row]];
            margins_.push_back((own - best) / std::max(own + best, 1e-12));
        }
        mean_and_deviation(margins_.data(), static_cast<Whole>(margins_.size()), found.data());
    }

    Grower<Entry>& grower() { return grower_; }

  private:
    /// 1 for each training row, or weights that are equal for all classes present; their sum is the number of rows.
    void weigh() {
        weights_.assign(trained_.size(), 1.0);
        if (!rules_.balanced) return;
        std::vector<double> sizes(static_cast<std::size_t>(table_.classes), 0.0);
        for (const std::int32_t row : trained_) ++sizes[static_cast<std::size_t>(table_.target[row])];
        double present = 0.0;
        for (const double own : sizes) present += own > 0.0;
        for (std::size_t place = 0; place < trained_.size(); ++place) {
            const double own = sizes[static_cast<std::size_t>(table_.target[trained_[place]])];
            weights_[place] = static_cast<double>(trained_.size()) / (present * own);
        }
    }

    const C45Table& table_;
    const C45Rules& rules_;
    const Measurements& all_;
    Grower<Entry> grower_;
    std::vector<std::int32_t> trained_, tested_;
    std::vector<Whole> predicted_;
    std::vector<double> weights_, shares_, margins_;
};

/// Do work(worker, measurement, repeat) for all measurements and repeats.
template <class Entry, class Work>
void measure_all(const C45Table& table, const C45Rules& rules, const Measurements& all, const Effort& effort, Work work) {
    std::vector<std::unique_ptr<Worker<Entry>>> workers(static_cast<std::size_t>(effort.threads));
    const Whole repeats = all.labels.extent(1);
    share(all.size() * repeats, effort, [&](Whole part, int number) {
        auto& worker = workers[static_cast<std::size_t>(number)];
        if (!worker) worker = std::make_unique<Worker<Entry>>(table, rules, all, effort.watch);
        work(*worker, part / repeats, part % repeats);
    });
}

template <class Work>
void with_entries(const C45Table& table, Work work) {
    if (table.narrow.empty()) {
        work(std::uint64_t{});
    } else {
        work(std::uint32_t{});
    }
}

// Sorting

struct Ranked {
    double value;
    std::uint64_t rest;  // class and row
};

/// One column's entries, and its properties.
template <class Entry>
void sort_column(C45Table& table, Whole column, std::vector<Ranked>& rows, Entry* entries) {
    const auto raw = table.raw[column];
    const Whole n = raw.size();
    const auto at = static_cast<std::size_t>(column);
    for (Whole row = 0; row < n; ++row) {
        const auto kind = static_cast<std::uint64_t>(table.target[row]);
        rows[row] = {raw[row], kind << table.class_shift | static_cast<std::uint64_t>(row)};
    }
    const auto missing = std::partition(rows.begin(), rows.end(), [](const Ranked& own) { return !std::isnan(own.value); });
    std::sort(rows.begin(), missing, [](const Ranked& a, const Ranked& b) {
        return a.value < b.value || (a.value == b.value && a.rest < b.rest);
    });
    std::sort(missing, rows.end(), [](const Ranked& a, const Ranked& b) { return a.rest < b.rest; });
    const Whole known = missing - rows.begin();
    const auto differs = [&](Whole place) { return rows[place].value != rows[place - 1].value; };
    const auto is_apart = [&](Whole place) { return rows[place - 1].value + table.gap < rows[place].value; };
    bool is_crowded = false, is_chained = false;
    for (Whole place = 1; place < known; ++place) is_crowded |= differs(place) && !is_apart(place);
    for (Whole place = 1, begin = 0; place < known && is_crowded; ++place) {
        if (differs(place) && is_apart(place)) begin = place;
        is_chained |= rows[begin].value + table.gap < rows[place].value;
    }
    Whole rank = 0;
    C45Table::Common common{0, n, 0};  // of the value in the middle
    for (Whole place = 0; place < n; ++place) {
        if (place < known && place > 0 && differs(place) && (is_chained || is_apart(place))) {
            ++rank;
            if (place <= (n - 1) / 2) {
                common.begin = place;
                common.rank = rank;
            } else {
                common.end = std::min(common.end, place);
            }
        }
        const auto own = static_cast<std::uint64_t>(place < known ? rank : n);
        entries[place] = static_cast<Entry>(own << table.rank_shift | rows[place].rest);
    }
    const bool has_common = 2 * (common.end - common.begin) >= n && known == n && !is_crowded;
    table.known[at] = known;
    table.crowded[at] = is_crowded;
    table.chained[at] = is_chained;
    table.common[at] = has_common ? common : C45Table::Common{0, 0, -1};
}

}  // namespace

/// Sort every column once, and tabulate x log2 x for counts up to n.
void c45_sort(C45Table& table, const Effort& effort) {
    const Whole p = table.raw.size(), n = table.raw.extent(1);
    const auto width = [](Whole number) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))); };
    table.class_shift = std::max(1, width(n - 1));
    table.rank_shift = table.class_shift + std::max(1, width(table.classes - 1));
    const bool is_narrow = table.rank_shift + width(n) <= 32;
    const auto columns = static_cast<std::size_t>(p), cells = columns * static_cast<std::size_t>(n);
    table.narrow.resize(is_narrow ? cells : 0);
    table.wide.resize(is_narrow ? 0 : cells);
    table.known.resize(columns);
    table.crowded.resize(columns);
    table.chained.resize(columns);
    table.common.resize(columns);
    table.logs.assign(static_cast<std::size_t>(n + 2), 0.0);
    table.whole.resize(table.logs.size());
    for (Whole x = 2; x < n + 2; ++x) {
        const int k = width(x) - 1;
        const double number = static_cast<double>(x), mantissa = std::ldexp(number, -k);
        table.logs[static_cast<std::size_t>(x)] = number * (k + natural_log(mantissa) / 0.6931471805599453);
    }
    // A power of two: sums of two of the largest value are below 2^60 times it, and are exact.
    table.unit = std::ldexp(1.0, width(static_cast<Whole>(2 * table.logs.back() + 1)) - 60);
    for (std::size_t x = 0; x < table.logs.size(); ++x) {
        table.whole[x] = static_cast<Whole>(std::nearbyint(table.logs[x] / table.unit));
    }
    std::vector<std::vector<Ranked>> rows(static_cast<std::size_t>(effort.threads));
    share(p, effort, [&](Whole column, int worker) {
        auto& own = rows[static_cast<std::size_t>(worker)];
        own.resize(static_cast<std::size_t>(n));
        if (is_narrow) {
            sort_column(table, column, own, table.narrow.data() + column * n);
        } else {
            sort_column(table, column, own, table.wide.data() + column * n);
        }
    });
}

/// Fill in (m, repeats, n) the class of each tested row, 0 for others; and (m, repeats, n, classes) the class
/// proportions, equal ones for rows that are not tested. Arrays of size 0 are not filled in.
void c45_answers(const C45Table& table, const Measurements& measurements, const C45Rules& rules, View<Whole, 3> predicted,
                 View<double, 4> shares, const Effort& effort) {
    std::fill_n(predicted.data(), predicted.count(), Whole{0});
    std::fill_n(shares.data(), shares.count(), 1.0 / static_cast<double>(table.classes));
    with_entries(table, [&](auto entry) {
        measure_all<decltype(entry)>(table, rules, measurements, effort, [&](auto& worker, Whole measurement, Whole repeat) {
            worker.measure(measurement, repeat, predicted.count() ? predicted[measurement][repeat].data() : nullptr,
                           shares.count() ? shares[measurement][repeat].data() : nullptr);
        });
    });
}

/// Fill in (m, repeats) the number of misclassified tested rows; and, if requested, (m, repeats, 2) mean and standard
/// deviation of the tested rows' margins, else (0, repeats, 2).
void c45_errors(const C45Table& table, const Measurements& measurements, const C45Rules& rules, View<Whole, 2> errors,
                View<double, 3> margins, const Effort& effort) {
    with_entries(table, [&](auto entry) {
        measure_all<decltype(entry)>(table, rules, measurements, effort, [&](auto& worker, Whole measurement, Whole repeat) {
            const bool has_margins = margins.size() != 0;
            errors[measurement][repeat] = worker.misses(measurement, repeat, has_margins);
            if (has_margins) worker.margins(measurement, repeat, margins[measurement][repeat]);
        });
    });
}

/// The tree of the first fold of the first measurement; see C45Tree.
C45Tree c45_tree(const C45Table& table, const Measurements& measurements, const C45Rules& rules, const Effort& effort) {
    C45Tree found;
    with_entries(table, [&](auto entry) {
        Worker<decltype(entry)> worker(table, rules, measurements, effort.watch);
        const auto labels = measurements.labels[measurements.folds_of[0]][0];
        worker.grower().choose(measurements.columns[0], table.target.size());
        if (!worker.grow(labels, 0)) throw std::invalid_argument("a fold leaves no row to be trained on");
        const Tree& tree = worker.grower().tree();
        std::vector<Whole> order{0};  // renumbered level by level
        for (std::size_t place = 0; place < order.size(); ++place) {
            const Node& node = tree[order[place]];
            const bool is_leaf = node.feature < 0;
            found.feature.push_back(node.feature);
            found.threshold.push_back(node.threshold);
            found.first.push_back(is_leaf ? -1 : static_cast<Whole>(order.size()));
            found.branches.push_back(is_leaf ? 0 : node.branches);
            found.size.push_back(node.size);
            const double* counts = tree.counts.data() + order[place] * table.classes;
            found.counts.insert(found.counts.end(), counts, counts + table.classes);
            for (Whole each = 0; each < found.branches.back(); ++each) order.push_back(node.first + each);
        }
    });
    return found;
}

/// Expected errors of a leaf with (classes,) weights of rows.
double c45_leaf_errors(Reals counts, const C45Rules& rules) { return leaf_errors(counts.data(), counts.size(), rules); }

}  // namespace fsdesk::FSDESK_LEVEL
