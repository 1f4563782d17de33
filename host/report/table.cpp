#include <fmt/format.h>

#include <set>

#include "base/clock.hpp"
#include "report/columns.hpp"
#include "report/text.hpp"
#include "report/view.hpp"
#include "report/writers.hpp"

namespace rigd::report {

namespace {

using store::Metric;
using store::Statistic;

// A column of numbers of one metric. Where all have the same provenance it stands in the head, else in each
// cell.
template <class Text>
Column metric_column(std::string title, const SlotReport& slot, Metric metric, Text text) {
  std::set<Provenance> provenances;
  for (const CaseRow& row : slot.cases)
    if (const Statistic* statistic = shown(row, metric)) provenances.insert(statistic->provenance);
  Column column{std::move(title), "", true};
  if (provenances.size() == 1) column.note = to_string(*provenances.begin());
  for (const CaseRow& row : slot.cases) {
    const Statistic* statistic = shown(row, metric);
    std::string cell = statistic ? text(row, *statistic) : std::string(kAbsent);
    if (statistic && provenances.size() > 1) cell += fmt::format(" {}", to_string(statistic->provenance));
    column.cells.push_back({std::move(cell)});
  }
  return column;
}

template <class Text>
Column plain_column(std::string title, std::string note, bool right, const SlotReport& slot, Text text) {
  Column column{std::move(title), std::move(note), right};
  for (const CaseRow& row : slot.cases)
    column.cells.push_back(text(row));
  return column;
}

std::string or_absent(const std::optional<double>& value, auto format) {
  return value ? format(*value) : std::string(kAbsent);
}

std::string median_text(const CaseRow& row, const Statistic& statistic) {
  const std::string_view unit = si_unit(statistic.metric);
  return or_absent(statistic.median, [&](double value) {
    if (statistic.metric == Metric::timer_ns && !timer_tells_time(row)) return count(value) + " instr.";
    return unit.empty() ? count(value) : quantity(to_si(statistic.metric, value), unit);
  });
}

std::string interval_text(const CaseRow&, const Statistic& statistic) {
  if (!statistic.ci95_low || !statistic.ci95_high) return std::string(kAbsent);
  if (*statistic.ci95_low == *statistic.ci95_high) return "all equal";
  return interval(to_si(statistic.metric, *statistic.ci95_low), to_si(statistic.metric, *statistic.ci95_high),
                  si_unit(statistic.metric));
}

std::string mean_text(const CaseRow&, const Statistic& statistic) {
  if (!statistic.mean) return std::string(kAbsent);
  return quantity(to_si(statistic.metric, *statistic.mean),
                  to_si(statistic.metric, statistic.u_expanded.value_or(0)), si_unit(statistic.metric));
}

// A part of the uncertainty, expanded like the whole, in percent of the value.
Column part_column(std::string title, const SlotReport& slot, Metric metric,
                   std::optional<double> Statistic::* part) {
  Column column{std::move(title), "%", true};
  for (const CaseRow& row : slot.cases) {
    const Statistic* statistic = shown(row, metric);
    if (!statistic || !(statistic->*part) || !statistic->coverage_factor ||
        statistic->mean.value_or(0) == 0) {
      column.cells.push_back({std::string(kAbsent)});
      continue;
    }
    const double expanded = *(statistic->*part) * *statistic->coverage_factor;
    column.cells.push_back({ratio(100 * expanded / std::abs(*statistic->mean))});
  }
  return column;
}

std::string figure_text(const std::optional<Figure>& figure) {
  return figure ? ratio(figure->value) : std::string(kAbsent);
}

Cell validity(const CaseRow& row) {
  if (row.measurement.valid()) return {"valid", Paint::good};
  const bool board = row.measurement.problem->fault == to_string(Fault::board);
  return {one_line(row.measurement.problem->code), board ? Paint::bad : Paint::warning};
}

Cell verdict(const CaseRow& row) {
  const store::Verdict verdict = row.measurement.known_answer;
  const Paint paint = verdict == store::Verdict::passed   ? Paint::good
                      : verdict == store::Verdict::failed ? Paint::bad
                                                          : Paint::warning;
  return {std::string(in_words(verdict)), paint};
}

Column case_column(const SlotReport& slot) {
  return plain_column("case", "", false, slot,
                      [](const CaseRow& row) { return Cell{one_line(row.label())}; });
}

Column library_column(const SlotReport& slot) {
  return plain_column("library", "", false, slot,
                      [](const CaseRow& row) { return Cell{one_line(row.measurement.library)}; });
}

Column repetitions_column(const SlotReport& slot) {
  return plain_column("n", "", true, slot,
                      [](const CaseRow& row) { return Cell{fmt::format("{}", valid_repetitions(row))}; });
}

Column stack_column(const SlotReport& slot) {
  return plain_column("stack", "bytes", true, slot, [](const CaseRow& row) {
    const auto& stack = row.measurement.stack_bytes;
    return Cell{stack ? fmt::format("{}", *stack) : std::string(kAbsent)};
  });
}

Column cycles_per_byte_column(const SlotReport& slot) {
  return metric_column("cycles/B", slot, Metric::cycles, [](const CaseRow& row, const Statistic&) {
    return figure_text(cycles_per_byte(row));
  });
}

Column energy_per_byte_column(const SlotReport& slot) {
  return plain_column("nJ/B", "", true, slot, [](const CaseRow& row) {
    const auto metric = energy_for_byte(row);
    if (!metric) return Cell{std::string(kAbsent)};
    return Cell{figure_text(nj_per_byte(row)) + (*metric == Metric::net_energy_nj ? " net" : " gross")};
  });
}

std::vector<Column> time_columns(const SlotReport& slot) {
  return {case_column(slot),
          metric_column("time", slot, Metric::edge_ns, median_text),
          metric_column("95 % CI", slot, Metric::edge_ns, interval_text),
          metric_column("cycles", slot, Metric::cycles, median_text),
          cycles_per_byte_column(slot),
          metric_column("instructions", slot, Metric::instructions, median_text),
          metric_column("board timer", slot, Metric::timer_ns, median_text),
          repetitions_column(slot),
          library_column(slot),
          stack_column(slot),
          plain_column("answer", "", false, slot, verdict),
          plain_column("validity", "", false, slot, validity)};
}

std::vector<Column> energy_columns(const SlotReport& slot) {
  return {case_column(slot),
          metric_column("charge", slot, Metric::charge_nc, mean_text),
          metric_column("gross energy", slot, Metric::energy_nj, mean_text),
          part_column("inst.", slot, Metric::energy_nj, &Statistic::u_instrument),
          part_column("rep.", slot, Metric::energy_nj, &Statistic::u_repeatability),
          metric_column("net energy", slot, Metric::net_energy_nj, mean_text),
          part_column("inst.", slot, Metric::net_energy_nj, &Statistic::u_instrument),
          part_column("rep.", slot, Metric::net_energy_nj, &Statistic::u_repeatability),
          energy_per_byte_column(slot)};
}

constexpr std::string_view kEnergyNote =
    "\nCharge and energy: mean and expanded uncertainty (k = 2). inst., rep.: its two parts, by the "
    "instrument\n"
    "(common to all results of this probe) and by repetition, in % of the value to the left.\n";

bool any_shown(const SlotReport& slot, Metric metric) {
  for (const CaseRow& row : slot.cases)
    if (shown(row, metric)) return true;
  return false;
}

void add_head(std::string& out, const SlotReport& slot, bool colour) {
  const store::Run& run = slot.run;
  out += fmt::format("slot {}: run {}, {}, {}\n", one_line(run.slot), run.id, store::to_string(run.state),
                     utc_text(run.started_utc_ns));
  if (run.board)
    out += fmt::format("  board {} ({}, {}), chip {}\n", one_line(run.board->type), one_line(run.board->mcu),
                       one_line(run.board->core),
                       run.board->chip_uid.empty() ? "without a number" : one_line(run.board->chip_uid));
  if (run.image)
    out += fmt::format("  image {}, build-id {}, {}\n", one_line(run.image->file_name),
                       one_line(run.image->build_id), one_line(run.image->toolchain));
  if (run.probe)
    out += fmt::format("  probe {} {}, calibration {:.12}\n", one_line(run.probe->driver),
                       one_line(run.probe->serial), one_line(run.probe->calibration_hash));
  if (run.problem) out += "  " + painted(one_line(in_words(*run.problem)), Paint::bad, colour) + "\n";
}

void add_problems(std::string& out, const SlotReport& slot, bool colour) {
  bool first = true;
  for (const CaseRow& row : slot.cases) {
    if (row.measurement.valid()) continue;
    if (std::exchange(first, false)) out += "\nwithout a result:\n";
    out += fmt::format("  {}: {}\n", one_line(row.label()),
                       painted(one_line(in_words(*row.measurement.problem)), Paint::warning, colour));
  }
}

}  // namespace

std::string table(const RunReport& report, bool colour, std::size_t width) {
  std::string out;
  if (!report.command.empty()) out += one_line(report.command) + "\n\n";
  for (const SlotReport& slot : report.slots) {
    add_head(out, slot, colour);
    if (!slot.cases.empty()) out += '\n' + side_by_side(time_columns(slot), width, colour);
    if (any_shown(slot, Metric::charge_nc)) {
      out += '\n' + side_by_side(energy_columns(slot), width, colour);
      out += kEnergyNote;
    }
    add_problems(out, slot, colour);
    out += '\n';
  }
  return out;
}

}  // namespace rigd::report
