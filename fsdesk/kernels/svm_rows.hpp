// Training by rows: the machines of svm.cpp over Gram matrices, for few rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "svm_dual.hpp"
#include "svm_plan.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr Whole kStepsARow = 50;
constexpr int kCorrections = 3;  // for a ridge that moves responses by more than a fraction of the tolerance
constexpr double kFelt = 0.3;    // this share
constexpr double kSingle = 1e-6, kDouble = 1e-13;  // fraction of the diagonal that covers the rounding of products
constexpr double kLeastSpread = 3e-3;  // training rows of a fit relative to all rows, for products in single precision

/// Dual values of the machines over all rows, one problem after another.
struct Starts {
    Rows begins;
    Numbers u;

    explicit Starts(const Plan& plan) : begins{0} {
        for (const Problem problem : plan.problems) {
            const auto [a, b, c, d] = plan.ranges(problem);
            begins.push_back(begins.back() + b - a + d - c);
        }
        u.assign(at(begins.back()), 0.0);
    }
    double* operator[](std::size_t problem) { return u.data() + begins[problem]; }
};

/// Trains all machines of a fit over its Gram matrix.
class ByRows {
  public:
    ByRows(const Plan& plan, Watch& watch, const Said& said) : plan_(plan), watch_(watch), said_(said), starts_(plan) {}

    Starts& starts() { return starts_; }
    Dual& dual() { return dual_; }

    /// Start the fits of another plan, of the same rows and with no smaller C, from the solutions of this one.
    void begin_from(const ByRows& other) { starts_ = other.starts_; }

    /// Keep the solution of each machine.
    void keep() { is_kept_ = true; }

    /// ridge: fraction of the diagonal that covers the rounding of the products.
    void train(Gram& gram, double ridge, Whole fit) {
        const bool is_squared = plan_.is_squared;
        if (fit >= 0) plan_.tested(fit, tests_);
        diagonal_.resize(at(gram.n));
        for (Whole row = 0; row < gram.n; ++row) diagonal_[at(row)] = gram[row][row];
        for (std::size_t number = 0; number < plan_.problems.size(); ++number) {
            const Problem problem = plan_.problems[number];
            if (!plan_.has_both(problem, fit)) continue;
            watch_.check();
            const Whole m = plan_.rows_of(problem, is_squared ? -1 : fit, rows_);  // all: rows that are tested stay at 0
            Loss loss = loss_.of(m, plan_.options.epsilon);
            plan_.pose(problem, fit, rows_.data(), is_squared, loss);
            u_.assign(at(even(m)), 0.0);
            double level = 0.0;
            double* kept = starts_[number];
            for (Whole k = 0; k < m; ++k) {
                const Whole row = rows_[at(k)];
                u_[at(k)] = std::min(std::max(kept[plan_.place_of(problem, row)], loss.low[k]), loss.high[k]);
                level += diagonal_[at(row)];
            }
            level = level > 0.0 ? level / static_cast<double>(m) : 1.0;
            for (Numbers* own : {&ridge_, &more_}) own->resize(at(m));
            for (Whole k = 0; k < m; ++k) {
                ridge_[at(k)] = ridge * std::max(level, diagonal_[at(rows_[at(k)])]);  // rounding is relative to each row's size
                more_[at(k)] = ridge_[at(k)] + (is_squared ? 0.5 / loss.rate[k] : 0.0);
            }
            const Kernel kernel{gram.values.data(), gram.stride, is_squared ? nullptr : rows_.data(), is_squared ? 0.0 : level, more_.data()};
            const double bias = trained(gram, kernel, loss);
            if (is_kept_) {
                for (Whole k = 0; k < m; ++k) kept[plan_.place_of(problem, rows_[at(k)])] = u_[at(k)];
            }
            if (fit < 0) {
                std::copy_n(u_.begin(), m, kept);
            } else {
                decide(gram, m, bias);
                record(plan_, problem, fit, tests_, values_.data(), said_);
            }
        }
    }

