#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/text.hpp"

namespace rigd::report {

namespace {

constexpr double kWidth = 720;
constexpr double kLeft = 64;
constexpr double kRight = 708;
constexpr double kWaveTop = 8;
constexpr double kWaveBottom = 168;
constexpr double kWaveHeight = 204;
constexpr double kStripTop = 6;
constexpr double kStripBottom = 58;
constexpr double kStripHeight = 80;
constexpr int kTicks = 5;

// A straight map from values to places on the picture.
struct Scale {
  double from, to;        // values
  double from_px, to_px;  // places
  double operator()(double value) const { return from_px + (value - from) / (to - from) * (to_px - from_px); }
};

// 1, 2 or 5 times a power of ten: about kTicks of them fill `span`.
double tick_step(double span) {
  const double rough = span / kTicks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

// Numbers along an axis share one prefix and as many decimals as their step needs.
class Labels {
 public:
  Labels(double largest_si, double step_si, std::string_view unit) {
    static constexpr struct {
      double factor;
      std::string_view text;
    } kPrefixes[] = {{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
    std::string_view prefix = "p";
    factor_ = 1e-12;
    for (const auto& candidate : kPrefixes) {
      if (largest_si < candidate.factor) continue;
      factor_ = candidate.factor;
      prefix = candidate.text;
      break;
    }
    decimals_ = std::clamp(static_cast<int>(-std::floor(std::log10(step_si / factor_) + 1e-9)), 0, 9);
    unit_ = fmt::format("{}{}", prefix, unit);
  }
  std::string operator()(double si) const { return fmt::format("{:.{}f}", si / factor_ + 0.0, decimals_); }
  const std::string& unit() const { return unit_; }

 private:
  double factor_;
  int decimals_;
  std::string unit_;
};

std::string open_svg(double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">"
      "<title>{}</title>\n",
      kWidth, height, escaped(title));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(text));
}

std::string line(std::string_view name, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", name,
                     x1, y1, x2, y2);
}

std::string rectangle(std::string_view name, double x1, double y1, double x2, double y2) {
  return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                     name, x1, y1, x2 - x1, y2 - y1);
}

std::string horizontal_axis(const Scale& x, double bottom, double top, std::string_view unit) {
  const double step = tick_step(x.to - x.from);
  const Labels label(std::max(std::abs(x.from), std::abs(x.to)), step, unit);
  std::string out;
  for (double at = std::ceil(x.from / step) * step; at <= x.to + step * 1e-6; at += step) {
    out += line("grid", x(at), top, x(at), bottom);
    out += text_at(x(at), bottom + 14, "middle", label(at));
  }
  return out + text_at(kRight, bottom + 28, "end", label.unit());
}

std::string vertical_axis(const Scale& y, std::string_view unit) {
  const double step = tick_step(y.to - y.from);
  const Labels label(std::max(std::abs(y.from), std::abs(y.to)), step, unit);
  std::string out;
  for (double at = std::ceil(y.from / step) * step; at <= y.to + step * 1e-6; at += step) {
    out += line("grid", kLeft, y(at), kRight, y(at));
    out += text_at(kLeft - 6, y(at) + 4, "end", label(at));
  }
  return out + text_at(2, kWaveTop + 10, "start", label.unit());
}

// Ranges of samples as rectangles; those closer than half a pixel become one.
std::string shaded(std::string_view name, const std::vector<SampleRange>& ranges, const Waveform& waveform,
                   const Scale& x, double least_px) {
  std::string out;
  double open_first = 0, open_last = -1;
  const auto close = [&] {
    if (open_last >= open_first) out += rectangle(name, open_first, kWaveTop, open_last, kWaveBottom);
  };
  for (const SampleRange& range : ranges) {
    const auto place = [&](std::int64_t sample) {
      const std::int64_t inside = std::clamp(sample, waveform.shown.first, waveform.shown.last);
      return x(static_cast<double>(inside - waveform.shown.first) / waveform.rate_hz);
    };
    const double first = place(range.first);
    const double last = std::max(place(range.last), first + least_px);
    if (open_last >= open_first && first - open_last < 0.5) {
      open_last = std::max(open_last, last);
      continue;
    }
    close();
    open_first = first;
    open_last = last;
  }
  close();
  return out;
}

// Envelope and mean of columns [first, last), none of which is empty.
std::string trace_piece(const Waveform& waveform, std::size_t first, std::size_t last, const Scale& y) {
  const double column_px = (kRight - kLeft) / static_cast<double>(waveform.columns.size());
  const auto x_of = [&](std::size_t column) {
    return kLeft + (static_cast<double>(column) + 0.5) * column_px;
  };
  std::string upper, lower, mean;
  for (std::size_t i = first; i < last; ++i) {
    const store::Band& band = waveform.columns[i];
    upper += fmt::format("{:.1f},{:.1f} ", x_of(i), y(static_cast<double>(band.max_a)));
    mean += fmt::format("{:.1f},{:.1f} ", x_of(i), y(static_cast<double>(band.mean_a)));
    const std::size_t back = last - 1 - (i - first);
    lower += fmt::format("{:.1f},{:.1f} ", x_of(back), y(static_cast<double>(waveform.columns[back].min_a)));
  }
  return "<polygon class=\"envelope\" points=\"" + upper + lower +
         "\"/>\n<polyline class=\"mean\" points=\"" + mean + "\"/>\n";
}

std::string trace(const Waveform& waveform, const Scale& y) {
  std::string out;
  const auto empty = [&](std::size_t i) { return std::isnan(waveform.columns[i].mean_a); };
  for (std::size_t first = 0; first < waveform.columns.size();) {
    if (empty(first)) {
      ++first;
      continue;
    }
    std::size_t last = first + 1;
    while (last < waveform.columns.size() && !empty(last))
      ++last;
    out += trace_piece(waveform, first, last, y);
    first = last;
  }
  return out;
}

// From 0, or below it where the current is, to a little above the highest.
Scale current_scale(const Waveform& waveform) {
  double low = 0, high = 0;
  for (const store::Band& band : waveform.columns) {
    if (std::isnan(band.mean_a)) continue;
    low = std::min(low, static_cast<double>(band.min_a));
    high = std::max(high, static_cast<double>(band.max_a));
  }
  if (!(high > low)) high = low + 1e-6;
  return {low, high + 0.05 * (high - low), kWaveBottom, kWaveTop};
}

std::vector<SampleRange> ranges_of(const std::vector<store::TraceGap>& gaps) {
  std::vector<SampleRange> ranges;
  for (const store::TraceGap& gap : gaps)
    ranges.push_back({gap.first_sample, gap.last_sample});
  return ranges;
}

}  // namespace

