// What the kernels compute of made-up tables, as a digest for each: the same lines on every processor and by every compiler.
//
// Compiled with all kernels of one level, without Python: see prove_bits in proofs.py. Its argument is the number of threads.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "kernels.hpp"

using namespace fsdesk;

namespace {

#ifndef FSDESK_FUZZ  // core_fuzz.cpp makes tables of other numbers
/// Numbers that every compiler makes alike: Knuth's linear congruential generator.
class Numbers {
  public:
    std::uint64_t next(std::uint64_t below) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return (state_ >> 33) % below;
    }
    /// Sums of four, nearly normal.
    double normal() {
        double total = -2.0;
        for (int term = 0; term < 4; ++term) total += static_cast<double>(next(1u << 20)) / static_cast<double>(1u << 20);
        return total;
    }

  private:
    std::uint64_t state_ = 7;
};
#endif

template <class T, int D>
struct Made {
    std::vector<T> values;
    std::array<Whole, D> shape;

    explicit Made(std::array<Whole, D> shape_, T value = T{}) : shape(shape_) {
        Whole count = 1;
        for (const Whole own : shape) count *= own;
        values.assign(static_cast<std::size_t>(count), value);
    }
    View<T, D> view() { return {values.data(), shape}; }
    operator View<T, D>() { return view(); }
    operator View<const T, D>() { return view(); }
};

/// FNV-1a of the bytes of some arrays.
class Digest {
  public:
    template <class T, int D>
    Digest& add(const Made<T, D>& made) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(made.values.data());
        for (std::size_t byte = 0; byte < made.values.size() * sizeof(T); ++byte) hash_ = (hash_ ^ bytes[byte]) * 1099511628211u;
        return *this;
    }
#ifdef FSDESK_FUZZ
    void print(const std::string&) const {}
#else
    void print(const std::string& name) const { std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(hash_)); }
#endif

  private:
    std::uint64_t hash_ = 14695981039346656037u;
};

constexpr Whole kFolds = 5, kRepeats = 2, kMasks = 6, kFits = kFolds * kRepeats;
const Kernels& kernels = FSDESK_LEVEL::table;

/// A made-up table, two fold plans, some masks, and what the fits fill the gaps of its columns with.
struct Table {
    Whole p, n, classes;
    Made<double, 2> columns;
    Made<Whole, 1> target;
    Made<Whole, 3> labels;
    std::vector<std::int32_t> members;
    std::vector<Whole> offsets{0}, plan_of;
    Made<double, 1> mean, deviation, none;
    Made<std::uint8_t, 1> has_gaps;
    Made<Whole, 1> group;                 // each column is a feature by itself
    std::unique_ptr<bool[]> gappy, plain;  // has_gaps, and false throughout
    Made<double, 2> fill{{0, 0}}, fill_of_gaps{{0, 0}}, fill_of_first{{0, 0}}, fill_of_first_gaps{{0, 0}};
    std::vector<Whole> split, no_plan = std::vector<Whole>(static_cast<std::size_t>(kMasks), 0);

