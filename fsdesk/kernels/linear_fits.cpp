// Linear models with a closed-form solution, on one split of the rows and many subsets of the columns.
//
// For a row's coordinates z (reduced.hpp), minus their mean:
//
//   ridge          minimise  sum_i s_i (y_i - b - w z_i)^2 + alpha |w|^2, for several y at once
//   discriminants  score of class k = log p_k + m_k S^-1 (z - m_k / 2);  S = (1 - a) C + a tr(C) / q,
//                  C = sum_k p_k C_k, C_k the covariance of the class's rows (divisor: their number), m_k their mean,
//                  p_k its proportion of the rows, or equal for all; q the number of columns (J. H. Friedman,
// Regularized
//                  Discriminant Analysis, J. Am. Stat. Assoc. 84, 1989). Probabilities are shares of the exponentials.
//
// All alphas and all shrinkages a of a subset share one matrix, that of z z'.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exponential.hpp"
#include "logarithm.hpp"
#include "reduced.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

using Numbers = std::vector<double>;

/// Sums of squares and products of weighted rows, with an addition to the diagonal; and the solution of systems.
class Equations {
  public:
    /// rows: (n, width), `size` coordinates of which are used.
    void read(const Numbers& rows, const Numbers& weights, Whole size, Whole width, Watch& watch) {
        constexpr Whole together = 64;
        const Whole n = static_cast<Whole>(weights.size());
        size_ = size, width_ = width;
        sums_.assign(at(size * width), 0.0);
        scaled_.resize(at(together * width));
        for (Whole first = 0; first < n; first += together) {
            watch.check();
            const Whole terms = std::min(together, n - first);
            for (Whole own = 0; own < terms; ++own) {
                for (Whole place = 0; place < width; ++place) {
                    scaled_[at(own * width + place)] = weights[at(first + own)] * rows[at((first + own) * width + place)];
                }
            }
            Products<double>::add_upper({scaled_.data(), 1, width}, &rows[at(first * width)], width, size, terms, sums_.data(), width);
        }
        Products<double>::turn_last(size, sums_.data(), width);
    }

    double trace() const {
        double sum = 0.0;
        for (Whole place = 0; place < size_; ++place) sum += sums_[at(place * width_ + place)];
        return sum;
    }

    /// Factor `share` times the sums with `more` on the diagonal; if rounding leaves no such matrix, slightly more is
    /// added.
    void prepare(double share, double more, Watch& watch) {
        const double least = std::max(1e-14 * (share * trace() + more), std::numeric_limits<double>::min());
        for (double extra = 0.0;; extra = std::max(10.0 * extra, least)) {
            factor_.resize(sums_.size());
            for (std::size_t place = 0; place < sums_.size(); ++place) factor_[place] = share * sums_[place];
            for (Whole place = 0; place < size_; ++place) factor_[at(place * width_ + place)] += more + extra;
            if (factor(factor_.data(), size_, width_, scratch_, watch)) return;
        }
    }

    void solve(double* right) const { FSDESK_LEVEL::solve(factor_.data(), size_, width_, right); }

  private:
    Whole size_ = 0, width_ = 0;
    Numbers sums_, factor_, scaled_, scratch_;
};

/// Coordinates of a subset's rows with their weighted mean subtracted.
struct Centred {
    Reduced x;
    Numbers mean;

    void read(Columns train, Columns test, View<const std::int32_t, 1> features, const Numbers& weights, Watch& watch) {
        x.read(train, test, features, watch);
        mean.assign(at(x.width), 0.0);
        double total = 0.0;
        for (Whole row = 0; row < x.n; ++row) {
            total += weights[at(row)];
            for (Whole place = 0; place < x.size; ++place) mean[at(place)] += weights[at(row)] * x.row(row)[place];
        }
        for (Whole place = 0; place < x.size; ++place) mean[at(place)] /= total;
        for (Whole row = 0; row < x.n; ++row) {
            for (Whole place = 0; place < x.size; ++place) x.rows[at(row * x.width + place)] -= mean[at(place)];
        }
        for (Whole place = 0; place < x.size; ++place) {
            double* tested = x.line(place) + x.begin;
            for (Whole row = 0; row < x.t; ++row) tested[row] -= mean[at(place)];
        }
    }

    /// Fill in (heads, lanes) sums of the tested rows' coordinates; w: (heads, width), the intercept at the end.
    void decide(const Numbers& w, Whole heads, Numbers& out) const {
        const Whole lanes = x.stride - x.begin;
        out.assign(at(heads * lanes), 0.0);
        Products<double>::add({w.data(), x.width, 1}, heads, x.line(0) + x.begin, x.stride, x.t, x.all, out.data(), lanes);
    }
};

}  // namespace