std::string waveform_svg(const Waveform& waveform, std::string_view title) {
  if (waveform.columns.empty() || !(waveform.rate_hz > 0)) return {};
  const double seconds = static_cast<double>(waveform.shown.last - waveform.shown.first) / waveform.rate_hz;
  const Scale x{0, seconds, kLeft, kRight};
  const Scale y = current_scale(waveform);
  std::string out = open_svg(kWaveHeight, title);
  out += shaded("window", waveform.windows, waveform, x, 0.5);
  out += horizontal_axis(x, kWaveBottom, kWaveTop, "s") + vertical_axis(y, "A");
  out += trace(waveform, y);
  out += shaded("gap", ranges_of(waveform.gaps), waveform, x, 2);
  return out + "</svg>\n";
}

std::string strip_svg(const Strip& strip, std::string_view title) {
  if (strip.values_si.empty()) return {};
  const auto [least, most] = std::ranges::minmax(strip.values_si);
  if (!(most > least)) return {};
  const double margin = 0.04 * (most - least);
  const Scale x{least - margin, most + margin, kLeft, kRight};
  const auto last = static_cast<double>(std::max<std::size_t>(strip.values_si.size() - 1, 1));
  const Scale y{0, last, kStripTop + 4, kStripBottom - 4};
  std::string out = open_svg(kStripHeight + 8, title);
  if (strip.low_si && strip.high_si)
    out += rectangle("interval", x(std::max(*strip.low_si, x.from)), kStripTop,
                     x(std::min(*strip.high_si, x.to)), kStripBottom);
  out += horizontal_axis(x, kStripBottom, kStripTop, strip.unit);
  if (strip.median_si)
    out += line("median", x(*strip.median_si), kStripTop, x(*strip.median_si), kStripBottom);
  for (std::size_t i = 0; i < strip.values_si.size(); ++i)
    out += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n",
                       x(strip.values_si[i]), y(static_cast<double>(i)));
  return out + "</svg>\n";
}

}  // namespace rigd::report
