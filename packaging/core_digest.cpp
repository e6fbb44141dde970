// What the kernels compute of made-up tables, as a digest for each: the same lines on every processor and by every compiler.
//
// Compiled with all kernels of one level (FSDESK_LEVEL=base), without Python: see prove_core in proofs.py.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "kernels.hpp"

using namespace fsdesk;

namespace {

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
    void print(const std::string& name) const { std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(hash_)); }

  private:
    std::uint64_t hash_ = 14695981039346656037u;
};

constexpr Whole kFolds = 5, kRepeats = 2, kMasks = 6;
const Kernels& kernels = base::table;

struct Table {
    Whole p, n, classes;
    Made<double, 2> columns;
    Made<Whole, 1> target;
    Made<Whole, 3> labels;
    std::vector<std::int32_t> members;
    std::vector<Whole> offsets{0}, first = std::vector<Whole>(static_cast<std::size_t>(kMasks), 0);
    Made<double, 1> mean, deviation, none;
    Made<std::uint8_t, 1> has_gaps;

    Table(Whole p_, Whole n_, Whole classes_, Numbers& numbers, const Effort& effort)
        : p(p_), n(n_), classes(classes_), columns({p, n}), target({n}), labels({1, kRepeats, n}), mean({p}), deviation({p}),
          none({p}, std::numeric_limits<double>::quiet_NaN()), has_gaps({p}) {
        for (Whole row = 0; row < n; ++row) target.values[static_cast<std::size_t>(row)] = static_cast<Whole>(numbers.next(static_cast<std::uint64_t>(classes)));
        for (Whole column = 0; column < p; ++column) {
            const double unit = std::ldexp(1.0, static_cast<int>(numbers.next(9)) - 4);
            double total = 0.0, squares = 0.0;
            for (Whole row = 0; row < n; ++row) {
                double value = numbers.normal() * unit + (column % 3 ? 0.0 : unit * static_cast<double>(target.values[static_cast<std::size_t>(row)]));
                if (column % 4 == 1) value = std::floor(value * 4.0) / 4.0;  // many equal values
                columns.view()[column][row] = value;
                total += value;
                squares += value * value;
            }
            const double middle = total / static_cast<double>(n);
            mean.values[static_cast<std::size_t>(column)] = middle;
            deviation.values[static_cast<std::size_t>(column)] = std::sqrt(squares / static_cast<double>(n) - middle * middle);
        }
        Made<std::uint64_t, 1> hashed({5});
        for (auto& word : hashed.values) word = numbers.next(std::uint64_t{1} << 31);
        Made<Whole, 1> number({1}, 3);
        kernels.fold_labels(hashed, number, target, kFolds, labels, effort);
        for (Whole mask = 0; mask < kMasks; ++mask) {
            for (Whole column = 0; column < p; ++column) {
                if (mask == 0 || numbers.next(2)) members.push_back(static_cast<std::int32_t>(column));
            }
            offsets.push_back(static_cast<Whole>(members.size()));
        }
    }

    Whole total() const { return offsets.back(); }
    Lists<std::int32_t> lists() const { return {{members.data(), {total()}}, {offsets.data(), {kMasks + 1}}}; }
    Measurements measurements() { return {lists(), {first.data(), {kMasks}}, labels, kFolds}; }
};

void digest_folds(Table& table) { Digest().add(table.labels).print("folds"); }

void digest_bayes(Table& table, const Effort& effort) {
    Made<double, 2> fill({table.total(), kRepeats * kFolds});
    Made<double, 1> once({table.total()}, std::numeric_limits<double>::quiet_NaN()), unit({0});
    Made<double, 4> joint({kMasks, kRepeats, table.n, table.classes});
    const BayesOptions options{fill, once, unit, 1e-9, table.classes, false};
    kernels.bayes_likelihoods(table.columns, table.target, table.measurements(), options, true, joint, effort);
    Digest().add(joint).print("naive Bayes");
}

void digest_cart(Table& table, const Effort& effort) {
    Made<std::uint8_t, 2> order({table.p, 4 * table.n});
    kernels.cart_order(table.columns, table.none, order, effort);
    Digest digest;
    digest.add(order);
    Made<double, 2> fill({0, 0});
    Made<double, 1> nothing({0}), response({table.n});
    for (Whole row = 0; row < table.n; ++row) response.values[static_cast<std::size_t>(row)] = table.columns.view()[0][row];
    for (const Impurity impurity : {Impurity::gini, Impurity::entropy, Impurity::variance}) {
        const bool is_variance = impurity == Impurity::variance;
        for (const bool balanced : {false, true}) {
            if (is_variance && balanced) continue;
            const CartOptions options{impurity, 0, 2, 4, balanced, table.classes, order, table.has_gaps, fill, table.none,
                                      is_variance ? Reals(response.view()) : Reals(nothing.view())};
            Made<Whole, 3> codes({kMasks, kRepeats, table.n});
            Made<double, 4> numbers({kMasks, kRepeats, table.n, is_variance ? 1 : table.classes});
            kernels.cart_predictions(table.columns, table.target, table.measurements(), options, codes, numbers, effort);
            digest.add(codes).add(numbers);
        }
    }
    digest.print("CART");
}

