// Linear support vector machines: every two-class problem, or the one regression, of every training fold.
//
//   minimise  |w|^2 / 2 + sum_i loss_i(y_i - w.x_i - b)                                                           (1)
//
// over rows scaled by their training fold. Hinge loss C_i max(0, 1 - y_i f_i) with a bias that costs nothing, one class
// against another (C. Cortes and V. Vapnik, Machine Learning 20, 1995; LIBSVM's C-SVC); squared hinge with a penalised
// bias, one class against the rest (LIBLINEAR's LinearSVC); epsilon-insensitive for numbers (LIBSVM's epsilon-SVR).
// With residual r_i = y_i - f_i one dual serves all three: low_i <= u_i <= high_i, w = sum_i u_i x_i,
//
//   minimise  u.K.u / 2 - y.u + epsilon |u|,  K_ij = x_i.x_j,  sum(u) = 0 where the bias costs nothing            (2)
//
// A machine is ready when (2) is optimal to the tolerance, as LIBSVM defines it: see settle().
//
//   Dual    few rows, many columns: an active set over K; see there
//   Primal  many rows, few columns: Newton's method on a smoothed (1); see there
//   Shared  very many columns: all fits over one K, corrected for each fit's own scale; see there
//
// A column is standardised once, z = (x - mean) / deviation - begin, and the scale s of a fit is a penalty s^2 on its
// weight. The machine over all rows is trained first, and every fit starts from it.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numeric>

#include "lanes.hpp"
#include "products.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Memory that begins with a line of the cache: a vector that lies across two takes twice as long to read.
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

std::size_t at(Whole place) { return static_cast<std::size_t>(place); }

// Lanes, with choices in place of branches

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

/// The smallest value and the first place that has it.
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

/// Product of vectors in whole lanes, of which one at least has zeros from `size` on and the other numbers.
[[gnu::always_inline]] inline double dot(const double* a, const double* b, Whole size) {
    Lanes total = Lanes::all(0.0);
    for (Whole place = 0; place < size; place += kLanes) total = total + Lanes::load(a + place) * Lanes::load(b + place);
    return total.sum();
}

/// Fill up the last lanes with zeros.
void clear_rest(double* values, Whole size) { std::fill(values + size, values + even(size), 0.0); }

/// Take multiples of a row off another, in whole lanes.
[[gnu::always_inline]] inline void take_off(double* out, const double* row, double times, Whole size) {
    const Lanes factor = Lanes::all(times);
    for (Whole place = 0; place < size; place += kLanes) {
        (Lanes::load(out + place) - Lanes::load(row + place) * factor).store(out + place);
    }
}

/// The same of C rows after one another.
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

// Upper triangles that hold the reciprocals of their diagonal: rows a stride apart, of numbers also beyond the triangle

/// Take the products with some rows off another, from one place on: out[i] -= sum over k, in order, of rows[k][column]
/// rows[k][i].
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

/// Solve with the triangle; x: in whole lanes, zeros beyond, not `right` itself.
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

constexpr double kAtBound = 1e-9;  // a dual value this share of C from a bound is there, but for rounding

/// One problem's rows; all arrays go on with zeros to a whole number of lanes. `low` and `high` are equal for rows that
/// are not trained on; `rate` is C of each row.
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

/// How far dual values are from optimal, and the bias that they imply, both as LIBSVM defines them.
///
/// f: (n,) decision values, of which `b` is the bias; u: (n,) dual values; whole lanes each. The gap is the largest
/// difference between a row whose dual value may rise and one whose may fall. The bias is the mean over the rows strictly
/// between their bounds; where there are none, the middle of what is allowed.
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

// Dual: as many unknowns as rows
//
// The free rows, those strictly between their bounds, are kept optimal by a Cholesky factor that grows and shrinks one
// row at a time. The row that violates optimality most moves until it is optimal, hits a bound, or a free row hits one.
// Dual values stay feasible and the objective (2) never rises.

constexpr double kSingular = 1e-11;  // a pivot below this share of its diagonal is rounding
constexpr double kUnbalanced = 1e-10;  // a sum of dual values above this share of their sizes is not taken for 0

/// K: rows of a Gram matrix, moved by a constant, and more on its diagonal. As dual values sum to 0 the shift changes
/// nothing, but makes free rows independent.
struct Kernel {
    const double* gram;  // (n, stride) products of all rows, in whole lanes
    Whole stride;
    const Whole* rows;  // (m,) those of this machine; nullptr where it has all rows and the rest is in `gram` already
    double shift;
    const double* ridge;  // (m,) added to the diagonal
};

class Dual {
  public:
    struct Ready {
        double bias;
        Whole steps;
    };

    /// Minimise (2) from `u`, within the bounds, in `most` steps at most; u: (m,) in whole lanes, zeros beyond.
    Ready fit(const Kernel& kernel, const Loss& loss, bool has_bias, double tolerance, Whole most, double* u, Watch& watch) {
        prepare(kernel, loss, has_bias, u);
        start();
        Whole row = -1, steps = 0;
        double sign = 0.0;
        bool is_blocked = false;
        while (steps < most) {
            if (steps % 16 == 0) watch.check();
            if (!is_blocked) {
                row = choose(tolerance, sign);
                if (row < 0) break;
            }
            ++steps;
            is_blocked = step(row, sign) && (size_ > 0 || !has_bias);
        }
        if (!has_bias) return {0.0, steps};
        for (Whole i = 0; i < m_; i += kLanes) {
            (Lanes::load(loss.y + i) - Lanes::load(&residual_[at(i)])).store(&residual_[at(i)]);
        }
        return {settle(loss, residual_.data(), 0.0, u).bias, steps};
    }

  private:
    void prepare(const Kernel& kernel, const Loss& loss, bool has_bias, double* u) {
        kernel_ = &kernel, loss_ = &loss, has_bias_ = has_bias, u_ = u, m_ = loss.size;
        const Whole padded = even(m_), room = padded + 2 * kLanes;
        stride_ = room;
        if (static_cast<Whole>(factor_.size()) < m_ * room + 4 * kLanes) factor_.resize(at(m_ * room + 4 * kLanes));
        if (kernel.rows != nullptr && static_cast<Whole>(k_.size()) < m_ * padded) k_.resize(at(m_ * padded));
        line_ = kernel.rows == nullptr ? kernel.stride : padded;
        lines_ = kernel.rows == nullptr ? kernel.gram : k_.data();
        for (Numbers* own : {&ones_, &half_, &wanted_, &move_, &low_, &high_, &value_, &side_, &residual_}) {
            if (static_cast<Whole>(own->size()) < room) own->resize(at(room));
        }
        std::fill_n(ones_.begin(), room, 0.0);
        if (static_cast<Whole>(free_.size()) < room) free_.resize(at(room));
        loaded_.assign(at(m_), kernel.rows == nullptr);
        size_ = 0;
        rest_ = bias_ = 0.0;
    }

    const double* line(Whole row) const { return lines_ + row * line_; }
    double* factor(Whole row) { return factor_.data() + row * stride_; }

    /// Fetch a row of K if it is not there.
    const double* load(Whole row) {
        if (!loaded_[at(row)]) {
            loaded_[at(row)] = true;
            double* own = k_.data() + row * line_;
            const double* source = kernel_->gram + kernel_->rows[row] * kernel_->stride;
            const Whole *rows = kernel_->rows, m = m_;
            const double shift = kernel_->shift;
            Whole i = 0;
            for (; i + 4 <= m; i += 4) {
                const double a = source[rows[i]], b = source[rows[i + 1]], c = source[rows[i + 2]], d = source[rows[i + 3]];
                own[i] = a + shift;
                own[i + 1] = b + shift;
                own[i + 2] = c + shift;
                own[i + 3] = d + shift;
            }
            for (; i < m; ++i) own[i] = source[rows[i]] + shift;
            std::fill(own + m, own + line_, 0.0);
            own[row] += kernel_->ridge[row];
        }
        return line(row);
    }

    // The factor: upper triangle, with the reciprocals of its diagonal. What is below is free to be written to.

    /// Solve with the transposed factor, in place; four unknowns at a time, as each waits for those before.
    void forward(double* right) {
        typedef double Quad __attribute__((vector_size(32)));  // what begins four places on is read next
        Whole k = 0;
        for (; k + 4 <= size_; k += 4) {
            const double *one = factor(k), *two = one + stride_, *three = two + stride_, *four = three + stride_;
            const double a = right[k] * one[k];
            const double b = (right[k + 1] - one[k + 1] * a) * two[k + 1];
            const double c = (right[k + 2] - one[k + 2] * a - two[k + 2] * b) * three[k + 2];
            const double d = (right[k + 3] - one[k + 3] * a - two[k + 3] * b - three[k + 3] * c) * four[k + 3];
            right[k] = a;
            right[k + 1] = b;
            right[k + 2] = c;
            right[k + 3] = d;
            for (Whole i = k + 4; i < size_; i += 4) {
                Quad own, values[4];
                std::memcpy(&own, right + i, sizeof own);
                std::memcpy(&values[0], one + i, sizeof own);
                std::memcpy(&values[1], two + i, sizeof own);
                std::memcpy(&values[2], three + i, sizeof own);
                std::memcpy(&values[3], four + i, sizeof own);
                own = own - values[0] * a;
                own = own - values[1] * b;
                own = own - values[2] * c;
                own = own - values[3] * d;
                std::memcpy(right + i, &own, sizeof own);
            }
        }
        for (; k < size_; ++k) {
            const double a = right[k] * factor(k)[k];
            right[k] = a;
            for (Whole i = k + 1; i < size_; ++i) right[i] -= factor(k)[i] * a;
        }
        clear_rest(right, size_);
    }

    /// Solve with the factor, from half_ or whatever else, into move_.
    void backward(const double* right) { solve_upper(factor_.data(), stride_, size_, right, move_.data()); }

    /// Fill in the factor's row of the free row at `place`, of `size`; whether it depends on none of those before.
    bool add_row(Whole place, Whole size) {
        double* own = factor(place);
        const double* source = line(free_[at(place)]);
        for (Whole i = place; i < size; ++i) own[i] = source[free_[at(i)]];
        const double whole = own[place];
        const Whole first = place / kLanes * kLanes;
        std::fill(own + first, own + place, 0.0);
        std::fill_n(own + size, kLanes, 0.0);
        take_products(own, factor_.data(), stride_, place, place, first, size);
        const double pivot = own[place];
        if (pivot <= kSingular * whole) return false;
        const double a = 1.0 / std::sqrt(pivot);
        own[place] = a;
        for (Whole next = place + 1; next < size; ++next) own[next] *= a;
        return true;
    }

    /// Make a row free whose forward solution is in `half_`; not if it depends on those that are.
    void append(Whole row, double side) {
        const double diagonal = line(row)[row], pivot = diagonal - dot(half_.data(), half_.data(), size_);
        if (pivot <= kSingular * diagonal) return;
        for (Whole k = 0; k < size_; ++k) factor(k)[size_] = half_[at(k)];
        const double own = 1.0 / std::sqrt(pivot);
        factor(size_)[size_] = own;
        ones_[at(size_)] = (1.0 - dot(half_.data(), ones_.data(), size_)) * own;
        know(size_, row, side);
        ++size_;
    }

    /// Note the bounds and the dual value of the free row at a place.
    void know(Whole place, Whole row, double side) {
        free_[at(place)] = row;
        side_[at(place)] = side;
        low_[at(place)] = loss_->low[row];
        high_[at(place)] = loss_->high[row];
        value_[at(place)] = u_[row];
    }

    template <class List>
    void close_up(List& values, Whole place) {
        std::copy(values.begin() + place + 1, values.begin() + size_, values.begin() + place);
    }

    void forget(Whole place) {
        close_up(free_, place);
        for (Numbers* own : {&side_, &low_, &high_, &value_}) close_up(*own, place);
    }

