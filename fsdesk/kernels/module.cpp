// The interface to Python: arguments of the kernels, checked; nothing is computed here.
//
// An array of another type, number of dimensions or order is a TypeError (nothing is converted or copied); inconsistent
// sizes, and codes or indices out of range, are a ValueError. The GIL is released meanwhile.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "kernels.hpp"
#include "level.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace fsdesk;

template <class T, int D>
using Array = nb::ndarray<const T, nb::ndim<D>, nb::c_contig, nb::device::cpu>;
template <class T, int D>
using Optional = std::optional<Array<T, D>>;
using Flag = Optional<std::uint8_t, 1>;

// The level

struct Level {
    const char* name;
    int needs;
    const Kernels* kernels;
};

const Level kLevels[] = {
#ifdef FSDESK_HAS_base
    {"base", 0, &base::table},
#endif
#ifdef FSDESK_HAS_v2
    {"v2", 2, &v2::table},
#endif
#ifdef FSDESK_HAS_v3
    {"v3", 3, &v3::table},
#endif
#ifdef FSDESK_HAS_v4
    {"v4", 4, &v4::table},
#endif
};

std::vector<std::string> levels_built() {
    std::vector<std::string> names;
    for (const Level& level : kLevels) names.emplace_back(level.name);
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

/// The highest level of this processor, or the one named in FSDESK_CPU.
const Level& chosen_level() {
    const int machine = level_of_machine();
    const char* wanted = std::getenv("FSDESK_CPU");
    const Level* best = nullptr;
    for (const Level& level : kLevels) {
        const bool is_wanted = wanted == nullptr || *wanted == '\0' || std::string(wanted) == level.name;
        if (is_wanted && level.needs <= machine) best = &level;
    }
    if (best != nullptr) return *best;
    const std::string built = "fsdesk's kernels were built for " + listed(levels_built());
    const std::string here = level_of_machine() ? ", this processor is x86-64-v" + std::to_string(machine) : "";
    const std::string asked = wanted != nullptr && *wanted ? std::string(", FSDESK_CPU asks for ") + wanted : "";
    throw nb::import_error((built + here + asked + ".").c_str());
}

const Kernels* kernels = nullptr;

// Views, checks and results

void require(bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
}

template <class Given>
auto view(const Given& array) {
    constexpr int D = Given::Config::N;
    std::array<Whole, D> shape;
    for (std::size_t axis = 0; axis < D; ++axis) shape[axis] = static_cast<Whole>(array.shape(axis));
    return View<typename Given::Scalar, D>(array.data(), shape);
}

template <class T, int D>
void require_range(View<const T, D> values, Whole low, Whole high, const char* sentence) {
    const T *data = values.data(), *end = data + values.count();
    require(std::all_of(data, end, [=](T value) { return value >= low && value <= high; }), sentence);
}

/// A number within bounds; NaN is not.
void require_between(double value, double low, double high, const char* sentence) {
    require(value >= low && value <= high, sentence);
}

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr Whole kMost = 1 << 20;  // folds: so that no product of sizes overflows 64 bits
constexpr Whole kMostRepeats = 1 << 16;

void require_folds(Whole folds) { require(folds >= 1 && folds <= kMost, "folds must be from 1 to 1048576"); }

void require_repeats(Whole repeats) {
    require(repeats >= 0 && repeats <= kMostRepeats, "repeats must be from 0 to 65536");
}

/// Numbers within bounds, or NaN if missing.
template <int D>
void require_sized(View<const double, D> values, double low, double high, const char* sentence) {
    const double *data = values.data(), *end = data + values.count();
    require(std::all_of(data, end, [=](double value) { return std::isnan(value) || (value >= low && value <= high); }), sentence);
}

constexpr Whole kMostClasses = 1 << 15;  // so that a class fits in 16 bits

Integers codes(const Array<Whole, 1>& target) {
    const Integers own = view(target);
    require_range(own, 0, kMostClasses - 1, "class codes must be from 0 to 32767");
    return own;
}

Integers codes(const Array<Whole, 1>& target, Whole classes) {
    require(classes >= 1 && classes <= kMostClasses, "there must be 1 to 32768 classes");
    const Integers own = view(target);
    require_range(own, 0, classes - 1, "class codes must be from 0 to classes - 1");
    return own;
}

template <class T>
Lists<T> lists(const Array<T, 1>& members, const Array<Whole, 1>& offsets, Whole many) {
    const auto own = view(offsets);
    require(own.size() >= 1 && own[0] == 0, "offsets must begin with 0");
    require(std::is_sorted(own.begin(), own.end()), "offsets must not fall");
    require(own[own.size() - 1] == static_cast<Whole>(members.size()), "offsets must end with the number of members");
    require_range(view(members), 0, many - 1, "there is no column of such a number");
    return {view(members), own};
}

/// Memory owned by Python once it is returned.
template <class T, int D>
class Result {
  public:
    explicit Result(std::array<Whole, D> shape) : shape_(shape) {
        Whole count = 1;
        for (const Whole own : shape) {
            require(own >= 0 && (own == 0 || count <= std::numeric_limits<Whole>::max() / 16 / own), "that is too large");
            count *= own;
        }
        memory_.reset(new T[static_cast<std::size_t>(count)]);
    }

    View<T, D> view() const { return {memory_.get(), shape_}; }

    nb::ndarray<nb::numpy, T, nb::ndim<D>> release() {
        std::array<std::size_t, D> shape;
        std::copy(shape_.begin(), shape_.end(), shape.begin());
        T* memory = memory_.get();
        nb::capsule owner(memory, [](void* own) noexcept { delete[] static_cast<T*>(own); });
        memory_.release();
        return nb::ndarray<nb::numpy, T, nb::ndim<D>>(memory, D, shape.data(), owner);
    }

  private:
    std::array<Whole, D> shape_;
    std::unique_ptr<T[]> memory_;
};

/// The function this thread calls while working to check whether to stop; empty if there is none.
thread_local PyObject* asked_to_give_up = nullptr;

void give_up_when(nb::object asked) {
    PyObject* const before = asked_to_give_up;
    asked_to_give_up = asked.is_none() ? nullptr : asked.release().ptr();
    Py_XDECREF(before);
}

/// Handle Python's requests to this thread.
void look_up() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (asked_to_give_up != nullptr && nb::cast<bool>(nb::handle(asked_to_give_up)())) throw Stopped();
}

/// Work with the GIL released, until it is done or the flag is set.
template <class Work>
void run(const Flag& flag, int threads, Work work) {
    require(threads >= 1 && threads <= 1024, "threads must be from 1 to 1024");
    require(!flag || flag->size() == 1, "stop must have one value");
    Watch watch(flag ? flag->data() : nullptr, look_up);
    const nb::gil_scoped_release released;
    watch.check();
    work(Effort{threads, watch});
}

template <class Work>
void run(Work work) {
    const nb::gil_scoped_release released;
    work();
}

// Folds

void check_hashed(const Array<std::uint64_t, 1>& hashed) {
    require(hashed.size() == 5, "hashed must have 5 words");
}

auto pcg64_words(const Array<std::uint64_t, 1>& hashed, Whole number, Whole count) {
    check_hashed(hashed);
    require(number >= 0 && count >= 0 && count <= 1 << 24, "numbers must not be negative, and counts be from 0 to 16777216");
    Result<std::uint64_t, 1> words({count});
    run([&] { kernels->pcg64_words(view(hashed), number, words.view()); });
    return words.release();
}

auto shuffled(const Array<std::uint64_t, 1>& hashed, Whole number, const Array<Whole, 1>& target, Whole repeats) {
    check_hashed(hashed);
    const Integers own = codes(target);
    require(number >= 0, "numbers must not be negative");
    require_repeats(repeats);
    require(own.size() >= 1, "there must be a row");
    Result<Whole, 2> rows({repeats, own.size()});
    Result<std::uint64_t, 1> words({repeats});
    run([&] { kernels->shuffled(view(hashed), number, own, rows.view(), words.view()); });
    return nb::make_tuple(rows.release(), words.release());
}

auto fold_labels(const Array<std::uint64_t, 1>& hashed, const Array<Whole, 1>& numbers, const Array<Whole, 1>& target,
           Whole repeats, Whole folds, int threads, const Flag& stop) {
    check_hashed(hashed);
    const Integers own = codes(target);
    require_range(view(numbers), 0, std::numeric_limits<Whole>::max(), "numbers must not be negative");
    require_repeats(repeats);
    require_folds(folds);
    require(own.size() >= 1, "there must be a row");
    Result<Whole, 3> labels({static_cast<Whole>(numbers.size()), repeats, own.size()});
    run(stop, threads, [&](const Effort& effort) {
        kernels->fold_labels(view(hashed), view(numbers), own, folds, labels.view(), effort);
    });
    return labels.release();
}

// Criteria

auto error_rates(const Array<Whole, 2>& predicted, const Array<Whole, 1>& target, const Array<Whole, 2>& labels) {
    const Folds own = view(labels);
    require(view(predicted).shape() == own.shape(), "predicted and labels must have the same shape");
    require(static_cast<Whole>(target.size()) == own.extent(1), "target must have as many rows as labels");
    Result<double, 1> rates({own.size()});
    run([&] { kernels->error_rates(view(predicted), view(target), own, rates.view()); });
    return rates.release();
}

void check_areas(View<const double, 3> scores, Integers target, Folds labels, Whole folds) {
    require(scores.size() == labels.size() && scores.extent(1) == labels.extent(1), "scores and labels differ in rows");
    require(target.size() == labels.extent(1), "target must have as many rows as labels");
    require_folds(folds);
}

