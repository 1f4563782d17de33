#include "capture/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "recordings.hpp"

namespace rigd::capture {
namespace {

using testing::alternating;
using testing::append;
using testing::kMarker;
using testing::kRateHz;

constexpr BaselineRule kRule = {.guard = 5, .least = 16, .most = 60};

std::vector<WindowCharge> charges(const Recording& recording, const BaselineRule& rule = kRule) {
  return integrate(recording, find_windows(recording, kMarker).complete, rule);
}

TEST(FindWindows, RunsFromTheFirstHighSampleToTheFirstLowOne) {
  const Windows windows = find_windows(alternating({50, 20, 40, 1, 30}), kMarker);
  ASSERT_EQ(windows.complete.size(), 2U);
  EXPECT_EQ(windows.complete[0].at, (Stretch{1050, 1070}));
  EXPECT_EQ(windows.complete[1].at, (Stretch{1110, 1111}));
  EXPECT_EQ(windows.cut, 0U);
}

TEST(FindWindows, DropsAndCountsWindowsCutByTheEnds) {
  const Windows windows = find_windows(alternating({0, 20, 40, 25, 30, 5}), kMarker);
  ASSERT_EQ(windows.complete.size(), 1U);
  EXPECT_EQ(windows.complete[0].at, (Stretch{1060, 1085}));
  EXPECT_EQ(windows.cut, 2U);
}

TEST(FindWindows, FindsNothingInNothing) {
  EXPECT_TRUE(find_windows(Recording{}, kMarker).complete.empty());
  EXPECT_TRUE(find_windows(alternating({500}), kMarker).complete.empty());
}

struct GapPlace {
  SampleIndex first;
  SampleIndex last;
  bool touches;  // window [1050, 1070)
};

class GapNearWindow : public ::testing::TestWithParam<GapPlace> {};

TEST_P(GapNearWindow, InvalidatesItExactlyWhenAnEdgeOrSampleMayBeMissing) {
  const auto [first, last, touches] = GetParam();
  Recording recording = alternating({50, 20, 50});
  recording.gaps = {{first, last, last - first, GapCause::counter}};
  for (SampleIndex at = first; at < last; ++at)
    recording.logic[at - recording.first] = 0;
  const Windows windows = find_windows(recording, kMarker);
  ASSERT_EQ(windows.complete.size(), 1U);
  EXPECT_EQ(!windows.complete[0].valid(), touches);
}

INSTANTIATE_TEST_SUITE_P(Places, GapNearWindow,
                         ::testing::Values(GapPlace{1030, 1040, false}, GapPlace{1040, 1049, false},
                                           GapPlace{1045, 1050, true}, GapPlace{1048, 1053, true},
                                           GapPlace{1055, 1060, true}, GapPlace{1060, 1070, true},
                                           GapPlace{1068, 1075, true}, GapPlace{1070, 1075, true},
                                           GapPlace{1071, 1075, false}, GapPlace{1090, 1095, false},
                                           GapPlace{1050, 1050, true}, GapPlace{1060, 1060, true},
                                           GapPlace{1049, 1049, false}));

TEST(FindWindows, AGapInsideAWindowDoesNotSplitIt) {
  Recording recording = alternating({50, 100, 50});
  recording.gaps = {{1090, 1100, 10, GapCause::counter}};
  std::fill_n(recording.logic.begin() + 90, 10, std::uint8_t{0});
  const Windows windows = find_windows(recording, kMarker);
  ASSERT_EQ(windows.complete.size(), 1U);
  EXPECT_EQ(windows.complete[0].at, (Stretch{1050, 1150}));
  EXPECT_EQ(windows.complete[0].gap->first, 1090U);
}

TEST(FindWindows, ALongGapSpoilsEveryWindowItTouchesThoughShorterOnesFollow) {
  Recording recording = alternating({50, 20, 40, 20, 40, 20, 50});
  recording.gaps = {{1000, 1180, 64, GapCause::rate}, {1075, 1076, 1, GapCause::invalid}};
  const Windows windows = find_windows(recording, kMarker);
  ASSERT_EQ(windows.complete.size(), 3U);
  for (const Window& window : windows.complete)
    EXPECT_EQ(window.gap->cause, GapCause::rate);
}

TEST(Integrate, GivesChargeTimeAndNetCharge) {
  const auto found = charges(alternating({80, 200, 80}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].duration_s, 0.002);
  EXPECT_NEAR(found[0].charge_c, 0.004 * 0.002, 1e-12);
  ASSERT_TRUE(found[0].net_charge_c);
  EXPECT_NEAR(*found[0].net_charge_c, 0.003 * 0.002, 1e-12);
  EXPECT_NEAR(found[0].current_a(), 0.004, 1e-9);
  EXPECT_DOUBLE_EQ(found[0].noise_c, 0);
}

TEST(Integrate, TakesTheBaselineBesideTheEdges) {
  const auto found = charges(alternating({80, 200, 80}));
  const Baseline& baseline = *found[0].baseline;
  EXPECT_EQ(baseline.before->at, (Stretch{1015, 1075}));
  EXPECT_EQ(baseline.after->at, (Stretch{1285, 1345}));
}

TEST(Integrate, TheBaselineIgnoresWhatTheEdgesSmear) {
  Recording recording = alternating({80, 200, 80});
  for (std::size_t i : {76U, 77U, 78U, 79U, 280U, 281U, 282U, 283U})
    recording.current_a[i] = 0.004F;
  EXPECT_NEAR(charges(recording)[0].baseline->current_a, 0.001, 1e-9);
}

TEST(Integrate, FollowsALinearDriftOfTheIdleCurrent) {
  Recording recording = alternating({80, 200, 80});
  const auto idle_a = [](std::size_t i) { return 0.001F + 1e-6F * static_cast<float>(i); };
  for (std::size_t i = 0; i < recording.current_a.size(); ++i)
    recording.current_a[i] = recording.logic[i] == 0xFF ? 0.004F + idle_a(i) : idle_a(i);
  const WindowCharge found = charges(recording)[0];
  EXPECT_NEAR(found.baseline->drift_a, 270e-6, 1e-8);
  EXPECT_NEAR(*found.net_charge_c, 0.004 * 0.002, 1e-11);
  EXPECT_GT(found.baseline->uncertainty_a, 270e-6 / (2 * std::sqrt(3.0)));
}

TEST(Integrate, AStretchEndsShortOfTheNextWindow) {
  const auto found = charges(alternating({80, 100, 30, 100, 80}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].baseline->after->at, (Stretch{1185, 1205}));
  EXPECT_EQ(found[1].baseline->before->at, (Stretch{1185, 1205}));
}

TEST(Integrate, OneSideIsEnoughAtTheEndOfARecording) {
  const auto found = charges(alternating({80, 100, 10}));
  ASSERT_TRUE(found[0].baseline);
  EXPECT_FALSE(found[0].baseline->after);
  EXPECT_NEAR(found[0].baseline->current_a, 0.001, 1e-9);
}

TEST(Integrate, WithoutEnoughIdleSamplesThereIsNoNetCharge) {
  const auto found = charges(alternating({18, 100, 18}));
  EXPECT_FALSE(found[0].baseline);
  EXPECT_FALSE(found[0].net_charge_c);
  EXPECT_GT(found[0].charge_c, 0);
}

TEST(Integrate, AGapInABaselineStretchInvalidatesItsWindowOnly) {
  Recording recording = alternating({80, 100, 400, 100, 80});
  recording.gaps = {{1220, 1225, 5, GapCause::counter}};
  const auto found = charges(recording);
  ASSERT_EQ(found.size(), 2U);
  ASSERT_FALSE(found[0].window.valid());
  EXPECT_EQ(found[0].window.gap->cause, GapCause::counter);
  EXPECT_TRUE(found[1].window.valid());
}

// The stated standard uncertainties are those seen over many windows.
TEST(Integrate, StatesTheNoiseThatManyWindowsShow) {
  std::mt19937 random(7);
  std::normal_distribution<float> noise(0, 50e-6F);
  Recording recording;
  recording.rate_hz = kRateHz;
  append(recording, 100, false, 0.001F);
  for (int i = 0; i < 2000; ++i) {
    append(recording, 100, true, 0.004F);
    append(recording, 100, false, 0.001F);
  }
  for (float& current : recording.current_a)
    current += noise(random);
  double squares = 0, stated = 0, idle_squares = 0, idle_stated = 0;
  const auto found = charges(recording);
  for (const WindowCharge& window : found) {
    squares += std::pow(window.charge_c - 0.004 * 1e-3, 2);
    stated += window.noise_c;
    idle_squares += std::pow(window.baseline->before->mean_a - 0.001, 2);
    idle_stated += window.baseline->before->standard_error_a;
  }
  const auto n = static_cast<double>(found.size());
  EXPECT_NEAR(stated / n / std::sqrt(squares / n), 1, 0.05);
  EXPECT_NEAR(idle_stated / n / std::sqrt(idle_squares / n), 1, 0.05);
}

TEST(ChargeBetween, WeighsTheEndsByTheirShare) {
  const Recording recording = alternating({50, 20, 50});
  EXPECT_NEAR(charge_between(recording, 1050, 1070), 0.004 * 20e-5, 1e-12);
  EXPECT_NEAR(charge_between(recording, 1049.75, 1070.5), (0.004 * 20 + 0.001 * 0.75) * 1e-5, 1e-12);
}

// Windows of known length at random phases: their lengths in samples scatter as edge_uncertainty_s() says.
TEST(EdgeUncertainty, IsTheScatterOfWindowLengthsAtRandomPhase) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> phase(0, 1);
  double squares = 0;
  constexpr int kWindows = 20'000;
  for (int i = 0; i < kWindows; ++i) {
    const double start = phase(random);
    const double length = 100 + phase(random);
    const double seen = std::ceil(start + length) - std::ceil(start);
    squares += (seen - length) * (seen - length);
  }
  EXPECT_NEAR(std::sqrt(squares / kWindows) / kRateHz, edge_uncertainty_s(kRateHz), 0.05e-6);
}

}  // namespace
}  // namespace rigd::capture
