// Lossless packing of raw device words: the codec of a trace's chunks. Pure.
//
// A word is one converted sample with its company: a value (the converter's code), a counter that goes up by
// one each sample, and the rest (range, logic inputs), which seldom changes. WordLayout says where value and
// counter sit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace rigd::store {

// Bit fields of a word. The value lies below the counter. counter_bits == 0: the words have none.
struct WordLayout {
  std::uint8_t value_shift = 0;
  std::uint8_t value_bits = 16;  // 1 ... 16
  std::uint8_t counter_shift = 0;
  std::uint8_t counter_bits = 0;  // 0 ... 16
  bool operator==(const WordLayout&) const = default;
};

// PPK2 (Nordic's pc-nrfconnect-ppk, serialDevice.ts): ADC 0..13, range 14..16, 17 unused, counter 18..23,
// logic 24..31.
inline constexpr WordLayout kPpk2Words = {0, 14, 18, 6};

inline constexpr std::size_t kChunkSamples = 65'536;  // most words of a chunk

// Packs 1 ... kChunkSamples words. Any words come back exactly; words as above come out small.
// ErrorCode::internal for an impossible layout or length.
Result<std::vector<std::byte>> pack_chunk(const WordLayout& layout, std::span<const std::uint32_t> words);

// The words of a packed chunk. Takes any bytes: ErrorCode::store_failure for a chunk that is damaged (its CRC
// tells) or was not made by pack_chunk().
Result<std::vector<std::uint32_t>> unpack_chunk(std::span<const std::byte> packed);

}  // namespace rigd::store
