// Linear support vector machines: every two-class problem, or the one regression, of every training fold.
//
//   minimise  |w|^2 / 2 + sum_i loss_i(y_i - w.x_i - b)                                                           (1)
//
// over rows scaled by their training fold. Hinge loss C_i max(0, 1 - y_i f_i) with an unpenalised bias, one class
// against another (C. Cortes and V. Vapnik, Machine Learning 20, 1995; LIBSVM's C-SVC); squared hinge with a penalised
// bias, one class against the rest (LIBLINEAR's LinearSVC); epsilon-insensitive for regression (LIBSVM's epsilon-SVR).
// With residual r_i = y_i - f_i one dual covers all three: low_i <= u_i <= high_i, w = sum_i u_i x_i,
//
//   minimise  u.K.u / 2 - y.u + epsilon |u|,  K_ij = x_i.x_j,  sum(u) = 0 where the bias costs nothing            (2)
//
// A machine is done when (2) is optimal to the tolerance, as LIBSVM defines it: see settle().
//
//   Dual    few rows, many columns: an active set over K; see svm_dual.hpp
//   Primal  many rows, few columns: Newton's method on a smoothed (1); see svm_primal.hpp
//   Shared  very many columns: all fits over one K, corrected for each fit's own scale; see svm_shared.hpp
//
// A column is standardised once, z = (x - mean) / deviation - begin, and the scale s of a fit is a penalty s^2 on its
// weight. The machine over all rows is trained first, and every fit starts from it.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "svm_primal.hpp"
#include "svm_shared.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

// Training by columns

constexpr Whole kMostRowsAgain = 5000;  // if Newton's method fails, the other solver takes as many rows squared
// Rows with which a fold begins: those nearest to a kink in the machine over all rows.
constexpr Whole kNearRows = 16, kNearRowsAColumn = 10, kShareOfRows = 32;
constexpr int kHalvings = 30;  // quantile of the distance, for this many rows

class ByColumns {
  public:
    ByColumns(const Plan& plan, Folds labels, const Said& said, Watch& watch)
        : plan_(plan), labels_(labels), said_(said), watch_(watch), source_(plan, watch), z_(plan, source_, true) {
        sigma_ = 2.0;
        if (plan.is_squared) return;
        growth_ = 5.0;
        double spread = 1.0;
        if (plan.is_regression) {
            const double n = static_cast<double>(plan.n()), mean = sum(plan.response.data(), plan.n()) / n;
            spread = std::sqrt(sum_of_squares(plan.response.data(), plan.n(), mean) / n);
        }
        sigma_ = 0.5 / (spread > 0.0 ? spread : 1.0);
    }

    /// Train every machine and store its predictions for the test rows.
    void train() {
        known_.resize(plan_.problems.size());
        for (std::size_t problem = 0; problem < known_.size(); ++problem) {
            Known& own = known_[problem];
            own.m = plan_.rows_of(plan_.problems[problem], -1, own.rows);
            own.w.assign(at(plan_.q() + 1), 0.0);
            own.u.assign(at(even(own.m)), 0.0);
            own.f.assign(at(even(own.m)), 0.0);
        }
        if (plan_.folds > 1) {
            learn_all(source_, plan_, nullptr, labels_, scales_);
            train_fit(-1, 0);
        }
        in_parts(plan_, many_fits(plan_, kNumbersAColumn, 16), [&](const Part& part) {
            if (source_.varies() || part.repeat + part.fold == 0) learn_all(source_, plan_, &part, labels_, scales_);
            for (Whole place = 0; place < part.size(); ++place) train_fit(fit_of(plan_, part, place), place);
        });
    }

  private:
    /// The machine over all rows of a problem.
    struct Known {
        Rows rows;
        Whole m = 0;
        Numbers w, u, f, x;
        double reach = kInfinity;
        bool is_picked = false;
    };

