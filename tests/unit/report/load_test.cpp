#include "report/load.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "store/store.hpp"

namespace rigd::report {
namespace {

constexpr double kRate = 100e3;
constexpr std::int64_t kFirst = 1000;

// A database with one session of two runs, the first with one measurement and its trace.
class Load : public ::testing::Test {
 protected:
  Load() {
    std::string name = (std::filesystem::temp_directory_path() / "rigd-report-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = name;
    store_.emplace(value_of(store::Store::open(folder_ / "bench.db")));
    const store::Id second = begin("m4");
    const store::Id first = begin("m0");
    commit(first);
    ids_ = {second, first};
  }
  ~Load() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  template <class T>
  static T value_of(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
  }

  store::Id begin(std::string slot) {
    store::Run run;
    run.session = "evening";
    run.plan_name = "quick";
    run.slot = std::move(slot);
    run.started_utc_ns = 1;
    return value_of(store_->begin_run(run));
  }

  // Windows of 100 samples at 2 mA every 300; 1 mA between them. Words hold the current in uA.
  void commit(store::Id run) {
    std::vector<std::uint32_t> words;
    std::vector<float> current_a;
    for (int i = 0; i < 3000; ++i) {
      const bool high = i % 300 >= 100 && i % 300 < 200;
      words.push_back(high ? 2000 : 1000);
      current_a.push_back(high ? 0.002F : 0.001F);
    }
    store::Measurement measurement;
    measurement.run_id = run;
    measurement.case_id = "sha-256/hash/mbedtls";
    measurement.size_bytes = 55;
    measurement.voltage_v = 3.0;
    measurement.rate_hz = kRate;
    std::vector<store::Repetition> repetitions(10);
    for (std::int64_t i = 0; i < 10; ++i) {
      auto& repetition = repetitions[static_cast<std::size_t>(i)];
      repetition.idx = i;
      repetition.first_sample = kFirst + 300 * i + 100;
      repetition.last_sample = kFirst + 300 * i + 200;
    }
    const store::Trace trace =
        value_of(store::pack_trace({store::kPpk2Words, kRate, kFirst, words, current_a, {}}));
    value_of(store_->commit_measurement(measurement, repetitions, &trace));
  }

  std::filesystem::path folder_;
  std::optional<store::Store> store_;
  std::vector<store::Id> ids_;
};

store::Convert microamperes(const store::Run&, double) {
  return [](std::span<const std::uint32_t> words, std::span<float> current_a) {
    for (std::size_t i = 0; i < words.size(); ++i)
      current_a[i] = 1e-6F * static_cast<float>(words[i] & 0x3FFFU);
  };
}

TEST_F(Load, ASessionIsAllItsRunsInTheOrderOfSlots) {
  const RunReport report = value_of(load_session(*store_, "evening"));
  ASSERT_EQ(report.slots.size(), 2U);
  EXPECT_EQ(report.slots[0].run.slot, "m0");
  EXPECT_EQ(report.slots[1].run.slot, "m4");
  ASSERT_EQ(report.slots[0].cases.size(), 1U);
  EXPECT_EQ(report.slots[0].cases[0].label(), "sha-256/hash/mbedtls/55");
  EXPECT_EQ(report.slots[0].cases[0].repetitions.size(), 10U);
  EXPECT_TRUE(report.slots[1].cases.empty());
}

TEST_F(Load, RunsCanBeNamed) {
  const RunReport report = value_of(load(*store_, std::span(ids_).first(1)));
  ASSERT_EQ(report.slots.size(), 1U);
  EXPECT_EQ(report.slots[0].run.slot, "m4");
}

TEST_F(Load, WhatIsNotThereIsAnError) {
  EXPECT_EQ(load_session(*store_, "morning").error().code(), ErrorCode::nothing_selected);
  const std::vector<store::Id> unknown = {99};
  EXPECT_EQ(load(*store_, unknown).error().code(), ErrorCode::nothing_selected);
}

TEST_F(Load, TheWholeWaveformCoversTheTraceWithItsWindows) {
  const RunReport report = value_of(load_session(*store_, "evening", microamperes));
  const Waveform& whole = *report.slots[0].cases[0].whole;
  EXPECT_EQ(whole.shown.first, kFirst);
  EXPECT_EQ(whole.shown.last, kFirst + 3000);
  EXPECT_EQ(whole.windows.size(), 10U);
  EXPECT_EQ(whole.rate_hz, kRate);
}

TEST_F(Load, TheStartShowsThreeWindowsSampleBySample) {
  const RunReport report = value_of(load_session(*store_, "evening", microamperes));
  const Waveform& start = *report.slots[0].cases[0].start;
  EXPECT_EQ(start.shown.first, kFirst + 50);
  EXPECT_EQ(start.shown.last, kFirst + 850);
  EXPECT_EQ(start.windows.size(), 3U);
  std::size_t high = 0;
  for (const store::Band& band : start.columns)
    high += band.mean_a > 0.0015F;
  EXPECT_NEAR(static_cast<double>(high) / static_cast<double>(start.columns.size()), 300.0 / 800, 0.01);
}

TEST_F(Load, WithoutAConversionTheBandsAreThoseOfThePyramid) {
  const RunReport report = value_of(load_session(*store_, "evening"));
  const Waveform& start = *report.slots[0].cases[0].start;
  for (const store::Band& band : start.columns) {
    EXPECT_FLOAT_EQ(band.min_a, 0.001F);
    EXPECT_FLOAT_EQ(band.max_a, 0.002F);
  }
}

}  // namespace
}  // namespace rigd::report