  private:
    /// Train a machine from its state, and again if the ridge changed its values; return its bias.
    double trained(Gram& gram, const Kernel& kernel, Loss& loss) {
        const Whole m = loss.size;
        hidden_.assign(at(m), 0.0);
        double bias = 0.0;
        add_ridge(gram, kernel, 1.0);
        for (int turn = 0; turn <= kCorrections; ++turn) {
            bias = dual_.fit(kernel, loss, !plan_.is_squared, plan_.options.tolerance, kStepsARow * m + 1000, u_.data(), watch_).bias;
            double change = 0.0;
            for (Whole k = 0; k < m; ++k) {
                const double now = ridge_[at(k)] * u_[at(k)];
                change = std::max(change, std::abs(now - hidden_[at(k)]));
                loss.y[k] += now - hidden_[at(k)];
                hidden_[at(k)] = now;
            }
            if (!(change > kFelt * plan_.options.tolerance)) break;
        }
        add_ridge(gram, kernel, -1.0);
        return bias;
    }

    /// Add the ridge to the matrix itself, or remove it, if a machine trains on that.
    static void add_ridge(Gram& gram, const Kernel& kernel, double times) {
        if (kernel.rows != nullptr) return;
        for (Whole k = 0; k < gram.n; ++k) gram[k][k] += times * kernel.ridge[k];
    }

    /// Decision values of the tested rows.
    void decide(const Gram& gram, Whole m, double bias) {
        dense_.assign(at(gram.stride), 0.0);
        lines_.clear();  // where rows have dual values
        for (Whole k = 0; k < m; ++k) {
            const Whole row = rows_[at(k)], line = row / kLanes * kLanes;
            if (u_[at(k)] == 0.0) continue;
            dense_[at(row)] = u_[at(k)];
            if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
        }
        values_.resize(tests_.size());
        for (std::size_t test = 0; test < tests_.size(); ++test) {
            const double* own = gram[tests_[test]];
            Lanes total = Lanes::all(0.0);
            for (const Whole line : lines_) total = total + Lanes::load(own + line) * Lanes::load(&dense_[at(line)]);
            values_[test] = total.sum() + bias;
        }
    }

    const Plan& plan_;
    Watch& watch_;
    const Said& said_;
    Starts starts_;
    bool is_kept_ = false;
    Dual dual_;
    LossRoom loss_;
    Rows rows_, tests_, lines_;
    Numbers u_, diagonal_, ridge_, more_, hidden_, dense_, values_;
};

/// Learn for fits from all columns, or the machine over all rows (no part), a few columns at a time.
///
/// is_centred: also the zero point of scaled columns, which machines with an unpenalised bias do not need.
void learn_all(Source& source, const Plan& plan, const Part* part, Folds labels, Scales& scales, bool is_centred = false) {
    scales.resize(part ? part->size() : 1, 0, plan.q(), source.varies(), is_centred || plan.is_squared, source.has_gaps());
    for (Whole first = 0, end = 0; first < plan.q(); first = end) {
        end = source.end_of(first, kCellsAtOnce);
        source.watch().check();
        part ? source.learn(*part, labels, first, end, scales) : source.learn_whole(labels, first, end, scales);
    }
}

/// Columns of a plan in double precision, kept if there are few.
class Standardised {
  public:
    Standardised(const Plan& plan, Source& source, bool is_kept) : source_(source), stride_(even(plan.n())) {
        gaps_.resize(source.has_gaps() ? at(plan.q()) : 0);
        for (std::size_t place = 0; place < gaps_.size(); ++place) source.gaps(static_cast<Whole>(place), gaps_[place]);
        values_.assign(at((is_kept ? plan.q() : 1) * stride_), 0.0);
        if (!is_kept) return;
        for (Whole place = 0; place < plan.q(); ++place) {
            source.standardise(place, values_.data() + place * stride_);
            if (place % 64 == 0) source.watch().check();
        }
        is_kept_ = true;
    }

