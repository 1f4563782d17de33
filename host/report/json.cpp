#include <boost/json.hpp>

#include "base/clock.hpp"
#include "report/text.hpp"
#include "report/view.hpp"
#include "report/writers.hpp"

namespace rigd::report {

namespace {

namespace js = boost::json;
using store::Metric;
using store::Statistic;

constexpr int kFormatVersion = 1;  // raised whenever a key changes its meaning

// A missing value is a missing key.
template <class T>
void put(js::object& object, std::string_view key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}
void put_text(js::object& object, std::string_view key, std::string_view value) {
  if (!value.empty()) object[key] = clean(value);
}

js::object problem_object(const store::Problem& problem) {
  js::object object;
  put_text(object, "fault", problem.fault);
  put_text(object, "in_words", in_words(problem.fault));
  put_text(object, "code", problem.code);
  put_text(object, "text", problem.text);
  return object;
}

js::object statistic_object(const Statistic& statistic) {
  js::object object;
  object["provenance"] = to_string(statistic.provenance);
  object["n"] = statistic.n;
  put(object, "median", statistic.median);
  if (statistic.ci95_low && statistic.ci95_high)
    object["median_ci95"] = js::array{*statistic.ci95_low, *statistic.ci95_high};
  put(object, "mean", statistic.mean);
  put(object, "sd", statistic.sd);
  put(object, "min", statistic.min);
  put(object, "max", statistic.max);
  put(object, "u_instrument", statistic.u_instrument);
  put(object, "u_repeatability", statistic.u_repeatability);
  put(object, "u_expanded", statistic.u_expanded);
  put(object, "coverage_factor", statistic.coverage_factor);
  return object;
}

js::object figure_object(const Figure& figure) {
  return {{"value", figure.value}, {"provenance", to_string(figure.provenance)}};
}

js::object operation_object(const CaseRow& row) {
  js::object object;
  for (const Metric metric : store::kAllMetrics)
    if (const Statistic* statistic = shown(row, metric))
      object[name_of(*statistic)] = statistic_object(*statistic);
  if (const auto figure = cycles_per_byte(row)) object["cycles_per_byte"] = figure_object(*figure);
  if (const auto figure = bytes_per_second(row)) object["bytes_per_second"] = figure_object(*figure);
  if (const auto figure = nj_per_byte(row)) {
    js::object per_byte = figure_object(*figure);
    per_byte["of"] = store::to_string(*energy_for_byte(row));
    object["nj_per_byte"] = std::move(per_byte);
  }
  return object;
}

js::object provenance_object(const store::Measurement& measurement) {
  js::object object;
  for (const Statistic& statistic : measurement.statistics)
    object[name_of(statistic)] = to_string(statistic.provenance);
  return object;
}

js::object repetition_object(const store::Repetition& repetition) {
  js::object object;
  object["index"] = repetition.idx;
  put(object, "edge_ns", repetition.edge_ns);
  put(object, "timer_ticks", repetition.timer_ticks);
  put(object, "instructions", repetition.instructions);
  put(object, "cycles", repetition.cycles);
  put(object, "charge_nc", repetition.charge_nc);
  put(object, "net_charge_nc", repetition.net_charge_nc);
  put(object, "energy_nj", repetition.energy_nj);
  put(object, "net_energy_nj", repetition.net_energy_nj);
  put(object, "baseline_na", repetition.baseline_na);
  put(object, "first_sample", repetition.first_sample);
  put(object, "last_sample", repetition.last_sample);
  put(object, "output_crc32", repetition.digest);
  object["valid"] = repetition.valid();
  put_text(object, "invalid_reason", repetition.invalid_reason);
  return object;
}

js::object conditions_object(const store::Measurement& measurement) {
  js::object object;
  object["inner"] = measurement.inner;
  object["repetitions_wanted"] = measurement.repetitions_wanted;
  object["warmup"] = measurement.warmup;
  object["gap_us"] = measurement.gap_us;
  object["clock_hz"] = measurement.clock_hz;
  object["timer_hz"] = measurement.timer_hz;
  object["flash_wait_states"] = measurement.flash_wait_states;
  put(object, "voltage_v", measurement.voltage_v);
  put(object, "sample_rate_hz", measurement.rate_hz);
  object["started_utc"] = utc_text(measurement.started_utc_ns);
  return object;
}

js::object case_object(const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  js::object object;
  object["case"] = clean(measurement.case_id);
  object["size_bytes"] = measurement.size_bytes;
  put_text(object, "library", measurement.library);
  object["valid"] = measurement.valid();
  if (measurement.problem) object["problem"] = problem_object(*measurement.problem);
  object["known_answer"] = {{"verdict", store::to_string(measurement.known_answer)},
                            {"vectors", measurement.vectors},
                            {"failed_vector", measurement.failed_vector}};
  object["conditions"] = conditions_object(measurement);
  put(object, "stack_bytes", measurement.stack_bytes);
  put(object, "heap_bytes", measurement.heap_bytes);
  object["one_operation"] = operation_object(row);
  object["repetition_provenance"] = provenance_object(measurement);
  js::array repetitions;
  for (const store::Repetition& repetition : row.repetitions)
    repetitions.push_back(repetition_object(repetition));
  object["repetitions"] = std::move(repetitions);
  return object;
}

js::object run_object(const SlotReport& slot) {
  const store::Run& run = slot.run;
  js::object object;
  object["slot"] = clean(run.slot);
  object["id"] = run.id;
  put_text(object, "uuid", run.uuid);
  put_text(object, "session", run.session);
  object["state"] = store::to_string(run.state);
  if (run.problem) object["problem"] = problem_object(*run.problem);
  object["started_utc"] = utc_text(run.started_utc_ns);
  if (run.ended_utc_ns) object["ended_utc"] = utc_text(*run.ended_utc_ns);
  put_text(object, "plan", run.plan_name);
  put_text(object, "bench", run.bench_name);
  put_text(object, "rigd_version", run.rigd_version);
  object["host"] = {
      {"name", clean(run.host.name)}, {"kernel", clean(run.host.kernel)}, {"cpu", clean(run.host.cpu)}};
  if (run.board)
    object["board"] = {{"type", clean(run.board->type)},
                       {"chip_uid", clean(run.board->chip_uid)},
                       {"mcu", clean(run.board->mcu)},
                       {"core", clean(run.board->core)}};
  if (run.image)
    object["image"] = {
        {"file", clean(run.image->file_name)},        {"build_id", clean(run.image->build_id)},
        {"elf_sha256", clean(run.image->elf_sha256)}, {"toolchain", clean(run.image->toolchain)},
        {"flags", clean(run.image->flags)},           {"text_bytes", run.image->text_bytes},
        {"data_bytes", run.image->data_bytes},        {"bss_bytes", run.image->bss_bytes}};
  if (run.probe)
    object["probe"] = {{"driver", clean(run.probe->driver)},
                       {"serial", clean(run.probe->serial)},
                       {"firmware", clean(run.probe->firmware)},
                       {"calibration_hash", clean(run.probe->calibration_hash)}};
  return object;
}

}  // namespace

std::string json(const RunReport& report) {
  js::object document;
  document["format"] = "rigd-report";
  document["version"] = kFormatVersion;
  put_text(document, "command", report.command);
  js::array runs;
  for (const SlotReport& slot : report.slots) {
    js::object run = run_object(slot);
    js::array cases;
    for (const CaseRow& row : slot.cases)
      cases.push_back(case_object(row));
    run["cases"] = std::move(cases);
    runs.push_back(std::move(run));
  }
  document["runs"] = std::move(runs);
  return js::serialize(document) + '\n';
}

}  // namespace rigd::report