auto one_vs_rest_areas(const Array<double, 3>& scores, const Array<Whole, 1>& target, const Array<Whole, 2>& labels,
                       Whole folds) {
    const auto own = view(scores);
    check_areas(own, view(target), view(labels), folds);
    Result<double, 3> areas({own.size(), folds, own.extent(2)});
    run(std::nullopt, 1, [&](const Effort& effort) {
        kernels->one_vs_rest_areas(own, view(target), view(labels), areas.view(), effort.watch);
    });
    return areas.release();
}

auto one_vs_one_areas(const Array<double, 3>& scores, const Array<Whole, 1>& target, const Array<Whole, 2>& labels,
                      Whole folds) {
    const auto own = view(scores);
    check_areas(own, view(target), view(labels), folds);
    Result<double, 4> areas({own.size(), folds, own.extent(2), own.extent(2)});
    run(std::nullopt, 1, [&](const Effort& effort) {
        kernels->one_vs_one_areas(own, view(target), view(labels), areas.view(), effort.watch);
    });
    return areas.release();
}

// Votes

auto majority(const Array<Whole, 3>& neighbours, const Array<Whole, 1>& target, Whole classes) {
    const auto own = view(neighbours);
    const Integers all = codes(target, classes);
    require_range(own, -1, all.size() - 1, "there is no row of such a number");
    Result<Whole, 2> winners({own.extent(1), own.size()});
    run([&] { kernels->majority(own, all, classes, winners.view()); });
    return winners.release();
}

auto vote_weights(const Array<double, 3>& distances) {
    const auto own = view(distances);
    Result<double, 3> weights(own.shape());
    const Whole rows = own.size() * own.extent(1), k = own.extent(2);
    run([&] { kernels->vote_weights({own.data(), {rows, k}}, {weights.view().data(), {rows, k}}); });
    return weights.release();
}

auto votes(const Array<Whole, 3>& neighbours, const Array<double, 3>& weights, const Array<Whole, 1>& target,
           Whole classes) {
    const auto own = view(neighbours);
    const Integers all = codes(target, classes);
    require(view(weights).shape() == own.shape(), "weights and neighbours must have the same shape");
    require_range(own, -1, all.size() - 1, "there is no row of such a number");
    Result<double, 3> sums({own.size(), own.extent(1), classes});
    run([&] { kernels->votes(own, view(weights), all, sums.view()); });
    return sums.release();
}

auto averages(const Array<Whole, 3>& neighbours, const Array<double, 3>& weights, const Array<double, 1>& response) {
    const auto own = view(neighbours);
    require(view(weights).shape() == own.shape(), "weights and neighbours must have the same shape");
    require_range(own, -1, static_cast<Whole>(response.size()) - 1, "there is no row of such a number");
    Result<double, 2> means({own.size(), own.extent(1)});
    run([&] { kernels->averages(own, view(weights), view(response), means.view()); });
    return means.release();
}

// Models

Scaler scaler_named(const std::string& name) {
    if (name == "pareto") return Scaler::pareto;
    require(name == "z-score" || name == "min-max" || name == "robust",
            "scaler must be \"z-score\", \"min-max\", \"robust\" or \"pareto\"");
    return name == "z-score" ? Scaler::z_score : name == "min-max" ? Scaler::min_max : Scaler::robust;
}

struct Batch {
    Columns columns;
    Integers target;
    Measurements measurements;
};

/// Masks as lists of columns, and folds, of a table (p, n).
Measurements measurements(Columns table, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                          const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds) {
    const auto own = lists(chosen, offsets, table.size());
    require(static_cast<Whole>(labels.shape(2)) == table.extent(1), "labels must have as many rows as columns");
    require(static_cast<Whole>(folds_of.size()) == own.size(), "folds_of must say of every mask which labels it has");
    require_folds(folds);
    require_range(view(folds_of), 0, static_cast<Whole>(labels.shape(0)) - 1, "there are no labels of such a number");
    require_range(view(labels), -2, folds - 1, "labels must be from -2 to folds - 1");
    return {own, view(folds_of), view(labels), folds};
}

/// Arguments of every model's cross-validation: columns, target, masks as lists of columns, and folds.
Batch batch(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
            const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds,
            Whole classes) {
    const Columns table = view(columns);
    require(table.extent(1) == static_cast<Whole>(target.size()) && table.extent(1) >= 1,
            "columns must have as many rows as target, and one at least");
    const Measurements own = measurements(table, chosen, offsets, labels, folds_of, folds);
    return {table, codes(target, classes), own};
}

/// Misclassified rows of some measurements (m, repeats) and, if requested, mean and standard deviation of their
/// margins.
template <class Work>
auto errors_and_margins(const Measurements& all, bool margins, const Flag& stop, int threads, Work work) {
    const Whole many = all.size(), repeats = all.labels.extent(1);
    Result<Whole, 2> errors({many, repeats});
    Result<double, 3> found({margins ? many : 0, repeats, 2});
    run(stop, threads, [&](const Effort& effort) { work(errors.view(), found.view(), effort); });
    return nb::make_tuple(errors.release(), found.release());
}

BayesOptions bayes_options(const Batch& all, const Array<double, 2>& fill, const Array<double, 1>& once,
                           const Array<double, 1>& unit, double smoothing, Whole classes, bool balanced) {
    const Whole total = all.measurements.columns.members.size();
    const Whole fits = all.measurements.labels.extent(1) * all.measurements.folds;
    require(view(fill).shape() == std::array<Whole, 2>{total, fits}, "fill must have a row for each column of each mask");
    require(static_cast<Whole>(once.size()) == total, "once must have a value for each column of each mask");
    require(unit.size() == 0 || static_cast<Whole>(unit.size()) == total, "unit must have a value for each, or none");
    require_between(smoothing, 0.0, kLargest, "smoothing must be a number that is not negative");
    return {view(fill), view(once), view(unit), smoothing, classes, balanced};
}

auto bayes_likelihoods(const Array<double, 2>& columns, const Array<Whole, 1>& target,
                       const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                       const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, Whole classes,
                       const Array<double, 2>& fill, const Array<double, 1>& once, const Array<double, 1>& unit,
                       double smoothing, bool balanced, bool normalised, int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const BayesOptions options = bayes_options(all, fill, once, unit, smoothing, classes, balanced);
    Result<double, 4> joint({all.measurements.size(), all.measurements.labels.extent(1), all.target.size(), classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->bayes_likelihoods(all.columns, all.target, all.measurements, options, normalised, joint.view(), effort);
    });
    return joint.release();
}

auto bayes_errors(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
                  const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of,
                  Whole folds, Whole classes, const Array<double, 2>& fill, const Array<double, 1>& once,
                  const Array<double, 1>& unit, double smoothing, bool balanced, bool margins, int threads,
                  const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const BayesOptions options = bayes_options(all, fill, once, unit, smoothing, classes, balanced);
    return errors_and_margins(all.measurements, margins, stop, threads, [&](auto errors, auto found, const Effort& effort) {
        kernels->bayes_errors(all.columns, all.target, all.measurements, options, errors, found, effort);
    });
}

// CART

/// Bytes per row in a column's order; see cart.cpp.
Whole cart_bytes(Whole rows) { return rows <= 32'766 ? 4 : 8; }

/// Whether a column's order names every row; `seen` (n,) is scratch.
template <class Entry>
bool has_each_row(const std::uint8_t* order, std::vector<std::uint8_t>& seen) {
    const std::size_t n = seen.size();
    std::uint8_t* own = seen.data();
    std::fill_n(own, n, std::uint8_t{0});
    for (std::size_t place = 0; place < n; ++place) {
        Entry entry;
        std::memcpy(&entry, order + place * sizeof(Entry), sizeof(Entry));
        const std::size_t row = entry & ((Entry{1} << sizeof(Entry) * 4) - 1);
        if (row >= n || own[row]) return false;
        own[row] = 1;
    }
    return true;
}

auto cart_order(const Array<double, 2>& columns, const Array<double, 1>& once, int threads, const Flag& stop) {
    const Columns own = view(columns);
    require(static_cast<Whole>(once.size()) == own.size(), "once must have a value for each column");
    require(own.extent(1) <= 1 << 30, "there are too many rows");
    Result<std::uint8_t, 2> order({own.size(), own.extent(1) * cart_bytes(own.extent(1))});
    run(stop, threads, [&](const Effort& effort) { kernels->cart_order(own, view(once), order.view(), effort); });
    return order.release();
}

CartOptions cart_options(const Batch& all, const Array<std::uint8_t, 2>& order, const Array<std::uint8_t, 1>& has_gaps,
                         const Array<double, 2>& fill, const Array<double, 1>& once, Reals response,
                         const std::string& impurity, Whole max_depth, Whole min_leaf, Whole min_split, bool balanced,
                         Whole classes) {
    const Whole p = all.columns.size(), n = all.target.size();
    require(n <= 1 << 30, "there are too many rows");
    const auto sorted = view(order);
    require(sorted.shape() == std::array<Whole, 2>{p, n * cart_bytes(n)}, "order must be what cart_order gives");
    require(reinterpret_cast<std::uintptr_t>(order.data()) % 8 == 0, "order must begin at a whole word");
    require(static_cast<Whole>(has_gaps.size()) == p, "has_gaps must say of each column whether it has");
    require(static_cast<Whole>(once.size()) == p, "once must have a value for each column");
    const auto gappy = view(has_gaps);
    const auto filling = view(fill);
    std::vector<bool> checked(static_cast<std::size_t>(p), false);
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(n));
    Whole filled = 0;
    for (const std::int32_t column : all.measurements.columns.members) {
        filled += gappy[column] != 0;
        if (checked[static_cast<std::size_t>(column)]) continue;
        checked[static_cast<std::size_t>(column)] = true;
        const std::uint8_t* own = sorted[column].data();
        require(cart_bytes(n) == 4 ? has_each_row<std::uint32_t>(own, seen) : has_each_row<std::uint64_t>(own, seen),
                "order must be what cart_order gives");
    }
    const Whole fits = all.measurements.labels.extent(1) * all.measurements.folds;
    require(filling.size() == filled && (filled == 0 || filling.extent(1) == fits),
            "fill must have a row for each chosen column with gaps");
    require(impurity == "gini" || impurity == "entropy" || impurity == "variance",
            "impurity must be \"gini\", \"entropy\" or \"variance\"");
    const bool is_variance = impurity == "variance";
    require(response.size() == (is_variance ? n : 0), "response must be given for variance, and only then");
    require(max_depth >= 0 && min_leaf >= 1 && min_split >= 2, "max_depth, min_leaf and min_split are 0, 1 and 2 at least");
    require(!balanced || !is_variance, "classes are balanced where there are any");
    const Impurity own = is_variance ? Impurity::variance : impurity == "gini" ? Impurity::gini : Impurity::entropy;
    return {own, max_depth, min_leaf, min_split, balanced, classes, sorted, gappy, filling, view(once), response};
}

