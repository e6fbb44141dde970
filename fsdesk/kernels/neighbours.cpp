// The k nearest training rows of every tested row of a cross-validation, nearest first; ties go to the lower row.
//
//   d(x, y)^2 = sum over columns j of w_fj (x_j - y_j)^2      Euclidean distance in fit f
//   d(x, y)   = sum over columns j of w_fj |x_j - y_j|        Manhattan
//   d(x, y)   = 1 - u.v                                       cosine, u = (w_f * (x - c_f)) over its length, 0 if zero
//
// Each fit of the r repeats x k folds has its own weights w_f if scales are learned from its training rows, and its own
// imputed values. Rows that are equal in all columns form one point. Distances are bounded from below in single
// precision, for whole blocks of points at once; the points are then measured in double precision in the order of their
// bounds, until no bound is within reach. First all fits of a row are bounded together, each column by its smallest
// weight; if that leaves too much to measure, each fit separately. Results never depend on the bounds: they are valid
// for every rounding (see Bounds). With many points, near ones are stored together (a k-d tree, Bentley 1975), and
// blocks whose box is out of reach are skipped.
//
// A distance is summed column by column, complete ones first, then those with missing values: in eight lanes, or one
// after another if fits have their own weights and there are few columns.
#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "lanes.hpp"
#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace fsdesk::FSDESK_LEVEL {
namespace {

// Bounds

constexpr int kSingles = 2 * kWidth;  // single-precision numbers in a vector
typedef float Singles __attribute__((vector_size(kSingles * sizeof(float)), may_alias));
typedef std::int32_t Keys __attribute__((vector_size(kSingles * sizeof(std::int32_t)), may_alias));

constexpr Whole kBlock = 64;                            // points whose bounds are computed together
constexpr int kVectors = kWidth == 8 ? 4 : 2;           // of a block, kept in registers
constexpr Whole kStep = kVectors * kSingles;
constexpr int kTogether = kWidth == 4 ? 6 : 4;          // queries whose bounds are computed together
constexpr Whole kGroup = 4 * kTogether;                 // queries that share blocks
constexpr Whole kLine = 16;                             // padding, so that columns do not crowd into a few sets of the cache
constexpr Whole kTerms = 64;                            // columns of a block of points that stay in the cache
constexpr Whole kWatched = 4096;                        // columns between two checks of the stop flag, in one pass over them
constexpr Whole kRoom = 1 << 18;                        // bounds kept at once
constexpr Whole kManyPoints = 16384;                    // from this many on they are stored in a tree,
constexpr Whole kSomePoints = 1024, kPlane = 4;         // or from this many, with so few columns
constexpr Whole kProducts = 6;                          // from this many columns on, bounds are products
constexpr Whole kHalf = 48;                             // from this many on, half of them are mirrored
constexpr Whole kFewColumns = 32;                       // up to here, the sums of several fits are stored side by side
constexpr Whole kFits = 16;                             // sums stored side by side
constexpr double kUnit = 0x1p-24;                       // half a unit in the last place
constexpr double kLargestBase = 0x1p30, kLargestRatio = 0x1p20;  // so that no sum of squares overflows single precision
constexpr double kShare = 0.05;                         // of all points, and a few: measuring more takes longer than bounds for each fit
constexpr double kManyGaps = 0.2;                       // columns without a bound beyond this fraction make bounds useless
constexpr double kUnsure = 1e-3;                        // below this fraction of the variance, totals have lost digits
constexpr std::int32_t kNoKey = 0x7f800000;             // the bits of infinity

enum class Form { squares, products, moduli };

template <class T>
struct Lined {  // a vector across two cache lines takes twice as long to read
    using value_type = T;
    Lined() = default;
    template <class U>
    Lined(const Lined<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(64))); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, std::align_val_t(64)); }
    bool operator==(const Lined&) const = default;
};
template <class T>
using Room = std::vector<T, Lined<T>>;

constexpr Whole padded(Whole count, Whole to) { return (count + to - 1) / to * to; }

template <class T>
auto& at(T& values, Whole place) {
    return values[static_cast<std::size_t>(place)];
}

[[gnu::always_inline]] inline Singles singles(float value) { return value - Singles{}; }

[[gnu::always_inline]] inline Singles load(const float* values) {
    Singles own;
    std::memcpy(&own, values, sizeof own);
    return own;
}

[[gnu::always_inline]] inline Singles fused(Singles a, Singles b, Singles c) {
#if defined(__AVX512F__)
    return (Singles)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (Singles)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

template <Form form>
[[gnu::always_inline]] inline Singles with_term(Singles own, Singles other, Singles total) {
    if constexpr (form == Form::products) return fused(own, other, total);
    const Singles step = own - other;
    if constexpr (form == Form::squares) return fused(step, step, total);
    return total + (Singles)((Keys)step & 0x7fffffff);
}

/// Add the contribution of some columns to the sums of kTogether queries and some points of a block, or start these
/// sums.
///
/// queries: (terms, step) values, kTogether from each row; block: (terms, line); out: (kTogether, width).
template <Form form>
void add_tile(const float* queries, Whole step, const float* block, Whole line, Whole terms, float* out, Whole width,
              Whole first, Whole last, bool begins) {
    for (Whole start = first; start < last; start += kStep) {
        Singles total[kTogether][kVectors];
        const float *own = queries, *others = block + start;
        if (begins) {
#pragma GCC unroll 16
            for (int t = 0; t < kTogether; ++t) {
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v) total[t][v] = Singles{};
            }
        } else {
#pragma GCC unroll 16
            for (int t = 0; t < kTogether; ++t) {
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v) total[t][v] = load(out + t * width + start + v * kSingles);
            }
        }
        for (Whole term = 0; term < terms; ++term, own += step, others += line) {
            Singles other[kVectors];
            for (int v = 0; v < kVectors; ++v) other[v] = load(others + v * kSingles);
#pragma GCC unroll 16
            for (int t = 0; t < kTogether; ++t) {
                const Singles value = singles(own[t]);
#pragma GCC unroll 16
                for (int v = 0; v < kVectors; ++v) total[t][v] = with_term<form>(value, other[v], total[t][v]);
            }
        }
#pragma GCC unroll 16
        for (int t = 0; t < kTogether; ++t) {
#pragma GCC unroll 16
            for (int v = 0; v < kVectors; ++v) std::memcpy(out + t * width + start + v * kSingles, &total[t][v], sizeof(Singles));
        }
    }
}

[[gnu::always_inline]] inline Keys lower(Keys a, Keys b) { return a < b ? a : b; }

