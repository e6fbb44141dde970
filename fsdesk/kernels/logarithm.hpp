// The natural logarithm from sums, products and quotients only, so that its last bit is the same on every system.
//
// x = 2^k (1 + f) with sqrt(1/2) < 1 + f < sqrt(2); s = f / (2 + f); log(1 + f) = f - s (f - R(s^2)), with R the
// minimax polynomial of Sun's fdlibm (e_log.c, K. C. Ng 1993): the error is less than one unit in the last place.
#pragma once

#include <bit>
#include <limits>

#include "core.hpp"

namespace fsdesk::FSDESK_LEVEL {

/// log((1 + f) 2^times).
inline double log_of_parts(double f, double times) {
    const double s = f / (2.0 + f), z = s * s, w = z * z;
    const double even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const double odd = z * (6.666666666666735130e-01 +
                            w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const double half = 0.5 * f * f;
    const double low = s * (half + (even + odd)) + times * 1.90821492927058770002e-10;
    return times * 6.93147180369123816490e-01 - ((half - low) - f);
}

/// For a positive number that is neither subnormal nor infinite; branch-free, so that loops can be vectorized.
inline double log_of_normal(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
    const double exponent = std::bit_cast<double>(0x4330000000000000u | bits >> 52);  // and 2^52 more
    return log_of_parts(m - 1.0, exponent - (0x1p52 + 1023.0));
}

inline double natural_log(double x) {
    if (!(x > 0.0)) {
        return x == 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    if (x == std::numeric_limits<double>::infinity()) return x;
    if (x >= 0x1p-1022) return log_of_normal(x);
    const auto bits = std::bit_cast<std::uint64_t>(x * 0x1p54) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
    return log_of_parts(m - 1.0, static_cast<double>(static_cast<int>(bits >> 52) - 1023 - 54));
}

}  // namespace fsdesk::FSDESK_LEVEL
