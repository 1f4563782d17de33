#include "store/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "fixture.hpp"
#include "store/pyramid.hpp"
#include "store/sqlite.hpp"

namespace rigd::store {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using testing::some_measurement;
using testing::some_repetitions;
using testing::some_run;
using testing::some_trace;
using testing::value_of;

const Board kBoard = {"microbit", "0011aabb", "nRF51822", "Cortex-M0"};
const Image kImage = {"c0ffee", "5a5a", "arm-none-eabi-gcc 12.2.1", "-O2", "microbit.elf", 20'000,
                      100,      3'000};
const Probe kProbe = {"ppk2", "D1E2F3", "v1.2", "abcd", "R0: 1003.3\nR1: 101.6\n"};

class StoreTest : public testing::InFolder {
 protected:
  Run stored_run(Id id) const {
    auto runs = value_of(store_.runs({.id = id}));
    if (runs.size() != 1) throw std::runtime_error("not one run");
    return runs[0];
  }
  std::int64_t count(const std::string& table) const {
    const Connection connection = value_of(Connection::open(file(), Connection::Mode::read_only));
    return value_of(connection.integer("SELECT count(*) FROM " + table));
  }

  Store store_ = value_of(Store::open(file()));
};

TEST_F(StoreTest, ARunKeepsItsWholeContext) {
  const Id id = value_of(store_.begin_run(some_run()));
  Run run = stored_run(id);
  EXPECT_EQ(run.state, RunState::running);
  EXPECT_FALSE(run.board || run.image || run.probe || run.ended_utc_ns || run.problem);

  value_of(store_.describe_run(id, {.board = kBoard, .image = kImage}));
  value_of(store_.describe_run(id, {.probe = kProbe}));
  value_of(store_.finish_run(id, RunState::finished, {}));
  run = stored_run(id);
  const Run given = some_run();
  EXPECT_EQ(run.uuid.size(), 36U);
  EXPECT_EQ(run.session, given.session);
  EXPECT_EQ(run.nonce, given.nonce);
  EXPECT_EQ(run.plan_name, given.plan_name);
  EXPECT_EQ(run.plan_text, given.plan_text);
  EXPECT_EQ(run.bench_name, given.bench_name);
  EXPECT_EQ(run.bench_text, given.bench_text);
  EXPECT_EQ(run.slot, given.slot);
  EXPECT_EQ(run.rigd_version, given.rigd_version);
  EXPECT_EQ(run.host, given.host);
  EXPECT_EQ(run.started_utc_ns, given.started_utc_ns);
  EXPECT_EQ(run.board, kBoard);
  EXPECT_EQ(run.image, kImage);
  EXPECT_EQ(run.probe, kProbe);
  EXPECT_EQ(run.state, RunState::finished);
  EXPECT_TRUE(run.ended_utc_ns);
}

TEST_F(StoreTest, EqualFactsAreSharedByRuns) {
  for (int i = 0; i < 3; ++i) {
    Run run = some_run();
    run.board = kBoard;
    run.image = kImage;
    run.probe = kProbe;
    value_of(store_.begin_run(run));
  }
  EXPECT_EQ(count("board"), 1);
  EXPECT_EQ(count("image"), 1);
  EXPECT_EQ(count("probe"), 1);
}

TEST_F(StoreTest, AFailedRunSaysWhoIsAtFault) {
  const Id id = value_of(store_.begin_run(some_run()));
  const Error error = Error(ErrorCode::adapter_missing, "no adapter with serial 123").at("slot m0");
  value_of(store_.finish_run(id, RunState::failed, Problem::of(error)));
  const Run run = stored_run(id);
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_EQ(run.problem, (Problem{"rig", "adapter_missing", "slot m0: no adapter with serial 123"}));
}

TEST_F(StoreTest, ARunEndsOnlyOnce) {
  const Id id = value_of(store_.begin_run(some_run()));
  value_of(store_.finish_run(id, RunState::finished, {}));
  EXPECT_EQ(store_.finish_run(id, RunState::finished, {}).error().code(), ErrorCode::internal);
  EXPECT_FALSE(store_.finish_run(id + 1, RunState::finished, {}));
  EXPECT_FALSE(store_.describe_run(id + 1, {.board = kBoard}));
}

TEST_F(StoreTest, AFailedEndWithoutAReasonIsRefused) {
  const Id id = value_of(store_.begin_run(some_run()));
  EXPECT_FALSE(store_.finish_run(id, RunState::failed, {}));
  EXPECT_EQ(stored_run(id).state, RunState::running);
}

TEST_F(StoreTest, RunsAreFoundByWhatTheyAre) {
  for (const char* slot : {"m0", "m4", "m0"}) {
    Run run = some_run();
    run.slot = slot;
    run.session = std::string("of-") + slot;
    value_of(store_.begin_run(run));
  }
  value_of(store_.finish_run(1, RunState::finished, {}));
  const auto ids = [&](const RunFilter& filter) {
    std::vector<Id> found;
    for (const Run& run : value_of(store_.runs(filter)))
      found.push_back(run.id);
    return found;
  };
  EXPECT_THAT(ids({}), ElementsAreArray({1, 2, 3}));
  EXPECT_THAT(ids({.slot = "m0"}), ElementsAreArray({1, 3}));
  EXPECT_THAT(ids({.session = "of-m4"}), ElementsAreArray({2}));
  EXPECT_THAT(ids({.state = RunState::running}), ElementsAreArray({2, 3}));
  EXPECT_THAT(ids({.slot = "m0", .state = RunState::finished}), ElementsAreArray({1}));
  EXPECT_THAT(ids({.newest = 2}), ElementsAreArray({2, 3}));
  EXPECT_TRUE(ids({.plan_name = "other.toml"}).empty());
  EXPECT_TRUE(ids({.since_utc_ns = some_run().started_utc_ns + 1}).empty());
}

TEST_F(StoreTest, AMeasurementComesBackAsItWent) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  const Measurement given = some_measurement(run_id);
  auto repetitions = some_repetitions(50);
  repetitions[7] = {.idx = 7, .timer_ticks = 1'000, .invalid_reason = "samples_lost"};
  const Id id = value_of(store_.commit_measurement(given, repetitions, nullptr));

  const auto measurements = value_of(store_.measurements(run_id));
  ASSERT_EQ(measurements.size(), 1U);
  const Measurement& m = measurements[0];
  EXPECT_EQ(m.id, id);
  EXPECT_EQ(m.run_id, run_id);
  EXPECT_EQ(m.case_id, given.case_id);
  EXPECT_EQ(m.library, given.library);
  EXPECT_EQ(m.provenance, given.provenance);
  EXPECT_EQ(m.size_bytes, given.size_bytes);
  EXPECT_EQ(m.inner, given.inner);
  EXPECT_EQ(m.repetitions_wanted, given.repetitions_wanted);
  EXPECT_EQ(m.warmup, given.warmup);
  EXPECT_EQ(m.gap_us, given.gap_us);
  EXPECT_EQ(m.clock_hz, given.clock_hz);
  EXPECT_EQ(m.timer_hz, given.timer_hz);
  EXPECT_EQ(m.flash_wait_states, given.flash_wait_states);
  EXPECT_EQ(m.voltage_v, given.voltage_v);
  EXPECT_EQ(m.rate_hz, given.rate_hz);
  EXPECT_EQ(m.known_answer, Verdict::passed);
  EXPECT_EQ(m.vectors, given.vectors);
  EXPECT_EQ(m.failed_vector, 0);
  EXPECT_EQ(m.digest, given.digest);
  EXPECT_EQ(m.stack_bytes, given.stack_bytes);
  EXPECT_EQ(m.heap_bytes, given.heap_bytes);
  EXPECT_EQ(m.started_utc_ns, given.started_utc_ns);
  EXPECT_TRUE(m.valid());
  EXPECT_THAT(m.statistics, ElementsAreArray(given.statistics));
  EXPECT_EQ(m.find(Metric::cycles)->provenance, Provenance::modelled);
  EXPECT_THAT(value_of(store_.repetitions(id)), ElementsAreArray(repetitions));
  EXPECT_FALSE(value_of(store_.trace_info(id)));
}

TEST_F(StoreTest, AnInvalidMeasurementKeepsItsReasonAndAbsentValues) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  Measurement given;
  given.run_id = run_id;
  given.case_id = "sha-256/hash/mbedtls";
  given.known_answer = Verdict::failed;
  given.vectors = 3;
  given.failed_vector = 2;
  given.problem = Problem::of(Error(ErrorCode::wrong_answer, "vector 2"));
  value_of(store_.commit_measurement(given, {}, nullptr));
  const Measurement m = value_of(store_.measurements(run_id))[0];
  EXPECT_FALSE(m.valid());
  EXPECT_EQ(m.problem, given.problem);
  EXPECT_EQ(m.known_answer, Verdict::failed);
  EXPECT_EQ(m.failed_vector, 2);
  EXPECT_FALSE(m.digest || m.stack_bytes || m.heap_bytes || m.voltage_v || m.rate_hz);
  EXPECT_TRUE(m.statistics.empty());
  EXPECT_EQ(m.find(Metric::energy_nj), nullptr);
}

TEST_F(StoreTest, StatisticsGoToTheirOwnMeasurement) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  for (int i = 0; i < 3; ++i) {
    Measurement m = some_measurement(run_id);
    if (i == 1) m.statistics.clear();
    if (i == 2) m.statistics = {{.metric = Metric::cycles, .provenance = Provenance::measured}};
    value_of(store_.commit_measurement(m, {}, nullptr));
  }
  const auto all = value_of(store_.measurements(run_id));
  EXPECT_EQ(all[0].statistics.size(), kAllMetrics.size());
  EXPECT_EQ(all[1].statistics.size(), 0U);
  ASSERT_EQ(all[2].statistics.size(), 1U);
  EXPECT_EQ(all[2].statistics[0].provenance, Provenance::measured);
  EXPECT_FALSE(all[2].statistics[0].median);
}

