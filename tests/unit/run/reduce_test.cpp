#include "run/reduce.hpp"

#include <gtest/gtest.h>

namespace rigd::run {
namespace {

constexpr double kRateHz = 100'000;
constexpr std::size_t kWindowSamples = 200;  // 2 ms
constexpr std::size_t kGapSamples = 100;     // 1 ms
constexpr float kRunA = 0.020F;
constexpr float kIdleA = 0.005F;

class PerfectProbe final : public probe::Probe {
 public:
  probe::Capabilities capabilities() const override { return {kRateHz, 8, true, false}; }
  io::Awaitable<Result<probe::Identity>> open(Deadline) override { co_return probe::Identity{}; }
  io::Awaitable<Result<void>> set_power(bool, Deadline) override { co_return Result<void>(); }
  io::Awaitable<Result<void>> stream(probe::SampleSink&) override { co_return Result<void>(); }
  io::Awaitable<Result<void>> stop(Deadline) override { co_return Result<void>(); }
  io::Awaitable<Result<std::uint64_t>> check_rate(Deadline) override { co_return 0u; }
  probe::Accuracy accuracy(Ampere) const override { return {0.1, 50e-6, 0.015}; }
  Volt voltage() const override { return Volt(3.0); }
};

// A physical board whose timer tells time, three repetitions after one warm-up.
class Reduce : public testing::Test {
 protected:
  Reduce() {
    slot_.name = "a";
    slot_.board.kind = bench::BoardKind::physical;
    slot_.board.timer_counts = bench::TimerCounts::time;
    slot_.board.clock_hz = 32e6;
    plan_.repetitions = 3;
    plan_.warmup = 1;
    plan_.gap_us = 1000;
    hello_.timer_hz = 1'000'000;
    info_.id = "sha-256/hash/mbedtls";
    record_.check = {true, 2, 0, 0xCAFE};
    record_.recording.rate_hz = kRateHz;
    add_samples(kGapSamples, kIdleA, 0);
    for (std::uint32_t i = 0; i < plan_.warmup + plan_.repetitions; ++i) {
      add_samples(kWindowSamples, kRunA, 1);
      add_samples(kGapSamples, kIdleA, 0);
      if (i > 0) record_.repetitions.push_back({i - 1, 2000, 0, 0xCAFE});
    }
  }

  void add_samples(std::size_t count, float current_a, std::uint8_t logic) {
    capture::Recording& recording = record_.recording;
    recording.words.insert(recording.words.end(), count, 0);
    recording.current_a.insert(recording.current_a.end(), count, current_a);
    recording.logic.insert(recording.logic.end(), count, logic);
  }
  Reduction reduced() {
    const CaseFacts facts{slot_, plan_, hello_, info_, 55, Volt(3.0), kRateHz, 0, inner_};
    return reduce(facts, record_, PerfectProbe());
  }
  ErrorCode problem() {
    const Reduction reduction = reduced();
    return reduction.problem ? reduction.problem->code() : ErrorCode::internal;
  }

