// Two clocks on the same windows: do they agree?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rigd::capture {

// Physical boards: time between the marker's edges against the board's own timer, all windows of a
// measurement together. They disagree when their means differ by more than kClockTolerance plus
// kClockCoverage standard uncertainties of the mean.
//
// The length of one window, as the difference of two readings of a clock with step d, has the variance d^2
// / 6. Where the lengths scatter as that says, their mean is better by sqrt(n). Where they scatter by less
// than half of it the windows keep step with the clock and repeat one error: then only the part that scatters
// averages out.
inline constexpr double kClockTolerance = 1e-3;
inline constexpr double kClockCoverage = 2.45;  // sqrt(6): a whole step, the worst a single window can be off

struct ClockCheck {
  bool agree = false;
  std::size_t windows = 0;
  double relative_difference = 0;  // (edge - timer) / timer, of the means
  double limit = 0;                // largest |relative_difference| that agrees
};

// One value of each a window, in seconds. `edge_step_s` and `timer_step_s` are the steps of the two clocks.
// Without windows, or with a timer that stood still, they do not agree.
ClockCheck check_clocks(std::span<const double> edge_s, std::span<const double> timer_s, double edge_step_s,
                        double timer_step_s);

// Simulated boards under QEMU's -icount: one instruction is one nanosecond of the board's timer, so in each
// window the ticks must be the instructions within one tick.
struct CountCheck {
  bool agree = false;
  std::size_t windows = 0;
  std::size_t disagreeing = 0;   // windows off by more than one tick
  double worst_ticks = 0;        // largest |difference|, ticks
  std::size_t worst_window = 0;  // where
};

CountCheck check_counts(std::span<const std::uint64_t> timer_ticks,
                        std::span<const std::uint64_t> instructions, double timer_hz);

}  // namespace rigd::capture
