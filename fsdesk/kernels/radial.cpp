// Support vector machines with a Gaussian kernel, many in one call: every two-class problem, or the one regression, of
// each of many subsets of the columns, for each of several settings.
//
//   K_ij = exp(-g |x_i - x_j|^2),  g = factor / (q v)
//
// with q the number of columns and v the variance of all their training values (1 if that is 0), as scikit-learn's
// "scale". For two classes hinge loss with an unpenalised bias (C. Cortes and V. Vapnik, Machine Learning 20, 1995;
// LIBSVM's C-SVC), epsilon-insensitive for regression (LIBSVM's epsilon-SVR):
//
//   minimise  u.K.u / 2 - y.u + epsilon |u|,  low_i <= u_i <= high_i,  sum(u) = 0                                        (1)
//
// by sequential minimal optimisation: two dual values move at a time, that of the row whose residual y_i - f_i violates
// optimality most, and the one with which (1) decreases most (R.-E. Fan, P.-H. Chen and C.-J. Lin, JMLR 6, 2005), until
// no two differ by more than the tolerance. K is stored completely: distances are computed by products, once for all
// settings, and a step then takes O(n).
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "exponential.hpp"
#include "lanes.hpp"
#include "products.hpp"

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr double kAbsent = -std::numeric_limits<double>::max();  // score of a class absent from the training rows
constexpr double kFlat = 1e-12;       // the least curvature of (1) along two dual values
constexpr Whole kMostSteps = 10'000'000;
constexpr Whole kTerms = 64, kFewTerms = 16;  // columns multiplied together, for few and for many rows
constexpr Whole kManyRows = 1000;
constexpr Whole kTests = 64;          // tested rows at once
constexpr int kTame = 100;            // values beyond 2 to this power, or all below its inverse, are rescaled towards 1
constexpr double kFarthest = 1e140;   // maximum distance of a tested row in any column
constexpr Whole kRoom = Whole{1} << 29;  // bytes for all threads' kernels, unless one alone needs more

constexpr Whole even(Whole count) { return (count + 15) / 16 * 16; }  // whole cache lines

using Numbers = std::vector<double>;

double dot(const double* a, const double* b, Whole count) {
    Lanes total = Lanes::all(0.0);
    Whole place = 0;
    for (; place + kLanes <= count; place += kLanes) total = total + Lanes::load(a + place) * Lanes::load(b + place);
    const Whole rest = count - place;
    return (total + load_rest(a + place, rest) * load_rest(b + place, rest)).sum();
}

/// Location and spread of the columns' training values.
struct Spread {
    Numbers mean, squares;
    double unit = 1.0;  // a power of two that all values are multiplied by

    explicit Spread(Columns train) : mean(at(train.size())), squares(mean.size()) {
        const Whole n = train.extent(1);
        double largest = 0.0;
        for (Whole column = 0; column < train.size(); ++column) {
            const double* values = train[column].data();
            const auto [low, high] = std::minmax_element(values, values + n);
            double middle = sum(values, n) / static_cast<double>(n);
            if (*low == *high || !std::isfinite(middle)) middle = *low / 2.0 + *high / 2.0;
            mean[at(column)] = middle;
            largest = std::max({largest, *high - middle, middle - *low});
        }
        const int power = std::isfinite(largest) ? std::ilogb(std::max(largest, std::numeric_limits<double>::min())) : 1023;
        if (largest > 0.0 && (power > kTame || power < -kTame)) unit = std::ldexp(1.0, -power - (power > 0 ? 1 : 0));
        Numbers own(at(n));
        for (Whole column = 0; column < train.size(); ++column) {
            for (Whole row = 0; row < n; ++row) own[at(row)] = scaled(column, train[column][row]);
            squares[at(column)] = dot(own.data(), own.data(), n);
        }
    }

    double scaled(Whole column, double value) const { return value * unit - mean[at(column)] * unit; }

    /// What g is for a factor of 1.
    double scale(View<const std::int32_t, 1> columns, Whole n) const {
        const double rows = static_cast<double>(n), q = static_cast<double>(columns.size());
        double total = 0.0, centre = 0.0, between = 0.0;
        for (const std::int32_t column : columns) {
            total += squares[at(column)];
            centre += mean[at(column)] * unit;
        }
        centre /= q;
        for (const std::int32_t column : columns) {
            const double off = mean[at(column)] * unit - centre;
            between += off * off;
        }
        const double variance = (total + rows * between) / (rows * q);
        return variance > 0.0 && std::isfinite(variance) ? 1.0 / (q * variance) : 1.0;
    }
};

