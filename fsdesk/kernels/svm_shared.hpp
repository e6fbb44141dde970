// Shared: machines of all fits over one Gram matrix, for many columns
//
// Scaling inside folds gives every fit its own Gram matrix, with n^2 q / 2 products each. They differ little. So each
// machine is trained over the matrix of the scale of all rows; then X diag(w) X'u, 2 n q products, gives the product of
// its fit's own matrix with the dual values. The model matrix is corrected along that step (Broyden, Fletcher, Goldfarb
// and Shanno) and the machine is trained again from there, until it is optimal, to the tolerance, under its fit's own
// scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "svm_rows.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr Whole kColumnsARow = 8, kRowsAProblem = 25;  // from this many on it pays; always with one problem
constexpr Whole kMachinesAtOnce = 50, kColumnsAtOnce = 256;  // products of a block stay in the cache
constexpr Whole kPasses = 8;              // four or five are sufficient; then a fit gets its own matrix
constexpr double kLeastCurvature = 1e-2;  // a correction that would shrink the matrix along a step by more is rounding
constexpr double kCloser = 0.1;           // a machine is trained to this fraction of the tolerance over the model

/// Many columns in single precision, on the scale of z.
struct Single {
    Line<float> values;  // (q, stride)
    Whole stride = 0;
    std::vector<Rows> gaps;

    Single(const Plan& plan, Source& source) : stride(even_line(plan.n())) {
        values.assign(at(plan.q() * stride), 0.0f);
        gaps.resize(source.has_gaps() ? at(plan.q()) : 0);
        for (Whole place = 0; place < plan.q(); ++place) {
            source.standardise(place, values.data() + place * stride);
            if (source.has_gaps()) source.gaps(place, gaps[at(place)]);
            if (place % 64 == 0) source.watch().check();
        }
    }
    const float* operator[](Whole place) const { return values.data() + place * stride; }
};

float weight_of(double penalty) { return static_cast<float>(std::min(1.0 / penalty, kLargestWeight)); }

void multiply(const Plan& plan, const Single& x, const double* penalty, const double* fill, Multiply<float>& products, Gram& gram,
              Watch& watch) {
    products.begin(false, gram);
    for (Whole place = 0; place < plan.q(); ++place) {
        const float times = weight_of(penalty[place]);
        float *left = products.left(), *right = products.right();
        std::copy_n(x[place], plan.n(), left);
        if (!x.gaps.empty()) {
            for (const Whole row : x.gaps[at(place)]) left[row] = static_cast<float>(fill[place]);
        }
        for (Whole k = 0; k < plan.n(); ++k) right[k] = left[k] * times;
        products.add(watch);
    }
    products.end(0.0);
}

class Shared {
  public:
    Shared(const Plan& plan, const Single& x, const Gram& gram, ByRows& rows, const Said& said, Watch& watch)
        : plan_(plan), x_(x), gram_(gram), rows_(rows), said_(said), watch_(watch) {}

