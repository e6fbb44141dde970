// Operations of C4.5 on the sorted rows of a node: finding the best cut of each column, and sending rows two ways.
//
// The score of a cut is, over both sides, the sum of x log2 x over the class weights minus that of the side's weight: N
// times the remaining negative entropy, so that of two cuts of one node the one with the larger score gains more. J48
// goes through the cuts from below and takes the first; a later one replaces it if it is better by 1e-6 per row. Here
// the best of all is found first, and the rule is applied to those near it.
//
// entries: (m,) sorted rows of a node, see c45.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "core.hpp"
#include "lanes.hpp"

namespace fsdesk::FSDESK_LEVEL::c45 {

constexpr double kSmall = 1e-6;           // numbers closer than this are equal, in C4.5 release 8 as in J48
constexpr Whole kNone = -(Whole{1} << 62);  // below all scores
constexpr Whole kBlock = 16;              // positions of a list processed together, so that none is left over

inline bool is_smaller(double a, double b) { return b - a > kSmall; }
inline bool is_same(double a, double b) { return std::fabs(a - b) < kSmall; }

/// x log2 x, 0 if x is 0 up to rounding: without calls or branches, so that loops can be vectorized.
///
/// log2 m = sum over odd k of 2 / (k ln 2) s^k, s = (m - 1) / (m + 1); the remainder is below 1e-12.
[[gnu::always_inline]] inline double plogp(double x) {
    constexpr double ln2 = 0.6931471805599453;
    constexpr double c1 = 2.0 / ln2, c3 = 2.0 / (3 * ln2), c5 = 2.0 / (5 * ln2), c7 = 2.0 / (7 * ln2), c9 = 2.0 / (9 * ln2);
    constexpr double c11 = 2.0 / (11 * ln2), c13 = 2.0 / (13 * ln2);
    constexpr Whole root_half = 0x3FE6A09E667F3BCD;  // mantissas are taken from there to the root of 2
    const auto bits = std::bit_cast<Whole>(x > 1e-300 ? x : 1e-300);
    const Whole exponent = (bits - root_half) >> 52;
    const auto mantissa = std::bit_cast<double>(bits - static_cast<Whole>(static_cast<std::uint64_t>(exponent) << 52));
    const double s = (mantissa - 1.0) / (mantissa + 1.0), z = s * s;
    const double series = s * (c1 + z * (c3 + z * (c5 + z * (c7 + z * (c9 + z * (c11 + z * c13))))));
    const double found = x * (static_cast<double>(exponent) + series);
    return x >= kSmall ? found : 0.0;
}

inline double sum_of(const double* values, Whole count) {
    double total = 0.0;
    for (Whole each = 0; each < count; ++each) total += values[each];
    return total;
}

// Cuts if every row has weight 1

/// The best cut of a column: its score, in units of C45Table::unit; how many of the sorted rows are below it, 0 if no
/// cut gains; and the number of cuts.
struct UnitCut {
    Whole score, below, cuts;
};

/// Gains of cuts if all rows have weight 1, looked up instead of computed, in units of C45Table::unit.
struct Gains {
    std::vector<Whole> begins;  // (classes,) where the part of each class begins in `moved`
    std::vector<Whole> moved;   // by class and row of the class: increase of the score when this row goes below the cut
    std::vector<Whole> sides;   // x log2 x of both sides' totals, by the number of rows below

    Gains(Whole n, Whole classes)
        : begins(static_cast<std::size_t>(classes)), moved(static_cast<std::size_t>(n + 1 + kBlock)), sides(moved.size()) {}

    /// Fill in for rows with these class counts; return their own score, that of no cut.
    Whole fill(const double* counts, Whole classes, const Whole* whole) {
        Whole total = 0, score = 0;
        for (Whole each = 0; each < classes; ++each) {
            const Whole size = static_cast<Whole>(counts[each]);
            begins[static_cast<std::size_t>(each)] = total;
            Whole* own = moved.data() + total;
            const Whole* back = whole + size;
            for (Whole below = 0; below < size; ++below) {
                own[below] = (whole[below + 1] - whole[below]) - (back[-below] - back[-below - 1]);
            }
            score += whole[size];
            total += size;
        }
        const Whole* back = whole + total;
        Whole* both = sides.data();
        for (Whole below = 0; below <= total; ++below) both[below] = whole[below] + back[-below];
        return score;
    }
};

/// Bits of an entry.
struct Shifts {
    int of_class, of_rank;

