// Eight lanes of double precision, whatever the size of the processor's registers: eight, four or two values.
//
// Lane l sums the values l, l + 8, l + 16, ...; the lanes are then added in the order of Lanes::sum. So a sum is
// identical on every level.
#pragma once

#include <cmath>
#include <cstring>

#include "core.hpp"

namespace fsdesk::FSDESK_LEVEL {

inline constexpr int kLanes = 8;
#if defined(__AVX512F__)
inline constexpr int kWidth = 8;
#elif defined(__AVX__)
inline constexpr int kWidth = 4;
#else
inline constexpr int kWidth = 2;
#endif
inline constexpr int kParts = kLanes / kWidth;

typedef double Part __attribute__((vector_size(kWidth * sizeof(double))));
typedef Whole WholePart __attribute__((vector_size(kWidth * sizeof(Whole))));

/// Operations on parts are written out in kernels as loops over kParts, which compilers unroll.
struct Lanes {
    Part part[kParts];

    [[gnu::always_inline]] static Lanes all(double value) {
        Lanes lanes;
        for (int p = 0; p < kParts; ++p) {
            for (int lane = 0; lane < kWidth; ++lane) lanes.part[p][lane] = value;
        }
        return lanes;
    }

    [[gnu::always_inline]] static Lanes load(const double* values) {
        Lanes lanes;
        for (int p = 0; p < kParts; ++p) std::memcpy(&lanes.part[p], values + p * kWidth, sizeof(Part));
        return lanes;
    }

    [[gnu::always_inline]] void store(double* values) const {
        for (int p = 0; p < kParts; ++p) std::memcpy(values + p * kWidth, &part[p], sizeof(Part));
    }

    double sum() const {
        double s[kLanes];
        store(s);
        return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
};

[[gnu::always_inline]] inline Lanes operator+(Lanes a, const Lanes& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] += b.part[p];
    return a;
}

[[gnu::always_inline]] inline Lanes operator-(Lanes a, const Lanes& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] -= b.part[p];
    return a;
}

[[gnu::always_inline]] inline Lanes operator*(Lanes a, const Lanes& b) {
    for (int p = 0; p < kParts; ++p) a.part[p] *= b.part[p];
    return a;
}

/// The last values of an array, fewer than eight, padded with 0.
[[gnu::always_inline]] inline Lanes load_rest(const double* values, Whole count) {
    double padded[kLanes] = {};
    for (Whole place = 0; place < count; ++place) padded[place] = values[place];
    return Lanes::load(padded);
}

inline double sum(const double* values, Whole count) {
    Lanes total = Lanes::all(0.0);
    Whole place = 0;
    for (; place + kLanes <= count; place += kLanes) total = total + Lanes::load(values + place);
    return (total + load_rest(values + place, count - place)).sum();
}

/// Sum of the squared distances of some values from another value.
inline double sum_of_squares(const double* values, Whole count, double centre) {
    Lanes total = Lanes::all(0.0);
    const Lanes middle = Lanes::all(centre);
    Whole place = 0;
    for (; place + kLanes <= count; place += kLanes) {
        const Lanes step = Lanes::load(values + place) - middle;
        total = total + step * step;
    }
    double rest[kLanes] = {};
    for (Whole own = place; own < count; ++own) rest[own - place] = (values[own] - centre) * (values[own] - centre);
    return (total + Lanes::load(rest)).sum();
}

/// Mean and standard deviation (divisor: their number) of some values, as two numbers.
inline void mean_and_deviation(const double* values, Whole count, double* found) {
    found[0] = sum(values, count) / static_cast<double>(count);
    found[1] = std::sqrt(sum_of_squares(values, count, found[0]) / static_cast<double>(count));
}

}  // namespace fsdesk::FSDESK_LEVEL
