// Forests of survival trees (H. Ishwaran et al., Annals of Applied Statistics 2, 2008), on one split of the rows and
// many subsets of the columns.
//
// Every tree uses all training rows. At a node some columns are drawn, each with a threshold between its minimum and
// its maximum there, as in extremely randomised trees (P. Geurts et al., Machine Learning 63, 2006); the split whose
// two sides differ most by the log-rank statistic is used. A side has at least `leaf` rows and one event. A leaf
// predicts sums of the hazards of its training rows (Nelson-Aalen), weighted by time: those up to a time give the
// cumulative hazard then, and those weighted by the number of later events the mortality of Ishwaran et al. The forest
// predicts the mean over its trees.
#include "kernels.hpp"

#include "risk_sets.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

/// Random numbers of one tree: splitmix64 (G. L. Steele et al., OOPSLA 2014).
class Random {
  public:
    explicit Random(std::uint64_t state) : state_(state) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    /// From 0 to below 1.
    double share() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    Whole below(Whole count) { return static_cast<Whole>(share() * static_cast<double>(count)); }

  private:
    std::uint64_t state_;
};

/// A node's rows: a range of the training rows, in order of their times, and a range of the tested rows.
struct Node {
    Whole begin, end, first, last;
};

class Tree {
  public:
    Tree(Columns train, const Outcomes& known, Columns test, View<const double, 2> weights)
        : train_(train), test_(test), y_(known.y), entries_(known.entries), weights_(weights), sets_(known, true),
          said_(at(weights.extent(1))) {}

    void grow(View<const std::int32_t, 1> features, Whole most, Whole leaf, std::uint64_t state, View<double, 2> sums, Watch& watch) {
        Random random(state);
        rows_ = sets_.order;
        late_ = sets_.latest;
        tested_.resize(at(test_.extent(1)));
        std::iota(tested_.begin(), tested_.end(), 0);
        columns_.assign(features.begin(), features.end());
        nodes_.assign(1, {0, static_cast<Whole>(rows_.size()), 0, static_cast<Whole>(tested_.size())});
        while (!nodes_.empty()) {
            watch.check();
            const Node node = nodes_.back();
            nodes_.pop_back();
            if (node.first == node.last) continue;
            if (!divide(node, most, leaf, random)) say(node, sums);
        }
    }

  private:
    double time(Whole place) const { return std::abs(y_[rows_[at(place)]]); }

    /// Find the best of some random splits; false if there is none.
    bool divide(const Node& node, Whole most, Whole leaf, Random& random) {
        if (node.end - node.begin < 2 * leaf) return false;
        double best = 0.0, threshold = 0.0;
        std::int32_t chosen = -1;
        Whole left_to_draw = static_cast<Whole>(columns_.size()), looked = 0;
        while (left_to_draw > 0 && looked < most) {
            const Whole drawn = random.below(left_to_draw--);
            std::swap(columns_[at(drawn)], columns_[at(left_to_draw)]);
            const std::int32_t column = columns_[at(left_to_draw)];
            const double* x = train_[column].data();
            double low = x[rows_[at(node.begin)]], high = low;
            for (Whole place = node.begin + 1; place < node.end; ++place) {
                const double value = x[rows_[at(place)]];
                low = std::min(low, value), high = std::max(high, value);
            }
            if (!(low < high)) continue;
            ++looked;
            double cut = low + random.share() * (high - low);
            if (!(cut < high)) cut = low;
            const double worth = statistic(node, x, cut, leaf);
            if (worth > best) best = worth, threshold = cut, chosen = column;
        }
        if (chosen < 0) return false;
        const double *x = train_[chosen].data(), *z = test_[chosen].data();
        const auto below = [&](const double* values, Whole row) { return values[row] <= threshold; };
        const auto middle = part(rows_, node.begin, node.end, [&](Whole row) { return below(x, row); });
        if (!late_.empty()) part(late_, node.begin, node.end, [&](Whole row) { return below(x, row); });
        const auto halfway = part(tested_, node.first, node.last, [&](Whole row) { return below(z, row); });
        nodes_.push_back({middle, node.end, halfway, node.last});
        nodes_.push_back({node.begin, middle, node.first, halfway});
        return true;
    }

    /// Rows that satisfy a condition first, in their order; returns where the others begin.
    template <class Holds>
    Whole part(std::vector<Whole>& rows, Whole begin, Whole end, Holds holds) {
        others_.clear();
        Whole place = begin;
        for (Whole own = begin; own < end; ++own) {
            const Whole row = rows[at(own)];
            if (holds(row)) {
                rows[at(place++)] = row;
            } else {
                others_.push_back(row);
            }
        }
        std::copy(others_.begin(), others_.end(), rows.begin() + place);
        return place;
    }

