// Dual: as many unknowns as rows
//
// The free rows, those strictly between their bounds, are kept optimal by a Cholesky factor that grows and shrinks one
// row at a time. The row that violates optimality most moves until it is optimal, reaches a bound, or a free row
// reaches one. Dual values stay feasible and the objective (2) never increases.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "products.hpp"
#include "svm_loss.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kSingular = 1e-11;  // a pivot below this fraction of its diagonal is rounding
constexpr double kUnbalanced = 1e-10;  // a sum of dual values above this fraction of their sizes is not treated as 0

/// K: rows of a Gram matrix, shifted by a constant, with an addition to its diagonal. Because dual values sum to 0 the
/// shift has no effect, except that free rows become independent.
struct Kernel {
    const double* gram;  // (n, stride) products of all rows, in whole lanes
    Whole stride;
    const Whole* rows;  // (m,) those of this machine; nullptr if it has all rows and the rest is already in `gram`
    double shift;
    const double* ridge;  // (m,) added to the diagonal
};

class Dual {
  public:
    struct Ready {
        double bias;
        Whole steps;
    };

    /// Minimise (2) from `u`, within the bounds, in at most `most` steps; u: (m,) in whole lanes, padded with zeros.
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

    /// Fetch a row of K if it is not available.
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

    // The factor: upper triangle, with the reciprocals of its diagonal. The part below may be overwritten.

    /// Solve with the transposed factor, in place; four unknowns at a time, because each waits for the previous ones.
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

    /// Solve with the factor, from half_ or another source, into move_.
    void backward(const double* right) { solve_upper(factor_.data(), stride_, size_, right, move_.data()); }

    /// Fill in the factor's row of the free row at `place`, of `size`; return whether it is independent of the previous
    /// ones.
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

    /// Make a row free whose forward solution is in `half_`, unless it depends on the free ones.
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

    /// Record the bounds and the dual value of the free row at a position.
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

    /// Drop the free row at `place` and rotate the factor back to a triangle, eight columns at a time.
    ///
    /// Rotation k combines the remainder of row `place`, carried along, and row k + 1 into row k and a new remainder.
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

    /// Separate from its sum: compilers would fuse the two.
    [[gnu::noinline]] static double turned(double cosine, double sine, double left, double right) {
        return cosine * right - sine * left;
    }

    // Steps

    void subtract(Whole row, double times) { take_off(residual_.data(), line(row), times, m_); }

    /// Subtract K times the moves of the free rows from the residuals.
    void subtract_moves() {
        constexpr int together = kWidth == kLanes ? 8 : 4;  // as many as there are registers
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

    /// Make the rows between their bounds free, with unknown dual values; rest_ becomes the sum of the others'.
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

    /// Fill move_ with the optimum of the free rows without bounds; set the bias.
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

    /// Remove what rounding adds to the sum of all dual values: much, if the products are tiny compared with residuals.
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

    /// From dual values within their bounds to balanced ones, optimal among the free rows.
    ///
    /// Free rows whose own optimum is beyond a bound are left there, until the others' is within theirs.
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

    /// The row to move and its sign; -1 if all are optimal. A bias needs one free row.
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

    /// Fill move_ with the change of the free rows as the dual value of `row` moves by `sign`; return curvature, and
    /// change of the bias.
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

    /// Where a dual value on one side of zero must stop along a move: at a bound, or at zero if that is a kink.
    double end(double low, double high, double side, double move) const {
        if (loss_->epsilon > 0.0 && side * move < 0.0) return 0.0;
        return move > 0.0 ? high : low;
    }

    /// How far the free rows can go along move_, at most `most`, and the position of the one that stops them, else -1.
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

    /// Take the step of length t; the free row at `place`, if any, reaches its bound and leaves.
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
                // a row that reaches zero together with another must not round past it
                if (loss_->epsilon > 0.0 && value * side_[at(k)] < 0.0) value = 0.0;
            }
            u_[free_[at(k)]] = value_[at(k)] = value;
        }
        subtract_moves();
        if (place >= 0) leave(place);
    }

    /// Move `row` until it is optimal or blocked; return whether by a free row.
    bool step(Whole row, double sign) {
        const double side = u_[row] * sign >= 0.0 ? sign : -sign;
        const auto [curvature, slant] = toward(row, sign);
        const double excess = sign * (residual_[at(row)] - bias_ - side * loss_->epsilon);
        const double last = end(loss_->low[row], loss_->high[row], side, sign);
        const double own = (last - u_[row]) / sign;
        double bend = curvature > kSingular * line(row)[row] ? curvature : 0.0;
        if (own == kInfinity) bend = std::max(bend, kernel_->ridge[row]);  // rounding errors of a curvature are below that
        const double wanted = bend > 0.0 ? std::max(excess, 0.0) / bend : kInfinity;
        const auto [t, place] = blocked(std::min(own, wanted));
        subtract(row, sign * t);
        u_[row] += sign * t;
        advance(t, place);
        if (place < 0 && own <= wanted) {
            u_[row] = last;
        } else if (place < 0 && (u_[row] != 0.0 || excess > 0.0)) {  // one that has just reached zero may be optimal there
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
    Numbers low_, high_, value_, side_;  // for the free rows: side is 1 if the dual value is above zero or came from there
    Rows free_;
    std::vector<char> loaded_;
};

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
