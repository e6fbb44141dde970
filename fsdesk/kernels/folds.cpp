// Stratified folds, from random words to labels.
//
// The words are those of numpy's PCG64(SeedSequence(seed, spawn_key=(number,))), which numpy guarantees for all
// versions: seed_seq_fe hashes the seed and the number, PCG XSL RR 128/64 generates the words (M. O'Neill,
// HMC-CS-2014-0905). Rows are sorted by class, shuffled within it by the highest bits of a word each (ties go to the
// lower row), and assigned one by one to the folds, starting at a random one. As many low bits of a word as a row and a
// class take are ignored.
#include "kernels.hpp"

#include <algorithm>
#include <bit>

namespace fsdesk::FSDESK_LEVEL {
namespace {

constexpr int kPool = 4;  // 32-bit words over which hashing extends

/// The high word of a product.
std::uint64_t high_word(std::uint64_t a, std::uint64_t b) {
    __extension__ typedef unsigned __int128 Double;
    return static_cast<std::uint64_t>((static_cast<Double>(a) * b) >> 64);
}

int bits_of(Whole number) { return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)))); }

/// (classes + 1,) position of the first row of each class, and n.
std::vector<Whole> starts_of(Integers target) {
    Whole classes = 0;
    for (const Whole code : target) classes = std::max(classes, code + 1);
    std::vector<Whole> starts(static_cast<std::size_t>(classes) + 1, 0);
    for (const Whole code : target) ++starts[static_cast<std::size_t>(code) + 1];
    for (std::size_t code = 1; code < starts.size(); ++code) starts[code] += starts[code - 1];
    return starts;
}

/// Shuffles the rows of one table repeatedly.
class Shuffler {
  public:
    explicit Shuffler(Integers target)
        : target_(target), starts_(starts_of(target)), row_bits_(bits_of(target.size() - 1)),
          class_bits_(bits_of(static_cast<Whole>(starts_.size()) - 2)), about_(static_cast<std::size_t>(target.size())),
          ends_(about_.size()), keys_(about_.size()) {}

    /// Fill in the rows by class, shuffled by these (n,) words.
    void shuffle(const std::uint64_t* words, View<Whole, 1> rows) {
        const Whole n = target_.size();
        const int low = row_bits_ + class_bits_, high = 64 - low;
        std::fill(ends_.begin(), ends_.end(), 0);
        // A word already indicates approximately where in its class a row belongs, so that little is left to sort.
        for (Whole row = 0; row < n; ++row) {
            const Whole start = start_of(target_[row]);
            const auto size = static_cast<std::uint64_t>(start_of(target_[row] + 1) - start);
            at(about_, row) = start + static_cast<Whole>(((words[row] >> low) * size) >> high);
            ++at(ends_, at(about_, row));
        }
        for (Whole place = 1; place < n; ++place) at(ends_, place) += at(ends_, place - 1);
        for (Whole row = 0; row < n; ++row) {
            at(keys_, --at(ends_, at(about_, row))) = ((words[row] >> low) << row_bits_) | static_cast<std::uint64_t>(row);
        }
        for (Whole code = 0; code + 1 < static_cast<Whole>(starts_.size()); ++code) {
            for (Whole place = start_of(code) + 1; place < start_of(code + 1); ++place) {
                const std::uint64_t key = at(keys_, place);
                Whole spot = place;
                for (; spot > start_of(code) && at(keys_, spot - 1) > key; --spot) at(keys_, spot) = at(keys_, spot - 1);
                at(keys_, spot) = key;
            }
        }
        const std::uint64_t mask = (std::uint64_t{1} << row_bits_) - 1;
        for (Whole place = 0; place < n; ++place) rows[place] = static_cast<Whole>(at(keys_, place) & mask);
    }

  private:
    template <class T>
    static T& at(std::vector<T>& values, Whole place) {
        return values[static_cast<std::size_t>(place)];
    }
    Whole start_of(Whole code) const { return starts_[static_cast<std::size_t>(code)]; }