    const double* operator[](Whole place) {
        if (is_kept_) return values_.data() + place * stride_;
        source_.standardise(place, values_.data());
        return values_.data();
    }
    const Rows* gaps(Whole place) const { return gaps_.empty() ? nullptr : &gaps_[at(place)]; }
    Block block(Whole p, Whole n) const { return {values_.data(), p, n, stride_}; }

    /// Impute the columns that are kept.
    void fill(const double* fill) {
        for (std::size_t place = 0; place < gaps_.size(); ++place) {
            for (const Whole row : gaps_[place]) values_[place * at(stride_) + at(row)] = fill[place];
        }
    }

  private:
    Source& source_;
    Whole stride_;
    bool is_kept_ = false;
    Numbers values_;
    std::vector<Rows> gaps_;
};

/// The Gram matrix of columns on a fit's scale; of centred ones and with 1 for a penalised bias.
template <class T>
void multiply(const Plan& plan, Standardised& z, const Scales& scales, Whole fit, Multiply<T>& products, Gram& gram, Watch& watch) {
    const double *penalty = scales.penalty_of(fit), *origin = scales.origin_of(fit), *fill = scales.fill_of(fit);
    products.begin(true, gram);
    for (Whole place = 0; place < plan.q(); ++place) {
        const double times = 1.0 / std::sqrt(penalty[place]), shift = origin ? origin[place] : 0.0;
        const double* values = z[place];
        T* own = products.left();
        for (Whole k = 0; k < plan.n(); ++k) own[k] = static_cast<T>((values[k] - shift) * times);
        if (const Rows* gaps = z.gaps(place)) {
            for (const Whole row : *gaps) own[row] = static_cast<T>((fill[place] - shift) * times);
        }
        products.add(watch);
    }
    products.end(plan.is_squared ? 1.0 : 0.0);
}

/// Train one fit over its own products, of centred columns in double precision.
void train_exactly(const Plan& plan, Folds labels, Whole fit, const Said& said, Watch& watch) {
    Source source(plan, watch);
    Standardised z(plan, source, false);
    ByRows rows(plan, watch, said);
    Multiply<double> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    const Part one{fit / plan.folds, 1, fit % plan.folds, 1};
    learn_all(source, plan, &one, labels, scales, true);
    multiply(plan, z, scales, 0, products, gram, watch);
    rows.train(gram, kDouble, fit);
}

/// Whether training rows lie so close together in a column, compared with all rows, that single precision cannot
/// separate them.
bool is_too_close(const double* penalty, Whole q) {
    return std::any_of(penalty, penalty + q, [](double own) { return own < kLeastSpread * kLeastSpread; });
}

/// Train all fits over products in one precision: of all fits together if they are equal, else of each.
template <class T>
void train_by_rows(const Plan& plan, Folds labels, double ridge, const Said& said, Watch& watch) {
    Source source(plan, watch);
    Standardised z(plan, source, plan.q() * plan.n() <= 1 << 17);
    ByRows rows(plan, watch, said);
    Multiply<T> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    if (!source.varies() || plan.folds > 1) {
        learn_all(source, plan, nullptr, labels, scales);
        multiply(plan, z, scales, 0, products, gram, watch);
        if (plan.folds > 1) rows.train(gram, ridge, -1);
    }
    if (!source.varies()) {
        for (Whole fit = 0; fit < plan.fits(); ++fit) rows.train(gram, ridge, fit);
        return;
    }
    in_parts(plan, many_fits(plan, kNumbersAColumn, 16), [&](const Part& part) {
        learn_all(source, plan, &part, labels, scales);
        for (Whole place = 0; place < part.size(); ++place) {
            const Whole fit = fit_of(plan, part, place);
            if (std::is_same_v<T, float> && is_too_close(scales.penalty_of(place), plan.q())) {
                train_exactly(plan, labels, fit, said, watch);
                continue;
            }
            multiply(plan, z, scales, place, products, gram, watch);
            rows.train(gram, ridge, fit);
        }
    });
}

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