    void train_fit(Whole fit, Whole place) {
        const Whole q = plan_.q(), n = plan_.n();
        if (source_.has_gaps()) z_.fill(scales_.fill_of(place));
        const Block all = z_.block(q, n);
        const double* mean = nullptr;
        if (plan_.is_squared) {
            const double* origin = scales_.origin_of(place);
            mean_.assign(origin, origin + q);
            mean_.push_back(1.0);
            mean = mean_.data();
        }
        if (fit >= 0) test(all, fit);
        const bool is_again = fit >= 0 && growth_ > 0.0 && plan_.folds > 1;
        for (std::size_t number = 0; number < known_.size(); ++number) {
            const Problem problem = plan_.problems[number];
            if (!plan_.has_both(problem, fit)) continue;
            Known& own = known_[number];
            const Block x = picked(own, all);
            Loss loss = loss_.of(own.m, plan_.options.epsilon);
            plan_.pose(problem, fit, own.rows.data(), fit >= 0, loss);
            w_ = own.w;
            u_ = own.u;
            f_ = own.f;
            const Machine machine{w_.data(), u_.data(), f_.data()};
            const Wanted wanted{scales_.penalty_of(place), mean, is_again ? sigma_ * 6.0 : sigma_, growth_, plan_.options.tolerance};
            bool is_optimal = primal_.fit(x, loss, wanted, own.reach, machine, watch_);
            if (!is_optimal && is_again) {  // once more from zero
                for (Numbers* part : {&w_, &u_, &f_}) std::fill(part->begin(), part->end(), 0.0);
                is_optimal = primal_.fit(x, loss, wanted, kInfinity, machine, watch_);
            }
            if (fit < 0) {
                if (!is_optimal) continue;  // its fits start from zero
                own.w = w_;
                own.u = u_;
                own.f = f_;
                own.reach = reach_of(loss, f_.data());
                continue;
            }
            const Whole tested = static_cast<Whole>(tests_.size());
            if (!is_optimal && own.m + tested <= kMostRowsAgain && !plan_.is_squared) {
                train_again(problem, fit);
                continue;
            }
            values_.resize(at(even(tested)));
            decide({tested_.data(), q, tested, even(tested)}, w_.data(), values_.data());
            record(plan_, problem, fit, tests_, values_.data(), said_);
        }
    }

    /// The columns of a problem's rows; all problems may share all rows, in order, without copies.
    Block picked(Known& own, const Block& all) {
        if (own.m == all.n) return all;
        const Whole stride = even(own.m);
        if (!own.is_picked || source_.has_gaps()) {
            own.x.assign(at(all.p * stride), 0.0);
            for (Whole c = 0; c < all.p; ++c) {
                double* values = own.x.data() + c * stride;
                for (Whole k = 0; k < own.m; ++k) values[k] = all[c][own.rows[at(k)]];
            }
            own.is_picked = true;
        }
        return {own.x.data(), all.p, own.m, stride};
    }

    void test(const Block& all, Whole fit) {
        plan_.tested(fit, tests_);
        const Whole tested = static_cast<Whole>(tests_.size()), stride = even(tested);
        tested_.assign(at(all.p * stride), 0.0);
        for (Whole c = 0; c < all.p; ++c) {
            for (Whole k = 0; k < tested; ++k) tested_[at(c * stride + k)] = all[c][tests_[at(k)]];
        }
    }

    /// Maximum distance of a fit's first rows from a kink of their loss; infinite if it uses all.
    double reach_of(const Loss& loss, const double* f) {
        const Whole wanted = kNearRows + kNearRowsAColumn * plan_.q() + loss.size / kShareOfRows;
        if (growth_ == 0.0 || loss.size <= wanted) return kInfinity;
        double low = 0.0, high = 0.0;
        far_.resize(at(loss.size));
        for (Whole i = 0; i < loss.size; ++i) {
            far_[at(i)] = std::abs(std::abs(loss.y[i] - f[i]) - loss.epsilon);
            high = std::max(high, far_[at(i)]);
        }
        for (int turn = 0; turn < kHalvings; ++turn) {
            const double middle = (low + high) / 2.0;
            Whole count = 0;
            for (const double own : far_) count += own <= middle;
            (count < wanted ? low : high) = middle;
        }
        return high;
    }

    /// One machine by rows, which is slower but tolerates columns of very different sizes.
    void train_again(Problem problem, Whole fit) {
        const auto [a, b, c, d] = plan_.ranges(problem);
        const Whole *own = plan_.labels_of(fit), fold = plan_.fold_of(fit);
        Rows rows;
        for (Whole row = 0; row < plan_.n(); ++row) {  // rows of all classes are tested
            if ((row >= a && row < b) || (row >= c && row < d) || own[row] == fold) rows.push_back(plan_.order[at(row)]);
        }
        Plan part(plan_.columns, codes_of(), labels_, plan_.folds, plan_.chosen, plan_.options, rows, {problem});
        part.costs = plan_.costs;
        train_exactly(part, labels_, fit, said_, watch_);
    }

    Integers codes_of() {
        if (codes_.empty()) {
            codes_.assign(at(plan_.columns.extent(1)), 0);
            for (Whole row = 0; row < plan_.n(); ++row) codes_[at(plan_.order[at(row)])] = plan_.target[at(row)];
        }
        return view(codes_);
    }