    /// Rows of a node by entry time.
    Leaving leaving(const Node& node) const {
        return late_.empty() ? Leaving(late_, entries_) : Leaving(&late_[at(node.begin)], late_.data() + node.end, entries_);
    }

    /// The squared difference of observed and expected events below the cut over its variance; 0 if a side is too
    /// small.
    double statistic(const Node& node, const double* x, double cut, Whole leaf) const {
        double at_risk = 0.0, below = 0.0, difference = 0.0, variance = 0.0, left = 0.0, left_below = 0.0;
        Whole events = 0, events_below = 0;
        Leaving leaves = leaving(node);
        for (Whole begin = node.begin, end = begin; begin < node.end; begin = end) {
            double died = 0.0, died_below = 0.0;
            leaves.before(time(begin), [&](Whole row) {
                const bool was_below = x[row] <= cut;
                at_risk -= 1.0, below -= was_below, left += 1.0, left_below += was_below;
            });
            for (; end < node.end && time(end) == time(begin); ++end) {
                const Whole row = rows_[at(end)];
                const bool is_below = x[row] <= cut, is_death = is_event(y_[row]);
                at_risk += 1.0, below += is_below;
                died += is_death, died_below += is_death && is_below;
            }
            if (died == 0.0) continue;
            events += static_cast<Whole>(died), events_below += static_cast<Whole>(died_below);
            const double share = below / at_risk;
            difference += died_below - died * share;
            if (at_risk > 1.0) variance += died * (at_risk - died) / (at_risk - 1.0) * share * (1.0 - share);
        }
        const double rows_below = below + left_below, rows = at_risk + left;
        const bool is_small = rows_below < static_cast<double>(leaf) || rows - rows_below < static_cast<double>(leaf);
        if (is_small || events_below == 0 || events_below == events || !(variance > 0.0)) return 0.0;
        return difference * difference / variance;
    }

    /// Add the hazards of a leaf to those of its tested rows.
    void say(const Node& node, View<double, 2> sums) {
        std::fill(said_.begin(), said_.end(), 0.0);
        Leaving leaves = leaving(node);
        Whole gone = 0;
        for (Whole begin = node.begin, end = begin; begin < node.end; begin = end) {
            double died = 0.0;
            for (; end < node.end && time(end) == time(begin); ++end) died += is_event(y_[rows_[at(end)]]);
            leaves.before(time(begin), [&](Whole) { ++gone; });
            if (died == 0.0) continue;
            const double hazard = died / static_cast<double>(end - node.begin - gone);
            const double* weights = weights_[rows_[at(begin)]].data();
            for (std::size_t each = 0; each < said_.size(); ++each) said_[each] += hazard * weights[each];
        }
        for (Whole own = node.first; own < node.last; ++own) {
            double* into = sums[tested_[at(own)]].data();
            for (std::size_t each = 0; each < said_.size(); ++each) into[each] += said_[each];
        }
    }

    Columns train_, test_;
    Reals y_, entries_;
    View<const double, 2> weights_;
    RiskSets sets_;
    std::vector<double> said_;
    std::vector<Whole> rows_, late_, tested_, others_;
    std::vector<std::int32_t> columns_;
    std::vector<Node> nodes_;
};

}  // namespace

/// Fill in (m, t, g) sums of hazards for the tested rows; (n, g) weights are those of a hazard at each training row's
/// time in each sum.
void survival_forest(Columns train, const Outcomes& known, Columns test, const Lists<std::int32_t>& subsets, View<const std::uint64_t, 1> states,
                     Integers most, Whole leaf, View<const double, 2> weights, View<double, 3> sums, const Effort& effort) {
    std::vector<Tree> workers(static_cast<std::size_t>(effort.threads), Tree(train, known, test, weights));
    share(subsets.size(), effort, [&](Whole subset, int number) {
        const View<double, 2> own = sums[subset];
        double *begin = own.data(), *end = begin + own.extent(0) * own.extent(1);
        std::fill(begin, end, 0.0);
        for (const std::uint64_t state : states) {
            workers[static_cast<std::size_t>(number)].grow(subsets[subset], most[subset], leaf, state, own, effort.watch);
        }
        for (double* each = begin; each < end; ++each) *each /= static_cast<double>(std::max<Whole>(1, states.size()));
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