  bench::SlotSetup slot_;
  Plan plan_;
  link::Hello hello_;
  link::CaseInfo info_;
  std::uint32_t inner_ = 4;
  CaseRecord record_;
};

TEST_F(Reduce, ChargeIsCurrentTimesTimeAndNetIsLessTheIdleLevel) {
  const Reduction reduction = reduced();
  ASSERT_FALSE(reduction.problem) << reduction.problem->text();
  ASSERT_EQ(reduction.repetitions.size(), 3u);
  const store::Repetition& first = reduction.repetitions[0];
  EXPECT_DOUBLE_EQ(*first.edge_ns, 2e6);
  EXPECT_NEAR(*first.charge_nc, 0.020 * 2e-3 * 1e9, 1e-2);
  EXPECT_NEAR(*first.net_charge_nc, 0.015 * 2e-3 * 1e9, 1e-2);
  EXPECT_NEAR(*first.energy_nj, 3.0 * *first.charge_nc, 1e-6);
  EXPECT_NEAR(*first.baseline_na, 0.005 * 1e9, 1);
}

TEST_F(Reduce, StatisticsAreOfOneOperation) {
  const Reduction reduction = reduced();
  const store::Statistic* charge = reduction.measurement.find(store::Metric::charge_nc);
  ASSERT_TRUE(charge);
  EXPECT_EQ(charge->n, 3);
  EXPECT_NEAR(*charge->mean, 40'000.0 / inner_, 1e-2);
  EXPECT_NEAR(*reduction.measurement.find(store::Metric::timer_ns)->median, 2e6 / inner_, 1e-6);
}

TEST_F(Reduce, WarmUpsAreNoRepetitions) {
  EXPECT_EQ(reduced().repetitions[0].first_sample,
            static_cast<std::int64_t>(2 * kGapSamples + kWindowSamples));
}

TEST_F(Reduce, NumbersOfAPhysicalBoardAreMeasured) {
  for (const store::Statistic& row : reduced().measurement.statistics)
    EXPECT_EQ(row.provenance, Provenance::measured) << to_string(row.metric);
}

TEST_F(Reduce, NumbersOfASimulatedBoardNeverAre) {
  slot_.board.kind = bench::BoardKind::simulated;
  slot_.board.timer_counts = bench::TimerCounts::instructions;
  slot_.counter = bench::CounterSetup{"edges.sock"};
  record_.counted.assign(4, {2'000'000, 64'000});
  const Reduction reduction = reduced();
  ASSERT_FALSE(reduction.problem) << reduction.problem->text();
  EXPECT_EQ(reduction.measurement.find(store::Metric::cycles)->provenance, Provenance::modelled);
  EXPECT_EQ(reduction.measurement.find(store::Metric::timer_ns)->provenance, Provenance::counted);
  for (const store::Statistic& row : reduction.measurement.statistics)
    EXPECT_NE(row.provenance, Provenance::measured) << to_string(row.metric);
}

TEST_F(Reduce, ATimerOffByMoreThanAThousandthFlagsTheMeasurement) {
  for (link::Repetition& answer : record_.repetitions)
    answer.timer_ticks = 2030;
  EXPECT_EQ(problem(), ErrorCode::clocks_disagree);
}

TEST_F(Reduce, AnInstructionCountOffByMoreThanATickFlagsTheMeasurement) {
  slot_.board.kind = bench::BoardKind::simulated;
  slot_.board.timer_counts = bench::TimerCounts::instructions;
  slot_.counter = bench::CounterSetup{"edges.sock"};
  record_.counted.assign(4, {2'001'500, 64'000});
  EXPECT_EQ(problem(), ErrorCode::clocks_disagree);
}

TEST_F(Reduce, AnotherOutputIsAWrongDigestWhateverElseHappened) {
  record_.repetitions[1].digest = 0xBEEF;
  record_.recording.gaps.push_back({150, 160, 10, capture::GapCause::counter});
  EXPECT_EQ(problem(), ErrorCode::wrong_digest);
}

TEST_F(Reduce, AGapInAWindowCostsThatRepetitionAndFlagsTheMeasurement) {
  const capture::SampleIndex inside = 2 * kGapSamples + kWindowSamples + 50;
  record_.recording.gaps.push_back({inside, inside + 7, 7, capture::GapCause::counter});
  const Reduction reduction = reduced();
  EXPECT_EQ(reduction.problem->code(), ErrorCode::samples_lost);
  EXPECT_FALSE(reduction.repetitions[0].valid());
  EXPECT_FALSE(reduction.repetitions[0].charge_nc);
  EXPECT_TRUE(reduction.repetitions[1].valid());
}

TEST_F(Reduce, AMissingWindowIsNeverGuessed) {
  std::fill_n(record_.recording.logic.begin() + kGapSamples, kWindowSamples, std::uint8_t{0});
  const Reduction reduction = reduced();
  EXPECT_EQ(reduction.problem->code(), ErrorCode::windows_missing);
  for (const store::Repetition& row : reduction.repetitions)
    EXPECT_FALSE(row.valid());
}

TEST_F(Reduce, ALostAnswerFlagsTheMeasurement) {
  record_.repetitions.pop_back();
  EXPECT_EQ(problem(), ErrorCode::windows_missing);
}

TEST_F(Reduce, ValuesOfInvalidRepetitionsStillHaveAProvenance) {
  record_.recording.gaps.push_back({0, record_.recording.end(), 512, capture::GapCause::rate});
  const Reduction reduction = reduced();
  EXPECT_EQ(reduction.problem->code(), ErrorCode::samples_lost);
  const store::Statistic* timer = reduction.measurement.find(store::Metric::timer_ns);
  ASSERT_TRUE(timer);
  EXPECT_EQ(timer->n, 0);
  EXPECT_FALSE(timer->median);
}

}  // namespace
}  // namespace rigd::run