    const Plan& plan_;
    Folds labels_;
    const Said& said_;
    Watch& watch_;
    Source source_;
    Standardised z_;
    double sigma_ = 0.0, growth_ = 0.0;
    Scales scales_;
    std::vector<Known> known_;
    LossRoom loss_;
    Primal primal_;
    Rows tests_, codes_;
    Numbers mean_, w_, u_, f_, tested_, values_, far_;
};

// Which way

constexpr Whole kRowsAColumn = 8;         // from this many rows of a problem per column on, machines are trained by columns
constexpr Whole kRowsAColumnSquared = 4;  // the same for a smooth loss, which needs fewer steps
constexpr Whole kManyColumns = 96;        // from this many on columns are kept in single precision
constexpr double kLargestSingleCost = 10.0;  // dual values up to C multiply the rounding of products in single precision

/// Whether there are enough rows to train machines by columns.
bool are_rows_many(const Plan& plan) {
    const bool are_pairs = !plan.problems.empty() && plan.problems[0].other >= 0;
    const Whole largest = are_pairs ? plan.n() * 2 / plan.options.classes : plan.n();
    return largest >= (plan.is_squared ? kRowsAColumnSquared : kRowsAColumn) * plan.q();
}

void train(const Plan& plan, Folds labels, const Said& said, Watch& watch) {
    const Whole q = plan.q();
    if (are_rows_many(plan)) {
        ByColumns(plan, labels, said, watch).train();
    } else if (plan.options.scaling != Scaling::fold || plan.options.cost > kLargestSingleCost) {
        train_by_rows<double>(plan, labels, kDouble, said, watch);
    } else if (q < kManyColumns) {
        train_by_rows<float>(plan, labels, kSingle, said, watch);
    } else if (plan.is_squared) {
        train_by_rows<double>(plan, labels, kDouble, said, watch);
    } else {
        train_wide(plan, labels, said, watch);
    }
}

std::vector<Problem> problems_of(const SvmOptions& options) {
    const Whole classes = options.classes;
    if (options.response.size() > 0) return {{-1, -1}};
    std::vector<Problem> problems;
    for (Whole one = 0; one < classes; ++one) {
        if (options.squared && (one > 0 || classes != 2)) problems.push_back({one, -1});
        for (Whole other = one + 1; other < classes && !options.squared; ++other) problems.push_back({one, other});
    }
    return problems;
}

/// Store consequences of the machines' values: the other class of a single machine, and -inf for absent classes.
void complete(const Plan& plan, const Said& said) {
    if (plan.is_regression) return;
    const Whole classes = plan.options.classes;
    for (Whole repeat = 0; repeat < plan.repeats; ++repeat) {
        for (Whole place = 0; place < plan.n(); ++place) {
            const Whole row = plan.order[at(place)], fold = plan.labels[at(repeat * plan.n() + place)];
            const double* costs = plan.costs_of(fold < 0 ? -1 : repeat * plan.folds + fold);
            const auto votes = said.votes[repeat][row];
            if (plan.is_squared && classes == 2) votes[0] = -votes[1];  // one machine covers both classes
            for (Whole code = 0; code < classes; ++code) {
                if (!(costs[code] > 0.0)) votes[code] = -kInfinity;
            }
        }
    }
}

/// Train all fits of one measurement and store their predictions; classes absent from a fit's training rows get -inf.
void measure(Columns columns, Integers target, const Measurements& all, Whole measurement, const SvmOptions& options, const Said& said,
             Watch& watch) {
    const Folds labels = all.labels[all.folds_of[measurement]];
    const Whole n = columns.extent(1), repeats = labels.size();
    const bool leaves_out = std::find(labels.data(), labels.data() + labels.count(), -2) != labels.data() + labels.count();
    std::fill_n(said.votes.data(), said.votes.count(), 0.0);
    std::fill_n(said.sums.data(), said.sums.count(), 0.0);
    for (Whole repeat = 0; repeat < repeats; repeat += leaves_out ? 1 : repeats) {  // repeats have different rows
        const Whole some = leaves_out ? 1 : repeats;
        Rows rows;
        for (Whole row = 0; row < n; ++row) {
            if (labels[repeat][row] != -2) rows.push_back(row);
        }
        const Folds own(labels.data() + repeat * n, {some, n});
        const auto part = [&]<int D>(View<double, D> whole) {
            auto shape = whole.shape();
            const Whole step = whole.size() ? whole.count() / whole.size() : 0;
            shape[0] = whole.size() ? some : 0;
            return View<double, D>(whole.data() + repeat * step, shape);
        };
        const Said said_of{part(said.votes), part(said.sums)};
        const Plan plan(columns, target, own, all.folds, all.columns[measurement], options, rows, problems_of(options));
        train(plan, own, said_of, watch);
        complete(plan, said_of);
    }
}