auto cart_predictions(const Array<double, 2>& columns, const Array<Whole, 1>& target,
                      const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                      const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, Whole classes,
                      const Array<std::uint8_t, 2>& order, const Array<std::uint8_t, 1>& has_gaps,
                      const Array<double, 2>& fill, const Array<double, 1>& once, const Array<double, 1>& response,
                      const std::string& impurity, Whole max_depth, Whole min_leaf, Whole min_split, bool balanced,
                      bool numbers, int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const CartOptions options = cart_options(all, order, has_gaps, fill, once, view(response), impurity, max_depth, min_leaf,
                                             min_split, balanced, classes);
    const bool is_variance = options.impurity == Impurity::variance;
    require(numbers || !is_variance, "variance predicts numbers");
    const Whole many = all.measurements.size(), repeats = all.measurements.labels.extent(1), n = all.target.size();
    Result<Whole, 3> codes({many, repeats, n});
    Result<double, 4> said({many, repeats, numbers ? n : 0, !numbers ? 0 : is_variance ? 1 : classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->cart_predictions(all.columns, all.target, all.measurements, options, codes.view(), said.view(), effort);
    });
    return nb::make_tuple(codes.release(), said.release());
}

template <class T>
auto released(const std::vector<T>& values) {
    Result<T, 1> own({static_cast<Whole>(values.size())});
    std::copy(values.begin(), values.end(), own.view().begin());
    return own.release();
}

auto cart_errors(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
                 const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of,
                 Whole folds, Whole classes, const Array<std::uint8_t, 2>& order, const Array<std::uint8_t, 1>& has_gaps,
                 const Array<double, 2>& fill, const Array<double, 1>& once, const std::string& impurity,
                 Whole max_depth, Whole min_leaf, Whole min_split, bool balanced, bool margins, int threads,
                 const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    require(impurity != "variance", "errors are of classes");
    require(!margins || folds == 1, "margins are of measurements with one fold");
    const CartOptions options = cart_options(all, order, has_gaps, fill, once, {}, impurity, max_depth, min_leaf,
                                             min_split, balanced, classes);
    return errors_and_margins(all.measurements, margins, stop, threads, [&](auto errors, auto found, const Effort& effort) {
        kernels->cart_errors(all.columns, all.target, all.measurements, options, errors, found, effort);
    });
}

auto cart_tree(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
               Whole classes, const Array<std::uint8_t, 2>& order, const Array<std::uint8_t, 1>& has_gaps,
               const Array<double, 2>& fill, const Array<double, 1>& once, const Array<double, 1>& response,
               const std::string& impurity, Whole max_depth, Whole min_leaf, Whole min_split, bool balanced,
               const Flag& stop) {
    const Columns table = view(columns);
    const Whole n = table.extent(1), offsets[] = {0, static_cast<Whole>(chosen.size())}, first = 0;
    require(n == static_cast<Whole>(target.size()) && n >= 1, "columns must have as many rows as target, and one at least");
    require_range(view(chosen), 0, table.size() - 1, "there is no column of such a number");
    const std::vector<Whole> labels(static_cast<std::size_t>(n), -1);
    const Measurements all{{view(chosen), {offsets, {2}}}, {&first, {1}}, {labels.data(), {1, 1, n}}, 1};
    const Batch whole{table, codes(target, classes), all};
    const CartOptions options = cart_options(whole, order, has_gaps, fill, once, view(response), impurity, max_depth,
                                             min_leaf, min_split, balanced, classes);
    CartTree tree;
    run(stop, 1, [&](const Effort& effort) { tree = kernels->cart_tree(table, whole.target, all, options, effort); });
    const auto nodes = static_cast<Whole>(tree.feature.size());
    Result<double, 2> numbers({nodes, static_cast<Whole>(tree.numbers.size()) / nodes});
    std::copy(tree.numbers.begin(), tree.numbers.end(), numbers.view().data());
    return nb::make_tuple(released(tree.feature), released(tree.threshold), released(tree.left), released(tree.right),
                          released(tree.code), numbers.release());
}

// C4.5

/// A sorted table, which keeps the arrays it was made from alive.
struct Sorted {
    Array<double, 2> raw;
    Array<Whole, 1> levels, target;
    C45Table table;

    Sorted(const Array<double, 2>& values, const Array<Whole, 1>& categories, const Array<Whole, 1>& codes_of, Whole classes,
           double gap, int threads)
        : raw(values), levels(categories), target(codes_of),
          table{view(raw), view(levels), codes(target, classes), classes, gap} {
        const Whole p = table.raw.size(), n = table.raw.extent(1);
        require(n >= 1 && n < Whole{1} << 31 && table.target.size() == n, "raw must have as many rows as target, and one at least");
        require(table.levels.size() == p, "levels must have a value for each column");
        require_between(gap, 0.0, kLargest, "gap must be a number that is not negative");
        require_range(table.levels, 0, Whole{1} << 31, "numbers of categories must be from 0 to 2147483648");
        for (Whole column = 0; column < p; ++column) {
            const Whole own = table.levels[column];
            const auto is_code = [own](double value) {
                return std::isnan(value) || (value >= 0.0 && value < static_cast<double>(own) && value == std::floor(value));
            };
            require(own == 0 || std::all_of(table.raw[column].begin(), table.raw[column].end(), is_code),
                    "codes of a nominal column must be from 0 to the number of its categories - 1");
        }
        run({}, threads, [&](const Effort& effort) { kernels->c45_sort(table, effort); });
    }
};

C45Rules c45_rules(double min_rows, bool pruned, bool raising, double confidence, double quantile, bool balanced,
                   bool smoothed) {
    require_between(min_rows, 1.0, kLargest, "min_rows must be a number of at least 1");
    require(confidence > 0.0 && confidence <= 0.5, "confidence must be above 0 and at most 0.5");
    require_between(quantile, 0.0, 40.0, "quantile must be from 0 to 40, that of the normal distribution at 1 - confidence");
    return {min_rows, pruned, raising, confidence, quantile, balanced, smoothed};
}

/// Masks, each with at least one feature, in ascending order.
Measurements c45_measurements(const Sorted& sorted, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                              const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds) {
    const Measurements own = measurements(sorted.table.raw, chosen, offsets, labels, folds_of, folds);
    for (Whole mask = 0; mask < own.size(); ++mask) {
        const auto columns = own.columns[mask];
        require(columns.size() > 0, "every mask must have a feature");
        require(std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>()) == columns.end(),
                "features of a mask must ascend");
    }
    return own;
}

auto c45_answers(const Sorted& sorted, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                 const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, double min_rows, bool pruned,
                 bool raising, double confidence, double quantile, bool balanced, bool smoothed, bool shares, int threads,
                 const Flag& stop) {
    const Measurements all = c45_measurements(sorted, chosen, offsets, labels, folds_of, folds);
    const C45Rules rules = c45_rules(min_rows, pruned, raising, confidence, quantile, balanced, smoothed);
    const Whole many = all.size(), repeats = all.labels.extent(1), n = all.labels.extent(2);
    Result<Whole, 3> predicted({shares ? 0 : many, repeats, n});
    Result<double, 4> found({shares ? many : 0, repeats, n, sorted.table.classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->c45_answers(sorted.table, all, rules, predicted.view(), found.view(), effort);
    });
    return nb::make_tuple(predicted.release(), found.release());
}

auto c45_errors(const Sorted& sorted, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, double min_rows, bool pruned,
                bool raising, double confidence, double quantile, bool balanced, bool smoothed, bool margins, int threads,
                const Flag& stop) {
    const Measurements all = c45_measurements(sorted, chosen, offsets, labels, folds_of, folds);
    const C45Rules rules = c45_rules(min_rows, pruned, raising, confidence, quantile, balanced, smoothed);
    return errors_and_margins(all, margins, stop, threads, [&](auto errors, auto found, const Effort& effort) {
        kernels->c45_errors(sorted.table, all, rules, errors, found, effort);
    });
}

