// Cox's proportional hazards with a ridge penalty, on one split of the rows and many subsets of the columns.
//
//   maximise  l(w) - alpha |w|^2 / 2,  l = sum over events of f_i - log(sum of exp(f_j) over those at risk),  f = w z     (1)
//
// with z the coordinates of a row (reduced.hpp): D. R. Cox, J. R. Stat. Soc. B 34 (1972); the penalty of P. J. M.
// Verweij and H. C. van Houwelingen, Stat. Med. 13 (1994). Ties as in risk_sets.hpp. With h_i = exp(f_i), for each
// event k the sum S_k of h over those at risk and their mean m_k of z, weighted by h, and for each row the sum A_i of 1
// / S_k over the events for which it was at risk:
//
//   gradient  sum_i (d_i - h_i A_i) z_i - alpha w,  d_i = 1 for events     (d_i - h_i A_i: martingale residuals)          (2)
//   Hessian   sum_i h_i A_i z_i z_i' - sum_k m_k m_k' + alpha                                                             (3)
//
// Newton's method, with half the step if (1) does not rise enough. The score test of a single feature is (2)^2 / (3) at
// w = 0 without a penalty.
#include "kernels.hpp"

#include "reduced.hpp"
#include "risk_sets.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

using Numbers = std::vector<double>;

constexpr int kMostSteps = 100, kMostHalvings = 40;
constexpr double kReady = 1e-18;  // times the events: the squared length of the gradient, in units of the likelihood
constexpr double kRise = 1e-4, kRounding = 1e-13;
constexpr Whole kTogether = 64;

/// The fits of one subset; its memory is reused for the next.
class Cox {
  public:
    Cox(const Outcomes& known, const RiskSets& sets) : y_(known.y), sets_(sets) {}

    void read(Columns train, Columns test, View<const std::int32_t, 1> features, Watch& watch) {
        x_.read(train, test, features, watch);
        centre();
        w_.assign(at(x_.width), 0.0);
        f_.assign(at(x_.begin), 0.0);
        trial_w_ = w_, trial_ = f_, moved_ = f_, step_ = w_, gradient_ = w_;
        sums_.assign(at(x_.width), 0.0);
        tied_ = sums_;
        lows_ = sums_;
        means_.assign(at(std::max<Whole>(1, sets_.events) * x_.width), 0.0);
    }

    /// Maximise (1) starting from the last fit of the subset.
    void fit(double alpha, Watch& watch) {
        double value = respond(f_.data(), w_.data(), alpha);
        for (int step = 0; step < kMostSteps; ++step) {
            watch.check();
            pull(alpha);
            learn_curvature(watch);
            solve_newton(alpha, watch);
            const double slope = dot(gradient_.data(), step_.data(), x_.size);
            if (!(slope > kReady * static_cast<double>(std::max<Whole>(1, sets_.events)))) return;
            if (!advance(value, slope, alpha)) return;
        }
    }

    /// Fill in (t,) linear predictors of the tested rows.
    void predict(View<double, 1> values) {
        tested_.assign(at(x_.stride - x_.begin), 0.0);
        if (x_.size > 0) {
            Products<double>::add({w_.data(), x_.width, 1}, 1, x_.line(0) + x_.begin, x_.stride, x_.t, x_.size, tested_.data(),
                                  x_.stride - x_.begin);
        }
        std::copy_n(tested_.data(), x_.t, values.data());
    }

  private:
    /// The mean of the training rows is subtracted, which affects only rounding, not the likelihood.
    void centre() {
        Numbers mean(at(x_.width), 0.0);
        for (Whole row = 0; row < x_.n; ++row) {
            for (Whole place = 0; place < x_.size; ++place) mean[at(place)] += x_.row(row)[place];
        }
        for (Whole place = 0; place < x_.size; ++place) mean[at(place)] /= static_cast<double>(x_.n);
        for (Whole row = 0; row < x_.n; ++row) {
            double* own = &x_.rows[at(row * x_.width)];
            for (Whole place = 0; place < x_.size; ++place) own[place] -= mean[at(place)];
            own[x_.size] = 0.0;
        }
        for (Whole place = 0; place < x_.size; ++place) {
            double* own = x_.line(place);
            for (Whole row = 0; row < x_.n; ++row) own[row] -= mean[at(place)];
            for (Whole row = 0; row < x_.t; ++row) own[x_.begin + row] -= mean[at(place)];
        }
    }

    void decide(const double* w, double* f) const {
        std::fill_n(f, x_.begin, 0.0);
        if (x_.size > 0) Products<double>::add({w, x_.width, 1}, 1, x_.line(0), x_.stride, x_.n, x_.size, f, x_.begin);
    }