    Table(Whole p_, Whole n_, Whole classes_, bool with_gaps, Numbers& numbers, const Effort& effort)
        : p(p_), n(n_), classes(classes_), columns({p, n}), target({n}), labels({2, kRepeats, n}), mean({p}), deviation({p}),
          none({p}, std::numeric_limits<double>::quiet_NaN()), has_gaps({p}), group({p}),
          gappy(std::make_unique<bool[]>(static_cast<std::size_t>(p))), plain(std::make_unique<bool[]>(static_cast<std::size_t>(p))) {
        for (Whole row = 0; row < n; ++row) target.view()[row] = static_cast<Whole>(numbers.next(static_cast<std::uint64_t>(classes)));
        for (Whole column = 0; column < p; ++column) make_column(column, with_gaps && column % 3 == 2, numbers);
        Made<std::uint64_t, 1> hashed({5});
        for (auto& word : hashed.values) word = numbers.next(std::uint64_t{1} << 31);
        Made<Whole, 1> number({2});
        number.values = {3, 4};
        kernels.fold_labels(hashed, number, target, kFolds, labels, effort);
        for (Whole row = 0; row < n; ++row) {  // rows that are trained on alone, and rows left out
            if (row % 17 == 0) labels.view()[1][1][row] = row % 2 ? -1 : -2;
        }
        std::vector<Whole> incomplete;
        for (Whole mask = 0; mask < kMasks; ++mask) {
            for (Whole column = 0; column < p; ++column) {
                if (mask == 0 || column == mask || numbers.next(2)) members.push_back(static_cast<std::int32_t>(column));
            }
            offsets.push_back(static_cast<Whole>(members.size()));
            plan_of.push_back(mask % 2);
        }
        for (Whole place = 0; place < total(); ++place) {
            if (has_gaps.view()[members[static_cast<std::size_t>(place)]]) incomplete.push_back(place);
        }
        fill = Made<double, 2>({total(), kFits});
        Made<double, 2> variance(fill.shape);
        kernels.fill_gaps(columns, measurements(), group, flags(plain), fill, variance, effort);
        for (Whole row = 0; row < n; ++row) split.push_back(row % 3 ? -1 : row % 2 ? -2 : 0);
        fill_of_first = Made<double, 2>({total(), 1});
        kernels.fill_gaps(columns, one_fit(), group, flags(plain), fill_of_first, Made<double, 2>(fill_of_first.shape), effort);
        const auto of_gaps = [&](const Made<double, 2>& whole) {
            const Whole fits = whole.shape[1];
            Made<double, 2> own({static_cast<Whole>(incomplete.size()), fits});
            auto out = own.values.begin();
            for (const Whole place : incomplete) out = std::copy_n(whole.values.begin() + place * fits, fits, out);
            return own;
        };
        fill_of_gaps = of_gaps(fill);
        fill_of_first_gaps = of_gaps(fill_of_first);
    }

    Whole total() const { return offsets.back(); }
    Lists<std::int32_t> lists() const { return {{members.data(), {total()}}, {offsets.data(), {kMasks + 1}}}; }
    Measurements measurements() { return {lists(), {plan_of.data(), {kMasks}}, labels, kFolds}; }
    /// The masks with one split of the rows, for which margins are defined.
    Measurements one_fit() { return {lists(), {no_plan.data(), {kMasks}}, {split.data(), {1, 1, n}}, 1}; }
    View<const bool, 1> flags(const std::unique_ptr<bool[]>& own) const { return {own.get(), {p}}; }

  private:
    void make_column(Whole column, bool with_gaps, Numbers& numbers) {
        const double unit = std::ldexp(1.0, static_cast<int>(numbers.next(9)) - 4);
        std::vector<double> known;
        for (Whole row = 0; row < n; ++row) {
            double value = numbers.normal() * unit + (column % 3 ? 0.0 : unit * static_cast<double>(target.view()[row]));
            if (column % 4 == 1) value = std::floor(value * 4.0) / 4.0;  // many equal values
            if (with_gaps && numbers.next(12) == 0) {
                columns.view()[column][row] = std::numeric_limits<double>::quiet_NaN();
                has_gaps.view()[column] = gappy[static_cast<std::size_t>(column)] = true;
                continue;
            }
            columns.view()[column][row] = value;
            known.push_back(value);
        }
        if (known.empty()) known.push_back(columns.view()[column][0] = 0.0);
        double sum = 0.0, squares = 0.0, most = 0.0;
        for (const double value : known) sum += value / static_cast<double>(known.size());
        for (const double value : known) most = std::max(most, std::abs(value - sum));
        if (most == 0.0) most = 1.0;  // no kernel is given a deviation of 0
        for (const double value : known) squares += (value - sum) / most * ((value - sum) / most);
        mean.view()[column] = sum;
        deviation.view()[column] = squares > 0.0 ? std::sqrt(squares / static_cast<double>(known.size())) * most : 1.0;
        group.view()[column] = column;
    }
};

void digest_folds(Table& table) { Digest().add(table.labels).print("folds"); }