auto c45_tree(const Sorted& sorted, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& labels, double min_rows,
              bool pruned, bool raising, double confidence, double quantile, bool balanced) {
    const auto own = view(labels);
    const Whole offsets[] = {0, static_cast<Whole>(chosen.size())}, first = 0;
    require(own.size() == sorted.table.target.size(), "labels must have as many rows as the table");
    require(chosen.size() > 0, "there must be a feature");
    require_range(view(chosen), 0, sorted.table.raw.size() - 1, "there is no column of such a number");
    require_range(own, -2, 0, "labels must be from -2 to 0");
    const Measurements all{{view(chosen), {offsets, {2}}}, {&first, {1}}, {own.data(), {1, 1, own.size()}}, 1};
    const C45Rules rules = c45_rules(min_rows, pruned, raising, confidence, quantile, balanced, false);
    C45Tree tree;
    run({}, 1, [&](const Effort& effort) { tree = kernels->c45_tree(sorted.table, all, rules, effort); });
    const auto nodes = static_cast<Whole>(tree.feature.size());
    Result<double, 2> counts({nodes, sorted.table.classes});
    std::copy(tree.counts.begin(), tree.counts.end(), counts.view().data());
    return nb::make_tuple(released(tree.feature), released(tree.threshold), released(tree.first), released(tree.branches),
                          released(tree.size), counts.release());
}

double c45_leaf_errors(const Array<double, 1>& counts, double confidence, double quantile) {
    return kernels->c45_leaf_errors(view(counts), c45_rules(1.0, true, true, confidence, quantile, false, false));
}

// Forest

auto forest_importances(const Array<float, 2>& columns, const Array<Whole, 1>& target, int classes,
                        const Array<std::uint32_t, 1>& states, Whole most, int threads, const Flag& stop) {
    const auto table = view(columns);
    const Integers own = codes(target, classes);
    require(table.size() >= 1 && table.size() <= std::numeric_limits<std::int32_t>::max(), "columns must hold a column");
    require(own.size() >= 1 && own.size() <= std::numeric_limits<std::int32_t>::max(), "target must hold a row");
    require(table.extent(1) == own.size(), "columns must have as many rows as target");
    const float *values = table.data(), *end = values + table.count();
    require(std::all_of(values, end, [](float value) { return std::isfinite(value); }), "columns must be finite");
    require(most >= 1, "most must be 1 or more");
    const auto seeds = view(states);
    Result<double, 2> importances({seeds.size(), table.size()});
    run(stop, threads, [&](const Effort& effort) {
        kernels->forest_importances(table, own, classes, seeds, most, importances.view(), effort);
    });
    return importances.release();
}

void require_finite(Columns columns, const char* sentence) {
    const double *values = columns.data(), *end = values + columns.count();
    require(std::all_of(values, end, [](double value) { return std::isfinite(value); }), sentence);
}

/// The columns of training and tested rows, and the subset of columns of each of many models.
struct SingleFits {
    Columns train, test;
    Lists<std::int32_t> subsets;

    Whole n() const { return train.extent(1); }
};

SingleFits single_fits(const Array<double, 2>& train, const Array<double, 2>& test, const Array<std::int32_t, 1>& features,
                       const Array<Whole, 1>& offsets) {
    const Columns own = view(train), tested = view(test);
    constexpr Whole most = std::numeric_limits<std::int32_t>::max();
    require(own.size() >= 1 && own.size() <= most, "train must hold a column");
    require(own.extent(1) >= 1 && own.extent(1) <= most && tested.extent(1) <= most, "train must hold a row");
    require(tested.size() == own.size(), "test must have as many columns as train");
    require_finite(own, "train must be finite");
    require_finite(tested, "test must be finite");
    const auto subsets = lists(features, offsets, own.size());
    for (Whole subset = 0; subset < subsets.size(); ++subset) {
        require(subsets[subset].size() >= 1, "each subset must have a column");
    }
    return {own, tested, subsets};
}

/// The training target: codes, or numbers without classes.
struct Learned {
    Integers target;
    Reals response;
};

Learned learned(const Array<Whole, 1>& target, const Array<double, 1>& response, Whole classes, Whole n) {
    const Reals numbers = view(response);
    const Integers own = numbers.size() > 0 ? view(target) : codes(target, classes);
    require(own.size() + numbers.size() == n, "target or response must have as many values as train has rows, the other one none");
    require(std::all_of(numbers.begin(), numbers.end(), [](double value) { return std::isfinite(value); }), "response must be finite");
    return {own, numbers};
}

auto forest_fits(const Array<double, 2>& train, const Array<Whole, 1>& target, const Array<double, 1>& response,
                 const Array<double, 2>& test, const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets,
                 int classes, const Array<std::uint32_t, 1>& states, const Array<Whole, 1>& most, bool balanced, int threads,
                 const Flag& stop) {
    const SingleFits fits = single_fits(train, test, features, offsets);
    const Learned own = learned(target, response, classes, fits.n());
    require(view(states).size() >= 1, "there must be a tree");
    require(view(most).size() == fits.subsets.size(), "most must have a value for each subset");
    require_range(view(most), 1, std::numeric_limits<Whole>::max(), "most must be 1 or more");
    const Whole width = own.response.size() > 0 ? 1 : classes;
    const ForestOptions options{view(states), view(most), own.response, classes, balanced};
    Result<double, 3> said({fits.subsets.size(), fits.test.extent(1), width});
    run(stop, threads, [&](const Effort& effort) {
        kernels->forest_fits(fits.train, fits.test, own.target, fits.subsets, options, said.view(), effort);
    });
    return said.release();
}

auto radial_fits(const Array<double, 2>& train, const Array<Whole, 1>& target, const Array<double, 1>& response,
                 const Array<double, 2>& test, const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets,
                 int classes, const Array<double, 1>& costs, const Array<double, 1>& gammas, double epsilon, double tolerance,
                 bool balanced, int threads, const Flag& stop) {
    const SingleFits fits = single_fits(train, test, features, offsets);
    const Learned own = learned(target, response, classes, fits.n());
    const auto is_positive = [](double value) { return std::isfinite(value) && value > 0.0; };
    require(costs.size() == gammas.size(), "costs and gammas must be as many as there are settings");
    for (const Reals values : {view(costs), view(gammas)}) {
        require(std::all_of(values.begin(), values.end(), is_positive), "costs and gammas must be above 0");
    }
    require(std::isfinite(epsilon) && epsilon >= 0.0 && is_positive(tolerance), "there must be a tolerance, and epsilon not below 0");
    const Whole width = own.response.size() > 0 ? 1 : classes, settings = static_cast<Whole>(costs.size());
    const RadialOptions options{own.response, view(costs), view(gammas), epsilon, tolerance, classes, balanced};
    Result<double, 4> said({settings, fits.subsets.size(), fits.test.extent(1), width});
    run(stop, threads, [&](const Effort& effort) {
        kernels->radial_fits(fits.train, fits.test, own.target, fits.subsets, options, said.view(), effort);
    });
    return said.release();
}

// Small fits

SmallFits small_fits(Columns columns, Integers target, const Array<std::int32_t, 1>& features,
                     const Array<Whole, 1>& offsets, const Array<std::int8_t, 2>& splits,
                     const Array<Whole, 1>& split_of, const Optional<double, 1>& fill) {
    const auto own = lists(features, offsets, columns.size());
    const auto labels = view(splits);
    require(columns.extent(1) == target.size(), "columns must have as many rows as target");
    require(labels.extent(1) == target.size(), "splits must have as many rows as target");
    require(static_cast<Whole>(split_of.size()) == own.size(), "split_of must name the split of every fit");
    require_range(view(split_of), 0, labels.size() - 1, "there is no split of such a number");
    require_range(labels, -2, 0, "labels of a split must be -2, -1 or 0");
    for (Whole split = 0; split < labels.size(); ++split) {
        const auto rows = labels[split];
        require(std::find(rows.begin(), rows.end(), -1) != rows.end(), "every split must have a training row");
    }
    require(!fill || fill->size() == features.size(), "fill must have a value for each feature of each fit");
    return {own, view(split_of), labels, fill ? view(*fill) : Reals()};
}

auto nn_errors(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& features,
               const Array<Whole, 1>& offsets, const Array<std::int8_t, 2>& splits, const Array<Whole, 1>& split_of,
               const Optional<double, 1>& fill, const std::string& scaling, bool predict, int threads, const Flag& stop) {
    const Columns table = view(columns);
    const Integers own = codes(target);
    const SmallFits fits = small_fits(table, own, features, offsets, splits, split_of, fill);
    require(scaling == "fold" || scaling == "none", "scaling must be \"fold\" or \"none\"");
    Result<Whole, 1> errors({fits.size()});
    Result<std::int16_t, 2> predicted({predict ? fits.size() : 0, own.size()});
    run(stop, threads, [&](const Effort& effort) {
        kernels->nn_errors(table, own, fits, scaling == "fold", errors.view(), predicted.view(), effort);
    });
    return nb::make_tuple(errors.release(), predicted.release());
}

auto nn_margins(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& features,
                const Array<Whole, 1>& offsets, const Array<std::int8_t, 2>& splits, const Array<Whole, 1>& split_of,
                const Optional<double, 1>& fill, const std::string& scaling, int threads, const Flag& stop) {
    const Columns table = view(columns);
    const Integers own = codes(target);
    const SmallFits fits = small_fits(table, own, features, offsets, splits, split_of, fill);
    require(scaling == "fold" || scaling == "none", "scaling must be \"fold\" or \"none\"");
    const auto labels = view(splits);
    for (Whole split = 0; split < labels.size(); ++split) {
        const auto rows = labels[split];
        require(std::find(rows.begin(), rows.end(), 0) != rows.end(), "every split must have a tested row");
    }
    Result<double, 2> margins({fits.size(), 2});
    run(stop, threads, [&](const Effort& effort) {
        kernels->nn_margins(table, own, fits, scaling == "fold", margins.view(), effort);
    });
    return margins.release();
}

// Neighbours

