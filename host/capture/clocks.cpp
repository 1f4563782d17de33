#include "capture/clocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rigd::capture {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(std::span<const double> values, std::span<const double> less) {
  if (values.size() < 2) return 0;
  const double centre = mean(values) - mean(less);
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    squares += (values[i] - less[i] - centre) * (values[i] - less[i] - centre);
  return squares / static_cast<double>(values.size() - 1);
}

// Of the mean of `windows` differences that scatter by `seen`, when coarseness alone gives one of them
// `expected`.
double variance_of_mean(double expected, double seen, std::size_t windows) {
  const auto n = static_cast<double>(windows);
  if (seen >= expected / 2) return expected / n;
  return expected - seen + seen / n;
}

}  // namespace

ClockCheck check_clocks(std::span<const double> edge_s, std::span<const double> timer_s, double edge_step_s,
                        double timer_step_s) {
  ClockCheck check;
  check.windows = std::min(edge_s.size(), timer_s.size());
  if (check.windows == 0) return check;
  const auto edges = edge_s.first(check.windows);
  const auto timer = timer_s.first(check.windows);
  const double timer_mean_s = mean(timer);
  if (!(timer_mean_s > 0)) return check;
  const double expected = (edge_step_s * edge_step_s + timer_step_s * timer_step_s) / 6;
  const double mean_u_s = std::sqrt(variance_of_mean(expected, variance(edges, timer), check.windows));
  check.relative_difference = mean(edges) / timer_mean_s - 1;
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
