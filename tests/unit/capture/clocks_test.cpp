#include "capture/clocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace rigd::capture {
namespace {

constexpr double kSample = 1e-5;
constexpr double kTick = 1e-6;
constexpr double kLength = 0.0100053;

struct Lengths {
  std::vector<double> edge_s;
  std::vector<double> timer_s;
};

// Windows of some 10 ms, not a whole number of samples, as a probe and a board's timer see them; the timer's
// clock is off by `error`.
Lengths measure(std::size_t windows, double error) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> phase(0, 1);
  const auto seen = [&](double length, double step) {
    const double start = phase(random);
    return (std::floor(start + length / step) - std::floor(start)) * step;
  };
  Lengths lengths;
  for (std::size_t i = 0; i < windows; ++i) {
    lengths.edge_s.push_back(seen(kLength, kSample));
    lengths.timer_s.push_back(seen(kLength * (1 + error), kTick));
  }
  return lengths;
}

ClockCheck check(const Lengths& lengths) {
  return check_clocks(lengths.edge_s, lengths.timer_s, kSample, kTick);
}

TEST(CheckClocks, AgreeWithinTheirCoarseness) {
  const ClockCheck result = check(measure(50, 0));
  EXPECT_TRUE(result.agree);
  EXPECT_EQ(result.windows, 50U);
  EXPECT_LT(std::abs(result.relative_difference), 2e-4);
  EXPECT_GT(result.limit, kClockTolerance);
}

TEST(CheckClocks, FlagAClockThatIsOffByMoreThanATenthOfAPercent) {
  for (const double error : {0.003, -0.003, 0.1}) {
    const ClockCheck result = check(measure(50, error));
    EXPECT_FALSE(result.agree);
    EXPECT_NEAR(result.relative_difference, 1 / (1 + error) - 1, 2e-4);
  }
}

TEST(CheckClocks, AFewPartsPerMillionOfACrystalAreNoError) {
  EXPECT_TRUE(check(measure(50, 50e-6)).agree);
}

TEST(CheckClocks, TheLimitNarrowsWithTheNumberOfWindows) {
  EXPECT_LT(check(measure(400, 0)).limit, check(measure(4, 0)).limit);
  EXPECT_FALSE(check(measure(400, 0.0013)).agree);
  EXPECT_TRUE(check(measure(1, 0.0013)).agree);
}

// All windows 100.6 samples long and at the same phase: each is seen as 100, again and again.
TEST(CheckClocks, WindowsInStepWithTheProbeRepeatTheirErrorWithoutAlarm) {
  const std::vector<double> edge_s(50, 100 * kSample);
  const std::vector<double> timer_s(50, 100.6 * kSample);
  EXPECT_TRUE(check_clocks(edge_s, timer_s, kSample, kTick).agree);
  const std::vector<double> far_timer_s(50, 101.2 * kSample);
  EXPECT_FALSE(check_clocks(edge_s, far_timer_s, kSample, kTick).agree) << "more than a whole sample";
}

TEST(CheckClocks, ATimerThatStoodStillOrNoWindowsNeverAgree) {
  EXPECT_FALSE(check_clocks({}, {}, kSample, kTick).agree);
  const std::vector<double> edge_s = {0.01};
  const std::vector<double> stopped = {0};
  EXPECT_FALSE(check_clocks(edge_s, stopped, kSample, kTick).agree);
}

TEST(CheckCounts, TicksAreInstructionsWithinOneTick) {
  const std::vector<std::uint64_t> instructions = {1'000'000, 1'000'400};
  const std::vector<std::uint64_t> ticks = {16'000, 16'006};  // of 16 MHz: one each 62.5 instructions
  const CountCheck result = check_counts(ticks, instructions, 16e6);
  EXPECT_TRUE(result.agree);
  EXPECT_NEAR(result.worst_ticks, 0.4, 1e-9);
  EXPECT_EQ(result.worst_window, 1U);
}

TEST(CheckCounts, NamesTheWindowThatDisagrees) {
  const std::vector<std::uint64_t> instructions = {1'000'000, 1'000'000, 1'000'000};
  const std::vector<std::uint64_t> ticks = {16'000, 16'002, 16'001};
  const CountCheck result = check_counts(ticks, instructions, 16e6);
  EXPECT_FALSE(result.agree);
  EXPECT_EQ(result.disagreeing, 1U);
  EXPECT_EQ(result.worst_window, 1U);
  EXPECT_DOUBLE_EQ(result.worst_ticks, 2);
}

TEST(CheckCounts, WithoutWindowsThereIsNoAgreement) {
  EXPECT_FALSE(check_counts({}, {}, 16e6).agree);
}

}  // namespace
}  // namespace rigd::capture
