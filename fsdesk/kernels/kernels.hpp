// All kernels bound by module.cpp: their arguments and results. Each is explained in its own file.
//
// To add one: declare it here, name it in FSDESK_KERNELS, and bind it in module.cpp and _core.pyi; its file goes into
// CMakeLists.txt. Arrays have been checked by module.cpp as far as a kernel's safety requires.
#pragma once

#include "core.hpp"

namespace fsdesk {

using Reals = View<const double, 1>;
using Columns = View<const double, 2>;      // (p, n) values, a row for each feature's column
using Integers = View<const Whole, 1>;      // (n,) class codes from 0
using Folds = View<const Whole, 2>;         // (repeats, n) fold in which a row is tested; -1 trained on, -2 left out
using Pool = View<const std::uint64_t, 1>;      // (5,) hashed seed, see folds.cpp

/// Outcomes of rows: (n,) y, times of events, and minus the times if censored; (n,) entry times, empty if all rows were
/// under observation from the start.
struct Outcomes {
    Reals y, entries;

    bool are_late() const { return entries.size() > 0; }
};

/// Small fits: the features of each, its split, the splits' labels (s, n): 0 tested, -1 trained on, -2 left out; and
/// the imputed values of each feature of each fit, one fit after another, or nothing.
struct SmallFits {
    Lists<std::int32_t> features;
    Integers split_of;
    View<const std::int8_t, 2> splits;
    Reals fill;

    Whole size() const { return features.size(); }
};

/// Masks to measure: their columns, and the index of each one's folds among (s, repeats, n).
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

/// See neighbours.cpp. For all p columns, for the chosen ones without learned weights, and for those with missing
/// values.
struct NeighbourOptions {
    Whole k, distance;                   // 0 Euclidean, 1 Manhattan, 2 cosine
    bool learns, measures;               // weights of columns without missing values are learned; distances are requested
    Reals mean, deviation, centre;       // (p,) of all rows; any central value
    Reals once;                          // (p,) imputed values common to all fits; NaN if they differ
    View<const std::uint8_t, 1> has_gaps;  // (p,) whether each fit imputes missing values
    View<const double, 2> weights;       // (t, fits or 1) NaN if training rows are constant
    View<const double, 2> location;      // the same for cosine: what is subtracted
    View<const double, 2> fill;          // (g, fits)
};

/// See cart.cpp.
enum class Impurity { gini, entropy, variance };

struct CartOptions {
    Impurity impurity;
    Whole max_depth, min_leaf, min_split;  // 0: no depth limit; minimum rows in a leaf, and in a node to be split
    bool balanced;                         // all classes of a training set have equal weight
    Whole classes;
    View<const std::uint8_t, 2> order;     // (p, bytes)
    View<const std::uint8_t, 1> has_gaps;  // (p,)
    View<const double, 2> fill;            // (g, fits)
    Reals once;                            // (p,)
    Reals response;                        // (n,) target of variance; else (0,)
};

/// Nodes by number, 0 for the root; values not larger than the threshold go left. Feature and branches are -1 at
/// leaves, which have the most frequent class, the first of several, and numbers: (nodes, classes) proportions, or
/// (nodes,) means.
struct CartTree {
    std::vector<Whole> feature{}, left{}, right{}, code{};
    std::vector<double> threshold{}, numbers{};
};

/// See forest.cpp.
struct ForestOptions {
    View<const std::uint32_t, 1> states;  // (trees,) of their random numbers
    Integers most;                        // (m,) number of columns considered at a node for each subset
    Reals response;                       // (n,) numbers to predict; else (0,)
    Whole classes;
    bool balanced;  // all classes have equal weight
};

/// See c45.cpp. A table with every column sorted once; immutable afterwards.
struct C45Table {
    /// For a column in which half of the rows have the same value and none is missing: where the rows of that value
    /// begin and end among the entries, and its rank; else 0, 0 and -1.
    struct Common {
        Whole begin, end, rank;
    };

    Columns raw;
    Integers levels;  // (p,) number of categories, 0 for numeric features
    Integers target;
    Whole classes;
    double gap;                         // minimum distance of neighbouring values for a cut between them
    int class_shift = 0, rank_shift = 0;  // bits of an entry below the class and below the rank
    std::vector<std::uint32_t> narrow{};  // (p, n) entries of 32 bits if they fit,
    std::vector<std::uint64_t> wide{};    // else of 64
    std::vector<Whole> known{};           // (p,) number of rows that have a value
    std::vector<Common> common{};
    // (p,) whether some distinct values lie closer together than the gap; and whether some of these lie close to two
    // values that a cut separates in their absence: ranks then are those of distinct values, and are not valid for
    // nodes.
    std::vector<std::uint8_t> crowded{}, chained{};
    std::vector<double> logs{};  // (n + 2,) x log2 x for x = 0, 1, ..., n + 1
    std::vector<Whole> whole{};  // the same in units of `unit`
    double unit = 0.0;

