#include "store/rows.hpp"

#include <algorithm>

namespace rigd::store {

Problem Problem::of(const Error& error) {
  return {std::string(rigd::to_string(error.fault())), std::string(rigd::to_string(error.code())),
          error.text()};
}

const Statistic* Measurement::find(Metric metric) const {
  const auto found = std::ranges::find(statistics, metric, &Statistic::metric);
  return found == statistics.end() ? nullptr : &*found;
}

std::string_view to_string(RunState state) noexcept {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::finished:
      return "finished";
    case RunState::failed:
      return "failed";
    case RunState::interrupted:
      return "interrupted";
  }
  return "";
}

std::string_view to_string(Metric metric) noexcept {
  switch (metric) {
    case Metric::edge_ns:
      return "edge_ns";
    case Metric::timer_ns:
      return "timer_ns";
    case Metric::instructions:
      return "instructions";
    case Metric::cycles:
      return "cycles";
    case Metric::charge_nc:
      return "charge_nc";
    case Metric::net_charge_nc:
      return "net_charge_nc";
    case Metric::energy_nj:
      return "energy_nj";
    case Metric::net_energy_nj:
      return "net_energy_nj";
  }
  return "";
}

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::not_run:
      return "not_run";
  }
  return "";
}

std::string_view to_string(EventLevel level) noexcept {
  switch (level) {
    case EventLevel::debug:
      return "debug";
    case EventLevel::info:
      return "info";
    case EventLevel::warning:
      return "warning";
    case EventLevel::error:
      return "error";
  }
  return "";
}

}  // namespace rigd::store