    Whole row_bits() const { return (Whole{1} << of_class) - 1; }
    Whole kinds() const { return (Whole{1} << (of_rank - of_class)) - 1; }
};

/// Fill in the scores of all positions of two columns: while one waits for its last count, the other proceeds.
template <class Entry>
[[gnu::noinline]] void score_two(const Entry* one, const Entry* other, Whole count, Shifts shifts, Whole score,
                                 const Gains& gains, Whole* here, Whole* there, Whole* __restrict scores,
                                 Whole* __restrict others) {
    const Whole* moved = gains.moved.data();
    std::copy(gains.begins.begin(), gains.begins.end(), here);
    std::copy(gains.begins.begin(), gains.begins.end(), there);
    const auto kinds = static_cast<Entry>(shifts.kinds());
    const int shift = shifts.of_class;
    Whole second = score;
    for (Whole place = 0; place < count; ++place) {
        const auto kind = static_cast<std::size_t>((one[place] >> shift) & kinds);
        const auto kind_there = static_cast<std::size_t>((other[place] >> shift) & kinds);
        score += moved[here[kind]++];
        second += moved[there[kind_there]++];
        scores[place] = score;
        others[place] = second;
    }
}

/// The same of one column.
template <class Entry>
[[gnu::noinline]] void score_one(const Entry* one, Whole count, Shifts shifts, Whole score, const Gains& gains,
                                 Whole* here, Whole* __restrict scores) {
    const Whole* moved = gains.moved.data();
    std::copy(gains.begins.begin(), gains.begins.end(), here);
    const auto kinds = static_cast<Entry>(shifts.kinds());
    const int shift = shifts.of_class;
    for (Whole place = 0; place < count; ++place) {
        score += moved[here[static_cast<std::size_t>((one[place] >> shift) & kinds)]++];
        scores[place] = score;
    }
}

/// Subtract from the score of each position that of both sides' totals if it is a cut, set it to kNone elsewhere, also
/// beyond the last to the end of the block; return the largest and the number of cuts.
template <class Entry>
Whole keep_cuts(const Entry* under, const Entry* over, Whole count, Whole* __restrict scores,
                const Whole* __restrict sides, Entry rank, Whole& cuts) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Entry) == 4) {  // sixteen at a time
        const __m512i none = _mm512_set1_epi64(kNone), ranks = _mm512_set1_epi32(static_cast<int>(rank));
        __m512i best = none;
        for (Whole place = 0; place < count; place += kBlock) {
            const auto is_there = static_cast<__mmask16>(count - place >= kBlock ? 0xffff : (1 << (count - place)) - 1);
            const __m512i differs = _mm512_xor_si512(_mm512_loadu_si512(under + place), _mm512_loadu_si512(over + place));
            const unsigned is_cut = _mm512_mask_cmpge_epu32_mask(is_there, differs, ranks);
            for (int half = 0; half < 2; ++half) {
                Whole* own = scores + place + 8 * half;
                const __m512i both = _mm512_loadu_si512(sides + place + 8 * half);
                const auto is_own = static_cast<__mmask8>(is_cut >> (8 * half));
                const __m512i candidates = _mm512_mask_sub_epi64(none, is_own, _mm512_loadu_si512(own), both);
                _mm512_storeu_si512(own, candidates);
                best = _mm512_max_epi64(best, candidates);
            }
            cuts += std::popcount(is_cut);
        }
        return _mm512_reduce_max_epi64(best);
    }
#endif
    const Whole padded = (count + kBlock - 1) & -kBlock;
    Whole best = kNone;
    for (Whole place = 0; place < padded; ++place) {
        const bool is_cut = (static_cast<Entry>(under[place] ^ over[place]) >= rank) & (place < count);
        const Whole candidate = is_cut ? scores[place] - sides[place] : kNone;
        scores[place] = candidate;
        best = candidate > best ? candidate : best;
        cuts += is_cut;
    }
    return best;
}