    Integers target_;
    std::vector<Whole> starts_;
    int row_bits_, class_bits_;
    std::vector<Whole> about_, ends_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace

/// Fill in the first words of the generator of a seed and a number.
///
/// hashed: (5,) numpy's pool of the seed, 32 bits in each word, and the hash constant for the next word.
void pcg64_words(Pool hashed, Whole number, View<std::uint64_t, 1> words) {
    std::uint32_t pool[kPool];
    for (int place = 0; place < kPool; ++place) pool[place] = static_cast<std::uint32_t>(hashed[place]);
    auto constant = static_cast<std::uint32_t>(hashed[kPool]);
    auto rest = static_cast<std::uint64_t>(number);
    do {
        for (std::uint32_t& own : pool) {
            std::uint32_t word = static_cast<std::uint32_t>(rest) ^ constant;
            constant *= 0x931E8875u;
            word *= constant;
            word = own * 0xCA01F9DDu - (word ^ word >> 16) * 0x4973F715u;
            own = word ^ word >> 16;
        }
        rest >>= 32;
    } while (rest != 0);
    std::uint64_t seeds[kPool] = {};
    constant = 0x8B51F9DDu;
    for (int half = 0; half < 2 * kPool; ++half) {
        std::uint32_t word = pool[half % kPool] ^ constant;
        constant *= 0x58F38DEDu;
        word *= constant;
        seeds[half / 2] |= static_cast<std::uint64_t>(word ^ word >> 16) << (half % 2 * 32);
    }
    constexpr std::uint64_t times_high = 2549297995355413924u, times_low = 4865540595714422341u;
    const std::uint64_t step_high = seeds[2] << 1 | seeds[3] >> 63, step_low = seeds[3] << 1 | 1;
    std::uint64_t low = step_low + seeds[1], high = step_high + seeds[0] + (low < step_low);
    for (Whole place = -1; place < words.size(); ++place) {  // the first state is advanced like all others, but produces no word
        high = high_word(low, times_low) + high * times_low + low * times_high + step_high;
        low = low * times_low + step_low;
        high += low < step_low;
        if (place >= 0) words[place] = std::rotr(high ^ low, static_cast<int>(high >> 58));
    }
}

/// Fill in (repeats, n) rows sorted by class and shuffled within, and (repeats,) an additional random word.
void shuffled(Pool hashed, Whole number, Integers target, View<Whole, 2> rows, View<std::uint64_t, 1> more) {
    const Whole n = target.size();
    Shuffler shuffler(target);
    std::vector<std::uint64_t> words(static_cast<std::size_t>(rows.size() * (n + 1)));
    pcg64_words(hashed, number, view(words));
    for (Whole repeat = 0; repeat < rows.size(); ++repeat) {
        const std::uint64_t* own = words.data() + repeat * (n + 1);
        shuffler.shuffle(own, rows[repeat]);
        more[repeat] = own[n];
    }
}

/// Fill in (m, repeats, n) folds of the measurements of these (m,) numbers.
void fold_labels(Pool hashed, Integers numbers, Integers target, Whole folds, View<Whole, 3> labels, const Effort& effort) {
    const Whole repeats = labels.extent(1), n = labels.extent(2);
    share(numbers.size(), effort, [&](Whole measurement, int) {
        std::vector<Whole> rows(static_cast<std::size_t>(repeats * n));
        std::vector<std::uint64_t> words(static_cast<std::size_t>(repeats));
        const View<Whole, 2> order(rows.data(), {repeats, n});
        shuffled(hashed, numbers[measurement], target, order, view(words));
        for (Whole repeat = 0; repeat < repeats; ++repeat) {
            const View<Whole, 1> own = labels[measurement][repeat];
            auto fold = static_cast<Whole>(words[static_cast<std::size_t>(repeat)] % static_cast<std::uint64_t>(folds));
            for (const Whole row : order[repeat]) {
                own[row] = fold;
                if (++fold == folds) fold = 0;
            }
        }
    });
}

}  // namespace fsdesk::FSDESK_LEVEL