void digest_c45(Table& table, const Effort& effort) {
    Made<Whole, 1> levels({table.p});
    C45Table sorted{table.columns, levels, table.target, table.classes, 1e-5};
    kernels.c45_sort(sorted, effort);
    Digest digest;
    for (const bool balanced : {false, true}) {
        const C45Rules rules{2.0, true, true, 0.25, 0.674489750196, balanced, false};
        Made<Whole, 3> predicted({kMasks, kRepeats, table.n});
        Made<double, 4> shares({kMasks, kRepeats, table.n, table.classes});
        kernels.c45_answers(sorted, table.measurements(), rules, predicted, shares, effort);
        digest.add(predicted).add(shares);
    }
    digest.print("C4.5");
}

void digest_neighbours(Table& table, const Effort& effort) {
    Digest digest;
    for (Whole distance = 0; distance < 3; ++distance) {
        const bool learns = distance == 0;
        Made<double, 2> weights({learns ? 0 : table.total(), learns ? 0 : 1}), fill({0, 0});
        Made<double, 2> location({distance == 2 ? table.total() : 0, distance == 2 ? 1 : 0});
        for (std::size_t place = 0; place < weights.values.size(); ++place) {
            const auto column = static_cast<std::size_t>(table.members[place]);
            weights.values[place] = 1.0 / table.deviation.values[column];
            if (distance == 2) location.values[place] = table.mean.values[column];
        }
        const NeighbourOptions options{3, distance, learns, true, table.mean, table.deviation, table.mean, table.none,
                                       table.has_gaps, weights, location, fill};
        Made<Whole, 4> found({kMasks, table.n, kRepeats, 3});
        Made<double, 4> distances({kMasks, table.n, kRepeats, 3});
        kernels.nn_neighbours(table.columns, table.measurements(), options, found, distances, effort);
        digest.add(found).add(distances);
    }
    digest.print("neighbours");
}

void digest_small_fits(Table& table, const Effort& effort) {
    Made<std::int8_t, 2> splits({1, table.n});
    for (Whole row = 0; row < table.n; ++row) splits.values[static_cast<std::size_t>(row)] = row % 3 ? -1 : row % 2 ? -2 : 0;
    const SmallFits fits{table.lists(), {table.first.data(), {kMasks}}, splits, {}};
    Made<Whole, 1> errors({kMasks});
    Made<std::int16_t, 2> predicted({kMasks, table.n});
    Made<double, 2> margins({kMasks, 2});
    kernels.nn_errors(table.columns, table.target, fits, true, errors, predicted, effort);
    kernels.nn_margins(table.columns, table.target, fits, true, margins, effort);
    Digest().add(errors).add(predicted).add(margins).print("small fits");
}

void digest_svm(Table& table, const Effort& effort) {
    Made<double, 1> begin({table.p});
    Made<Whole, 1> group({table.p});
    const auto none = std::make_unique<bool[]>(static_cast<std::size_t>(table.p));
    const View<const bool, 1> flags(none.get(), {table.p});
    for (Whole column = 0; column < table.p; ++column) group.values[static_cast<std::size_t>(column)] = column;
    Digest digest;
    for (const bool squared : {false, true}) {
        for (const Scaling scaling : {Scaling::fold, Scaling::once}) {
            const SvmOptions options{table.mean, table.deviation, begin, table.none, flags, group, flags, Reals(), scaling,
                                     Scaler::z_score, squared ? 20.0 : 1.0, 0.0, 1e-3, squared, false, table.classes};
            Made<double, 4> votes({kMasks, kRepeats, table.n, table.classes}), sums(votes.shape);
            kernels.svm_decisions(table.columns, table.target, table.measurements(), options, votes, sums, effort);
            digest.add(votes).add(sums);
        }
    }
    digest.print("SVM");
}

}  // namespace

int main(int count, char** words) {
    Watch watch(nullptr, nullptr);
    const Effort effort{count > 1 ? std::atoi(words[1]) : 1, watch};
    Numbers numbers;
    for (const auto& [p, n, classes] : {std::array<Whole, 3>{17, 203, 3}, {5, 150, 2}, {150, 60, 4}, {900, 50, 2}}) {
        std::printf("%d columns, %d rows\n", static_cast<int>(p), static_cast<int>(n));
        Table table(p, n, classes, numbers, effort);
        digest_folds(table);
        digest_bayes(table, effort);
        digest_cart(table, effort);
        digest_c45(table, effort);
        digest_neighbours(table, effort);
        digest_small_fits(table, effort);
        digest_svm(table, effort);
    }
}