/// The first position with this large a score, which exists.
inline Whole first_of(const Whole* scores, Whole least) {
    Whole place = 0;
#if defined(__AVX512F__)
    const __m512i wanted = _mm512_set1_epi64(least);
    for (;; place += 8) {
        const unsigned found = _mm512_cmpge_epi64_mask(_mm512_loadu_si512(scores + place), wanted);
        if (found != 0) return place + std::countr_zero(found);
    }
#endif
    while (scores[place] < least) ++place;
    return place;
}

/// The first cut that no other to its right beats by more than a tolerance, from the scores: the largest is found
/// without branches. At least `low` rows are on either side; scores of at most `floor` do not gain.
///
/// entries (total,), scores (total - low,) after each row, overwritten, sides: all extend by kBlock arbitrary numbers.
template <class Entry>
[[gnu::noinline]] UnitCut best_scored_cut(const Entry* entries, Whole total, Whole* __restrict scores,
                                          const Whole* __restrict sides, int rank_shift, Whole low, Whole floor,
                                          Whole tolerance) {
    const Whole count = total + 1 - 2 * low;
    const auto rank = static_cast<Entry>(Entry{1} << rank_shift);
    scores += low - 1;
    const Whole* both = sides + low;
    const Entry *under = entries + low - 1, *over = entries + low;
    Whole cuts = 0;
    const Whole best = keep_cuts(under, over, count, scores, both, rank, cuts);
    if (best <= floor) return {best, 0, cuts};
    // All before the first within twice the tolerance of the largest are beaten by it.
    Whole spot = first_of(scores, best - 2 * tolerance);
    Whole candidate = scores[spot];
    if (candidate < best - tolerance || candidate <= floor) {  // left open
        Whole highest = floor;
        for (Whole place = 0; place < count; ++place) {
            if (scores[place] > highest) {
                spot = place;
                highest = scores[place] + tolerance;
            }
        }
        candidate = highest - tolerance;
    }
    return {candidate, spot + low, cuts};
}

/// Number of listed rows below those of the common value, which has this many unlisted rows.
template <class Entry>
Whole below_common(const Entry* entries, Whole count, Whole hidden, Whole common, int rank_shift) {
    if (hidden == 0) return count;
    const auto first = static_cast<Entry>(static_cast<Entry>(common) << rank_shift);
    Whole lower = 0;
    for (Whole place = 0; place < count; ++place) lower += entries[place] < first;
    return lower;
}

/// Continue from the best of the cuts below the hidden rows; `last` is their rank in the entries.
template <class Entry>
Whole best_above(const Entry* entries, Whole many, Whole hidden, Whole lower, Entry last, Shifts shifts,
                 const Gains& gains, Whole* there, Whole* scores, Whole score, Whole low, Whole best, Whole tolerance,
                 Whole& spot) {
    std::copy(gains.begins.begin(), gains.begins.end(), there);
    const auto kinds = static_cast<Entry>(shifts.kinds());
    const auto rank = static_cast<Entry>(Entry{1} << shifts.of_rank);
    const Whole *moved = gains.moved.data(), *sides = gains.sides.data();
    for (Whole place = many - 1; place >= lower; --place) {
        score += moved[there[static_cast<std::size_t>((entries[place] >> shifts.of_class) & kinds)]++];
        scores[place] = score;
    }
    for (Whole place = lower; place <= many - low; ++place) {
        const Whole count = place + hidden, candidate = scores[place] - sides[count];
        if (candidate > best && low <= count && static_cast<Entry>(entries[place] ^ last) >= rank) {
            best = candidate + tolerance;
            spot = count;
        }
        last = entries[place];
    }
    return best;
}