NeighbourOptions neighbour_options(const Batch& all, Whole k, Whole distance, bool learns, bool measures,
                                   const Array<double, 2>& known, const Array<std::uint8_t, 1>& has_gaps,
                                   const Array<double, 2>& weights, const Array<double, 2>& location,
                                   const Array<double, 2>& fill) {
    const Whole p = all.columns.size(), fits = all.measurements.labels.extent(1) * all.measurements.folds;
    require(k >= 1 && k <= 1 << 15, "k must be from 1 to 32768");
    require(distance >= 0 && distance <= 2, "distance must be 0, 1 or 2");
    require(!learns || distance == 0, "weights are learned for Euclid's distance alone");
    require(view(known).shape() == std::array<Whole, 2>{4, p}, "known must have mean, deviation, centre and once of each column");
    require(static_cast<Whole>(has_gaps.size()) == p, "has_gaps must say of each column whether it has");
    const auto gappy = view(has_gaps);
    Whole given = 0, filled = 0;
    for (const std::int32_t column : all.measurements.columns.members) {
        given += gappy[column] != 0 || !learns;
        filled += gappy[column] != 0;
    }
    const auto own = view(weights), places = view(location), filling = view(fill);
    require(own.size() == given, "weights must have a row for each chosen column whose weights are not learned");
    require(given == 0 || own.extent(1) == fits || own.extent(1) == 1, "weights must have a value for each fit, or one");
    require(places.shape() == (distance == 2 ? own.shape() : std::array<Whole, 2>{0, 0}),
            "location must be like weights for distance 2, else of shape (0, 0)");
    require(filling.size() == filled && (filled == 0 || filling.extent(1) == fits), "fill must have a row for each chosen column with gaps");
    require_sized(own, 0.0, 1e300, "weights must be from 0 to 1e300");
    require_sized(places, -1e150, 1e150, "location must be of numbers up to 1e150");
    require_sized(filling, -1e150, 1e150, "fill must be of numbers up to 1e150");
    require_sized(view(known), -1e300, 1e300, "known must be of numbers up to 1e300");
    std::vector<bool> checked(static_cast<std::size_t>(p), false);
    for (const std::int32_t column : all.measurements.columns.members) {
        if (checked[static_cast<std::size_t>(column)]) continue;
        checked[static_cast<std::size_t>(column)] = true;
        require_sized(all.columns[column], -1e150, 1e150, "columns must be of numbers up to 1e150, whose squares are numbers");
    }
    const auto row = [&](Whole number) { return view(known)[number]; };
    return {k, distance, learns, measures, row(0), row(1), row(2), row(3), gappy, own, places, filling};
}

auto nn_neighbours(const Array<double, 2>& columns, const Array<Whole, 1>& target,
                   const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels,
                   const Array<Whole, 1>& folds_of, Whole folds, Whole k, Whole distance, bool learns, bool measures,
                   const Array<double, 2>& known, const Array<std::uint8_t, 1>& has_gaps,
                   const Array<double, 2>& weights, const Array<double, 2>& location, const Array<double, 2>& fill,
                   int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, kMostClasses);
    const NeighbourOptions options = neighbour_options(all, k, distance, learns, measures, known, has_gaps, weights, location, fill);
    const std::array<Whole, 4> shape{all.measurements.size(), all.target.size(), all.measurements.labels.extent(1), k};
    Result<Whole, 4> neighbours(shape);
    Result<double, 4> distances(measures ? shape : std::array<Whole, 4>{});
    run(stop, threads, [&](const Effort& effort) {
        kernels->nn_neighbours(all.columns, all.measurements, options, neighbours.view(), distances.view(), effort);
    });
    return nb::make_tuple(neighbours.release(), distances.release());
}

auto nn_error_rates(const Array<double, 2>& columns, const Array<Whole, 1>& target,
                    const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
                    const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, Whole classes, Whole k,
                    Whole distance, bool learns, const Array<double, 2>& known,
                    const Array<std::uint8_t, 1>& has_gaps, const Array<double, 2>& weights,
                    const Array<double, 2>& location, const Array<double, 2>& fill, int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const NeighbourOptions options = neighbour_options(all, k, distance, learns, false, known, has_gaps, weights, location, fill);
    Result<double, 2> rates({all.measurements.size(), all.measurements.labels.extent(1)});
    run(stop, threads, [&](const Effort& effort) {
        kernels->nn_error_rates(all.columns, all.target, all.measurements, options, classes, rates.view(), effort);
    });
    return rates.release();
}

// Support vector machines

SvmOptions svm_options(const Batch& all, const Array<double, 2>& known, const Array<bool, 1>& has_gaps,
                       const Array<Whole, 1>& group, const Array<bool, 1>& nominal, Reals response,
                       const std::string& scaling, const std::string& scaler, double cost, double epsilon,
                       double tolerance, const std::string& loss, bool balanced, Whole classes) {
    const Whole p = all.columns.size(), n = all.columns.extent(1);
    require(view(known).shape() == std::array<Whole, 2>{4, p}, "known must have mean, deviation, begin and once of each column");
    const auto row = [&](Whole number) { return view(known)[number]; };
    require(std::all_of(row(1).begin(), row(1).end(), [](double own) { return own > 0.0; }), "deviations must be above 0");
    require(static_cast<Whole>(has_gaps.size()) == p, "has_gaps must say of each column whether it has");
    require(static_cast<Whole>(group.size()) == p, "group must have a value for each column");
    require(static_cast<Whole>(nominal.size()) == p, "nominal must have a value for each column");
    require(response.size() == 0 || (response.size() == n && classes == 1),
            "response must have a value for each row, of one class");
    require(scaling == "fold" || scaling == "once" || scaling == "none", "scaling must be \"fold\", \"once\" or \"none\"");
    require(loss == "hinge" || loss == "squared hinge", "loss must be \"hinge\" or \"squared hinge\"");
    require(cost > 0.0 && cost <= kLargest, "cost must be above 0");
    require(classes <= std::max<Whole>(n, 1024), "there must not be more classes than rows");
    require_between(epsilon, 0.0, kLargest, "epsilon must be a number that is not negative");
    require(tolerance > 0.0 && tolerance <= kLargest, "tolerance must be above 0");
    const Scaling own = scaling == "fold" ? Scaling::fold : scaling == "once" ? Scaling::once : Scaling::none;
    return {row(0), row(1), row(2), row(3), view(has_gaps), view(group), view(nominal), response, own,
            scaler_named(scaler), cost, response.size() ? epsilon : 0.0, tolerance, loss == "squared hinge", balanced, classes};
}

auto svm_decisions(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
                   const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of,
                   Whole folds, Whole classes, const Array<double, 2>& known, const Array<bool, 1>& has_gaps,
                   const Array<Whole, 1>& group, const Array<bool, 1>& nominal, const Array<double, 1>& response,
                   const std::string& scaling, const std::string& scaler, double cost, double epsilon, double tolerance,
                   const std::string& loss, bool balanced, bool sums, int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const SvmOptions options = svm_options(all, known, has_gaps, group, nominal, view(response), scaling, scaler, cost, epsilon,
                                           tolerance, loss, balanced, classes);
    const Whole repeats = all.measurements.labels.extent(1), m = all.measurements.size();
    Result<double, 4> votes({m, repeats, all.target.size(), classes});
    Result<double, 4> all_sums({sums ? m : 0, repeats, all.target.size(), classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->svm_decisions(all.columns, all.target, all.measurements, options, votes.view(), all_sums.view(), effort);
    });
    return nb::make_tuple(votes.release(), all_sums.release());
}

auto svm_errors(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
                const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of,
                Whole folds, Whole classes, const Array<double, 2>& known, const Array<bool, 1>& has_gaps,
                const Array<Whole, 1>& group, const Array<bool, 1>& nominal, const std::string& scaling,
                const std::string& scaler, double cost, double tolerance, const std::string& loss, bool balanced,
                bool margins, int threads, const Flag& stop) {
    const Batch all = batch(columns, target, chosen, offsets, labels, folds_of, folds, classes);
    const SvmOptions options = svm_options(all, known, has_gaps, group, nominal, Reals(), scaling, scaler, cost, 0.0,
                                     tolerance, loss, balanced, classes);
    return errors_and_margins(all.measurements, margins, stop, threads, [&](auto errors, auto found, const Effort& effort) {
        kernels->svm_errors(all.columns, all.target, all.measurements, options, errors, found, effort);
    });
}

auto svm_fits(const Array<double, 2>& columns, const Array<Whole, 1>& target, const Array<std::int32_t, 1>& chosen,
              const Array<Whole, 1>& offsets, const Array<Whole, 3>& labels, Whole classes, const Array<double, 2>& known,
              const Array<bool, 1>& has_gaps, const Array<Whole, 1>& group, const Array<bool, 1>& nominal,
              const Array<double, 1>& response, const Array<double, 1>& costs, double epsilon, double tolerance,
              const std::string& loss, bool balanced, bool sums, int threads, const Flag& stop) {
    const Columns table = view(columns);
    const Integers own = codes(target, classes);
    const auto rows = view(labels);
    require(own.size() == table.extent(1), "target must have as many rows as columns");
    require(rows.shape() == std::array<Whole, 3>{1, 1, own.size()}, "labels must have a value for each row");
    require_range(rows, -1, 0, "labels must be -1 or 0");
    require(std::find(rows.data(), rows.data() + rows.count(), -1) != rows.data() + rows.count(), "there must be a training row");
    const Batch all{table, own, {lists(chosen, offsets, table.size()), {}, rows, 1}};
    const Reals settings = view(costs);
    require(std::all_of(settings.begin(), settings.end(), [](double cost) { return cost > 0.0 && std::isfinite(cost); }),
            "costs must be above 0");
    const SvmOptions options = svm_options(all, known, has_gaps, group, nominal, view(response), "none", "z-score", 1.0, epsilon,
                                           tolerance, loss, balanced, classes);
    const auto& subsets = all.measurements.columns;
    Result<double, 4> votes({settings.size(), subsets.size(), own.size(), classes});
    Result<double, 4> all_sums({sums ? settings.size() : 0, subsets.size(), own.size(), classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->svm_fits(table, own, subsets, rows[0], options, settings, votes.view(), all_sums.view(), effort);
    });
    return nb::make_tuple(votes.release(), all_sums.release());
}

