// Sums of products of many rows with many others, each in its own lane, so that the vector width does not change any
// bit.
//
//   out[i][j] += sum over terms t, in their order, of left[t][i] right[t][j]
//
// left[t][i] is at left + t * term + i * row. The sum over all terms of a call is rounded before it is added. Four rows
// by a few vectors of lanes have their sums in registers; nothing is fused, so that every level gives the same bits.
#pragma once

#include <algorithm>
#include <cstring>

#include "core.hpp"

namespace fsdesk::FSDESK_LEVEL {

template <class T>
struct Products {
#if defined(__AVX512F__)
    static constexpr int kBytes = 64, kVectors = 4;
#elif defined(__AVX__)
    static constexpr int kBytes = 32, kVectors = 2;
#else
    static constexpr int kBytes = 16, kVectors = 2;
#endif
    static constexpr int kWide = kBytes / static_cast<int>(sizeof(T)), kRows = 4;
    typedef T Vector __attribute__((vector_size(kBytes)));

    /// One side of a product: its start, and the distances to the next row and term.
    struct Left {
        const T* data;
        Whole row, term;
    };

    /// Add the products of `rows` rows with `lanes` lanes. There is room for whole vectors of them on the right and in
    /// out.
    static void add(Left left, Whole rows, const T* right, Whole right_term, Whole lanes, Whole terms, T* out, Whole stride) {
        for (Whole lane = 0; lane < lanes; lane += kVectors * kWide) {
            const Whole vectors = std::min<Whole>(kVectors, (lanes - lane + kWide - 1) / kWide);
            for (Whole row = 0; row < rows; row += kRows) {
                const Left own{left.data + row * left.row, left.row, left.term};
                tile(std::min<Whole>(kRows, rows - row), vectors, own, right + lane, right_term, terms,
                     out + row * stride + lane, stride);
            }
        }
    }

    /// The same for n rows with themselves, on and above the diagonal, and partly below.
    ///
    /// If the last rows are too few for their lanes, their products are stored below the diagonal, see turn_last.
    static void add_upper(Left left, const T* right, Whole right_term, Whole all, Whole terms, T* out, Whole stride) {
        const Whole n = body(all);
        if (n < all) add({left.data + n * left.row, left.row, left.term}, all - n, right, right_term, all, terms, out + n * stride, stride);
        for (Whole lane = 0; lane < n; lane += kVectors * kWide) {
            const Whole end = std::min(n, lane + kVectors * kWide);
            for (Whole row = 0; row < end; row += kRows) {
                const Whole first = std::max(lane, row / kWide * kWide), vectors = (end - first + kWide - 1) / kWide;
                const Left own{left.data + row * left.row, left.row, left.term};
                tile(std::min<Whole>(kRows, end - row), vectors, own, right + first, right_term, terms,
                     out + row * stride + first, stride);
            }
        }
    }

    /// Move the last rows' products above the diagonal, once all terms were added.
    static void turn_last(Whole all, T* out, Whole stride) {
        for (Whole row = body(all); row < all; ++row) {
            for (Whole column = 0; column < row; ++column) out[column * stride + row] = out[row * stride + column];
        }
    }

  private:
    /// Rows without those of the last line if these are few: the same on every level, because the side of a product on
    /// which a row is may affect rounding.
    static Whole body(Whole all) {
        constexpr Whole line = 64 / static_cast<Whole>(sizeof(T));
        return all % line <= line / 2 ? all / line * line : all;
    }

    [[gnu::always_inline]] static Vector load(const T* place) {
        Vector own;
        std::memcpy(&own, place, sizeof own);
        return own;
    }

    template <int R, int V>
    static void sums(Left left, const T* right, Whole right_term, Whole terms, T* out, Whole stride) {
        Vector total[R][V];
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) total[r][v] = Vector{};
        }
        const T* own = left.data;
        for (Whole term = 0; term < terms; ++term, own += left.term, right += right_term) {
            Vector values[V];
            for (int v = 0; v < V; ++v) values[v] = load(right + v * kWide);
            for (int r = 0; r < R; ++r) {
                const T times = own[r * left.row];
                for (int v = 0; v < V; ++v) total[r][v] += values[v] * times;
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) {
                T* place = out + r * stride + v * kWide;
                const Vector known = load(place) + total[r][v];
                std::memcpy(place, &known, sizeof known);
            }
        }
    }

    template <int R>
    static void tile_of(Whole vectors, Left left, const T* right, Whole right_term, Whole terms, T* out, Whole stride) {
        if (vectors == 1) return sums<R, 1>(left, right, right_term, terms, out, stride);
        if (vectors == 2) return sums<R, 2>(left, right, right_term, terms, out, stride);
        if constexpr (kVectors > 2) {
            if (vectors == 3) return sums<R, 3>(left, right, right_term, terms, out, stride);
            sums<R, 4>(left, right, right_term, terms, out, stride);
        }
    }

    static void tile(Whole rows, Whole vectors, Left left, const T* right, Whole right_term, Whole terms, T* out, Whole stride) {
        if (rows == 4) return tile_of<4>(vectors, left, right, right_term, terms, out, stride);
        if (rows == 3) return tile_of<3>(vectors, left, right, right_term, terms, out, stride);
        if (rows == 2) return tile_of<2>(vectors, left, right, right_term, terms, out, stride);
        tile_of<1>(vectors, left, right, right_term, terms, out, stride);
    }
};

}  // namespace fsdesk::FSDESK_LEVEL