/// The same as best_scored_cut with `hidden` rows of one value that are not listed.
///
/// There is no cut between rows of one value, so that those need not be listed. The score grows by the same numbers
/// whether the sides are filled from below or from above: so it does up to the hidden rows, and down to them.
template <class Entry>
[[gnu::noinline]] UnitCut best_unit_cut(const Entry* entries, Whole many, Whole hidden, Whole common, Shifts shifts,
                                        const Gains& gains, Whole* here, Whole* scores, Whole score, Whole low,
                                        Whole tolerance) {
    std::copy(gains.begins.begin(), gains.begins.end(), here);
    const Whole *moved = gains.moved.data(), *sides = gains.sides.data();
    const auto kinds = static_cast<Entry>(shifts.kinds());
    const auto rank = static_cast<Entry>(Entry{1} << shifts.of_rank);
    const auto last = static_cast<Entry>(static_cast<Entry>(common) << shifts.of_rank);
    const Whole lower = below_common(entries, many, hidden, common, shifts.of_rank), high = many + hidden - low;
    Whole best = score - sides[0] + tolerance, spot = 0, own = score, stop = std::min(lower, high);
    for (Whole place = 0; place < stop; ++place) {
        const Entry entry = entries[place];
        own += moved[here[static_cast<std::size_t>((entry >> shifts.of_class) & kinds)]++];
        const Whole candidate = own - sides[place + 1];
        // Whether this is a cut is checked last: such a large score is rare.
        if (__builtin_expect(candidate > best, 0) && place + 1 >= low) {
            const Entry upper = place + 1 < lower ? entries[place + 1] : last;
            if (static_cast<Entry>(upper ^ entry) >= rank) {
                best = candidate + tolerance;
                spot = place + 1;
            }
        }
    }
    if (lower < many) {
        best = best_above(entries, many, hidden, lower, last, shifts, gains, here, scores, score, low, best, tolerance,
                          spot);
    }
    if (spot == 0) return {best - tolerance, 0, 0};
    Whole cuts = 0;
    stop += lower > high;
    for (Whole place = low; place < stop; ++place) cuts += static_cast<Entry>(entries[place - 1] ^ entries[place]) >= rank;
    if (hidden > 0) {
        cuts += (low <= lower && lower <= high) + (low <= lower + hidden && lower + hidden <= high);
        for (Whole place = lower + 1; place < many; ++place) {
            const bool is_cut = static_cast<Entry>(entries[place - 1] ^ entries[place]) >= rank;
            cuts += is_cut & (low <= place + hidden) & (place + hidden <= high);
        }
    }
    return {best - tolerance, spot, cuts};
}

// Cuts if rows have weights: values are missing, or classes are balanced

/// The same, and the weight of the rows below.
struct Cut {
    double score;
    Whole below, cuts;
    double weight;
};

/// A weight on the growing side, and on the other.
struct alignas(16) Pair {
    double filled, rest;
};

typedef double Two __attribute__((vector_size(16), may_alias));  // a pair as one value

/// Changes while a cut moves up or down the sorted rows.
struct Sides {
    struct Place {
        std::int32_t rows, crossed;  // on the growing side, and crossings before
    };
    std::vector<Pair> weights;                // (classes,)
    std::vector<double> terms;                // (classes,) x log2 x of both, together
    std::vector<double> counts, known_terms;  // (classes,) for a column with missing values: of the rows with a known one
    std::vector<Pair> moves;                  // (n,) weights of a class that crosses,
    std::vector<std::uint16_t> groups;        // which class it is,
    std::vector<double> move_logs;            // and x log2 x of both, together
    std::vector<Pair> cuts;                   // (n,) weights of all rows at a possible cut,
    std::vector<Place> places;                // where that is,
    std::vector<double> scores;               // x log2 x of both, together, finally its score
    Whole moved = 0, count = 0;

    explicit Sides(Whole classes)
        : weights(static_cast<std::size_t>(classes)), terms(weights.size()), counts(weights.size()),
          known_terms(weights.size()) {}

    void make_room(Whole n) {
        const auto size = static_cast<std::size_t>(n + 1);
        if (groups.size() >= size) return;
        moves.resize(size);
        groups.resize(size);
        move_logs.resize(size);
        cuts.resize(size);
        places.resize(size);
        scores.resize(size);
    }