TEST_F(StoreTest, ValuesOfUnstatedProvenanceAreRefused) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  Measurement m = some_measurement(run_id);
  std::erase_if(m.statistics, [](const Statistic& s) { return s.metric == Metric::energy_nj; });
  const auto refused = store_.commit_measurement(m, some_repetitions(2), nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::internal);
  EXPECT_THAT(refused.error().text(), HasSubstr("energy_nj"));
}

TEST_F(StoreTest, OneMetricHasOneProvenance) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  Measurement m = some_measurement(run_id);
  m.statistics.push_back({.metric = Metric::cycles, .provenance = Provenance::measured});
  EXPECT_FALSE(store_.commit_measurement(m, some_repetitions(2), nullptr));
}

TEST_F(StoreTest, ARefusedMeasurementLeavesNothing) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  auto repetitions = some_repetitions(10);
  repetitions[9].idx = 3;  // twice
  const Trace trace = some_trace(1'000);
  EXPECT_FALSE(store_.commit_measurement(some_measurement(run_id), repetitions, &trace));
  EXPECT_FALSE(store_.commit_measurement(some_measurement(run_id + 1), some_repetitions(1), &trace));
  for (const char* table : {"measurement", "statistic", "repetition", "trace", "trace_chunk"}) {
    EXPECT_EQ(count(table), 0) << table;
  }
  EXPECT_TRUE(store_.commit_measurement(some_measurement(run_id), some_repetitions(10), &trace));
}

