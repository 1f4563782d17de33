#include "probe/ppk2/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using testing::HasSubstr;

TEST(Calibration, ConvertsThePublishedVectors) {
  const auto vectors = test::reference_vectors();
  ASSERT_EQ(vectors.size(), 10U);
  for (const auto& vector : vectors) {
    EXPECT_EQ(range_of(vector.word), vector.range);
    EXPECT_EQ(code_of(vector.word), vector.code);
    EXPECT_EQ(counter_of(vector.word), vector.counter);
    EXPECT_EQ(logic_of(vector.word), vector.logic);
    const double current = current_a(*test::unit_a().range(vector.range), vector.code, 3.0);
    EXPECT_NEAR(current * 1e6, vector.current_ua, 5.1e-7)
        << "code " << vector.code << " in range " << vector.range;
  }
}

// With 5.0 instead of 3.0 V the same words read higher by these microampere in ranges 0 to 4.
TEST(Calibration, DependsOnTheConfiguredVoltage) {
  constexpr double rise_ua[] = {0.096, 1.19, 10.6, 125, 5881};
  for (unsigned range = 0; range < kRanges; ++range) {
    const auto constants = *test::unit_a().range(range);
    const double rise = current_a(constants, 1000, 5.0) - current_a(constants, 1000, 3.0);
    EXPECT_NEAR(rise * 1e6, rise_ua[range], rise_ua[range] * 0.006);
  }
}

TEST(ConversionTable, HoldsTheFormulaRoundedToFloat) {
  for (const auto& vector : test::reference_vectors()) {
    if (vector.code == kCodeMax) continue;
    const double current = current_a(*test::unit_a().range(vector.range), vector.code, 3.0);
    EXPECT_EQ(test::table_a()[vector.word], static_cast<float>(current));
  }
}

TEST(ConversionTable, RefusesSaturatedCodesAndInvalidRanges) {
  for (std::uint32_t range = 0; range < kRanges; ++range)
    EXPECT_TRUE(std::isnan(test::table_a()[range << kCodeBits | kCodeMax]));
  for (std::uint32_t range = 5; range < 8; ++range)
    EXPECT_TRUE(std::isnan(test::table_a()[range << kCodeBits | 1000]));
}

TEST(ConversionTable, NeverExceedsWhatTheInstrumentCanMeasure) {
  unsigned convertible = 0;
  for (std::uint32_t word = 0; word <= kConversionMask; ++word) {
    const float current = test::table_a()[word];
    if (std::isnan(current)) continue;
    ASSERT_LE(std::abs(current), 1.1F);
    ++convertible;
  }
  EXPECT_GT(convertible, 3U * kCodeMax);
}

TEST(ConversionTable, NeverFallsBackToADefaultForAMissingConstant) {
  for (unsigned family = 0; family < kFamilies; ++family) {
    Calibration calibration = test::unit_a();
    calibration.constants[family][2].reset();
    const ConversionTable table(calibration, Volt(3.0));
    EXPECT_TRUE(std::isnan(table[2U << kCodeBits | 1000])) << kFamilyNames[family];
    EXPECT_FALSE(std::isnan(table[1U << kCodeBits | 1000]));
    EXPECT_TRUE(check_plausible(calibration)) << "the other ranges can be used";
  }
}

TEST(ConversionTable, TakesATrueZeroForZero) {
  ASSERT_EQ(test::unit_a().at(Family::gs, 0), 0.0);
  EXPECT_NEAR(test::table_a()[1000] * 1e6, 42.601887, 1e-5);
}

TEST(Plausibility, AcceptsAHealthyUnit) {
  EXPECT_TRUE(check_plausible(test::unit_a()));
}

TEST(Plausibility, RefusesTheDamagedUnitNamingTheKey) {
  const auto damaged = test::parse(test::data_file("metadata_b.txt")).calibration;
  const auto checked = check_plausible(damaged);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code(), ErrorCode::probe_calibration);
  EXPECT_THAT(checked.error().message(), HasSubstr("R0 is 3.09504e+27"));
}

TEST(Plausibility, RefusesEachConstantThatIsNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e30}) {
    for (unsigned family = 0; family < kFamilies; ++family) {
      for (unsigned range = 0; range < kRanges; ++range) {
        Calibration calibration = test::unit_a();
        calibration.constants[family][range] = bad;
        const auto checked = check_plausible(calibration);
        ASSERT_FALSE(checked);
        EXPECT_THAT(checked.error().message(),
                    HasSubstr(std::string(kFamilyNames[family]) + std::to_string(range) + " is "));
      }
    }
  }
}

TEST(Plausibility, RefusesACalibrationWithoutAnyConvertibleRange) {
  Calibration calibration = test::unit_a();
  for (auto& value : calibration.constants[static_cast<unsigned>(Family::s)])
    value.reset();
  EXPECT_FALSE(check_plausible(calibration));
}

TEST(Calibration, HashTellsUnitsApartAndIgnoresFormatting) {
  Calibration other = test::unit_a();
  EXPECT_EQ(other.hash(), test::unit_a().hash());
  EXPECT_EQ(other.hash().size(), 64U);
  *other.at(Family::r, 0) += 1e-4;
  EXPECT_NE(other.hash(), test::unit_a().hash());
}

}  // namespace
}  // namespace rigd::probe::ppk2