    /// Record what crosses, and where cuts are, on the way up (step 1) or down (-1) from `entry` on.
    ///
    /// Rows of one value are sorted by class, so that the last one of each crosses with all of them. There is no branch
    /// per row, because whether the next value differs is unpredictable.
    template <class Entry>
    [[gnu::noinline]] void cross(const Entry* entry, Whole many, Whole step, bool has_beyond, Entry beyond,
                                 Shifts shifts, const double* weight, double known, double least, const double* all) {
        for (std::size_t each = 0; each < weights.size(); ++each) weights[each] = {0.0, all[each]};
        const auto kinds = static_cast<Entry>(shifts.kinds()), row_bits = static_cast<Entry>(shifts.row_bits());
        const int of_class = shifts.of_class, of_rank = shifts.of_rank;
        Two both{0.0, known};
        Two *sides = reinterpret_cast<Two*>(weights.data()), *own_moves = reinterpret_cast<Two*>(moves.data() + moved);
        Two* own_cuts = reinterpret_cast<Two*>(cuts.data() + count);
        std::uint16_t* own_groups = groups.data() + moved;
        Place* own_places = places.data() + count;
        Whole move = 0, cut = 0;
        for (Whole place = 0; place < many;) {
            const Entry own = *entry;
            entry += step;
            ++place;
            const Entry after = place < many ? *entry : has_beyond ? beyond : own;
            const auto group = static_cast<std::size_t>((own >> of_class) & kinds);
            const double more = weight[own & row_bits];
            const Two crossing{more, -more}, side = sides[group] + crossing;
            both += crossing;
            sides[group] = side;
            own_moves[move] = side;
            own_groups[move] = static_cast<std::uint16_t>(group);
            const auto differs = static_cast<Entry>(own ^ after);
            move += differs >> of_class != 0;
            own_cuts[cut] = both;
            own_places[cut] = {static_cast<std::int32_t>(place), static_cast<std::int32_t>(move)};
            cut += (differs >> of_rank != 0) & (both[0] - least > -kSmall) & (both[1] - least > -kSmall);
        }
        moved += move;
        count += cut;
    }

    [[gnu::noinline]] static void take_logs(const Pair* pairs, double* __restrict logs, Whole many) {
        for (Whole step = 0; step < many; ++step) logs[step] = plogp(pairs[step].filled) + plogp(pairs[step].rest);
    }

    /// Fill in the scores of some cuts, whose crossings begin at a given position.
    [[gnu::noinline]] void score_cuts(Whole first, Whole end, Whole begin, double total, const double* start) {
        std::copy_n(start, terms.size(), terms.begin());
        double *own_terms = terms.data(), *own_scores = scores.data();
        const double* logs = move_logs.data() + begin;
        const std::uint16_t* own_groups = groups.data() + begin;
        const Place* own_places = places.data();
        Whole done = 0;
        for (Whole cut = first; cut < end; ++cut) {
            for (const Whole crossed = own_places[cut].crossed; done < crossed; ++done) {
                const double term = logs[done];
                double& own = own_terms[own_groups[done]];
                total += term - own;
                own = term;
            }
            own_scores[cut] = total - own_scores[cut];
        }
    }

    /// The first cut on the way up, then on the way down from below, that no later one beats by more than the
    /// tolerance; -1 if none exceeds the floor. See best_scored_cut.
    Whole first_best(Whole up, double floor, double tolerance) const {
        const double* own = scores.data();
        const double best = largest(own, count);
        if (!(best > floor)) return -1;
        const double near = best - 2 * tolerance;
        Whole place = 0;
        while (place < up && own[place] < near) ++place;
        if (place == up) {
            place = count - 1;
            while (own[place] < near) --place;
        }
        if (own[place] >= best - tolerance && own[place] > floor) return place;
        double highest = floor;
        Whole winner = -1;
        for (Whole each = 0; each < count; ++each) {
            const Whole cut = each < up ? each : count - 1 - (each - up);
            if (own[cut] > highest) {
                highest = own[cut] + tolerance;
                winner = cut;
            }
        }
        return winner;
    }