    /// Drop the free row at `place` and rotate the factor back to a triangle, eight columns after eight.
    ///
    /// Rotation k turns what is left of row `place`, carried along, and row k + 1 into row k and what is left then.
    void leave(Whole place) {
        forget(place);
        for (Whole k = 0; k < place; ++k) std::copy(factor(k) + place + 1, factor(k) + size_, factor(k) + place);
        const Whole size = --size_;
        if (static_cast<Whole>(turn_.size()) < 2 * stride_) turn_.resize(at(2 * stride_));
        double *cosine = turn_.data(), *sine = cosine + stride_;
        for (Whole first = place; first < size; first += kLanes) {
            Lanes carried = Lanes::load(factor(place) + first + 1);
            for (Whole k = place; k < first; ++k) {
                const Lanes other = Lanes::load(factor(k + 1) + first + 1), a = Lanes::all(cosine[k]), b = Lanes::all(sine[k]);
                (a * carried + b * other).store(factor(k) + first);
                carried = a * other - b * carried;
            }
            for (Whole k = first; k < std::min(first + kLanes, size); ++k) {
                double lanes[kLanes];
                carried.store(lanes);
                const Lanes other = Lanes::load(factor(k + 1) + first + 1);
                const double left = lanes[k - first], right = 1.0 / factor(k + 1)[k + 1];
                const double length = 1.0 / std::sqrt(left * left + right * right);
                cosine[k] = left * length;
                sine[k] = right * length;
                const Lanes a = Lanes::all(cosine[k]), b = Lanes::all(sine[k]);
                (a * carried + b * other).store(factor(k) + first);
                factor(k)[k] = length;
                carried = a * other - b * carried;
            }
        }
        double carried = ones_[at(place)];
        for (Whole k = place; k < size; ++k) {
            const double other = ones_[at(k + 1)];
            ones_[at(k)] = cosine[k] * carried + sine[k] * other;
            carried = turned(cosine[k], sine[k], carried, other);
        }
        ones_[at(size)] = 0.0;
    }

    /// Apart from its sum: compilers would fuse the two.
    [[gnu::noinline]] static double turned(double cosine, double sine, double left, double right) {
        return cosine * right - sine * left;
    }

    // Steps

    void subtract(Whole row, double times) { take_off(residual_.data(), line(row), times, m_); }

    /// Take K times the moves of the free rows off the residuals.
    void subtract_moves() {
        constexpr int together = kWidth == kLanes ? 8 : 4;  // as many as there are registers for
        Whole k = 0;
        const auto take = [&]<int C>(std::integral_constant<int, C>) {
            for (; k + C <= size_; k += C) {
                const double* rows[C];
                for (int c = 0; c < C; ++c) rows[c] = line(free_[at(k + c)]);
                take_off<C>(residual_.data(), rows, &move_[at(k)], m_);
            }
        };
        take(std::integral_constant<int, together>());
        take(std::integral_constant<int, 4>());
        for (; k < size_; ++k) subtract(free_[at(k)], move_[at(k)]);
    }

    /// Make the rows between their bounds free, their dual values unknown; rest_ becomes the sum of the others'.
    void gather() {
        std::copy(loss_->y, loss_->y + even(m_), residual_.begin());
        Whole size = 0;
        for (Whole i = 0; i < m_; ++i) {
            if (u_[i] == 0.0) continue;
            load(i);
            if (loss_->low[i] < u_[i] && u_[i] < loss_->high[i]) {
                know(size++, i, u_[i] > 0.0 ? 1.0 : -1.0);
            } else {
                subtract(i, u_[i]);
                rest_ += u_[i];
            }
        }
        size_ = size;
        for (Whole place = 0; place < size_;) {
            if (add_row(place, size_)) {
                ++place;
                continue;
            }
            const Whole row = free_[at(place)];
            forget(place);
            for (Whole k = 0; k < place; ++k) std::copy(factor(k) + place + 1, factor(k) + size_, factor(k) + place);
            --size_;
            subtract(row, u_[row]);
            rest_ += u_[row];
        }
        std::fill_n(ones_.begin(), size_, 1.0);
        forward(ones_.data());
    }

    /// Fill move_ with what makes the free rows optimal, were there no bounds; set the bias.
    void aim() {
        for (Whole k = 0; k < size_; ++k) {
            const Whole row = free_[at(k)];
            half_[at(k)] = residual_[at(row)] - (u_[row] > 0.0 ? loss_->epsilon : -loss_->epsilon);
        }
        forward(half_.data());
        bias_ = 0.0;
        if (has_bias_) {
            bias_ = (dot(half_.data(), ones_.data(), size_) + rest_) / dot(ones_.data(), ones_.data(), size_);
            for (Whole k = 0; k < size_; ++k) half_[at(k)] -= bias_ * ones_[at(k)];
        }
        backward(half_.data());
        if (has_bias_) balance();
    }

    /// Take off what rounding adds to the sum of all dual values: much, where the products are tiny beside residuals.
    void balance() {
        double sum = rest_, sizes = std::abs(rest_);
        for (Whole k = 0; k < size_; ++k) {
            sum += move_[at(k)];
            sizes += std::abs(move_[at(k)]);
        }
        if (!(std::abs(sum) > kUnbalanced * sizes)) return;
        const double share = sum / dot(ones_.data(), ones_.data(), size_);
        std::copy_n(move_.begin(), size_, half_.begin());
        backward(ones_.data());
        for (Whole k = 0; k < size_; ++k) move_[at(k)] = half_[at(k)] - share * move_[at(k)];
    }

    /// From dual values within their bounds to ones that balance, optimal among the free rows.
    ///
    /// Free rows that their own optimum would put beyond a bound are left there, until the others' is within theirs.
    void start() {
        gather();
        while (size_ > 0) {
            aim();
            const Whole before = size_;
            for (Whole k = before - 1; k >= 0; --k) {
                const Whole row = free_[at(k)];
                const bool is_above = loss_->epsilon > 0.0 && u_[row] > 0.0, is_below = loss_->epsilon > 0.0 && !is_above;
                const double low = is_above ? 0.0 : low_[at(k)], high = is_below ? 0.0 : high_[at(k)], own = move_[at(k)];
                if (low < own && own < high) continue;
                u_[row] = own <= low ? low : high;
                if (u_[row] != 0.0) {
                    subtract(row, u_[row]);
                    rest_ += u_[row];
                }
                leave(k);
            }
            if (size_ != before) continue;
            for (Whole k = 0; k < size_; ++k) u_[free_[at(k)]] = value_[at(k)] = move_[at(k)];
            subtract_moves();
            return;
        }
        bias_ = 0.0;
        if (has_bias_ && std::abs(rest_) > 0.0) {
            std::fill_n(u_, m_, 0.0);
            std::copy(loss_->y, loss_->y + even(m_), residual_.begin());
        }
    }

    struct Extremes {
        double high, low;
        Whole rising, falling;
    };

    /// Largest residual of a row whose dual value may rise, smallest of one whose may fall, and the first such rows.
    Extremes extremes() const {
        const Lanes none = Lanes::all(0.0), infinite = Lanes::all(kInfinity), step = Lanes::all(kLanes);
        const Lanes epsilon = Lanes::all(loss_->epsilon);
        Lanes high = infinite, low = infinite, rising = none, falling = none, here = counted();  // high: of its negative
        for (Whole i = 0; i < m_; i += kLanes, here = here + step) {
            const Lanes own = Lanes::load(u_ + i), residual = Lanes::load(&residual_[at(i)]);
            const Lanes inner = residual - epsilon, outer = residual + epsilon;
            const Lanes up = pick(not_more(none, own), inner, outer), down = pick(less(none, own), inner, outer);
            const Lanes rise = pick(less(own, Lanes::load(loss_->high + i)), none - up, infinite);
            const Lanes fall = pick(less(Lanes::load(loss_->low + i), own), down, infinite);
            const Mask is_higher = less(rise, high), is_lower = less(fall, low);
            high = pick(is_higher, rise, high);
            low = pick(is_lower, fall, low);
            rising = pick(is_higher, here, rising);
            falling = pick(is_lower, here, falling);
        }
        const auto [highest, first] = least(high, rising);
        const auto [lowest, last] = least(low, falling);
        return {-highest, lowest, static_cast<Whole>(first), static_cast<Whole>(last)};
    }

    /// The row to move and its sign; -1 where all are optimal. A bias needs one free row.
    Whole choose(double tolerance, double& sign) {
        const auto [high, low, rising, falling] = extremes();
        if (has_bias_) {
            if (!(high - low > tolerance)) return -1;
            if (size_ == 0) {
                bias_ = low;
                load(falling);
                append(falling, u_[falling] > 0.0 ? 1.0 : -1.0);
            }
        } else if (std::max(high, -low) <= tolerance) {
            return -1;
        }
        sign = high - bias_ >= bias_ - low ? 1.0 : -1.0;
        const Whole row = sign > 0.0 ? rising : falling;
        load(row);
        return row;
    }

    /// Fill move_ with how the free rows go as the dual value of `row` moves by `sign`; curvature, and move of the bias.
    std::pair<double, double> toward(Whole row, double sign) {
        const double* own = line(row);
        for (Whole k = 0; k < size_; ++k) half_[at(k)] = own[free_[at(k)]];
        forward(half_.data());
        double curvature = own[row] - dot(half_.data(), half_.data(), size_), bias = 0.0;
        if (has_bias_) {
            const double weight = dot(ones_.data(), ones_.data(), size_);
            const double share = 1.0 - dot(half_.data(), ones_.data(), size_);
            bias = sign * share / weight;
            curvature += share * share / weight;
        }
        for (Whole k = 0; k < size_; ++k) wanted_[at(k)] = -sign * half_[at(k)] - bias * ones_[at(k)];
        backward(wanted_.data());
        return {curvature, bias};
    }

    /// Where a dual value on one side of zero must stop along a move: at a bound, or at zero where that is a kink.
    double end(double low, double high, double side, double move) const {
        if (loss_->epsilon > 0.0 && side * move < 0.0) return 0.0;
        return move > 0.0 ? high : low;
    }

    /// How far the free rows can go along move_, at most `most`, and the place of the one that stops them, else -1.
    std::pair<double, Whole> blocked(double most) const {
        const Lanes none = Lanes::all(0.0), infinite = Lanes::all(kInfinity), step = Lanes::all(kLanes);
        const Lanes count = Lanes::all(static_cast<double>(size_));
        Lanes reach = Lanes::all(most), place = Lanes::all(kInfinity), here = counted();
        for (Whole k = 0; k < size_; k += kLanes, here = here + step) {
            const Lanes move = Lanes::load(&move_[at(k)]);
            Lanes end = pick(less(none, move), Lanes::load(&high_[at(k)]), Lanes::load(&low_[at(k)]));
            if (loss_->epsilon > 0.0) end = pick(less(Lanes::load(&side_[at(k)]) * move, none), none, end);
            Lanes own = end - Lanes::load(&value_[at(k)]);
            for (int p = 0; p < kParts; ++p) own.part[p] /= move.part[p];
            own = pick(same(move, none), infinite, larger(own, none));
            const Mask is_nearer = less(own, reach) & less(here, count);
            reach = pick(is_nearer, own, reach);
            place = pick(is_nearer, here, place);
        }
        const auto [length, first] = least(reach, place);
        return {length, first < kInfinity ? static_cast<Whole>(first) : -1};
    }

    /// Take the step of length t; the free row at `place`, if any, lands on its bound and leaves.
    void advance(double t, Whole place) {
        for (Whole k = 0; k < size_; ++k) {
            double value = value_[at(k)];
            if (k == place) {
                const double last = end(low_[at(k)], high_[at(k)], side_[at(k)], move_[at(k)]);
                move_[at(k)] = last - value;
                value = last;
            } else {
                move_[at(k)] *= t;
                value += move_[at(k)];
                // a row that meets zero together with another must not round past it
                if (loss_->epsilon > 0.0 && value * side_[at(k)] < 0.0) value = 0.0;
            }
            u_[free_[at(k)]] = value_[at(k)] = value;
        }
        subtract_moves();
        if (place >= 0) leave(place);
    }

    /// Move `row` until it is optimal or something is in the way; whether that was a free row.
    bool step(Whole row, double sign) {
        const double side = u_[row] * sign >= 0.0 ? sign : -sign;
        const auto [curvature, slant] = toward(row, sign);
        const double excess = sign * (residual_[at(row)] - bias_ - side * loss_->epsilon);
        const double last = end(loss_->low[row], loss_->high[row], side, sign);
        const double own = (last - u_[row]) / sign;
        double bend = curvature > kSingular * line(row)[row] ? curvature : 0.0;
        if (own == kInfinity) bend = std::max(bend, kernel_->ridge[row]);  // what rounding leaves of a curvature is above that
        const double wanted = bend > 0.0 ? std::max(excess, 0.0) / bend : kInfinity;
        const auto [t, place] = blocked(std::min(own, wanted));
        subtract(row, sign * t);
        u_[row] += sign * t;
        advance(t, place);
        if (place < 0 && own <= wanted) {
            u_[row] = last;
        } else if (place < 0 && (u_[row] != 0.0 || excess > 0.0)) {  // one that has just come to zero may be optimal there
            append(row, side);
        }
        bias_ += t * slant;
        return place >= 0;
    }