TEST_F(StoreTest, EventsComeInOrder) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  value_of(store_.add_event(run_id, {1'000, 5, "flash", EventLevel::info, "started"}));
  value_of(store_.add_event(run_id, {900, 6, "flash", EventLevel::error, "verify failed: \"x\""}));
  const auto events = value_of(store_.events(run_id));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].text, "started");
  EXPECT_EQ(events[1].at_ns, 900);
  EXPECT_EQ(events[1].utc_ns, 6);
  EXPECT_EQ(events[1].step, "flash");
  EXPECT_EQ(events[1].level, EventLevel::error);
  EXPECT_EQ(events[1].text, "verify failed: \"x\"");
  EXPECT_FALSE(store_.add_event(run_id + 1, {}));
}

TEST_F(StoreTest, ManyThreadsMayWriteAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] {
      const Id run_id = value_of(store_.begin_run(some_run()));
      for (int j = 0; j < 10; ++j) {
        value_of(store_.add_event(run_id, {}));
        value_of(store_.commit_measurement(some_measurement(run_id), some_repetitions(5), nullptr));
      }
      value_of(store_.finish_run(run_id, RunState::finished, {}));
    });
  }
  threads.clear();
  EXPECT_EQ(count("measurement"), 40);
  EXPECT_EQ(value_of(store_.runs({.state = RunState::finished})).size(), 4U);
}

