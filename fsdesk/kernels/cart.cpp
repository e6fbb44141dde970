// CART decision trees of all folds of a cross-validation, grown only as far as their tested rows reach.
//
// A node is split in two by x_j <= t, with the column j and threshold t of least impurity (Breiman, Friedman, Olshen
// and Stone 1984). With S one of the two sides, w_c(S) the weight of its rows of class c, w(S) of all its rows:
//   Gini      the sum over both sides of sum_c w_c(S)^2 / w(S) is largest;
//   entropy   the sum over both sides of sum_c w_c(S) ln w_c(S) - w(S) ln w(S) is largest;
//   variance  D^2 (l + r) / (l r) is largest, with D the sum over the l rows on the left of their response's excess
//             over the mean of all l + r rows. (Gini of two classes is that of a 0/1 code, up to a factor.)
// Splits closer than kRounding of the node's impurity are treated as equal; of these the lowest column wins, and in it
// the lowest threshold. A node is a leaf if it is pure, too small or too deep, or if no column varies. t is the
// midpoint of two values a < b of training rows, a / 2 + b / 2 in double precision, or a if that equals b.
//
// A tree is never stored: its tested rows go down with it, and nodes that none of them reaches are skipped. Every
// column is sorted once for the whole table, and a row is stored in it as one word, an entry: rank of its value <<
// shift | row. A node's list of a column is split from its parent's, in place and in order, and processed immediately,
// while in the cache; nothing is sorted again.
//
// columns: (p, n) values, NaN if missing. order: (p, bytes) from cart_order. has_gaps: (p,) whether each fit imputes
// its own value for a column, fill: (g, fits) these values, for such columns of all masks, one after another; once:
// (p,) imputed values common to all fits.
#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "lanes.hpp"
#include "logarithm.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kRounding = 1e-11;
constexpr Whole kSure = 10'000;           // up to this many rows, a score within the margin of a perfect split's is perfect
constexpr Whole kMostCounted = 1 << 20;   // number of rows whose third power fits in a word
constexpr Whole kCellsUnwatched = 1 << 16;

template <class Entry>
constexpr int kShift = sizeof(Entry) * 4;
template <class Entry>
constexpr Entry kRow = (Entry{1} << kShift<Entry>) - 1;

/// Entries of 32 bits hold rank and row up to here: ranks are odd, so that even ones can be inserted between two.
constexpr bool is_short(Whole n) { return 2 * n + 2 < 1 << 16; }