    const Kernel* kernel_ = nullptr;
    const Loss* loss_ = nullptr;
    bool has_bias_ = true;
    double* u_ = nullptr;
    Whole m_ = 0, size_ = 0, stride_ = 0, line_ = 0;
    double rest_ = 0.0, bias_ = 0.0;
    const double* lines_ = nullptr;
    Numbers factor_, k_, ones_, half_, wanted_, move_, residual_, turn_;
    Numbers low_, high_, value_, side_;  // of the free rows: side is 1 where the dual value is above zero or came from there
    Rows free_;
    std::vector<char> loaded_;
};

// Primal: as many unknowns as columns
//
// The proximal method of multipliers smooths the hinge and the tube around the last dual values v: u_i = clip(v_i +
// sigma c_i r_i), a tube of residuals of width 1 / sigma, made narrower until the machine is optimal to the tolerance
// (R. T. Rockafellar, Math. Oper. Res. 1, 1976; X. Li, D. Sun and K.-C. Toh, SIAM J. Optim. 28, 2018, for Newton's
// method within). Few rows lie where their dual value is still open: a fold trains over these, the others held at
// the bounds where they belong, and looks at all rows in the end.

constexpr double kBalanced = 1e-12;  // a sum of dual values below this share of their sizes is rounding
constexpr double kStill = 1e-12;     // a step that moves decision values by a smaller share is rounding
constexpr double kStillWeight = 1e-8;  // and weights by no more, in units in which their penalty is w^2
constexpr double kSteepest = 1e3;    // a tube this much narrower than the tolerance leaves rounding alone
constexpr Whole kRowsAtOnce = 1024;  // decision values that stay in the cache
constexpr int kSearchSteps = 30;     // along a line, each of which narrows the bracket
constexpr Whole kNewtonSteps = 300, kNearSteps = 60;  // at most, over all rows and over some: forty do
constexpr Whole kRounds = 8;         // of choosing rows; two or three do, then a fold takes all
constexpr Whole kTerms = 48;         // of products whose rows stay in the first cache

/// (p, n) columns a stride apart.
struct Block {
    const double* data;
    Whole p, n, stride;

    const double* operator[](Whole column) const { return data + column * stride; }
};

/// (p + 1,) weights, the bias last, to (n,) decision values; whole lanes are written.
void decide(const Block& x, const double* w, double* out) {
    for (Whole start = 0; start < x.n; start += kRowsAtOnce) {
        const Whole count = even(std::min(kRowsAtOnce, x.n - start));
        double* part = out + start;
        std::fill_n(part, count, w[x.p]);
        Whole c = 0;
        for (; c + 4 <= x.p; c += 4) {
            const double *x0 = x[c] + start, *x1 = x[c + 1] + start, *x2 = x[c + 2] + start, *x3 = x[c + 3] + start;
            const Lanes w0 = Lanes::all(w[c]), w1 = Lanes::all(w[c + 1]), w2 = Lanes::all(w[c + 2]), w3 = Lanes::all(w[c + 3]);
            for (Whole i = 0; i < count; i += kLanes) {
                Lanes own = Lanes::load(x0 + i) * w0 + Lanes::load(x1 + i) * w1;
                own = own + Lanes::load(x2 + i) * w2;
                own = own + Lanes::load(x3 + i) * w3;
                (Lanes::load(part + i) + own).store(part + i);
            }
        }
        for (; c < x.p; ++c) {
            const double* own = x[c] + start;
            const Lanes times = Lanes::all(w[c]);
            for (Whole i = 0; i < count; i += kLanes) (Lanes::load(part + i) + Lanes::load(own + i) * times).store(part + i);
        }
    }
}

/// (p,) sums of columns times values, and the sum of the values last; values go on with zeros to whole lanes.
void pull_of(const Block& x, const double* values, double* out) {
    Whole c = 0;
    for (; c + 4 <= x.p; c += 4) {
        Lanes total[4] = {Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0)};
        for (Whole i = 0; i < x.n; i += kLanes) {
            const Lanes own = Lanes::load(values + i);
            for (int k = 0; k < 4; ++k) total[k] = total[k] + Lanes::load(x[c + k] + i) * own;
        }
        for (int k = 0; k < 4; ++k) out[c + k] = total[k].sum();
    }
    for (; c < x.p; ++c) {
        Lanes total = Lanes::all(0.0);
        for (Whole i = 0; i < x.n; i += kLanes) total = total + Lanes::load(x[c] + i) * Lanes::load(values + i);
        out[c] = total.sum();
    }
    out[x.p] = sum(values, x.n);
}

/// Solve a positive definite system of which the upper triangle is given, the right side as one column more; a tiny pivot
/// is left out. right: room for that column; x: the solution, in whole lanes.
void solve(double* matrix, Whole stride, Whole size, double* right, double* x) {
    for (Whole i = 0; i < size; ++i) {
        double* own = matrix + i * stride;
        const Whole first = i / kLanes * kLanes;
        const double diagonal = own[i];
        take_products(own, matrix, stride, i, i, first, size + 1);
        const double root = own[i] > 1e-14 * diagonal ? 1.0 / std::sqrt(own[i]) : 0.0;
        for (Whole j = first; j <= size; ++j) own[j] *= root;
        std::fill(own + first, own + i, 0.0);
        own[i] = root;
        right[i] = own[size];
    }
    solve_upper(matrix, stride, size, right, x);
}

/// Where a machine stands: (p + 1,) weights and bias, (n,) dual values and decision values in whole lanes.
struct Machine {
    double *w, *u, *f;
};

/// What a fit of the columns is asked for.
struct Wanted {
    const double* penalty;  // (p,) V
    const double* mean;     // (p + 1,) of the training rows, the last 1, where the bias is penalised; else nullptr
    double sigma, growth;   // steepness of the smoothed loss, and its factor from one tube to the next; 0: smooth as it is
    double tolerance;
};

class Newton {
  public:
    /// Minimise sum(V w^2) / 2 + sum of losses from where the machine stands; return the number of Newton steps.
    ///
    /// pull: (p + 1,) sum of columns times dual values of rows that are held and not among those of x; size: sum of these
    /// dual values' sizes. As many steps as `most` are returned where rounding keeps the machine from the tolerance.
    Whole fit(const Block& x, const Loss& loss, Wanted wanted, const double* pull, double size, Whole most, Machine machine,
              Watch& watch) {
        x_ = x, loss_ = &loss, wanted_ = wanted, pull_ = pull, size_ = size, machine_ = machine;
        const Whole n = even(x.n), p = x.p;
        matrix_stride_ = even(p + 2);
        for (Numbers* own : {&centre_, &state_, &before_, &change_, &root_}) own->assign(at(n), 0.0);
        matrix_.resize(at((p + 1) * matrix_stride_));
        step_.assign(at(matrix_stride_), 0.0);
        root_of_.resize(at(matrix_stride_));
        const bool is_smooth = wanted_.growth == 0.0;
        if (!is_smooth) std::copy_n(machine.u, n, centre_.begin());
        decide(x_, machine.w, machine.f);
        bool is_exact = false;  // the last step was a full one of Newton's, so that it ended where the equations say
        for (Whole iteration = 0; iteration < most; ++iteration) {
            watch.check();
            std::swap(state_, before_);
            respond();
            if (is_exact && std::equal(state_.begin(), state_.end(), before_.begin())) {
                if (is_smooth || finish()) return iteration;
                if (wanted_.sigma * wanted_.tolerance > kSteepest) return most;
                wanted_.sigma *= wanted_.growth;
                std::copy_n(machine.u, n, centre_.begin());
                respond();
            }
            const Whole free = aim(watch);
            decide(x_, step_.data(), change_.data());
            if (is_smooth && is_still()) return iteration;
            const auto [first, second] = derivatives();
            const double t = step_length(first, second);
            is_exact = t == 1.0 && (free > 0 || wanted_.mean != nullptr || is_balanced());
            for (Whole c = 0; c <= p; ++c) machine.w[c] += t * step_[at(c)];
            for (Whole i = 0; i < n; ++i) machine.f[i] += t * change_[at(i)];
        }
        return most;
    }

  private:
    /// Dual values that belong to some decision values, without bounds and with them.
    [[gnu::always_inline]] Lanes raw(Whole i, const Lanes& f, Lanes& dead) const {
        const Lanes times = Lanes::all(wanted_.sigma) * Lanes::load(loss_->rate + i);
        dead = times * Lanes::all(loss_->epsilon);
        const Lanes own = Lanes::load(&centre_[at(i)]) + times * (Lanes::load(loss_->y + i) - f), none = Lanes::all(0.0);
        return larger(own - dead, none) + smaller(own + dead, none);
    }

    [[gnu::always_inline]] Lanes bounded(Whole i, const Lanes& value) const {
        return smaller(larger(value, Lanes::load(loss_->low + i)), Lanes::load(loss_->high + i));
    }

    /// Dual values that belong to the decision values; `state_` says 1 where they move with these, else 0.
    void respond() {
        const Lanes none = Lanes::all(0.0), one = Lanes::all(1.0);
        for (Whole i = 0; i < x_.n; i += kLanes) {
            Lanes dead;
            const Lanes value = raw(i, Lanes::load(machine_.f + i), dead);
            bounded(i, value).store(machine_.u + i);
            const Mask bends = less(value, none) | less(none, value) | same(dead, none);
            const Mask moves = less(Lanes::load(loss_->low + i), value) & less(value, Lanes::load(loss_->high + i)) & bends;
            pick(moves, one, none).store(&state_[at(i)]);
        }
    }

    double slope(double t) const {
        Lanes total = Lanes::all(0.0);
        const Lanes along = Lanes::all(t);
        for (Whole i = 0; i < x_.n; i += kLanes) {
            Lanes dead;
            const Lanes change = Lanes::load(&change_[at(i)]);
            total = total + bounded(i, raw(i, Lanes::load(machine_.f + i) + along * change, dead)) * change;
        }
        return total.sum();
    }

    /// How far to go: 1, or where the objective stops falling before that.
    double step_length(double first, double second) const {
        double low = 0.0, high = 1.0;
        const double start = first - slope(0.0);
        double at_high = first + second - slope(1.0), at_low = start;
        if (!(at_high > 1e-9 * std::abs(start))) return 1.0;
        for (int turn = 0; turn < kSearchSteps; ++turn) {
            double t = (low * at_high - high * at_low) / (at_high - at_low);
            t = std::min(std::max(t, low + 0.02 * (high - low)), high - 0.02 * (high - low));
            const double own = first + t * second - slope(t);
            if (own > 0.0) {
                high = t;
                at_high = own;
                at_low *= 0.7;
            } else {
                low = t;
                at_low = own;
                at_high *= 0.7;
            }
            if (std::abs(own) <= 0.05 * std::abs(start)) return t;
        }
        return low == 0.0 ? high : low;
    }

    /// Fill in Newton's step; return how many rows bend the loss.
    Whole aim(Watch& watch) {
        const Whole p = x_.p;
        const double *w = machine_.w, *mean = wanted_.mean;
        pull_of(x_, machine_.u, step_.data());  // the negative of the gradient
        for (Whole c = 0; c < p; ++c) step_[at(c)] = (pull_[c] + step_[at(c)]) - wanted_.penalty[c] * w[c];
        step_[at(p)] += pull_[p];
        if (mean != nullptr) {  // (b + mean.w)^2 / 2
            double centred = 0.0;
            for (Whole c = 0; c <= p; ++c) centred += mean[c] * w[c];
            for (Whole c = 0; c <= p; ++c) step_[at(c)] -= centred * mean[c];
        }
        const Whole free = curve(watch);
        if (free == 0 && mean == nullptr) {  // a slope of the bias that is rounding says nothing of where to go
            if (is_balanced()) step_[at(p)] = 0.0;
            matrix_[at(p * matrix_stride_ + p)] = step_[at(p)] == 0.0 ? 1.0 : std::abs(step_[at(p)]);
        }
        for (Whole c = 0; c <= p; ++c) matrix_[at(c * matrix_stride_ + p + 1)] = step_[at(c)];
        solve(matrix_.data(), matrix_stride_, p + 1, root_of_.data(), step_.data());
        return free;
    }