    /// Train the machines of some fits and store their values; add those that need their own matrices to `left`.
    ///
    /// weights: (q, fits of the part) reciprocal squares of each fit's scales; `first`, `count`: which fits of the
    /// part; is_left: (fits of the part,) those that need their own from the start.
    void train(const Part& part, Whole first, Whole count, const Line<float>& weights, std::vector<char>& is_left, Rows& left) {
        const Whole problems = static_cast<Whole>(plan_.problems.size()), size = count * problems;
        first_ = first;
        stride_ = even_line(plan_.n());
        for (Numbers* own : {&u_, &f_}) own->assign(at(size * stride_), 0.0);
        for (Numbers* own : {&move_, &change_}) own->assign(at(kPasses * size * stride_), 0.0);
        bias_.assign(at(size), 0.0);
        Rows open, still;
        for (Whole own = 0; own < size; ++own) {
            if (!is_left[at(first + own / problems)]) open.push_back(own);
        }
        for (Whole pass = 0; pass < kPasses && !open.empty(); ++pass) {
            for (const Whole own : open) move(part, own, pass, size);
            multiply(open, weights, part.size());
            still.clear();
            for (std::size_t place = 0; place < open.size(); ++place) {
                if (is_open(part, open[place], pass, size, static_cast<Whole>(place))) still.push_back(open[place]);
            }
            std::swap(open, still);
        }
        for (const Whole own : open) is_left[at(first + own / problems)] = true;
        for (Whole own = 0; own < size; ++own) {
            const Whole fit = fit_of(plan_, part, first + own / problems);
            const Problem problem = plan_.problems[at(own % problems)];
            if (is_left[at(first + own / problems)] || !plan_.has_both(problem, fit)) continue;
            plan_.tested(fit, tests_);
            values_.clear();
            for (const Whole row : tests_) values_.push_back(f_[at(own * stride_ + row)] + bias_[at(own)]);
            record(plan_, problem, fit, tests_, values_.data(), said_);
        }
        for (Whole place = first; place < first + count; ++place) {
            if (is_left[at(place)]) left.push_back(fit_of(plan_, part, place));
        }
    }

  private:
    /// Rows, responses and bounds of a machine; returns the number of rows, 0 if the fit lacks a class.
    Whole posed(const Part& part, Whole own, Loss& loss) {
        const Whole problems = static_cast<Whole>(plan_.problems.size()), fit = fit_of(plan_, part, first_ + own / problems);
        const Problem problem = plan_.problems[at(own % problems)];
        if (!plan_.has_both(problem, fit)) return 0;
        const Whole m = plan_.rows_of(problem, fit, places_);
        loss = room_.of(m, plan_.options.epsilon);
        plan_.pose(problem, fit, places_.data(), false, loss);
        return m;
    }

    /// Products of the rows on the scale of all rows, made to agree with the fit's own along all steps so far.
    void make_model(Whole m, Whole own, Whole passes, Whole size) {
        model_.resize(m);
        const Whole stride = model_.stride;
        for (Whole i = 0; i < m; ++i) {
            const double* source = gram_[places_[at(i)]];
            for (Whole k = 0; k < m; ++k) model_[i][k] = source[places_[at(k)]];
        }
        for (Numbers* numbers : {&image_, &step_, &changed_}) numbers->assign(at(stride), 0.0);
        for (Whole pass = 0; pass < passes; ++pass) {
            const double *move = &move_[at((pass * size + own) * stride_)], *change = &change_[at((pass * size + own) * stride_)];
            for (Whole i = 0; i < m; ++i) {
                step_[at(i)] = move[places_[at(i)]];
                changed_[at(i)] = change[places_[at(i)]];
            }
            const double curvature = dot(step_.data(), changed_.data(), m);
            for (Whole i = 0; i < m; ++i) image_[at(i)] = dot(model_[i], step_.data(), m);
            const double expected = dot(step_.data(), image_.data(), m);
            if (!(curvature > kLeastCurvature * expected) || expected <= 0.0) continue;
            for (Whole i = 0; i < m; ++i) {
                double* line = model_[i];
                double a = changed_[at(i)] / curvature, b = image_[at(i)] / expected;
                if (pass == 0) {  // the first step gives the size of the fit's own products
                    a = b = 0.0;
                    const double larger = curvature / expected;
                    for (Whole k = 0; k < m; ++k) line[k] *= larger;
                }
                for (Whole k = 0; k < m; ++k) line[k] += a * changed_[at(k)];
                for (Whole k = 0; k < m; ++k) line[k] -= b * image_[at(k)];
            }
        }
    }

