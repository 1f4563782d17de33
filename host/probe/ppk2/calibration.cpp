#include "probe/ppk2/calibration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>

#include "base/sha256.hpp"

namespace rigd::probe::ppk2 {

namespace {

constexpr double kVoltPerCode = 1.8 / 163840;  // of the 16-bit code, hence 4 * code below

struct Limits {
  double least, most;
};

// R, GI, O, S, I4 and UG: around the published constants of five healthy units. GS and I0..I3: wide limits of
// our own, several times the largest value seen and at most a fifth of the range's full scale.
constexpr Limits kLimits[kFamilies][kRanges] = {
    {{950, 1100}, {95, 110}, {9.5, 11}, {0.90, 1.05}, {0.05, 0.065}},
    {{-10, 10}, {0, 500}, {0, 100}, {0, 15}, {0, 0.5}},
    {{0.90, 1.0}, {0.90, 1.0}, {0.90, 1.0}, {0.90, 1.0}, {0.90, 1.0}},
    {{0, 250}, {0, 250}, {0, 250}, {0, 250}, {0, 250}},
    {{-1e-6, 1e-6}, {-1e-5, 1e-5}, {-1e-4, 1e-4}, {-1e-3, 1e-3}, {-0.01, 0.01}},
    {{-1e-5, 1e-5}, {-1e-4, 1e-4}, {-1e-3, 1e-3}, {-0.01, 0.01}, {-0.02, 0.02}},
    {{0.9, 1.1}, {0.9, 1.1}, {0.9, 1.1}, {0.9, 1.1}, {0.9, 1.1}},
};

Result<void> check_constant(unsigned family, unsigned range, double value) {
  const auto [least, most] = kLimits[family][range];
  if (std::isfinite(value) && value >= least && value <= most) return {};
  return fail(ErrorCode::probe_calibration,
              fmt::format("calibration implausible: {}{} is {:g}, a healthy unit has {:g} to {:g}",
                          kFamilyNames[family], range, value, least, most));
}

}  // namespace

std::optional<RangeConstants> Calibration::range(unsigned range) const {
  std::array<double, kFamilies> value{};
  for (unsigned family = 0; family < kFamilies; ++family) {
    const std::optional<double>& constant = constants[family][range];
    if (!constant) return std::nullopt;
    value[family] = *constant;
  }
  return RangeConstants{value[0], value[1], value[2], value[3], value[4], value[5], value[6]};
}

std::string Calibration::canonical_text() const {
  std::string text;
  for (unsigned family = 0; family < kFamilies; ++family)
    for (unsigned range = 0; range < kRanges; ++range)
      if (const auto value = constants[family][range])
        text += fmt::format("{}{}: {:.17g}\n", kFamilyNames[family], range, *value);
  return text;
}

std::string Calibration::hash() const {
  const std::string text = canonical_text();
  return sha256_hex(std::as_bytes(std::span(text)));
}

Result<void> check_plausible(const Calibration& calibration) {
  bool convertible = false;
  for (unsigned range = 0; range < kRanges; ++range) {
    for (unsigned family = 0; family < kFamilies; ++family)
      if (const auto value = calibration.constants[family][range])
        RIGD_CHECK(check_constant(family, range, *value));
    convertible |= calibration.range(range).has_value();
  }
  if (!convertible)
    return fail(ErrorCode::probe_calibration, "calibration incomplete: no range has all its constants");
  return {};
}

// The grouping is that of Nordic's clients, so that results can be compared bit by bit; the build turns
// contraction to fused multiply-add off for this folder.
double current_a(const RangeConstants& c, unsigned code, double vdd_v) {
  const double x = (code * 4.0 - c.o) * (kVoltPerCode / c.r);
  return c.ug * (x * (c.gs * x + c.gi) + (c.s * vdd_v + c.i));
}

ConversionTable::ConversionTable(const Calibration& calibration, Volt vdd)
    : entries_(std::size_t{1} << kConversionBits, std::numeric_limits<float>::quiet_NaN()) {
  for (unsigned range = 0; range < kRanges; ++range) {
    const auto constants = calibration.range(range);
    if (!constants) continue;
    for (unsigned code = 0; code < kCodeMax; ++code) {
      const double current = current_a(*constants, code, vdd.value);
      if (std::abs(current) <= kMaxCurrentA)
        entries_[range << kCodeBits | code] = static_cast<float>(current);
    }
  }
}

}  // namespace rigd::probe::ppk2
