// The spike filter of Nordic's application, which is display-side and not in the device.
//
// Charge is integrated from the unfiltered series: the filter removes real charge (a clean 100 us pulse
// through range 4 loses 13 %). It is offered so that results can be compared with that application, labelled
// as filtered.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/units.hpp"
#include "probe/ppk2/calibration.hpp"

namespace rigd::probe::ppk2 {

// Two exponential averages run over every sample (weights 0.18 and 0.06). A sample is replaced when it is one
// of the three from a range change on: by the slow average in range 4, by the fast one elsewhere. In range 4
// both averages keep their previous value until the second sample after the change. Double precision, in the
// operation order of the published clients: bit-identical to them for the same words.
class SpikeFilter {
 public:
  SpikeFilter(const Calibration& calibration, Volt vdd);

  // Ampere for each word, in order; state carries over from call to call. A word that cannot be converted
  // yields NaN and leaves the averages alone.
  void filter(std::span<const std::uint32_t> words, std::span<double> current_a);
  // As at the start of a stream (command 0x06).
  void reset() { state_ = {}; }

 private:
  struct Range {
    double offset = 0, factor = 0, gs = 0, gi = 0, bias = 0, ug = 0;
    bool convertible = false;
  };
  struct State {
    double fast = 0, slow = 0;
    bool started = false;
    unsigned range = 0;         // of the previous sample
    unsigned to_replace = 0;    // samples still to be replaced
    unsigned since_change = 0;  // samples in this range, while replacing
  };

  static constexpr double kFastWeight = 0.18;
  static constexpr double kSlowWeight = 0.06;
  static constexpr unsigned kReplaced = 3;
  static constexpr unsigned kFrozen = 2;

  static double replaced(State& state, unsigned range, double fast_before, double slow_before);

  std::array<Range, 8> ranges_;
  State state_;
};

}  // namespace rigd::probe::ppk2