    static double largest(const double* values, Whole many) {
        Lanes best = Lanes::all(-kInfinity);
        Whole place = 0;
        for (; place + kLanes <= many; place += kLanes) {
            const Lanes own = Lanes::load(values + place);
            for (int p = 0; p < kParts; ++p) best.part[p] = own.part[p] > best.part[p] ? own.part[p] : best.part[p];
        }
        double lanes[kLanes], found = -kInfinity;
        best.store(lanes);
        for (const double own : lanes) found = std::max(found, own);
        for (; place < many; ++place) found = std::max(found, values[place]);
        return found;
    }

    /// The best cut; logarithms are computed once for each cut and class that crosses it, because there are often few
    /// values.
    ///
    /// known: weight of all rows; least: minimum on either side; base: score of no cut; total, start: sum and
    /// (classes,) x log2 x of the class weights `all`.
    template <class Entry>
    Cut best(const Entry* entries, Whole many, Whole hidden, Whole common, Shifts shifts, const double* weight,
             double known, double least, double base, double tolerance, double total, const double* all,
             const double* start) {
        const Whole lower = below_common(entries, many, hidden, common, shifts.of_rank);
        const auto beyond = hidden > 0 ? static_cast<Entry>(static_cast<Entry>(common) << shifts.of_rank) : Entry{0};
        moved = count = 0;
        cross(entries, lower, 1, hidden > 0, beyond, shifts, weight, known, least, all);
        const Whole moves_up = moved, up = count;
        if (lower < many) {
            cross(entries + many - 1, many - lower, -1, hidden > 0, beyond, shifts, weight, known, least, all);
        }
        take_logs(moves.data(), move_logs.data(), moved);
        take_logs(cuts.data(), scores.data(), count);
        score_cuts(0, up, 0, total, start);
        if (count > up) score_cuts(up, count, moves_up, total, start);
        const Whole winner = first_best(up, base + tolerance, tolerance);
        if (winner < 0) return {base, 0, count, 0.0};
        const double score = scores[winner] + tolerance - tolerance;  // as if compared with the others
        if (winner < up) return {score, places[winner].rows, count, cuts[winner].filled};
        return {score, many + hidden - places[winner].rows, count, known - cuts[winner].filled};
    }
};

// Sorted rows sent two ways

/// Send sorted rows two ways, those with way 0 to `ahead`, which may be `source` itself, and the others to `aside`;
/// return the number of the former. kBlock more entries may be read, and written at the end of either.
template <class Entry>
[[gnu::noinline]] Whole send(const Entry* source, Whole count, Entry row_bits, const std::int32_t* way, Entry* ahead,
                             Entry* aside) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Entry) == 4) {  // sixteen at a time; singly, each would wait for the previous row
        const __m512i bits = _mm512_set1_epi32(static_cast<int>(row_bits));
        Entry *left = ahead, *right = aside;
        for (Whole place = 0; place < count; place += kBlock) {
            const __m512i entries = _mm512_loadu_si512(source + place);
            const auto is_there = static_cast<__mmask16>(count - place >= kBlock ? 0xffff : (1 << (count - place)) - 1);
            const __m512i rows = _mm512_and_si512(entries, bits);
            const __m512i side = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), is_there, rows, way, 4);
            const __mmask16 goes_right = _mm512_test_epi32_mask(side, side);
            const auto goes_left = static_cast<__mmask16>(is_there & ~goes_right);
            _mm512_storeu_si512(left, _mm512_maskz_compress_epi32(goes_left, entries));
            _mm512_storeu_si512(right, _mm512_maskz_compress_epi32(goes_right, entries));
            left += std::popcount(static_cast<unsigned>(goes_left));
            right += std::popcount(static_cast<unsigned>(goes_right));
        }
        return left - ahead;
    }
#endif
    Whole left = 0;
    for (Whole place = 0; place < count; ++place) {
        const Entry entry = source[place];
        const Whole side = way[entry & row_bits];
        ahead[left] = entry;
        aside[place - left] = entry;
        left += 1 - side;
    }
    return left;
}

}  // namespace fsdesk::FSDESK_LEVEL::c45