    /// (1) at these predictors; fills in hazards and exposures of the rows.
    double respond(const double* f, const double* w, double alpha) {
        return sets_.likelihood(f, hazard_, exposure_) - 0.5 * alpha * dot(w, w, x_.size);
    }

    /// (2).
    void pull(double alpha) {
        for (Whole row = 0; row < x_.n; ++row) {
            moved_[at(row)] = static_cast<double>(is_event(y_[row])) - hazard_[at(row)] * exposure_[at(row)];
        }
        std::fill(gradient_.begin(), gradient_.end(), 0.0);
        Products<double>::add({moved_.data(), x_.begin, 1}, 1, x_.row(0), x_.width, x_.size, x_.n, gradient_.data(), x_.width);
        for (Whole place = 0; place < x_.size; ++place) gradient_[at(place)] -= alpha * w_[at(place)];
    }

    /// (3) without the penalty.
    void learn_curvature(Watch& watch) {
        const Whole width = x_.width;
        curvature_.assign(at(std::max<Whole>(1, x_.size) * width), 0.0);
        scaled_.resize(at(kTogether * width));
        for (Whole first = 0; first < x_.n; first += kTogether) {
            watch.check();
            const Whole terms = std::min(kTogether, x_.n - first);
            for (Whole own = 0; own < terms; ++own) {
                const double weight = hazard_[at(first + own)] * exposure_[at(first + own)];
                for (Whole place = 0; place < width; ++place) scaled_[at(own * width + place)] = weight * x_.row(first + own)[place];
            }
            Products<double>::add_upper({scaled_.data(), 1, width}, x_.row(first), width, x_.size, terms, curvature_.data(), width);
        }
        sets_.are_late() ? learn_means<true>() : learn_means<false>();
        for (Whole first = 0; first < sets_.events; first += kTogether) {
            watch.check();
            const Whole terms = std::min(kTogether, sets_.events - first);
            for (Whole own = 0; own < terms * width; ++own) scaled_[at(own)] = -means_[at(first * width + own)];
            Products<double>::add_upper({scaled_.data(), 1, width}, &means_[at(first * width)], width, x_.size, terms, curvature_.data(),
                                        width);
        }
        Products<double>::turn_last(x_.size, curvature_.data(), width);
    }

    /// The mean of those at risk for each event.
    template <bool kLate>
    void learn_means() {
        const Whole width = x_.width;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        if constexpr (kLate) std::fill(lows_.begin(), lows_.end(), 0.0);
        Sum<kLate> at_risk;
        Leaving leaving(sets_.latest, sets_.entries);
        const auto count = [&](double h, const double* z) {
            at_risk.add(h);
            for (Whole place = 0; place < width; ++place) {
                if constexpr (kLate) {
                    Sum<true> sum{sums_[at(place)], lows_[at(place)]};
                    sum.add(h * z[place]);
                    sums_[at(place)] = sum.high, lows_[at(place)] = sum.low;
                } else {
                    sums_[at(place)] += h * z[place];
                }
            }
        };
        Whole event = 0;
        for (const RiskSets::Moment& own : sets_.moments) {
            std::fill(tied_.begin(), tied_.end(), 0.0);
            double of_tied = 0.0;
            if constexpr (kLate) leaving.before(own.time, [&](Whole gone) { count(-hazard_[at(gone)], x_.row(gone)); });
            for (Whole each = own.begin; each < own.end; ++each) {
                const Whole row = sets_.row(each);
                const double h = hazard_[at(row)], *z = x_.row(row);
                count(h, z);
                if (each < own.begin + own.events) {
                    of_tied += h;
                    for (Whole place = 0; place < width; ++place) tied_[at(place)] += h * z[place];
                }
            }
            for (Whole k = 0; k < own.events; ++k, ++event) {
                const double share = sets_.gone(k, own.events), total = at_risk.value() - share * of_tied;
                double* mean = &means_[at(event * width)];
                for (Whole place = 0; place < width; ++place) {
                    const double sum = kLate ? sums_[at(place)] + lows_[at(place)] : sums_[at(place)];
                    mean[place] = (sum - share * tied_[at(place)]) / total;
                }
            }
        }
    }

    /// The step of Newton's method; if rounding leaves no definite matrix, slightly more penalty is used.
    void solve_newton(double alpha, Watch& watch) {
        double more = 0.0, largest = 0.0;
        for (Whole place = 0; place < x_.size; ++place) largest = std::max(largest, curvature_[at(place * x_.width + place)]);
        for (;;) {
            factor_ = curvature_;
            for (Whole place = 0; place < x_.size; ++place) factor_[at(place * x_.width + place)] += alpha + more;
            if (factor(factor_.data(), x_.size, x_.width, scratch_, watch)) break;
            if (!std::isfinite(largest + more)) throw std::invalid_argument("columns are too large for a regression");
            more = std::max(10.0 * more, std::max(1e-14 * largest, std::numeric_limits<double>::min()));
        }
        step_ = gradient_;
        solve(factor_.data(), x_.size, x_.width, step_.data());
    }

