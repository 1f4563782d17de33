#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "store/pyramid.hpp"
#include "store/store_impl.hpp"

namespace rigd::store {

namespace {

// A converter with a memory (spike filter) has settled after so many samples before the first one wanted.
constexpr std::int64_t kConvertLead = 1'024;
constexpr std::size_t kMostPixels = 1'000'000;

template <class Word, std::size_t N>
Result<Word> parse(const std::string& text, const std::array<Word, N>& all) {
  for (const Word word : all) {
    if (to_string(word) == text) return word;
  }
  return fail(ErrorCode::store_failure, fmt::format("unknown word '{}' in the database", text));
}

constexpr std::array kRunStates = {RunState::running, RunState::finished, RunState::failed,
                                   RunState::interrupted};
constexpr std::array kVerdicts = {Verdict::passed, Verdict::failed, Verdict::not_run};
constexpr std::array kLevels = {EventLevel::debug, EventLevel::info, EventLevel::warning, EventLevel::error};
constexpr std::array kProvenances = {Provenance::measured, Provenance::modelled, Provenance::counted,
                                     Provenance::synthetic};

// A problem from its three columns, all NULL or none.
std::optional<Problem> problem_of(std::optional<std::string> fault, std::optional<std::string> code,
                                  std::optional<std::string> text) {
  if (!code) return std::nullopt;
  return Problem{fault.value_or(""), *code, text.value_or("")};
}

Result<Run> read_run(Statement& row) {
  Run run;
  Board board;
  Image image;
  Probe probe;
  std::optional<Id> board_id;
  std::optional<Id> image_id;
  std::optional<Id> probe_id;
  std::string state;
  std::optional<std::string> fault;
  std::optional<std::string> code;
  std::optional<std::string> text;
  row.read(run.id, run.uuid, run.session, run.nonce, run.plan_name, run.plan_text, run.bench_name,
           run.bench_text, run.slot, run.rigd_version, run.host.name, run.host.kernel, run.host.cpu,
           run.started_utc_ns, state, run.ended_utc_ns, fault, code, text, board_id, board.type,
           board.chip_uid, board.mcu, board.core, image_id, image.build_id, image.elf_sha256, image.toolchain,
           image.flags, image.file_name, image.text_bytes, image.data_bytes, image.bss_bytes, probe_id,
           probe.driver, probe.serial, probe.firmware, probe.calibration_hash, probe.calibration_text);
  RIGD_TRY(run.state, parse(state, kRunStates));
  run.problem = problem_of(fault, code, text);
  if (board_id) run.board = board;
  if (image_id) run.image = image;
  if (probe_id) run.probe = probe;
  return run;
}

Result<Measurement> read_measurement(Statement& row) {
  Measurement m;
  std::string provenance;
  std::string verdict;
  std::optional<std::string> fault;
  std::optional<std::string> code;
  std::optional<std::string> text;
  row.read(m.id, m.run_id, m.case_id, m.library, provenance, m.size_bytes, m.inner, m.repetitions_wanted,
           m.warmup, m.gap_us, m.clock_hz, m.timer_hz, m.flash_wait_states, m.voltage_v, m.rate_hz, verdict,
           m.vectors, m.failed_vector, m.digest, m.stack_bytes, m.heap_bytes, m.started_utc_ns, fault, code,
           text);
  RIGD_TRY(m.provenance, parse(provenance, kProvenances));
  RIGD_TRY(m.known_answer, parse(verdict, kVerdicts));
  m.problem = problem_of(fault, code, text);
  return m;
}

Result<Statistic> read_statistic(Statement& row, Id& measurement_id) {
  Statistic s;
  std::string metric;
  std::string provenance;
  row.read(measurement_id, metric, provenance, s.n, s.median, s.ci95_low, s.ci95_high, s.mean, s.sd, s.min,
           s.max, s.u_instrument, s.u_repeatability, s.u_expanded, s.coverage_factor);
  RIGD_TRY(s.metric, parse(metric, kAllMetrics));
  RIGD_TRY(s.provenance, parse(provenance, kProvenances));
  return s;
}

// Both come ordered by measurement.
Result<void> add_statistics(const Connection& connection, Id run_id, std::vector<Measurement>& measurements) {
  RIGD_TRY(
      Statement rows,
      connection.prepare(
          "SELECT s.measurement_id, metric, s.provenance, n, median, ci95_low, ci95_high, mean, sd, min, "
          "max, "
          "u_instrument, u_repeatability, u_expanded, coverage_factor FROM statistic s "
          "JOIN measurement m ON m.id = s.measurement_id WHERE m.run_id = ?1 ORDER BY s.measurement_id"));
  rows.start(run_id);
  auto at = measurements.begin();
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) break;
    Id measurement_id = 0;
    RIGD_TRY(const Statistic statistic, read_statistic(rows, measurement_id));
    while (at != measurements.end() && at->id < measurement_id)
      ++at;
    if (at != measurements.end() && at->id == measurement_id) at->statistics.push_back(statistic);
  }
  for (Measurement& measurement : measurements)
    std::ranges::sort(measurement.statistics, {}, &Statistic::metric);
  return {};
}

