// Primal: as many unknowns as columns
//
// The proximal method of multipliers smooths the hinge and the tube around the last dual values v: u_i = clip(v_i +
// sigma c_i r_i), a tube of residuals of width 1 / sigma, narrowed until the machine is optimal to the tolerance (R. T.
// Rockafellar, Math. Oper. Res. 1, 1976; X. Li, D. Sun and K.-C. Toh, SIAM J. Optim. 28, 2018, for Newton's method
// within). Few rows lie where their dual value is still undecided: a fold trains over these, with the others held at
// the bounds where they belong, and checks all rows at the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "products.hpp"
#include "svm_loss.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kBalanced = 1e-12;  // a sum of dual values below this fraction of their sizes is rounding
constexpr double kStill = 1e-12;     // a step that moves decision values by a smaller fraction is rounding
constexpr double kStillWeight = 1e-8;  // and weights by no more, in units in which their penalty is w^2
constexpr double kSteepest = 1e3;    // a tube this much narrower than the tolerance leaves only rounding
constexpr Whole kRowsAtOnce = 1024;  // decision values that stay in the cache
constexpr int kSearchSteps = 30;     // along a line, each of which narrows the bracket
constexpr Whole kNewtonSteps = 300, kNearSteps = 60;  // maximum, over all rows and over some: forty are sufficient
constexpr Whole kRounds = 8;         // for choosing rows; two or three are sufficient, then a fold takes all
constexpr Whole kTerms = 48;         // for products whose rows stay in the first-level cache

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

/// Solve a positive definite system with the given upper triangle and the right side as an additional column; tiny
/// pivots are skipped. right: room for that column; x: the solution, in whole lanes.
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

/// The state of a machine: (p + 1,) weights and bias, (n,) dual values and decision values in whole lanes.
struct Machine {
    double *w, *u, *f;
};

/// The problem for a fit of the columns.
struct Wanted {
    const double* penalty;  // (p,) V
    const double* mean;     // (p + 1,) of the training rows, the last 1, if the bias is penalised; else nullptr
    double sigma, growth;   // steepness of the smoothed loss, and its factor from one tube to the next; 0: already smooth
    double tolerance;
};

class Newton {
  public:
    /// Minimise sum(V w^2) / 2 + sum of losses from the machine's state; return the number of Newton steps.
    ///
    /// pull: (p + 1,) sum of columns times dual values of rows that are held and not in x; size: sum of the sizes of
    /// these dual values. Returns `most` steps if rounding keeps the machine from the tolerance.
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
        bool is_exact = false;  // the last step was a full Newton step, so that it ended at the solution of the equations
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
    /// Dual values implied by decision values, without and with bounds.
    [[gnu::always_inline]] Lanes raw(Whole i, const Lanes& f, Lanes& dead) const {
        const Lanes times = Lanes::all(wanted_.sigma) * Lanes::load(loss_->rate + i);
        dead = times * Lanes::all(loss_->epsilon);
        const Lanes own = Lanes::load(&centre_[at(i)]) + times * (Lanes::load(loss_->y + i) - f), none = Lanes::all(0.0);
        return larger(own - dead, none) + smaller(own + dead, none);
    }

    [[gnu::always_inline]] Lanes bounded(Whole i, const Lanes& value) const {
        return smaller(larger(value, Lanes::load(loss_->low + i)), Lanes::load(loss_->high + i));
    }

    /// Dual values implied by the decision values; `state_` is 1 if they vary with these, else 0.
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

    /// Step length: 1, or less if the objective stops decreasing before that.
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

    /// Fill in Newton's step; return the number of rows at which the loss is curved.
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
        if (free == 0 && mean == nullptr) {  // a slope of the bias that is rounding gives no direction
            if (is_balanced()) step_[at(p)] = 0.0;
            matrix_[at(p * matrix_stride_ + p)] = step_[at(p)] == 0.0 ? 1.0 : std::abs(step_[at(p)]);
        }
        for (Whole c = 0; c <= p; ++c) matrix_[at(c * matrix_stride_ + p + 1)] = step_[at(c)];
        solve(matrix_.data(), matrix_stride_, p + 1, root_of_.data(), step_.data());
        return free;
    }

    /// The Hessian's upper triangle: sum over the rows at which the loss is curved of sigma c_i (x_i, 1) (x_i, 1)', and
    /// V.
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

    /// First and second derivative along the step of the penalty and of the held rows' cost.
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

    /// Whether the dual values are optimal; then the bias is set, and the weights become exactly those implied.
    bool finish();

    /// Whether a step is only rounding: its length is then meaningless.
    ///
    /// Weights are checked too: that of a column that is constant among these rows goes to the bias without moving
    /// them.
    bool is_still() const {
        double size = 1.0, most = 0.0, weights = 0.0;
        for (Whole i = 0; i < x_.n; ++i) {
            size = std::max(size, std::abs(machine_.f[i]));
            most = std::max(most, std::abs(change_[at(i)]));
        }
        for (Whole c = 0; c < x_.p; ++c) weights = std::max(weights, std::abs(step_[at(c)]) * std::sqrt(wanted_.penalty[c]));
        return most <= kStill * size && weights <= kStillWeight * size;
    }

    /// Whether dual values sum to 0, up to rounding.
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
        pull_of(x_, machine_.u, w);  // rounding errors in the equations must not decide
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
    /// Train a machine from its state; return whether it is optimal to the tolerance.
    ///
    /// Initially only over the rows within `reach` of a kink of their loss, then also over those that turn out to
    /// matter.
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
            // otherwise dual values and weights do not match
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
    /// Choose rows whose dual value is undecided, including those held at a bound where they do not belong.
    ///
    /// The others are held where they belong. Return the number chosen.
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

    /// Columns of the chosen rows; those of x if all are chosen.
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

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
