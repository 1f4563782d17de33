#include "sim/ppk2/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rigd::sim::ppk2 {
namespace {

constexpr double kSamplesPerCycle = 1.0 / 160;  // 16 MHz, 100 kS/s

Edge rise(std::uint64_t cycles) {
  return {.cycles = cycles, .pin = 0, .level = true};
}
Edge fall(std::uint64_t cycles) {
  return {.cycles = cycles, .pin = 0, .level = false};
}

class TimelineTest : public testing::Test {
 protected:
  void SetUp() override { timeline_.start(); }
  Window window(std::uint64_t first, std::uint64_t last, std::uint64_t sent) {
    timeline_.edge(rise(first), sent);
    return timeline_.edge(fall(last), sent).value();
  }

  Timeline timeline_{kSamplesPerCycle, 1};
};

TEST_F(TimelineTest, KeepsTheExactDurationOfAWindow) {
  const Window placed = window(1'000, 17'077, 50);
  EXPECT_DOUBLE_EQ(placed.fall - placed.rise, 16'077 * kSamplesPerCycle);
  EXPECT_EQ(placed.first_cycles, 1'000U);
  EXPECT_EQ(placed.last_cycles, 17'077U);
}

TEST_F(TimelineTest, NeverChangesWhatWasAlreadySent) {
  for (const std::uint64_t sent : {0U, 1U, 50U, 1000U, 5000U}) {
    timeline_.start();
    EXPECT_GT(window(100, 200, sent).rise, static_cast<double>(sent) - 1);
  }
}

TEST_F(TimelineTest, KeepsAtLeastTheVirtualGap) {
  const Window first = window(0, 16'000, 0);
  const Window next = window(48'000, 64'000, 0);
  EXPECT_GE(next.rise - first.fall, 200);
  EXPECT_LT(next.rise - first.fall, 201);
}

TEST_F(TimelineTest, StretchesAGapThatTookLonger) {
  window(0, 16'000, 0);
  const Window next = window(16'160, 32'160, 5'000);
  EXPECT_GT(next.rise, 4'999);
  EXPECT_LE(next.rise, 5'000);
}

TEST_F(TimelineTest, LetsEdgesFallAnywhereBetweenTwoSamples) {
  int low_half = 0;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    const Window placed = window(n * 32'000, n * 32'000 + 16'000, n * 300);
    low_half += placed.rise - std::floor(placed.rise) < 0.5;
  }
  EXPECT_NEAR(low_half, 500, 60);
}

TEST_F(TimelineTest, KnowsNothingBeyondAnOpenWindowsLastEdge) {
  EXPECT_TRUE(std::isinf(timeline_.known_until()));
  timeline_.edge(rise(0), 10);
  EXPECT_LE(timeline_.known_until(), 11);
  timeline_.edge(fall(16'000), 10);
  EXPECT_TRUE(std::isinf(timeline_.known_until()));
}

TEST_F(TimelineTest, GivesLevelsByInstant) {
  const Window placed = window(0, 16'000, 10);
  EXPECT_EQ(timeline_.levels_at(std::floor(placed.rise)), 0);
  EXPECT_EQ(timeline_.levels_at(std::ceil(placed.rise)), 1);
  EXPECT_EQ(timeline_.levels_at(std::floor(placed.fall)), 1);
  EXPECT_EQ(timeline_.levels_at(std::ceil(placed.fall)), 0);
}

TEST_F(TimelineTest, CarriesOtherPinsAlong) {
  timeline_.edge(rise(0), 10);
  timeline_.edge({.cycles = 8'000, .pin = 1, .level = true}, 10);
  const Window placed = timeline_.edge(fall(16'000), 10).value();
  EXPECT_EQ(timeline_.levels_at(placed.rise + 49), 0b01);
  EXPECT_EQ(timeline_.levels_at(placed.rise + 51), 0b11);
  EXPECT_EQ(timeline_.levels_at(placed.fall + 1), 0b10);
}

TEST_F(TimelineTest, CountsWindowsFromTheFirstStartOn) {
  EXPECT_EQ(window(0, 100, 0).number, 0U);
  EXPECT_EQ(window(200, 300, 0).number, 1U);
  timeline_.stop();
  timeline_.edge(rise(400), 0);
  EXPECT_FALSE(timeline_.edge(fall(500), 0)) << "not sampled, not counted";
  timeline_.start();
  EXPECT_EQ(window(600, 700, 0).number, 2U);
}

TEST_F(TimelineTest, DoesNotShowAWindowThatWasOpenAtTheStart) {
  timeline_.stop();
  timeline_.edge(rise(0), 0);
  timeline_.start();
  EXPECT_EQ(timeline_.levels_at(5), 0);
  EXPECT_FALSE(timeline_.edge(fall(100), 5));
}

TEST_F(TimelineTest, EndsTheWindowOfABoardThatIsReset) {
  timeline_.edge(rise(0), 10);
  timeline_.edge(rise(5'000), 10);
  const auto placed = timeline_.edge(fall(21'000), 10);
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->first_cycles, 5'000U);
}

TEST_F(TimelineTest, LetsTheStreamGoOnAfterTheLastEdge) {
  timeline_.edge(rise(0), 10);
  timeline_.end_of_edges();
  EXPECT_TRUE(std::isinf(timeline_.known_until()));
  EXPECT_EQ(timeline_.levels_at(100), 0);
}

}  // namespace
}  // namespace rigd::sim::ppk2
