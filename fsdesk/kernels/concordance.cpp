// Concordance of risks with times to an event, and risks from the neighbours of a row.
//
// A pair of rows is comparable if one's event was observed while the other was still without it: it has a longer time,
// or the same one and is censored. It is concordant if the row with the event has the higher risk; ties count half (F.
// E. Harrell et al., JAMA 247, 1982). The other must have been under observation then, so that rows with delayed entry
// are compared only with later events, as in R's survival package. A pair has the weight of the row with the event: 1,
// or the squared inverse of its probability of not being censored before (H. Uno et al., Stat. Med. 30, 2011).
#include "kernels.hpp"

#include "risk_sets.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

/// Number of rows so far with a rank up to a given one (P. M. Fenwick, Softw. Pract. Exper. 24, 1994).
class Counts {
  public:
    void clear(Whole ranks) { sums_.assign(at(ranks + 1), 0); }

    void add(Whole rank, Whole count) {
        for (Whole place = rank + 1; place < static_cast<Whole>(sums_.size()); place += place & -place) sums_[at(place)] += count;
    }

    /// For ranks below this one.
    Whole below(Whole rank) const {
        Whole sum = 0;
        for (Whole place = rank; place > 0; place -= place & -place) sum += sums_[at(place)];
        return sum;
    }

  private:
    std::vector<Whole> sums_;
};

/// Rows by time, the longest first; ties with censored rows first.
std::vector<Whole> latest_first(Reals y) {
    std::vector<Whole> order(at(y.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Whole one, Whole other) {
        const double a = std::abs(y[one]), b = std::abs(y[other]);
        return a != b ? a > b : is_event(y[one]) < is_event(y[other]);
    });
    return order;
}

}  // namespace

/// Fill in (repeats, folds, 2) the weight of concordant pairs of rows tested in one fold, and of comparable ones.
void concordances(View<const double, 2> risks, const Outcomes& outcomes, Reals weights, Folds labels, View<double, 3> sums, Watch& watch) {
    const Reals y = outcomes.y;
    const std::vector<Whole> order = latest_first(y), latest = latest_entries(outcomes);
    std::vector<double> known;
    std::vector<Whole> rows, late;
    Counts counts;
    for (Whole repeat = 0; repeat < labels.size(); ++repeat) {
        for (Whole fold = 0; fold < sums.extent(1); ++fold) {
            watch.check();
            rows.clear(), known.clear();
            for (const Whole row : order) {
                if (labels[repeat][row] == fold) rows.push_back(row), known.push_back(risks[repeat][row]);
            }
            late.clear();
            std::copy_if(latest.begin(), latest.end(), std::back_inserter(late), [&](Whole row) { return labels[repeat][row] == fold; });
            Leaving leaving(late, outcomes.entries);
            std::sort(known.begin(), known.end());
            known.erase(std::unique(known.begin(), known.end()), known.end());
            counts.clear(static_cast<Whole>(known.size()));
            const auto rank = [&](Whole row) { return std::lower_bound(known.begin(), known.end(), risks[repeat][row]) - known.begin(); };
            double concordant = 0.0, comparable = 0.0;
            Whole before = 0;
            for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
                std::size_t events = begin;
                leaving.before(std::abs(y[rows[begin]]), [&](Whole gone) { counts.add(rank(gone), -1), --before; });
                for (; end < rows.size() && std::abs(y[rows[end]]) == std::abs(y[rows[begin]]); ++end) {
                    if (is_event(y[rows[end]])) continue;
                    counts.add(rank(rows[end]), 1), ++before, ++events;
                }
                for (std::size_t own = events; own < end; ++own) {
                    const Whole place = rank(rows[own]), lower = counts.below(place), equal = counts.below(place + 1) - lower;
                    concordant += weights[rows[own]] * (static_cast<double>(lower) + 0.5 * static_cast<double>(equal));
                    comparable += weights[rows[own]] * static_cast<double>(before);
                }
                for (std::size_t own = events; own < end; ++own) counts.add(rank(rows[own]), 1), ++before;
            }
            sums[repeat][fold][0] = concordant;
            sums[repeat][fold][1] = comparable;
        }
    }
}

/// Fill in (m, t, g) sums for the tested rows of the hazards (Nelson-Aalen) among the k nearest training rows, by
/// Euclidean distance; of equal distances the earlier row is nearer. (n, g) weights are those of a hazard at each
/// training row's time in each sum.
void survival_neighbours(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, Whole k,
                         View<const double, 2> weights, View<double, 3> sums, const Effort& effort) {
    const Whole n = train.extent(1), t = test.extent(1), most = std::min(k, n);
    const Reals y = known.y;
    struct Worker {
        std::vector<double> squares;
        std::vector<Whole> near, late;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(effort.threads));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        auto& [squares, near, late] = workers[static_cast<std::size_t>(number)];
        const auto features = subsets[subset];
        for (Whole tested = 0; tested < t; ++tested) {
            effort.watch.check();
            squares.assign(at(n), 0.0);
            for (const std::int32_t feature : features) {
                const double *x = train[feature].data(), own = test[feature][tested];
                for (Whole row = 0; row < n; ++row) squares[at(row)] += (x[row] - own) * (x[row] - own);
            }
            near.resize(at(n));
            std::iota(near.begin(), near.end(), 0);
            std::nth_element(near.begin(), near.begin() + most - 1, near.end(), [&](Whole one, Whole other) {
                return squares[at(one)] != squares[at(other)] ? squares[at(one)] < squares[at(other)] : one < other;
            });
            near.resize(at(most));
            std::sort(near.begin(), near.end(), [&](Whole one, Whole other) {
                const double a = std::abs(y[one]), b = std::abs(y[other]);
                return a != b ? a > b : one < other;
            });
            late = near;
            if (known.are_late()) {
                std::sort(late.begin(), late.end(), [&](Whole one, Whole other) { return known.entries[one] > known.entries[other]; });
            } else {
                late.clear();
            }
            Leaving leaving(late, known.entries);
            Whole gone = 0;
            const View<double, 1> said = sums[subset][tested];
            std::fill(said.begin(), said.end(), 0.0);
            for (std::size_t begin = 0, end = 0; begin < near.size(); begin = end) {
                Whole events = 0;
                const double time = std::abs(y[near[begin]]);
                for (; end < near.size() && std::abs(y[near[end]]) == time; ++end) events += is_event(y[near[end]]);
                leaving.before(time, [&](Whole) { ++gone; });
                if (events == 0) continue;
                const double hazard = static_cast<double>(events) / static_cast<double>(static_cast<Whole>(end) - gone);
                const double* weigh = weights[near[begin]].data();
                for (Whole each = 0; each < said.size(); ++each) said[each] += hazard * weigh[each];
            }
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
