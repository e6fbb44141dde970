// Shared by the machines of svm.cpp: cache lines of memory, branch-free lanes, triangles, and the loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "lanes.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

/// Memory aligned to a cache line: a vector across two lines takes twice as long to read.
template <class T>
struct Aligned {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    Aligned() = default;
    template <class U>
    Aligned(const Aligned<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
    bool operator==(const Aligned&) const { return true; }
};

template <class T>
using Line = std::vector<T, Aligned<T>>;
using Numbers = Line<double>;
using Rows = std::vector<Whole>;

constexpr Whole even(Whole count) { return (count + kLanes - 1) / kLanes * kLanes; }
constexpr Whole even_line(Whole count) { return (count + 15) / 16 * 16; }

// Lanes, branch-free

struct Mask {
    WholePart part[kParts];
};

#define FSDESK_COMPARE(name, sign)                                                      \
    [[gnu::always_inline]] inline Mask name(const Lanes& a, const Lanes& b) {           \
        Mask mask;                                                                      \
        for (int p = 0; p < kParts; ++p) mask.part[p] = a.part[p] sign b.part[p];       \
        return mask;                                                                    \
    }
FSDESK_COMPARE(less, <)
FSDESK_COMPARE(not_more, <=)
FSDESK_COMPARE(same, ==)
#undef FSDESK_COMPARE

[[gnu::always_inline]] inline Mask operator&(Mask a, const Mask& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] &= b.part[p];
    return a;
}

[[gnu::always_inline]] inline Mask operator|(Mask a, const Mask& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] |= b.part[p];
    return a;
}

[[gnu::always_inline]] inline Lanes pick(const Mask& mask, Lanes yes, const Lanes& no) {
    for (int p = 0; p < kParts; ++p) yes.part[p] = mask.part[p] ? yes.part[p] : no.part[p];
    return yes;
}

[[gnu::always_inline]] inline Lanes larger(const Lanes& a, const Lanes& b) { return pick(less(b, a), a, b); }
[[gnu::always_inline]] inline Lanes smaller(const Lanes& a, const Lanes& b) { return pick(less(a, b), a, b); }
[[gnu::always_inline]] inline Lanes size_of(const Lanes& a) { return larger(a, Lanes::all(0.0) - a); }

/// 0, 1, 2, ... as numbers.
[[gnu::always_inline]] inline Lanes counted() {
    static constexpr double places[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    return Lanes::load(places);
}

double least(const Lanes& lanes) {
    double own[kLanes];
    lanes.store(own);
    return *std::min_element(own, own + kLanes);
}

double most(const Lanes& lanes) {
    double own[kLanes];
    lanes.store(own);
    return *std::max_element(own, own + kLanes);
}

/// The smallest value and its first position.
std::pair<double, double> least(const Lanes& values, const Lanes& places) {
    double value[kLanes], place[kLanes];
    values.store(value);
    places.store(place);
    int winner = 0;
    for (int lane = 1; lane < kLanes; ++lane) {
        if (value[lane] < value[winner] || (value[lane] == value[winner] && place[lane] < place[winner])) winner = lane;
    }
    return {value[winner], place[winner]};
}

/// Product of vectors in whole lanes, at least one of which is zero from `size` on while the other is finite.
[[gnu::always_inline]] inline double dot(const double* a, const double* b, Whole size) {
    Lanes total = Lanes::all(0.0);
    for (Whole place = 0; place < size; place += kLanes) total = total + Lanes::load(a + place) * Lanes::load(b + place);
    return total.sum();
}

/// Pad the last lanes with zeros.
void clear_rest(double* values, Whole size) { std::fill(values + size, values + even(size), 0.0); }

/// Subtract multiples of a row from another, in whole lanes.
[[gnu::always_inline]] inline void take_off(double* out, const double* row, double times, Whole size) {
    const Lanes factor = Lanes::all(times);
    for (Whole place = 0; place < size; place += kLanes) {
        (Lanes::load(out + place) - Lanes::load(row + place) * factor).store(out + place);
    }
}

/// The same for C consecutive rows.
template <int C>
void take_off(double* out, const double* const* rows, const double* times, Whole size) {
    Lanes factor[C];
    for (int c = 0; c < C; ++c) factor[c] = Lanes::all(times[c]);
    for (Whole place = 0; place < size; place += kLanes) {
        Lanes own = Lanes::load(out + place);
        for (int c = 0; c < C; ++c) own = own - Lanes::load(rows[c] + place) * factor[c];
        own.store(out + place);
    }
}

// Upper triangles with the reciprocals of their diagonal: rows a stride apart, filled also beyond the triangle

/// Subtract the products with some rows from another, from a position on: out[i] -= sum over k, in order, of
/// rows[k][column] rows[k][i].
template <int C>
void take_products(double* out, const double* rows, Whole stride, Whole count, Whole column, Whole place) {
    Lanes total[C];
    for (int c = 0; c < C; ++c) total[c] = Lanes::load(out + place + c * kLanes);
    for (Whole k = 0; k < count; ++k, rows += stride) {
        const Lanes times = Lanes::all(rows[column]);
        for (int c = 0; c < C; ++c) total[c] = total[c] - Lanes::load(rows + place + c * kLanes) * times;
    }
    for (int c = 0; c < C; ++c) total[c].store(out + place + c * kLanes);
}

void take_products(double* out, const double* rows, Whole stride, Whole count, Whole column, Whole place, Whole end) {
    for (; place + 3 * kLanes < end; place += 4 * kLanes) take_products<4>(out, rows, stride, count, column, place);
    if (place + 2 * kLanes < end) return take_products<3>(out, rows, stride, count, column, place);
    if (place + kLanes < end) return take_products<2>(out, rows, stride, count, column, place);
    if (place < end) take_products<1>(out, rows, stride, count, column, place);
}

/// Solve with the triangle; x: in whole lanes, padded with zeros, not `right` itself.
void solve_upper(const double* triangle, Whole stride, Whole size, const double* right, double* x) {
    std::fill_n(x, even(size), 0.0);
    for (Whole first = even(size) - kLanes; first >= 0; first -= kLanes) {
        const Whole count = std::min<Whole>(kLanes, size - first);
        const double* rows = triangle + first * stride;
        double rest[kLanes];
        const auto sums = [&](int from) {  // four rows at a time
            Lanes total[4] = {Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0)};
            for (Whole i = first + kLanes; i < size; i += kLanes) {
                const Lanes known = Lanes::load(x + i);
                for (int k = 0; k < 4; ++k) total[k] = total[k] + Lanes::load(rows + (from + k) * stride + i) * known;
            }
            for (int k = 0; k < 4; ++k) rest[from + k] = right[first + from + k] - total[k].sum();
        };
        if (count < kLanes) {  // the last rows
            std::copy_n(right + first, count, rest);
        } else {
            sums(0);
            sums(4);
        }
        for (Whole k = count - 1; k >= 0; --k) {
            const double own = rest[k] * rows[k * stride + first + k];
            x[first + k] = own;
            for (Whole above = 0; above < k; ++above) rest[above] -= rows[above * stride + first + k] * own;
        }
    }
}