    /// The Hessian's upper triangle: sum over the rows that bend the loss of sigma c_i (x_i, 1) (x_i, 1)', and V.
    Whole curve(Watch& watch) {
        const Whole p = x_.p, stride = matrix_stride_;
        std::fill(matrix_.begin(), matrix_.end(), 0.0);
        turned_.resize(at(kRowsAtOnce * stride));
        Whole free = 0, known = 0;
        const auto add = [&] {
            Products<double>::add_upper({turned_.data(), 1, stride}, turned_.data(), stride, p + 1, known, matrix_.data(), stride);
            known = 0;
            watch.check();
        };
        chosen_.clear();
        for (Whole i = 0; i < x_.n; ++i) {
            if (state_[at(i)] != 0.0) chosen_.push_back(i);
        }
        for (const Whole i : chosen_) root_[at(i)] = std::sqrt(wanted_.sigma * loss_->rate[i]);
        free = static_cast<Whole>(chosen_.size());
        for (Whole start = 0; start < free; start += kRowsAtOnce) {
            known = std::min(kRowsAtOnce, free - start);
            const Whole* rows = chosen_.data() + start;
            for (Whole c = 0; c < p; ++c) {
                double* own = turned_.data() + c;
                const double* values = x_[c];
                for (Whole k = 0; k < known; ++k) own[k * stride] = values[rows[k]] * root_[at(rows[k])];
            }
            for (Whole k = 0; k < known; ++k) {
                double* own = turned_.data() + k * stride;
                own[p] = root_[at(rows[k])];
                std::fill(own + p + 1, own + stride, 0.0);
            }
            add();
        }
        Products<double>::turn_last(p + 1, matrix_.data(), stride);
        for (Whole c = 0; c < p; ++c) matrix_[at(c * stride + c)] += wanted_.penalty[c];
        if (const double* mean = wanted_.mean) {
            for (Whole a = 0; a <= p; ++a) {
                for (Whole b = a; b <= p; ++b) matrix_[at(a * stride + b)] += mean[a] * mean[b];
            }
        }
        return free;
    }

    /// First and second derivative along the step of the penalty and of what the held rows cost.
    std::pair<double, double> derivatives() const {
        const Whole p = x_.p;
        const double *w = machine_.w, *mean = wanted_.mean;
        double first = -pull_[p] * step_[at(p)], second = 0.0;
        for (Whole c = 0; c < p; ++c) {
            first += (wanted_.penalty[c] * w[c] - pull_[c]) * step_[at(c)];
            second += wanted_.penalty[c] * step_[at(c)] * step_[at(c)];
        }
        if (mean != nullptr) {
            double here = 0.0, along = 0.0;
            for (Whole c = 0; c <= p; ++c) {
                here += mean[c] * w[c];
                along += mean[c] * step_[at(c)];
            }
            first += here * along;
            second += along * along;
        }
        return {first, second};
    }

    /// Whether the dual values are optimal; then the bias is set, and the weights are exactly what they imply.
    bool finish();

    /// Whether a step is rounding alone: the length of such a one means nothing.
    ///
    /// Weights count too: that of a column which is constant among these rows goes to the bias without moving them.
    bool is_still() const {
        double size = 1.0, most = 0.0, weights = 0.0;
        for (Whole i = 0; i < x_.n; ++i) {
            size = std::max(size, std::abs(machine_.f[i]));
            most = std::max(most, std::abs(change_[at(i)]));
        }
        for (Whole c = 0; c < x_.p; ++c) weights = std::max(weights, std::abs(step_[at(c)]) * std::sqrt(wanted_.penalty[c]));
        return most <= kStill * size && weights <= kStillWeight * size;
    }

    /// Whether dual values sum to 0, but for rounding.
    bool is_balanced() const {
        Lanes total = Lanes::all(0.0), sizes = total;
        for (Whole i = 0; i < x_.n; i += kLanes) {
            const Lanes own = Lanes::load(machine_.u + i);
            total = total + own;
            sizes = sizes + size_of(own);
        }
        return std::abs(total.sum() + pull_[x_.p]) <= kBalanced * (sizes.sum() + size_);
    }

    Block x_{};
    const Loss* loss_ = nullptr;
    Wanted wanted_{};
    const double* pull_ = nullptr;
    double size_ = 0.0;
    Machine machine_{};
    Whole matrix_stride_ = 0;
    Numbers centre_, state_, before_, change_, root_, matrix_, step_, root_of_, turned_;
    Rows chosen_;
};

bool Newton::finish() {
    double* w = machine_.w;
    const Whole p = x_.p;
    Settled settled = settle(*loss_, machine_.f, w[p], machine_.u);
    if (settled.gap <= wanted_.tolerance) {
        const double bias = w[p];
        pull_of(x_, machine_.u, w);  // what rounding left of the equations must not decide
        for (Whole c = 0; c < p; ++c) w[c] = (pull_[c] + w[c]) / wanted_.penalty[c];
        w[p] = bias;
        decide(x_, w, machine_.f);
        settled = settle(*loss_, machine_.f, bias, machine_.u);
    }
    if (settled.gap <= wanted_.tolerance && std::abs(settled.bias) < kInfinity) w[p] = settled.bias;  // a few rows alone may allow any
    return settled.gap <= wanted_.tolerance;
}

/// Machines in as many unknowns as columns, from the rows that matter.
class Primal {
  public:
    /// Train a machine from where it stands; return whether it is optimal to the tolerance.
    ///
    /// Only over the rows within `reach` of a bend of their loss at first, then also over those that turn out to matter.
    bool fit(const Block& x, const Loss& loss, const Wanted& wanted, double reach, Machine machine, Watch& watch) {
        const Whole p = x.p, m = x.n;
        for (Numbers* own : {&near_, &held_}) own->assign(at(even(m)), 0.0);
        rows_.resize(at(m));
        pull_.assign(at(p + 1), 0.0);
        bool is_last = reach == kInfinity;
        Whole before = -1;
        for (Whole turn = 0; turn < kRounds; ++turn) {
            const bool is_first = turn == 0;
            Whole count = choose(loss, machine.f, is_last ? kInfinity : reach, is_first);
            if (count == before) {
                is_last = true;
                count = choose(loss, machine.f, kInfinity, false);
            }
            before = count;
            const Block some = picked(x, count);
            Loss few = few_.of(count, loss.epsilon);
            u_.assign(at(even(count)), 0.0);
            f_.assign(at(even(count)), 0.0);
            for (Whole k = 0; k < count; ++k) {
                const Whole i = rows_[at(k)];
                few.y[k] = loss.y[i];
                few.low[k] = loss.low[i];
                few.high[k] = loss.high[i];
                few.rate[k] = loss.rate[i];
                u_[at(k)] = std::min(std::max(machine.u[i], few.low[k]), few.high[k]);
            }
            double size = 0.0;
            if (count < m) {
                pull_of(x, held_.data(), pull_.data());
                for (Whole i = 0; i < m; ++i) size += std::abs(held_[at(i)]);
            } else {
                std::fill(pull_.begin(), pull_.end(), 0.0);
            }
            const Whole most = is_last ? kNewtonSteps : kNearSteps;
            const Whole steps = newton_.fit(some, few, wanted, pull_.data(), size, most, {machine.w, u_.data(), f_.data()}, watch);
            if (wanted.growth == 0.0) return steps < kNewtonSteps;
            std::copy_n(held_.begin(), even(m), machine.u);
            for (Whole k = 0; k < count; ++k) machine.u[rows_[at(k)]] = u_[at(k)];
            decide(x, machine.w, machine.f);
            const auto [gap, bias] = settle(loss, machine.f, machine.w[p], machine.u);
            // else dual values and weights do not belong together
            if (gap <= wanted.tolerance && steps < most && std::abs(bias) < kInfinity) {
                machine.w[p] = bias;
                return true;
            }
            if (is_last) return false;
            is_last = turn + 2 == kRounds;
        }
        return false;
    }

  private:
    /// Choose rows whose dual value is open, also those that are held at a bound where they do not belong.
    ///
    /// The others are held where they belong. Return how many are chosen.
    Whole choose(const Loss& loss, const double* f, double reach, bool is_first) {
        const Lanes none = Lanes::all(0.0), one = Lanes::all(1.0), epsilon = Lanes::all(loss.epsilon), far = Lanes::all(reach);
        for (Whole i = 0; i < loss.size; i += kLanes) {
            const Lanes low = Lanes::load(loss.low + i), high = Lanes::load(loss.high + i);
            const Lanes residual = Lanes::load(loss.y + i) - Lanes::load(f + i), known = Lanes::load(&near_[at(i)]);
            const Lanes wanted = pick(less(epsilon, residual), high, pick(less(residual, none - epsilon), low, none));
            Lanes own = pick(less(far, size_of(size_of(residual) - epsilon)), none, one);
            if (!is_first) own = pick(same(wanted, Lanes::load(&held_[at(i)])), own, one);
            const Mask is_open = less(low, high) & same(known, none);
            own = pick(is_open, own, known);
            own.store(&near_[at(i)]);
            pick(is_open, pick(same(own, none), wanted, none), Lanes::load(&held_[at(i)])).store(&held_[at(i)]);
        }
        Whole count = 0;
        for (Whole i = 0; i < loss.size; ++i) {
            rows_[at(count)] = i;
            count += near_[at(i)] != 0.0;
        }
        return count;
    }

    /// Columns of the chosen rows; those of x where they are all.
    Block picked(const Block& x, Whole count) {
        if (count == x.n) return x;
        const Whole stride = even(count);
        z_.resize(at(x.p * stride));
        for (Whole c = 0; c < x.p; ++c) {
            double* own = z_.data() + c * stride;
            const double* source = x[c];
            for (Whole k = 0; k < count; ++k) own[k] = source[rows_[at(k)]];
            std::fill(own + count, own + stride, 0.0);
        }
        return {z_.data(), x.p, count, stride};
    }

    Newton newton_;
    LossRoom few_;
    Numbers near_, held_, pull_, u_, f_, z_;
    Rows rows_;
};

// Problems

/// Some fits of a measurement: all folds of some repeats, or some of one.
struct Part {
    Whole repeat, repeats, fold, folds;

    Whole size() const { return repeats * folds; }
};

struct Problem {
    Whole one, other;  // a class and the one it is separated from, or -1 for all others; both -1 for a regression
};

/// What all fits of one measurement share. Rows are sorted by class, and known by their place in this order.
struct Plan {
    const SvmOptions& options;
    Columns columns;
    View<const std::int32_t, 1> chosen;
    Rows order, target, labels;  // (n,) rows of the table, their classes; (repeats, n) folds: -1 trained on in all fits
    Rows starts;                 // (classes + 1,) where each class begins
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

    /// The rows of a problem's two parts, as ranges: all rows in one where it is not of two classes.
    std::array<Whole, 4> ranges(Problem problem) const {
        if (problem.other < 0) return {0, n(), 0, 0};
        return {starts[at(problem.one)], starts[at(problem.one + 1)], starts[at(problem.other)], starts[at(problem.other + 1)]};
    }

    /// Fill in the training rows of a problem; return how many there are.
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

    /// Place of a row among all rows of a problem.
    Whole place_of(Problem problem, Whole row) const {
        const auto [a, b, c, d] = ranges(problem);
        return row >= a && row < b ? row - a : b - a + row - c;
    }

    /// Rows that a fit tests.
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

    /// Fill in responses and bounds of rows; those that the fit is tested on, if any are there, get bounds of 0.
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
    /// C of each class among the training rows of every fit, 0 where it has none, and how many classes have; the last fit
    /// leaves no row out. Balanced classes weigh as if they had equally many rows.
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

/// What the fits say: (repeats, n, classes) votes or values, and sums of decision values, of size 0 where they are not
/// wanted; rows of the table.
struct Said {
    View<double, 3> votes, sums;
};

/// Enter the decision values of test rows.
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

constexpr double kNoWeight = 1e12;      // penalty of a column that does not vary: nothing is left of its share in a product
constexpr double kLargestWeight = 1e30; // of a column: its products stay within single precision
constexpr Whole kCellsAtOnce = 1 << 15; // of a wide table
constexpr Whole kNumbersAColumn = 6;    // that a fit learns: what fills its gaps, where it starts, its scale, some of them twice

/// What some fits learn of some columns, in units of z: square of the scale, what their scaled columns call 0 (where a
/// bias is penalised), and what fills gaps; (1, q) where all fits share it, empty where there is nothing to it.
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

/// Columns of a plan, standardised, and what its fits learn of them.
class Source {
  public:
    Source(const Plan& plan, Watch& watch) : plan_(plan), options_(plan.options), watch_(watch) {
        for (const std::int32_t column : plan.chosen) has_gaps_ |= options_.has_gaps[column];
        varies_ = has_gaps_ || options_.scaling == Scaling::fold;
    }