SvmProblem svm_problem(Whole n, const Array<double, 1>& y, const Array<double, 1>& low, const Array<double, 1>& high,
                       const Array<double, 1>& rate, double epsilon, double tolerance) {
    for (const auto* own : {&y, &low, &high, &rate}) {
        require(static_cast<Whole>(own->size()) == n, "y, low, high and rate must have a value for each row");
    }
    require(n >= 1 && tolerance > 0.0 && tolerance <= kLargest, "there must be a row, and a tolerance");
    require_between(epsilon, 0.0, kLargest, "epsilon must be a number that is not negative");
    return {view(y), view(low), view(high), view(rate), epsilon, tolerance};
}

auto svm_dual(const Array<double, 2>& gram, const Array<double, 1>& y, const Array<double, 1>& low,
              const Array<double, 1>& high, const Array<double, 1>& rate, double epsilon, double tolerance, bool has_bias,
              double shift, const Array<double, 1>& ridge, Whole most, const Array<double, 1>& start) {
    const Whole n = static_cast<Whole>(y.size());
    const SvmProblem problem = svm_problem(n, y, low, high, rate, epsilon, tolerance);
    require(view(gram).shape() == std::array<Whole, 2>{n, n}, "gram must be as large as y");
    require(static_cast<Whole>(ridge.size()) == n && static_cast<Whole>(start.size()) == n, "ridge and start must be as long as y");
    Result<double, 1> u({n});
    std::copy(view(start).begin(), view(start).end(), u.view().begin());
    std::pair<double, Whole> ready;
    require_between(shift, -kLargest, kLargest, "shift must be a number");
    run(std::nullopt, 1, [&](const Effort& effort) {
        ready = kernels->svm_dual(view(gram), problem, has_bias, shift, view(ridge), most, u.view(), effort.watch);
    });
    return nb::make_tuple(u.release(), ready.first, ready.second);
}

auto svm_primal(const Array<double, 2>& columns, const Array<double, 1>& y, const Array<double, 1>& low,
                const Array<double, 1>& high, const Array<double, 1>& rate, double epsilon, double tolerance,
                const Array<double, 1>& penalty, const Array<double, 1>& pull, double size, double sigma, double growth,
                Whole most) {
    const Columns own = view(columns);
    const Whole p = own.size(), n = own.extent(1);
    const SvmProblem problem = svm_problem(n, y, low, high, rate, epsilon, tolerance);
    require(static_cast<Whole>(penalty.size()) == p && static_cast<Whole>(pull.size()) == p + 1, "penalty and pull must be of the columns");
    require_between(size, 0.0, kLargest, "size must be a number that is not negative");
    require_between(sigma, -kLargest, kLargest, "sigma must be a number");
    require_between(growth, -kLargest, kLargest, "growth must be a number");
    Result<double, 1> w({p + 1}), u({n}), f({n});
    std::fill_n(w.view().data(), p + 1, 0.0);
    std::fill_n(u.view().data(), n, 0.0);
    Whole steps = 0;
    run(std::nullopt, 1, [&](const Effort& effort) {
        steps = kernels->svm_primal(own, problem, view(penalty), view(pull), size, sigma, growth, most, w.view(), u.view(),
                                    f.view(), effort.watch);
    });
    return nb::make_tuple(w.release(), u.release(), f.release(), steps);
}

// Single fits

struct Subsets {
    Columns train, test;
    Lists<std::int32_t> lists;

    std::array<Whole, 2> shape() const { return {lists.size(), test.extent(1)}; }
};

void require_finite(const Array<double, 2>& values, const char* sentence) {
    const auto own = view(values);
    const double *data = own.data(), *end = data + own.count();
    require(std::all_of(data, end, [](double value) { return std::isfinite(value); }), sentence);
}

/// One split of the rows and many subsets of its columns.
Subsets subsets(const Array<double, 2>& train, const Array<double, 2>& test, const Array<std::int32_t, 1>& features,
                const Array<Whole, 1>& offsets) {
    const Columns own = view(train), other = view(test);
    require(own.size() == other.size(), "train and test must have the same columns");
    require(own.extent(1) >= 1, "there must be a training row");
    require_finite(train, "values of training rows must be finite");
    require_finite(test, "values of tested rows must be finite");
    return {own, other, lists(features, offsets, own.size())};
}

/// Settings, each above a bound.
Reals above(const Array<double, 1>& values, double bound, const char* sentence) {
    const Reals own = view(values);
    require(std::all_of(own.begin(), own.end(), [=](double value) { return value > bound && std::isfinite(value); }), sentence);
    return own;
}

Integers codes_of(const Subsets& all, const Array<Whole, 1>& y, Whole classes) {
    require(static_cast<Whole>(y.size()) == all.train.extent(1), "y must have a code for each training row");
    return codes(y, classes);
}

auto logistic_fits(const Array<double, 2>& train, const Array<Whole, 1>& y, const Array<double, 2>& test,
                   const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets, Whole classes,
                   const Array<double, 1>& costs, bool balanced, int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const Integers own = codes_of(all, y, classes);
    const Reals settings = above(costs, 0.0, "costs must be above 0");
    Result<double, 4> scores({settings.size(), all.shape()[0], all.shape()[1], classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->logistic_fits(all.train, own, all.test, all.lists, settings, balanced, scores.view(), effort);
    });
    return scores.release();
}

auto ridge_fits(const Array<double, 2>& train, const Array<double, 2>& responses, const Array<double, 1>& weights,
                const Array<double, 2>& test, const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets,
                const Array<double, 1>& alphas, int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const auto own = view(responses);
    require(own.extent(1) == all.train.extent(1), "responses must have a value for each training row");
    require_finite(responses, "responses must be finite");
    const Reals each = above(weights, 0.0, "weights must be above 0"), settings = above(alphas, 0.0, "alphas must be above 0");
    require(each.size() == all.train.extent(1), "weights must have a value for each training row");
    Result<double, 4> values({settings.size(), all.shape()[0], own.size(), all.shape()[1]});
    run(stop, threads, [&](const Effort& effort) {
        kernels->ridge_fits(all.train, own, each, all.test, all.lists, settings, values.view(), effort);
    });
    return values.release();
}

auto discriminant_fits(const Array<double, 2>& train, const Array<Whole, 1>& y, const Array<double, 2>& test,
                       const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets, Whole classes,
                       const Array<double, 1>& shrinkages, bool balanced, int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const Integers own = codes_of(all, y, classes);
    const Reals settings = above(shrinkages, 0.0, "shrinkages must be above 0");
    require(std::all_of(settings.begin(), settings.end(), [](double value) { return value <= 1.0; }), "shrinkages must be at most 1");
    Result<double, 4> scores({settings.size(), all.shape()[0], all.shape()[1], classes});
    run(stop, threads, [&](const Effort& effort) {
        kernels->discriminant_fits(all.train, own, all.test, all.lists, settings, balanced, scores.view(), effort);
    });
    return scores.release();
}

// Time to event

using OneOrTwo = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// (n,) outcomes, or (n, 2) with the entry times.
struct Happened {
    std::vector<double> y, entries;

    Outcomes known() const {
        return {Reals(y.data(), {static_cast<Whole>(y.size())}), Reals(entries.data(), {static_cast<Whole>(entries.size())})};
    }
};

Happened outcomes(const OneOrTwo& y, Whole rows) {
    const bool is_late = y.ndim() == 2;
    if (!(y.ndim() == 1 || (is_late && y.shape(1) == 2))) throw nb::type_error("y must be (n,) or (n, 2)");
    require(static_cast<Whole>(y.shape(0)) == rows && rows >= 1, "y must have a value for each row, of which there must be one");
    require(std::all_of(y.data(), y.data() + y.size(), [](double value) { return std::isfinite(value); }), "y must be finite");
    if (!is_late) return {{y.data(), y.data() + y.size()}, {}};
    Happened own;
    for (std::size_t row = 0; row < y.shape(0); ++row) {
        const double last = y.data()[2 * row], first = y.data()[2 * row + 1];
        require(first < std::abs(last), "rows must be under observation before their times");
        own.y.push_back(last);
        own.entries.push_back(first);
    }
    return own;
}

auto cox_fits(const Array<double, 2>& train, const OneOrTwo& y, const Array<double, 2>& test,
              const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets, const Array<double, 1>& alphas, bool efron,
              int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const Happened own = outcomes(y, all.train.extent(1));
    const Reals settings = above(alphas, 0.0, "alphas must be above 0");
    Result<double, 3> values({settings.size(), all.shape()[0], all.shape()[1]});
    run(stop, threads, [&](const Effort& effort) {
        kernels->cox_fits(all.train, own.known(), all.test, all.lists, settings, efron, values.view(), effort);
    });
    return values.release();
}

auto cox_residuals(const Array<double, 1>& f, const OneOrTwo& y, bool efron) {
    const Reals own = view(f);
    const Happened known = outcomes(y, own.size());
    require(std::all_of(f.data(), f.data() + f.size(), [](double value) { return std::isfinite(value); }), "f must be finite");
    Result<double, 1> residuals({own.size()});
    const double likelihood = kernels->cox_residuals(own, known.known(), efron, residuals.view());
    return nb::make_tuple(likelihood, residuals.release());
}