    bool advance(double& value, double slope, double alpha) {
        decide(step_.data(), moved_.data());
        const double allowed = kRounding * std::abs(value);
        double far = 1.0;
        for (int halving = 0; halving < kMostHalvings; ++halving, far *= 0.5) {
            for (std::size_t place = 0; place < f_.size(); ++place) trial_[place] = f_[place] + far * moved_[place];
            for (std::size_t place = 0; place < w_.size(); ++place) trial_w_[place] = w_[place] + far * step_[place];
            const double reached = respond(trial_.data(), trial_w_.data(), alpha);
            if (reached >= value + kRise * far * slope - allowed) {
                std::swap(w_, trial_w_);
                std::swap(f_, trial_);
                value = reached;
                return true;
            }
        }
        return false;
    }

    Reals y_;
    const RiskSets& sets_;
    Reduced x_;
    Numbers w_, trial_w_, gradient_, step_, sums_, lows_, tied_;           // (width,)
    Numbers f_, trial_, moved_, hazard_, exposure_, tested_;               // (rows,)
    Numbers curvature_, factor_, scaled_, scratch_, means_;
};

}  // namespace

/// Fill in (alphas, m, t) linear predictors of the tested rows; alphas are processed from the largest on.
void cox_fits(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, Reals alphas, bool efron,
              View<double, 3> values, const Effort& effort) {
    const RiskSets sets(known, efron);
    std::vector<Whole> order(at(alphas.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) { return alphas[one] > alphas[other]; });
    std::vector<Cox> workers(static_cast<std::size_t>(effort.threads), Cox(known, sets));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        Cox& own = workers[static_cast<std::size_t>(number)];
        own.read(train, test, subsets[subset], effort.watch);
        for (const Whole which : order) {
            own.fit(alphas[which], effort.watch);
            own.predict(values[which][subset]);
        }
    });
}

/// Fill in (n,) martingale residuals of linear predictors; return the log partial likelihood.
double cox_residuals(Reals f, const Outcomes& known, bool efron, View<double, 1> residuals) {
    const RiskSets sets(known, efron);
    const Reals y = known.y;
    Numbers hazard, exposure;
    const double value = sets.likelihood(f.data(), hazard, exposure);
    for (Whole row = 0; row < y.size(); ++row) {
        residuals[row] = static_cast<double>(is_event(y[row])) - hazard[at(row)] * exposure[at(row)];
    }
    return value;
}

/// Fill in (q,) chi-squared statistics, with one degree of freedom, of the score tests of single columns, and the
/// scores themselves; both 0 for columns that are constant among those at risk.
void cox_scores(Columns columns, const Outcomes& known, bool efron, View<double, 1> statistics, View<double, 1> scores, const Effort& effort) {
    const RiskSets sets(known, efron);
    const Whole rows = known.y.size();
    const Whole parts = (columns.size() + kTogether - 1) / kTogether;
    share(parts, effort, [&](Whole part, int) {
        for (Whole column = part * kTogether; column < std::min(columns.size(), (part + 1) * kTogether); ++column) {
            const double* x = columns[column].data();
            double centre = 0.0;  // so that squares lose no digits
            for (Whole row = 0; row < rows; ++row) centre += x[row];
            centre /= static_cast<double>(rows);
            double sum = 0.0, squares = 0.0, at_risk = 0.0, score = 0.0, variance = 0.0, whole = 0.0;
            Leaving leaving(sets.latest, sets.entries);
            for (const RiskSets::Moment& own : sets.moments) {
                double tied = 0.0, tied_squares = 0.0;
                leaving.before(own.time, [&](Whole gone) {
                    const double off = x[gone] - centre;
                    sum -= off, squares -= off * off, at_risk -= 1.0;
                });
                for (Whole each = own.begin; each < own.end; ++each) {
                    const double off = x[sets.row(each)] - centre;
                    sum += off, squares += off * off, at_risk += 1.0;
                    if (each < own.begin + own.events) tied += off, tied_squares += off * off;
                }
                score += tied;
                for (Whole k = 0; k < own.events; ++k) {
                    const double share = sets.gone(k, own.events);
                    const double total = at_risk - share * static_cast<double>(own.events);
                    const double mean = (sum - share * tied) / total, square = (squares - share * tied_squares) / total;
                    score -= mean;
                    variance += std::max(0.0, square - mean * mean);
                    whole += square;
                }
            }
            const bool varies = variance > 1e-12 * whole;
            statistics[column] = varies ? score * score / variance : 0.0;
            scores[column] = varies ? score : 0.0;
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