/// Train the machines of one split of the rows under several C over one matrix, each from the solution of the next
/// smaller C.
void measure_along(Columns columns, Integers target, Folds labels, View<const std::int32_t, 1> chosen, const SvmOptions& options,
                   Reals costs, const std::vector<Said>& said, Watch& watch) {
    Rows rows(at(columns.extent(1))), order(at(costs.size()));
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) { return costs[one] < costs[other]; });
    std::vector<SvmOptions> each(order.size(), options);
    std::vector<Plan> plans;
    for (std::size_t place = 0; place < order.size(); ++place) {
        each[place].cost = costs[order[place]];
        plans.emplace_back(columns, target, labels, 1, chosen, each[place], rows, problems_of(options));
    }
    for (const Said& own : said) {
        std::fill_n(own.votes.data(), own.votes.count(), 0.0);
        std::fill_n(own.sums.data(), own.sums.count(), 0.0);
    }
    if (plans.empty()) return;
    if (are_rows_many(plans[0])) {
        for (std::size_t place = 0; place < plans.size(); ++place) train(plans[place], labels, said[at(order[place])], watch);
    } else {
        Source source(plans[0], watch);
        Standardised z(plans[0], source, plans[0].q() * plans[0].n() <= 1 << 17);
        Multiply<double> products;
        Gram gram;
        gram.resize(plans[0].n());
        Scales scales;
        learn_all(source, plans[0], nullptr, labels, scales);
        multiply(plans[0], z, scales, 0, products, gram, watch);
        std::unique_ptr<ByRows> last;
        for (std::size_t place = 0; place < plans.size(); ++place) {
            auto own = std::make_unique<ByRows>(plans[place], watch, said[at(order[place])]);
            if (last) own->begin_from(*last);
            own->keep();
            own->train(gram, kDouble, 0);
            last = std::move(own);
        }
    }
    for (std::size_t place = 0; place < plans.size(); ++place) complete(plans[place], said[at(order[place])]);
}

constexpr double kAbsent = -std::numeric_limits<double>::max();  // score of a class absent from the training rows

/// A class's score: its decision value or, with more than two classes, votes, with ties broken by bounded sums.
double score(double votes, double sum, bool has_sums, Whole classes) {
    if (votes == -kInfinity) return kAbsent;
    if (!has_sums) return votes;
    return classes == 2 ? sum : votes + sum / (3.0 * (std::abs(sum) + 1.0));
}

/// The lead of a row's own class over the best of the others: (a - b) / (|a| + |b|).
double margin(View<const double, 1> scores, Whole truth) {
    double best = kAbsent;
    for (Whole code = 0; code < scores.size(); ++code) {
        if (code != truth) best = std::max(best, scores[code]);
    }
    return (scores[truth] - best) / std::max(std::abs(scores[truth]) + std::abs(best), 1e-12);
}

}  // namespace

/// Fill in (m, repeats, n, classes) votes of all pairs of classes, or the value of each class or of the regression, and
/// (m, repeats, n, classes) sums of the decision values in a class's favour, else (0, ...) if not requested.
///
/// -inf for classes without a training row, 0 for rows that are not tested.
void svm_decisions(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                   View<double, 4> votes, View<double, 4> sums, const Effort& effort) {
    const std::array<Whole, 3> shape{votes.extent(1), votes.extent(2), votes.extent(3)};
    share(measurements.size(), effort, [&](Whole measurement, int) {
        const View<double, 3> none(nullptr, {0, shape[1], shape[2]});
        const Said said{votes[measurement], sums.size() ? sums[measurement] : none};
        measure(columns, target, measurements, measurement, options, said, effort.watch);
    });
}

/// Fill in (costs, m, n, classes) the same for one split of the rows, labelled (1, n) -1 for training and 0 for tested
/// rows, under several C.
void svm_fits(Columns columns, Integers target, const Lists<std::int32_t>& subsets, Folds labels, const SvmOptions& options,
              Reals costs, View<double, 4> votes, View<double, 4> sums, const Effort& effort) {
    const Whole n = votes.extent(2), classes = votes.extent(3);
    const auto part = [&](View<double, 4> whole, Whole cost, Whole subset) {
        const Whole some = whole.size() ? 1 : 0;
        return View<double, 3>(some ? whole[cost][subset].data() : nullptr, {some, n, classes});
    };
    share(subsets.size(), effort, [&](Whole subset, int) {
        std::vector<Said> said;
        for (Whole cost = 0; cost < costs.size(); ++cost) said.push_back({part(votes, cost, subset), part(sums, cost, subset)});
        measure_along(columns, target, labels, subsets[subset], options, costs, said, effort.watch);
    });
}

