// Blocks of 128 values of at most 16 bits: differences, zigzag, bit packing in eight interleaved lanes.
//
// Value i lies in lane i % 8. Each lane packs its 16 values one behind the other into `width` words of 16
// bits, so a block takes 16 * width bytes and whole rows of eight values are shifted at once (the vertical
// layout of Lemire and Boytsov, "Decoding billions of integers per second through vectorization", 2015). The
// vectors are the compilers' own extension, SSE2 or NEON underneath.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace rigd::store {

inline constexpr std::size_t kBlockSamples = 128;

// Bytes of a packed block.
constexpr std::size_t packed_bytes(unsigned width) {
  return std::size_t{16} * width;
}

// One block between values and packed differences. Differences are taken modulo 2^value_bits from the value
// before and folded to small unsigned numbers (0, -1, 1, -2 ... to 0, 1, 2, 3 ...).
class ValueBlock {
 public:
  ValueBlock(unsigned value_bits, std::uint16_t first_value) : unused_bits_(16 - value_bits) {
    cells_[kBefore] = first_value;
  }

  // 128 values; set before to_differences(), valid after to_values().
  std::uint16_t* values() { return cells_.data() + kBefore + 1; }

  void to_differences();
  void to_values();

  // The width that makes the block smallest when differences that do not fit are listed apart at
  // `outlier_bytes` each.
  unsigned best_width(std::size_t outlier_bytes) const;
  // Cuts the differences to `width` bits; calls keep(index, bits above) for each that loses some.
  template <class Keep>
  void split_outliers(unsigned width, const Keep& keep);
  void restore_outlier(unsigned width, std::size_t index, unsigned above) {
    differences_[index / kLanes][index % kLanes] |= static_cast<std::uint16_t>(above << width);
  }

  void pack(unsigned width, std::byte* out) const;       // packed_bytes(width) bytes, width <= 16
  void unpack(unsigned width, const std::byte* packed);  // likewise

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kRows = kBlockSamples / kLanes;
  static constexpr std::size_t kBefore =
      kLanes - 1;  // the value before the block, so that values() is aligned
  using Row = std::uint16_t __attribute__((vector_size(16)));
  using SignedRow = std::int16_t __attribute__((vector_size(16)));

  static std::array<std::uint64_t, 2> halves(const Row& row) {
    std::array<std::uint64_t, 2> both;
    std::memcpy(both.data(), &row, sizeof row);
    return both;
  }
  static bool any(const Row& row) { return (halves(row)[0] | halves(row)[1]) != 0; }
  std::size_t outliers(unsigned width) const;

  template <unsigned Width>
  static void pack_rows(const Row* rows, std::byte* out);
  template <unsigned Width>
  static void unpack_rows(const std::byte* packed, Row* rows);
  template <std::size_t... Width>
  static constexpr auto packers(std::index_sequence<Width...>) {
    return std::array{&pack_rows<Width>...};
  }
  template <std::size_t... Width>
  static constexpr auto unpackers(std::index_sequence<Width...>) {
    return std::array{&unpack_rows<Width>...};
  }

  unsigned unused_bits_;
  alignas(16) std::array<std::uint16_t, kLanes + kBlockSamples> cells_{};
  std::array<Row, kRows> differences_{};
  Row widest_{};  // all bits that occur in them
};

template <unsigned Width>
void ValueBlock::pack_rows(const Row* rows, std::byte* out) {
  Row word{};
  unsigned filled = 0;
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    word |= rows[i] << filled;
    filled += Width;
    if (filled < 16) continue;
    std::memcpy(out, &word, sizeof word);
    out += sizeof word;
    filled -= 16;
    word = filled == 0 ? Row{} : rows[i] >> (Width - filled);
  }
}

template <unsigned Width>
void ValueBlock::unpack_rows(const std::byte* packed, Row* rows) {
  constexpr auto mask = static_cast<std::uint16_t>((1U << Width) - 1);
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t word = i * Width / 16;
    const unsigned shift = i * Width % 16;
    Row low{};
    Row high{};
    if constexpr (Width > 0) {
      std::memcpy(&low, packed + word * sizeof low, sizeof low);
      if (shift + Width > 16) std::memcpy(&high, packed + (word + 1) * sizeof high, sizeof high);
    }
    Row value = low >> shift;
    if (shift + Width > 16) value |= high << (16 - shift);
    rows[i] = value & mask;
  }
}