// The loss

constexpr double kAtBound = 1e-9;  // a dual value within this fraction of C from a bound is there, up to rounding

/// One problem's rows; all arrays are padded with zeros to whole lanes. `low` and `high` are equal for rows that are
/// not trained on; `rate` is C of each row.
struct Loss {
    double *y, *low, *high, *rate;
    Whole size;
    double epsilon;
};

struct LossRoom {
    Numbers values;

    Loss of(Whole size, double epsilon) {
        const Whole step = even(size);
        if (static_cast<Whole>(values.size()) < 4 * step) values.resize(at(4 * step));
        double* begin = values.data();
        for (int part = 0; part < 4; ++part) std::fill(begin + part * step + size, begin + (part + 1) * step, 0.0);
        return {begin, begin + step, begin + 2 * step, begin + 3 * step, size, epsilon};
    }

    Loss of(const SvmProblem& problem) {
        const Loss loss = of(problem.y.size(), problem.epsilon);
        std::copy(problem.y.begin(), problem.y.end(), loss.y);
        std::copy(problem.low.begin(), problem.low.end(), loss.low);
        std::copy(problem.high.begin(), problem.high.end(), loss.high);
        std::copy(problem.rate.begin(), problem.rate.end(), loss.rate);
        return loss;
    }
};

struct Settled {
    double gap, bias;
};

/// Distance of dual values from optimality, and the bias that they imply, both as LIBSVM defines them.
///
/// f: (n,) decision values, including the bias `b`; u: (n,) dual values; whole lanes each. The gap is the largest
/// difference between a row whose dual value may rise and one whose may fall. The bias is the mean over the rows
/// strictly between their bounds; if there are none, the middle of the allowed range.
Settled settle(const Loss& loss, const double* f, double b, const double* u) {
    const Lanes epsilon = Lanes::all(loss.epsilon), bias = Lanes::all(b), infinite = Lanes::all(kInfinity);
    const Lanes none = Lanes::all(0.0), share = Lanes::all(kAtBound), one = Lanes::all(1.0);
    Lanes above = infinite, below = none - infinite, total = none, free = none;
    for (Whole i = 0; i < loss.size; i += kLanes) {
        const Lanes low = Lanes::load(loss.low + i), high = Lanes::load(loss.high + i), own = Lanes::load(u + i);
        const Lanes residual = Lanes::load(loss.y + i) - Lanes::load(f + i) + bias, slack = share * Lanes::load(loss.rate + i);
        const Lanes inner = residual - epsilon, outer = residual + epsilon;
        const Lanes rising = pick(not_more(none - slack, own), inner, outer);
        const Lanes falling = pick(less(slack, own), inner, outer);
        const Mask trains = less(low, high);
        const Mask may_rise = trains & less(own, high - slack), may_fall = trains & less(low + slack, own);
        below = larger(below, pick(may_rise, rising, none - infinite));
        above = smaller(above, pick(may_fall, falling, infinite));
        const Mask bends = loss.epsilon == 0.0 ? trains : less(slack, size_of(own));
        const Mask is_free = may_rise & may_fall & bends;
        total = total + pick(is_free, rising, none);
        free = free + pick(is_free, one, none);
    }
    const double lowest = most(below), highest = least(above), count = free.sum();
    return {lowest - highest, count > 0.0 ? total.sum() / count : (lowest + highest) / 2.0};
}

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