auto cox_scores(const Array<double, 2>& columns, const OneOrTwo& y, bool efron, int threads, const Flag& stop) {
    const Columns own = view(columns);
    const Happened known = outcomes(y, own.extent(1));
    require_finite(columns, "columns must be finite");
    Result<double, 1> statistics({own.size()}), scores({own.size()});
    run(stop, threads, [&](const Effort& effort) {
        kernels->cox_scores(own, known.known(), efron, statistics.view(), scores.view(), effort);
    });
    return nb::make_tuple(statistics.release(), scores.release());
}

auto concordances(const Array<double, 2>& risks, const OneOrTwo& y, const Array<double, 1>& weights,
                  const Array<Whole, 2>& labels, Whole folds) {
    const auto own = view(risks);
    const Happened known = outcomes(y, own.extent(1));
    const Reals each = above(weights, -1.0, "weights must be finite");
    require(each.size() == own.extent(1), "weights must have a value for each row");
    require(view(labels).shape() == own.shape(), "labels must have the shape of the risks");
    require_folds(folds);
    require_finite(risks, "risks must be finite");
    Result<double, 3> sums({own.size(), folds, 2});
    run(std::nullopt, 1, [&](const Effort& effort) {
        kernels->concordances(own, known.known(), each, view(labels), sums.view(), effort.watch);
    });
    return sums.release();
}

/// (n, g) weight of a hazard at the time of each row in each of g sums.
View<const double, 2> weights_of_times(const Array<double, 2>& weights, Whole rows) {
    const auto own = view(weights);
    require(own.extent(0) == rows, "weights must have a row for each of the training rows");
    require_finite(weights, "weights must be finite");
    return own;
}

auto survival_neighbours(const Array<double, 2>& train, const OneOrTwo& y, const Array<double, 2>& test,
                         const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets,
                         const Array<double, 2>& weights, Whole k, int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const Happened own = outcomes(y, all.train.extent(1));
    const auto each = weights_of_times(weights, all.train.extent(1));
    require(k >= 1, "k must be at least 1");
    Result<double, 3> sums({all.lists.size(), all.test.extent(1), each.extent(1)});
    run(stop, threads, [&](const Effort& effort) {
        kernels->survival_neighbours(all.train, own.known(), all.test, all.lists, k, each, sums.view(), effort);
    });
    return sums.release();
}

auto survival_forest(const Array<double, 2>& train, const OneOrTwo& y, const Array<double, 2>& test,
                     const Array<std::int32_t, 1>& features, const Array<Whole, 1>& offsets,
                     const Array<double, 2>& weights, const Array<std::uint64_t, 1>& states,
                     const Array<Whole, 1>& most, Whole leaf, int threads, const Flag& stop) {
    const Subsets all = subsets(train, test, features, offsets);
    const Happened own = outcomes(y, all.train.extent(1));
    const auto each = weights_of_times(weights, all.train.extent(1));
    require(static_cast<Whole>(most.size()) == all.lists.size(), "most must have a value for each subset");
    require_range(view(most), 1, std::numeric_limits<Whole>::max(), "most must be at least 1");
    require(leaf >= 1 && leaf <= std::numeric_limits<std::int32_t>::max(), "leaf must be at least 1, and no larger than 2^31");
    Result<double, 3> sums({all.lists.size(), all.test.extent(1), each.extent(1)});
    run(stop, threads, [&](const Effort& effort) {
        kernels->survival_forest(all.train, own.known(), all.test, all.lists, view(states), view(most), leaf, each, sums.view(),
                                 effort);
    });
    return sums.release();
}

// Scales

auto fill_gaps(const Array<double, 2>& columns, const Array<std::int32_t, 1>& chosen, const Array<Whole, 1>& offsets,
               const Array<Whole, 3>& labels, const Array<Whole, 1>& folds_of, Whole folds, const Array<Whole, 1>& group,
               const Array<bool, 1>& nominal, bool variances, int threads, const Flag& stop) {
    const Columns table = view(columns);
    const Measurements all = measurements(table, chosen, offsets, labels, folds_of, folds);
    require(static_cast<Whole>(group.size()) == table.size(), "group must have a value for each column");
    require(static_cast<Whole>(nominal.size()) == table.size(), "nominal must have a value for each column");
    const std::array<Whole, 2> shape = {all.columns.members.size(), all.labels.extent(1) * folds};
    Result<double, 2> fill(shape), variance({variances ? shape[0] : 0, shape[1]});
    run(stop, threads, [&](const Effort& effort) {
        kernels->fill_gaps(table, all, view(group), view(nominal), fill.view(), variance.view(), effort);
    });
    return nb::make_tuple(fill.release(), variance.release());
}

void check_fits(Columns table, const Array<Whole, 1>& chosen, const Array<Whole, 2>& labels, Whole folds) {
    require_range(view(chosen), 0, table.size() - 1, "there is no column of such a number");
    require(static_cast<Whole>(labels.shape(1)) == table.extent(1), "labels must have as many rows as columns");
    require_folds(folds);
    require_range(view(labels), -2, folds - 1, "labels must be from -2 to folds - 1");
}

auto training_variances(const Array<double, 2>& columns, const Array<Whole, 1>& chosen, const Array<double, 1>& mean,
                        const Array<double, 1>& deviation, const Array<Whole, 2>& labels, Whole folds, int threads,
                        const Flag& stop) {
    const Columns table = view(columns);
    check_fits(table, chosen, labels, folds);
    require(mean.size() == chosen.size() && deviation.size() == chosen.size(), "mean and deviation must be of the chosen");
    Result<double, 2> variances({static_cast<Whole>(labels.shape(0)) * folds, static_cast<Whole>(chosen.size())});
    run(stop, threads, [&](const Effort& effort) {
        kernels->training_variances(table, view(chosen), view(mean), view(deviation), view(labels), folds,
                                    variances.view(), effort);
    });
    return variances.release();
}

auto training_scales(const Array<double, 2>& columns, const Array<Whole, 1>& chosen, const Array<double, 2>& fill,
                     const Array<Whole, 2>& labels, Whole folds, const std::string& scaler, int threads,
                     const Flag& stop) {
    const Columns table = view(columns);
    check_fits(table, chosen, labels, folds);
    const std::array<Whole, 2> shape = {static_cast<Whole>(labels.shape(0)) * folds, static_cast<Whole>(chosen.size())};
    const auto gaps = view(fill);
    require(gaps.extent(1) == shape[1] && (gaps.size() == 1 || gaps.size() == shape[0]),
            "fill must have a value for each chosen column, of each fit or of all");
    const Scaler own = scaler_named(scaler);
    Result<double, 2> centre(shape), scale(shape);
    run(stop, threads, [&](const Effort& effort) {
        kernels->training_scales(table, view(chosen), gaps, view(labels), folds, own, centre.view(), scale.view(), effort);
    });
    return nb::make_tuple(centre.release(), scale.release());
}

}  // namespace