Result<std::vector<TraceGap>> gaps_of(const Connection& connection, Id measurement_id) {
  RIGD_TRY(Statement rows,
           connection.prepare("SELECT first_sample, last_sample, missing, cause FROM trace_gap "
                              "WHERE measurement_id = ?1 ORDER BY first_sample, last_sample"));
  rows.start(measurement_id);
  std::vector<TraceGap> gaps;
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) return gaps;
    TraceGap gap;
    rows.read(gap.first_sample, gap.last_sample, gap.missing, gap.cause);
    gaps.push_back(std::move(gap));
  }
}

Result<std::optional<TraceInfo>> info_of(const Connection& connection, Id measurement_id) {
  RIGD_TRY(Statement row,
           connection.prepare(
               "SELECT first_sample, samples, rate_hz, value_shift, value_bits, counter_shift, counter_bits, "
               "(SELECT coalesce(sum(length(packed)), 0) FROM trace_chunk c WHERE c.measurement_id = ?1) "
               "FROM trace WHERE measurement_id = ?1"));
  row.start(measurement_id);
  RIGD_TRY(const bool found, row.next());
  if (!found) return std::nullopt;
  TraceInfo info;
  row.read(info.first_sample, info.samples, info.rate_hz, info.layout.value_shift, info.layout.value_bits,
           info.layout.counter_shift, info.layout.counter_bits, info.packed_bytes);
  RIGD_TRY(info.gaps, gaps_of(connection, measurement_id));
  return info;
}

Result<TraceInfo> existing_trace(const Connection& connection, Id measurement_id) {
  RIGD_TRY(auto info, info_of(connection, measurement_id));
  if (!info) return fail(ErrorCode::bad_argument, fmt::format("measurement {} has no trace", measurement_id));
  return std::move(*info);
}

// [first, last) cut to the trace.
Result<TraceWindow> words_of(const Connection& connection, Id measurement_id, std::int64_t first,
                             std::int64_t last) {
  constexpr auto longest = static_cast<std::int64_t>(kChunkSamples);
  RIGD_TRY(
      Statement rows,
      connection.prepare("SELECT first_sample, samples, packed FROM trace_chunk WHERE measurement_id = ?1 "
                         "AND first_sample > ?2 AND first_sample < ?3 ORDER BY first_sample"));
  rows.start(measurement_id, first - longest, last);
  TraceWindow window{first, {}};
  window.words.reserve(static_cast<std::size_t>(last - first));
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) break;
    TraceChunk chunk;
    rows.read(chunk.first_sample, chunk.samples, chunk.packed);
    RIGD_TRY(const auto words, unpack_chunk(chunk.packed));
    if (static_cast<std::int64_t>(words.size()) != chunk.samples)
      return fail(ErrorCode::store_failure, "a trace chunk has another length than its row says");
    const auto begin = std::clamp<std::int64_t>(first - chunk.first_sample, 0, chunk.samples);
    const auto end = std::clamp<std::int64_t>(last - chunk.first_sample, 0, chunk.samples);
    window.words.insert(window.words.end(), words.begin() + begin, words.begin() + end);
  }
  if (static_cast<std::int64_t>(window.words.size()) != last - first)
    return fail(ErrorCode::store_failure, "a trace chunk is missing");
  return window;
}