/// One problem (1) over m rows; all arrays in whole lines, padded with zeros.
struct Problem {
    const double* kernel;  // (m, stride)
    Whole m, stride;
    double epsilon, tolerance;
};

/// Sequential minimal optimisation: memory for one problem after another.
class Solver {
  public:
    /// Make room for m rows, and return the destinations of their responses and bounds.
    struct Given {
        double *y, *low, *high;
    };
    Given begin(Whole m) {
        const Whole room = even(m);
        for (Numbers* own : {&residual_, &low_, &high_, &u_, &rise_, &fall_}) own->assign(at(room), 0.0);
        return {residual_.data(), low_.data(), high_.data()};
    }

    const double* values() const { return u_.data(); }

    /// Minimise from 0 and return the bias.
    double solve(const Problem& problem, Watch& watch) {
        problem_ = &problem;
        const Whole room = even(problem.m);
        for (Whole row = 0; row < problem.m; ++row) allow(row);
        for (Whole row = problem.m; row < room; ++row) {
            rise_[at(row)] = -kInfinity;
            fall_[at(row)] = kInfinity;
        }
        double highest = 0.0, lowest = 0.0;
        for (Whole step = 0; step < kMostSteps; ++step) {
            if (step % 64 == 0) watch.check();
            const Whole up = rising(highest);
            if (up < 0) break;
            const Whole down = falling(up, highest, lowest);
            if (!(highest - lowest >= problem.tolerance) || down < 0) break;
            move(up, down);
        }
        return bias(highest, lowest);
    }

  private:
    /// Record by how much a residual counts less if its dual value rises, and more if it falls.
    void allow(Whole row) {
        const double own = u_[at(row)], epsilon = problem_->epsilon;
        rise_[at(row)] = own < high_[at(row)] ? (own >= 0.0 ? -epsilon : epsilon) : -kInfinity;
        fall_[at(row)] = own > low_[at(row)] ? (own > 0.0 ? -epsilon : epsilon) : kInfinity;
    }

    /// The first row that gains most by rising; -1 if none may.
    Whole rising(double& highest) const {
        Part best;
        WholePart place, own;
        for (int lane = 0; lane < kWidth; ++lane) best[lane] = -kInfinity, place[lane] = -1, own[lane] = lane;
        for (Whole row = 0; row < problem_->m; row += kWidth, own += kWidth) {
            const Part value = load(residual_, row) + load(rise_, row);
            const auto is_better = value > best;
            best = is_better ? value : best;
            place = is_better ? own : place;
        }
        return first(best, place, highest);
    }

    /// The first row that, falling while `up` rises, lowers (1) most; -1 if none does. lowest: the least a falling row
    /// gains.
    Whole falling(Whole up, double highest, double& lowest) const {
        const double* line = problem_->kernel + up * problem_->stride;
        const double own_diagonal = line[up];
        Part least, best;
        WholePart place, own;
        for (int lane = 0; lane < kWidth; ++lane) {
            least[lane] = kInfinity, best[lane] = 0.0, place[lane] = -1, own[lane] = lane;
        }
        const Part zero{}, flat = zero + kFlat;
        for (Whole row = 0; row < problem_->m; row += kWidth, own += kWidth) {
            const Part value = load(residual_, row) + load(fall_, row);
            least = value < least ? value : least;
            Part across;
            std::memcpy(&across, line + row, sizeof across);
            const Part gap = highest - value, bend = (own_diagonal + 1.0) - (across + across);  // a row's own kernel is 1
            const Part gain = gap > zero ? gap * gap / (bend > flat ? bend : flat) : zero;
            const auto is_better = gain > best;
            best = is_better ? gain : best;
            place = is_better ? own : place;
        }
        lowest = kInfinity;
        for (int lane = 0; lane < kWidth; ++lane) lowest = std::min(lowest, static_cast<double>(least[lane]));
        double gain = 0.0;
        return first(best, place, gain);
    }

    void move(Whole up, Whole down) {
        const double *one = problem_->kernel + up * problem_->stride, *other = problem_->kernel + down * problem_->stride;
        const double gap = (residual_[at(up)] + rise_[at(up)]) - (residual_[at(down)] + fall_[at(down)]);
        double by = gap / std::max(2.0 - 2.0 * one[down], kFlat);
        const bool bends = problem_->epsilon > 0.0;  // at 0
        double &rises = u_[at(up)], &falls = u_[at(down)];
        const double ceiling = bends && rises < 0.0 ? 0.0 : high_[at(up)], floor = bends && falls > 0.0 ? 0.0 : low_[at(down)];
        const double most_up = ceiling - rises, most_down = falls - floor, most = std::min(most_up, most_down);
        const bool is_limited = by >= most;
        if (is_limited) by = most;
        rises = is_limited && most_up <= most_down ? ceiling : rises + by;
        falls = is_limited && most_down <= most_up ? floor : falls - by;
        allow(up);
        allow(down);
        double* residual = residual_.data();
        for (Whole row = 0; row < problem_->m; ++row) residual[row] -= by * (one[row] - other[row]);
    }

