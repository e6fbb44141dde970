// From neighbours to a class, to votes for every class, or to a number.
//
// neighbours: (n, repeats, k) rows, -1 if there are fewer; weights: (n, repeats, k).
#include "kernels.hpp"

#include <algorithm>
#include <limits>

namespace fsdesk::FSDESK_LEVEL {

/// Fill in (repeats, n) the most frequent class among the neighbours, ties going to the first class.
void majority(View<const Whole, 3> neighbours, Integers target, Whole classes, View<Whole, 2> winners) {
    std::vector<Whole> counts(static_cast<std::size_t>(classes));
    for (Whole row = 0; row < neighbours.size(); ++row) {
        for (Whole repeat = 0; repeat < neighbours.extent(1); ++repeat) {
            std::fill(counts.begin(), counts.end(), 0);
            for (const Whole neighbour : neighbours[row][repeat]) {
                if (neighbour >= 0) ++counts[static_cast<std::size_t>(target[neighbour])];
            }
            winners[repeat][row] = std::max_element(counts.begin(), counts.end()) - counts.begin();
        }
    }
}

/// Fill in the reciprocal distance; if rows have distance 0, 1 for these and 0 for all others.
void vote_weights(View<const double, 2> distances, View<double, 2> weights) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (Whole row = 0; row < distances.size(); ++row) {
        const auto own = weights[row];
        double largest = 0.0;
        for (Whole place = 0; place < own.size(); ++place) {
            own[place] = 1.0 / distances[row][place];
            largest = std::max(largest, own[place]);
        }
        if (largest == infinity) {  // the reciprocal of the smallest distances also overflows
            for (double& weight : own) weight = weight == infinity ? 1.0 : 0.0;
        }
    }
}

/// Fill in (n, repeats, classes) the sum of the weights of the neighbours of each class.
void votes(View<const Whole, 3> neighbours, View<const double, 3> weights, Integers target, View<double, 3> sums) {
    std::fill_n(sums.data(), sums.count(), 0.0);
    for (Whole row = 0; row < neighbours.size(); ++row) {
        for (Whole repeat = 0; repeat < neighbours.extent(1); ++repeat) {
            const auto own = neighbours[row][repeat];
            for (Whole place = 0; place < own.size(); ++place) {
                if (own[place] >= 0) sums[row][repeat][target[own[place]]] += weights[row][repeat][place];
            }
        }
    }
}

/// Fill in (n, repeats) the weighted mean response of the neighbours; 0 if there are none.
void averages(View<const Whole, 3> neighbours, View<const double, 3> weights, Reals response, View<double, 2> means) {
    for (Whole row = 0; row < neighbours.size(); ++row) {
        for (Whole repeat = 0; repeat < neighbours.extent(1); ++repeat) {
            const auto own = neighbours[row][repeat];
            double total = 0.0, mean = 0.0;
            for (Whole place = 0; place < own.size(); ++place) {
                if (own[place] >= 0) total += weights[row][repeat][place];
            }
            for (Whole place = 0; place < own.size(); ++place) {
                if (own[place] >= 0) mean += weights[row][repeat][place] / total * response[own[place]];
            }
            means[row][repeat] = mean;
        }
    }
}

}  // namespace fsdesk::FSDESK_LEVEL