class StoredTrace : public StoreTest {
 protected:
  static constexpr std::size_t kSamples = 200'000;
  static constexpr std::int64_t kFirst = 1'000;
  void SetUp() override {
    words_ = testing::synthetic_words(kSamples, testing::kNoisy, 7);
    for (std::size_t i = 100'000; i < 100'500; ++i)
      words_[i] = 0;
    current_a_ = testing::synthetic_current_a(words_);
    const Trace trace = value_of(pack_trace({kPpk2Words, 100e3, kFirst, words_, current_a_, gaps_}));
    const Id run_id = value_of(store_.begin_run(some_run()));
    id_ = value_of(store_.commit_measurement(some_measurement(run_id), some_repetitions(1), &trace));
  }
  // Min, mean, max of samples [begin, end) as offsets, gaps left out.
  Band plain_band(std::size_t begin, std::size_t end) const {
    float low = INFINITY;
    float high = -INFINITY;
    double sum = 0;
    double n = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (i >= 100'000 && i < 100'500) continue;
      low = std::min(low, current_a_[i]);
      high = std::max(high, current_a_[i]);
      sum += current_a_[i];
      ++n;
    }
    return {low, static_cast<float>(sum / n), high};
  }

  static void convert(std::span<const std::uint32_t> words, std::span<float> current_a) {
    const auto converted = testing::synthetic_current_a({words.begin(), words.end()});
    std::ranges::copy(converted, current_a.begin());
  }

  std::vector<TraceGap> gaps_ = {{kFirst + 100'000, kFirst + 100'500, 500, "counter"}};
  std::vector<std::uint32_t> words_;
  std::vector<float> current_a_;
  Id id_ = 0;
};

TEST_F(StoredTrace, KnowsItsFacts) {
  const auto info = value_of(store_.trace_info(id_));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->layout, kPpk2Words);
  EXPECT_EQ(info->rate_hz, 100e3);
  EXPECT_EQ(info->first_sample, kFirst);
  EXPECT_EQ(info->samples, static_cast<std::int64_t>(kSamples));
  EXPECT_EQ(info->gaps, gaps_);
  EXPECT_LT(static_cast<double>(info->packed_bytes), 1.25 * kSamples);
}

TEST_F(StoredTrace, GivesAnyWindowOfItsWords) {
  const auto end = kFirst + static_cast<std::int64_t>(kSamples);
  const std::pair<std::int64_t, std::int64_t> windows[] = {{kFirst, end},
                                                           {kFirst + 65'535, kFirst + 65'537},
                                                           {50'000, 140'000},
                                                           {kFirst + 65'536, kFirst + 131'072},
                                                           {end - 1, end}};
  for (const auto& [first, last] : windows) {
    const auto window = value_of(store_.trace_words(id_, first, last));
    EXPECT_EQ(window.first_sample, first);
    EXPECT_TRUE(
        std::ranges::equal(window.words, std::span(words_).subspan(static_cast<std::size_t>(first - kFirst),
                                                                   static_cast<std::size_t>(last - first))));
  }
  EXPECT_EQ(value_of(store_.trace_words(id_, -5'000, 1'010)).words.size(), 10U);
  EXPECT_EQ(value_of(store_.trace_words(id_, end, end + 100)).words.size(), 0U);
  EXPECT_EQ(store_.trace_words(id_ + 1, 0, 1).error().code(), ErrorCode::bad_argument);
}

