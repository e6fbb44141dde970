// Risk sets over time: rows in order of their times, and sums over those still under observation.
//
// A row's outcome y is its time if the event was observed, and minus its time if censored. A censored row is at risk at
// its own time. With delayed entry (left truncation, or several intervals of one patient), a row is at risk only after
// its entry time: P. K. Andersen and R. D. Gill, Annals of Statistics 10 (1982). Ties of events are handled by Efron's
// method (B. Efron, J. Am. Stat. Assoc. 72, 1977): for the k-th of d of them, k = 0, ..., d - 1, all are at risk, minus
// the fraction k / d of the d events themselves; or by Breslow's, with k = 0 for all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "exponential.hpp"
#include "kernels.hpp"
#include "logarithm.hpp"

namespace fsdesk::FSDESK_LEVEL {

inline bool is_event(double y) { return y >= 0.0; }

/// Rows by entry time, the latest first; empty if all were under observation from the start.
inline std::vector<Whole> latest_entries(const Outcomes& known) {
    std::vector<Whole> order(static_cast<std::size_t>(known.entries.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) { return known.entries[one] > known.entries[other]; });
    return order;
}

/// Call `leave` for the rows not yet under observation before a time, which decreases from call to call.
class Leaving {
  public:
    Leaving(const std::vector<Whole>& latest, Reals entries) : latest_(latest.data()), end_(latest.data() + latest.size()), entries_(entries) {}
    Leaving(const Whole* begin, const Whole* end, Reals entries) : latest_(begin), end_(end), entries_(entries) {}

    template <class Leave>
    void before(double time, Leave leave) {
        for (; latest_ != end_ && entries_[*latest_] >= time; ++latest_) leave(*latest_);
    }

  private:
    const Whole *latest_, *end_;
    Reals entries_;
};

/// A sum. If terms are subtracted again, rounding errors are kept as well (T. J. Dekker, Numer. Math. 18, 1971), so
/// that a small remainder of a large sum is accurate.
template <bool kKept>
struct Sum {
    double high = 0.0, low = 0.0;

    void add(double term) {
        if constexpr (kKept) {
            const double sum = high + term, part = sum - high;
            low += (high - (sum - part)) + (term - part);
            high = sum;
        } else {
            high += term;
        }
    }

    double value() const { return kKept ? high + low : high; }
};

struct RiskSets {
    struct Moment {
        Whole begin, end;  // rows with this time in `order`, events first
        Whole events;
        double time;
    };

    std::vector<Whole> order;     // rows, the longest time first
    std::vector<Moment> moments;  // the latest first
    std::vector<Whole> latest;    // rows by entry, the latest first; empty if all are at risk from the start
    Reals entries;
    Whole events = 0;
    bool efron;

    RiskSets(const Outcomes& known, bool by_efron) : latest(latest_entries(known)), entries(known.entries), efron(by_efron) {
        const Reals y = known.y;
        order.resize(static_cast<std::size_t>(y.size()));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) {
            const double a = std::abs(y[one]), b = std::abs(y[other]);
            return a != b ? a > b : is_event(y[one]) > is_event(y[other]);
        });
        for (Whole begin = 0, end = 0, n = y.size(); begin < n; begin = end) {
            Moment own{begin, begin, 0, std::abs(y[row(begin)])};
            for (; end < n && std::abs(y[row(end)]) == std::abs(y[row(begin)]); ++end) own.events += is_event(y[row(end)]);
            own.end = end;
            events += own.events;
            moments.push_back(own);
        }
    }

    Whole row(Whole place) const { return order[static_cast<std::size_t>(place)]; }

    bool are_late() const { return !latest.empty(); }

    static constexpr double kLeast = 1e-250, kLeastRest = 1e-20;

    /// The fraction of the tied events that is not at risk for the k-th of d.
    double gone(Whole k, Whole d) const { return efron ? static_cast<double>(k) / static_cast<double>(d) : 0.0; }

    /// The log partial likelihood of linear predictors f; fills in the hazards exp(f - max f) of the rows and, for each
    /// row, the sum of 1 / (sum of hazards at risk) over the events for which it was at risk.
    ///
    /// Minus infinity if they differ so much that hazards at risk are lost to rounding; sums are then meaningless.
    double likelihood(const double* f, std::vector<double>& hazard, std::vector<double>& exposure) const {
        return are_late() ? likelihood_of<true>(f, hazard, exposure) : likelihood_of<false>(f, hazard, exposure);
    }

  private:
    template <bool kLate>
    double likelihood_of(const double* f, std::vector<double>& hazard, std::vector<double>& exposure) const {
        const std::size_t n = order.size();
        hazard.resize(n);
        exposure.assign(n, 0.0);
        double most = f[0], value = 0.0, peak = 0.0;
        for (std::size_t own = 1; own < n; ++own) most = std::max(most, f[own]);
        for (std::size_t own = 0; own < n; ++own) hazard[own] = exponential(f[own] - most);
        std::vector<double> steps(moments.size(), 0.0), less(moments.size(), 0.0);
        Sum<kLate> at_risk;
        Leaving leaving(latest, entries);
        for (std::size_t place = 0; place < moments.size(); ++place) {
            const Moment& own = moments[place];
            double tied = 0.0;
            if constexpr (kLate) leaving.before(own.time, [&](Whole gone) { at_risk.add(-hazard[static_cast<std::size_t>(gone)]); });
            for (Whole each = own.begin; each < own.end; ++each) {
                const double h = hazard[static_cast<std::size_t>(row(each))];
                at_risk.add(h);
                if (each < own.begin + own.events) tied += h, value += f[row(each)] - most;
            }
            if constexpr (kLate) peak = std::max(peak, at_risk.value());
            for (Whole k = 0; k < own.events; ++k) {
                const double share = gone(k, own.events), total = at_risk.value() - share * tied;
                // Predictors far too large.
                if (!(total > kLeast) || (kLate && total < kLeastRest * peak)) return -std::numeric_limits<double>::infinity();
                value -= natural_log(total);
                steps[place] += 1.0 / total;
                less[place] += share / total;
            }
        }
        Sum<kLate> sum;  // over the events up to a time, so starting from the earliest
        std::vector<Sum<kLate>> entered(kLate ? n : 0);
        auto entering = latest.rbegin();
        for (std::size_t place = moments.size(); place-- > 0;) {
            const Moment& own = moments[place];
            if constexpr (kLate) {
                for (; entering != latest.rend() && entries[*entering] < own.time; ++entering) entered[static_cast<std::size_t>(*entering)] = sum;
            }
            sum.add(steps[place]);
            for (Whole each = own.begin; each < own.end; ++each) {
                const std::size_t own_row = static_cast<std::size_t>(row(each));
                double total = sum.value();
                if constexpr (kLate) total = (sum.high - entered[own_row].high) + (sum.low - entered[own_row].low);
                exposure[own_row] = each < own.begin + own.events ? total - less[place] : total;
            }
        }
        return value;
    }
};

}  // namespace fsdesk::FSDESK_LEVEL
