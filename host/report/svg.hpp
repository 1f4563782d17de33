// Pictures as inline SVG. Colours come from the page's style sheet by class, so that they follow light and
// dark.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/model.hpp"

namespace rigd::report {

// Supply current over time: min/max envelope, mean, marker windows shaded, gaps marked.
std::string waveform_svg(const Waveform& waveform, std::string_view title);

// Values of the repetitions, left to right by size and top to bottom in the order of measuring, with the
// median and its interval. `unit` is that of the values, in SI.
struct Strip {
  std::span<const double> values_si;
  std::string_view unit;
  std::optional<double> median_si;
  std::optional<double> low_si;
  std::optional<double> high_si;
};
std::string strip_svg(const Strip& strip, std::string_view title);

}  // namespace rigd::report
