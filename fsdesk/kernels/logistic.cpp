// Ridge logistic regression on one split of the rows and many subsets of the columns.
//
//   minimise  F(W) = sum_i s_i loss_i(W z_i) + sum over heads h of |w_h|^2 / (2 C),  the intercepts free of penalty     (1)
//
// with z_i the coordinates of a training row (reduced.hpp) and s_i its weight. Two classes have one head f and the loss
// log(1 + exp(-y f)); more have a head each, and the loss -log p of a row's own class, p_h = exp(f_h) / sum exp(f).
// This is the objective of scikit-learn's LogisticRegression.
//
// Newton's method, with systems solved by conjugate gradients until accurate enough for the step (R. S. Dembo, S. C.
// Eisenstat and T. Steihaug, SIAM J. Numer. Anal. 19, 1982). The preconditioner is the same for all heads:
//
//   M = sum_i d_i z_i z_i' + 1 / C,  d_i = s_i times the mean over heads of p_h (1 - p_h)                               (2)
//
// recomputed when the extra iterations have become more expensive than that. Several C begin with the smallest, each
// starting from the solution of the previous one.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "exponential.hpp"
#include "logarithm.hpp"
#include "reduced.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

using Numbers = std::vector<double>;

constexpr int kMostSteps = 200, kMostProducts = 500, kMostHalvings = 40;
constexpr double kReady = 1e-15;  // times the rows: the squared length of the gradient, in units of the loss
constexpr double kDescent = 1e-4, kRounding = 1e-13;

/// The fits of one subset; its memory is reused for the next.
class Logistic {
  public:
    Logistic(Integers y, Whole classes, bool balanced) : y_(y), classes_(classes) {
        Numbers counts(at(classes), 0.0);
        for (const Whole code : y) counts[at(code)] += 1.0;
        head_.assign(at(classes), -1);
        for (Whole code = 0; code < classes; ++code) {
            if (counts[at(code)] > 0.0) head_[at(code)] = seen_++;
        }
        for (const Whole code : y) {
            const double n = static_cast<double>(y.size()), share = static_cast<double>(seen_) * counts[at(code)];
            weight_.push_back(balanced ? n / share : 1.0);
        }
        heads_ = seen_ > 2 ? seen_ : 1;
    }

    void read(Columns train, Columns test, View<const std::int32_t, 1> features, Watch& watch) {
        x_.read(train, test, features, watch);
        const Whole weights = heads_ * x_.width, values = heads_ * x_.begin;
        for (Numbers* own : {&w_, &gradient_, &step_, &rest_, &direction_, &image_, &solved_}) own->assign(at(weights), 0.0);
        for (Numbers* own : {&f_, &p_, &trial_, &moved_}) own->assign(at(values), 0.0);
        d_.assign(at(x_.n), 0.0);
        curvature_.clear();
    }

    /// Minimise (1) starting from the last fit of the subset.
    void fit(double cost, Watch& watch) {
        if (seen_ < 2) return;
        penalty_ = 1.0 / cost;
        const double n = static_cast<double>(x_.n);
        const double product = static_cast<double>(heads_ * x_.all) * static_cast<double>(2 * x_.n + x_.all);
        const double anew = static_cast<double>(x_.all * x_.all) * (static_cast<double>(x_.n) / 2.0 + static_cast<double>(x_.all) / 6.0);
        decide(w_.data(), f_.data());
        double value = respond(f_.data(), w_.data());
        if (curvature_.empty()) learn_curvature(watch);
        factor_curvature(watch);
        double spent = 0.0;
        for (int step = 0; step < kMostSteps; ++step) {
            watch.check();
            if (spent * product > anew) {
                learn_curvature(watch);
                factor_curvature(watch);
                spent = 0.0;
            }
            for (Whole head = 0; head < heads_; ++head) {
                for (Whole row = 0; row < x_.n; ++row) {
                    moved_[at(head * x_.begin + row)] = weight_[at(row)] * (p_[at(head * x_.begin + row)] - truth(head, row));
                }
            }
            pull(moved_.data(), w_.data(), gradient_.data());
            int products = 0;
            const double slope = solve_newton(n, products, watch);
            if (products == 0) return;
            spent += products;
            if (!advance(value, slope)) return;
        }
    }

    /// Fill in (t, classes) probabilities of the tested rows.
    void predict(View<double, 2> scores) {
        const Whole t = x_.t, lanes = x_.stride - x_.begin;
        std::fill_n(scores.data(), scores.count(), 0.0);
        tested_.assign(at(heads_ * lanes), 0.0);
        if (seen_ > 1) Products<double>::add({w_.data(), x_.width, 1}, heads_, x_.line(0) + x_.begin, x_.stride, t, x_.all, tested_.data(), lanes);
        for (Whole row = 0; row < t; ++row) {
            if (heads_ > 1) {
                shares(tested_.data() + row, lanes, tested_.data() + row, lanes);
            }
            for (Whole code = 0; code < classes_; ++code) {
                const Whole head = head_[at(code)];
                if (head < 0) continue;
                double& said = scores[row][code];
                if (heads_ > 1) {
                    said = tested_[at(head * lanes + row)];
                } else {
                    const double f = tested_[at(row)];
                    said = seen_ == 1 ? 1.0 : logistic(head == 1 ? f : -f);
                }
            }
        }
    }

