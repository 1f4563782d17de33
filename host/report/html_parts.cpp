#include "report/html_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "report/svg.hpp"
#include "report/text.hpp"
#include "report/view.hpp"

namespace rigd::report {

namespace {

using store::Metric;
using store::Statistic;

std::string si_text(Metric metric, double value) {
  const std::string_view unit = si_unit(metric);
  return unit.empty() ? count(value) : quantity(to_si(metric, value), unit, Glyphs::unicode);
}

// <td> with a number, what belongs to it, and where it comes from.
std::string cell(std::string_view number, std::string_view detail, Provenance provenance) {
  return fmt::format("<td>{} <small>{}{}</small></td>", escaped(number), escaped(detail),
                     to_string(provenance));
}
std::string absent_cell() {
  return "<td>–</td>";
}

std::string median_cell(const CaseRow& row, Metric metric, bool with_interval) {
  const Statistic* statistic = shown(row, metric);
  if (!statistic || !statistic->median) return absent_cell();
  if (metric == Metric::timer_ns && !timer_tells_time(row))
    return cell(count(*statistic->median) + " instr.", "", statistic->provenance);
  std::string detail;
  if (with_interval && statistic->ci95_low && statistic->ci95_high)
    detail = *statistic->ci95_low == *statistic->ci95_high
                 ? "all equal, "
                 : interval(to_si(metric, *statistic->ci95_low), to_si(metric, *statistic->ci95_high),
                            si_unit(metric), Glyphs::unicode) +
                       ", ";
  return cell(si_text(metric, *statistic->median), detail, statistic->provenance);
}

std::string part_of(const Statistic& statistic, std::optional<double> Statistic::* part) {
  if (!(statistic.*part)) return std::string(kAbsent);
  const double expanded = *(statistic.*part) * statistic.coverage_factor.value_or(2);
  return rounded(to_si(statistic.metric, expanded), si_unit(statistic.metric), Glyphs::unicode);
}

std::string mean_text(const Statistic& statistic) {
  return quantity(to_si(statistic.metric, *statistic.mean),
                  to_si(statistic.metric, statistic.u_expanded.value_or(0)), si_unit(statistic.metric),
                  Glyphs::unicode);
}

std::string mean_cell(const CaseRow& row, Metric metric, bool with_parts) {
  const Statistic* statistic = shown(row, metric);
  if (!statistic || !statistic->mean) return absent_cell();
  std::string detail;
  if (with_parts && statistic->u_instrument)
    detail = fmt::format("instrument {},\nrepeatability {},\n", part_of(*statistic, &Statistic::u_instrument),
                         part_of(*statistic, &Statistic::u_repeatability));
  return cell(mean_text(*statistic), detail, statistic->provenance);
}

std::string figure_cell(const std::optional<Figure>& figure, std::string_view detail = "") {
  return figure ? cell(ratio(figure->value), detail, figure->provenance) : absent_cell();
}

std::string energy_per_byte_cell(const CaseRow& row) {
  return figure_cell(nj_per_byte(row), energy_for_byte(row) == Metric::net_energy_nj ? "net, " : "gross, ");
}

std::string bytes_cell(const std::optional<std::int64_t>& bytes) {
  return bytes ? fmt::format("<td>{} B</td>", *bytes) : absent_cell();
}

std::string verdict_cell(const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  if (measurement.known_answer == store::Verdict::passed)
    return fmt::format("<td class=\"left good\">✓ passed <small>{} vectors</small></td>",
                       measurement.vectors);
  if (measurement.known_answer == store::Verdict::failed)
    return fmt::format("<td class=\"left bad\">✗ failed <small>vector {} of {}</small></td>",
                       measurement.failed_vector, measurement.vectors);
  return "<td class=\"left warn\">not run</td>";
}

std::string_view problem_class(const store::Problem& problem) {
  return problem.fault == to_string(Fault::board) || problem.fault == to_string(Fault::regression) ? "bad"
                                                                                                   : "warn";
}

std::string validity_cell(const CaseRow& row) {
  const auto& problem = row.measurement.problem;
  if (!problem) return "<td class=\"left good\">✓ valid</td>";
  return fmt::format("<td class=\"left {}\">{} <small>{}</small></td>", problem_class(*problem),
                     escaped(in_words(problem->fault)), escaped(problem->code));
}

std::string table_row(const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  std::string out =
      fmt::format("<tr><td>{} <small>{}</small></td>", escaped(row.label()), escaped(measurement.library));
  out += validity_cell(row) + verdict_cell(row);
  out += fmt::format("<td>{} <small>× {}</small></td>", valid_repetitions(row), measurement.inner);
  out += median_cell(row, Metric::edge_ns, true) + median_cell(row, Metric::timer_ns, false);
  out += median_cell(row, Metric::cycles, false) + figure_cell(cycles_per_byte(row));
  out += median_cell(row, Metric::instructions, false) + mean_cell(row, Metric::charge_nc, false);
  out += mean_cell(row, Metric::energy_nj, true) + mean_cell(row, Metric::net_energy_nj, true);
  return out + energy_per_byte_cell(row) + bytes_cell(measurement.stack_bytes) + "</tr>\n";
}

// One operation's value of a metric in each valid repetition, in SI.
std::vector<double> values_of(const CaseRow& row, Metric metric,
                              std::optional<double> store::Repetition::* member) {
  std::vector<double> values;
  if (!shown(row, metric)) return values;
  for (const store::Repetition& repetition : row.repetitions)
    if (repetition.valid() && repetition.*member)
      values.push_back(to_si(metric, *(repetition.*member) / static_cast<double>(row.measurement.inner)));
  return values;
}

std::string figure(std::string_view caption, std::string_view svg) {
  if (svg.empty()) return {};
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", svg, escaped(caption));
}

std::optional<double> in_si(Metric metric, const std::optional<double>& value) {
  return value ? std::optional(to_si(metric, *value)) : std::nullopt;
}

std::string strip(const CaseRow& row, Metric metric, std::optional<double> store::Repetition::* member,
                  std::string_view what) {
  const std::vector<double> values = values_of(row, metric, member);
  if (values.empty()) return {};
  const Statistic& statistic = *shown(row, metric);
  const std::string caption = fmt::format("{} of one operation in {} repetitions, {}", what, values.size(),
                                          to_string(statistic.provenance));
  const Strip picture{values, si_unit(metric), in_si(metric, statistic.median),
                      in_si(metric, statistic.ci95_low), in_si(metric, statistic.ci95_high)};
  const std::string svg = strip_svg(picture, caption);
  if (!svg.empty()) return figure(caption, svg);
  return fmt::format("<p>{}: all equal, {}</p>\n", escaped(caption),
                     escaped(quantity(values.front(), si_unit(metric), Glyphs::unicode)));
}

std::string waveforms(const CaseRow& row) {
  const Statistic* charge = row.measurement.find(Metric::charge_nc);
  const std::string origin = charge ? fmt::format(", {}", to_string(charge->provenance)) : std::string();
  std::string out;
  if (row.start)
    out += figure("Supply current, first windows" + origin,
                  waveform_svg(*row.start, row.label() + ": supply current of the first windows"));
  if (row.whole)
    out += figure("Supply current, whole measurement" + origin,
                  waveform_svg(*row.whole, row.label() + ": supply current of the whole measurement"));
  return out;
}

}  // namespace

std::string results_table(const SlotReport& slot) {
  std::string out =
      "<div class=\"scroll\"><table>\n<thead><tr><th>case <small>library</small></th>"
      "<th class=\"left\">validity</th><th class=\"left\">known answer</th><th>n <small>× inner</small></th>"
      "<th>time <small>median, 95 % CI</small></th><th>board timer</th><th>cycles</th><th>cycles/byte</th>"
      "<th>instructions</th><th>charge <small>k = 2</small></th><th>gross energy <small>k = 2</small></th>"
      "<th>net energy <small>k = 2</small></th><th>nJ/byte</th><th>stack</th></tr></thead>\n<tbody>\n";
  for (const CaseRow& row : slot.cases)
    out += table_row(row);
  return out + "</tbody></table></div>\n";
}

std::string case_article(const CaseRow& row) {
  const store::Measurement& measurement = row.measurement;
  std::string out = fmt::format("<article>\n<h3>{}</h3>\n", escaped(row.label()));
  out += fmt::format(
      "<p class=\"faint\">{}; {} windows of {}", escaped(measurement.library), row.repetitions.size(),
      measurement.inner == 1 ? "one operation" : fmt::format("{} operations", measurement.inner));
  if (measurement.voltage_v)
    out += fmt::format(" at {}", quantity(*measurement.voltage_v, "V", Glyphs::unicode));
  out += "</p>\n";
  if (measurement.problem)
    out += fmt::format("<p class=\"{}\">{}</p>\n", problem_class(*measurement.problem),
                       escaped(in_words(*measurement.problem)));
  out += waveforms(row);
  out += strip(row, Metric::edge_ns, &store::Repetition::edge_ns, "Time");
  const bool net = shown(row, Metric::net_energy_nj) != nullptr;
  out += net ? strip(row, Metric::net_energy_nj, &store::Repetition::net_energy_nj, "Net energy")
             : strip(row, Metric::energy_nj, &store::Repetition::energy_nj, "Gross energy");
  return out + "</article>\n";
}

}  // namespace rigd::report
