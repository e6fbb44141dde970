// The x86-64 level of this processor: 2, 3 or 4 as x86-64-v2, -v3, -v4 of the psABI; 0 below, and elsewhere.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>

namespace fsdesk {

inline int level_of_machine() {
    unsigned a = 0, b = 0, c = 0, d = 0, low = 0, high = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    const auto has = [](unsigned word, unsigned bits) { return (word & bits) == bits; };
    // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT
    if (!has(c, 1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23)) return 0;
    // FMA, MOVBE, OSXSAVE, AVX, F16C; the system must save the wide registers, too
    if (!has(c, 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29)) return 2;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!has(low, 0x06)) return 2;
    if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !has(c, 1u << 5)) return 2;  // LZCNT
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 2;
    if (!has(b, 1u << 3 | 1u << 5 | 1u << 8)) return 2;  // BMI1, AVX2, BMI2
    // AVX512F, DQ, CD, BW, VL
    if (!has(low, 0xe6) || !has(b, 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31)) return 3;
    return 4;
}

}  // namespace fsdesk
#else
namespace fsdesk {

inline int level_of_machine() { return 0; }

}  // namespace fsdesk
#endif