    bool has_gaps() const { return has_gaps_; }
    bool varies() const { return varies_; }

    /// Fill in one column of all rows, with 0 in its gaps.
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

    /// Places of the gaps of a column that each fit fills.
    void gaps(Whole place, Rows& found) const {
        found.clear();
        const Whole column = plan_.chosen[place];
        if (!options_.has_gaps[column]) return;
        const Reals values = plan_.columns[column];
        for (Whole k = 0; k < plan_.n(); ++k) {
            if (std::isnan(values[plan_.order[at(k)]])) found.push_back(k);
        }
    }

    /// Learn what some fits make of columns `first` to `end`, which part no feature's; the machine over all rows by itself.
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

    /// The end of columns from `first` on that are `cells` numbers or a few more.
    Whole end_of(Whole first, Whole cells) const {
        const auto& chosen = plan_.chosen;
        Whole end = std::min(chosen.size(), first + std::max<Whole>(1, cells / std::max<Whole>(1, plan_.n())));
        while (end < chosen.size() && options_.group[chosen[end]] == options_.group[chosen[end - 1]]) ++end;
        return end;
    }

    Watch& watch() { return watch_; }

  private:
    /// Folds of the part counted from its first; rows that other fits test are trained on.
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

/// How many fits learn at most a share-th of the table's numbers, so many of each column.
Whole many_fits(const Plan& plan, Whole numbers, Whole share) {
    const Whole all = numbers * std::max<Whole>(1, plan.q());
    return std::max<Whole>(1, std::max<Whole>(1 << 17, all * plan.n() / share) / all);
}

/// Calls `work` for so many fits at a time, or a few less.
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

/// Room for the products of n rows: (n, stride), zeros beyond the rows.
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

