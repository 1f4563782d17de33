// The PPK2's sample word: 4 bytes, little-endian, 100 000 a second, no header and no checksum.
//
//   bits  0..13  converter code           bits 18..23  sample counter, modulo 64 (0 on firmware before
//   January 2021) bits 14..16  range 0..4, 5..7 invalid  bits 24..31  logic inputs, bit 24+n = Dn, sampled
//   with the current bit  17      battery present, no use
//
// Source: Nordic's published clients (pc-nrfconnect-ppk, ppk2-api-python) and the firmware images 1.1.0
// to 1.2.4.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rigd::probe::ppk2 {

inline constexpr double kSampleRateHz = 100'000;
inline constexpr unsigned kRanges = 5;
inline constexpr std::size_t kBytesPerWord = 4;

inline constexpr unsigned kCodeBits = 14;
inline constexpr std::uint32_t kCodeMax = (1U << kCodeBits) - 1;  // the converter is saturated
inline constexpr unsigned kConversionBits = 17;  // code and range: what the current depends on
inline constexpr std::uint32_t kConversionMask = (1U << kConversionBits) - 1;
inline constexpr unsigned kCounterShift = 18;
inline constexpr std::uint32_t kCounterMask = 63;
inline constexpr unsigned kLogicShift = 24;

constexpr std::uint32_t code_of(std::uint32_t word) {
  return word & kCodeMax;
}
constexpr unsigned range_of(std::uint32_t word) {
  return (word >> kCodeBits) & 7;
}
constexpr unsigned counter_of(std::uint32_t word) {
  return (word >> kCounterShift) & kCounterMask;
}
constexpr std::uint8_t logic_of(std::uint32_t word) {
  return static_cast<std::uint8_t>(word >> kLogicShift);
}

}  // namespace rigd::probe::ppk2
