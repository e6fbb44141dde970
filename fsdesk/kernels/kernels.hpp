// All kernels that module.cpp binds: what they take and give. Each is explained in its own file.
//
// To add one: declare it here, name it in FSDESK_KERNELS, and bind it in module.cpp and _core.pyi; its file goes into
// CMakeLists.txt. Arrays have been checked by module.cpp as far as a kernel's safety needs it.
#pragma once

#include "core.hpp"

namespace fsdesk {

using Reals = View<const double, 1>;
using Columns = View<const double, 2>;      // (p, n) values, a row for each feature's column
using Integers = View<const Whole, 1>;      // (n,) class codes from 0
using Folds = View<const Whole, 2>;         // (repeats, n) fold in which a row is tested; -1 trained on, -2 left out
using Words = View<const std::uint64_t, 1>;

/// Small fits: the features of each, its split, and the splits' labels (s, n): 0 tested, -1 trained on, -2 left out.
struct SmallFits {
    Lists<std::int32_t> features;
    Integers split_of;
    View<const std::int8_t, 2> splits;

    Whole size() const { return features.size(); }
};

/// Masks to measure: their columns, and which of the folds (s, repeats, n) belong to each.
struct Measurements {
    Lists<std::int32_t> columns;
    Integers folds_of;
    View<const Whole, 3> labels;
    Whole folds;

    Whole size() const { return columns.size(); }
};

/// See bayes.cpp.
struct BayesOptions {
    View<const double, 2> fill;
    Reals once;
    Reals unit;
    double smoothing;
    Whole classes;
    bool balanced;
};

/// See neighbours.cpp. Of all p columns, of the chosen ones without learned weights, and of those with missing values.
struct NeighbourOptions {
    Whole k, distance;                   // 0 Euclid's, 1 Manhattan, 2 cosine
    bool learns, measures;               // weights are learned of columns without missing values; distances are asked for
    Reals mean, deviation, centre;       // (p,) of all rows; any number amidst the values
    Reals once;                          // (p,) what stands for missing values in all fits; NaN where that differs
    View<const std::uint8_t, 1> has_gaps;  // (p,) whether values are missing that each fit fills
    View<const double, 2> weights;       // (t, fits or 1) NaN where training rows are constant
    View<const double, 2> location;      // the same for cosine: what is taken away
    View<const double, 2> fill;          // (g, fits)
};

/// See cart.cpp.
enum class Impurity { gini, entropy, variance };

struct CartOptions {
    Impurity impurity;
    Whole max_depth, min_leaf, min_split;  // no limit of depth: 0; fewest rows in a leaf, and in a node to be split
    bool balanced;                         // all classes of a training set weigh the same
    Whole classes;
    View<const std::uint8_t, 2> order;     // (p, bytes)
    View<const std::uint8_t, 1> has_gaps;  // (p,)
    View<const double, 2> fill;            // (g, fits)
    Reals once;                            // (p,)
    Reals response;                        // (n,) what variance predicts; else (0,)
};

/// See scales.cpp.
enum class Scaler { z_score, min_max, robust };

namespace FSDESK_LEVEL {

// dealing.cpp
void first_words(Words hashed, Whole number, View<std::uint64_t, 1> words);
void shuffled(Words hashed, Whole number, Integers target, View<Whole, 2> rows, View<std::uint64_t, 1> more);
void dealt(Words hashed, Integers numbers, Integers target, Whole folds, View<Whole, 3> labels, const Effort& effort);

// criteria.cpp
void error_rates(Folds predicted, Integers target, Folds labels, View<double, 1> rates);
void one_vs_rest_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 3> areas);
void one_vs_one_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 4> areas);

// votes.cpp
void majority(View<const Whole, 3> neighbours, Integers target, Whole classes, View<Whole, 2> winners);
void vote_weights(View<const double, 2> distances, View<double, 2> weights);
void votes(View<const Whole, 3> neighbours, View<const double, 3> weights, Integers target, View<double, 3> sums);
void averages(View<const Whole, 3> neighbours, View<const double, 3> weights, Reals response, View<double, 2> means);

// bayes.cpp
void bayes_likelihoods(Columns columns, Integers target, const Measurements& measurements, const BayesOptions& options,
                       bool normalised, View<double, 4> joint, const Effort& effort);
void bayes_errors(Columns columns, Integers target, const Measurements& measurements, const BayesOptions& options,
                  View<Whole, 2> errors, View<double, 3> margins, const Effort& effort);

// cart.cpp
void cart_order(Columns columns, Reals once, View<std::uint8_t, 2> order, const Effort& effort);
void cart_predictions(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                      View<Whole, 3> codes, View<double, 4> numbers, const Effort& effort);
void cart_errors(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                 View<Whole, 2> errors, View<double, 3> margins, const Effort& effort);

// small_fits.cpp
void nn_errors(Columns columns, Integers target, const SmallFits& fits, bool learns_scale, View<Whole, 1> errors,
               View<std::int16_t, 2> predicted, const Effort& effort);
void nn_margins(Columns columns, Integers target, const SmallFits& fits, bool learns_scale, View<double, 2> margins,
                const Effort& effort);

// neighbours.cpp
void nn_neighbours(Columns columns, const Measurements& measurements, const NeighbourOptions& options,
                   View<Whole, 4> neighbours, View<double, 4> distances, const Effort& effort);
void nn_error_rates(Columns columns, Integers target, const Measurements& measurements, const NeighbourOptions& options,
                    Whole classes, View<double, 2> rates, const Effort& effort);

// scales.cpp
void fill_gaps(Columns columns, const Measurements& all, Integers group, View<const bool, 1> nominal,
               View<double, 2> fill, View<double, 2> variance, const Effort& effort);
void training_variances(Columns columns, Integers chosen, Reals mean, Reals deviation, Folds labels, Whole folds,
                        View<double, 2> variances, const Effort& effort);
void training_scales(Columns columns, Integers chosen, View<const double, 2> fill, Folds labels, Whole folds,
                     Scaler scaler, View<double, 2> centre, View<double, 2> scale, const Effort& effort);

}  // namespace FSDESK_LEVEL

#define FSDESK_KERNELS(KERNEL)                                                              \
    KERNEL(first_words) KERNEL(shuffled) KERNEL(dealt)                                      \
    KERNEL(error_rates) KERNEL(one_vs_rest_areas) KERNEL(one_vs_one_areas)                  \
    KERNEL(majority) KERNEL(vote_weights) KERNEL(votes) KERNEL(averages)                    \
    KERNEL(bayes_likelihoods) KERNEL(bayes_errors)                                          \
    KERNEL(cart_order) KERNEL(cart_predictions) KERNEL(cart_errors)                         \
    KERNEL(nn_errors) KERNEL(nn_margins)                                                    \
    KERNEL(fill_gaps) KERNEL(training_variances) KERNEL(training_scales)                    \
    KERNEL(nn_neighbours) KERNEL(nn_error_rates)

/// The kernels of one level.
struct Kernels {
#define FSDESK_FIELD(name) decltype(&FSDESK_LEVEL::name) name;
    FSDESK_KERNELS(FSDESK_FIELD)
#undef FSDESK_FIELD
};

// table.cpp: the kernels of each level that was compiled.
namespace base { extern const Kernels table; }
namespace v2 { extern const Kernels table; }
namespace v3 { extern const Kernels table; }
namespace v4 { extern const Kernels table; }

}  // namespace fsdesk