    /// From what is on and above the diagonal, `more` added, of whatever precision.
    template <class T>
    void mirror(const T* sums, double more) {
        constexpr Whole together = 8;  // columns below the diagonal, along lines of the cache
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

/// Makes the Gram matrix of one fit from columns, in single or double precision; the matrix itself has the sums of the latter.
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

// Training by rows

constexpr Whole kStepsARow = 50;
constexpr int kCorrections = 3;  // for a ridge that moves responses by more than a share of the tolerance
constexpr double kFelt = 0.3;    // this share
constexpr double kSingle = 1e-6, kDouble = 1e-13;  // share of the diagonal that hides the rounding of products
constexpr double kLeastSpread = 3e-3;  // of a fit's training rows beside all rows, for products in single precision

/// Dual values of the machines over all rows, one problem after another.
struct Starts {
    Rows begins;
    Numbers u;

    explicit Starts(const Plan& plan) : begins{0} {
        for (const Problem problem : plan.problems) {
            const auto [a, b, c, d] = plan.ranges(problem);
            begins.push_back(begins.back() + b - a + d - c);
        }
        u.assign(at(begins.back()), 0.0);
    }
    double* operator[](std::size_t problem) { return u.data() + begins[problem]; }
};

/// Trains all machines of a fit over its Gram matrix.
class ByRows {
  public:
    ByRows(const Plan& plan, Watch& watch, const Said& said) : plan_(plan), watch_(watch), said_(said), starts_(plan) {}

    Starts& starts() { return starts_; }
    Dual& dual() { return dual_; }

    /// Begin the fits of another plan, of the same rows and with no smaller C, where those of this one ended.
    void begin_from(const ByRows& other) { starts_ = other.starts_; }

    /// Keep where each machine ends.
    void keep() { is_kept_ = true; }

    /// ridge: share of the diagonal that hides the rounding of the products.
    void train(Gram& gram, double ridge, Whole fit) {
        const bool is_squared = plan_.is_squared;
        if (fit >= 0) plan_.tested(fit, tests_);
        diagonal_.resize(at(gram.n));
        for (Whole row = 0; row < gram.n; ++row) diagonal_[at(row)] = gram[row][row];
        for (std::size_t number = 0; number < plan_.problems.size(); ++number) {
            const Problem problem = plan_.problems[number];
            if (!plan_.has_both(problem, fit)) continue;
            watch_.check();
            const Whole m = plan_.rows_of(problem, is_squared ? -1 : fit, rows_);  // all: rows that are tested stay at 0
            Loss loss = loss_.of(m, plan_.options.epsilon);
            plan_.pose(problem, fit, rows_.data(), is_squared, loss);
            u_.assign(at(even(m)), 0.0);
            double level = 0.0;
            double* kept = starts_[number];
            for (Whole k = 0; k < m; ++k) {
                const Whole row = rows_[at(k)];
                u_[at(k)] = std::min(std::max(kept[plan_.place_of(problem, row)], loss.low[k]), loss.high[k]);
                level += diagonal_[at(row)];
            }
            level = level > 0.0 ? level / static_cast<double>(m) : 1.0;
            for (Numbers* own : {&ridge_, &more_}) own->resize(at(m));
            for (Whole k = 0; k < m; ++k) {
                ridge_[at(k)] = ridge * std::max(level, diagonal_[at(rows_[at(k)])]);  // rounding goes by each row's size
                more_[at(k)] = ridge_[at(k)] + (is_squared ? 0.5 / loss.rate[k] : 0.0);
            }
            const Kernel kernel{gram.values.data(), gram.stride, is_squared ? nullptr : rows_.data(), is_squared ? 0.0 : level, more_.data()};
            const double bias = trained(gram, kernel, loss);
            if (is_kept_) {
                for (Whole k = 0; k < m; ++k) kept[plan_.place_of(problem, rows_[at(k)])] = u_[at(k)];
            }
            if (fit < 0) {
                std::copy_n(u_.begin(), m, kept);
            } else {
                decide(gram, m, bias);
                record(plan_, problem, fit, tests_, values_.data(), said_);
            }
        }
    }

  private:
    /// Train a machine from where it stands, and again where the ridge moved what it says; return its bias.
    double trained(Gram& gram, const Kernel& kernel, Loss& loss) {
        const Whole m = loss.size;
        hidden_.assign(at(m), 0.0);
        double bias = 0.0;
        add_ridge(gram, kernel, 1.0);
        for (int turn = 0; turn <= kCorrections; ++turn) {
            bias = dual_.fit(kernel, loss, !plan_.is_squared, plan_.options.tolerance, kStepsARow * m + 1000, u_.data(), watch_).bias;
            double change = 0.0;
            for (Whole k = 0; k < m; ++k) {
                const double now = ridge_[at(k)] * u_[at(k)];
                change = std::max(change, std::abs(now - hidden_[at(k)]));
                loss.y[k] += now - hidden_[at(k)];
                hidden_[at(k)] = now;
            }
            if (!(change > kFelt * plan_.options.tolerance)) break;
        }
        add_ridge(gram, kernel, -1.0);
        return bias;
    }

    /// Put the ridge on the matrix itself, or take it off again, where a machine trains on that.
    static void add_ridge(Gram& gram, const Kernel& kernel, double times) {
        if (kernel.rows != nullptr) return;
        for (Whole k = 0; k < gram.n; ++k) gram[k][k] += times * kernel.ridge[k];
    }

    /// Decision values of the tested rows.
    void decide(const Gram& gram, Whole m, double bias) {
        dense_.assign(at(gram.stride), 0.0);
        lines_.clear();  // where rows have dual values
        for (Whole k = 0; k < m; ++k) {
            const Whole row = rows_[at(k)], line = row / kLanes * kLanes;
            if (u_[at(k)] == 0.0) continue;
            dense_[at(row)] = u_[at(k)];
            if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
        }
        values_.resize(tests_.size());
        for (std::size_t test = 0; test < tests_.size(); ++test) {
            const double* own = gram[tests_[test]];
            Lanes total = Lanes::all(0.0);
            for (const Whole line : lines_) total = total + Lanes::load(own + line) * Lanes::load(&dense_[at(line)]);
            values_[test] = total.sum() + bias;
        }
    }

    const Plan& plan_;
    Watch& watch_;
    const Said& said_;
    Starts starts_;
    bool is_kept_ = false;
    Dual dual_;
    LossRoom loss_;
    Rows rows_, tests_, lines_;
    Numbers u_, diagonal_, ridge_, more_, hidden_, dense_, values_;
};

/// Learn what fits make of all columns, or the machine over all rows (no part), a few columns at a time.
///
/// is_centred: also what scaled columns call 0, which no machine needs whose bias is free.
void learn_all(Source& source, const Plan& plan, const Part* part, Folds labels, Scales& scales, bool is_centred = false) {
    scales.resize(part ? part->size() : 1, 0, plan.q(), source.varies(), is_centred || plan.is_squared, source.has_gaps());
    for (Whole first = 0, end = 0; first < plan.q(); first = end) {
        end = source.end_of(first, kCellsAtOnce);
        source.watch().check();
        part ? source.learn(*part, labels, first, end, scales) : source.learn_whole(labels, first, end, scales);
    }
}

/// Columns of a plan in double precision, kept where they are few.
class Standardised {
  public:
    Standardised(const Plan& plan, Source& source, bool is_kept) : source_(source), stride_(even(plan.n())) {
        gaps_.resize(source.has_gaps() ? at(plan.q()) : 0);
        for (std::size_t place = 0; place < gaps_.size(); ++place) source.gaps(static_cast<Whole>(place), gaps_[place]);
        values_.assign(at((is_kept ? plan.q() : 1) * stride_), 0.0);
        if (!is_kept) return;
        for (Whole place = 0; place < plan.q(); ++place) {
            source.standardise(place, values_.data() + place * stride_);
            if (place % 64 == 0) source.watch().check();
        }
        is_kept_ = true;
    }

    const double* operator[](Whole place) {
        if (is_kept_) return values_.data() + place * stride_;
        source_.standardise(place, values_.data());
        return values_.data();
    }
    const Rows* gaps(Whole place) const { return gaps_.empty() ? nullptr : &gaps_[at(place)]; }
    Block block(Whole p, Whole n) const { return {values_.data(), p, n, stride_}; }

    /// Fill the gaps of columns that are kept.
    void fill(const double* fill) {
        for (std::size_t place = 0; place < gaps_.size(); ++place) {
            for (const Whole row : gaps_[place]) values_[place * at(stride_) + at(row)] = fill[place];
        }
    }

  private:
    Source& source_;
    Whole stride_;
    bool is_kept_ = false;
    Numbers values_;
    std::vector<Rows> gaps_;
};

/// The Gram matrix of columns on a fit's scale; of centred ones and with 1 for the bias where that is penalised.
template <class T>
void multiply(const Plan& plan, Standardised& z, const Scales& scales, Whole fit, Multiply<T>& products, Gram& gram, Watch& watch) {
    const double *penalty = scales.penalty_of(fit), *origin = scales.origin_of(fit), *fill = scales.fill_of(fit);
    products.begin(true, gram);
    for (Whole place = 0; place < plan.q(); ++place) {
        const double times = 1.0 / std::sqrt(penalty[place]), shift = origin ? origin[place] : 0.0;
        const double* values = z[place];
        T* own = products.left();
        for (Whole k = 0; k < plan.n(); ++k) own[k] = static_cast<T>((values[k] - shift) * times);
        if (const Rows* gaps = z.gaps(place)) {
            for (const Whole row : *gaps) own[row] = static_cast<T>((fill[place] - shift) * times);
        }
        products.add(watch);
    }
    products.end(plan.is_squared ? 1.0 : 0.0);
}

/// Train one fit over products of its own, of centred columns in double precision.
void train_exactly(const Plan& plan, Folds labels, Whole fit, const Said& said, Watch& watch) {
    Source source(plan, watch);
    Standardised z(plan, source, false);
    ByRows rows(plan, watch, said);
    Multiply<double> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    const Part one{fit / plan.folds, 1, fit % plan.folds, 1};
    learn_all(source, plan, &one, labels, scales, true);
    multiply(plan, z, scales, 0, products, gram, watch);
    rows.train(gram, kDouble, fit);
}

/// Whether training rows lie so close together in a column, beside all rows, that single precision cannot tell them apart.
bool is_too_close(const double* penalty, Whole q) {
    return std::any_of(penalty, penalty + q, [](double own) { return own < kLeastSpread * kLeastSpread; });
}

/// Train all fits over products in one precision: of all fits together where they are the same, else of each.
template <class T>
void train_by_rows(const Plan& plan, Folds labels, double ridge, const Said& said, Watch& watch) {
    Source source(plan, watch);
    Standardised z(plan, source, plan.q() * plan.n() <= 1 << 17);
    ByRows rows(plan, watch, said);
    Multiply<T> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    if (!source.varies() || plan.folds > 1) {
        learn_all(source, plan, nullptr, labels, scales);
        multiply(plan, z, scales, 0, products, gram, watch);
        if (plan.folds > 1) rows.train(gram, ridge, -1);
    }
    if (!source.varies()) {
        for (Whole fit = 0; fit < plan.fits(); ++fit) rows.train(gram, ridge, fit);
        return;
    }
    in_parts(plan, many_fits(plan, kNumbersAColumn, 16), [&](const Part& part) {
        learn_all(source, plan, &part, labels, scales);
        for (Whole place = 0; place < part.size(); ++place) {
            const Whole fit = fit_of(plan, part, place);
            if (std::is_same_v<T, float> && is_too_close(scales.penalty_of(place), plan.q())) {
                train_exactly(plan, labels, fit, said, watch);
                continue;
            }
            multiply(plan, z, scales, place, products, gram, watch);
            rows.train(gram, ridge, fit);
        }
    });
}

// Shared: machines of all fits over one Gram matrix, where columns are many
//
// Scaling inside folds gives every fit a Gram matrix of its own, n^2 q / 2 products each. They differ little. So each
// machine is trained over the matrix of the scale of all rows; then X diag(w) X'u, 2 n q products, says what its fit's
// own matrix makes of the dual values. The model matrix is corrected along that step (Broyden, Fletcher, Goldfarb and
// Shanno) and the machine trained again from there, until it is optimal, to the tolerance, under its fit's own scale.

constexpr Whole kColumnsARow = 8, kRowsAProblem = 25;  // from so many on it pays; always with one problem
constexpr Whole kMachinesAtOnce = 50, kColumnsAtOnce = 256;  // products of a block stay in the cache
constexpr Whole kPasses = 8;              // four or five do; then a fit gets a matrix of its own
constexpr double kLeastCurvature = 1e-2;  // a correction that would shrink the matrix along a step by more is rounding
constexpr double kCloser = 0.1;           // a machine is trained to this share of the tolerance over the model

/// Many columns in single precision, on the scale of z.
struct Single {
    Line<float> values;  // (q, stride)
    Whole stride = 0;
    std::vector<Rows> gaps;

    Single(const Plan& plan, Source& source) : stride(even_line(plan.n())) {
        values.assign(at(plan.q() * stride), 0.0f);
        gaps.resize(source.has_gaps() ? at(plan.q()) : 0);
        for (Whole place = 0; place < plan.q(); ++place) {
            source.standardise(place, values.data() + place * stride);
            if (source.has_gaps()) source.gaps(place, gaps[at(place)]);
            if (place % 64 == 0) source.watch().check();
        }
    }
    const float* operator[](Whole place) const { return values.data() + place * stride; }
};

float weight_of(double penalty) { return static_cast<float>(std::min(1.0 / penalty, kLargestWeight)); }

void multiply(const Plan& plan, const Single& x, const double* penalty, const double* fill, Multiply<float>& products, Gram& gram,
              Watch& watch) {
    products.begin(false, gram);
    for (Whole place = 0; place < plan.q(); ++place) {
        const float times = weight_of(penalty[place]);
        float *left = products.left(), *right = products.right();
        std::copy_n(x[place], plan.n(), left);
        if (!x.gaps.empty()) {
            for (const Whole row : x.gaps[at(place)]) left[row] = static_cast<float>(fill[place]);
        }
        for (Whole k = 0; k < plan.n(); ++k) right[k] = left[k] * times;
        products.add(watch);
    }
    products.end(0.0);
}

class Shared {
  public:
    Shared(const Plan& plan, const Single& x, const Gram& gram, ByRows& rows, const Said& said, Watch& watch)
        : plan_(plan), x_(x), gram_(gram), rows_(rows), said_(said), watch_(watch) {}

    /// Train the machines of some fits and enter what they say; add those that need matrices of their own to `left`.
    ///
    /// weights: (q, fits of the part) one over the square of each fit's scale; `first`, `count`: which fits of the part;
    /// is_left: (fits of the part,) those that need such from the beginning.
    void train(const Part& part, Whole first, Whole count, const Line<float>& weights, std::vector<char>& is_left, Rows& left) {
        const Whole problems = static_cast<Whole>(plan_.problems.size()), size = count * problems;
        first_ = first;
        stride_ = even_line(plan_.n());
        for (Numbers* own : {&u_, &f_}) own->assign(at(size * stride_), 0.0);
        for (Numbers* own : {&move_, &change_}) own->assign(at(kPasses * size * stride_), 0.0);
        bias_.assign(at(size), 0.0);
        Rows open, still;
        for (Whole own = 0; own < size; ++own) {
            if (!is_left[at(first + own / problems)]) open.push_back(own);
        }
        for (Whole pass = 0; pass < kPasses && !open.empty(); ++pass) {
            for (const Whole own : open) move(part, own, pass, size);
            multiply(open, weights, part.size());
            still.clear();
            for (std::size_t place = 0; place < open.size(); ++place) {
                if (is_open(part, open[place], pass, size, static_cast<Whole>(place))) still.push_back(open[place]);
            }
            std::swap(open, still);
        }
        for (const Whole own : open) is_left[at(first + own / problems)] = true;
        for (Whole own = 0; own < size; ++own) {
            const Whole fit = fit_of(plan_, part, first + own / problems);
            const Problem problem = plan_.problems[at(own % problems)];
            if (is_left[at(first + own / problems)] || !plan_.has_both(problem, fit)) continue;
            plan_.tested(fit, tests_);
            values_.clear();
            for (const Whole row : tests_) values_.push_back(f_[at(own * stride_ + row)] + bias_[at(own)]);
            record(plan_, problem, fit, tests_, values_.data(), said_);
        }
        for (Whole place = first; place < first + count; ++place) {
            if (is_left[at(place)]) left.push_back(fit_of(plan_, part, place));
        }
    }

  private:
    /// Rows, responses and bounds of a machine; how many rows, 0 where the fit lacks a class.
    Whole posed(const Part& part, Whole own, Loss& loss) {
        const Whole problems = static_cast<Whole>(plan_.problems.size()), fit = fit_of(plan_, part, first_ + own / problems);
        const Problem problem = plan_.problems[at(own % problems)];
        if (!plan_.has_both(problem, fit)) return 0;
        const Whole m = plan_.rows_of(problem, fit, places_);
        loss = room_.of(m, plan_.options.epsilon);
        plan_.pose(problem, fit, places_.data(), false, loss);
        return m;
    }

    /// Products of the rows on the scale of all rows, made to agree with the fit's own along all steps so far.
    void make_model(Whole m, Whole own, Whole passes, Whole size) {
        model_.resize(m);
        const Whole stride = model_.stride;
        for (Whole i = 0; i < m; ++i) {
            const double* source = gram_[places_[at(i)]];
            for (Whole k = 0; k < m; ++k) model_[i][k] = source[places_[at(k)]];
        }
        for (Numbers* numbers : {&image_, &step_, &changed_}) numbers->assign(at(stride), 0.0);
        for (Whole pass = 0; pass < passes; ++pass) {
            const double *move = &move_[at((pass * size + own) * stride_)], *change = &change_[at((pass * size + own) * stride_)];
            for (Whole i = 0; i < m; ++i) {
                step_[at(i)] = move[places_[at(i)]];
                changed_[at(i)] = change[places_[at(i)]];
            }
            const double curvature = dot(step_.data(), changed_.data(), m);
            for (Whole i = 0; i < m; ++i) image_[at(i)] = dot(model_[i], step_.data(), m);
            const double expected = dot(step_.data(), image_.data(), m);
            if (!(curvature > kLeastCurvature * expected) || expected <= 0.0) continue;
            for (Whole i = 0; i < m; ++i) {
                double* line = model_[i];
                double a = changed_[at(i)] / curvature, b = image_[at(i)] / expected;
                if (pass == 0) {  // the first step says how large the fit's own products are
                    a = b = 0.0;
                    const double larger = curvature / expected;
                    for (Whole k = 0; k < m; ++k) line[k] *= larger;
                }
                for (Whole k = 0; k < m; ++k) line[k] += a * changed_[at(k)];
                for (Whole k = 0; k < m; ++k) line[k] -= b * image_[at(k)];
            }
        }
    }

    /// Train a machine over its model from where it stands; in the first pass, from the machine of all rows.
    void move(const Part& part, Whole own, Whole pass, Whole size) {
        Loss loss{};
        const Whole m = posed(part, own, loss);
        if (m == 0) return;
        make_model(m, own, pass, size);
        const Problem problem = plan_.problems[at(own % static_cast<Whole>(plan_.problems.size()))];
        double *u = &u_[at(own * stride_)], *f = &f_[at(own * stride_)], level = 0.0;
        dual_.assign(at(even(m)), 0.0);
        before_.assign(at(even(m)), 0.0);
        for (Whole i = 0; i < m; ++i) {
            dual_[at(i)] = before_[at(i)] = u[places_[at(i)]];
            level += model_[i][i] / static_cast<double>(m);
        }
        level = level > 0.0 ? level : 1.0;
        for (Whole i = 0; i < m; ++i) {
            const double image = kSingle * level * before_[at(i)] + dot(model_[i], before_.data(), m);
            loss.y[i] += image - f[places_[at(i)]];
        }
        if (pass == 0) {
            const double* kept = rows_.starts()[at(own % static_cast<Whole>(plan_.problems.size()))];
            for (Whole i = 0; i < m; ++i) {
                dual_[at(i)] = std::min(std::max(kept[plan_.place_of(problem, places_[at(i)])], loss.low[i]), loss.high[i]);
            }
        }
        for (Whole i = 0; i < m; ++i) {
            for (Whole k = 0; k < m; ++k) model_[i][k] += level;
            model_[i][i] += kSingle * level;
        }
        const Kernel kernel{model_.values.data(), model_.stride, nullptr, 0.0, nullptr};
        rows_.dual().fit(kernel, loss, true, kCloser * plan_.options.tolerance, 50 * m + 1000, dual_.data(), watch_);
        for (Whole i = 0; i < m; ++i) {
            u[places_[at(i)]] = dual_[at(i)];
            move_[at((pass * size + own) * stride_ + places_[at(i)])] = dual_[at(i)] - before_[at(i)];
        }
    }

    /// X diag(w) X'u of machines, in single precision.
    void multiply(const Rows& machines, const Line<float>& weights, Whole fits) {
        const Whole a = static_cast<Whole>(machines.size()), lanes = even_line(a), n = plan_.n(), q = plan_.q();
        const Whole problems = static_cast<Whole>(plan_.problems.size());
        turned_.assign(at(n * lanes), 0.0f);
        for (Whole place = 0; place < a; ++place) {
            for (Whole row = 0; row < n; ++row) {
                turned_[at(row * lanes + place)] = static_cast<float>(u_[at(machines[at(place)] * stride_ + row)]);
            }
        }
        total_.assign(at(a * x_.stride), 0.0f);
        fit_.clear();
        for (const Whole own : machines) fit_.push_back(first_ + own / problems);
        for (Whole start = 0; start < q; start += kColumnsAtOnce) {
            watch_.check();
            const Whole count = std::min(kColumnsAtOnce, q - start);
            w_.assign(at(count * lanes), 0.0f);
            Products<float>::add({x_[start], x_.stride, 1}, count, turned_.data(), lanes, a, n, w_.data(), lanes);
            for (Whole c = 0; c < count; ++c) {
                const float* own = weights.data() + (start + c) * fits;
                float* line = w_.data() + c * lanes;
                for (Whole place = 0; place < a; ++place) line[place] *= own[fit_[at(place)]];
            }
            Products<float>::add({w_.data(), 1, lanes}, a, x_[start], x_.stride, n, count, total_.data(), x_.stride);
        }
    }

    /// Take in what the fit's own matrix makes of the dual values; whether the machine is not optimal yet.
    bool is_open(const Part& part, Whole own, Whole pass, Whole size, Whole place) {
        Loss loss{};
        const Whole m = posed(part, own, loss);
        if (m == 0) return false;
        const float* said = &total_[at(place * x_.stride)];
        double *f = &f_[at(own * stride_)], *change = &change_[at((pass * size + own) * stride_)];
        for (Whole row = 0; row < plan_.n(); ++row) {
            change[row] = static_cast<double>(said[row]) - f[row];
            f[row] = static_cast<double>(said[row]);
        }
        image_.assign(at(even(m)), 0.0);
        dual_.assign(at(even(m)), 0.0);
        for (Whole k = 0; k < m; ++k) {
            image_[at(k)] = f[places_[at(k)]];
            dual_[at(k)] = u_[at(own * stride_ + places_[at(k)])];
        }
        const auto [gap, bias] = settle(loss, image_.data(), 0.0, dual_.data());
        bias_[at(own)] = bias;
        return !(gap <= plan_.options.tolerance);
    }

    const Plan& plan_;
    const Single& x_;
    const Gram& gram_;
    ByRows& rows_;
    const Said& said_;
    Watch& watch_;
    Whole stride_ = 0;
    Numbers u_, f_, move_, change_, bias_;  // (machines, n) and (passes, machines, n); (machines,)
    LossRoom room_;
    Whole first_ = 0;
    Rows places_, tests_, fit_;
    Gram model_;
    Numbers image_, step_, changed_, dual_, before_, values_;
    Line<float> turned_, w_, total_;
};

/// Whether all machines are trained faster together than each fit over a Gram matrix of its own.
bool pays(const Plan& plan) {
    const Whole problems = static_cast<Whole>(plan.problems.size());
    return !plan.is_squared && plan.q() >= kColumnsARow * plan.n() && plan.n() >= kRowsAProblem * (problems - 1);
}

/// Train all fits of many columns that each fit scales by itself.
void train_wide(const Plan& plan, Folds labels, const Said& said, Watch& watch) {
    Source source(plan, watch);
    const Single x(plan, source);
    ByRows rows(plan, watch, said);
    Multiply<float> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    const auto train_own = [&](Whole place, Whole fit) {
        if (fit >= 0 && is_too_close(scales.penalty_of(place), plan.q())) {
            train_exactly(plan, labels, fit, said, watch);
            return;
        }
        multiply(plan, x, scales.penalty_of(place), scales.fill_of(place), products, gram, watch);
        rows.train(gram, kSingle, fit);
    };
    if (plan.folds > 1) {
        learn_all(source, plan, nullptr, labels, scales);
        train_own(0, -1);
    }
    if (plan.fits() < 3 || source.has_gaps() || !pays(plan)) {
        in_parts(plan, many_fits(plan, 1, source.has_gaps() ? 8 : 4), [&](const Part& part) {
            learn_all(source, plan, &part, labels, scales);
            for (Whole place = 0; place < part.size(); ++place) train_own(place, fit_of(plan, part, place));
        });
        return;
    }
    Rows left;
    {
        Shared shared(plan, x, gram, rows, said, watch);
        Line<float> weights;
        std::vector<char> is_left;
        Scales some;
        const Whole many = std::max<Whole>(1, kMachinesAtOnce / static_cast<Whole>(plan.problems.size()));
        in_parts(plan, many_fits(plan, 1, 2), [&](const Part& part) {
            const Whole fits = part.size();
            weights.resize(at(fits * plan.q()));
            is_left.assign(at(fits), false);
            for (Whole first = 0, end = 0; first < plan.q(); first = end) {
                end = source.end_of(first, kCellsAtOnce);
                watch.check();
                some.resize(fits, first, end - first, true, false, false);
                source.learn(part, labels, first, end, some);
                for (Whole fit = 0; fit < fits; ++fit) {
                    const double* penalty = some.penalty_of(fit);
                    is_left[at(fit)] |= is_too_close(penalty, end - first);
                    for (Whole c = first; c < end; ++c) weights[at(c * fits + fit)] = weight_of(penalty[c - first]);
                }
            }
            for (Whole first = 0; first < fits; first += many) {
                shared.train(part, first, std::min(many, fits - first), weights, is_left, left);
            }
        });
    }
    for (const Whole fit : left) {
        const Part part{fit / plan.folds, 1, fit % plan.folds, 1};
        learn_all(source, plan, &part, labels, scales);
        train_own(0, fit);
    }
}

// Training by columns

constexpr Whole kMostRowsAgain = 5000;  // where Newton's method does not get there, the other solver takes as many rows squared
// Rows that a fold begins with: those nearest to a bend in the machine over all rows.
constexpr Whole kNearRows = 16, kNearRowsAColumn = 10, kShareOfRows = 32;
constexpr int kHalvings = 30;  // of the distance that so many rows are within

class ByColumns {
  public:
    ByColumns(const Plan& plan, Folds labels, const Said& said, Watch& watch)
        : plan_(plan), labels_(labels), said_(said), watch_(watch), source_(plan, watch), z_(plan, source_, true) {
        sigma_ = 2.0;
        if (plan.is_squared) return;
        growth_ = 5.0;
        double spread = 1.0;
        if (plan.is_regression) {
            const double n = static_cast<double>(plan.n()), mean = sum(plan.response.data(), plan.n()) / n;
            spread = std::sqrt(sum_of_squares(plan.response.data(), plan.n(), mean) / n);
        }
        sigma_ = 0.5 / (spread > 0.0 ? spread : 1.0);
    }

    /// Train every machine and enter what it says about its test rows.
    void train() {
        known_.resize(plan_.problems.size());
        for (std::size_t problem = 0; problem < known_.size(); ++problem) {
            Known& own = known_[problem];
            own.m = plan_.rows_of(plan_.problems[problem], -1, own.rows);
            own.w.assign(at(plan_.q() + 1), 0.0);
            own.u.assign(at(even(own.m)), 0.0);
            own.f.assign(at(even(own.m)), 0.0);
        }
        if (plan_.folds > 1) {
            learn_all(source_, plan_, nullptr, labels_, scales_);
            train_fit(-1, 0);
        }
        in_parts(plan_, many_fits(plan_, kNumbersAColumn, 16), [&](const Part& part) {
            if (source_.varies() || part.repeat + part.fold == 0) learn_all(source_, plan_, &part, labels_, scales_);
            for (Whole place = 0; place < part.size(); ++place) train_fit(fit_of(plan_, part, place), place);
        });
    }

  private:
    /// The machine over all rows of a problem.
    struct Known {
        Rows rows;
        Whole m = 0;
        Numbers w, u, f, x;
        double reach = kInfinity;
        bool is_picked = false;
    };

    void train_fit(Whole fit, Whole place) {
        const Whole q = plan_.q(), n = plan_.n();
        if (source_.has_gaps()) z_.fill(scales_.fill_of(place));
        const Block all = z_.block(q, n);
        const double* mean = nullptr;
        if (plan_.is_squared) {
            const double* origin = scales_.origin_of(place);
            mean_.assign(origin, origin + q);
            mean_.push_back(1.0);
            mean = mean_.data();
        }
        if (fit >= 0) test(all, fit);
        const bool is_again = fit >= 0 && growth_ > 0.0 && plan_.folds > 1;
        for (std::size_t number = 0; number < known_.size(); ++number) {
            const Problem problem = plan_.problems[number];
            if (!plan_.has_both(problem, fit)) continue;
            Known& own = known_[number];
            const Block x = picked(own, all);
            Loss loss = loss_.of(own.m, plan_.options.epsilon);
            plan_.pose(problem, fit, own.rows.data(), fit >= 0, loss);
            w_ = own.w;
            u_ = own.u;
            f_ = own.f;
            const Machine machine{w_.data(), u_.data(), f_.data()};
            const Wanted wanted{scales_.penalty_of(place), mean, is_again ? sigma_ * 6.0 : sigma_, growth_, plan_.options.tolerance};
            bool is_optimal = primal_.fit(x, loss, wanted, own.reach, machine, watch_);
            if (!is_optimal && is_again) {  // once more from nothing
                for (Numbers* part : {&w_, &u_, &f_}) std::fill(part->begin(), part->end(), 0.0);
                is_optimal = primal_.fit(x, loss, wanted, kInfinity, machine, watch_);
            }
            if (fit < 0) {
                if (!is_optimal) continue;  // its fits start from nothing
                own.w = w_;
                own.u = u_;
                own.f = f_;
                own.reach = reach_of(loss, f_.data());
                continue;
            }
            const Whole tested = static_cast<Whole>(tests_.size());
            if (!is_optimal && own.m + tested <= kMostRowsAgain && !plan_.is_squared) {
                train_again(problem, fit);
                continue;
            }
            values_.resize(at(even(tested)));
            decide({tested_.data(), q, tested, even(tested)}, w_.data(), values_.data());
            record(plan_, problem, fit, tests_, values_.data(), said_);
        }
    }

    /// The columns of a problem's rows; all problems may have all rows, in their order: no copy for each of them.
    Block picked(Known& own, const Block& all) {
        if (own.m == all.n) return all;
        const Whole stride = even(own.m);
        if (!own.is_picked || source_.has_gaps()) {
            own.x.assign(at(all.p * stride), 0.0);
            for (Whole c = 0; c < all.p; ++c) {
                double* values = own.x.data() + c * stride;
                for (Whole k = 0; k < own.m; ++k) values[k] = all[c][own.rows[at(k)]];
            }
            own.is_picked = true;
        }
        return {own.x.data(), all.p, own.m, stride};
    }

    void test(const Block& all, Whole fit) {
        plan_.tested(fit, tests_);
        const Whole tested = static_cast<Whole>(tests_.size()), stride = even(tested);
        tested_.assign(at(all.p * stride), 0.0);
        for (Whole c = 0; c < all.p; ++c) {
            for (Whole k = 0; k < tested; ++k) tested_[at(c * stride + k)] = all[c][tests_[at(k)]];
        }
    }

    /// How far from a bend of their loss a fit's first rows are; infinite where it takes all.
    double reach_of(const Loss& loss, const double* f) {
        const Whole wanted = kNearRows + kNearRowsAColumn * plan_.q() + loss.size / kShareOfRows;
        if (growth_ == 0.0 || loss.size <= wanted) return kInfinity;
        double low = 0.0, high = 0.0;
        far_.resize(at(loss.size));
        for (Whole i = 0; i < loss.size; ++i) {
            far_[at(i)] = std::abs(std::abs(loss.y[i] - f[i]) - loss.epsilon);
            high = std::max(high, far_[at(i)]);
        }
        for (int turn = 0; turn < kHalvings; ++turn) {
            const double middle = (low + high) / 2.0;
            Whole count = 0;
            for (const double own : far_) count += own <= middle;
            (count < wanted ? low : high) = middle;
        }
        return high;
    }

    /// One machine by rows, which is slower but bears columns of very different sizes.
    void train_again(Problem problem, Whole fit) {
        const auto [a, b, c, d] = plan_.ranges(problem);
        const Whole *own = plan_.labels_of(fit), fold = plan_.fold_of(fit);
        Rows rows;
        for (Whole row = 0; row < plan_.n(); ++row) {  // rows of all classes are tested
            if ((row >= a && row < b) || (row >= c && row < d) || own[row] == fold) rows.push_back(plan_.order[at(row)]);
        }
        Plan part(plan_.columns, codes_of(), labels_, plan_.folds, plan_.chosen, plan_.options, rows, {problem});
        part.costs = plan_.costs;
        train_exactly(part, labels_, fit, said_, watch_);
    }

    Integers codes_of() {
        if (codes_.empty()) {
            codes_.assign(at(plan_.columns.extent(1)), 0);
            for (Whole row = 0; row < plan_.n(); ++row) codes_[at(plan_.order[at(row)])] = plan_.target[at(row)];
        }
        return view(codes_);
    }

    const Plan& plan_;
    Folds labels_;
    const Said& said_;
    Watch& watch_;
    Source source_;
    Standardised z_;
    double sigma_ = 0.0, growth_ = 0.0;
    Scales scales_;
    std::vector<Known> known_;
    LossRoom loss_;
    Primal primal_;
    Rows tests_, codes_;
    Numbers mean_, w_, u_, f_, tested_, values_, far_;
};

// Which way

constexpr Whole kRowsAColumn = 8;         // from so many rows of a problem for each column on, machines are trained by columns
constexpr Whole kRowsAColumnSquared = 4;  // the same for a smooth loss, which takes fewer steps
constexpr Whole kManyColumns = 96;        // from so many on columns are kept in single precision
constexpr double kLargestSingleCost = 10.0;  // dual values up to C multiply the rounding of products in single precision

/// Whether rows are so many that machines are trained by columns.
bool are_rows_many(const Plan& plan) {
    const bool are_pairs = !plan.problems.empty() && plan.problems[0].other >= 0;
    const Whole largest = are_pairs ? plan.n() * 2 / plan.options.classes : plan.n();
    return largest >= (plan.is_squared ? kRowsAColumnSquared : kRowsAColumn) * plan.q();
}

void train(const Plan& plan, Folds labels, const Said& said, Watch& watch) {
    const Whole q = plan.q();
    if (are_rows_many(plan)) {
        ByColumns(plan, labels, said, watch).train();
    } else if (plan.options.scaling != Scaling::fold || plan.options.cost > kLargestSingleCost) {
        train_by_rows<double>(plan, labels, kDouble, said, watch);
    } else if (q < kManyColumns) {
        train_by_rows<float>(plan, labels, kSingle, said, watch);
    } else if (plan.is_squared) {
        train_by_rows<double>(plan, labels, kDouble, said, watch);
    } else {
        train_wide(plan, labels, said, watch);
    }
}

std::vector<Problem> problems_of(const SvmOptions& options) {
    const Whole classes = options.classes;
    if (options.response.size() > 0) return {{-1, -1}};
    std::vector<Problem> problems;
    for (Whole one = 0; one < classes; ++one) {
        if (options.squared && (one > 0 || classes != 2)) problems.push_back({one, -1});
        for (Whole other = one + 1; other < classes && !options.squared; ++other) problems.push_back({one, other});
    }
    return problems;
}

/// Enter what follows from what machines said: the other class of a single machine, and -inf for classes that were absent.
void complete(const Plan& plan, const Said& said) {
    if (plan.is_regression) return;
    const Whole classes = plan.options.classes;
    for (Whole repeat = 0; repeat < plan.repeats; ++repeat) {
        for (Whole place = 0; place < plan.n(); ++place) {
            const Whole row = plan.order[at(place)], fold = plan.labels[at(repeat * plan.n() + place)];
            const double* costs = plan.costs_of(fold < 0 ? -1 : repeat * plan.folds + fold);
            const auto votes = said.votes[repeat][row];
            if (plan.is_squared && classes == 2) votes[0] = -votes[1];  // one machine stands for both classes
            for (Whole code = 0; code < classes; ++code) {
                if (!(costs[code] > 0.0)) votes[code] = -kInfinity;
            }
        }
    }
}

/// Train all fits of one measurement and enter what they say; classes that a fit's training rows lack get -inf.
void measure(Columns columns, Integers target, const Measurements& all, Whole measurement, const SvmOptions& options, const Said& said,
             Watch& watch) {
    const Folds labels = all.labels[all.folds_of[measurement]];
    const Whole n = columns.extent(1), repeats = labels.size();
    const bool leaves_out = std::find(labels.data(), labels.data() + labels.count(), -2) != labels.data() + labels.count();
    std::fill_n(said.votes.data(), said.votes.count(), 0.0);
    std::fill_n(said.sums.data(), said.sums.count(), 0.0);
    for (Whole repeat = 0; repeat < repeats; repeat += leaves_out ? 1 : repeats) {  // repeats have rows of their own
        const Whole some = leaves_out ? 1 : repeats;
        Rows rows;
        for (Whole row = 0; row < n; ++row) {
            if (labels[repeat][row] != -2) rows.push_back(row);
        }
        const Folds own(labels.data() + repeat * n, {some, n});
        const auto part = [&]<int D>(View<double, D> whole) {
            auto shape = whole.shape();
            const Whole step = whole.size() ? whole.count() / whole.size() : 0;
            shape[0] = whole.size() ? some : 0;
            return View<double, D>(whole.data() + repeat * step, shape);
        };
        const Said said_of{part(said.votes), part(said.sums)};
        const Plan plan(columns, target, own, all.folds, all.columns[measurement], options, rows, problems_of(options));
        train(plan, own, said_of, watch);
        complete(plan, said_of);
    }
}

/// Train the machines of one split of the rows under several C over one matrix, each from where the next smaller C ended.
void measure_along(Columns columns, Integers target, Folds labels, View<const std::int32_t, 1> chosen, const SvmOptions& options,
                   Reals costs, const std::vector<Said>& said, Watch& watch) {
    Rows rows(at(columns.extent(1))), order(at(costs.size()));
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) { return costs[one] < costs[other]; });
    std::vector<SvmOptions> each(order.size(), options);
    std::vector<Plan> plans;
    for (std::size_t place = 0; place < order.size(); ++place) {
        each[place].cost = costs[order[place]];
        plans.emplace_back(columns, target, labels, 1, chosen, each[place], rows, problems_of(options));
    }
    for (const Said& own : said) {
        std::fill_n(own.votes.data(), own.votes.count(), 0.0);
        std::fill_n(own.sums.data(), own.sums.count(), 0.0);
    }
    if (plans.empty()) return;
    if (are_rows_many(plans[0])) {
        for (std::size_t place = 0; place < plans.size(); ++place) train(plans[place], labels, said[at(order[place])], watch);
    } else {
        Source source(plans[0], watch);
        Standardised z(plans[0], source, plans[0].q() * plans[0].n() <= 1 << 17);
        Multiply<double> products;
        Gram gram;
        gram.resize(plans[0].n());
        Scales scales;
        learn_all(source, plans[0], nullptr, labels, scales);
        multiply(plans[0], z, scales, 0, products, gram, watch);
        std::unique_ptr<ByRows> last;
        for (std::size_t place = 0; place < plans.size(); ++place) {
            auto own = std::make_unique<ByRows>(plans[place], watch, said[at(order[place])]);
            if (last) own->begin_from(*last);
            own->keep();
            own->train(gram, kDouble, 0);
            last = std::move(own);
        }
    }
    for (std::size_t place = 0; place < plans.size(); ++place) complete(plans[place], said[at(order[place])]);
}

constexpr double kAbsent = -std::numeric_limits<double>::max();  // score of a class that the training rows do not have

/// A class's score: its decision value, or of more than two classes votes, and between equal votes bounded sums.
double score(double votes, double sum, bool has_sums, Whole classes) {
    if (votes == -kInfinity) return kAbsent;
    if (!has_sums) return votes;
    return classes == 2 ? sum : votes + sum / (3.0 * (std::abs(sum) + 1.0));
}

/// By how much a row's own class is ahead of the best of the others: (a - b) / (|a| + |b|).
double margin(View<const double, 1> scores, Whole truth) {
    double best = kAbsent;
    for (Whole code = 0; code < scores.size(); ++code) {
        if (code != truth) best = std::max(best, scores[code]);
    }
    return (scores[truth] - best) / std::max(std::abs(scores[truth]) + std::abs(best), 1e-12);
}

}  // namespace

