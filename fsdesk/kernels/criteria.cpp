// Criteria of a measurement: error rates, and areas under ROC curves from ranks.
//
// An area is the fraction of pairs (positive, negative) in which the positive has the higher score, ties counting half
// (Hanley & McNeil 1982; Hand & Till 2001 for several classes). All sums are of halves, so exact in any order.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fsdesk::FSDESK_LEVEL {
namespace {

struct Scored {
    double value;
    bool is_positive;
};

/// NaN without pairs.
double area(std::vector<Scored>& rows) {
    std::sort(rows.begin(), rows.end(), [](const Scored& a, const Scored& b) { return a.value < b.value; });
    double pairs = 0.0;
    Whole negatives = 0;
    for (std::size_t start = 0, end = 0; start < rows.size(); start = end) {
        Whole tied = 0;
        for (; end < rows.size() && rows[end].value == rows[start].value; ++end) tied += rows[end].is_positive;
        const Whole others = static_cast<Whole>(end - start) - tied;
        pairs += static_cast<double>(tied) * (static_cast<double>(negatives) + 0.5 * static_cast<double>(others));
        negatives += others;
    }
    const Whole positives = static_cast<Whole>(rows.size()) - negatives;
    if (positives == 0 || negatives == 0) return std::numeric_limits<double>::quiet_NaN();
    return pairs / (static_cast<double>(positives) * static_cast<double>(negatives));
}

double number(double score) {
    if (std::isnan(score)) throw std::invalid_argument("scores must not be NaN");
    return score;
}

}  // namespace

/// Fill in (repeats,) misses over tested rows.
void error_rates(Folds predicted, Integers target, Folds labels, View<double, 1> rates) {
    for (Whole repeat = 0; repeat < labels.size(); ++repeat) {
        Whole tested = 0, misses = 0;
        for (Whole row = 0; row < target.size(); ++row) {
            const bool is_tested = labels[repeat][row] >= 0;
            tested += is_tested;
            misses += is_tested && predicted[repeat][row] != target[row];
        }
        rates[repeat] = static_cast<double>(misses) / static_cast<double>(tested);
    }
}

/// Fill in (repeats, folds, classes) areas of every class against all others; NaN if a fold tests no such pair.
///
/// scores: (repeats, n, classes)
void one_vs_rest_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 3> areas, Watch& watch) {
    std::vector<Scored> rows;
    for (Whole repeat = 0; repeat < areas.size(); ++repeat) {
        for (Whole fold = 0; fold < areas.extent(1); ++fold) {
            for (Whole code = 0; code < areas.extent(2); ++code) {
                watch.check();
                rows.clear();
                for (Whole row = 0; row < target.size(); ++row) {
                    if (labels[repeat][row] != fold) continue;
                    rows.push_back({number(scores[repeat][row][code]), target[row] == code});
                }
                areas[repeat][fold][code] = area(rows);
            }
        }
    }
}

/// Fill in (repeats, folds, classes, classes) areas of every class against every other one, by the first one's score.
void one_vs_one_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 4> areas, Watch& watch) {
    std::vector<Scored> rows;
    const Whole classes = areas.extent(2);
    for (Whole repeat = 0; repeat < areas.size(); ++repeat) {
        for (Whole fold = 0; fold < areas.extent(1); ++fold) {
            for (Whole first = 0; first < classes; ++first) {
                for (Whole second = 0; second < classes; ++second) {
                    watch.check();
                    rows.clear();
                    for (Whole row = 0; row < target.size() && first != second; ++row) {
                        if (labels[repeat][row] != fold || (target[row] != first && target[row] != second)) continue;
                        rows.push_back({number(scores[repeat][row][first]), target[row] == first});
                    }
                    areas[repeat][fold][first][second] = area(rows);
                }
            }
        }
    }
}

}  // namespace fsdesk::FSDESK_LEVEL
