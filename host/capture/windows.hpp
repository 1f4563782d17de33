// From a recording to what flowed in each marker window.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "capture/marker.hpp"
#include "capture/samples.hpp"

namespace rigd::capture {

struct Window {
  Stretch at;
  std::optional<Gap> gap = {};  // the first gap that touches it: its length or its charge cannot be trusted

  bool valid() const { return !gap; }
};

struct Windows {
  std::vector<Window> complete;
  std::size_t cut = 0;  // windows cut by the recording's ends: dropped
};

// A gap that ends where a window starts, or starts where it ends, touches it: the edge may lie in the gap.
Windows find_windows(const Recording& recording, unsigned marker_bit);

// Where the idle current beside a window is taken: from `guard` samples away from the edge, over at most
// `most` samples (no more than the board is known to idle), at least `least` or not at all.
struct BaselineRule {
  SampleIndex guard = 10;
  SampleIndex least = 16;
  SampleIndex most = 1000;
};

// Mean of a stretch. The standard error is that of batch means: samples beside each other are not independent
// (filters, the supply), so the scatter of single samples over the root of their number would be too small.
struct IdleLevel {
  Stretch at;
  double mean_a = 0;
  double standard_error_a = 0;
};

// The idle current under the window, on the straight line between the levels before and after it; where the
// recording's end leaves room on one side only, that side's level.
struct Baseline {
  std::optional<IdleLevel> before;
  std::optional<IdleLevel> after;
  double current_a = 0;
  double drift_a = 0;  // after less before; 0 with one side
  double uncertainty_a =
      0;  // standard; holds the levels' errors and the drift, as a rectangle between the levels
};

struct WindowCharge {
  Window window;  // its gap may also be one that touches the baseline's stretches
  double duration_s = 0;
  double charge_c = 0;                    // gross: all that flowed
  double noise_c = 0;                     // standard uncertainty of `charge_c` by the noise of its samples
  std::optional<Baseline> baseline = {};  // absent: too few idle samples
  std::optional<double> net_charge_c = {};

  double current_a() const { return duration_s > 0 ? charge_c / duration_s : 0; }
};

std::vector<WindowCharge> integrate(const Recording& recording, const std::vector<Window>& windows,
                                    const BaselineRule& rule = {});

// Charge between two points in time given in samples, for edges known more finely than the samples; sample i
// covers [i, i + 1). Both within the recording.
double charge_between(const Recording& recording, double first, double last);

// Standard uncertainty of a window's length when each edge falls anywhere in one sample: dt / sqrt(6), the
// difference of two rectangular distributions of width dt.
double edge_uncertainty_s(double rate_hz);

std::string_view to_string(GapCause cause) noexcept;  // its name as declared

}  // namespace rigd::capture
