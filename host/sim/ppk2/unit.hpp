// One PPK2 as it left the factory: its calibration constants, the text it answers about itself, and the way
// from a current to the word it sends. Written from the published formula and published units, independently
// of the driver.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace rigd::sim::ppk2 {

inline constexpr unsigned kRanges = 5;
using PerRange = std::array<float, kRanges>;  // float32, as the EEPROM holds them

struct Constants {
  PerRange r, gs, gi, o, s, i, ug;
};

// Sample A of the public documentation of ppk2-rs, and sample D, the EEPROM of a healthy unit published with
// ppk2-eeprom. B is the damaged unit of Nordic DevZone 92921 ("2 zetta ampere").
extern const Constants kUnitA;
extern const Constants kUnitB;
extern const Constants kUnitD;
Result<Constants> unit_named(std::string_view name);

enum class Format : std::uint8_t { y2020, v1_1, v1_2 };  // of firmware August 2020, up to 1.1.0, from 1.2.0
Result<Format> format_named(std::string_view name);

struct UnitState {
  unsigned hw = 9173;
  unsigned ia = 56;
  unsigned vdd_mv = 3000;
  unsigned mode = 2;
};

// The answer to command 0x19, up to and including "END\n".
std::string metadata_text(const Constants& unit, const UnitState& state, Format format);

// The converter's exact, unrounded code (0..16383 and beyond) at which `range` reads `current_a`:
//   x = (4 * code - O) * (1.8 / 163840) / R,  I = UG * (x * (GS * x + GI) + S * VDD + I0)
double exact_code(const Constants& unit, unsigned range, double current_a, double vdd_v);

// The range an instrument in `present` uses for this current: up at the range's end, down 10 % below the end
// of the next lower one.
unsigned choose_range(unsigned present, double current_a);

struct Sample {
  unsigned code = 0, range = 0, counter = 0, logic = 0;
};
// Bits 0..13 code, 14..16 range, 18..23 counter, 24..31 logic; sent little-endian.
constexpr std::uint32_t word_of(const Sample& sample) {
  return (sample.code & 0x3FFF) | (sample.range & 7) << 14 | (sample.counter & 63) << 18 |
         (sample.logic & 0xFF) << 24;
}

}  // namespace rigd::sim::ppk2
