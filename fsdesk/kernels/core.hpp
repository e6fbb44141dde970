// Shared by all kernels: views of arrays, a watch that ends work early, threads, and sums with the same bits
// everywhere.
//
// Every kernel is compiled once for each processor level, in a namespace of its own (FSDESK_LEVEL), and must give the
// same bits on all of them. So sums are added in an order fixed by the source: one by one, or in eight lanes
// (lanes.hpp); nothing is contracted (see CMakeLists.txt); and no libm function is called whose last bit differs
// between systems (logarithm.hpp has a logarithm; sqrt is exact everywhere).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "threads.hpp"

namespace fsdesk {

using Whole = std::int64_t;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An index into a vector of the standard library.
[[gnu::always_inline]] inline constexpr std::size_t at(Whole place) { return static_cast<std::size_t>(place); }

/// An array of D dimensions in C order owned elsewhere, such as by numpy. With FSDESK_CHECKED it checks indices.
template <class T, int D>
class View {
  public:
    View() = default;
    View(T* data, std::array<Whole, D> shape) : data_(data), shape_(shape) {}
    template <class U>
        requires(std::is_same_v<T, const U>)
    View(const View<U, D>& other) : data_(other.data()), shape_(other.shape()) {}

    [[gnu::always_inline]] T* data() const { return data_; }
    [[gnu::always_inline]] Whole extent(int axis) const { return shape_[static_cast<std::size_t>(axis)]; }
    [[gnu::always_inline]] Whole size() const { return shape_[0]; }
    [[gnu::always_inline]] const std::array<Whole, D>& shape() const { return shape_; }

    /// Number of values, over all dimensions.
    Whole count() const {
        Whole all = 1;
        for (const Whole own : shape_) all *= own;
        return all;
    }

    /// A value of a one-dimensional array; a subarray of any other.
    [[gnu::always_inline]] decltype(auto) operator[](Whole place) const {
#ifdef FSDESK_CHECKED
        if (place < 0 || place >= shape_[0]) throw std::logic_error("an index beyond its array");
#endif
        if constexpr (D == 1) {
            return static_cast<T&>(data_[place]);
        } else {
            std::array<Whole, D - 1> rest;
            Whole step = 1;
            for (int axis = 1; axis < D; ++axis) {
                rest[static_cast<std::size_t>(axis - 1)] = shape_[static_cast<std::size_t>(axis)];
                step *= shape_[static_cast<std::size_t>(axis)];
            }
            return View<T, D - 1>(data_ + place * step, rest);
        }
    }

    [[gnu::always_inline]] T* begin() const
        requires(D == 1)
    {
        return data_;
    }
    [[gnu::always_inline]] T* end() const
        requires(D == 1)
    {
        return data_ + shape_[0];
    }

  private:
    T* data_ = nullptr;
    std::array<Whole, D> shape_{};
};

template <class T>
View<T, 1> view(std::vector<T>& values) {
    return {values.data(), {static_cast<Whole>(values.size())}};
}

/// Work was abandoned because the watch said so.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

/// Says whether to continue. Kernels check at least every few milliseconds, from any thread.
///
/// Work ends when the flag owned by Python is set, when another thread failed, or when `poll` throws: the thread that
/// called the kernel calls it a few times a second, so that Python's signal handlers run meanwhile.
class Watch {
  public:
    Watch(const std::uint8_t* flag, void (*poll)()) : flag_(flag), poll_(poll), polled_(Clock::now()) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void stop() { is_over_.store(true, std::memory_order_relaxed); }

    /// Throw Stopped if nobody waits for the result any more.
    void check() {
        if (flag_ != nullptr && __atomic_load_n(flag_, __ATOMIC_RELAXED) != 0) stop();
        if (is_over_.load(std::memory_order_relaxed)) throw Stopped();
        if (poll_ != nullptr && std::this_thread::get_id() == caller_) {
            const auto now = Clock::now();
            if (now - polled_ > std::chrono::milliseconds(50)) {
                polled_ = now;
                poll_();
            }
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    const std::uint8_t* flag_;
    void (*poll_)();
    std::thread::id caller_ = std::this_thread::get_id();
    Clock::time_point polled_;
    std::atomic<bool> is_over_{false};
};

/// How a batch is processed.
struct Effort {
    int threads;
    Watch& watch;
};

/// A sparse list of lists: the members of list i are members[offsets[i]] to members[offsets[i + 1] - 1].
template <class T>
struct Lists {
    View<const T, 1> members;
    View<const Whole, 1> offsets;

    Whole size() const { return offsets.size() - 1; }
    View<const T, 1> operator[](Whole list) const {
        return {members.data() + offsets[list], {offsets[list + 1] - offsets[list]}};
    }
};

namespace FSDESK_LEVEL {

/// Do work(part, worker) for every part from 0 on, in some threads; worker counts these from 0, for separate memory.
///
/// Parts are taken in order by whichever thread is free, so a part must not depend on other parts. The first exception
/// ends all work and is rethrown.
template <class Work>
void share(Whole parts, const Effort& effort, Work work) {
    std::atomic<Whole> next{0};
    std::exception_ptr fault;
    std::mutex lock;
    const auto serve = [&](int worker) {
        try {
            for (Whole part = next++; part < parts; part = next++) {
                effort.watch.check();
                work(part, worker);
            }
        } catch (...) {
            effort.watch.stop();
            const std::lock_guard guard(lock);
            if (!fault) fault = std::current_exception();
        }
    };
    together(static_cast<int>(std::min<Whole>(effort.threads, parts)), serve);
    if (fault) std::rethrow_exception(fault);
}

}  // namespace FSDESK_LEVEL
}  // namespace fsdesk
