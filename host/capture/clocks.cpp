#include "capture/clocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rigd::capture {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

ClockCheck check_clocks(std::span<const double> edge_s, std::span<const double> timer_s, double edge_step_s,
                        double timer_step_s) {
  ClockCheck check;
  check.windows = std::min(edge_s.size(), timer_s.size());
  if (check.windows == 0) return check;
  const double timer_mean_s = mean(timer_s.first(check.windows));
  if (!(timer_mean_s > 0)) return check;
  // Each length is the difference of two readings, each off by up to one step: variance step^2 / 6.
  const double length_u_s = std::hypot(edge_step_s, timer_step_s) / std::sqrt(6.0);
  const double mean_u_s = length_u_s / std::sqrt(static_cast<double>(check.windows));
  check.relative_difference = mean(edge_s.first(check.windows)) / timer_mean_s - 1;
  check.limit = kClockTolerance + kClockCoverage * mean_u_s / timer_mean_s;
  check.agree = std::abs(check.relative_difference) <= check.limit;
  return check;
}

CountCheck check_counts(std::span<const std::uint64_t> timer_ticks,
                        std::span<const std::uint64_t> instructions, double timer_hz) {
  constexpr double kNanosecond = 1e-9;  // of one instruction
  CountCheck check;
  check.windows = std::min(timer_ticks.size(), instructions.size());
  for (std::size_t i = 0; i < check.windows; ++i) {
    const double expected = static_cast<double>(instructions[i]) * kNanosecond * timer_hz;
    const double off = std::abs(static_cast<double>(timer_ticks[i]) - expected);
    if (off > 1.0) ++check.disagreeing;
    if (off > check.worst_ticks) {
      check.worst_ticks = off;
      check.worst_window = i;
    }
  }
  check.agree = check.windows > 0 && check.disagreeing == 0;
  return check;
}

}  // namespace rigd::capture