/// Bits whose integer order is that of the values, missing ones last; equal for -0 and 0.
std::uint64_t key(double value) {
    if (std::isnan(value)) return ~std::uint64_t{0};
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

/// Entries of one column by ascending value, ties by ascending row; of equal rank if values are equal.
template <class Entry>
void sort_column(Reals values, double once, Entry* sorted) {
    struct Item {
        std::uint64_t key;
        std::uint32_t row;
        bool operator<(const Item& other) const { return key < other.key || (key == other.key && row < other.row); }
    };
    std::vector<Item> items(static_cast<std::size_t>(values.size()));
    for (Whole row = 0; row < values.size(); ++row) {
        const double value = std::isnan(values[row]) ? once : values[row];
        items[static_cast<std::size_t>(row)] = {key(value), static_cast<std::uint32_t>(row)};
    }
    std::sort(items.begin(), items.end());
    Entry rank = 1;
    for (std::size_t place = 0; place < items.size(); ++place) {
        if (place > 0 && items[place].key != items[place - 1].key) rank = static_cast<Entry>(rank + 2);
        sorted[place] = static_cast<Entry>(rank << kShift<Entry> | items[place].row);
    }
}

enum class Scan { moments, counts, squares, logarithms };

/// A node in progress.
struct Node {
    Whole begin, count, test_begin, tested, depth;  // its rows in each list, and among the tested rows
    Whole number;                   // in the stored tree, if any
    Scan scan;
    Whole present, squared;         // number of its classes, and the sum of their squared counts
    Whole kept;                     // columns that vary in it
    bool is_open;                   // it still needs a split
    Whole column, left;             // its best: index of the column in the mask (-1: none yet), and rows on the left
    double limit, margin, ceiling;  // what the next score must exceed, by how much for the best, and an upper bound
};

/// For a row, for scans by counts: the bit at which its class's count starts in a word with the counts of all classes
/// of the node, the largest value that fits there, and twice the number of the node's rows of that class.
struct alignas(16) Counted {
    std::uint32_t bit, largest;
    std::int32_t twice_total;
};

/// Where predictions are written; null if not needed.
struct Answers {
    Whole* codes = nullptr;     // (n,) most frequent class of the row's leaf, the first of several
    double* numbers = nullptr;  // (n, classes) proportion of each class in it, or (n, 1) its mean response
    double* margins = nullptr;  // (n,) (a - b) / (a + b), a the proportion of the row's own class, b the best of the others
    Whole misses = 0;           // misclassified tested rows
};

/// Shared by all trees of one call.
struct Forest {
    Columns columns;
    Integers target;
    const Measurements& all;
    const CartOptions& options;
    std::vector<Whole> gap;       // row of `fill` for each column of all masks, or -1
    std::vector<double> x_log_x;  // (n + 2,) of 0, 1, 2, ..., for entropy

    Forest(Columns columns, Integers target, const Measurements& all, const CartOptions& options)
        : columns(columns), target(target), all(all), options(options) {
        Whole gaps = 0;
        for (const std::int32_t column : all.columns.members) gap.push_back(options.has_gaps[column] ? gaps++ : -1);
        if (options.impurity != Impurity::entropy) return;
        x_log_x.assign(static_cast<std::size_t>(columns.extent(1) + 2), 0.0);
        for (std::size_t x = 2; x < x_log_x.size(); ++x) {
            x_log_x[x] = static_cast<double>(x) * natural_log(static_cast<double>(x));
        }
    }
};

/// One thread's memory, reused for each tree.
template <class Entry>
class Tree {
  public:
    explicit Tree(const Forest& forest) : forest_(forest), options_(forest.options), target_(forest.target.data()) {}

    /// Grow the tree of one fit, and predict its tested rows; their labels are the fold's number. If the tree is to be
    /// `kept`, all of it is grown; else only what a tested row reaches.
    void grow(Whole measurement, Whole repeat, Whole fold, Answers& answers, Watch& watch, CartTree* kept = nullptr) {
        kept_ = kept;
        chosen_ = forest_.all.columns[measurement];
        gap_ = forest_.gap.data() + forest_.all.columns.offsets[measurement];
        fit_ = repeat * forest_.all.folds + fold;
        answers_ = &answers;
        watch_ = &watch;
        if (!plant(forest_.all.labels[forest_.all.folds_of[measurement]][repeat], fold)) return;
        settle(0, rows_.data());
        while (!waiting_.empty()) {
            const Whole slot = waiting_.back();
            waiting_.pop_back();
            split(slot);
        }
    }

  private:
    Entry* list(Whole place) { return lists_.get() + place * stride_; }

    const double* values(Whole place) const { return forest_.columns[chosen_[place]].data(); }

    /// The imputed value of a column in this fit.
    double fill(Whole place) const {
        return gap_[place] >= 0 ? options_.fill[gap_[place]][fit_] : options_.once[chosen_[place]];
    }

    void spend(Whole cells) {
        spent_ += cells;
        if (spent_ < kCellsUnwatched) return;
        spent_ = 0;
        watch_->check();
    }

    void make_room(Whole n) {
        if (static_cast<Whole>(stays_.size()) != n) {
            const auto rows = static_cast<std::size_t>(n), classes = static_cast<std::size_t>(options_.classes);
            rows_.resize(rows);
            spare_.resize(rows);
            tests_.resize(rows);
            stays_.resize(rows);
            delta_.resize(rows);
            code_.resize(rows);
            counted_.resize(rows);
            curve_.resize(rows);
            left_.resize(classes);
            local_.assign(classes, -1);
            bits_.resize(classes);
            count_left_.resize(classes);
            if (options_.balanced && options_.impurity == Impurity::entropy) {
                for (auto* each : {&score_, &side_weight_[0], &side_weight_[1]}) each->resize(rows);
            }
            class_size_.assign(classes, 1.0);
            std::size_t slots = 3;
            for (Whole rest = n; rest > 1; rest /= 2) ++slots;
            node_.resize(slots);
            total_.resize(slots * classes);
            weight_.resize(slots * classes);
        }
        active_.resize(node_.size() * static_cast<std::size_t>(chosen_.size()));
    }

    /// Room for the lists of all columns; partitioning overwrites one entry after a list.
    void make_lists(Whole count) {
        stride_ = count;
        const Whole cells = chosen_.size() * stride_ + 1;
        if (cells <= cells_) return;
        cells_ = cells;
        lists_.reset();
        lists_.reset(new Entry[static_cast<std::size_t>(cells)]);
    }

    /// Make the root with its best split; return false if nothing is tested or known.
    bool plant(View<const Whole, 1> labels, Whole fold) {
        const Whole n = labels.size();
        make_room(n);
        waiting_.clear();
        Whole count = 0, tested = 0;
        for (Whole row = 0; row < n; ++row) {
            const bool is_tested = labels[row] == fold, trains = !is_tested && labels[row] >= -1;
            tests_[static_cast<std::size_t>(tested)] = static_cast<std::uint32_t>(row);
            rows_[static_cast<std::size_t>(count)] = static_cast<Entry>(row);
            tested += is_tested;
            count += trains;
            stays_[static_cast<std::size_t>(row)] = trains;
        }
        if ((tested == 0 && kept_ == nullptr) || count == 0) return false;
        if (options_.balanced) {
            std::fill(class_size_.begin(), class_size_.end(), 0.0);
            for (Whole place = 0; place < count; ++place) ++class_size_[target_[rows_[place]]];
        }
        Node& root = node_[0];
        root.begin = root.test_begin = root.depth = 0;
        root.count = count;
        root.tested = tested;
        root.number = added();
        if (!open(0, rows_.data())) return true;
        make_lists(count);
        for (Whole place = 0; place < chosen_.size() && root.is_open; ++place) {
            spend(n);
            keep(gap_[place] >= 0 ? with_gaps_filled(place, n) : sorted(place), n, list(place));
            look(0, place, list(place));
        }
        return true;
    }

    const Entry* sorted(Whole place) const {
        return reinterpret_cast<const Entry*>(options_.order[chosen_[place]].data());
    }

    /// A column's list, with missing values at the position of the imputed one.
    const Entry* with_gaps_filled(Whole place, Whole n) {
        const Entry* order = sorted(place);
        const double* own = values(place);
        const double fill = this->fill(place);
        Whole present = n;
        while (present > 0 && std::isnan(own[order[present - 1] & kRow<Entry>])) --present;
        const auto is_less = [own](Entry entry, double value) { return own[entry & kRow<Entry>] < value; };
        const Whole below = std::lower_bound(order, order + present, fill, is_less) - order;
        Entry rank = 0;
        if (below < present && own[order[below] & kRow<Entry>] == fill) {
            rank = order[below] >> kShift<Entry>;
        } else if (below > 0) {
            rank = static_cast<Entry>((order[below - 1] >> kShift<Entry>) + 1);
        }
        Entry* out = std::copy_n(order, below, spare_.data());
        out = std::transform(order + present, order + n, out, [rank](Entry entry) {
            return static_cast<Entry>(rank << kShift<Entry> | (entry & kRow<Entry>));
        });
        std::copy(order + below, order + present, out);
        return spare_.data();
    }

    /// Copy the rows that stay, `count` or all if fewer; what follows them is overwritten. `out` may be their position.
    void keep(const Entry* source, Whole count, Entry* out) const {
        const std::uint8_t* stays = stays_.data();
        for (Whole place = 0; place < count; ++place) {
            const Entry entry = source[place];
            *out = entry;
            out += stays[entry & kRow<Entry>];
        }
    }

    /// Move the rows of a list that stay before the others, both in their old order.
    void part(Entry* own, Whole count) {
        const std::uint8_t* stays = stays_.data();
        Entry* spare = spare_.data();
        Whole left = 0;
        for (Whole place = 0; place < count; ++place) {
            const Entry entry = own[place];
            own[left] = spare[place - left] = entry;
            left += stays[entry & kRow<Entry>];
        }
        std::copy_n(spare, count - left, own + left);
    }

    /// Prepare the scans of a node, whose rows are in any order; return whether it may be split at all.
    bool open(Whole slot, const Entry* rows) {
        Node& node = node_[slot];
        node.column = -1;
        node.kept = 0;
        node.is_open = false;
        node.limit = -kInfinity;
        if (node.tested == 0 && kept_ == nullptr) return false;
        if (node.count < options_.min_split || node.count < 2 * options_.min_leaf) return false;
        if (options_.max_depth > 0 && node.depth >= options_.max_depth) return false;
        node.is_open = options_.impurity == Impurity::variance ? open_numbers(node, rows) : open_classes(slot, rows);
        if (node.is_open && (node.scan == Scan::moments || node.scan == Scan::counts)) {
            double* curve = curve_.data() + node.begin;
            const double rows_of_node = static_cast<double>(node.count);
            for (Whole left = 1; left < node.count; ++left) {
                const double on_left = static_cast<double>(left);
                curve[left - 1] = 1.0 / (on_left * (rows_of_node - on_left));
            }
        }
        return node.is_open;
    }

    bool open_numbers(Node& node, const Entry* rows) {
        const double* response = options_.response.data();
        const double base = response[rows[0] & kRow<Entry>], count = static_cast<double>(node.count);
        double total = 0.0, squares = 0.0;
        bool is_constant = true;
        for (Whole place = 0; place < node.count; ++place) {
            const double value = response[rows[place] & kRow<Entry>] - base;
            total += value;
            is_constant &= value == 0.0;
        }
        if (is_constant) return false;
        const double mean = total / count;
        for (Whole place = 0; place < node.count; ++place) {
            const Entry row = rows[place] & kRow<Entry>;
            const double delta = response[row] - base - mean;
            delta_[row] = delta;
            squares += delta * delta;
        }
        node.scan = Scan::moments;
        node.present = 0;
        node.ceiling = squares / count;
        node.margin = kRounding * squares / count;
        return true;
    }

    bool open_classes(Whole slot, const Entry* rows) {
        Node& node = node_[slot];
        node.present = count_classes(slot, rows);
        if (node.present == 1) return false;
        const Whole* total = total_.data() + slot * options_.classes;
        const double* weight = weight_.data() + slot * options_.classes;
        if (options_.impurity == Impurity::entropy) {
            node.scan = Scan::logarithms;
        } else if (options_.balanced) {
            node.scan = Scan::squares;
        } else if (node.present == 2) {
            node.scan = Scan::moments;
            // Times the number of rows, deviations from the mean of a 0/1 code are integers.
            const double delta[2] = {static_cast<double>(-total[1]), static_cast<double>(node.count - total[1])};
            for (Whole place = 0; place < node.count; ++place) {
                const Entry row = rows[place] & kRow<Entry>;
                delta_[row] = delta[code_[row]];
            }
            node.ceiling = static_cast<double>(total[0]) * static_cast<double>(total[1]);
            node.margin = kRounding * node.ceiling;
            return true;
        } else {
            node.scan = pack_counts(slot, rows) ? Scan::counts : Scan::squares;
        }
        double mass = 0.0, squares = 0.0, logarithms = 0.0;
        for (Whole own = 0; own < node.present; ++own) {
            const double alone = weight[own] * static_cast<double>(total[own]);
            mass += alone;
            squares += alone * alone;
            if (options_.impurity == Impurity::entropy) logarithms -= alone * natural_log(weight[own]);
        }
        node.margin = kRounding * mass;
        node.ceiling = kInfinity;
        if (options_.impurity == Impurity::entropy) {
            node.ceiling = logarithms;
        } else if (node.present <= 3) {
            node.ceiling = 0.0;
            for (Whole own = 0; own < node.present; ++own) {  // the best possible: one class separated from the others
                const double alone = weight[own] * static_cast<double>(total[own]);
                node.ceiling = std::max(node.ceiling, alone + (squares - alone * alone) / (mass - alone));
            }
        }
        return true;
    }

    /// Number a node's classes from 0 in the order of their first rows; return how many there are.
    Whole count_classes(Whole slot, const Entry* rows) {
        const Whole count = node_[slot].count;
        Whole* total = total_.data() + slot * options_.classes;
        double* weight = weight_.data() + slot * options_.classes;
        Whole present = 0;
        for (Whole place = 0; place < count; ++place) {
            const Entry row = rows[place] & kRow<Entry>;
            std::int32_t& own = local_[target_[row]];
            if (own < 0) {
                own = static_cast<std::int32_t>(present);
                total[present] = 0;
                weight[present] = 1.0 / class_size_[target_[row]];
                seen_.push_back(target_[row]);
                ++present;
            }
            code_[row] = own;
            ++total[own];
        }
        for (const Whole code : seen_) local_[code] = -1;
        seen_.clear();
        return present;
    }

    /// Assign each class as many bits of one word as its count may need; return false if they do not fit.
    bool pack_counts(Whole slot, const Entry* rows) {
        Node& node = node_[slot];
        const Whole* total = total_.data() + slot * options_.classes;
        if (node.count > kMostCounted) return false;
        Whole squares = 0, end = 0;
        for (Whole own = 0; own < node.present; ++own) {
            Counted& counted = bits_[static_cast<std::size_t>(own)];
            counted.bit = static_cast<std::uint32_t>(end);
            counted.largest = static_cast<std::uint32_t>(std::bit_ceil(static_cast<std::uint64_t>(total[own] + 1)) - 1);
            counted.twice_total = static_cast<std::int32_t>(2 * total[own]);
            end += std::bit_width(counted.largest);
            squares += total[own] * total[own];
        }
        if (end > 64) return false;
        node.squared = squares;
        for (Whole place = 0; place < node.count; ++place) {
            const Entry row = rows[place] & kRow<Entry>;
            counted_[row] = bits_[static_cast<std::size_t>(code_[row])];
        }
        return true;
    }

    /// Look for a better split of a node in a column with the given list.
    void look(Whole slot, Whole place, const Entry* list) {
        Node& node = node_[slot];
        if (list[0] >> kShift<Entry> == list[node.count - 1] >> kShift<Entry>) return;
        active_[static_cast<std::size_t>(slot * chosen_.size() + node.kept++)] = static_cast<std::int32_t>(place);
        if (node.limit >= node.ceiling) return;
        const Whole found = node.scan == Scan::moments    ? scan_moments(node, list)
                            : node.scan == Scan::counts   ? scan_counts(node, list)
                            : node.scan == Scan::squares  ? scan_squares(slot, list)
                            : options_.balanced           ? scan_weighted_logarithms(slot, list)
                                                          : scan_logarithms(slot, list);
        if (found == 0) return;
        node.column = place;
        node.left = found;
        // A perfect split of two classes or rows: its children are leaves, so no further list is needed.
        const bool is_perfect = node.limit >= node.ceiling && node.count <= kSure;
        if (is_perfect && (node.present == 2 || node.count == 2)) node.is_open = false;
    }

    // Scans return the number of rows left of the best split, 0 if none exceeds the limit, and raise the limit.

    static bool parts(const Entry* list, Whole place) {
        return list[place + 1] >> kShift<Entry> != list[place] >> kShift<Entry>;
    }

    /// D^2 / (l r).
    Whole scan_moments(Node& node, const Entry* list) const {
        const double *delta = delta_.data(), *curve = curve_.data() + node.begin;
        const Whole least = options_.min_leaf, end = node.count - least;
        const double margin = node.margin;
        double limit = node.limit, total = 0.0;
        Whole found = 0;
        for (Whole place = 0; place < least - 1; ++place) total += delta[list[place] & kRow<Entry>];
        for (Whole place = least - 1; place < end; ++place) {
            total += delta[list[place] & kRow<Entry>];
            const double score = total * total * curve[place];
            if (score > limit && parts(list, place)) {
                found = place + 1;
                limit = score + margin;
            }
        }
        node.limit = limit;
        return found;
    }

    /// Gini of rows with equal weights, with the counts n_c of all classes in one word, l_c of them on the left: ((l +
    /// r) sum_c l_c^2 + l (sum_c n_c^2 - 2 sum_c n_c l_c)) / (l r).
    Whole scan_counts(Node& node, const Entry* list) const {
        const Counted* counted = counted_.data();
        const double* curve = curve_.data() + node.begin;
        const Whole least = options_.min_leaf, count = node.count, end = count - least;
        const double margin = node.margin;
        double limit = node.limit;
        Whole found = 0, squares_left = 0, linear = node.squared;
        std::uint64_t counts = 0;
        for (Whole place = 0; place < end; ++place) {
            const Counted own = counted[list[place] & kRow<Entry>];
            squares_left += 2 * static_cast<Whole>(counts >> own.bit & own.largest) + 1;
            counts += std::uint64_t{1} << own.bit;
            linear -= own.twice_total;
            const double score = static_cast<double>(squares_left * count + linear * (place + 1)) * curve[place];
            if (score > limit && place + 1 >= least && parts(list, place)) {
                found = place + 1;
                limit = score + margin;
            }
        }
        node.limit = limit;
        return found;
    }

    /// Gini of any number of classes and any weights.
    Whole scan_squares(Whole slot, const Entry* list) {
        Node& node = node_[slot];
        const Whole* total = total_.data() + slot * options_.classes;
        const double* weight = weight_.data() + slot * options_.classes;
        const Whole least = options_.min_leaf, end = node.count - least;
        const double margin = node.margin;
        double limit = node.limit, squares_left = 0.0, squares_right = 0.0, weight_left = 0.0, weight_right = 0.0;
        Whole found = 0;
        for (Whole kind = 0; kind < node.present; ++kind) {
            left_[static_cast<std::size_t>(kind)] = 0.0;
            const double mass = weight[kind] * static_cast<double>(total[kind]);
            squares_right += mass * mass;
            weight_right += mass;
        }
        for (Whole place = 0; place < end; ++place) {
            const std::int32_t kind = code_[list[place] & kRow<Entry>];
            const double w = weight[kind], before = left_[static_cast<std::size_t>(kind)];
            const double after = w * static_cast<double>(total[kind]) - before;
            left_[static_cast<std::size_t>(kind)] = before + w;
            squares_left += w * (2.0 * before + w);
            squares_right -= w * (2.0 * after - w);
            weight_left += w;
            weight_right -= w;
            // Cross-multiplied: divisions would take as long as everything else.
            const double product = weight_left * weight_right;
            const double score = squares_left * weight_right + squares_right * weight_left;
            if (score > limit * product && place + 1 >= least && parts(list, place)) {
                found = place + 1;
                limit = score / product + margin;
            }
        }
        node.limit = limit;
        return found;
    }

    /// Entropy of rows with equal weights, as sum_c n_c ln n_c - n ln n of both sides.
    Whole scan_logarithms(Whole slot, const Entry* list) {
        Node& node = node_[slot];
        const Whole* total = total_.data() + slot * options_.classes;
        const double* x_log_x = forest_.x_log_x.data();
        const Whole least = options_.min_leaf, count = node.count, end = count - least;
        const double margin = node.margin;
        double limit = node.limit, terms = 0.0;
        Whole found = 0;
        for (Whole kind = 0; kind < node.present; ++kind) {
            count_left_[static_cast<std::size_t>(kind)] = 0;
            terms += x_log_x[total[kind]];
        }
        for (Whole place = 0; place < end; ++place) {
            const std::int32_t kind = code_[list[place] & kRow<Entry>];
            const Whole before = count_left_[static_cast<std::size_t>(kind)]++, after = total[kind] - before;
            terms += x_log_x[before + 1] - x_log_x[before] + x_log_x[after - 1] - x_log_x[after];
            const double score = terms - (x_log_x[place + 1] + x_log_x[count - place - 1]);
            if (score > limit && place + 1 >= least && parts(list, place)) {
                found = place + 1;
                limit = score + margin;
            }
        }
        node.limit = limit;
        return found;
    }

    /// Entropy of rows with unequal weights, as sum_c w_c n_c ln n_c - W ln W of both sides, W the weight of a side:
    /// the rest of sum_c w_c n_c ln(w_c n_c) is linear in n_c, and so the same for every split. Logarithms are computed
    /// in batches.
    Whole scan_weighted_logarithms(Whole slot, const Entry* list) {
        Node& node = node_[slot];
        const Whole* total = total_.data() + slot * options_.classes;
        const double *weight = weight_.data() + slot * options_.classes, *x_log_x = forest_.x_log_x.data();
        const Whole least = options_.min_leaf, end = node.count - least;
        double *score = score_.data(), *left = side_weight_[0].data(), *right = side_weight_[1].data();
        double terms = 0.0, weight_left = 0.0, weight_right = 0.0;
        for (Whole kind = 0; kind < node.present; ++kind) {
            count_left_[static_cast<std::size_t>(kind)] = 0;
            terms += weight[kind] * x_log_x[total[kind]];
            weight_right += weight[kind] * static_cast<double>(total[kind]);
        }
        for (Whole place = 0; place < end; ++place) {
            const std::int32_t kind = code_[list[place] & kRow<Entry>];
            const Whole before = count_left_[static_cast<std::size_t>(kind)]++, after = total[kind] - before;
            terms += weight[kind] * (x_log_x[before + 1] - x_log_x[before] + x_log_x[after - 1] - x_log_x[after]);
            score[place] = terms;
            left[place] = weight_left += weight[kind];
            right[place] = weight_right -= weight[kind];
        }
        for (Whole place = 0; place < end; ++place) {
            score[place] -= left[place] * log_of_normal(left[place]) + right[place] * log_of_normal(right[place]);
        }
        const double margin = node.margin;
        double limit = node.limit;
        Whole found = 0;
        for (Whole place = least - 1; place < end; ++place) {
            if (score[place] > limit && parts(list, place)) {
                found = place + 1;
                limit = score[place] + margin;
            }
        }
        node.limit = limit;
        return found;
    }

    /// Queue a node for its split or, if it has none, predict its tested rows.
    void settle(Whole slot, const Entry* rows) {
        if (node_[slot].column >= 0) {
            waiting_.push_back(slot);
        } else {
            answer(node_[slot], rows);
        }
    }

    void split(Whole slot) {
        const Node parent = node_[slot];
        Entry* source = list(parent.column) + parent.begin;
        const Whole left_tested = route(parent, source);
        // The larger child takes its parent's slot and waits longer: so the number of slots grows with the logarithm of
        // n.
        const bool is_left_larger = 2 * parent.left >= parent.count;
        const Whole left_slot = is_left_larger ? slot : slot + 1, right_slot = is_left_larger ? slot + 1 : slot;
        Node &left = node_[left_slot], &right = node_[right_slot];
        left.count = parent.left;
        right.count = parent.count - parent.left;
        left.test_begin = parent.test_begin;
        left.tested = left_tested;
        right.test_begin = parent.test_begin + left_tested;
        right.tested = parent.tested - left_tested;
        left.depth = right.depth = parent.depth + 1;
        left.number = added();
        right.number = added();
        if (kept_ != nullptr) {
            const auto number = static_cast<std::size_t>(parent.number);
            kept_->feature[number] = chosen_[parent.column];
            kept_->threshold[number] = threshold(parent, source);
            kept_->left[number] = left.number;
            kept_->right[number] = right.number;
        }
        left.begin = parent.begin;
        right.begin = parent.begin + parent.left;
        // Leaves predict now, before lists are partitioned in place. A single child takes its parent's place.
        const bool is_left_open = open(left_slot, source);
        if (!is_left_open) {
            answer(left, source);
            right.begin = parent.begin;
        }
        const bool is_right_open = open(right_slot, source + parent.left);
        if (!is_right_open) answer(right, source + parent.left);
        if (!is_left_open && !is_right_open) return;
        for (Whole place = 0; place < parent.count; ++place) {
            stays_[source[place] & kRow<Entry>] = (place < parent.left) == is_left_open;
        }
        part_lists(slot, parent, left_slot, right_slot, is_left_open && is_right_open);
        for (const Whole child : {slot, slot + 1}) {
            const bool is_right = child == right_slot;
            if (is_right ? is_right_open : is_left_open) settle(child, list(parent.column) + node_[child].begin);
        }
    }

    /// A row's value in a column of the mask, as imputed in this fit.
    double value(Whole place, Entry entry) const {
        const double known = values(place)[entry & kRow<Entry>];
        return std::isnan(known) ? fill(place) : known;
    }

    /// The largest value that goes left.
    double threshold(const Node& parent, const Entry* source) const {
        const double low = value(parent.column, source[parent.left - 1]), high = value(parent.column, source[parent.left]);
        const double middle = low / 2.0 + high / 2.0;
        return low <= middle && middle < high ? middle : low;  // no value may lie between them
    }

    /// Move a node's tested rows that go left before the others; return their number.
    Whole route(const Node& parent, const Entry* source) {
        const double *own = values(parent.column), fill = this->fill(parent.column);
        const auto value = [own, fill](Entry entry) {
            const double known = own[entry & kRow<Entry>];
            return std::isnan(known) ? fill : known;
        };
        const double threshold = this->threshold(parent, source);
        std::uint32_t* left = tests_.data() + parent.test_begin;
        std::uint32_t* right = left + parent.tested;
        while (left < right) {
            if (value(static_cast<Entry>(*left)) <= threshold) {
                ++left;
            } else {
                std::swap(*left, *--right);
            }
        }
        return left - (tests_.data() + parent.test_begin);
    }

    /// Partition a node's lists into those of its open children, and find their best splits.
    void part_lists(Whole slot, const Node& parent, Whole left_slot, Whole right_slot, bool are_both_open) {
        Node &left = node_[left_slot], &right = node_[right_slot];
        // A child's columns, of which there are never more, may overwrite its parent's.
        const std::int32_t* active = active_.data() + slot * chosen_.size();
        for (Whole index = 0; index < parent.kept && (left.is_open || right.is_open); ++index) {
            const Whole place = active[index];
            Entry* own = list(place);
            spend(parent.count);
            if (are_both_open) {
                part(own + parent.begin, parent.count);
            } else {
                keep(own + parent.begin, parent.count, own + parent.begin);
            }
            if (left.is_open) look(left_slot, place, own + left.begin);
            if (right.is_open) look(right_slot, place, own + right.begin);
        }
    }

    /// The number of one more node of the stored tree, initially a leaf.
    Whole added() {
        if (kept_ == nullptr) return 0;
        const auto width = static_cast<std::size_t>(options_.impurity == Impurity::variance ? 1 : options_.classes);
        kept_->feature.push_back(-1);
        kept_->left.push_back(-1);
        kept_->right.push_back(-1);
        kept_->code.push_back(0);
        kept_->threshold.push_back(std::numeric_limits<double>::quiet_NaN());
        kept_->numbers.resize(kept_->numbers.size() + width, 0.0);
        return static_cast<Whole>(kept_->feature.size()) - 1;
    }

    /// Write the predictions for the tested rows of a leaf.
    void answer(const Node& node, const Entry* rows) {
        const std::uint32_t *test = tests_.data() + node.test_begin, *end = test + node.tested;
        if (test == end && kept_ == nullptr) return;
        if (options_.impurity == Impurity::variance) {
            const double *response = options_.response.data(), base = response[rows[0] & kRow<Entry>];
            double total = 0.0;
            for (Whole place = 0; place < node.count; ++place) total += response[rows[place] & kRow<Entry>] - base;
            const double mean = base + total / static_cast<double>(node.count);
            if (kept_ != nullptr) kept_->numbers[static_cast<std::size_t>(node.number)] = mean;
            for (; test < end; ++test) answers_->numbers[*test] = mean;
            return;
        }
        for (Whole place = 0; place < node.count; ++place) left_[target_[rows[place] & kRow<Entry>]] = 0.0;
        for (Whole place = 0; place < node.count; ++place) ++left_[target_[rows[place] & kRow<Entry>]];
        double most = -1.0, second = 0.0, whole = 0.0;
        Whole winner = -1;
        for (Whole place = 0; place < node.count; ++place) {
            const Whole own = target_[rows[place] & kRow<Entry>];
            whole += 1.0 / class_size_[own];
            const double mass = left_[own] / class_size_[own];  // one rounding: equal proportions stay equal
            if (own == winner) continue;
            if (mass > most || (mass == most && own < winner)) {
                second = std::max(second, most);
                most = mass;
                winner = own;
            } else {
                second = std::max(second, mass);
            }
        }
        if (kept_ != nullptr) {
            kept_->code[static_cast<std::size_t>(node.number)] = winner;
            double* shares = kept_->numbers.data() + node.number * options_.classes;
            for (Whole place = 0; place < node.count; ++place) {
                const Whole own = target_[rows[place] & kRow<Entry>];
                shares[own] = left_[own] / class_size_[own] / whole;
            }
        }
        const auto is_known = [this, rows, &node](Whole code) {
            for (Whole place = 0; place < node.count; ++place) {
                if (target_[rows[place] & kRow<Entry>] == code) return true;
            }
            return false;
        };
        for (; test < end; ++test) {
            const Whole truth = target_[*test];
            answers_->misses += truth != winner;
            if (answers_->codes != nullptr) answers_->codes[*test] = winner;
            if (answers_->margins != nullptr) {
                const double own = truth == winner ? most : is_known(truth) ? left_[truth] / class_size_[truth] : 0.0;
                const double ahead = own / whole, best = (truth == winner ? second : most) / whole;
                answers_->margins[*test] = (ahead - best) / std::max(ahead + best, 1e-12);
            }
            if (answers_->numbers == nullptr) continue;
            double* shares = answers_->numbers + *test * options_.classes;
            for (Whole place = 0; place < node.count; ++place) {
                const Whole own = target_[rows[place] & kRow<Entry>];
                shares[own] = left_[own] / class_size_[own] / whole;
            }
        }
    }

    const Forest& forest_;
    const CartOptions& options_;
    const Whole* target_;
    View<const std::int32_t, 1> chosen_;
    const Whole* gap_ = nullptr;
    Whole fit_ = 0, stride_ = 0, cells_ = 0, spent_ = 0;
    Answers* answers_ = nullptr;
    CartTree* kept_ = nullptr;
    Watch* watch_ = nullptr;
    std::unique_ptr<Entry[]> lists_;  // sorted rows of all nodes in progress, column by column
    std::vector<Entry> rows_, spare_;  // the root's rows; a list in progress
    std::vector<std::uint32_t> tests_;  // tested rows, those of a node side by side
    std::vector<std::uint8_t> stays_;  // (n,) 1 for the rows of the first child with lists, else 0
    std::vector<double> delta_;  // (n,) deviation from the mean of the row's node, or that times a constant
    std::vector<std::int32_t> code_;  // (n,) class among those of its node
    std::vector<Counted> counted_, bits_;  // (n,), and for each class of the current node
    std::vector<double> curve_;  // (n,) 1 / (l r) of all splits of the current nodes
    std::vector<double> left_, class_size_;  // (classes,) scratch; rows that together weigh 1
    std::vector<Whole> count_left_, seen_;
    std::vector<double> score_, side_weight_[2];  // (n,) of each split of a column, and of its sides
    std::vector<std::int32_t> local_;  // (classes,) code within the current node, -1 between nodes
    std::vector<Node> node_;  // about log2(n) nodes are in progress at a time, one in each slot
    std::vector<std::int32_t> active_;  // (slots, q) columns that vary within a node, ascending
    std::vector<Whole> total_;  // (slots, classes) rows of each class of a node
    std::vector<double> weight_;  // and the weight of one
    std::vector<Whole> waiting_;  // slots of nodes to be split
};

/// Call a function with a worker for trees of the entries of a table: of 32 bits or of 64.
template <class Work>
void with_trees(const Forest& forest, int threads, Work work) {
    const auto grow = [&]<class Entry>() {
        std::vector<Tree<Entry>> trees;
        for (int thread = 0; thread < threads; ++thread) trees.emplace_back(forest);
        work(trees);
    };
    if (is_short(forest.columns.extent(1))) {
        grow.template operator()<std::uint32_t>();
    } else {
        grow.template operator()<std::uint64_t>();
    }
}

}  // namespace

