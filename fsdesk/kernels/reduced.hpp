// The rows of one split and subset of columns, in the fewest coordinates that give a linear model all information about
// its training rows.
//
// If there are no more columns than training rows, the columns themselves. Else the rows of L in K = LL' of all
// products K of two training rows, by Cholesky's method with the largest pivot first: their products equal those of the
// columns, and so do products with a tested row, whose coordinates follow from the same recursion. Remainders of a row
// below kLeast of the largest are rounding. A last coordinate of 1 represents the intercept.
#pragma once

#include <algorithm>
#include <vector>

#include "cholesky.hpp"
#include "kernels.hpp"

namespace fsdesk::FSDESK_LEVEL {

/// One split of the rows and many subsets of the columns, see Wrapper.single_fits.
struct Reduced {
    Whole n = 0, t = 0;           // training and tested rows
    Whole size = 0, all = 0;      // coordinates without and with the intercept
    Whole begin = 0, stride = 0;  // start of tested rows in a line of `turned`, and its length
    Whole width = 0;              // length of a row of `rows`
    std::vector<double> turned;   // (all, stride) coordinates of training rows, zeros up to `begin`, tested rows
    std::vector<double> rows;     // (n, width) of training rows

    double* line(Whole coordinate) { return turned.data() + coordinate * stride; }
    const double* line(Whole coordinate) const { return turned.data() + coordinate * stride; }
    const double* row(Whole own) const { return rows.data() + own * width; }

    void read(Columns train, Columns test, View<const std::int32_t, 1> features, Watch& watch) {
        n = train.extent(1), t = test.extent(1);
        begin = even_lanes(n), stride = begin + even_lanes(t);
        const Whole q = features.size();
        turned.assign(static_cast<std::size_t>((std::min(n, q) + 1) * stride), 0.0);
        if (q <= n) {
            size = q;
            for (Whole place = 0; place < q; ++place) copy(train, test, features[place], line(place));
        } else {
            multiply(train, test, features, watch);
            decompose(watch);
        }
        all = size + 1;
        std::fill_n(line(size), n, 1.0);
        std::fill_n(line(size) + begin, t, 1.0);
        width = even_lanes(all);
        rows.assign(static_cast<std::size_t>(n * width), 0.0);
        constexpr Whole together = 16;  // cache lines open at once
        for (Whole first = 0; first < all; first += together) {
            const Whole end = std::min(all, first + together);
            for (Whole own = 0; own < n; ++own) {
                for (Whole place = first; place < end; ++place) rows[static_cast<std::size_t>(own * width + place)] = line(place)[own];
            }
        }
    }

  private:
    static constexpr Whole kTogether = 32;   // columns whose products are added together
    static constexpr double kLeast = 1e-13;  // relative to the largest square

    void copy(Columns train, Columns test, Whole feature, double* out) const {
        std::copy_n(train[feature].data(), n, out);
        std::copy_n(test[feature].data(), t, out + begin);
    }

    /// Products of the training rows with themselves and with the tested rows.
    void multiply(Columns train, Columns test, View<const std::int32_t, 1> features, Watch& watch) {
        products_.assign(static_cast<std::size_t>(n * stride), 0.0);
        block_.assign(static_cast<std::size_t>(kTogether * stride), 0.0);
        for (Whole first = 0; first < features.size(); first += kTogether) {
            watch.check();
            const Whole terms = std::min(kTogether, features.size() - first);
            for (Whole place = 0; place < terms; ++place) copy(train, test, features[first + place], block_.data() + place * stride);
            Products<double>::add_upper({block_.data(), 1, stride}, block_.data(), stride, n, terms, products_.data(), stride);
            Products<double>::add({block_.data(), 1, stride}, n, block_.data() + begin, stride, t, terms, products_.data() + begin,
                                  stride);
        }
        Products<double>::turn_last(n, products_.data(), stride);
        for (Whole one = 0; one < n; ++one) {
            for (Whole other = 0; other < one; ++other) {
                products_[static_cast<std::size_t>(one * stride + other)] = products_[static_cast<std::size_t>(other * stride + one)];
            }
        }
    }

    void decompose(Watch& watch) {
        left_.resize(static_cast<std::size_t>(n));
        for (Whole own = 0; own < n; ++own) left_[static_cast<std::size_t>(own)] = products_[static_cast<std::size_t>(own * stride + own)];
        const double least = kLeast * *std::max_element(left_.begin(), left_.end());
        for (size = 0; size < n; ++size) {
            watch.check();
            const Whole pivot = std::max_element(left_.begin(), left_.end()) - left_.begin();
            const double square = left_[static_cast<std::size_t>(pivot)];
            if (!(square > least)) break;
            remainder(pivot, line(size));
            double* own = line(size);
            const double root = std::sqrt(square);
            for (Whole place = 0; place < stride; ++place) own[place] /= root;
            own[pivot] = root;
            for (Whole place = 0; place < n; ++place) {
                double& rest = left_[static_cast<std::size_t>(place)];
                rest = rest < 0.0 ? rest : rest - own[place] * own[place];
                if (rest < 0.0) rest = 0.0;
            }
            left_[static_cast<std::size_t>(pivot)] = -1.0;
        }
    }

    /// Products of a row with all others, minus the part explained by the coordinates so far.
    void remainder(Whole pivot, double* out) const {
        constexpr Whole vectors = 4;
        const double* source = products_.data() + pivot * stride;
        for (Whole first = 0; first < stride; first += vectors * kLanes) {
            const Whole count = std::min(vectors, (stride - first) / kLanes);
            if (count == vectors) {
                remainder_of<vectors>(pivot, source, first, out);
            } else {
                for (Whole own = 0; own < count; ++own) remainder_of<1>(pivot, source, first + own * kLanes, out);
            }
        }
    }

    template <int V>
    void remainder_of(Whole pivot, const double* source, Whole first, double* out) const {
        Lanes own[V];
        for (int v = 0; v < V; ++v) own[v] = Lanes::load(source + first + v * kLanes);
        for (Whole done = 0; done < size; ++done) {
            const double* before = line(done);
            const Lanes times = Lanes::all(before[pivot]);
            for (int v = 0; v < V; ++v) own[v] = own[v] - times * Lanes::load(before + first + v * kLanes);
        }
        for (int v = 0; v < V; ++v) own[v].store(out + first + v * kLanes);
    }

    std::vector<double> products_, block_, left_;
};

}  // namespace fsdesk::FSDESK_LEVEL
