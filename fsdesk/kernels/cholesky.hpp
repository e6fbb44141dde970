// A symmetric positive definite matrix as U'U, and solutions of systems with it; the order of sums is the same on every
// level.
//
// The rows of a matrix are padded to whole lanes (a stride that is a multiple of eight). The diagonal of U is stored
// inverted; the part below it is undefined.
#pragma once

#include <cmath>
#include <vector>

#include "lanes.hpp"
#include "products.hpp"

namespace fsdesk::FSDESK_LEVEL {

inline constexpr Whole even_lanes(Whole count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// Sum of products of two vectors.
inline double dot(const double* a, const double* b, Whole count) {
    Lanes total = Lanes::all(0.0);
    Whole place = 0;
    for (; place + kLanes <= count; place += kLanes) total = total + Lanes::load(a + place) * Lanes::load(b + place);
    return (total + load_rest(a + place, count - place) * load_rest(b + place, count - place)).sum();
}

/// Replace the upper triangle of A by U, eight rows at a time; false if a pivot is not positive.
inline bool factor(double* a, Whole size, Whole stride, std::vector<double>& scratch, Watch& watch) {
    if (static_cast<Whole>(scratch.size()) < kLanes * stride) scratch.resize(static_cast<std::size_t>(kLanes * stride));
    for (Whole first = 0; first < size; first += kLanes) {
        watch.check();
        const Whole end = std::min(size, first + kLanes);
        if (first > 0) {
            std::fill_n(scratch.begin(), kLanes * stride, 0.0);
            Products<double>::add({a + first, 1, stride}, end - first, a + first, stride, size - first, first, scratch.data(), stride);
            for (Whole row = first; row < end; ++row) {
                const double* own = scratch.data() + (row - first) * stride - first;
                for (Whole place = row; place < size; ++place) a[row * stride + place] -= own[place];
            }
        }
        for (Whole row = first; row < end; ++row) {
            double* own = a + row * stride;
            if (!(own[row] > 0.0)) return false;
            const double inverse = 1.0 / std::sqrt(own[row]);
            own[row] = inverse;
            for (Whole place = row + 1; place < size; ++place) own[place] *= inverse;
            for (Whole below = row + 1; below < end; ++below) {
                const double times = own[below];
                double* other = a + below * stride;
                for (Whole place = below; place < size; ++place) other[place] -= times * own[place];
            }
        }
    }
    return true;
}

/// Replace b by the x of U'U x = b.
inline void solve(const double* u, Whole size, Whole stride, double* b) {
    for (Whole row = 0; row < size; ++row) {
        const double* own = u + row * stride;
        const double x = b[row] * own[row];
        b[row] = x;
        for (Whole place = row + 1; place < size; ++place) b[place] -= own[place] * x;
    }
    for (Whole row = size - 1; row >= 0; --row) {
        const double* own = u + row * stride;
        b[row] = (b[row] - dot(own + row + 1, b + row + 1, size - row - 1)) * own[row];
    }
}

}  // namespace fsdesk::FSDESK_LEVEL