/// The smallest of a vector.
[[gnu::always_inline]] inline std::int32_t smallest(Keys low) {
#if defined(__AVX512F__)
    low = lower(low, __builtin_shufflevector(low, low, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    low = lower(low, __builtin_shufflevector(low, low, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
    low = lower(low, __builtin_shufflevector(low, low, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
#elif defined(__AVX__)
    low = lower(low, __builtin_shufflevector(low, low, 4, 5, 6, 7, 0, 1, 2, 3));
    low = lower(low, __builtin_shufflevector(low, low, 2, 3, 0, 1, 6, 7, 4, 5));
#else
    low = lower(low, __builtin_shufflevector(low, low, 2, 3, 0, 1));
#endif
    return std::min(low[0], low[1]);
}

/// The smallest of some keys, as many as fill whole vectors.
std::int32_t smallest(const std::int32_t* keys, Whole count) {
    Keys low, own;
    std::memcpy(&low, keys, sizeof low);
    for (Whole place = kSingles; place < count; place += kSingles) {
        std::memcpy(&own, keys + place, sizeof own);
        low = lower(low, own);
    }
    return smallest(low);
}

/// Turn sums into keys, and return the smallest: the bits of a bound, in the same order, the last six of which are its
/// position in the block. There are none beyond the block's points.
std::int32_t keys_of(float* sums, Whole points, float times, const float* levels, float level) {
    const Singles own = singles(level), factor = singles(times), zero = {};
    Keys lane, low = Keys{} + kNoKey;
    for (int l = 0; l < kSingles; ++l) lane[l] = l;
    for (Whole place = 0; place < points; place += kSingles, lane += kSingles) {
        const Singles bound = fused(load(sums + place), factor, load(levels + place) + own);
        const Keys key = ((Keys)(bound > zero ? bound : zero) & ~static_cast<std::int32_t>(kBlock - 1)) | lane;
        std::memcpy(sums + place, &key, sizeof key);
        low = lower(low, key);
    }
    for (Whole place = padded(points, kSingles); place < kBlock; ++place) sums[place] = std::numeric_limits<float>::infinity();
    return smallest(low);
}

double value_of(std::int32_t key) { return std::bit_cast<float>(key & ~static_cast<std::int32_t>(kBlock - 1)); }

/// Rows; those that are equal are one point.
struct Points {
    std::vector<Whole> rows, starts;  // point after point, ascending in each; offsets, and the end

    Whole size() const { return static_cast<Whole>(starts.size()) - 1; }
    Whole first(Whole point) const { return at(rows, at(starts, point)); }
    View<const Whole, 1> of(Whole point) const {
        return {rows.data() + at(starts, point), {at(starts, point + 1) - at(starts, point)}};
    }
    bool is_alone(Whole point) const { return at(starts, point + 1) - at(starts, point) == 1; }
};

std::uint64_t bits_of(double value) {
    return std::isnan(value) ? 0x7ff8000000000001u : std::bit_cast<std::uint64_t>(value + 0.0);  // of -0 and 0, one
}

/// Properties of a measurement before its rows are searched; shared by threads.
class Problem {
  public:
    Problem(Columns columns, const Measurements& all, const NeighbourOptions& options, Whole measurement, Whole given,
            Whole filled, Watch& watch)
        : columns_(columns), options_(options), labels_(all.labels[all.folds_of[measurement]]), folds_(all.folds),
          n(columns.extent(1)), repeats(labels_.size()), lanes(padded(repeats, kFits)), k(options.k), given_(given) {
        const auto chosen = all.columns[measurement];
        for (const bool has_gaps : {false, true}) {
            for (Whole place = 0; place < chosen.size(); ++place) {
                if ((options.has_gaps[chosen[place]] != 0) != has_gaps) continue;
                chosen_.push_back(chosen[place]);
                weight_rows_.push_back(options.learns ? (has_gaps ? given++ : -1) : given + place);
                if (has_gaps) fill_rows_.push_back(filled++);
            }
            (has_gaps ? gaps : complete) = static_cast<Whole>(chosen_.size()) - (has_gaps ? complete : 0);
        }
        q = complete + gaps;
        line = padded(complete, kLanes) + padded(gaps, kLanes);
        is_shared = !options.learns && gaps == 0 && options.weights.extent(1) == 1;
        is_cosine = options.distance == 2;
        form = is_cosine ? Form::products : options.distance == 1 ? Form::moduli
               : q >= kProducts                                   ? Form::products
                                                                  : Form::squares;
        list_labels();
        fill_.resize(static_cast<std::size_t>(gaps * fits()));
        for (Whole fit = 0; fit < fits() && gaps > 0; ++fit) {
            for (Whole gap = 0; gap < gaps; ++gap) at(fill_, fit * gaps + gap) = options.fill[at(fill_rows_, gap)][fit];
        }
        find_points(watch);
        if (!is_shared || q <= kTerms) list_rows(watch);
        if (is_cosine) return;
        learn(watch);
        order_points(watch);
        if (q <= kTerms || width * points.size() > kRoom) {
            base.resize(static_cast<std::size_t>(q * width + kTogether));
            for (Whole first = 0; first < q; first += kWatched) {
                watch.check();
                fill_base(first, std::min(first + kWatched, q), base.data() + first * width);
            }
        }
    }

    /// The fit that tests a row in a repeat.
    Whole fit(Whole repeat, Whole label) const { return is_shared ? 0 : repeat * folds_ + std::max<Whole>(label, 0); }
    Whole fits() const { return is_shared ? 1 : repeats * folds_; }
    Whole folds() const { return folds_; }
    Whole label(Whole repeat, Whole row) const { return labels_[repeat][row]; }
    bool is_tested(Whole row) const { return has_label(row, 0); }
    const Whole* labels(Whole row) const { return &by_row_[static_cast<std::size_t>(row * lanes)]; }
    const double* weights(Whole fit) const { return weights_.data() + fit * line; }
    const double* last_weights(Whole fit) const { return (last_.empty() ? weights_ : last_).data() + fit * line; }
    Whole place(Whole column) const { return column < complete ? column : padded(complete, kLanes) + column - complete; }
    double fill(Whole fit, Whole gap) const { return at(fill_, fit * gaps + gap); }
    const double* scale() const { return scale_.data(); }
    double centre(Whole column) const { return options_.centre[at(chosen_, column)]; }

    double value(Whole row, Whole column) const {
        const double own = columns_[at(chosen_, column)][row];
        return std::isnan(own) ? options_.once[at(chosen_, column)] : own;
    }

    /// A row's values, NaN where each fit imputes them; in this buffer if they are not contiguous.
    const double* row(Whole row, Room<double>& room) const {
        if (!rows_.empty()) return rows_.data() + row * line;
        room.assign(static_cast<std::size_t>(line), 0.0);
        for (Whole column = 0; column < q; ++column) at(room, place(column)) = value(row, column);
        return room.data();
    }

    /// Fill in (last - first, width) columns minus their centre, over the largest scale of all fits; NaN if missing.
    void fill_base(Whole first, Whole last, float* out) const {
        std::vector<double> room(is_ordered_ ? static_cast<std::size_t>(points.size()) : 0);
        for (Whole column = first; column < last; ++column, out += width) {
            const double* values = columns_[at(chosen_, column)].data();
            for (std::size_t point = 0; point < room.size(); ++point) room[point] = values[points.first(static_cast<Whole>(point))];
            if (is_ordered_) values = room.data();
            const double once = options_.once[at(chosen_, column)], centre = options_.centre[at(chosen_, column)];
            const double times = at(scale_, column);
            constexpr float most = static_cast<float>(kLargestBase);
            for (Whole point = 0; point < points.size(); ++point) {
                const double value = values[point];
                const float own = static_cast<float>(((value != value ? once : value) - centre) * times);
                const float above = -most > own ? -most : own;  // what is no number stays none
                out[point] = most < above ? most : above;
            }
            std::fill(out + points.size(), out + width, 0.0f);
        }
    }

    /// Fill in (q, width) unit vectors of one fit; see the head of this file.
    void fill_directions(Whole fit, double* out) const {
        std::vector<double> length(static_cast<std::size_t>(width), 0.0);
        for (Whole column = 0; column < q; ++column) {
            double* own = out + column * width;
            const double given = options_.weights[given_ + column_of(column)][is_one() ? 0 : fit];
            const double centre = options_.location[given_ + column_of(column)][is_one() ? 0 : fit];
            const double times = std::isnan(given) ? 1.0 : given, filling = column < complete ? 0.0 : fill(fit, column - complete);
            for (Whole point = 0; point < points.size(); ++point) {
                const double value = this->value(points.first(point), column);
                own[point] = ((std::isnan(value) ? filling : value) - centre) * times;
                at(length, point) += own[point] * own[point];
            }
        }
        for (double& own : length) own = own > 0.0 ? std::sqrt(own) : 1.0;
        for (Whole column = 0; column < q; ++column) {
            for (Whole point = 0; point < points.size(); ++point) out[column * width + point] /= at(length, point);
        }
    }

  private:
    Columns columns_;
    const NeighbourOptions& options_;
    View<const Whole, 2> labels_;
    Whole folds_;

  public:
    Whole n, repeats, lanes, k;
    Whole complete = 0, gaps = 0, q = 0, line = 0, width = 0;
    bool is_shared = false, is_cosine = false;
    Form form = Form::squares;
    Points points;
    Room<float> base;             // (q, width) from fill_base(), or nothing
    std::vector<float> lows, highs;  // (q, blocks) ends of each block's box, in a tree
    bool is_tree = false;

  private:
    bool is_one() const { return options_.weights.extent(1) == 1; }
    Whole column_of(Whole column) const { return at(weight_rows_, column) - given_; }

    void list_labels() {
        by_row_.assign(static_cast<std::size_t>(n * lanes), -2);
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            const auto own = labels_[repeat];
            for (Whole row = 0; row < n; ++row) at(by_row_, row * lanes + repeat) = own[row];
        }
    }

    bool is_of_use(Whole row) const { return has_label(row, -1); }

    bool has_label(Whole row, Whole least) const {
        const Whole* own = labels(row);
        return std::any_of(own, own + repeats, [least](Whole label) { return label >= least; });
    }

    /// Merge rows that are equal: in most tables a few columns show that there are none.
    void find_points(Watch& watch) {
        std::vector<Whole> rows;
        for (Whole row = 0; row < n; ++row) {
            if (is_of_use(row)) rows.push_back(row);
        }
        std::vector<std::uint64_t> keys(static_cast<std::size_t>(n), 0);
        std::vector<Whole> point(static_cast<std::size_t>(n)), first, slots;
        std::size_t size = 2;
        while (size < 2 * rows.size()) size *= 2;
        const auto number = [&](Whole from, Whole step, bool compares) {
            for (Whole column = from; column < q; column += step) {
                if (column % 64 == 0) watch.check();
                for (const Whole row : rows) {
                    auto& key = at(keys, row);
                    key = (key ^ bits_of(value(row, column))) * 0x2545f4914f6cdd1du;
                    key ^= key >> 32;  // integers differ only in their highest bits
                }
            }
            slots.assign(size, -1);
            first.clear();
            for (const Whole row : rows) {
                std::size_t slot = (at(keys, row) ^ at(keys, row) >> 17) & (size - 1);
                while (slots[slot] >= 0) {
                    const Whole other = at(first, slots[slot]);
                    if (at(keys, other) == at(keys, row) && (!compares || are_equal(other, row))) break;
                    slot = (slot + 1) & (size - 1);
                }
                if (slots[slot] < 0) {
                    slots[slot] = static_cast<Whole>(first.size());
                    first.push_back(row);
                }
                at(point, row) = slots[slot];
            }
        };
        for (const Whole some : {Whole{4}, Whole{32}, q}) {
            const Whole step = std::max<Whole>(1, q / std::max<Whole>(1, some));
            std::fill(keys.begin(), keys.end(), 0);
            number(step - 1, step, step == 1);
            if (step == 1 || first.size() == rows.size()) break;
        }
        points.starts.assign(first.size() + 1, 0);
        for (const Whole row : rows) ++at(points.starts, at(point, row) + 1);
        std::partial_sum(points.starts.begin(), points.starts.end(), points.starts.begin());
        points.rows.resize(rows.size());
        std::vector<Whole> next(points.starts.begin(), points.starts.end() - 1);
        for (const Whole row : rows) at(points.rows, at(next, at(point, row))++) = row;
        is_ordered_ = points.size() < n;
        width = padded(points.size(), kBlock) + kLine;
    }

    bool are_equal(Whole i, Whole j) const {
        for (Whole column = 0; column < q; ++column) {
            const double a = value(i, column), b = value(j, column);
            if (a != b && !(std::isnan(a) && std::isnan(b))) return false;
        }
        return true;
    }

    /// Store the values of each row contiguously.
    void list_rows(Watch& watch) {
        rows_.assign(static_cast<std::size_t>(n * line), 0.0);
        for (Whole start = 0; start < n; start += 64) {
            if (start % 1024 == 0) watch.check();
            const Whole end = std::min(n, start + 64);
            for (Whole column = 0; column < q; ++column) {
                if (column % kWatched == kWatched - 1) watch.check();
                const double *values = columns_[at(chosen_, column)].data(), once = options_.once[at(chosen_, column)];
                double* out = rows_.data() + place(column);
                for (Whole row = start; row < end; ++row) out[row * line] = std::isnan(values[row]) ? once : values[row];
            }
        }
    }

    /// Weights of all fits, and the smallest of each column.
    void learn(Watch& watch) {
        weights_.assign(static_cast<std::size_t>(fits() * line), 0.0);
        if (options_.learns) learn_variances(watch);
        const bool is_squared = form != Form::moduli;
        for (Whole column = 0; column < q; ++column) {
            const Whole given = at(weight_rows_, column);
            if (given < 0) continue;
            const double deviation = options_.deviation[at(chosen_, column)];
            for (Whole fit = 0; fit < fits(); ++fit) {
                const double own = options_.weights[given][is_one() ? 0 : fit];
                // A column with equal training rows shifts all distances equally.
                const double none = column >= complete ? 0.0 : is_squared ? 1.0 / (deviation * deviation) : 1.0 / deviation;
                set_weight(fit, column, std::isnan(own) ? none : own, std::isnan(own));
            }
        }
        scale_.assign(static_cast<std::size_t>(q), kInfinity);
        for (Whole fit = 0; fit < fits(); ++fit) {
            const double* own = weights(fit);
            for (Whole column = 0; column < complete; ++column) at(scale_, column) = std::min(at(scale_, column), own[column]);
            own += padded(complete, kLanes) - complete;
            for (Whole column = complete; column < q; ++column) {
                if (own[column] > 0.0) at(scale_, column) = std::min(at(scale_, column), own[column]);
            }
        }
        for (double& own : scale_) own = own == kInfinity ? 0.0 : is_squared ? std::sqrt(own) : own;
        if (constant_.empty()) return;
        last_ = weights_;  // such a column has scale 1 if distances are returned
        for (std::size_t place = 0; place < last_.size(); ++place) last_[place] = constant_[place] ? 1.0 : last_[place];
    }

    void set_weight(Whole fit, Whole column, double weight, bool is_constant) {
        at(weights_, fit * line + place(column)) = weight;
        if (!is_constant || !options_.measures) return;
        if (constant_.empty()) constant_.assign(static_cast<std::size_t>(fits() * line), 0);
        at(constant_, fit * line + place(column)) = 1;
    }

    /// The reciprocal variance of each fit's training rows: that of all rows minus those of its own fold.
    void learn_variances(Watch& watch) {
        constexpr Whole kColumns = 64;
        std::vector<double> first(static_cast<std::size_t>((folds_ + 2) * kColumns)), second(first.size());
        std::vector<double> size(static_cast<std::size_t>(folds_ + 2));
        double middle[kColumns] = {}, times[kColumns] = {};
        for (Whole start = 0; start < complete; start += kColumns) {
            const Whole many = std::min(kColumns, complete - start), even = padded(many, kLanes);
            for (Whole place = 0; place < many; ++place) {
                middle[place] = options_.mean[at(chosen_, start + place)];
                times[place] = 1.0 / options_.deviation[at(chosen_, start + place)];
            }
            for (Whole repeat = 0; repeat < repeats; ++repeat) {
                watch.check();
                std::fill(first.begin(), first.end(), 0.0);
                std::fill(second.begin(), second.end(), 0.0);
                std::fill(size.begin(), size.end(), 0.0);
                for (Whole row = 0; row < n; ++row) {
                    const Whole label = labels_[repeat][row];
                    if (label < -1) continue;
                    const double* values = rows_.data() + row * line + start;
                    double *__restrict a = first.data() + (label + 1) * kColumns, *__restrict b = second.data() + (label + 1) * kColumns;
                    ++at(size, label + 1);
                    for (Whole place = 0; place < even; ++place) {
                        const double z = (values[place] - middle[place]) * times[place];
                        a[place] += z;
                        b[place] += z * z;
                    }
                }
                const double *all_a = first.data() + (folds_ + 1) * kColumns, *all_b = second.data() + (folds_ + 1) * kColumns;
                for (Whole fold = 0; fold <= folds_; ++fold) {
                    at(size, folds_ + 1) += at(size, fold);
                    for (Whole place = 0; place < many; ++place) {
                        at(first, (folds_ + 1) * kColumns + place) += at(first, fold * kColumns + place);
                        at(second, (folds_ + 1) * kColumns + place) += at(second, fold * kColumns + place);
                    }
                }
                for (Whole fold = 0; fold < folds_; ++fold) {
                    const double *a = first.data() + (fold + 1) * kColumns, *b = second.data() + (fold + 1) * kColumns;
                    const double rows = at(size, folds_ + 1) - at(size, fold + 1);
                    for (Whole place = 0; place < many; ++place) {
                        const double centre = (all_a[place] - a[place]) / rows, factor = times[place] * times[place];
                        double share = (all_b[place] - b[place]) / rows - centre * centre;
                        if (!(share >= kUnsure)) share = exact_variance(repeat, fold, start + place) * factor;
                        set_weight(repeat * folds_ + fold, start + place, share > 0.0 ? factor / share : factor, !(share > 0.0));
                    }
                }
            }
        }
    }

    double exact_variance(Whole repeat, Whole fold, Whole column) const {
        double rows = 0.0, total = 0.0, low = kInfinity, high = -kInfinity, squares = 0.0;
        const auto trains = [&](Whole row) { return labels_[repeat][row] != fold && labels_[repeat][row] >= -1; };
        for (Whole row = 0; row < n; ++row) {
            if (!trains(row)) continue;
            const double value = rows_[static_cast<std::size_t>(row * line + column)];
            ++rows;
            total += value;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        if (!(low < high)) return 0.0;
        for (Whole row = 0; row < n; ++row) {
            const double step = rows_[static_cast<std::size_t>(row * line + column)] - total / rows;
            if (trains(row)) squares += step * step;
        }
        return squares / rows;
    }

    /// Store near points together: halve them repeatedly where their values are farthest apart.
    void order_points(Watch& watch) {
        const Whole many = points.size();
        is_tree = complete > 0 && (many > kManyPoints || (many > kSomePoints && complete <= kPlane));
        if (!is_tree) return;
        struct Part {
            Whole begin, end;
        };
        std::vector<std::pair<double, Whole>> keys(static_cast<std::size_t>(many));
        for (Whole point = 0; point < many; ++point) at(keys, point).second = point;
        std::vector<Part> parts{{0, many}};
        while (!parts.empty()) {
            const Part part = parts.back();
            parts.pop_back();
            const Whole size = part.end - part.begin, leaf = size > kBlock ? kBlock : kGroup;
            if (size <= kGroup) continue;
            if (size > 4 * kBlock) watch.check();
            const Whole middle = part.begin + padded((size + 1) / 2, leaf);
            if (middle >= part.end) continue;
            Whole widest = 0;
            double most = -1.0;
            for (Whole column = 0; column < complete; ++column) {
                double low = kInfinity, high = -kInfinity;
                for (Whole sample = 0; sample < 32; ++sample) {
                    const Whole point = at(keys, part.begin + sample * size / 32).second;
                    const double own = value(points.first(point), column) * at(scale_, column);
                    low = std::min(low, own);
                    high = std::max(high, own);
                }
                if (high - low > most) {
                    most = high - low;
                    widest = column;
                }
            }
            for (Whole place = part.begin; place < part.end; ++place) {
                at(keys, place).first = value(points.first(at(keys, place).second), widest);
            }
            const auto begin = keys.begin() + part.begin;
            std::nth_element(begin, keys.begin() + middle, keys.begin() + part.end);
            parts.push_back({part.begin, middle});
            parts.push_back({middle, part.end});
        }
        Points ordered;
        ordered.starts.push_back(0);
        for (const auto& [key, point] : keys) {
            const auto rows = points.of(point);
            ordered.rows.insert(ordered.rows.end(), rows.begin(), rows.end());
            ordered.starts.push_back(static_cast<Whole>(ordered.rows.size()));
        }
        points = std::move(ordered);
        is_ordered_ = true;
    }

    Whole given_;
    bool is_ordered_ = false;                     // points are not simply the rows
    std::vector<std::int32_t> chosen_;            // columns, complete ones first
    std::vector<Whole> weight_rows_, fill_rows_;  // indices of their weights and imputed values; -1 if weights are learned
    std::vector<Whole> by_row_;                   // (n, lanes) labels, -2 beyond the repeats
    Room<double> rows_;                           // (n, line) values, 0 beyond the columns; or nothing
    Room<double> weights_, last_;                 // (fits, line) for searching, and for measuring if these differ
    std::vector<char> constant_;                  // (fits, line) whether training rows are all equal, if distances are requested
    std::vector<double> fill_;                    // (fits, gaps) imputed values
    std::vector<double> scale_;                   // (q,) factor from the base to the column
};

/// A point whose neighbours are needed: in all fits that test one of its rows, or in one.
struct Task {
    Whole point, fit = -1;
};

/// Searches for several tasks at once; each thread has its own.
class Search {
  public:
    /// is_careful: bounds of few columns lose no more than single precision must, in twice the time.
    Search(const Problem& problem, const NeighbourOptions& options, View<Whole, 3> found, View<double, 3> distances, bool is_careful)
        : p(problem), options_(options), found_(found), distances_(distances), is_careful_(is_careful),
          slots_(static_cast<std::size_t>(p.repeats * p.folds()), -1) {}

    /// Search for some tasks. If allowed, those whose bounds leave too much to measure are put on the list of open
    /// ones; or all remaining ones, once there are too many.
    void search(const Task* tasks, Whole count, bool may_stop, Watch& watch) {
        most_ = may_stop ? static_cast<Whole>(12.0 + kShare * static_cast<double>(p.points.size())) : std::numeric_limits<Whole>::max();
        if (may_stop && is_hopeless()) {
            open_tasks.insert(open_tasks.end(), tasks, tasks + count);
            return;
        }
        if (p.is_tree && !p.is_cosine) return search_in_tree(tasks, count, watch);
        const Whole blocks = p.width / kBlock;
        blocks_.resize(static_cast<std::size_t>(blocks));
        std::iota(blocks_.begin(), blocks_.end(), 0);
        bound(tasks, count, watch);
        queries_.resize(1);
        for (Whole task = 0; task < count; ++task) {
            if (task % 8 == 0) watch.check();
            if (may_stop && is_hopeless()) {
                open_tasks.insert(open_tasks.end(), tasks + task, tasks + count);
                return;
            }
            open(tasks[task], queries_[0]);
            settle(queries_[0], at(rows_, task), at(runs_, task), at(runs_, task).is_tight && !options_.measures, watch);
            close(tasks[task], queries_[0]);
        }
    }

    std::vector<Task> open_tasks;

  private:
    /// Tasks one after another that share their scales.
    struct Run {
        Whole fit, first, count;
        Whole row;       // of the sums
        Whole level;     // of the norms and levels
        Form form;
        double doubt;    // maximum error of bounds, relative to norms,
        double slack;    // and relative to themselves
        bool is_tight;   // whether errors are within that
    };

    struct Query {
        Whole point, fits, lanes;
        bool is_alone;                             // a row, in all repeats
        std::vector<Whole> repeat, label, number;  // (lanes,) of its fits
        Room<double> best, weights;                // (k, lanes) distances; (q, lanes) weights
        std::vector<Whole> nearest;                // (k, lanes) rows, n if none yet
        const double* values;
        Room<double> room;
        double reach;
        Whole measured;
    };

    bool is_hopeless() const { return static_cast<Whole>(open_tasks.size()) > 4 + asked_ / 2; }

    // Bounds

    /// Bounded columns of a run, and the sum of their maximum errors.
    Whole terms(Whole fit) const { return fit < 0 ? p.complete : p.q; }

    Run run_of(Whole fit, Whole first, Whole row, Whole level) const {
        const Whole columns = terms(fit);
        const double rounding = static_cast<double>(std::min(kTerms, columns) + columns / kTerms + 16) * kUnit;
        const bool is_square = p.form == Form::products && !p.is_cosine && is_careful_ && columns <= kTerms;
        const Form form = is_square ? Form::squares : p.form;
        const double doubt = form == Form::products ? 2.0 * rounding + 5e-9 : form == Form::squares ? 2e-10 : 3.0 * kUnit;
        return {fit, first, 0, row, level, form, doubt, form == Form::products ? 0x1p-16 : 0x1p-12, false};
    }

    /// Columns [first, last) of all points, scaled for a fit, or by the smallest weights (-1).
    const float* scaled(Whole fit, Whole first, Whole last) {
        if (p.is_cosine) {
            if (directed_ != fit) {
                directions_.assign(static_cast<std::size_t>(p.q * p.width), 0.0);
                p.fill_directions(std::max<Whole>(fit, 0), directions_.data());
                directed_ = fit;
            }
            z_.resize(static_cast<std::size_t>((last - first) * p.width + kTogether));
            const double* own = directions_.data() + first * p.width;
            for (Whole place = 0; place < (last - first) * p.width; ++place) at(z_, place) = static_cast<float>(own[place] * 0.7071067811865476);
            return z_.data();
        }
        const float* base = p.base.data() + first * p.width;
        if (p.base.empty()) {
            if (base_first_ != first) {
                base_.resize(static_cast<std::size_t>(kTerms * p.width + kTogether));
                p.fill_base(first, std::min(first + kTerms, p.q), base_.data());
                base_first_ = first;
            }
            base = base_.data();
        }
        if (fit < 0) return base;
        if (z_fit_ == fit && z_first_ == first && z_last_ == last) return z_.data();
        z_.resize(static_cast<std::size_t>((last - first) * p.width + kTogether));
        z_fit_ = fit, z_first_ = first, z_last_ = last;
        const bool is_squared = p.form != Form::moduli;
        for (Whole column = first; column < last; ++column) {
            const double weight = p.weights(fit)[p.place(column)], own = is_squared ? std::sqrt(weight) : weight;
            const double common = p.scale()[column], ratio = common > 0.0 ? own / common : 0.0;
            is_cut_ |= ratio > kLargestRatio;
            const float times = static_cast<float>(std::min(ratio, kLargestRatio));
            const float* values = base + (column - first) * p.width;
            float* out = z_.data() + (column - first) * p.width;
            if (column < p.complete) {
                for (Whole point = 0; point < p.width; ++point) out[point] = values[point] * times;
                continue;
            }
            const double filling = (p.fill(fit, column - p.complete) - p.centre(column)) * common;
            const float gap = static_cast<float>(std::clamp(filling, -kLargestBase, kLargestBase));
            for (Whole point = 0; point < p.width; ++point) {
                out[point] = (values[point] == values[point] ? values[point] : gap) * times;
            }
        }
        return z_.data();
    }

    void add_norms(const float* z, Whole columns, float* norms) const {
        for (Whole column = 0; column < columns; ++column) {
            const float* own = z + column * p.width;
            if (p.form == Form::moduli) {
                for (Whole point = 0; point < p.width; ++point) norms[point] += own[point] < 0.0f ? -own[point] : own[point];
            } else {
                for (Whole point = 0; point < p.width; ++point) norms[point] += own[point] * own[point];
            }
        }
    }

    /// From norms to the contribution of both points to a bound; infinite beyond the points.
    void set_levels(Run& run) {
        float *norms = norms_.data() + run.level * p.width, *levels = levels_.data() + run.level * p.width;
        if (p.is_cosine) std::fill(norms, norms + p.width, 0.5f);
        const float times = static_cast<float>(run.form == Form::products ? 1.0 - run.doubt : -run.doubt);
        float most = 0.0f;
        for (Whole point = 0; point < p.points.size(); ++point) {
            most = std::max(most, norms[point]);
            levels[point] = norms[point] * times - 1e-37f;
        }
        std::fill(levels + p.points.size(), levels + p.width, std::numeric_limits<float>::infinity());
        const double largest = p.form == Form::moduli ? kLargestBase : kLargestBase * kLargestBase;
        run.is_tight = (run.fit >= 0 || p.is_shared) && most < 0.5 * largest && !is_cut_;
    }

    /// (terms, step_) values of the queries of a run, contiguous.
    void gather(const Run& run, const Task* tasks, const float* z, Whole columns) {
        const Whole step = step_ = padded(run.count, kTogether);
        queries_at_ = z + tasks[run.first].point;
        if (tasks[run.first + run.count - 1].point - tasks[run.first].point == run.count - 1) {  // they are already contiguous
            step_ = p.width;
            return;
        }
        panel_.resize(static_cast<std::size_t>(columns * step + kTogether));
        queries_at_ = panel_.data();
        asking_.resize(static_cast<std::size_t>(run.count));
        for (Whole task = 0; task < run.count; ++task) at(asking_, task) = static_cast<std::int32_t>(tasks[run.first + task].point);
        const std::int32_t* points = asking_.data();
        float* out = panel_.data();
        for (Whole column = 0; column < columns; ++column, out += step, z += p.width) {
            for (Whole task = 0; task < run.count; ++task) out[task] = z[points[task]];
        }
    }

    /// Add some columns to the sums of a run's queries and these blocks, or start them.
    ///
    /// is_whole: the queries are all points, so that half of the products are sufficient; see mirror().
    void add_sums(const Run& run, const float* z, Whole columns, bool begins, bool is_whole, Watch& watch) {
        const Whole width = static_cast<Whole>(blocks_.size()) * kBlock;
        const auto add = run.form == Form::squares ? add_tile<Form::squares> : run.form == Form::products ? add_tile<Form::products> : add_tile<Form::moduli>;
        for (Whole first = 0; first < columns; first += kTerms) {
            const Whole many = std::min(kTerms, columns - first);
            watch.check();
            for (Whole place = 0; place < static_cast<Whole>(blocks_.size()); ++place) {
                const Whole begin = at(blocks_, place) * kBlock, points = std::min(kBlock, p.points.size() - begin);
                const float* block = z + first * p.width + begin;
                for (Whole query = 0; query < run.count && !(is_whole && query >= begin + kBlock); query += kTogether) {
                    float* out = sums_.data() + (run.row + query) * width + place * kBlock;
                    const Whole from = is_whole && query > begin ? (query - begin) / kStep * kStep : 0;
                    add(queries_at_ + first * step_ + query, step_, block, p.width, many, out, width, from, points, begins && first == 0);
                }
            }
        }
    }

    /// Fill in the sums of points with earlier ones.
    void mirror() {
        const Whole width = static_cast<Whole>(blocks_.size()) * kBlock;
        for (Whole start = 0; start < p.points.size(); start += kStep) {
            for (Whole point = start + kStep; point < p.points.size(); ++point) {
                float* out = sums_.data() + point * width;
                for (Whole other = start; other < start + kStep; ++other) out[other] = at(sums_, other * width + point);
            }
        }
    }

    /// Sums of all tasks with all points.
    void bound(const Task* tasks, Whole count, Watch& watch) {
        list_.clear();
        rows_.resize(static_cast<std::size_t>(count));
        runs_.resize(rows_.size());
        Whole row = 0;
        for (Whole task = 0; task < count; ++task) {
            if (task == 0 || tasks[task].fit != list_.back().fit) {
                row = padded(row, kTogether);
                list_.push_back(run_of(tasks[task].fit, task, row, static_cast<Whole>(list_.size())));
            }
            ++list_.back().count;
            at(rows_, task) = row++;
        }
        const Whole levels = static_cast<Whole>(list_.size()) * p.width;
        sums_.resize(static_cast<std::size_t>(padded(row, kTogether) * p.width));
        const bool is_whole = count == p.points.size() && list_.size() == 1 && terms(list_[0].fit) >= kHalf;
        if (terms(list_[0].fit) == 0) std::fill(sums_.begin(), sums_.end(), 0.0f);
        levels_.resize(static_cast<std::size_t>(levels));
        const bool is_known = list_.size() == 1 && list_[0].fit < 0 && is_levelled_;  // as for the previous tasks
        is_cut_ = false;
        if (!is_known) norms_.assign(static_cast<std::size_t>(levels), 0.0f);
        for (Whole first = 0; first < p.q; first += kTerms) {
            for (const Run& run : list_) {
                const Whole last = std::min(first + kTerms, terms(run.fit));
                if (last <= first) continue;
                const float* z = scaled(run.fit, first, last);
                if (!is_known) add_norms(z, last - first, norms_.data() + run.level * p.width);
                gather(run, tasks, z, last - first);
                add_sums(run, z, last - first, first == 0, is_whole, watch);
            }
        }
        if (is_whole) mirror();
        for (Run& run : list_) {
            if (!is_known) set_levels(run);
            else run.is_tight = was_tight_;
            for (Whole task = run.first; task < run.first + run.count; ++task) at(runs_, task) = run;
        }
        is_levelled_ = list_.size() == 1 && list_[0].fit < 0;
        was_tight_ = list_[0].is_tight;
    }

    // Queries

    void open(const Task& task, Query& query) {
        query.point = task.point;
        query.is_alone = task.fit < 0 && p.points.is_alone(task.point);
        query.repeat.clear();
        query.label.clear();
        if (task.fit >= 0) {
            query.repeat.push_back(task.fit / p.folds());
            query.label.push_back(task.fit % p.folds());
        } else if (query.is_alone) {
            const Whole* labels = p.labels(p.points.first(task.point));
            query.label.assign(labels, labels + p.repeats);
            query.repeat.resize(query.label.size());
            std::iota(query.repeat.begin(), query.repeat.end(), 0);
        } else {
            for (const Whole row : p.points.of(task.point)) {
                for (Whole repeat = 0; repeat < p.repeats; ++repeat) {
                    const Whole label = p.label(repeat, row);
                    if (label < 0 || at(slots_, repeat * p.folds() + label) >= 0) continue;
                    at(slots_, repeat * p.folds() + label) = static_cast<Whole>(query.repeat.size());
                    query.repeat.push_back(repeat);
                    query.label.push_back(label);
                }
            }
        }
        query.fits = static_cast<Whole>(query.repeat.size());
        if (task.fit < 0 && !query.is_alone) number_fits(query, false);
        query.lanes = padded(query.fits, kFits);
        query.repeat.resize(static_cast<std::size_t>(query.lanes), 0);
        query.label.resize(static_cast<std::size_t>(query.lanes), -3);
        query.number.resize(query.label.size());
        query.best.assign(static_cast<std::size_t>(p.k * query.lanes), kInfinity);
        query.nearest.assign(query.best.size(), p.n);
        for (Whole fit = 0; fit < query.lanes; ++fit) {
            at(query.number, fit) = p.fit(at(query.repeat, fit), at(query.label, fit));
            for (Whole place = 0; place < p.k && at(query.label, fit) < 0; ++place) at(query.best, place * query.lanes + fit) = -kInfinity;
        }
        query.reach = kInfinity;
        query.measured = 0;
        ++asked_;
        far_.resize(static_cast<std::size_t>(std::max(query.lanes, static_cast<Whole>(far_.size()))));
        if (p.is_cosine) return;
        query.values = nullptr;
        if (p.is_shared || p.q > kFewColumns || query.fits == 1) return;
        query.weights.resize(static_cast<std::size_t>(p.q * query.lanes));
        for (Whole fit = 0; fit < query.lanes; ++fit) {
            const double* own = p.weights(fit < query.fits ? at(query.number, fit) : 0);
            double* out = query.weights.data() + fit;
            const Whole lanes = query.lanes;
            for (Whole column = 0; column < p.complete; ++column) out[column * lanes] = own[column];
            for (Whole column = p.complete; column < p.q; ++column) out[column * lanes] = own[p.place(column)];
        }
    }

    /// Process the points of the current blocks in the order of their bounds, while these are within reach.
    ///
    /// is_certain: if bounds alone determine the order, they replace distances.
    void settle(Query& query, Whole row, const Run& run, bool is_certain, Watch& watch) {
        const Whole count = static_cast<Whole>(blocks_.size());
        float* sums = sums_.data() + row * count * kBlock;
        const float *levels = levels_.data() + run.level * p.width, *norms = norms_.data() + run.level * p.width;
        auto* keys = reinterpret_cast<std::int32_t*>(sums);
        const float times = run.form == Form::products ? -2.0f : 1.0f;
        least_.assign(static_cast<std::size_t>(padded(count, kSingles)), kNoKey);
        for (Whole place = 0; place < count; ++place) {
            const Whole first = at(blocks_, place) * kBlock, own = query.point - first;
            // A row is never its own neighbour; some of a point's own rows may be trained on.
            if (p.points.is_alone(query.point) && own >= 0 && own < kBlock) sums[place * kBlock + own] = times * std::numeric_limits<float>::infinity();
            at(least_, place) = keys_of(sums + place * kBlock, std::min(kBlock, p.points.size() - first), times, levels + first, levels[query.point]);
        }
        const double keep = 1.0 - 2.0 * run.slack, slack = run.slack;
        const double mine = norms[query.point];
        double passed = -1.0;
        std::int32_t limit = limit_of(query.reach, slack);
        Whole block = least_block();
        std::int32_t key = at(least_, block);
        for (Whole taken = 0; key <= limit && key < kNoKey; ++taken) {
            if (taken % 256 == 255) watch.check();
            const Whole lane = key & (kBlock - 1), point = at(blocks_, block) * kBlock + lane;
            keys[block * kBlock + lane] = kNoKey;
            at(least_, block) = smallest(keys + block * kBlock, kBlock);
            block = least_block();
            const std::int32_t next = at(least_, block);
            const double bound = value_of(key), above = (bound + 2.0 * run.doubt * (mine + norms[point]) + 1e-36) * (1.0 + 8.0 * slack);
            if (is_certain && passed < bound * keep && (next >= kNoKey || above < value_of(next) * keep)) {
                std::fill_n(far_.data(), query.lanes, bound);
            } else {
                if (++query.measured > most_) return;
                measure(query, point);
            }
            passed = std::max(passed, above);
            offer(query, point);
            limit = limit_of(query.reach, slack);
            key = next;
        }
    }

    Whole least_block() const {
        return std::find(least_.begin(), least_.end(), smallest(least_.data(), static_cast<Whole>(least_.size()))) - least_.begin();
    }

    /// The key of the largest bound possible for a distance within reach.
    static std::int32_t limit_of(double reach, double slack) {
        const double bound = reach * (1.0 + 4.0 * slack);
        if (!(bound < 1e38)) return kNoKey - 1;
        return bound < 0.0 ? -1 : std::bit_cast<std::int32_t>(static_cast<float>(bound)) | static_cast<std::int32_t>(kBlock - 1);
    }

    // Distances

    /// Fill in the distances of a query to a point in all its fits; squared for Euclidean.
    void measure(Query& query, Whole point) {
        if (p.is_cosine) {
            std::fill_n(far_.data(), query.lanes, distance_of_directions(query.point, point));
            return;
        }
        const double *own_row = values_of(query), *other = p.row(p.points.first(point), room_);
        if (p.is_shared) {
            std::fill_n(far_.data(), query.lanes, distance(own_row, other, 0, p.weights(0)));
        } else if (p.q <= kFewColumns && query.fits > 1) {
            measure_side_by_side(query, own_row, other);
        } else if (p.q > kFewColumns && p.form != Form::moduli) {
            Whole own = 0;
            for (; own + 5 <= query.fits; own += 5) measure_five(query, own_row, other, own);
            for (; own < query.fits; ++own) at(far_, own) = distance(own_row, other, at(query.number, own), p.weights(at(query.number, own)));
        } else {
            for (Whole own = 0; own < query.fits; ++own) {
                const Whole number = at(query.number, own);
                at(far_, own) = distance(own_row, other, number, p.weights(number));
            }
        }
    }

    /// The same for five fits, with identical results.
    void measure_five(const Query& query, const double* a, const double* b, Whole first) {
        Lanes total[5];
        const double* weights[5];
        for (int own = 0; own < 5; ++own) {
            total[own] = Lanes::all(0.0);
            weights[own] = p.weights(at(query.number, first + own));
        }
        const Whole start = padded(p.complete, kLanes);
        for (Whole place = 0; place < start; place += kLanes) {
            const Lanes step = Lanes::load(a + place) - Lanes::load(b + place), square = step * step;
            for (int own = 0; own < 5; ++own) total[own] = total[own] + square * Lanes::load(weights[own] + place);
        }
        for (int own = 0; own < 5; ++own) {
            if (p.gaps > 0) total[own] = with_gaps(total[own], a + start, b + start, at(query.number, first + own), weights[own] + start, true);
            at(far_, first + own) = total[own].sum();
        }
    }

    const double* values_of(Query& query) const {
        if (query.values == nullptr) query.values = p.row(p.points.first(query.point), query.room);
        return query.values;
    }

    double distance_of_directions(Whole i, Whole j) const {
        double total = 0.0;
        for (Whole column = 0; column < p.q; ++column) {
            const double* own = directions_.data() + column * p.width;
            total += own[i] * own[j];
        }
        return std::min(std::max(1.0 - total, 0.0), 2.0);
    }

    [[gnu::always_inline]] static double term(double step, double weight, bool is_squared) {
        return is_squared ? step * step * weight : std::abs(step) * weight;
    }

    double filled(double value, Whole fit, Whole gap) const { return std::isnan(value) ? p.fill(fit, gap) : value; }

    double distance(const double* a, const double* b, Whole fit, const double* weights) const {
        const bool is_squared = p.form != Form::moduli;
        if (!p.is_shared && p.q <= kFewColumns) {
            double total = 0.0;
            for (Whole column = 0; column < p.complete; ++column) total += term(a[column] - b[column], weights[column], is_squared);
            const Whole start = padded(p.complete, kLanes);
            for (Whole gap = 0; gap < p.gaps; ++gap) {
                const double step = filled(a[start + gap], fit, gap) - filled(b[start + gap], fit, gap);
                total += term(step, weights[start + gap], is_squared);
            }
            return total;
        }
        Lanes total = Lanes::all(0.0);
        const Whole start = padded(p.complete, kLanes);
        for (Whole place = 0; place < start; place += kLanes) {
            Lanes step = Lanes::load(a + place) - Lanes::load(b + place);
            if (is_squared) {
                step = step * step;
            } else {
                for (int part = 0; part < kParts; ++part) step.part[part] = step.part[part] < 0.0 ? -step.part[part] : step.part[part];
            }
            total = total + step * Lanes::load(weights + place);
        }
        if (p.gaps > 0) total = with_gaps(total, a + start, b + start, fit, weights + start, is_squared);
        return total.sum();
    }

    /// Add the columns with missing values to the lanes.
    Lanes with_gaps(Lanes total, const double* a, const double* b, Whole fit, const double* weights, bool is_squared) const {
        for (Whole first = 0; first < p.gaps; first += kLanes) {
            double terms[kLanes] = {};
            for (Whole gap = first; gap < std::min(p.gaps, first + kLanes); ++gap) {
                terms[gap - first] = term(filled(a[gap], fit, gap) - filled(b[gap], fit, gap), weights[gap], is_squared);
            }
            total = total + Lanes::load(terms);
        }
        return total;
    }

    void measure_side_by_side(const Query& query, const double* own, const double* other) {
        const bool is_squared = p.form != Form::moduli;
        const Whole start = padded(p.complete, kLanes);
        for (Whole first = 0; first < query.lanes; first += kFits) {
            constexpr int kPieces = static_cast<int>(kFits) / kWidth;
            Part total[kPieces] = {};
            const double* weights = query.weights.data() + first;
            for (Whole column = 0; column < p.complete; ++column, weights += query.lanes) {
                const double step = own[column] - other[column], size = is_squared ? step * step : std::abs(step);
                for (int piece = 0; piece < kPieces; ++piece) {
                    Part weight;
                    std::memcpy(&weight, weights + piece * kWidth, sizeof weight);
                    total[piece] += size * weight;
                }
            }
            std::memcpy(far_.data() + first, total, sizeof total);
            for (Whole gap = 0; gap < p.gaps; ++gap, weights += query.lanes) {
                const double a = own[start + gap], b = other[start + gap];
                for (Whole fit = 0; fit < kFits; ++fit) {
                    const Whole number = at(query.number, first + fit);
                    at(far_, first + fit) += term(filled(a, number, gap) - filled(b, number, gap), weights[fit], is_squared);
                }
            }
        }
    }

    // The nearest so far

    /// Offer a point's rows to a query, in every fit that trains on them.
    void offer(Query& query, Whole point) {
        const Whole row = p.points.first(point), lanes = query.lanes;
        if (p.k == 1 && query.is_alone && p.points.is_alone(point)) {
            query.reach = offer_row(query, row);
            return;
        }
        query.reach = -kInfinity;
        for (Whole fit = 0; fit < query.fits; ++fit) {
            double* best = query.best.data() + fit;
            Whole* nearest = query.nearest.data() + fit;
            const double far = at(far_, fit);
            const Whole last = (p.k - 1) * lanes, label = at(query.label, fit), repeat = at(query.repeat, fit);
            if (far < best[last] || (far == best[last] && row < nearest[last])) {
                Whole count = 0;
                for (const Whole own : p.points.of(point)) {
                    const Whole theirs = p.labels(own)[repeat];
                    if (theirs == label || theirs < -1) continue;
                    Whole place = last;
                    const auto is_nearer = [&](Whole than) { return far < best[than] || (far == best[than] && own < nearest[than]); };
                    if (!is_nearer(last)) break;
                    for (; place > 0 && is_nearer(place - lanes); place -= lanes) {
                        best[place] = best[place - lanes];
                        nearest[place] = nearest[place - lanes];
                    }
                    best[place] = far;
                    nearest[place] = own;
                    if (++count == p.k) break;
                }
            }
            query.reach = std::max(query.reach, best[last]);
        }
    }

    double offer_row(Query& query, Whole row) {
        const Whole* labels = p.labels(row);
        Part reach = Part{} - kInfinity;
        for (Whole fit = 0; fit < query.lanes; fit += kWidth) {
            Part best, far;
            WholePart nearest, mine, theirs;
            std::memcpy(&best, query.best.data() + fit, sizeof best);
            std::memcpy(&far, far_.data() + fit, sizeof far);
            std::memcpy(&nearest, query.nearest.data() + fit, sizeof nearest);
            std::memcpy(&mine, query.label.data() + fit, sizeof mine);
            std::memcpy(&theirs, labels + fit, sizeof theirs);
            const WholePart takes = ((far < best) | ((far == best) & (row < nearest))) & (theirs != mine) & (theirs >= -1);
            best = takes ? far : best;
            nearest = takes ? row - WholePart{} : nearest;
            reach = best > reach ? best : reach;
            std::memcpy(query.best.data() + fit, &best, sizeof best);
            std::memcpy(query.nearest.data() + fit, &nearest, sizeof nearest);
        }
        double most = reach[0];
        for (int lane = 1; lane < kWidth; ++lane) most = std::max(most, reach[lane]);
        return most;
    }

    /// Record, or delete, the position of each of a query's fits.
    void number_fits(const Query& query, bool notes) {
        for (Whole fit = 0; fit < query.fits; ++fit) {
            at(slots_, at(query.repeat, fit) * p.folds() + at(query.label, fit)) = notes ? fit : -1;
        }
    }

    /// Write the results for the rows of a point, or that too much was left to measure.
    void close(const Task& task, Query& query) {
        if (query.measured > most_) {
            open_tasks.push_back(task);
            return;
        }
        if (task.fit < 0 && !query.is_alone) number_fits(query, true);
        for (const Whole row : p.points.of(task.point)) {
            if (task.fit >= 0) {
                if (p.label(query.repeat[0], row) == query.label[0]) write(query, row, 0);
                continue;
            }
            const Whole* labels = p.labels(row);
            for (Whole repeat = 0; repeat < p.repeats; ++repeat) {
                if (labels[repeat] < 0) continue;
                write(query, row, query.is_alone ? repeat : at(slots_, repeat * p.folds() + labels[repeat]));
            }
        }
        if (task.fit < 0 && !query.is_alone) number_fits(query, false);
    }

    void write(Query& query, Whole row, Whole fit) {
        const auto out = found_[row][at(query.repeat, fit)];
        for (Whole place = 0; place < p.k; ++place) {
            const Whole own = at(query.nearest, place * query.lanes + fit);
            out[place] = own < p.n ? own : -1;
            if (!options_.measures || own == p.n) continue;
            double& far = distances_[row][at(query.repeat, fit)][place];
            far = at(query.best, place * query.lanes + fit);
            if (p.is_cosine) continue;
            const Whole number = at(query.number, fit);
            far = distance(values_of(query), p.row(own, room_), number, p.last_weights(number));
            if (p.form != Form::moduli) far = std::sqrt(far);
        }
    }

    // Trees

    /// Search for nearby points: blocks by the distance of their boxes, a few, then more.
    void search_in_tree(const Task* tasks, Whole count, Watch& watch) {
        Run run = run_of(tasks[0].fit, 0, 0, 0);
        run.count = count;
        const Whole columns = terms(run.fit), all = p.width / kBlock;
        const float* z = scaled(run.fit, 0, columns);
        if (tree_fit_ != run.fit) {
            is_cut_ = false;
            norms_.assign(static_cast<std::size_t>(p.width), 0.0f);
            levels_.resize(norms_.size());
            add_norms(z, columns, norms_.data());
            set_levels(run);
            list_boxes(z, columns);
            tree_fit_ = run.fit;
        }
        gather(run, tasks, z, columns);
        bound_blocks(run, columns);
        queries_.resize(static_cast<std::size_t>(std::max(count, static_cast<Whole>(queries_.size()))));
        for (Whole task = 0; task < count; ++task) open(tasks[task], at(queries_, task));
        const auto later = [](const std::pair<float, Whole>& a, const std::pair<float, Whole>& b) { return a > b; };
        std::make_heap(order_.begin(), order_.end(), later);
        Whole left = all;
        float limit = std::numeric_limits<float>::infinity();
        for (Whole wave = 4; left > 0; wave = std::min<Whole>(2 * wave, 64)) {
            blocks_.clear();
            while (left > 0 && static_cast<Whole>(blocks_.size()) < wave && order_.front().first <= limit) {
                blocks_.push_back(order_.front().second);
                std::pop_heap(order_.begin(), order_.begin() + left--, later);
            }
            if (blocks_.empty()) break;
            sums_.resize(blocks_.size() * static_cast<std::size_t>(kBlock * padded(count, kTogether)));
            add_sums(run, z, columns, true, false, watch);
            std::int32_t farthest = -1;
            for (Whole task = 0; task < count; ++task) {
                if (at(queries_, task).measured > most_) continue;
                settle(at(queries_, task), task, run, false, watch);
                farthest = std::max(farthest, limit_of(at(queries_, task).reach, run.slack));
            }
            if (farthest < 0) break;
            limit = std::bit_cast<float>(farthest);
        }
        for (Whole task = 0; task < count; ++task) close(tasks[task], at(queries_, task));
    }

    void list_boxes(const float* z, Whole columns) {
        const Whole all = p.width / kBlock;
        lows_.assign(static_cast<std::size_t>(columns * all), 0.0f);
        highs_ = lows_;
        largest_.assign(static_cast<std::size_t>(all), 0.0f);
        for (Whole block = 0; block < all; ++block) {
            const Whole first = block * kBlock, end = std::min(first + kBlock, p.points.size());
            for (Whole column = 0; column < columns; ++column) {
                const auto [low, high] = std::minmax_element(z + column * p.width + first, z + column * p.width + end);
                at(lows_, column * all + block) = *low;
                at(highs_, column * all + block) = *high;
            }
            at(largest_, block) = *std::max_element(norms_.data() + first, norms_.data() + end);
        }
    }

    /// Compute lower bounds for the distances of a run's queries to each block.
    void bound_blocks(const Run& run, Whole columns) {
        const Whole all = p.width / kBlock;
        apart_.assign(static_cast<std::size_t>(all), 0.0f);
        for (Whole column = 0; column < columns; ++column) {
            float low = std::numeric_limits<float>::infinity(), high = -low;
            for (Whole task = 0; task < run.count; ++task) {
                const float own = queries_at_[column * step_ + task];
                low = std::min(low, own);
                high = std::max(high, own);
            }
            const float *from = lows_.data() + column * all, *to = highs_.data() + column * all;
            float* out = apart_.data();
            const bool is_squared = run.form != Form::moduli;
            for (Whole block = 0; block < all; ++block) {
                const float above = from[block] - high, below = low - to[block], gap = above > below ? above : below;
                const float step = gap > 0.0f ? gap : 0.0f;
                out[block] += is_squared ? step * step : step;
            }
        }
        float mine = 0.0f;
        order_.resize(static_cast<std::size_t>(all));
        for (Whole block = 0; block < all; ++block) mine = std::max(mine, at(largest_, block));
        const float doubt = static_cast<float>(run.doubt);
        for (Whole block = 0; block < all; ++block) {
            const float own = at(apart_, block) * static_cast<float>(1.0 - 0x1p-12) - doubt * (mine + at(largest_, block)) - 1e-36f;
            at(order_, block) = {own, block};
        }
    }

    const Problem& p;
    const NeighbourOptions& options_;
    View<Whole, 3> found_;
    View<double, 3> distances_;
    bool is_careful_;
    const float* queries_at_ = nullptr;
    Whole step_ = 0;
    std::vector<Whole> slots_;  // (repeats * folds,) position of a fit in the current query, else -1
    Room<float> z_, base_, panel_, sums_, norms_, levels_;
    Room<double> directions_, far_, room_;
    Whole z_fit_ = -1, z_first_ = 0, z_last_ = 0, base_first_ = -1, directed_ = -2, tree_fit_ = -2;
    bool is_cut_ = false, is_levelled_ = false, was_tight_ = false;
    std::vector<Run> list_, runs_;
    std::vector<Whole> rows_, blocks_;
    std::vector<std::int32_t> asking_;  // points of the current queries
    Room<std::int32_t> least_;
    std::vector<Query> queries_;
    std::vector<float> lows_, highs_, largest_, apart_;
    std::vector<std::pair<float, Whole>> order_;
    Whole asked_ = 0, most_ = 0;  // tasks so far; maximum number of points to measure for one
};

/// Search the neighbours of all tested rows of a measurement.
void search_all(const Problem& p, const NeighbourOptions& options, View<Whole, 3> found, View<double, 3> distances, const Effort& effort) {
    std::fill_n(found.data(), found.count(), -1);
    std::fill_n(distances.data(), distances.count(), kInfinity);
    std::vector<Task> tasks, left;
    const auto work = [&](bool may_stop, bool by_fit) {
        std::vector<Search> workers(static_cast<std::size_t>(effort.threads), Search(p, options, found, distances, !may_stop));
        const Whole count = static_cast<Whole>(tasks.size());
        const bool is_narrow = p.q <= kTerms || p.is_tree;
        Whole together = is_narrow ? kGroup : std::max(kGroup, kRoom / p.width / kTogether * kTogether);
        if (p.width * p.points.size() <= kRoom && p.q >= kHalf) together = std::max(together, p.points.size());
        if (effort.threads > 1) together = std::min(together, std::max(kGroup, padded((count + effort.threads - 1) / effort.threads, kTogether)));
        std::vector<Whole> starts;  // in a tree and for directions, only tasks with one fit
        for (Whole task = 0; task < count; ++task) {
            const bool is_next = !starts.empty() && task - starts.back() < together &&
                                 !(by_fit && (p.is_tree || p.is_cosine) && at(tasks, task).fit != at(tasks, starts.back()).fit);
            if (!is_next) starts.push_back(task);
        }
        starts.push_back(count);
        share(static_cast<Whole>(starts.size()) - 1, effort, [&](Whole part, int number) {
            const Whole first = at(starts, part);
            at(workers, number).search(tasks.data() + first, at(starts, part + 1) - first, may_stop, effort.watch);
        });
        for (const Search& worker : workers) left.insert(left.end(), worker.open_tasks.begin(), worker.open_tasks.end());
    };
    const bool by_fit = !p.is_shared && (p.is_cosine || static_cast<double>(p.gaps) > kManyGaps * static_cast<double>(p.q));
    for (Whole point = 0; point < p.points.size(); ++point) {
        const auto rows = p.points.of(point);
        if (std::any_of(rows.begin(), rows.end(), [&](Whole row) { return p.is_tested(row); })) (by_fit ? left : tasks).push_back({point});
    }
    if (!by_fit) work(!p.is_shared || (p.form == Form::products && p.q <= kTerms), false);
    if (left.empty()) return;
    std::sort(left.begin(), left.end(), [](const Task& a, const Task& b) { return a.point < b.point; });
    if (p.is_shared) {
        tasks = std::move(left);
        left.clear();
        return work(false, false);
    }
    tasks.clear();
    for (Whole repeat = 0; repeat < p.repeats; ++repeat) {
        const std::size_t first = tasks.size();
        for (const Task& task : left) {
            std::vector<Whole> own;
            for (const Whole row : p.points.of(task.point)) {
                if (p.label(repeat, row) >= 0) own.push_back(p.label(repeat, row));
            }
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
            for (const Whole label : own) tasks.push_back({task.point, repeat * p.folds() + label});
        }
        std::stable_sort(tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.end(), [](const Task& a, const Task& b) { return a.fit < b.fit; });
    }
    left.clear();
    work(false, true);
}

/// Offsets of the given weights and imputed values of each measurement.
std::vector<std::array<Whole, 2>> starts_of(const Measurements& all, const NeighbourOptions& options) {
    std::vector<std::array<Whole, 2>> starts{{0, 0}};
    for (Whole measurement = 0; measurement < all.size(); ++measurement) {
        auto next = starts.back();
        for (const std::int32_t column : all.columns[measurement]) {
            const bool has_gaps = options.has_gaps[column] != 0;
            next[0] += has_gaps || !options.learns;
            next[1] += has_gaps;
        }
        starts.push_back(next);
    }
    return starts;
}

/// Do work(measurement, effort) for each: several in parallel, and the last ones each on all threads.
template <class Work>
void each(Whole count, const Effort& effort, Work work) {
    const Whole alone = effort.threads > 1 ? count - count % effort.threads : count;
    share(alone, effort, [&](Whole measurement, int) { work(measurement, Effort{1, effort.watch}); });
    for (Whole measurement = alone; measurement < count; ++measurement) work(measurement, effort);
}

}  // namespace

/// Fill in (m, n, repeats, k) training rows, -1 if there are fewer than k or the row is not tested, and, if requested,
/// the distances, infinite there; else (0, 0, 0, 0).
void nn_neighbours(Columns columns, const Measurements& measurements, const NeighbourOptions& options,
                   View<Whole, 4> neighbours, View<double, 4> distances, const Effort& effort) {
    const auto starts = starts_of(measurements, options);
    each(measurements.size(), effort, [&](Whole measurement, const Effort& own) {
        const auto [given, filled] = at(starts, measurement);
        const Problem problem(columns, measurements, options, measurement, given, filled, own.watch);
        search_all(problem, options, neighbours[measurement], options.measures ? distances[measurement] : View<double, 3>(), own);
    });
}

/// Fill in (m, repeats) the fraction of tested rows misclassified by the majority of their neighbours.
void nn_error_rates(Columns columns, Integers target, const Measurements& measurements, const NeighbourOptions& options,
                    Whole classes, View<double, 2> rates, const Effort& effort) {
    const auto starts = starts_of(measurements, options);
    const Whole n = target.size(), repeats = rates.extent(1), k = options.k;
    each(measurements.size(), effort, [&](Whole measurement, const Effort& own) {
        const auto [given, filled] = at(starts, measurement);
        const Problem problem(columns, measurements, options, measurement, given, filled, own.watch);
        std::vector<Whole> rows(static_cast<std::size_t>(n * repeats * k)), winners(static_cast<std::size_t>(n * repeats));
        search_all(problem, options, {rows.data(), {n, repeats, k}}, {}, own);
        const View<Whole, 2> said(winners.data(), {repeats, n});
        if (k == 1) {
            for (Whole row = 0; row < n; ++row) {
                for (Whole repeat = 0; repeat < repeats; ++repeat) {
                    const Whole neighbour = at(rows, row * repeats + repeat);
                    said[repeat][row] = neighbour < 0 ? 0 : target[neighbour];
                }
            }
        } else {
            majority({rows.data(), {n, repeats, k}}, target, classes, said);
        }
        error_rates(said, target, measurements.labels[measurements.folds_of[measurement]], rates[measurement]);
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