void digest_scales(Table& table, const Effort& effort) {
    Made<Whole, 2> labels({kRepeats, table.n});
    std::copy_n(table.labels.values.begin(), labels.values.size(), labels.values.begin());
    Made<double, 2> variances({kFits, table.p}), fill({1, table.p}), centre(variances.shape), scale(variances.shape);
    fill.values = table.mean.values;
    Digest digest;
    digest.add(table.fill);
    if (std::count(table.has_gaps.values.begin(), table.has_gaps.values.end(), 0) == table.p) {
        kernels.training_variances(table.columns, table.group, table.mean, table.deviation, labels, kFolds, variances, effort);
        digest.add(variances);
    }
    for (const Scaler scaler : {Scaler::z_score, Scaler::min_max, Scaler::robust}) {
        kernels.training_scales(table.columns, table.group, fill, labels, kFolds, scaler, centre, scale, effort);
        digest.add(centre).add(scale);
    }
    digest.print("scales");
}

void digest_bayes(Table& table, const Effort& effort) {
    Made<double, 1> unit({0});
    Made<double, 4> joint({kMasks, kRepeats, table.n, table.classes});
    Made<Whole, 2> errors({kMasks, 1});
    Made<double, 3> margins({kMasks, 1, 2});
    Digest digest;
    Made<double, 1> once({table.total()}, std::numeric_limits<double>::quiet_NaN());
    for (const bool balanced : {false, true}) {
        const BayesOptions options{table.fill, once, unit, 1e-9, table.classes, balanced};
        kernels.bayes_likelihoods(table.columns, table.target, table.measurements(), options, true, joint, effort);
        const BayesOptions of_one{table.fill_of_first, once, unit, 1e-9, table.classes, balanced};
        kernels.bayes_errors(table.columns, table.target, table.one_fit(), of_one, errors, margins, effort);
        digest.add(joint).add(errors).add(margins);
    }
    digest.print("naive Bayes");
    const View<const double, 3> scores(joint.values.data(), {kRepeats, table.n, table.classes});
    const Folds labels(table.labels.values.data(), {kRepeats, table.n});
    Made<double, 3> rest({kRepeats, kFolds, table.classes});
    Made<double, 4> pairs({kRepeats, kFolds, table.classes, table.classes});
    kernels.one_vs_rest_areas(scores, table.target, labels, rest, effort.watch);
    kernels.one_vs_one_areas(scores, table.target, labels, pairs, effort.watch);
    Digest().add(rest).add(pairs).print("areas");
}

void digest_cart(Table& table, const Effort& effort) {
    Made<std::uint8_t, 2> order({table.p, 4 * table.n});
    kernels.cart_order(table.columns, table.none, order, effort);
    Digest digest;
    digest.add(order);
    Made<double, 1> nothing({0}), response({table.n});
    for (Whole row = 0; row < table.n; ++row) response.view()[row] = table.columns.view()[0][row];
    for (const Impurity impurity : {Impurity::gini, Impurity::entropy, Impurity::variance}) {
        const bool is_variance = impurity == Impurity::variance;
        for (const bool balanced : {false, true}) {
            if (is_variance && balanced) continue;
            const CartOptions options{impurity, 0, 2, 4, balanced, table.classes, order, table.has_gaps, table.fill_of_gaps, table.none,
                                      is_variance ? Reals(response.view()) : Reals(nothing.view())};
            Made<Whole, 3> codes({kMasks, kRepeats, table.n});
            Made<double, 4> numbers({kMasks, kRepeats, table.n, is_variance ? 1 : table.classes});
            kernels.cart_predictions(table.columns, table.target, table.measurements(), options, codes, numbers, effort);
            digest.add(codes).add(numbers);
            if (is_variance) continue;
            const CartOptions of_one{impurity, 0, 2, 4, balanced, table.classes, order, table.has_gaps, table.fill_of_first_gaps,
                                     table.none, nothing.view()};
            Made<Whole, 2> errors({kMasks, 1});
            Made<double, 3> margins({kMasks, 1, 2});
            kernels.cart_errors(table.columns, table.target, table.one_fit(), of_one, errors, margins, effort);
            digest.add(errors).add(margins);
        }
    }
    digest.print("CART");
}