/// Fill in (m, repeats) the number of misclassified tested rows, ties going to the first class; and, if requested, (m,
/// repeats, 2) mean and standard deviation of the tested rows' margins, else (0, repeats, 2).
void svm_errors(Columns columns, Integers target, const Measurements& measurements, const SvmOptions& options,
                View<Whole, 2> errors, View<double, 3> margins, const Effort& effort) {
    const Whole repeats = errors.extent(1), n = target.size();
    const Whole classes = options.classes;
    const bool has_sums = margins.size() && !options.squared;
    struct Worker {
        Numbers votes, sums, scores, margins;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share(measurements.size(), effort, [&](Whole measurement, int number) {
        Worker& own = workers[static_cast<std::size_t>(number)];
        own.votes.resize(at(repeats * n * classes));
        own.sums.resize(has_sums ? own.votes.size() : 0);
        own.scores.resize(at(classes));
        const View<double, 3> votes(own.votes.data(), {repeats, n, classes});
        const View<double, 3> sums(own.sums.data(), {has_sums ? repeats : 0, n, classes});
        measure(columns, target, measurements, measurement, options, {votes, sums}, effort.watch);
        const Folds labels = measurements.labels[measurements.folds_of[measurement]];
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            Whole misses = 0;
            own.margins.clear();
            for (Whole row = 0; row < n; ++row) {
                if (labels[repeat][row] < 0) continue;
                const auto said = votes[repeat][row];
                misses += std::max_element(said.begin(), said.end()) - said.begin() != target[row];
                if (margins.size() == 0) continue;
                for (Whole code = 0; code < classes; ++code) {
                    own.scores[at(code)] = score(said[code], has_sums ? sums[repeat][row][code] : 0.0, has_sums, classes);
                }
                own.margins.push_back(margin({own.scores.data(), {classes}}, target[row]));
            }
            errors[measurement][repeat] = misses;
            if (margins.size() == 0) continue;
            mean_and_deviation(own.margins.data(), static_cast<Whole>(own.margins.size()), margins[measurement][repeat].data());
        }
    });
}

/// Minimise (2) over a Gram matrix (n, n) from u, in place; return the bias and the number of steps. For tests.
std::pair<double, Whole> svm_dual(View<const double, 2> gram, const SvmProblem& problem, bool has_bias, double shift, Reals ridge,
                                  Whole most, View<double, 1> u, Watch& watch) {
    const Whole n = gram.size();
    LossRoom room;
    const Loss loss = room.of(problem);
    Rows rows(at(n));
    std::iota(rows.begin(), rows.end(), 0);
    Numbers own(at(even(n)), 0.0);
    std::copy(u.begin(), u.end(), own.begin());
    const Kernel kernel{gram.data(), n, rows.data(), shift, ridge.data()};
    const auto [bias, steps] = Dual().fit(kernel, loss, has_bias, problem.tolerance, most, own.data(), watch);
    std::copy_n(own.begin(), n, u.begin());
    return {bias, steps};
}

/// Minimise (1) over columns (p, n) from weights and bias (p + 1,) and dual values, in place; return the number of
/// Newton steps. pull: (p + 1,) see Newton::fit. For tests.
Whole svm_primal(View<const double, 2> columns, const SvmProblem& problem, Reals penalty, Reals pull, double size, double sigma,
                 double growth, Whole most, View<double, 1> w, View<double, 1> u, View<double, 1> f, Watch& watch) {
    const Whole p = columns.size(), n = columns.extent(1), stride = even(n);
    LossRoom room;
    const Loss loss = room.of(problem);
    Numbers z(at(p * stride), 0.0), dual(at(stride), 0.0), said(at(stride), 0.0);
    for (Whole c = 0; c < p; ++c) std::copy_n(columns[c].data(), n, z.data() + c * stride);
    std::copy(u.begin(), u.end(), dual.begin());
    Newton newton;
    const Whole steps = newton.fit({z.data(), p, n, stride}, loss, {penalty.data(), nullptr, sigma, growth, problem.tolerance},
                                   pull.data(), size, most, {w.data(), dual.data(), said.data()}, watch);
    std::copy_n(dual.begin(), n, u.begin());
    std::copy_n(said.begin(), n, f.begin());
    return steps;
}

}  // namespace fsdesk::FSDESK_LEVEL