    /// The mean bias from rows strictly within their bounds; if there are none, the middle of the allowed range.
    double bias(double highest, double lowest) const {
        double total = 0.0, free = 0.0;
        for (Whole row = 0; row < problem_->m; ++row) {
            const double own = u_[at(row)];
            const bool may_rise = rise_[at(row)] > -kInfinity, may_fall = fall_[at(row)] < kInfinity;
            if (!may_rise || !may_fall || (own == 0.0 && problem_->epsilon > 0.0)) continue;
            total += residual_[at(row)] - (own > 0.0 ? problem_->epsilon : -problem_->epsilon);
            free += 1.0;
        }
        if (free > 0.0) return total / free;
        if (!std::isfinite(highest)) return lowest;
        return std::isfinite(lowest) ? (highest + lowest) / 2.0 : highest;
    }

    [[gnu::always_inline]] static Part load(const Numbers& values, Whole place) {
        Part own;
        std::memcpy(&own, values.data() + place, sizeof own);
        return own;
    }

    static Whole first(const Part& values, const WholePart& places, double& value) {
        Whole winner = -1;
        for (int lane = 0; lane < kWidth; ++lane) {
            if (places[lane] < 0) continue;
            if (winner < 0 || values[lane] > value || (values[lane] == value && places[lane] < winner)) {
                value = values[lane];
                winner = places[lane];
            }
        }
        if (winner < 0) value = -kInfinity;
        return winner;
    }

    const Problem* problem_ = nullptr;
    Numbers residual_, low_, high_, u_, rise_, fall_;
};

/// Rows by class, and the classes present; for regression, all rows in order.
struct Order {
    std::vector<Whole> rows, seen, first;  // first: offsets of the classes, and the number of rows

    Order(Integers target, Whole classes, Whole n) : rows(at(n)) {
        std::iota(rows.begin(), rows.end(), Whole{0});
        if (target.size() == 0) return;
        std::stable_sort(rows.begin(), rows.end(), [&](Whole one, Whole other) { return target[one] < target[other]; });
        for (Whole place = 0, code = 0; code < classes; ++code) {
            const Whole begin = place;
            while (place < n && target[rows[at(place)]] == code) ++place;
            if (place == begin) continue;
            seen.push_back(code);
            first.push_back(begin);
        }
        first.push_back(n);
    }

    Whole size(std::size_t part) const { return first[part + 1] - first[part]; }
};

/// Two ranges of rows with consecutive dual values; the second one is empty for regression.
struct Machine {
    std::size_t one = 0, other = 0;
    Whole first = 0, count = 0, second = 0, more = 0;
    Numbers u;
    double bias = 0.0;

    double decide(const double* kernel) const {
        return dot(u.data(), kernel + first, count) + dot(u.data() + count, kernel + second, more) + bias;
    }
};

/// One thread's memory for one subset after another.
class Subset {
  public:
    Subset(Columns train, Columns test, const Order& order, const Spread& spread, const RadialOptions& options)
        : train_(train), test_(test), order_(order), spread_(spread), options_(options), n_(train.extent(1)), stride_(even(n_)),
          terms_(n_ < kManyRows ? kTerms : kFewTerms) {}

    /// Fill in (settings, t, width) scores or numbers.
    void fit(View<const std::int32_t, 1> columns, View<double, 4> said, Whole subset, Watch& watch) {
        multiply(columns, watch);
        const double scale = spread_.scale(columns, n_);
        const Whole many = options_.costs.size();
        machines_.assign(at(many), {});
        for (Whole setting = 0; setting < many; ++setting) {
            const double factor = scale * options_.gammas[setting];
            if (setting == 0 || options_.gammas[setting] != options_.gammas[setting - 1]) spread_out(factor, watch);
            train(options_.costs[setting], machines_[at(setting)], watch);
        }
        for (Whole start = 0; start < test_.extent(1); start += kTests) {
            const Whole rows = std::min(kTests, test_.extent(1) - start);
            measure(columns, start, rows);
            watch.check();
            for (Whole setting = 0; setting < many; ++setting) {
                if (setting == 0 || options_.gammas[setting] != options_.gammas[setting - 1]) {
                    turn(far_.data(), rows, scale * options_.gammas[setting], near_.data());
                }
                for (Whole row = 0; row < rows; ++row) {
                    say(machines_[at(setting)], near_.data() + row * stride_, said[setting][subset][start + row]);
                }
            }
        }
    }