/// Fill in (alphas, m, h, t) predictions of (h, n) responses for the tested rows; training rows have weights.
void ridge_fits(Columns train, View<const double, 2> responses, Reals weights, Columns test, const Lists<std::int32_t>& subsets,
                Reals alphas, View<double, 4> values, const Effort& effort) {
    struct Worker {
        Centred z;
        Equations equations;
        Numbers pulls, w, out;
    };
    const Whole heads = responses.size();
    const Numbers own_weights(weights.begin(), weights.end());
    Numbers means, centred;
    double total = 0.0;
    for (const double weight : own_weights) total += weight;
    for (Whole head = 0; head < heads; ++head) {
        double sum = 0.0;
        for (Whole row = 0; row < weights.size(); ++row) sum += weights[row] * responses[head][row];
        means.push_back(sum / total);
        for (Whole row = 0; row < weights.size(); ++row) centred.push_back(weights[row] * (responses[head][row] - means.back()));
    }
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        Worker& own = workers[static_cast<std::size_t>(number)];
        own.z.read(train, test, subsets[subset], own_weights, effort.watch);
        const Reduced& x = own.z.x;
        own.equations.read(x.rows, own_weights, x.size, x.width, effort.watch);
        own.pulls.assign(at(heads * x.width), 0.0);
        Products<double>::add({centred.data(), x.n, 1}, heads, x.row(0), x.width, x.all, x.n, own.pulls.data(), x.width);
        for (Whole which = 0; which < alphas.size(); ++which) {
            effort.watch.check();
            own.equations.prepare(1.0, alphas[which], effort.watch);
            own.w = own.pulls;
            for (Whole head = 0; head < heads; ++head) {
                own.equations.solve(&own.w[at(head * x.width)]);
                own.w[at(head * x.width + x.size)] = means[at(head)];
            }
            own.z.decide(own.w, heads, own.out);
            for (Whole head = 0; head < heads; ++head) {
                std::copy_n(&own.out[at(head * (x.stride - x.begin))], x.t, values[which][subset][head].data());
            }
        }
    });
}

/// Fill in (shrinkages, m, t, classes) probabilities of the tested rows; 0 for classes without a training row.
void discriminant_fits(Columns train, Integers y, Columns test, const Lists<std::int32_t>& subsets, Reals shrinkages, bool balanced,
                       View<double, 4> scores, const Effort& effort) {
    struct Worker {
        Centred z;
        Equations equations;
        Numbers means, within, w, out;
    };
    const Whole classes = scores.extent(3), n = y.size();
    std::vector<Whole> heads_of(at(classes), -1);
    Numbers counts(at(classes), 0.0), sizes, priors, weights, ones(at(n), 1.0);
    for (const Whole code : y) counts[at(code)] += 1.0;
    Whole heads = 0;
    for (Whole code = 0; code < classes; ++code) {
        if (!(counts[at(code)] > 0.0)) continue;
        heads_of[at(code)] = heads++;
        sizes.push_back(counts[at(code)]);
    }
    for (const double size : sizes) priors.push_back(balanced ? 1.0 / static_cast<double>(heads) : size / static_cast<double>(n));
    for (const Whole code : y) weights.push_back(priors[at(heads_of[at(code)])] / counts[at(code)]);
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        Worker& own = workers[static_cast<std::size_t>(number)];
        own.z.read(train, test, subsets[subset], ones, effort.watch);
        const Reduced& x = own.z.x;
        own.means.assign(at(heads * x.width), 0.0);
        for (Whole row = 0; row < n; ++row) {
            double* mean = &own.means[at(heads_of[at(y[row])] * x.width)];
            for (Whole place = 0; place < x.size; ++place) mean[place] += x.row(row)[place];
        }
        for (Whole head = 0; head < heads; ++head) {
            for (Whole place = 0; place < x.size; ++place) own.means[at(head * x.width + place)] /= sizes[at(head)];
        }
        own.within = x.rows;
        for (Whole row = 0; row < n; ++row) {
            const double* mean = &own.means[at(heads_of[at(y[row])] * x.width)];
            for (Whole place = 0; place < x.size; ++place) own.within[at(row * x.width + place)] -= mean[place];
        }
        own.equations.read(own.within, weights, x.size, x.width, effort.watch);
        const double level = own.equations.trace() / static_cast<double>(std::max<Whole>(1, subsets[subset].size()));
        for (Whole which = 0; which < shrinkages.size(); ++which) {
            effort.watch.check();
            own.w.assign(at(heads * x.width), 0.0);
            if (level > 0.0) {
                own.equations.prepare(1.0 - shrinkages[which], shrinkages[which] * level, effort.watch);
                own.w = own.means;
            }
            for (Whole head = 0; head < heads; ++head) {
                double *w = &own.w[at(head * x.width)], *mean = &own.means[at(head * x.width)];
                if (level > 0.0) own.equations.solve(w);
                w[x.size] = natural_log(priors[at(head)]) - 0.5 * dot(w, mean, x.size);
            }
            own.z.decide(own.w, heads, own.out);
            const Whole lanes = x.stride - x.begin;
            for (Whole row = 0; row < x.t; ++row) {
                double *f = own.out.data() + row, most = f[0], total = 0.0;
                for (Whole head = 1; head < heads; ++head) most = std::max(most, f[head * lanes]);
                for (Whole head = 0; head < heads; ++head) total += f[head * lanes] = exponential(f[head * lanes] - most);
                for (Whole code = 0; code < classes; ++code) {
                    const Whole head = heads_of[at(code)];
                    scores[which][subset][row][code] = head < 0 ? 0.0 : f[head * lanes] / total;
                }
            }
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
