// The calibration constants of one PPK2 and the conversion from converter code to ampere.
//
// For range r and the configured voltage VDD in volt (also in ampere mode), as in Nordic's clients:
//
//   x = (4 * code - O[r]) * (1.8 / 163840 / R[r])
//   I = UG[r] * (x * (GS[r] * x + GI[r]) + S[r] * VDD + I[r])
//
// Published clients put a default in place of a missing constant. Here its range becomes not convertible
// instead.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "probe/ppk2/words.hpp"

namespace rigd::probe::ppk2 {

// The seven families of constants, in the order the device prints them (S, I and UG after VDD, HW and mode).
enum class Family : std::uint8_t { r, gs, gi, o, s, i, ug };
inline constexpr unsigned kFamilies = 7;
inline constexpr std::array<std::string_view, kFamilies> kFamilyNames{"R", "GS", "GI", "O", "S", "I", "UG"};

struct RangeConstants {
  double r = 0, gs = 0, gi = 0, o = 0, s = 0, i = 0, ug = 0;
};

struct Calibration {
  std::array<std::array<std::optional<double>, kRanges>, kFamilies> constants;

  std::optional<double>& at(Family family, unsigned range) {
    return constants[static_cast<unsigned>(family)][range];
  }
  std::optional<double> at(Family family, unsigned range) const {
    return constants[static_cast<unsigned>(family)][range];
  }

  // All seven constants of a range, or nothing if one is missing.
  std::optional<RangeConstants> range(unsigned range) const;

  // One "KEY: value" a line, the same text whatever the number of digits the device printed trailing zeros
  // to.
  std::string canonical_text() const;
  // SHA-256 of canonical_text(), lower-case hex.
  std::string hash() const;
};

// Refuses constants no healthy unit has: not finite, or outside limits drawn around five healthy units and
// two damaged ones. Also refuses a calibration without a single convertible range. The error names the key.
Result<void> check_plausible(const Calibration& calibration);

// Ampere for one converter code (0..16383), in double precision, by the formula above.
double current_a(const RangeConstants& constants, unsigned code, double vdd_v);

// Highest current the instrument is made for, with margin (it measures to 1 A): what converts to more is not
// a current but a broken word, and is never handed out.
inline constexpr double kMaxCurrentA = 1.1;

// The current for every code and range, index = word & kConversionMask. NaN where a word must not be
// converted: ranges 5 to 7, ranges with a missing constant, saturated codes, currents beyond kMaxCurrentA.
class ConversionTable {
 public:
  ConversionTable(const Calibration& calibration, Volt vdd);

  float operator[](std::uint32_t word) const { return entries_[word & kConversionMask]; }
  const float* data() const { return entries_.data(); }

 private:
  std::vector<float> entries_;
};

}  // namespace rigd::probe::ppk2