  private:
    using Product = Products<double>;

    /// Squared distances of all training rows, above the diagonal.
    void multiply(View<const std::int32_t, 1> columns, Watch& watch) {
        distances_.assign(at(n_ * stride_), 0.0);
        side_.resize(at(kTerms * stride_));
        for (Whole start = 0; start < columns.size(); start += terms_) {
            const Whole terms = std::min(terms_, columns.size() - start);
            gather(columns, start, terms);
            watch.check();
            Product::add_upper({side_.data(), 1, stride_}, side_.data(), stride_, n_, terms, distances_.data(), stride_);
        }
        Product::turn_last(n_, distances_.data(), stride_);
        length_.assign(at(stride_), 0.0);
        for (Whole row = 0; row < n_; ++row) length_[at(row)] = distances_[at(row * stride_ + row)];
        for (Whole row = 0; row < n_; ++row) {
            double* own = distances_.data() + row * stride_;
            const double length = length_[at(row)];
            for (Whole other = row; other < n_; ++other) own[other] = std::max(0.0, length + length_[at(other)] - 2.0 * own[other]);
        }
    }

    /// (terms, n) training rows in order.
    void gather(View<const std::int32_t, 1> columns, Whole start, Whole terms) {
        for (Whole term = 0; term < terms; ++term) {
            const Whole column = columns[start + term];
            const double* values = train_[column].data();
            double* own = side_.data() + term * stride_;
            for (Whole place = 0; place < n_; ++place) own[place] = spread_.scaled(column, values[order_.rows[at(place)]]);
            std::fill(own + n_, own + stride_, 0.0);
        }
    }

    /// The whole kernel matrix.
    void spread_out(double factor, Watch& watch) {
        kernel_.resize(at(n_ * stride_));
        for (Whole row = 0; row < n_; ++row) {
            if (row % 16 == 0) watch.check();
            const double* own = distances_.data() + row * stride_;
            double* line = kernel_.data() + row * stride_;
            line[row] = 1.0;
            for (Whole other = row + 1; other < n_; ++other) line[other] = exponential(-factor * own[other]);
            std::fill(line + n_, line + stride_, 0.0);
        }
        constexpr Whole together = 8;  // columns below the diagonal, along cache lines
        for (Whole first = 0; first < n_; first += together) {
            for (Whole row = first + 1; row < n_; ++row) {
                double* line = kernel_.data() + row * stride_;
                for (Whole other = first; other < std::min(first + together, row); ++other) {
                    line[other] = kernel_[at(other * stride_ + row)];
                }
            }
        }
    }

    void train(double cost, std::vector<Machine>& machines, Watch& watch) {
        if (options_.response.size() > 0) {
            Machine machine{0, 0, 0, n_, 0, 0, {}, 0.0};
            const auto given = solver_.begin(n_);
            std::copy(options_.response.begin(), options_.response.end(), given.y);
            std::fill_n(given.low, n_, -cost);
            std::fill_n(given.high, n_, cost);
            solve({kernel_.data(), n_, stride_, options_.epsilon, options_.tolerance}, machine, watch);
            machines.push_back(std::move(machine));
            return;
        }
        const std::size_t many = order_.seen.size();
        for (std::size_t one = 0; one < many; ++one) {
            for (std::size_t other = one + 1; other < many; ++other) {
                Machine machine{one, other, order_.first[one], order_.size(one), order_.first[other], order_.size(other), {}, 0.0};
                const Whole m = machine.count + machine.more;
                const auto given = solver_.begin(m);
                for (Whole row = 0; row < m; ++row) {
                    const bool is_one = row < machine.count;
                    const double rows = static_cast<double>(is_one ? machine.count : machine.more);
                    const double weight = options_.balanced ? static_cast<double>(n_) / (static_cast<double>(many) * rows) : 1.0;
                    given.y[row] = is_one ? 1.0 : -1.0;
                    given.low[row] = is_one ? 0.0 : -cost * weight;
                    given.high[row] = is_one ? cost * weight : 0.0;
                }
                const Problem whole{kernel_.data(), m, stride_, 0.0, options_.tolerance};
                solve(many == 2 ? whole : part(machine), machine, watch);
                machines.push_back(std::move(machine));
            }
        }
    }

    void solve(const Problem& problem, Machine& machine, Watch& watch) {
        machine.bias = solver_.solve(problem, watch);
        machine.u.assign(solver_.values(), solver_.values() + problem.m);
    }