    /// Train a machine over its model from its state; in the first pass, from the machine of all rows.
    void move(const Part& part, Whole own, Whole pass, Whole size) {
        Loss loss{};
        const Whole m = posed(part, own, loss);
        if (m == 0) return;
        make_model(m, own, pass, size);
        const Problem problem = plan_.problems[at(own % static_cast<Whole>(plan_.problems.size()))];
        double *u = &u_[at(own * stride_)], *f = &f_[at(own * stride_)], level = 0.0;
        dual_.assign(at(even(m)), 0.0);
        before_.assign(at(even(m)), 0.0);
        for (Whole i = 0; i < m; ++i) {
            dual_[at(i)] = before_[at(i)] = u[places_[at(i)]];
            level += model_[i][i] / static_cast<double>(m);
        }
        level = level > 0.0 ? level : 1.0;
        for (Whole i = 0; i < m; ++i) {
            const double image = kSingle * level * before_[at(i)] + dot(model_[i], before_.data(), m);
            loss.y[i] += image - f[places_[at(i)]];
        }
        if (pass == 0) {
            const double* kept = rows_.starts()[at(own % static_cast<Whole>(plan_.problems.size()))];
            for (Whole i = 0; i < m; ++i) {
                dual_[at(i)] = std::min(std::max(kept[plan_.place_of(problem, places_[at(i)])], loss.low[i]), loss.high[i]);
            }
        }
        for (Whole i = 0; i < m; ++i) {
            for (Whole k = 0; k < m; ++k) model_[i][k] += level;
            model_[i][i] += kSingle * level;
        }
        const Kernel kernel{model_.values.data(), model_.stride, nullptr, 0.0, nullptr};
        rows_.dual().fit(kernel, loss, true, kCloser * plan_.options.tolerance, 50 * m + 1000, dual_.data(), watch_);
        for (Whole i = 0; i < m; ++i) {
            u[places_[at(i)]] = dual_[at(i)];
            move_[at((pass * size + own) * stride_ + places_[at(i)])] = dual_[at(i)] - before_[at(i)];
        }
    }

    /// X diag(w) X'u of machines, in single precision.
    void multiply(const Rows& machines, const Line<float>& weights, Whole fits) {
        const Whole a = static_cast<Whole>(machines.size()), lanes = even_line(a), n = plan_.n(), q = plan_.q();
        const Whole problems = static_cast<Whole>(plan_.problems.size());
        turned_.assign(at(n * lanes), 0.0f);
        for (Whole place = 0; place < a; ++place) {
            for (Whole row = 0; row < n; ++row) {
                turned_[at(row * lanes + place)] = static_cast<float>(u_[at(machines[at(place)] * stride_ + row)]);
            }
        }
        total_.assign(at(a * x_.stride), 0.0f);
        fit_.clear();
        for (const Whole own : machines) fit_.push_back(first_ + own / problems);
        for (Whole start = 0; start < q; start += kColumnsAtOnce) {
            watch_.check();
            const Whole count = std::min(kColumnsAtOnce, q - start);
            w_.assign(at(count * lanes), 0.0f);
            Products<float>::add({x_[start], x_.stride, 1}, count, turned_.data(), lanes, a, n, w_.data(), lanes);
            for (Whole c = 0; c < count; ++c) {
                const float* own = weights.data() + (start + c) * fits;
                float* line = w_.data() + c * lanes;
                for (Whole place = 0; place < a; ++place) line[place] *= own[fit_[at(place)]];
            }
            Products<float>::add({w_.data(), 1, lanes}, a, x_[start], x_.stride, n, count, total_.data(), x_.stride);
        }
    }

    /// Include the products of the fit's own matrix with the dual values; return whether the machine is not optimal
    /// yet.
    bool is_open(const Part& part, Whole own, Whole pass, Whole size, Whole place) {
        Loss loss{};
        const Whole m = posed(part, own, loss);
        if (m == 0) return false;
        const float* said = &total_[at(place * x_.stride)];
        double *f = &f_[at(own * stride_)], *change = &change_[at((pass * size + own) * stride_)];
        for (Whole row = 0; row < plan_.n(); ++row) {
            change[row] = static_cast<double>(said[row]) - f[row];
            f[row] = static_cast<double>(said[row]);
        }
        image_.assign(at(even(m)), 0.0);
        dual_.assign(at(even(m)), 0.0);
        for (Whole k = 0; k < m; ++k) {
            image_[at(k)] = f[places_[at(k)]];
            dual_[at(k)] = u_[at(own * stride_ + places_[at(k)])];
        }
        const auto [gap, bias] = settle(loss, image_.data(), 0.0, dual_.data());
        bias_[at(own)] = bias;
        return !(gap <= plan_.options.tolerance);
    }