  private:
    static double logistic(double f) { return 1.0 / (1.0 + exponential(-f)); }

    double truth(Whole head, Whole row) const {
        const Whole own = head_[at(y_[row])];
        return heads_ > 1 ? static_cast<double>(own == head) : static_cast<double>(own);
    }

    /// W z of all training rows.
    void decide(const double* w, double* f) const {
        std::fill_n(f, heads_ * x_.begin, 0.0);
        Products<double>::add({w, x_.width, 1}, heads_, x_.line(0), x_.stride, x_.n, x_.all, f, x_.begin);
    }

    /// sum_i r_i z_i of each head, and the penalty's part.
    void pull(const double* r, const double* w, double* out) const {
        std::fill_n(out, heads_ * x_.width, 0.0);
        Products<double>::add({r, x_.begin, 1}, heads_, x_.row(0), x_.width, x_.all, x_.n, out, x_.width);
        for (Whole head = 0; head < heads_; ++head) {
            for (Whole place = 0; place < x_.size; ++place) out[head * x_.width + place] += penalty_ * w[head * x_.width + place];
        }
    }

    /// Proportions of the heads in one row's sum of exponentials; returns the logarithm of that sum.
    double shares(const double* f, Whole line, double* p, Whole to) const {
        double most = f[0], total = 0.0;
        for (Whole head = 1; head < heads_; ++head) most = std::max(most, f[head * line]);
        for (Whole head = 0; head < heads_; ++head) total += p[head * to] = exponential(f[head * line] - most);
        for (Whole head = 0; head < heads_; ++head) p[head * to] /= total;
        return most + natural_log(total);
    }

    /// F at these decision values; fills in the derivatives of each row.
    double respond(const double* f, const double* w) {
        const Whole line = x_.begin;
        double value = 0.0;
        for (Whole row = 0; row < x_.n; ++row) {
            const Whole own = head_[at(y_[row])];
            if (heads_ > 1) {
                const double all = shares(f + row, line, p_.data() + row, line);
                value += weight_[at(row)] * (all - f[own * line + row]);
            } else {
                const double side = own == 1 ? f[row] : -f[row], far = exponential(-std::abs(side));
                value += weight_[at(row)] * (natural_log(1.0 + far) + (side < 0.0 ? -side : 0.0));
                p_[at(row)] = f[row] < 0.0 ? far / (1.0 + far) : 1.0 / (1.0 + far);
            }
        }
        double squares = 0.0;
        for (Whole head = 0; head < heads_; ++head) squares += dot(w + head * x_.width, w + head * x_.width, x_.size);
        return value + 0.5 * penalty_ * squares;
    }

    /// The first term of (2).
    void learn_curvature(Watch& watch) {
        const Whole line = x_.begin, width = x_.width;
        for (Whole row = 0; row < x_.n; ++row) {
            double sum = 0.0;
            for (Whole head = 0; head < heads_; ++head) sum += p_[at(head * line + row)] * (1.0 - p_[at(head * line + row)]);
            d_[at(row)] = weight_[at(row)] * sum / static_cast<double>(heads_);
        }
        curvature_.assign(at(x_.all * width), 0.0);
        constexpr Whole together = 64;
        scaled_.resize(at(together * width));
        for (Whole first = 0; first < x_.n; first += together) {
            watch.check();
            const Whole terms = std::min(together, x_.n - first);
            for (Whole own = 0; own < terms; ++own) {
                for (Whole place = 0; place < width; ++place) scaled_[at(own * width + place)] = d_[at(first + own)] * x_.row(first + own)[place];
            }
            Products<double>::add_upper({scaled_.data(), 1, width}, x_.row(first), width, x_.all, terms, curvature_.data(), width);
        }
        Products<double>::turn_last(x_.all, curvature_.data(), width);
    }

    /// Factor (2); if rounding leaves no such matrix, slightly more penalty is used.
    void factor_curvature(Watch& watch) {
        double more = 0.0, largest = 0.0;
        for (Whole place = 0; place < x_.all; ++place) largest = std::max(largest, curvature_[at(place * x_.width + place)]);
        for (;;) {
            factor_ = curvature_;
            for (Whole place = 0; place < x_.all; ++place) factor_[at(place * x_.width + place)] += (place < x_.size ? penalty_ : 0.0) + more;
            if (factor(factor_.data(), x_.all, x_.width, scratch_, watch)) return;
            more = std::max(10.0 * more, std::max(1e-14 * largest, std::numeric_limits<double>::min()));
        }
    }

