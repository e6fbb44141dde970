// The exponential function from sums, products and quotients only, so that its last bit is the same on every system.
//
// x = k ln 2 + r with |r| <= ln 2 / 2; exp(r) = 1 + r + r c / (2 - c), c = r - R(r^2), with R the minimax polynomial of
// Sun's fdlibm (e_exp.c, 1993): the error is less than one unit in the last place.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "core.hpp"

namespace fsdesk::FSDESK_LEVEL {

inline double exponential(double x) {
    if (std::isnan(x)) return x;
    if (x > 709.78) return std::numeric_limits<double>::infinity();
    if (x < -745.2) return 0.0;
    const auto power = [](int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); };
    const int k = static_cast<int>(x * 1.44269504088896338700 + (x < 0.0 ? -0.5 : 0.5));
    const double times = k, high = x - times * 6.93147180369123816490e-01, low = times * 1.90821492927058770002e-10;
    const double r = high - low, t = r * r;
    const double c = r - t * (1.66666666666666019037e-01 +
                              t * (-2.77777777770155933842e-03 +
                                   t * (6.61375632143793436117e-05 +
                                        t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    const double y = 1.0 - ((low - r * c / (2.0 - c)) - high);
    return y * power(k / 2) * power(k - k / 2);
}

}  // namespace fsdesk::FSDESK_LEVEL
