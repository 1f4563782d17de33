#include "run/case_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "store/trace.hpp"

namespace rigd::run {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kMostInner = 1'000'000;
constexpr std::uint32_t kPilotGapUs = 200;
constexpr double kSeenSamples = 3;  // a window this long shows in the probe's logic input
// The window must not fall short of its least length by the first operations having been slower than the
// rest.
constexpr double kInnerMargin = 1.05;

Duration microseconds(double us) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::micro>(us));
}

// A refusal of the board concerns this case alone; any other error ends the run.
bool concerns_the_case(const Error& error) {
  return error.code() == ErrorCode::board_refused;
}

}  // namespace

io::Awaitable<Result<std::optional<Error>>> CaseRunner::measure(const link::CaseInfo& info,
                                                                const PlannedCase& planned) {
  CaseFacts facts{rig_.setup(),
                  plan_,
                  hello_,
                  info,
                  planned.size_bytes,
                  rig_.probe().voltage(),
                  rig_.probe().capabilities().rate_hz,
                  utc_now_ns()};
  const link::CheckRequest first_check{info.index, planned.size_bytes, 1};
  Result<link::CheckResult> check =
      co_await rig_.board().check_case(first_check, Deadline::in(plan_.case_within));
  if (check && check->passed) {
    RIGD_CO_TRY(facts.inner, co_await choose_inner(info, planned));
    const link::CheckRequest full_check{info.index, planned.size_bytes, facts.inner};
    check = co_await rig_.board().check_case(full_check, Deadline::in(plan_.case_within));
  }
  if (!check && !concerns_the_case(check.error())) co_return fail(check, "known-answer test");
  if (!check || !check->passed) {
    Reduction failed = unmeasured(facts, check);
    std::optional<Error> problem = failed.problem;
    RIGD_CO_CHECK(co_await commit(std::move(failed)));
    co_return problem;
  }

  const link::RunRequest request{info.index,  planned.size_bytes, plan_.repetitions,
                                 facts.inner, plan_.gap_us,       plan_.warmup};
  Result<CaseRecord> record = co_await this->record(request);
  if (!record) co_return std::unexpected(std::move(record.error()));
  record->check = *check;
  Reduction reduction = reduce(facts, *record, rig_.probe());
  const std::string label = planned.label();
  std::optional<Error> problem = reduction.problem;
  const std::string summary = reduction.summary;
  RIGD_CO_CHECK(co_await commit(std::move(reduction)));
  if (problem)
    co_await log_.error("measure", Error(*problem).at(label));
  else
    co_await log_.info("measure", fmt::format("{}: {}", label, summary));
  co_return problem;
}

// So many operations that a window lasts at least what the plan asks for: one pilot tells how long one takes.
io::Awaitable<Result<std::uint32_t>> CaseRunner::choose_inner(const link::CaseInfo& info,
                                                              const PlannedCase& planned) {
  pilots_ = {rig_.samples().complete_windows(), 0, 0, 0};
  if (plan_.inner > 0) co_return plan_.inner;
  const double wanted_s = plan_.min_window_us * 1e-6;
  std::uint32_t inner = 1;
  for (;;) {
    RIGD_CO_TRY(const double seconds, co_await pilot_seconds(info, planned, inner));
    pilots_.seconds += seconds + 2 * kPilotGapUs * 1e-6;
    ++pilots_.run;
    if (seconds * rig_.probe().capabilities().rate_hz >= kSeenSamples) ++pilots_.seen;
    if (seconds >= wanted_s) co_return inner;
    // A clock too coarse for so short a window says nothing yet: try more of them.
    const double next = seconds > 0 ? std::ceil(inner * wanted_s * kInnerMargin / seconds) : inner * 16.0;
    if (next >= kMostInner)
      co_return fail(ErrorCode::out_of_range, fmt::format("{} operations do not fill a window of {} us",
                                                          kMostInner, plan_.min_window_us));
    const bool exact = seconds > 0.2 * wanted_s || rig_.counted_edges();
    inner = static_cast<std::uint32_t>(next);
    if (exact) co_return inner;
  }
}

