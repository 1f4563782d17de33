#include "analysis/budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rigd::analysis {
namespace {

// GUM example H.1 (JCGM 100:2008): calibration of a 50 mm end gauge. Contributions to u(l), in nm: 25
// (calibration of the standard), 9.7 (measured difference), 2.9 (expansion coefficients), 16.6 (temperature);
// combined 32 nm.
TEST(Budget, CombinesTheEndGaugeOfTheGum) {
  const Budget budget{
      50'000'838,
      {{"standard", Evaluation::type_b, Distribution::normal, Share::shared, 25, "certificate"},
       {"difference", Evaluation::type_a, Distribution::normal, Share::independent, 9.7, "H.1.3.2"},
       {"expansion", Evaluation::type_b, Distribution::rectangular, Share::shared, 2.9, "H.1.3.4"},
       {"temperature", Evaluation::type_b, Distribution::normal, Share::shared, 16.6, "H.1.3.5"}}};
  EXPECT_NEAR(budget.combined(), 32, 0.5);
  EXPECT_NEAR(budget.expanded(), 2 * budget.combined(), 1e-12);
  EXPECT_DOUBLE_EQ(budget.independent(), 9.7);
  EXPECT_NEAR(budget.shared(), std::sqrt(25 * 25 + 2.9 * 2.9 + 16.6 * 16.6), 1e-9);
  EXPECT_NEAR(budget.relative(budget.terms[0]), 5e-7, 1e-9);
}

TEST(Budget, ScalesWithTheResult) {
  const Budget budget{-4, {{"gain", Evaluation::type_b, Distribution::rectangular, Share::shared, 0.5, ""}}};
  const Budget half = budget.scaled(-0.5);
  EXPECT_DOUBLE_EQ(half.value, 2);
  EXPECT_DOUBLE_EQ(half.terms[0].standard, 0.25);
  EXPECT_DOUBLE_EQ(half.relative(half.terms[0]), budget.relative(budget.terms[0]));
}

TEST(Budget, AResultOfZeroHasNoRelativeUncertainty) {
  const Budget budget{0, {{"noise", Evaluation::type_a, Distribution::normal, Share::independent, 1, ""}}};
  EXPECT_TRUE(std::isinf(budget.relative(budget.terms[0])));
}

// GUM 4.3.7: u^2 = a^2 / 3.
TEST(Rectangular, HasAThirdOfItsHalfWidthSquaredAsVariance) {
  EXPECT_DOUBLE_EQ(rectangular(3), std::sqrt(3.0));
}

}  // namespace
}  // namespace rigd::analysis