    const Plan& plan_;
    const Single& x_;
    const Gram& gram_;
    ByRows& rows_;
    const Said& said_;
    Watch& watch_;
    Whole stride_ = 0;
    Numbers u_, f_, move_, change_, bias_;  // (machines, n) and (passes, machines, n); (machines,)
    LossRoom room_;
    Whole first_ = 0;
    Rows places_, tests_, fit_;
    Gram model_;
    Numbers image_, step_, changed_, dual_, before_, values_;
    Line<float> turned_, w_, total_;
};

/// Whether all machines are trained faster together than each fit over its own Gram matrix.
bool pays(const Plan& plan) {
    const Whole problems = static_cast<Whole>(plan.problems.size());
    return !plan.is_squared && plan.q() >= kColumnsARow * plan.n() && plan.n() >= kRowsAProblem * (problems - 1);
}

/// Train all fits with many columns that each fit scales itself.
void train_wide(const Plan& plan, Folds labels, const Said& said, Watch& watch) {
    Source source(plan, watch);
    const Single x(plan, source);
    ByRows rows(plan, watch, said);
    Multiply<float> products;
    Gram gram;
    gram.resize(plan.n());
    Scales scales;
    const auto train_own = [&](Whole place, Whole fit) {
        if (fit >= 0 && is_too_close(scales.penalty_of(place), plan.q())) {
            train_exactly(plan, labels, fit, said, watch);
            return;
        }
        multiply(plan, x, scales.penalty_of(place), scales.fill_of(place), products, gram, watch);
        rows.train(gram, kSingle, fit);
    };
    if (plan.folds > 1) {
        learn_all(source, plan, nullptr, labels, scales);
        train_own(0, -1);
    }
    if (plan.fits() < 3 || source.has_gaps() || !pays(plan)) {
        in_parts(plan, many_fits(plan, 1, source.has_gaps() ? 8 : 4), [&](const Part& part) {
            learn_all(source, plan, &part, labels, scales);
            for (Whole place = 0; place < part.size(); ++place) train_own(place, fit_of(plan, part, place));
        });
        return;
    }
    Rows left;
    {
        Shared shared(plan, x, gram, rows, said, watch);
        Line<float> weights;
        std::vector<char> is_left;
        Scales some;
        const Whole many = std::max<Whole>(1, kMachinesAtOnce / static_cast<Whole>(plan.problems.size()));
        in_parts(plan, many_fits(plan, 1, 2), [&](const Part& part) {
            const Whole fits = part.size();
            weights.resize(at(fits * plan.q()));
            is_left.assign(at(fits), false);
            for (Whole first = 0, end = 0; first < plan.q(); first = end) {
                end = source.end_of(first, kCellsAtOnce);
                watch.check();
                some.resize(fits, first, end - first, true, false, false);
                source.learn(part, labels, first, end, some);
                for (Whole fit = 0; fit < fits; ++fit) {
                    const double* penalty = some.penalty_of(fit);
                    is_left[at(fit)] |= is_too_close(penalty, end - first);
                    for (Whole c = first; c < end; ++c) weights[at(c * fits + fit)] = weight_of(penalty[c - first]);
                }
            }
            for (Whole first = 0; first < fits; first += many) {
                shared.train(part, first, std::min(many, fits - first), weights, is_left, left);
            }
        });
    }
    for (const Whole fit : left) {
        const Part part{fit / plan.folds, 1, fit % plan.folds, 1};
        learn_all(source, plan, &part, labels, scales);
        train_own(0, fit);
    }
}

}  // namespace
}  // namespace fsdesk::FSDESK_LEVEL