    /// The kernel of a machine's rows alone.
    Problem part(const Machine& machine) {
        const Whole m = machine.count + machine.more, stride = even(m);
        part_.assign(at(m * stride), 0.0);
        for (Whole row = 0; row < m; ++row) {
            const Whole from = row < machine.count ? machine.first + row : machine.second + row - machine.count;
            const double* line = kernel_.data() + from * stride_;
            double* own = part_.data() + row * stride;
            std::copy_n(line + machine.first, machine.count, own);
            std::copy_n(line + machine.second, machine.more, own + machine.count);
        }
        return {part_.data(), m, stride, 0.0, options_.tolerance};
    }

    /// Squared distances of some tested rows to all training rows.
    void measure(View<const std::int32_t, 1> columns, Whole first, Whole rows) {
        far_.assign(at(kTests * stride_), 0.0);
        near_.resize(far_.size());
        tested_.resize(at(kTerms * kTests));
        Numbers length(at(rows), 0.0);
        for (Whole start = 0; start < columns.size(); start += terms_) {
            const Whole terms = std::min(terms_, columns.size() - start);
            gather(columns, start, terms);
            for (Whole term = 0; term < terms; ++term) {
                const Whole column = columns[start + term];
                double* own = tested_.data() + term * kTests;
                for (Whole row = 0; row < rows; ++row) {
                    own[row] = std::clamp(spread_.scaled(column, test_[column][first + row]), -kFarthest, kFarthest);
                    length[at(row)] += own[row] * own[row];
                }
            }
            Product::add({tested_.data(), 1, kTests}, rows, side_.data(), stride_, n_, terms, far_.data(), stride_);
        }
        for (Whole row = 0; row < rows; ++row) {
            double* own = far_.data() + row * stride_;
            for (Whole other = 0; other < n_; ++other) {
                own[other] = std::max(0.0, length[at(row)] + length_[at(other)] - 2.0 * own[other]);
            }
        }
    }

    void turn(const double* distances, Whole rows, double factor, double* out) const {
        for (Whole row = 0; row < rows; ++row) {
            for (Whole other = 0; other < n_; ++other) {
                out[row * stride_ + other] = exponential(-factor * distances[row * stride_ + other]);
            }
        }
    }

    /// The predicted number; or, for two classes, their decision values, for more, votes, with ties broken by bounded
    /// sums of these.
    void say(const std::vector<Machine>& machines, const double* kernel, View<double, 1> said) const {
        if (options_.response.size() > 0) {
            said[0] = machines.front().decide(kernel);
            return;
        }
        std::fill(said.begin(), said.end(), kAbsent);
        const auto& seen = order_.seen;
        if (seen.size() == 1) {
            said[seen[0]] = 1.0;
            return;
        }
        Numbers votes(seen.size(), 0.0), sums(seen.size(), 0.0);
        for (const Machine& machine : machines) {
            const double value = machine.decide(kernel);
            votes[value >= 0.0 ? machine.one : machine.other] += 1.0;
            sums[machine.one] += value;
            sums[machine.other] -= value;
        }
        for (std::size_t part = 0; part < seen.size(); ++part) {
            const double sum = sums[part];
            said[seen[part]] = seen.size() == 2 ? sum : votes[part] + sum / (3.0 * (std::abs(sum) + 1.0));
        }
    }

    Columns train_, test_;
    const Order& order_;
    const Spread& spread_;
    const RadialOptions& options_;
    Whole n_, stride_, terms_;
    Numbers distances_, kernel_, part_, side_, length_, far_, near_, tested_;
    std::vector<std::vector<Machine>> machines_;
    Solver solver_;
};

}  // namespace

/// Fill in (settings, m, t, classes) scores, or (settings, m, t, 1) numbers; see Subset::say.
///
/// train: (q, n), test: (q, t) finite values; each subset has a column; target: (n,) codes below classes, empty if
/// there is a response (n,).
void radial_fits(Columns train, Columns test, Integers target, const Lists<std::int32_t>& subsets, const RadialOptions& options,
                 View<double, 4> said, const Effort& effort) {
    const Whole n = train.extent(1), room = 24 * n * even(n);
    const Order order(target, options.classes, n);
    const Spread spread(train);
    const Effort own{static_cast<int>(std::clamp<Whole>(kRoom / room, 1, effort.threads)), effort.watch};
    const Subset first(train, test, order, spread, options);
    std::vector<Subset> workers(at(own.threads), first);
    share(subsets.size(), own, [&](Whole subset, int worker) {
        workers[at(worker)].fit(subsets[subset], said, subset, effort.watch);
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