NB_MODULE(_core, m) {
    const Level& level = chosen_level();
    kernels = level.kernels;
    m.attr("level") = level.name;
    m.attr("levels") = nb::tuple(nb::cast(levels_built()));
    nb::exception<Stopped>(m, "Stopped");
    m.def("give_up_when", give_up_when, "asked"_a.none());
    m.def("give_up_if_asked", look_up);

    m.def("pcg64_words", pcg64_words, "hashed"_a.noconvert(), "number"_a, "count"_a);
    m.def("shuffled", shuffled, "hashed"_a.noconvert(), "number"_a, "target"_a.noconvert(), "repeats"_a);
    m.def("fold_labels", fold_labels, "hashed"_a.noconvert(), "numbers"_a.noconvert(), "target"_a.noconvert(), "repeats"_a, "folds"_a,
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("error_rates", error_rates, "predicted"_a.noconvert(), "target"_a.noconvert(), "labels"_a.noconvert());
    m.def("one_vs_rest_areas", one_vs_rest_areas, "scores"_a.noconvert(), "target"_a.noconvert(),
          "labels"_a.noconvert(), "folds"_a);
    m.def("one_vs_one_areas", one_vs_one_areas, "scores"_a.noconvert(), "target"_a.noconvert(), "labels"_a.noconvert(),
          "folds"_a);

    m.def("majority", majority, "neighbours"_a.noconvert(), "target"_a.noconvert(), "classes"_a);
    m.def("vote_weights", vote_weights, "distances"_a.noconvert());
    m.def("votes", votes, "neighbours"_a.noconvert(), "weights"_a.noconvert(), "target"_a.noconvert(), "classes"_a);
    m.def("averages", averages, "neighbours"_a.noconvert(), "weights"_a.noconvert(), "response"_a.noconvert());

    m.def("bayes_likelihoods", bayes_likelihoods, "columns"_a.noconvert(), "target"_a.noconvert(),
          "chosen"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a,
          "classes"_a, nb::kw_only(), "fill"_a.noconvert(), "once"_a.noconvert(), "unit"_a.noconvert(), "smoothing"_a,
          "balanced"_a = false, "normalised"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("bayes_errors", bayes_errors, "columns"_a.noconvert(), "target"_a.noconvert(),
          "chosen"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a,
          "classes"_a, nb::kw_only(), "fill"_a.noconvert(), "once"_a.noconvert(), "unit"_a.noconvert(), "smoothing"_a,
          "balanced"_a = false, "margins"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("cart_order", cart_order, "columns"_a.noconvert(), "once"_a.noconvert(), "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("cart_predictions", cart_predictions, "columns"_a.noconvert(), "target"_a.noconvert(),
          "chosen"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a,
          "classes"_a, nb::kw_only(), "order"_a.noconvert(), "has_gaps"_a.noconvert(), "fill"_a.noconvert(),
          "once"_a.noconvert(), "response"_a.noconvert(), "impurity"_a, "max_depth"_a, "min_leaf"_a, "min_split"_a,
          "balanced"_a = false, "numbers"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("cart_errors", cart_errors, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, "classes"_a,
          nb::kw_only(), "order"_a.noconvert(), "has_gaps"_a.noconvert(), "fill"_a.noconvert(), "once"_a.noconvert(),
          "impurity"_a, "max_depth"_a, "min_leaf"_a, "min_split"_a, "balanced"_a = false, "margins"_a = false,
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("cart_tree", cart_tree, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(), "classes"_a,
          nb::kw_only(), "order"_a.noconvert(), "has_gaps"_a.noconvert(), "fill"_a.noconvert(), "once"_a.noconvert(),
          "response"_a.noconvert(), "impurity"_a, "max_depth"_a, "min_leaf"_a, "min_split"_a, "balanced"_a = false,
          "stop"_a.noconvert() = nb::none());

    nb::class_<Sorted>(m, "C45Table")
        .def(nb::init<const Array<double, 2>&, const Array<Whole, 1>&, const Array<Whole, 1>&, Whole, double, int>(),
             "raw"_a.noconvert(), "levels"_a.noconvert(), "target"_a.noconvert(), "classes"_a, "gap"_a, "threads"_a = 1);
    m.def("c45_answers", c45_answers, "table"_a, "chosen"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(),
          "folds_of"_a.noconvert(), "folds"_a, nb::kw_only(), "min_rows"_a, "pruned"_a, "raising"_a, "confidence"_a,
          "quantile"_a, "balanced"_a = false, "smoothed"_a = false, "shares"_a = false, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("c45_errors", c45_errors, "table"_a, "chosen"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(),
          "folds_of"_a.noconvert(), "folds"_a, nb::kw_only(), "min_rows"_a, "pruned"_a, "raising"_a, "confidence"_a,
          "quantile"_a, "balanced"_a = false, "smoothed"_a = false, "margins"_a = false, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("c45_tree", c45_tree, "table"_a, "chosen"_a.noconvert(), "labels"_a.noconvert(), nb::kw_only(), "min_rows"_a,
          "pruned"_a, "raising"_a, "confidence"_a, "quantile"_a, "balanced"_a = false);
    m.def("c45_leaf_errors", c45_leaf_errors, "counts"_a.noconvert(), "confidence"_a, "quantile"_a);

    m.def("forest_importances", forest_importances, "columns"_a.noconvert(), "target"_a.noconvert(), nb::kw_only(),
          "classes"_a, "states"_a.noconvert(), "most"_a, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("forest_fits", forest_fits, "train"_a.noconvert(), "target"_a.noconvert(), "response"_a.noconvert(),
          "test"_a.noconvert(), "features"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "classes"_a,
          "states"_a.noconvert(), "most"_a.noconvert(), "balanced"_a = false, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());

    m.def("radial_fits", radial_fits, "train"_a.noconvert(), "target"_a.noconvert(), "response"_a.noconvert(),
          "test"_a.noconvert(), "features"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "classes"_a,
          "costs"_a.noconvert(), "gammas"_a.noconvert(), "epsilon"_a = 0.1, "tolerance"_a = 1e-3, "balanced"_a = false,
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("nn_errors", nn_errors, "columns"_a.noconvert(), "target"_a.noconvert(), "features"_a.noconvert(),
          "offsets"_a.noconvert(), "splits"_a.noconvert(), "split_of"_a.noconvert(), nb::kw_only(),
          "fill"_a.noconvert() = nb::none(), "scaling"_a = "fold",
          "predict"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("nn_margins", nn_margins, "columns"_a.noconvert(), "target"_a.noconvert(), "features"_a.noconvert(),
          "offsets"_a.noconvert(), "splits"_a.noconvert(), "split_of"_a.noconvert(), nb::kw_only(),
          "fill"_a.noconvert() = nb::none(), "scaling"_a = "fold",
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("nn_neighbours", nn_neighbours, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, nb::kw_only(), "k"_a,
          "distance"_a, "learns"_a, "measures"_a, "known"_a.noconvert(), "has_gaps"_a.noconvert(),
          "weights"_a.noconvert(), "location"_a.noconvert(), "fill"_a.noconvert(), "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("nn_error_rates", nn_error_rates, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, "classes"_a,
          nb::kw_only(), "k"_a, "distance"_a, "learns"_a, "known"_a.noconvert(), "has_gaps"_a.noconvert(),
          "weights"_a.noconvert(), "location"_a.noconvert(), "fill"_a.noconvert(), "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("svm_decisions", svm_decisions, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, "classes"_a,
          nb::kw_only(), "known"_a.noconvert(), "has_gaps"_a.noconvert(), "group"_a.noconvert(), "nominal"_a.noconvert(),
          "response"_a.noconvert(), "scaling"_a, "scaler"_a, "cost"_a, "epsilon"_a, "tolerance"_a, "loss"_a, "balanced"_a,
          "sums"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("svm_errors", svm_errors, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, "classes"_a,
          nb::kw_only(), "known"_a.noconvert(), "has_gaps"_a.noconvert(), "group"_a.noconvert(), "nominal"_a.noconvert(),
          "scaling"_a, "scaler"_a, "cost"_a, "tolerance"_a, "loss"_a, "balanced"_a, "margins"_a = false, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("svm_fits", svm_fits, "columns"_a.noconvert(), "target"_a.noconvert(), "chosen"_a.noconvert(),
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "classes"_a, nb::kw_only(), "known"_a.noconvert(),
          "has_gaps"_a.noconvert(), "group"_a.noconvert(), "nominal"_a.noconvert(), "response"_a.noconvert(),
          "costs"_a.noconvert(), "epsilon"_a, "tolerance"_a, "loss"_a, "balanced"_a, "sums"_a = false, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("svm_dual", svm_dual, "gram"_a.noconvert(), "y"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
          "rate"_a.noconvert(), nb::kw_only(), "epsilon"_a, "tolerance"_a, "has_bias"_a, "shift"_a, "ridge"_a.noconvert(),
          "most"_a, "start"_a.noconvert());
    m.def("svm_primal", svm_primal, "columns"_a.noconvert(), "y"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
          "rate"_a.noconvert(), nb::kw_only(), "epsilon"_a, "tolerance"_a, "penalty"_a.noconvert(), "pull"_a.noconvert(),
          "size"_a, "sigma"_a, "growth"_a, "most"_a);

    m.def("logistic_fits", logistic_fits, "train"_a.noconvert(), "y"_a.noconvert(), "test"_a.noconvert(),
          "features"_a.noconvert(), "offsets"_a.noconvert(), "classes"_a, nb::kw_only(), "costs"_a.noconvert(),
          "balanced"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("ridge_fits", ridge_fits, "train"_a.noconvert(), "responses"_a.noconvert(), "weights"_a.noconvert(),
          "test"_a.noconvert(), "features"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "alphas"_a.noconvert(),
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("discriminant_fits", discriminant_fits, "train"_a.noconvert(), "y"_a.noconvert(), "test"_a.noconvert(),
          "features"_a.noconvert(), "offsets"_a.noconvert(), "classes"_a, nb::kw_only(), "shrinkages"_a.noconvert(),
          "balanced"_a = false, "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("cox_fits", cox_fits, "train"_a.noconvert(), "y"_a.noconvert(), "test"_a.noconvert(), "features"_a.noconvert(),
          "offsets"_a.noconvert(), nb::kw_only(), "alphas"_a.noconvert(), "efron"_a = true, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("cox_residuals", cox_residuals, "f"_a.noconvert(), "y"_a.noconvert(), nb::kw_only(), "efron"_a = true);
    m.def("cox_scores", cox_scores, "columns"_a.noconvert(), "y"_a.noconvert(), nb::kw_only(), "efron"_a = true,
          "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("concordances", concordances, "risks"_a.noconvert(), "y"_a.noconvert(), "weights"_a.noconvert(),
          "labels"_a.noconvert(), "folds"_a);
    m.def("survival_neighbours", survival_neighbours, "train"_a.noconvert(), "y"_a.noconvert(), "test"_a.noconvert(),
          "features"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "weights"_a.noconvert(), "k"_a,
          "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("survival_forest", survival_forest, "train"_a.noconvert(), "y"_a.noconvert(), "test"_a.noconvert(),
          "features"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "weights"_a.noconvert(),
          "states"_a.noconvert(), "most"_a.noconvert(), "leaf"_a, "threads"_a = 1, "stop"_a.noconvert() = nb::none());

    m.def("fill_gaps", fill_gaps, "columns"_a.noconvert(), "chosen"_a.noconvert(), "offsets"_a.noconvert(),
          "labels"_a.noconvert(), "folds_of"_a.noconvert(), "folds"_a, nb::kw_only(), "group"_a.noconvert(),
          "nominal"_a.noconvert(), "variances"_a = true, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
    m.def("training_variances", training_variances, "columns"_a.noconvert(), "chosen"_a.noconvert(),
          "mean"_a.noconvert(), "deviation"_a.noconvert(), "labels"_a.noconvert(), "folds"_a, "threads"_a = 1,
          "stop"_a.noconvert() = nb::none());
    m.def("training_scales", training_scales, "columns"_a.noconvert(), "chosen"_a.noconvert(), "fill"_a.noconvert(),
          "labels"_a.noconvert(), "folds"_a, "scaler"_a, "threads"_a = 1, "stop"_a.noconvert() = nb::none());
}
