#include "report/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rigd::report {

namespace {

constexpr std::int64_t kColumns = 480;      // of a picture
constexpr std::size_t kWindowsAtStart = 3;  // shown closely

// The first windows with half a window of idle on both sides.
std::optional<SampleRange> range_of_first_windows(const std::vector<SampleRange>& windows,
                                                  const store::TraceInfo& info) {
  if (windows.empty()) return std::nullopt;
  const SampleRange last = windows[std::min(windows.size(), kWindowsAtStart) - 1];
  const std::int64_t margin = std::max<std::int64_t>((last.last - last.first) / 2, 10);
  return SampleRange{std::max(windows.front().first - margin, info.first_sample),
                     std::min(last.last + margin, info.end_sample())};
}

Result<std::optional<Waveform>> waveform(const store::Store& store, store::Id measurement, SampleRange range,
                                         const store::TraceInfo& info,
                                         const std::vector<SampleRange>& windows,
                                         const store::Convert& convert) {
  if (range.first >= range.last) return std::nullopt;
  const auto columns = static_cast<std::size_t>(std::min(kColumns, range.last - range.first));
  Waveform picture{range, info.rate_hz, {}, {}, {}};
  RIGD_TRY(picture.columns, store.envelope(measurement, range.first, range.last, columns, convert));
  for (const SampleRange& window : windows)
    if (window.last > range.first && window.first < range.last) picture.windows.push_back(window);
  for (const store::TraceGap& gap : info.gaps)
    if (gap.last_sample >= range.first && gap.first_sample < range.last) picture.gaps.push_back(gap);
  return picture;
}

Result<void> add_waveforms(const store::Store& store, const store::Convert& convert, CaseRow& row) {
  const store::Id id = row.measurement.id;
  RIGD_TRY(const std::optional<store::TraceInfo> info, store.trace_info(id));
  if (!info) return {};
  std::vector<SampleRange> windows;
  for (const store::Repetition& repetition : row.repetitions)
    if (repetition.first_sample && repetition.last_sample)
      windows.push_back({*repetition.first_sample, *repetition.last_sample});
  std::ranges::sort(windows, {}, &SampleRange::first);
  const SampleRange all{info->first_sample, info->end_sample()};
  RIGD_TRY(row.whole, waveform(store, id, all, *info, windows, convert));
  if (const auto start = range_of_first_windows(windows, *info)) {
    RIGD_TRY(row.start, waveform(store, id, *start, *info, windows, convert));
  }
  return {};
}

Result<CaseRow> load_case(const store::Store& store, const store::Run& run, store::Measurement measurement,
                          const ConverterOf& converter_of) {
  CaseRow row;
  row.measurement = std::move(measurement);
  RIGD_TRY(row.repetitions, store.repetitions(row.measurement.id));
  store::Convert convert;
  if (converter_of && row.measurement.voltage_v) convert = converter_of(run, *row.measurement.voltage_v);
  RIGD_CHECK(add_waveforms(store, convert, row));
  return row;
}

Result<SlotReport> load_run(const store::Store& store, store::Run run, const ConverterOf& converter_of) {
  SlotReport slot;
  slot.run = std::move(run);
  RIGD_TRY(std::vector<store::Measurement> measurements, store.measurements(slot.run.id));
  for (store::Measurement& measurement : measurements) {
    RIGD_TRY(CaseRow row, load_case(store, slot.run, std::move(measurement), converter_of));
    slot.cases.push_back(std::move(row));
  }
  return slot;
}

Result<RunReport> load_runs(const store::Store& store, std::vector<store::Run> runs,
                            const ConverterOf& converter_of) {
  RunReport report;
  std::ranges::sort(runs, {}, [](const store::Run& run) { return std::pair(run.slot, run.id); });
  for (store::Run& run : runs) {
    RIGD_TRY(SlotReport slot, load_run(store, std::move(run), converter_of));
    report.slots.push_back(std::move(slot));
  }
  return report;
}

}  // namespace

Result<RunReport> load(const store::Store& store, std::span<const store::Id> run_ids,
                       const ConverterOf& converter_of) {
  std::vector<store::Run> runs;
  for (const store::Id id : run_ids) {
    RIGD_TRY(std::vector<store::Run> found, store.runs({.id = id}));
    if (found.empty()) return fail(ErrorCode::nothing_selected, fmt::format("no run {} in the database", id));
    runs.push_back(std::move(found.front()));
  }
  return load_runs(store, std::move(runs), converter_of);
}

Result<RunReport> load_session(const store::Store& store, const std::string& session,
                               const ConverterOf& converter_of) {
  RIGD_TRY(std::vector<store::Run> runs, store.runs({.session = session}));
  if (runs.empty())
    return fail(ErrorCode::nothing_selected, fmt::format("no run of session {} in the database", session));
  return load_runs(store, std::move(runs), converter_of);
}

}  // namespace rigd::report
