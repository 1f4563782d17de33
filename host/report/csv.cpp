#include <fmt/format.h>

#include "base/clock.hpp"
#include "report/text.hpp"
#include "report/view.hpp"
#include "report/writers.hpp"

namespace rigd::report {

namespace {

using store::Metric;
using store::Statistic;

// One line of fields (RFC 4180).
class Line {
 public:
  Line& text(std::string_view value) {
    const std::string safe = clean(value);
    separate();
    if (safe.find_first_of(",\"\r\n") == std::string::npos) {
      line_ += safe;
      return *this;
    }
    line_ += '"';
    for (const char c : safe)
      line_ += c == '"' ? "\"\"" : std::string(1, c);
    line_ += '"';
    return *this;
  }
  Line& number(std::int64_t value) { return text(fmt::format("{}", value)); }
  template <class Number>
  Line& number(const std::optional<Number>& value) {
    return text(value ? fmt::format("{}", *value) : std::string());
  }
  std::string take() { return std::move(line_) + "\r\n"; }

 private:
  void separate() {
    if (!first_) line_ += ',';
    first_ = false;
  }
  std::string line_;
  bool first_ = true;
};

constexpr std::string_view kMeasurementColumns =
    "slot,run,started_utc,board,chip_uid,build_id,probe,case,size_bytes,library,inner,n,"
    "time_median_ns,time_ci95_low_ns,time_ci95_high_ns,time_provenance,"
    "timer_median_ns,timer_median_instructions,timer_provenance,"
    "cycles_median,cycles_per_byte,cycles_provenance,"
    "instructions_median,instructions_provenance,"
    "charge_mean_nc,charge_u_expanded_nc,charge_provenance,"
    "energy_mean_nj,energy_u_expanded_nj,energy_u_instrument_nj,energy_u_repeatability_nj,energy_provenance,"
    "net_energy_mean_nj,net_energy_u_expanded_nj,net_energy_u_instrument_nj,net_energy_u_repeatability_nj,"
    "net_energy_provenance,coverage_factor,energy_per_byte_nj,energy_per_byte_of,"
    "stack_bytes,heap_bytes,known_answer,valid,fault,problem\r\n";

constexpr std::string_view kRepetitionColumns =
    "slot,run,case,size_bytes,inner,repetition,edge_ns,edge_provenance,timer_ticks,timer_provenance,"
    "instructions,instructions_provenance,cycles,cycles_provenance,charge_nc,net_charge_nc,charge_provenance,"
    "energy_nj,net_energy_nj,energy_provenance,baseline_na,first_sample,last_sample,output_crc32,valid,"
    "invalid_reason\r\n";

std::string provenance_of(const Statistic* statistic) {
  return statistic ? std::string(to_string(statistic->provenance)) : std::string();
}

using Member = std::optional<double> Statistic::*;

std::optional<double> value_of(const Statistic* statistic, Member member) {
  return statistic ? statistic->*member : std::nullopt;
}

void add_values(Line& line, const CaseRow& row, Metric metric, std::initializer_list<Member> members) {
  const Statistic* statistic = shown(row, metric);
  for (const Member member : members)
    line.number(value_of(statistic, member));
}

void add_identity(Line& line, const store::Run& run) {
  const store::Board board = run.board.value_or(store::Board{});
  const store::Probe probe = run.probe.value_or(store::Probe{});
  line.text(run.slot).number(run.id).text(utc_text(run.started_utc_ns)).text(board.type).text(board.chip_uid);
  line.text(run.image.value_or(store::Image{}).build_id);
  line.text(run.probe ? probe.driver + " " + probe.serial : std::string());
}

// In the column of what it counts.
void add_timer(Line& line, const CaseRow& row) {
  const auto median = value_of(shown(row, Metric::timer_ns), &Statistic::median);
  const bool time = timer_tells_time(row);
  line.number(time ? median : std::nullopt).number(time ? std::nullopt : median);
}

void add_time(Line& line, const CaseRow& row) {
  add_values(line, row, Metric::edge_ns, {&Statistic::median, &Statistic::ci95_low, &Statistic::ci95_high});
  line.text(provenance_of(shown(row, Metric::edge_ns)));
  add_timer(line, row);
  line.text(provenance_of(shown(row, Metric::timer_ns)));
  add_values(line, row, Metric::cycles, {&Statistic::median});
  const auto per_byte = cycles_per_byte(row);
  line.number(per_byte ? std::optional(per_byte->value) : std::nullopt);
  line.text(provenance_of(shown(row, Metric::cycles)));
  add_values(line, row, Metric::instructions, {&Statistic::median});
  line.text(provenance_of(shown(row, Metric::instructions)));
}

void add_energy(Line& line, const CaseRow& row) {
  add_values(line, row, Metric::charge_nc, {&Statistic::mean, &Statistic::u_expanded});
  line.text(provenance_of(shown(row, Metric::charge_nc)));
  for (const Metric metric : {Metric::energy_nj, Metric::net_energy_nj}) {
    add_values(
        line, row, metric,
        {&Statistic::mean, &Statistic::u_expanded, &Statistic::u_instrument, &Statistic::u_repeatability});
    line.text(provenance_of(shown(row, metric)));
  }
  add_values(line, row, Metric::energy_nj, {&Statistic::coverage_factor});
  const auto per_byte = nj_per_byte(row);
  line.number(per_byte ? std::optional(per_byte->value) : std::nullopt);
  line.text(!per_byte ? "" : energy_for_byte(row) == Metric::net_energy_nj ? "net" : "gross");
}

std::string measurement_line(const SlotReport& slot, const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  Line line;
  add_identity(line, slot.run);
  line.text(measurement.case_id).number(measurement.size_bytes).text(measurement.library);
  line.number(measurement.inner).number(static_cast<std::int64_t>(valid_repetitions(row)));
  add_time(line, row);
  add_energy(line, row);
  line.number(measurement.stack_bytes).number(measurement.heap_bytes);
  line.text(store::to_string(measurement.known_answer)).text(measurement.valid() ? "yes" : "no");
  line.text(measurement.problem ? in_words(measurement.problem->fault) : std::string_view());
  line.text(measurement.problem ? measurement.problem->text : std::string());
  return line.take();
}

std::string repetition_line(const SlotReport& slot, const CaseRow& row, const store::Repetition& repetition) {
  const store::Measurement& measurement = row.measurement;
  const auto provenance = [&](Metric metric) { return provenance_of(measurement.find(metric)); };
  Line line;
  line.text(slot.run.slot).number(slot.run.id).text(measurement.case_id).number(measurement.size_bytes);
  line.number(measurement.inner).number(repetition.idx);
  line.number(repetition.edge_ns).text(provenance(Metric::edge_ns));
  line.number(repetition.timer_ticks).text(provenance(Metric::timer_ns));
  line.number(repetition.instructions).text(provenance(Metric::instructions));
  line.number(repetition.cycles).text(provenance(Metric::cycles));
  line.number(repetition.charge_nc).number(repetition.net_charge_nc).text(provenance(Metric::charge_nc));
  line.number(repetition.energy_nj).number(repetition.net_energy_nj).text(provenance(Metric::energy_nj));
  line.number(repetition.baseline_na).number(repetition.first_sample).number(repetition.last_sample);
  line.text(repetition.digest ? fmt::format("{:08x}", *repetition.digest) : std::string());
  const bool valid = repetition.valid() && measurement.valid();
  line.text(valid ? "yes" : "no");
  line.text(repetition.valid() && measurement.problem ? measurement.problem->text
                                                      : repetition.invalid_reason);
  return line.take();
}

}  // namespace

std::string csv(const RunReport& report) {
  std::string out(kMeasurementColumns);
  for (const SlotReport& slot : report.slots)
    for (const CaseRow& row : slot.cases)
      out += measurement_line(slot, row);
  return out;
}

std::string repetitions_csv(const RunReport& report) {
  std::string out(kRepetitionColumns);
  for (const SlotReport& slot : report.slots)
    for (const CaseRow& row : slot.cases)
      for (const store::Repetition& repetition : row.repetitions)
        out += repetition_line(slot, row, repetition);
  return out;
}

}  // namespace rigd::report