TEST_F(StoredTrace, DrawsTheWholeFromThePyramid) {
  // 4096 samples a column: exactly one band of level 1.
  const auto bands = value_of(store_.envelope(id_, kFirst, kFirst + 40 * 4'096, 40));
  ASSERT_EQ(bands.size(), 40U);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const Band expected = plain_band(i * 4'096, (i + 1) * 4'096);
    EXPECT_EQ(bands[i].min_a, expected.min_a);
    EXPECT_EQ(bands[i].max_a, expected.max_a);
    EXPECT_NEAR(bands[i].mean_a, expected.mean_a, 1e-5 * expected.mean_a);
  }
}

TEST_F(StoredTrace, NeverDrawsLessThanWasThere) {
  // Columns that do not match the bands still cover all samples they show.
  const auto bands = value_of(store_.envelope(id_, kFirst + 777, kFirst + 777 + 150'000, 301));
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const Band expected = plain_band(777 + i * 150'000 / 301, 777 + (i + 1) * 150'000 / 301);
    EXPECT_LE(bands[i].min_a, expected.min_a);
    EXPECT_GE(bands[i].max_a, expected.max_a);
  }
}

TEST_F(StoredTrace, LooksCloserThroughTheConverter) {
  const std::int64_t from = kFirst + 99'950;
  const auto bands = value_of(store_.envelope(id_, from, from + 100, 50, &convert));
  for (std::size_t i = 0; i < 25; ++i) {
    const Band expected = plain_band(99'950 + 2 * i, 99'952 + 2 * i);
    EXPECT_EQ(bands[i].min_a, expected.min_a);
    EXPECT_EQ(bands[i].max_a, expected.max_a);
  }
  for (std::size_t i = 25; i < 50; ++i)
    EXPECT_TRUE(std::isnan(bands[i].mean_a)) << "in the gap";
}

TEST_F(StoredTrace, OutsideOfTheTraceThereIsNothingToDraw) {
  const auto bands = value_of(store_.envelope(id_, 0, 2 * kFirst, 10, &convert));
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_EQ(std::isnan(bands[i].mean_a), i < 5) << i;
  for (const Band& band : value_of(store_.envelope(id_, 1'000'000, 1'001'000, 10)))
    EXPECT_TRUE(std::isnan(band.max_a));
  EXPECT_EQ(store_.envelope(id_, 0, 0, 10).error().code(), ErrorCode::bad_argument);
  EXPECT_EQ(store_.envelope(id_, 0, 10, 0).error().code(), ErrorCode::bad_argument);
}

TEST_F(StoredTrace, ADamagedChunkIsNoticed) {
  const Connection vandal = value_of(Connection::open(file(), Connection::Mode::read_write));
  value_of(vandal.execute("UPDATE trace_chunk SET packed = substr(packed, 1, 1000) WHERE rowid = 1"));
  EXPECT_EQ(store_.trace_words(id_, kFirst, kFirst + 10).error().code(), ErrorCode::store_failure);
  EXPECT_TRUE(store_.trace_words(id_, kFirst + 70'000, kFirst + 70'010));
  value_of(vandal.execute("DELETE FROM trace_chunk WHERE rowid = 2"));
  EXPECT_EQ(store_.trace_words(id_, kFirst + 70'000, kFirst + 70'010).error().code(),
            ErrorCode::store_failure);
}

}  // namespace
}  // namespace rigd::store
