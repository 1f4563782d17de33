// JUnit XML as CI systems read it: who failed decides between <failure> (the code or the board) and <error>
// (anything else: nothing is known about the code then).
#include <fmt/format.h>

#include "base/clock.hpp"
#include "report/text.hpp"
#include "report/view.hpp"
#include "report/writers.hpp"

namespace rigd::report {

namespace {

using store::Metric;
using store::Statistic;

bool says_something_of_the_code(const store::Problem& problem) {
  return problem.fault == to_string(Fault::board) || problem.fault == to_string(Fault::regression);
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
}

std::string metric_property(const Statistic& statistic) {
  const std::string_view unit = si_unit(statistic.metric);
  const bool energy = statistic.u_expanded.has_value();
  const auto& value = energy ? statistic.mean : statistic.median;
  if (!value) return "";
  std::string text;
  if (unit.empty() || statistic.provenance == Provenance::counted)
    text = count(*value);
  else
    text = quantity(to_si(statistic.metric, *value),
                    to_si(statistic.metric, statistic.u_expanded.value_or(0)), unit);
  return property(name_of(statistic),
                  fmt::format("{} ({}, {}, n = {})", text, energy ? "mean, k = 2" : "median",
                              to_string(statistic.provenance), statistic.n));
}

std::string case_properties(const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  std::string out = property("library", measurement.library);
  out += property("known_answer", in_words(measurement.known_answer));
  out += property("inner", std::to_string(measurement.inner));
  for (const Metric metric : store::kAllMetrics)
    if (const Statistic* statistic = shown(row, metric)) out += metric_property(*statistic);
  return "      <properties>\n" + out + "      </properties>\n";
}

std::string outcome(const store::Problem& problem) {
  const std::string_view tag = says_something_of_the_code(problem) ? "failure" : "error";
  return fmt::format("      <{} type=\"{}\" message=\"{}\"/>\n", tag, escaped(problem.code),
                     escaped(in_words(problem)));
}

std::string test_case(std::string_view slot, std::string_view name, std::string_view inside) {
  return fmt::format("    <testcase classname=\"rigd.{}\" name=\"{}\">\n{}    </testcase>\n", escaped(slot),
                     escaped(name), inside);
}

std::string run_properties(const store::Run& run) {
  std::string out = property("plan", run.plan_name) + property("bench", run.bench_name) +
                    property("rigd_version", run.rigd_version) + property("run_uuid", run.uuid);
  if (run.board)
    out += property("board", run.board->type) + property("chip_uid", run.board->chip_uid) +
           property("core", run.board->core);
  if (run.image)
    out += property("build_id", run.image->build_id) + property("toolchain", run.image->toolchain);
  if (run.probe)
    out += property("probe", run.probe->driver + " " + run.probe->serial) +
           property("probe_calibration", run.probe->calibration_hash);
  return "      <properties>\n" + out + "      </properties>\n";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;

  void add(const std::optional<store::Problem>& problem) {
    ++tests;
    if (problem) ++(says_something_of_the_code(*problem) ? failures : errors);
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  }
};

Counts counts_of(const SlotReport& slot) {
  Counts counts;
  for (const CaseRow& row : slot.cases)
    counts.add(row.measurement.problem);
  if (slot.run.problem) counts.add(slot.run.problem);
  return counts;
}

// A run that ended early appears as a test case of its own: the cases it never came to would else just be
// missing.
std::string suite(const SlotReport& slot) {
  std::string out = fmt::format("  <testsuite name=\"{}\" timestamp=\"{:.19}\" {}>\n", escaped(slot.run.slot),
                                utc_text(slot.run.started_utc_ns), counts_of(slot).attributes());
  out += run_properties(slot.run);
  for (const CaseRow& row : slot.cases) {
    std::string inside = case_properties(row);
    if (row.measurement.problem) inside += outcome(*row.measurement.problem);
    out += test_case(slot.run.slot, row.label(), inside);
  }
  if (slot.run.problem) out += test_case(slot.run.slot, "whole run", outcome(*slot.run.problem));
  return out + "  </testsuite>\n";
}

}  // namespace

std::string junit(const RunReport& report) {
  Counts all;
  std::string suites;
  for (const SlotReport& slot : report.slots) {
    const Counts counts = counts_of(slot);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    suites += suite(slot);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rigd\" {}>\n{}</testsuites>\n",
      all.attributes(), suites);
}

}  // namespace rigd::report