    template <class Entry>
    const Entry* entries() const {
        if constexpr (sizeof(Entry) == sizeof(std::uint32_t)) {
            return narrow.data();
        } else {
            return wide.data();
        }
    }
};

/// See c45.cpp.
struct C45Rules {
    double min_rows;        // weight that at least two branches of a split must have
    bool pruned, raising;   // whether to prune, and whether pruning may replace a node by its largest branch
    double confidence;      // for the pessimistic errors,
    double quantile;        // and the standard normal quantile at 1 - confidence
    bool balanced;          // whether all classes of a training set have equal total weight, instead of all rows
    bool smoothed;          // whether proportions are Laplace estimates
};

/// Nodes by number, 0 for the root; feature and first branch are -1 at leaves; counts are (nodes, classes).
struct C45Tree {
    std::vector<Whole> feature{}, first{}, branches{};
    std::vector<double> threshold{}, size{}, counts{};
};

/// See scales.cpp.
enum class Scaler { z_score, min_max, robust, pareto };

/// The rows from which scales are learned.
enum class Scaling { fold, once, none };

/// See svm.cpp. All columns are standardised by `mean` and `deviation`: if scales are learned once, only by these.
struct SvmOptions {
    Reals mean, deviation, begin;        // (p,) of all rows, no deviation 0; location of most rows, in deviations
    Reals once;                          // (p,) imputed values common to all fits; NaN if they differ
    View<const bool, 1> has_gaps;        // (p,) whether each fit imputes missing values
    Integers group;                      // (p,) feature of each column
    View<const bool, 1> nominal;         // (p,) which columns are indicators
    Reals response;                      // (n,) for a regression, else of size 0
    Scaling scaling;
    Scaler scaler;
    double cost, epsilon, tolerance;
    bool squared, balanced;
    Whole classes;
};

/// One problem of svm.cpp: (n,) responses, bounds of dual values, and C of each row.
struct SvmProblem {
    Reals y, low, high, rate;
    double epsilon, tolerance;
};

/// See radial.cpp.
struct RadialOptions {
    Reals response;           // (n,) numbers to predict; else (0,)
    Reals costs, gammas;      // (settings,) C, and factors of the usual scale of distances
    double epsilon, tolerance;
    Whole classes;
    bool balanced;  // all classes have equal weight
};

namespace FSDESK_LEVEL {

// folds.cpp
void pcg64_words(Pool hashed, Whole number, View<std::uint64_t, 1> words);
void shuffled(Pool hashed, Whole number, Integers target, View<Whole, 2> rows, View<std::uint64_t, 1> more);
void fold_labels(Pool hashed, Integers numbers, Integers target, Whole folds, View<Whole, 3> labels, const Effort& effort);

// criteria.cpp
void error_rates(Folds predicted, Integers target, Folds labels, View<double, 1> rates);
void one_vs_rest_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 3> areas, Watch& watch);
void one_vs_one_areas(View<const double, 3> scores, Integers target, Folds labels, View<double, 4> areas, Watch& watch);

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
CartTree cart_tree(Columns columns, Integers target, const Measurements& measurements, const CartOptions& options,
                   const Effort& effort);

// forest.cpp
void forest_importances(View<const float, 2> columns, Integers target, Whole classes, View<const std::uint32_t, 1> states,
                        Whole most, View<double, 2> importances, const Effort& effort);
void forest_fits(Columns train, Columns test, Integers target, const Lists<std::int32_t>& subsets, const ForestOptions& options,
                 View<double, 3> said, const Effort& effort);

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

// c45.cpp
void c45_sort(C45Table& table, const Effort& effort);
void c45_answers(const C45Table& table, const Measurements& measurements, const C45Rules& rules, View<Whole, 3> predicted,
                 View<double, 4> shares, const Effort& effort);
void c45_errors(const C45Table& table, const Measurements& measurements, const C45Rules& rules, View<Whole, 2> errors,
                View<double, 3> margins, const Effort& effort);
C45Tree c45_tree(const C45Table& table, const Measurements& measurements, const C45Rules& rules, const Effort& effort);
double c45_leaf_errors(Reals counts, const C45Rules& rules);

// svm.cpp
void svm_decisions(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                   View<double, 4> votes, View<double, 4> sums, const Effort& effort);
void svm_errors(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                View<Whole, 2> errors, View<double, 3> margins, const Effort& effort);
void svm_fits(Columns columns, Integers target, const Lists<std::int32_t>& subsets, Folds labels, const SvmOptions& options,
              Reals costs, View<double, 4> votes, View<double, 4> sums, const Effort& effort);
std::pair<double, Whole> svm_dual(View<const double, 2> gram, const SvmProblem& problem, bool has_bias, double shift, Reals ridge,
                                  Whole most, View<double, 1> u, Watch& watch);
Whole svm_primal(View<const double, 2> columns, const SvmProblem& problem, Reals penalty, Reals pull, double size, double sigma,
                 double growth, Whole most, View<double, 1> w, View<double, 1> u, View<double, 1> f, Watch& watch);

// logistic.cpp
void logistic_fits(Columns train, Integers y, Columns test, const Lists<std::int32_t>& subsets, Reals costs, bool balanced,
                   View<double, 4> scores, const Effort& effort);

// linear_fits.cpp
void ridge_fits(Columns train, View<const double, 2> responses, Reals weights, Columns test, const Lists<std::int32_t>& subsets,
                Reals alphas, View<double, 4> values, const Effort& effort);
void discriminant_fits(Columns train, Integers y, Columns test, const Lists<std::int32_t>& subsets, Reals shrinkages, bool balanced,
                       View<double, 4> scores, const Effort& effort);

// cox.cpp
void cox_fits(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, Reals alphas, bool efron,
              View<double, 3> values, const Effort& effort);
double cox_residuals(Reals f, const Outcomes& known, bool efron, View<double, 1> residuals);
void cox_scores(Columns columns, const Outcomes& known, bool efron, View<double, 1> statistics, View<double, 1> scores, const Effort& effort);

// concordance.cpp
void concordances(View<const double, 2> risks, const Outcomes& outcomes, Reals weights, Folds labels, View<double, 3> sums, Watch& watch);
void survival_neighbours(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, Whole k,
                         View<const double, 2> weights, View<double, 3> sums, const Effort& effort);

// survival_forest.cpp
void survival_forest(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, View<const std::uint64_t, 1> states,
                     Integers most, Whole leaf, View<const double, 2> weights, View<double, 3> sums, const Effort& effort);

// radial.cpp
void radial_fits(Columns train, Columns test, Integers target, const Lists<std::int32_t>& subsets, const RadialOptions& options,
                 View<double, 4> said, const Effort& effort);

// scales.cpp
void fill_gaps(Columns columns, const Measurements& all, Integers group, View<const bool, 1> nominal,
               View<double, 2> fill, View<double, 2> variance, const Effort& effort);
void training_variances(Columns columns, Integers chosen, Reals mean, Reals deviation, Folds labels, Whole folds,
                        View<double, 2> variances, const Effort& effort);
void training_scales(Columns columns, Integers chosen, View<const double, 2> fill, Folds labels, Whole folds,
                     Scaler scaler, View<double, 2> centre, View<double, 2> scale, const Effort& effort);

}  // namespace FSDESK_LEVEL