// One band a sample, from the words.
Result<void> add_samples(const Connection& connection, Id measurement_id, const TraceInfo& info,
                         std::int64_t first, std::int64_t last, const Convert& convert, Columns& columns) {
  const std::int64_t lead = std::max(info.first_sample, first - kConvertLead);
  RIGD_TRY(const TraceWindow window, words_of(connection, measurement_id, lead, last));
  std::vector<float> current_a(window.words.size());
  convert(window.words, current_a);
  auto gap = info.gaps.begin();
  for (std::int64_t sample = first; sample < last; ++sample) {
    while (gap != info.gaps.end() && gap->last_sample <= sample)
      ++gap;
    if (gap != info.gaps.end() && gap->first_sample <= sample) continue;
    const float value = current_a[static_cast<std::size_t>(sample - lead)];
    columns.add(sample, sample + 1, {value, value, value});
  }
  return {};
}

// Bands of the coarsest level that is still finer than a column.
int level_for(const TraceInfo& info, std::int64_t samples_per_column) {
  int level = pyramid_levels(info.samples) - 1;
  while (level > 0 && band_samples(level) > samples_per_column)
    --level;
  return level;
}

Result<void> add_bands(const Connection& connection, Id measurement_id, const TraceInfo& info,
                       std::int64_t first, std::int64_t last, int level, Columns& columns) {
  const std::int64_t width = band_samples(level);
  RIGD_TRY(
      Statement rows,
      connection.prepare("SELECT first_sample, bands FROM trace_pyramid WHERE measurement_id = ?1 AND "
                         "level = ?2 AND first_sample > ?3 AND first_sample < ?4 ORDER BY first_sample"));
  rows.start(measurement_id, level, first - width * kPyramidRow, last);
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) return {};
    std::int64_t row_first = 0;
    std::vector<std::byte> bytes;
    rows.read(row_first, bytes);
    if (bytes.size() % sizeof(Band) != 0 || bytes.size() > sizeof(Band) * kPyramidRow)
      return fail(ErrorCode::store_failure, "a row of the pyramid is damaged");
    for (std::size_t i = 0; i < bytes.size() / sizeof(Band); ++i) {
      Band band;
      std::memcpy(&band, bytes.data() + i * sizeof band, sizeof band);
      const std::int64_t begin = row_first + static_cast<std::int64_t>(i) * width;
      columns.add(begin, std::min(begin + width, info.end_sample()), band);
    }
  }
}

}  // namespace

Result<std::vector<Run>> Store::runs(const RunFilter& filter) const {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(
      Statement rows,
      impl_->connection.prepare(
          "SELECT run.id, uuid, session, nonce, plan_name, plan_text, bench_name, bench_text, slot, "
          "rigd_version, "
          "host_name, host_kernel, host_cpu, started_utc_ns, state, ended_utc_ns, fault, error_code, "
          "error_text, "
          "board.id, type, chip_uid, mcu, core, "
          "image.id, build_id, elf_sha256, toolchain, flags, file_name, text_bytes, data_bytes, bss_bytes, "
          "probe.id, driver, serial, firmware, calibration_hash, calibration_text "
          "FROM run LEFT JOIN board ON board.id = board_id LEFT JOIN image ON image.id = image_id "
          "LEFT JOIN probe ON probe.id = probe_id "
          "WHERE (?1 IS NULL OR run.id = ?1) AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR slot = ?3) "
          "AND (?4 IS NULL OR plan_name = ?4) AND (?5 IS NULL OR state = ?5) AND (?6 IS NULL OR "
          "started_utc_ns >= ?6) "
          "ORDER BY run.id DESC LIMIT ?7"));
  const auto state = filter.state ? std::optional(to_string(*filter.state)) : std::nullopt;
  rows.start(filter.id, filter.session, filter.slot, filter.plan_name, state, filter.since_utc_ns,
             filter.newest > 0 ? filter.newest : std::int64_t{-1});
  std::vector<Run> runs;
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) break;
    RIGD_TRY(Run run, read_run(rows));
    runs.push_back(std::move(run));
  }
  std::ranges::reverse(runs);
  return runs;
}

