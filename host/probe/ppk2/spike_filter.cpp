#include "probe/ppk2/spike_filter.hpp"

#include <algorithm>
#include <limits>

namespace rigd::probe::ppk2 {

namespace {

constexpr double kVoltPerCode = 1.8 / 163840;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr unsigned kTopRange = 4;

}  // namespace

SpikeFilter::SpikeFilter(const Calibration& calibration, Volt vdd) {
  for (unsigned range = 0; range < kRanges; ++range)
    if (const auto c = calibration.range(range))
      ranges_[range] = {.offset = c->o,
                        .factor = kVoltPerCode / c->r,
                        .gs = c->gs,
                        .gi = c->gi,
                        .bias = c->s * vdd.value + c->i,
                        .ug = c->ug,
                        .convertible = true};
}

void SpikeFilter::filter(std::span<const std::uint32_t> words, std::span<double> current_a) {
  State state = state_;  // in registers: the loop is bound by the averages' recurrence
  const std::size_t count = std::min(words.size(), current_a.size());
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned range = range_of(words[i]);
    const Range& c = ranges_[range];
    if (!c.convertible || code_of(words[i]) == kCodeMax) {
      current_a[i] = kNotANumber;
      continue;
    }
    const double x = (code_of(words[i]) * 4.0 - c.offset) * c.factor;
    const double current = c.ug * (x * (c.gs * x + c.gi) + c.bias);
    if (!state.started) {
      state = {.fast = current, .slow = current, .started = true, .range = range};
      current_a[i] = current;
      continue;
    }
    const double fast_before = state.fast;
    const double slow_before = state.slow;
    state.fast = kFastWeight * current + (1 - kFastWeight) * fast_before;
    state.slow = kSlowWeight * current + (1 - kSlowWeight) * slow_before;
    const bool replace = range != state.range || state.to_replace != 0;
    current_a[i] = replace ? replaced(state, range, fast_before, slow_before) : current;
  }
  state_ = state;
}

double SpikeFilter::replaced(State& state, unsigned range, double fast_before, double slow_before) {
  if (range != state.range) {
    state.range = range;
    state.since_change = 0;
    state.to_replace = kReplaced;
  } else {
    ++state.since_change;
  }
  --state.to_replace;
  if (range != kTopRange) return state.fast;
  if (state.since_change < kFrozen) {
    state.fast = fast_before;
    state.slow = slow_before;
  }
  return state.slow;
}

}  // namespace rigd::probe::ppk2