    /// The second derivative of F along v.
    void curve(const double* v, double* out) {
        const Whole line = x_.begin;
        decide(v, moved_.data());
        if (heads_ == 1) {
            for (Whole row = 0; row < x_.n; ++row) moved_[at(row)] *= weight_[at(row)] * (p_[at(row)] * (1.0 - p_[at(row)]));
        } else {
            for (Whole row = 0; row < x_.n; ++row) {
                double mean = 0.0;
                for (Whole head = 0; head < heads_; ++head) mean += p_[at(head * line + row)] * moved_[at(head * line + row)];
                for (Whole head = 0; head < heads_; ++head) {
                    double& own = moved_[at(head * line + row)];
                    own = weight_[at(row)] * p_[at(head * line + row)] * (own - mean);
                }
            }
        }
        pull(moved_.data(), v, out);
    }

    double product(const Numbers& a, const Numbers& b) const {
        double sum = 0.0;
        for (Whole head = 0; head < heads_; ++head) sum += dot(&a[at(head * x_.width)], &b[at(head * x_.width)], x_.all);
        return sum;
    }

    void precondition(Watch& watch) {
        solved_ = rest_;
        for (Whole head = 0; head < heads_; ++head) {
            watch.check();
            solve(factor_.data(), x_.all, x_.width, &solved_[at(head * x_.width)]);
        }
    }

    /// Fill in the step of Newton's method; return its slope. No products if the gradient is 0 up to rounding.
    double solve_newton(double n, int& products, Watch& watch) {
        for (std::size_t place = 0; place < rest_.size(); ++place) rest_[place] = -gradient_[place];
        std::fill(step_.begin(), step_.end(), 0.0);
        precondition(watch);
        direction_ = solved_;
        double length = product(rest_, solved_);
        if (!(length > kReady * n)) return 0.0;
        const double enough = length * std::min(0.01, std::sqrt(length / n));
        while (products < kMostProducts) {
            watch.check();
            curve(direction_.data(), image_.data());
            ++products;
            const double bend = product(direction_, image_);
            if (!(bend > 0.0)) break;
            const double far = length / bend;
            for (std::size_t place = 0; place < step_.size(); ++place) {
                step_[place] += far * direction_[place];
                rest_[place] -= far * image_[place];
            }
            precondition(watch);
            const double shorter = product(rest_, solved_);
            if (!(shorter > enough)) break;
            const double turn = shorter / length;
            length = shorter;
            for (std::size_t place = 0; place < direction_.size(); ++place) direction_[place] = solved_[place] + turn * direction_[place];
        }
        return product(gradient_, step_);
    }

    /// Move along the step, less far if F does not decrease enough; false if it does not decrease at all.
    bool advance(double& value, double slope) {
        decide(step_.data(), moved_.data());
        const double allowed = kRounding * std::abs(value);
        trial_w_.resize(w_.size());
        double far = 1.0;
        for (int halving = 0; halving < kMostHalvings; ++halving, far *= 0.5) {
            for (std::size_t place = 0; place < f_.size(); ++place) trial_[place] = f_[place] + far * moved_[place];
            for (std::size_t place = 0; place < w_.size(); ++place) trial_w_[place] = w_[place] + far * step_[place];
            const double reached = respond(trial_.data(), trial_w_.data());
            if (reached <= value + kDescent * far * slope + allowed) {
                std::swap(w_, trial_w_);
                std::swap(f_, trial_);
                value = reached;
                return true;
            }
        }
        return false;
    }

    Integers y_;
    Whole classes_, seen_ = 0, heads_ = 1;
    std::vector<Whole> head_;  // for each class, -1 if no row has it
    Numbers weight_;           // (n,)
    double penalty_ = 0.0;
    Reduced x_;
    Numbers w_, trial_w_, gradient_, step_, rest_, direction_, image_, solved_;  // (heads, width)
    Numbers f_, p_, trial_, moved_, tested_;                                     // (heads, rows)
    Numbers d_, curvature_, factor_, scaled_, scratch_;
};

}  // namespace

/// Fill in (costs, m, t, classes) probabilities of the tested rows; 0 for classes without a training row.
void logistic_fits(Columns train, Integers y, Columns test, const Lists<std::int32_t>& subsets, Reals costs, bool balanced,
                   View<double, 4> scores, const Effort& effort) {
    const Whole classes = scores.extent(3);
    std::vector<Whole> order(static_cast<std::size_t>(costs.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) { return costs[one] < costs[other]; });
    std::vector<Logistic> workers(static_cast<std::size_t>(effort.threads), Logistic(y, classes, balanced));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        Logistic& own = workers[static_cast<std::size_t>(number)];
        own.read(train, test, subsets[subset], effort.watch);
        for (const Whole which : order) {
            own.fit(costs[which], effort.watch);
            own.predict(scores[which][subset]);
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
