// Feeds the kernels with tables, masks and folds made of any bytes: a target of libFuzzer, see fuzz_core.py.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#define FSDESK_FUZZ

namespace {

/// Numbers out of bytes; zeros where these are used up.
class Numbers {
  public:
    Numbers(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

    std::uint64_t next(std::uint64_t below) {
        std::uint32_t value = 0;
        const auto taken = std::min<std::ptrdiff_t>(below <= 256 ? 1 : sizeof value, end_ - at_);
        std::memcpy(&value, at_, static_cast<std::size_t>(taken));
        at_ += taken;
        return value % below;
    }
    /// Small numbers with ties, and now and then one that is huge, tiny, or off its neighbour by the last bit.
    double normal() {
        const auto kind = next(32);
        const double value = static_cast<double>(next(256)) / 16.0 - 8.0;
        switch (kind) {
            case 0: return value * 1e100;
            case 1: return value * 1e-300;
            case 2: return value + value * 0x1p-52;
            case 3: return value + 0x1p53;
            default: return kind < 24 ? value : value / 3.0;
        }
    }
    bool used_up() const { return at_ == end_; }

  private:
    const std::uint8_t *at_, *end_;
};

}  // namespace

#include "core_digest.cpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    Numbers numbers(bytes, size);
    const auto p = static_cast<Whole>(kMasks + numbers.next(20)), n = static_cast<Whole>(kFolds + 2 + numbers.next(60));
    const auto classes = static_cast<Whole>(2 + numbers.next(4));
    const bool with_gaps = numbers.next(2) != 0;
    const auto model = numbers.next(6);
    Watch watch(nullptr, nullptr);
    const Effort effort{static_cast<int>(1 + numbers.next(2)), watch};
    Table table(p, n, classes, with_gaps, numbers, effort);
    digest_scales(table, effort);
    if (model == 0) digest_bayes(table, effort);
    if (model == 1) digest_cart(table, effort);
    if (model == 2) digest_c45(table, effort);
    if (model == 3) digest_neighbours(table, effort);
    if (model == 4) digest_small_fits(table, effort);
    if (model == 5) digest_svm(table, effort);
    return 0;
}