/// Fill in (m, repeats, n, classes) votes of all pairs of classes, or the value of each class or of the regression, and
/// (m, repeats, n, classes) sums of the decision values in a class's favour, else (0, ...) where they are not wanted.
///
/// -inf for classes without a training row, 0 for rows that are not tested.
void svm_decisions(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                   View<double, 4> votes, View<double, 4> sums, const Effort& effort) {
    const std::array<Whole, 3> shape{votes.extent(1), votes.extent(2), votes.extent(3)};
    share(measurements.size(), effort, [&](Whole measurement, int) {
        const View<double, 3> none(nullptr, {0, shape[1], shape[2]});
        const Said said{votes[measurement], sums.size() ? sums[measurement] : none};
        measure(columns, target, measurements, measurement, options, said, effort.watch);
    });
}

/// Fill in (costs, m, n, classes) the same for one split of the rows, labelled (1, n) -1 where they train and 0 where they
/// are tested, under several C.
void svm_fits(Columns columns, Integers target, const Lists<std::int32_t>& subsets, Folds labels, const SvmOptions& options,
              Reals costs, View<double, 4> votes, View<double, 4> sums, const Effort& effort) {
    const Whole n = votes.extent(2), classes = votes.extent(3);
    const auto part = [&](View<double, 4> whole, Whole cost, Whole subset) {
        const Whole some = whole.size() ? 1 : 0;
        return View<double, 3>(some ? whole[cost][subset].data() : nullptr, {some, n, classes});
    };
    share(subsets.size(), effort, [&](Whole subset, int) {
        std::vector<Said> said;
        for (Whole cost = 0; cost < costs.size(); ++cost) said.push_back({part(votes, cost, subset), part(sums, cost, subset)});
        measure_along(columns, target, labels, subsets[subset], options, costs, said, effort.watch);
    });
}