// One window, on the finest clock there is: counted edges, else the board's timer.
io::Awaitable<Result<double>> CaseRunner::pilot_seconds(const link::CaseInfo& info,
                                                        const PlannedCase& planned, std::uint32_t inner) {
  const link::RunRequest request{info.index, planned.size_bytes, 1, inner, kPilotGapUs, 0};
  if (EdgeFeed* edges = rig_.counted_edges()) edges->clear();
  std::uint32_t ticks = 0;
  auto on_repetition = [&ticks](const link::Repetition& repetition) { ticks = repetition.timer_ticks; };
  const Result<link::RunOutcome> outcome = co_await rig_.board().run_case(
      request, on_repetition, plan_.case_within, Deadline::in(plan_.case_within));
  if (!outcome) co_return std::unexpected(outcome.error());
  if (EdgeFeed* edges = rig_.counted_edges()) {
    RIGD_CO_CHECK(co_await edges->wait_for_windows(1, Deadline::in(plan_.answer_within)));
    co_return static_cast<double>(edges->windows().front().cycles) / rig_.setup().board.clock_hz;
  }
  co_return static_cast<double>(ticks) / hello_.timer_hz;
}

// The stream of a probe lags behind the board: the pilots' windows must be through before a recording begins.
// Those long enough to be seen are waited for; shorter ones are given the time a stream takes.
io::Awaitable<void> CaseRunner::settle() {
  constexpr double kStreamLag_s = 0.02;  // USB, kernel and reactor together
  SampleTap& samples = rig_.samples();
  const double rate_hz = rig_.probe().capabilities().rate_hz;
  const auto lag = static_cast<capture::SampleIndex>((pilots_.seconds + kStreamLag_s) * rate_hz);
  const capture::SampleIndex late = samples.next_index() + lag;
  const std::uint64_t windows = pilots_.windows_before + pilots_.seen;
  auto through = [&samples, windows, late, all_seen = pilots_.seen == pilots_.run] {
    return (all_seen && samples.complete_windows() >= windows) || samples.next_index() >= late;
  };
  (void)co_await samples.wait_until(through, Deadline::in(plan_.case_within));
}

io::Awaitable<Result<CaseRecord>> CaseRunner::record(const link::RunRequest& request) {
  co_await settle();
  CaseRecord record;
  capture::Recorder recorder(rig_.probe().capabilities().rate_hz, rig_.setup().probe.marker_input);
  EdgeFeed* edges = rig_.counted_edges();
  if (edges) edges->clear();
  rig_.samples().record_into(&recorder);
  auto on_repetition = [&record](const link::Repetition& repetition) {
    record.repetitions.push_back(repetition);
  };
  const Result<link::RunOutcome> outcome = co_await rig_.board().run_case(
      request, on_repetition, plan_.answer_within, Deadline::in(plan_.case_within));
  if (outcome) co_await await_windows(recorder, request);
  Result<std::uint64_t> missing = 0u;
  if (outcome) missing = co_await rig_.probe().check_rate(Deadline::in(plan_.answer_within));
  rig_.samples().record_into(nullptr);
  if (!outcome) co_return std::unexpected(outcome.error());
  if (!missing) co_return std::unexpected(missing.error());
  if (edges) {
    RIGD_CO_CHECK(co_await edges->wait_for_windows(request.warmup + request.repetitions,
                                                   Deadline::in(plan_.answer_within)));
    record.counted = edges->windows();
  }
  record.done = outcome->done;
  record.overflowed = recorder.overflowed();
  record.recording = recorder.take();
  co_return record;
}

// The board is done; its last windows may still be on their way through the probe. If they do not come, the
// reduction says so.
io::Awaitable<void> CaseRunner::await_windows(capture::Recorder& recorder, const link::RunRequest& request) {
  const std::uint64_t expected = std::uint64_t{request.warmup} + request.repetitions;
  const double rate_hz = rig_.probe().capabilities().rate_hz;
  const auto gap_samples = static_cast<std::uint64_t>(request.gap_us * 1e-6 * rate_hz * 0.9);
  const double window_us = std::max<double>(plan_.min_window_us, 1000);
  const Duration patience =
      2s + microseconds(4.0 * static_cast<double>(expected) * (2.0 * request.gap_us + window_us));
  auto complete = [&recorder, expected, gap_samples] {
    return recorder.complete_windows() >= expected && recorder.samples_since_last_edge() >= gap_samples;
  };
  const Deadline deadline = Deadline::in(patience).earlier(Deadline::in(plan_.case_within));
  (void)co_await rig_.samples().wait_until(complete, deadline);
}

io::Awaitable<Result<store::Id>> CaseRunner::commit(Reduction reduction) {
  reduction.measurement.run_id = run_id_;
  auto kept = std::make_shared<Reduction>(std::move(reduction));
  auto job = [kept](store::Store& store) -> Result<store::Id> {
    if (kept->recording.words.empty())
      return store.commit_measurement(kept->measurement, kept->repetitions, nullptr);
    RIGD_TRY(const store::Trace trace, pack(kept->recording));
    return store.commit_measurement(kept->measurement, kept->repetitions, &trace);
  };
  co_return co_await store_.call(std::move(job));
}

}  // namespace rigd::run