/// Fill in (p, bytes) the rows of each column by ascending value; missing ones have the value `once` (p,), or are last.
/// Rows take 4 bytes each up to 32,766 of them, else 8.
void cart_order(Columns columns, Reals once, View<std::uint8_t, 2> order, const Effort& effort) {
    share(columns.size(), effort, [&](Whole column, int) {
        std::uint8_t* sorted = order[column].data();
        if (is_short(columns.extent(1))) {
            sort_column(columns[column], once[column], reinterpret_cast<std::uint32_t*>(sorted));
        } else {
            sort_column(columns[column], once[column], reinterpret_cast<std::uint64_t*>(sorted));
        }
    });
}

/// Fill in (m, repeats, n) class codes, 0 for rows that are not tested; and, if requested, (m, repeats, n, classes)
/// numbers: class proportions, or for variance (m, repeats, n, 1) means; else (m, repeats, 0, 0).
void cart_predictions(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                      View<Whole, 3> codes, View<double, 4> numbers, const Effort& effort) {
    const Forest forest(columns, target, measurements, options);
    const Whole repeats = measurements.labels.extent(1), fits = repeats * measurements.folds;
    std::fill_n(codes.data(), codes.count(), 0);
    std::fill_n(numbers.data(), numbers.count(), 0.0);
    with_trees(forest, effort.threads, [&](auto& trees) {
        share(measurements.size() * fits, effort, [&](Whole part, int worker) {
            const Whole measurement = part / fits, repeat = part % fits / measurements.folds;
            Answers answers;
            if (options.impurity != Impurity::variance) answers.codes = codes[measurement][repeat].data();
            if (numbers.count() != 0) answers.numbers = numbers[measurement][repeat].data();
            auto& tree = trees[static_cast<std::size_t>(worker)];
            tree.grow(measurement, repeat, part % measurements.folds, answers, effort.watch);
        });
    });
}