void digest_c45(Table& table, const Effort& effort) {
    Made<double, 2> values = table.columns;
    Made<Whole, 1> levels({table.p});
    for (Whole column = 0; column < table.p; column += 7) {  // a nominal feature of four categories
        levels.view()[column] = 4;
        for (double& value : values.view()[column]) {
            value = std::isnan(value) ? value : std::min(std::floor(std::abs(value / table.deviation.view()[column]) * 2.0), 3.0);
        }
    }
    C45Table sorted{values, levels, table.target, table.classes, 1e-5};
    kernels.c45_sort(sorted, effort);
    Digest digest;
    for (const bool balanced : {false, true}) {
        const C45Rules rules{2.0, true, true, 0.25, 0.674489750196, balanced, balanced};
        Made<Whole, 3> predicted({kMasks, kRepeats, table.n});
        Made<double, 4> shares({kMasks, kRepeats, table.n, table.classes});
        Made<Whole, 2> errors({kMasks, 1});
        Made<double, 3> margins({kMasks, 1, 2});
        kernels.c45_answers(sorted, table.measurements(), rules, predicted, shares, effort);
        kernels.c45_errors(sorted, table.one_fit(), rules, errors, margins, effort);
        digest.add(predicted).add(shares).add(errors).add(margins);
    }
    digest.print("C4.5");
}

void digest_neighbours(Table& table, const Effort& effort) {
    Digest digest;
    Made<double, 2> rates({kMasks, kRepeats});
    for (Whole distance = 0; distance < 3; ++distance) {
        const bool learns = distance == 0;
        std::vector<std::int32_t> given;  // columns whose weights are not learned
        for (const std::int32_t column : table.members) {
            if (!learns || table.has_gaps.view()[column]) given.push_back(column);
        }
        const Whole count = static_cast<Whole>(given.size());
        Made<double, 2> weights({count, 1}), location({distance == 2 ? count : 0, distance == 2 ? 1 : 0});
        for (Whole place = 0; place < count; ++place) {
            const std::int32_t column = given[static_cast<std::size_t>(place)];
            weights.view()[place][0] = 1.0 / table.deviation.view()[column];
            if (distance == 2) location.view()[place][0] = table.mean.view()[column];
        }
        NeighbourOptions options{3, distance, learns, true, table.mean, table.deviation, table.mean, table.none,
                                       table.has_gaps, weights, location, table.fill_of_gaps};
        Made<Whole, 4> found({kMasks, table.n, kRepeats, 3});
        Made<double, 4> distances(found.shape);
        kernels.nn_neighbours(table.columns, table.measurements(), options, found, distances, effort);
        options.measures = false;
        kernels.nn_error_rates(table.columns, table.target, table.measurements(), options, table.classes, rates, effort);
        digest.add(found).add(distances).add(rates);
        if (distance != 1) continue;
        const View<const Whole, 3> first(found.values.data(), {table.n, kRepeats, 3});
        const View<const double, 2> far(distances.values.data(), {table.n * kRepeats, 3});
        Made<double, 2> own({table.n * kRepeats, 3}), means({table.n, kRepeats});
        Made<double, 3> sums({table.n, kRepeats, table.classes});
        Made<Whole, 2> winners({kRepeats, table.n});
        kernels.majority(first, table.target, table.classes, winners);
        kernels.vote_weights(far, own);
        const View<const double, 3> votes(own.values.data(), {table.n, kRepeats, 3});
        kernels.votes(first, votes, table.target, sums);
        kernels.averages(first, votes, table.columns.view()[0], means);
        digest.add(winners).add(own).add(sums).add(means);
    }
    digest.print("neighbours");
}

void digest_forest(Table& table, const Effort& effort) {
    Made<float, 2> columns({table.p, table.n});
    std::transform(table.columns.values.begin(), table.columns.values.end(), columns.values.begin(),
                   [](double value) { return std::isnan(value) ? 0.0F : static_cast<float>(value); });
    const std::vector<std::uint32_t> states{0, 1, 0x7fffffff, 0xffffffff, 12345};
    Made<double, 2> importances({static_cast<Whole>(states.size()), table.p});
    kernels.forest_importances(View<const float, 2>(columns.values.data(), {table.p, table.n}), table.target, table.classes,
                               {states.data(), {static_cast<Whole>(states.size())}}, 4, importances, effort);
    Digest().add(importances).print("forest");
}