/// Fill in (m, repeats) how many tested rows' class is not theirs, the first of equal votes being it; and where they are
/// wanted, (m, repeats, 2) mean and standard deviation of the tested rows' margins, else (0, repeats, 2).
void svm_errors(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                View<Whole, 2> errors, View<double, 3> margins, const Effort& effort) {
    const Whole repeats = errors.extent(1), n = target.size();
    const Whole classes = options.classes;
    const bool has_sums = margins.size() && !options.squared;
    struct Worker {
        Numbers votes, sums, scores, margins;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share(measurements.size(), effort, [&](Whole measurement, int number) {
        Worker& own = workers[static_cast<std::size_t>(number)];
        own.votes.resize(at(repeats * n * classes));
        own.sums.resize(has_sums ? own.votes.size() : 0);
        own.scores.resize(at(classes));
        const View<double, 3> votes(own.votes.data(), {repeats, n, classes});
        const View<double, 3> sums(own.sums.data(), {has_sums ? repeats : 0, n, classes});
        measure(columns, target, measurements, measurement, options, {votes, sums}, effort.watch);
        const Folds labels = measurements.labels[measurements.folds_of[measurement]];
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            Whole misses = 0;
            own.margins.clear();
            for (Whole row = 0; row < n; ++row) {
                if (labels[repeat][row] < 0) continue;
                const auto said = votes[repeat][row];
                misses += std::max_element(said.begin(), said.end()) - said.begin() != target[row];
                if (margins.size() == 0) continue;
                for (Whole code = 0; code < classes; ++code) {
                    own.scores[at(code)] = score(said[code], has_sums ? sums[repeat][row][code] : 0.0, has_sums, classes);
                }
                own.margins.push_back(margin({own.scores.data(), {classes}}, target[row]));
            }
            errors[measurement][repeat] = misses;
            if (margins.size() == 0) continue;
            mean_and_deviation(own.margins.data(), static_cast<Whole>(own.margins.size()), margins[measurement][repeat].data());
        }
    });
}

/// Minimise (2) over a Gram matrix (n, n) from u, in place; return the bias and how many steps it took. For tests.
std::pair<double, Whole> svm_dual(View<const double, 2> gram, const SvmProblem& problem, bool has_bias, double shift, Reals ridge,
                                  Whole most, View<double, 1> u, Watch& watch) {
    const Whole n = gram.size();
    LossRoom room;
    const Loss loss = room.of(problem);
    Rows rows(at(n));
    std::iota(rows.begin(), rows.end(), 0);
    Numbers own(at(even(n)), 0.0);
    std::copy(u.begin(), u.end(), own.begin());
    const Kernel kernel{gram.data(), n, rows.data(), shift, ridge.data()};
    const auto [bias, steps] = Dual().fit(kernel, loss, has_bias, problem.tolerance, most, own.data(), watch);
    std::copy_n(own.begin(), n, u.begin());
    return {bias, steps};
}

/// Minimise (1) over columns (p, n) from weights and bias (p + 1,) and dual values, in place; return how many Newton steps
/// it took. pull: (p + 1,) see Newton::fit. For tests.
Whole svm_primal(View<const double, 2> columns, const SvmProblem& problem, Reals penalty, Reals pull, double size, double sigma,
                 double growth, Whole most, View<double, 1> w, View<double, 1> u, View<double, 1> f, Watch& watch) {
    const Whole p = columns.size(), n = columns.extent(1), stride = even(n);
    LossRoom room;
    const Loss loss = room.of(problem);
    Numbers z(at(p * stride), 0.0), dual(at(stride), 0.0), said(at(stride), 0.0);
    for (Whole c = 0; c < p; ++c) std::copy_n(columns[c].data(), n, z.data() + c * stride);
    std::copy(u.begin(), u.end(), dual.begin());
    Newton newton;
    const Whole steps = newton.fit({z.data(), p, n, stride}, loss, {penalty.data(), nullptr, sigma, growth, problem.tolerance},
                                   pull.data(), size, most, {w.data(), dual.data(), said.data()}, watch);
    std::copy_n(dual.begin(), n, u.begin());
    std::copy_n(said.begin(), n, f.begin());
    return steps;
}

}  // namespace fsdesk::FSDESK_LEVEL
