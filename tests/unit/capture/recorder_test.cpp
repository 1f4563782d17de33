#include "capture/recorder.hpp"

#include <gtest/gtest.h>

#include "capture/windows.hpp"
#include "recordings.hpp"

namespace rigd::capture {
namespace {

using testing::alternating;
using testing::block;
using testing::kMarker;
using testing::kRateHz;

// Feeds a recording in blocks of `step` samples.
void feed(Recorder& recorder, const Recording& source, SampleIndex step) {
  for (SampleIndex at = source.first; at < source.end(); at += step)
    recorder.on_samples(block(source, at, std::min(at + step, source.end())));
}

TEST(Recorder, KeepsEverythingHoweverItWasCut) {
  const Recording source = alternating({50, 20, 50, 33, 50});
  for (const SampleIndex step : {1U, 7U, 64U, 1000U}) {
    Recorder recorder(kRateHz, kMarker);
    feed(recorder, source, step);
    EXPECT_EQ(recorder.complete_windows(), 2U);
    EXPECT_EQ(recorder.samples_since_last_edge(), 50U);
    const Recording kept = recorder.take();
    EXPECT_EQ(kept.first, source.first);
    EXPECT_EQ(kept.words, source.words);
    EXPECT_EQ(kept.current_a, source.current_a);
    EXPECT_EQ(kept.logic, source.logic);
    EXPECT_DOUBLE_EQ(kept.rate_hz, kRateHz);
  }
}

TEST(Recorder, BeginsAtTheSampleAskedFor) {
  const Recording source = alternating({100});
  Recorder recorder(kRateHz, kMarker, 1040);
  feed(recorder, source, 32);
  const Recording kept = recorder.take();
  EXPECT_EQ(kept.first, 1040U);
  EXPECT_EQ(kept.words.size(), 60U);
}

TEST(Recorder, CountsWindowsAsTheyEnd) {
  const Recording source = alternating({50, 20, 50});
  Recorder recorder(kRateHz, kMarker);
  recorder.on_samples(block(source, 1000, 1069));
  EXPECT_EQ(recorder.complete_windows(), 0U);
  recorder.on_samples(block(source, 1069, 1070));
  EXPECT_EQ(recorder.complete_windows(), 0U);
  recorder.on_samples(block(source, 1070, 1071));
  EXPECT_EQ(recorder.complete_windows(), 1U);
}

TEST(Recorder, KeepsTheIndexAxisThroughACounterGap) {
  const Recording source = alternating({50, 20, 80});
  Recorder recorder(kRateHz, kMarker);
  recorder.on_samples(block(source, 1000, 1030));
  recorder.on_gap({1030, 1040, 10, GapCause::counter});
  recorder.on_samples(block(source, 1040, 1150));
  const Recording kept = recorder.take();
  ASSERT_EQ(kept.words.size(), source.words.size());
  EXPECT_EQ(kept.words[30], 0U);
  EXPECT_EQ(kept.current_a[39], 0.0F);
  EXPECT_EQ(kept.words[40], source.words[40]);
  ASSERT_EQ(kept.gaps.size(), 1U);
  EXPECT_EQ(kept.gaps[0], (Gap{1030, 1040, 10, GapCause::counter}));
  EXPECT_EQ(find_windows(kept, kMarker).complete[0].at, (Stretch{1050, 1070}));
}

TEST(Recorder, SkippedSamplesAreAGapEvenWhenTheProbeDidNotSaySo) {
  const Recording source = alternating({100});
  Recorder recorder(kRateHz, kMarker);
  recorder.on_samples(block(source, 1000, 1020));
  recorder.on_samples(block(source, 1025, 1100));
  const Recording kept = recorder.take();
  ASSERT_EQ(kept.gaps.size(), 1U);
  EXPECT_EQ(kept.gaps[0], (Gap{1020, 1025, 5, GapCause::counter}));
  EXPECT_EQ(kept.end(), 1100U);
}

TEST(Recorder, ARateGapLeavesItsSamplesAndTheStreamAsTheyCome) {
  const Recording source = alternating({50, 20, 80});
  Recorder recorder(kRateHz, kMarker);
  recorder.on_samples(block(source, 1000, 1100));
  // The probe has two more words in hand than it has delivered.
  recorder.on_gap({1010, 1102, 512, GapCause::rate});
  recorder.on_samples(block(source, 1100, 1150));
  EXPECT_EQ(recorder.complete_windows(), 1U);
  const Recording kept = recorder.take();
  EXPECT_EQ(kept.words, source.words);
  const Windows windows = find_windows(kept, kMarker);
  ASSERT_EQ(windows.complete.size(), 1U);
  ASSERT_FALSE(windows.complete[0].valid());
  EXPECT_EQ(windows.complete[0].gap->cause, GapCause::rate);
}

TEST(Recorder, OrdersGapsAndCutsThemToTheRecording) {
  const Recording source = alternating({100});
  Recorder recorder(kRateHz, kMarker, 1010);
  recorder.on_samples(block(source, 1000, 1050));
  recorder.on_gap({1050, 1060, 10, GapCause::counter});
  recorder.on_samples(block(source, 1060, 1100));
  recorder.on_gap({1000, 1101, 64, GapCause::rate});
  const Recording kept = recorder.take();
  ASSERT_EQ(kept.gaps.size(), 2U);
  EXPECT_EQ(kept.gaps[0], (Gap{1010, 1100, 64, GapCause::rate}));
  EXPECT_EQ(kept.gaps[1].first, 1050U);
}

TEST(Recorder, StopsAtItsLimitAndSaysSo) {
  const Recording source = alternating({100});
  Recorder recorder(kRateHz, kMarker, 0, 64);
  recorder.on_samples(block(source, 1000, 1064));
  EXPECT_FALSE(recorder.overflowed());
  recorder.on_samples(block(source, 1064, 1065));
  EXPECT_TRUE(recorder.overflowed());
  EXPECT_EQ(recorder.take().words.size(), 64U);
}

TEST(Recorder, AnAbsurdGapCostsNoMemory) {
  const Recording source = alternating({100});
  Recorder recorder(kRateHz, kMarker, 0, 1000);
  recorder.on_samples(block(source, 1000, 1010));
  recorder.on_gap({1010, 1'000'000'000'000, 7, GapCause::counter});
  EXPECT_TRUE(recorder.overflowed());
  const Recording kept = recorder.take();
  EXPECT_EQ(kept.words.size(), 1000U);
  EXPECT_EQ(kept.gaps[0].last, kept.end());
}

TEST(Recorder, CanBeUsedAgainAfterTake) {
  const Recording source = alternating({50, 20, 50});
  Recorder recorder(kRateHz, kMarker);
  feed(recorder, source, 16);
  recorder.take();
  EXPECT_EQ(recorder.complete_windows(), 0U);
  feed(recorder, source, 16);
  EXPECT_EQ(recorder.complete_windows(), 1U);
  EXPECT_EQ(recorder.take().words, source.words);
}

}  // namespace
}  // namespace rigd::capture
