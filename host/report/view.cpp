#include "report/view.hpp"

#include <algorithm>

#include "analysis/cost.hpp"

namespace rigd::report {

namespace {

std::optional<Figure> figure_per_byte(const CaseRow& row, store::Metric metric,
                                      std::optional<double> store::Statistic::* location) {
  const store::Statistic* statistic = shown(row, metric);
  if (!statistic || !(statistic->*location)) return std::nullopt;
  const auto value = analysis::per_byte(*(statistic->*location), row.measurement.size_bytes);
  if (!value) return std::nullopt;
  return Figure{*value, statistic->provenance};
}

}  // namespace

std::string CaseRow::label() const {
  return measurement.case_id + "/" + std::to_string(measurement.size_bytes);
}

const store::Statistic* shown(const CaseRow& row, store::Metric metric) {
  if (!row.measurement.valid()) return nullptr;
  const store::Statistic* statistic = row.measurement.find(metric);
  return statistic && statistic->n > 0 ? statistic : nullptr;
}

std::optional<Figure> cycles_per_byte(const CaseRow& row) {
  return figure_per_byte(row, store::Metric::cycles, &store::Statistic::median);
}

std::optional<Figure> bytes_per_second(const CaseRow& row) {
  const store::Statistic* time = shown(row, store::Metric::edge_ns);
  if (!time || !time->median) return std::nullopt;
  const auto value = analysis::throughput(row.measurement.size_bytes, *time->median);
  if (!value) return std::nullopt;
  return Figure{*value, time->provenance};
}

std::optional<store::Metric> energy_for_byte(const CaseRow& row) {
  if (shown(row, store::Metric::net_energy_nj)) return store::Metric::net_energy_nj;
  if (shown(row, store::Metric::energy_nj)) return store::Metric::energy_nj;
  return std::nullopt;
}

std::optional<Figure> nj_per_byte(const CaseRow& row) {
  const auto metric = energy_for_byte(row);
  return metric ? figure_per_byte(row, *metric, &store::Statistic::mean) : std::nullopt;
}

std::size_t valid_repetitions(const CaseRow& row) {
  return static_cast<std::size_t>(std::ranges::count_if(row.repetitions, &store::Repetition::valid));
}

bool timer_tells_time(const CaseRow& row) {
  const store::Statistic* timer = row.measurement.find(store::Metric::timer_ns);
  return !timer || timer->provenance != Provenance::counted;
}

std::string_view name_of(const store::Statistic& statistic) {
  if (statistic.metric == store::Metric::timer_ns && statistic.provenance == Provenance::counted)
    return "timer_instructions";
  return store::to_string(statistic.metric);
}

}  // namespace rigd::report
