// Who was at risk when: rows in the order of their times, and sums over those that are still under observation.
//
// A row's outcome y is its time where the event was observed, and minus its time where it is censored. A censored row is at
// risk at its own time. Events at one time are taken by Efron's method (B. Efron, J. Am. Stat. Assoc. 72, 1977): the k-th of
// d of them, k = 0, ..., d - 1, has all that are at risk against it, less the share k / d of the d themselves; or by
// Breslow's, where k is 0 for all of them.
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

struct RiskSets {
    struct Moment {
        Whole begin, end;  // rows of this time in `order`, events first
        Whole events;
    };

    std::vector<Whole> order;     // rows, the longest time first
    std::vector<Moment> moments;  // the latest first
    Whole events = 0;
    bool efron;

    RiskSets(Reals y, bool by_efron) : efron(by_efron) {
        order.resize(static_cast<std::size_t>(y.size()));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) {
            const double a = std::abs(y[one]), b = std::abs(y[other]);
            return a != b ? a > b : is_event(y[one]) > is_event(y[other]);
        });
        for (Whole begin = 0, end = 0, n = y.size(); begin < n; begin = end) {
            Moment own{begin, begin, 0};
            for (; end < n && std::abs(y[row(end)]) == std::abs(y[row(begin)]); ++end) own.events += is_event(y[row(end)]);
            own.end = end;
            events += own.events;
            moments.push_back(own);
        }
    }

    Whole row(Whole place) const { return order[static_cast<std::size_t>(place)]; }

    static constexpr double kLeast = 1e-250;

    /// The share of the tied events that is not at risk against the k-th of d.
    double gone(Whole k, Whole d) const { return efron ? static_cast<double>(k) / static_cast<double>(d) : 0.0; }

    /// The logarithm of the partial likelihood of linear predictors f; with the hazards exp(f - max f) of the rows, and of
    /// each row the sum of 1 / (sum of hazards at risk) over the events that it was at risk for.
    ///
    /// Minus infinity where they differ by so much that hazards at risk are lost to rounding; sums then mean nothing.
    double likelihood(const double* f, std::vector<double>& hazard, std::vector<double>& exposure) const {
        const std::size_t n = order.size();
        hazard.resize(n);
        exposure.assign(n, 0.0);
        double most = f[0], value = 0.0, at_risk = 0.0;
        for (std::size_t own = 1; own < n; ++own) most = std::max(most, f[own]);
        for (std::size_t own = 0; own < n; ++own) hazard[own] = exponential(f[own] - most);
        std::vector<double> steps(moments.size(), 0.0), less(moments.size(), 0.0);
        for (std::size_t place = 0; place < moments.size(); ++place) {
            const Moment& own = moments[place];
            double tied = 0.0;
            for (Whole each = own.begin; each < own.end; ++each) {
                const double h = hazard[static_cast<std::size_t>(row(each))];
                at_risk += h;
                if (each < own.begin + own.events) tied += h, value += f[row(each)] - most;
            }
            for (Whole k = 0; k < own.events; ++k) {
                const double share = gone(k, own.events), total = at_risk - share * tied;
                if (!(total > kLeast)) return -std::numeric_limits<double>::infinity();  // predictors far too large
                value -= natural_log(total);
                steps[place] += 1.0 / total;
                less[place] += share / total;
            }
        }
        double sum = 0.0;  // over the events up to a time, so from the earliest on
        for (std::size_t place = moments.size(); place-- > 0;) {
            const Moment& own = moments[place];
            sum += steps[place];
            for (Whole each = own.begin; each < own.end; ++each) {
                exposure[static_cast<std::size_t>(row(each))] = each < own.begin + own.events ? sum - less[place] : sum;
            }
        }
        return value;
    }
};

}  // namespace fsdesk::FSDESK_LEVEL