/// Fill in (m, repeats) the number of misclassified tested rows; and, if requested, for measurements with one fold, (m,
/// repeats, 2) mean and standard deviation of the tested rows' margins, else (0, repeats, 2).
void cart_errors(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                 View<Whole, 2> errors, View<double, 3> margins, const Effort& effort) {
    const Forest forest(columns, target, measurements, options);
    const Whole folds = measurements.folds, fits = errors.extent(1) * folds, n = columns.extent(1);
    std::vector<Whole> misses(static_cast<std::size_t>(measurements.size() * fits), 0);
    std::vector<std::vector<double>> leads(static_cast<std::size_t>(effort.threads));
    with_trees(forest, effort.threads, [&](auto& trees) {
        share(measurements.size() * fits, effort, [&](Whole part, int worker) {
            const Whole measurement = part / fits, repeat = part % fits / folds;
            auto& ahead = leads[static_cast<std::size_t>(worker)];
            Answers answers;
            if (margins.size() != 0) {
                ahead.assign(static_cast<std::size_t>(n), 0.0);
                answers.margins = ahead.data();
            }
            auto& tree = trees[static_cast<std::size_t>(worker)];
            tree.grow(measurement, repeat, part % folds, answers, effort.watch);
            misses[static_cast<std::size_t>(part)] = answers.misses;
            if (margins.size() == 0) return;
            const auto labels = measurements.labels[measurements.folds_of[measurement]][repeat];
            Whole tested = 0;
            for (Whole row = 0; row < n; ++row) {
                if (labels[row] == 0) ahead[static_cast<std::size_t>(tested++)] = ahead[static_cast<std::size_t>(row)];
            }
            mean_and_deviation(ahead.data(), tested, margins[measurement][repeat].data());
        });
    });
    std::fill_n(errors.data(), errors.count(), 0);
    for (std::size_t part = 0; part < misses.size(); ++part) {
        errors.data()[part / static_cast<std::size_t>(folds)] += misses[part];
    }
}

/// The tree of all rows of the first measurement; see CartTree.
CartTree cart_tree(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                   const Effort& effort) {
    const Forest forest(columns, target, measurements, options);
    CartTree found;
    with_trees(forest, 1, [&](auto& trees) {
        Answers answers;
        trees[0].grow(0, 0, 0, answers, effort.watch, &found);
    });
    return found;
}

}  // namespace fsdesk::FSDESK_LEVEL