inline void ValueBlock::pack(unsigned width, std::byte* out) const {
  static constexpr auto table = packers(std::make_index_sequence<17>());
  table[width](differences_.data(), out);
}

inline void ValueBlock::unpack(unsigned width, const std::byte* packed) {
  static constexpr auto table = unpackers(std::make_index_sequence<17>());
  table[width](packed, differences_.data());
}

inline void ValueBlock::to_differences() {
  Row widest{};
  Row previous = Row{} + cells_[kBefore];
  for (std::size_t i = 0; i < kRows; ++i) {
    Row value;
    std::memcpy(&value, cells_.data() + kLanes + i * kLanes, sizeof value);
    const Row before = __builtin_shufflevector(previous, value, 7, 8, 9, 10, 11, 12, 13, 14);
    previous = value;
    // Shifted to the top, the subtraction wraps at value_bits; shifted back, it has its sign.
    const auto difference = reinterpret_cast<SignedRow>((value - before) << unused_bits_) >> unused_bits_;
    differences_[i] = reinterpret_cast<Row>((difference << 1) ^ (difference >> 15));
    widest |= differences_[i];
  }
  widest_ = widest;
  cells_[kBefore] = cells_[kBefore + kBlockSamples];
}

inline std::size_t ValueBlock::outliers(unsigned width) const {
  Row fitting{};
  for (const Row& row : differences_)
    fitting -= reinterpret_cast<Row>((row >> width) == 0);  // -1 where it fits
  const auto [low, high] = halves(fitting);
  return kBlockSamples -
         ((low + high) * 0x0001'0001'0001'0001U >> 48);  // the top lane of the product is their sum
}

inline unsigned ValueBlock::best_width(std::size_t outlier_bytes) const {
  unsigned all = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    all |= widest_[lane];
  auto best = static_cast<unsigned>(std::bit_width(all));
  std::size_t least = packed_bytes(best);
  for (unsigned width = best; width-- > 0;) {
    const std::size_t size = packed_bytes(width) + outliers(width) * outlier_bytes;
    if (size >= least + packed_bytes(1)) break;  // one bit less could not make good for it
    if (size >= least) continue;
    least = size;
    best = width;
  }
  return best;
}

template <class Keep>
void ValueBlock::split_outliers(unsigned width, const Keep& keep) {
  if (width == 16) return;
  const auto mask = static_cast<std::uint16_t>((1U << width) - 1);
  for (std::size_t i = 0; i < kRows; ++i) {
    const Row above = differences_[i] >> width;
    if (!any(above)) continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (above[lane] != 0) keep(i * kLanes + lane, above[lane]);
    }
    differences_[i] &= mask;
  }
}

inline void ValueBlock::to_values() {
  const auto mask = static_cast<std::uint16_t>(0xFFFFU >> unused_bits_);
  constexpr Row zero{};
  Row before = zero + cells_[kBefore];
  for (std::size_t i = 0; i < kRows; ++i) {
    const Row folded = differences_[i];
    Row sum = (folded >> 1) ^ (zero - (folded & 1));
    // Running sum over the lanes in three steps, then on top of the row before.
    sum += __builtin_shufflevector(zero, sum, 0, 8, 9, 10, 11, 12, 13, 14);
    sum += __builtin_shufflevector(zero, sum, 0, 1, 8, 9, 10, 11, 12, 13);
    sum += __builtin_shufflevector(zero, sum, 0, 1, 2, 3, 8, 9, 10, 11);
    sum += before;
    before = __builtin_shufflevector(sum, sum, 7, 7, 7, 7, 7, 7, 7, 7);
    const Row value = sum & mask;
    std::memcpy(cells_.data() + kLanes + i * kLanes, &value, sizeof value);
  }
  cells_[kBefore] = cells_[kBefore + kBlockSamples];
}

}  // namespace rigd::store