#define FSDESK_KERNELS(KERNEL)                                                              \
    KERNEL(pcg64_words) KERNEL(shuffled) KERNEL(fold_labels)                                \
    KERNEL(error_rates) KERNEL(one_vs_rest_areas) KERNEL(one_vs_one_areas)                  \
    KERNEL(majority) KERNEL(vote_weights) KERNEL(votes) KERNEL(averages)                    \
    KERNEL(bayes_likelihoods) KERNEL(bayes_errors)                                          \
    KERNEL(cart_order) KERNEL(cart_predictions) KERNEL(cart_errors) KERNEL(cart_tree)       \
    KERNEL(c45_sort) KERNEL(c45_answers) KERNEL(c45_errors) KERNEL(c45_tree)                \
    KERNEL(c45_leaf_errors)                                                                 \
    KERNEL(forest_importances) KERNEL(forest_fits) KERNEL(nn_errors) KERNEL(nn_margins)     \
    KERNEL(fill_gaps) KERNEL(training_variances) KERNEL(training_scales)                    \
    KERNEL(nn_neighbours) KERNEL(nn_error_rates)                                            \
    KERNEL(svm_decisions) KERNEL(svm_errors) KERNEL(svm_dual) KERNEL(svm_primal)            \
    KERNEL(svm_fits) KERNEL(radial_fits)                                                    \
    KERNEL(logistic_fits) KERNEL(ridge_fits) KERNEL(discriminant_fits)                      \
    KERNEL(cox_fits) KERNEL(cox_residuals) KERNEL(cox_scores) KERNEL(concordances)          \
    KERNEL(survival_neighbours) KERNEL(survival_forest)

/// The kernels of one level.
struct Kernels {
#define FSDESK_FIELD(name) decltype(&FSDESK_LEVEL::name) name;
    FSDESK_KERNELS(FSDESK_FIELD)
#undef FSDESK_FIELD
};

// table.cpp: the kernels of each compiled level.
namespace base { extern const Kernels table; }
namespace v2 { extern const Kernels table; }
namespace v3 { extern const Kernels table; }
namespace v4 { extern const Kernels table; }

}  // namespace fsdesk