void digest_small_fits(Table& table, const Effort& effort) {
    Made<std::int8_t, 2> splits({1, table.n});
    std::transform(table.split.begin(), table.split.end(), splits.values.begin(), [](Whole label) { return static_cast<std::int8_t>(label); });
    const SmallFits fits{table.lists(), {table.no_plan.data(), {kMasks}}, splits, {table.fill_of_first.values.data(), {table.total()}}};
    Made<Whole, 1> errors({kMasks});
    Made<std::int16_t, 2> predicted({kMasks, table.n});
    Made<double, 2> margins({kMasks, 2});
    kernels.nn_errors(table.columns, table.target, fits, true, errors, predicted, effort);
    kernels.nn_margins(table.columns, table.target, fits, true, margins, effort);
    Digest().add(errors).add(predicted).add(margins).print("small fits");
}

void digest_svm(Table& table, const Effort& effort) {
    Made<double, 1> begin({table.p}), response({table.n});
    for (Whole row = 0; row < table.n; ++row) {
        response.view()[row] = static_cast<double>(table.target.view()[row]) + table.columns.view()[0][row] / table.deviation.view()[0];
    }
    const auto answer = [&](Digest& digest, bool squared, bool balanced, Scaling scaling, Scaler scaler, Reals numbers) {
        const SvmOptions options{table.mean, table.deviation, begin, table.none, table.flags(table.gappy), table.group,
                                 table.flags(table.plain), numbers, scaling, scaler, squared ? 20.0 : 1.0,
                                 numbers.size() ? 0.1 : 0.0, 1e-3, squared, balanced, table.classes};
        const bool is_regression = numbers.size() > 0;
        Made<double, 4> votes({kMasks, kRepeats, table.n, table.classes}), sums({is_regression ? 0 : kMasks, kRepeats, table.n, table.classes});
        kernels.svm_decisions(table.columns, table.target, table.measurements(), options, votes, sums, effort);
        digest.add(votes).add(sums);
        if (is_regression) return;
        Made<Whole, 2> errors({kMasks, 1});
        Made<double, 3> margins({kMasks, 1, 2});
        kernels.svm_errors(table.columns, table.target, table.one_fit(), options, errors, margins, effort);
        digest.add(errors).add(margins);
    };
    Digest classes, numbers;
    for (const bool squared : {false, true}) {
        answer(classes, squared, false, Scaling::fold, Scaler::z_score, {});
        answer(classes, squared, true, Scaling::fold, Scaler::robust, {});
        answer(classes, squared, squared, Scaling::once, Scaler::z_score, {});
    }
    answer(classes, false, true, Scaling::fold, Scaler::min_max, {});
    classes.print("SVM");
    answer(numbers, false, false, Scaling::fold, Scaler::z_score, response.view());
    answer(numbers, false, false, Scaling::once, Scaler::z_score, response.view());
    numbers.print("SVM of numbers");
}

}  // namespace

#ifndef FSDESK_FUZZ
int main(int count, char** words) {
    Watch watch(nullptr, nullptr);
    const Effort effort{count > 1 ? std::atoi(words[1]) : 1, watch};
    Numbers numbers;
    // Columns, rows, classes: so that each way to train a machine and to look for neighbours is taken.
    for (const auto& [p, n, classes] : {std::array<Whole, 3>{17, 203, 3}, {5, 150, 2}, {150, 60, 4}, {900, 50, 2}}) {
        for (const bool with_gaps : {false, true}) {
            std::printf("%d columns, %d rows%s\n", static_cast<int>(p), static_cast<int>(n), with_gaps ? ", gaps" : "");
            Table table(p, n, classes, with_gaps, numbers, effort);
            digest_folds(table);
            digest_scales(table, effort);
            digest_bayes(table, effort);
            digest_cart(table, effort);
            digest_c45(table, effort);
            digest_neighbours(table, effort);
            digest_forest(table, effort);
            digest_small_fits(table, effort);
            digest_svm(table, effort);
        }
    }
}
#endif