Result<std::vector<Measurement>> Store::measurements(Id run_id) const {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Statement rows,
           impl_->connection.prepare("SELECT id, run_id, case_id, library, provenance, size_bytes, inner, "
                                     "repetitions_wanted, warmup, gap_us, clock_hz, "
                                     "timer_hz, flash_wait_states, voltage_v, rate_hz, known_answer, "
                                     "vectors, failed_vector, digest, stack_bytes, "
                                     "heap_bytes, started_utc_ns, fault, error_code, invalid_reason FROM "
                                     "measurement WHERE run_id = ?1 ORDER BY id"));
  rows.start(run_id);
  std::vector<Measurement> measurements;
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) break;
    RIGD_TRY(Measurement measurement, read_measurement(rows));
    measurements.push_back(std::move(measurement));
  }
  RIGD_CHECK(add_statistics(impl_->connection, run_id, measurements));
  return measurements;
}

Result<std::vector<Repetition>> Store::repetitions(Id measurement_id) const {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Statement rows,
           impl_->connection.prepare(
               "SELECT idx, edge_ns, timer_ticks, instructions, cycles, charge_nc, net_charge_nc, energy_nj, "
               "net_energy_nj, "
               "baseline_na, first_sample, last_sample, digest, coalesce(invalid_reason, '') FROM repetition "
               "WHERE measurement_id = ?1 ORDER BY idx"));
  rows.start(measurement_id);
  std::vector<Repetition> repetitions;
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) return repetitions;
    Repetition& r = repetitions.emplace_back();
    rows.read(r.idx, r.edge_ns, r.timer_ticks, r.instructions, r.cycles, r.charge_nc, r.net_charge_nc,
              r.energy_nj, r.net_energy_nj, r.baseline_na, r.first_sample, r.last_sample, r.digest,
              r.invalid_reason);
  }
}

Result<std::vector<Event>> Store::events(Id run_id) const {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Statement rows,
           impl_->connection.prepare(
               "SELECT at_ns, utc_ns, step, level, text FROM event WHERE run_id = ?1 ORDER BY id"));
  rows.start(run_id);
  std::vector<Event> events;
  for (;;) {
    RIGD_TRY(const bool found, rows.next());
    if (!found) return events;
    Event& event = events.emplace_back();
    std::string level;
    rows.read(event.at_ns, event.utc_ns, event.step, level, event.text);
    RIGD_TRY(event.level, parse(level, kLevels));
  }
}

Result<std::optional<TraceInfo>> Store::trace_info(Id measurement_id) const {
  const std::scoped_lock guard(impl_->mutex);
  return info_of(impl_->connection, measurement_id);
}

Result<TraceWindow> Store::trace_words(Id measurement_id, std::int64_t first_sample,
                                       std::int64_t last_sample) const {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(const TraceInfo info, existing_trace(impl_->connection, measurement_id));
  const std::int64_t first = std::clamp(first_sample, info.first_sample, info.end_sample());
  const std::int64_t last = std::clamp(last_sample, first, info.end_sample());
  return words_of(impl_->connection, measurement_id, first, last);
}

Result<std::vector<Band>> Store::envelope(Id measurement_id, std::int64_t first_sample,
                                          std::int64_t last_sample, std::size_t pixels,
                                          const Convert& convert) const {
  if (pixels == 0 || pixels > kMostPixels || first_sample >= last_sample) {
    return fail(ErrorCode::bad_argument, "a picture needs 1 to 1000000 columns and at least one sample");
  }
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(const TraceInfo info, existing_trace(impl_->connection, measurement_id));
  Columns columns(first_sample, last_sample, pixels);
  const std::int64_t first = std::max(first_sample, info.first_sample);
  const std::int64_t last = std::min(last_sample, info.end_sample());
  if (first >= last) return columns.take();
  const std::int64_t samples_per_column = (last_sample - first_sample) / static_cast<std::int64_t>(pixels);
  if (convert && samples_per_column < band_samples(0)) {
    RIGD_CHECK(add_samples(impl_->connection, measurement_id, info, first, last, convert, columns));
  } else {
    RIGD_CHECK(add_bands(impl_->connection, measurement_id, info, first, last,
                         level_for(info, samples_per_column), columns));
  }
  return columns.take();
}

}  // namespace rigd::store
