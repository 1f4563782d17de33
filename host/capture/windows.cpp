#include "capture/windows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "capture/integrate.hpp"

namespace rigd::capture {

namespace {

// Gaps by their first sample, so that a sweep over ordered windows looks at each only while it matters.
class GapFinder {
 public:
  explicit GapFinder(const std::vector<Gap>& gaps) : gaps_(gaps) {
    SampleIndex reach = 0;
    for (const Gap& gap : gaps)
      reach_.push_back(reach = std::max(reach, gap.last));
  }

  // The first gap that touches [stretch.first, stretch.last], both ends included.
  std::optional<Gap> touching(Stretch stretch) const {
    const auto begin = std::lower_bound(reach_.begin(), reach_.end(), stretch.first);
    for (auto gap = gaps_.begin() + (begin - reach_.begin()); gap != gaps_.end(); ++gap) {
      if (gap->first > stretch.last) break;
      if (gap->last >= stretch.first) return *gap;
    }
    return std::nullopt;
  }

 private:
  const std::vector<Gap>& gaps_;
  std::vector<SampleIndex> reach_;  // largest `last` of the gaps up to this one
};

std::span<const float> samples_of(const Recording& recording, Stretch stretch) {
  return std::span(recording.current_a).subspan(stretch.first - recording.first, stretch.length());
}

// Standard error of the mean of `values` from the means of 4 to 16 batches.
double batch_standard_error(std::span<const float> values) {
  const std::size_t batches = std::clamp<std::size_t>(values.size() / 4, 4, 16);
  const std::size_t size = values.size() / batches;
  if (size == 0) return 0;
  double total = 0;
  double squares = 0;
  const double origin = values[0];  // keeps the squares small beside their difference
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const double mean = sum(values.subspan(batch * size, size)) / static_cast<double>(size) - origin;
    total += mean;
    squares += mean * mean;
  }
  const auto n = static_cast<double>(batches);
  const double variance = std::max(0.0, squares - total * total / n) / (n - 1);
  return std::sqrt(variance / n);
}

// Scatter of single samples about a level that may change slowly: von Neumann's mean square of successive
// differences, which a steady drift or a few steps hardly touch.
double sample_noise(std::span<const float> values) {
  if (values.size() < 2) return 0;
  double squares = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double step = static_cast<double>(values[i]) - static_cast<double>(values[i - 1]);
    squares += step * step;
  }
  return std::sqrt(squares / (2.0 * static_cast<double>(values.size() - 1)));
}

std::optional<IdleLevel> idle_level(const Recording& recording, Stretch stretch, SampleIndex least) {
  if (stretch.length() < std::max<SampleIndex>(least, 1)) return std::nullopt;
  const auto values = samples_of(recording, stretch);
  return IdleLevel{stretch, sum(values) / static_cast<double>(values.size()), batch_standard_error(values)};
}

// The idle stretches on both sides of window `at`, ending short of its neighbours and of the recording's
// ends.
struct IdleStretches {
  Stretch before;
  Stretch after;
};

SampleIndex less(SampleIndex from, SampleIndex amount) {
  return from > amount ? from - amount : 0;
}

IdleStretches idle_stretches(Stretch at, SampleIndex free_from, SampleIndex free_to,
                             const BaselineRule& rule) {
  const SampleIndex before_last = std::max(less(at.first, rule.guard), free_from);
  const SampleIndex after_first = std::min(at.last + rule.guard, free_to);
  return {{std::max(less(before_last, rule.most), free_from), before_last},
          {after_first, std::min(after_first + rule.most, free_to)}};
}

double middle(Stretch stretch) {
  return 0.5 * (static_cast<double>(stretch.first) + static_cast<double>(stretch.last));
}

Baseline one_sided(const IdleLevel& level) {
  return {.before = {},
          .after = {},
          .current_a = level.mean_a,
          .drift_a = 0,
          .uncertainty_a = level.standard_error_a};
}

std::optional<Baseline> baseline_of(Stretch at, const std::optional<IdleLevel>& before,
                                    const std::optional<IdleLevel>& after) {
  if (!before && !after) return std::nullopt;
  Baseline baseline;
  if (!before || !after) {
    baseline = one_sided(before ? *before : *after);
  } else {
    const double share = (middle(at) - middle(before->at)) / (middle(after->at) - middle(before->at));
    baseline.drift_a = after->mean_a - before->mean_a;
    baseline.current_a = before->mean_a + share * baseline.drift_a;
    const double drift_u = std::abs(baseline.drift_a) / (2 * std::sqrt(3.0));
    baseline.uncertainty_a =
        std::hypot((1 - share) * before->standard_error_a, share * after->standard_error_a, drift_u);
  }
  baseline.before = before;
  baseline.after = after;
  return baseline;
}

}  // namespace

Windows find_windows(const Recording& recording, unsigned marker_bit) {
  MarkerTracker tracker(marker_bit);
  const std::span<const std::uint8_t> logic = recording.logic;
  SampleIndex at = recording.first;
  for (const Gap& gap : recording.gaps) {
    if (gap.cause == GapCause::rate || gap.last <= at) continue;  // its samples did arrive; or seen already
    if (gap.first > at) tracker.push(at, logic.subspan(at - recording.first, gap.first - at));
    at = gap.last;
  }
  tracker.push(at, logic.subspan(at - recording.first));

  const GapFinder gaps(recording.gaps);
  Windows windows;
  windows.cut = tracker.cut();
  for (const Stretch& stretch : tracker.complete())
    windows.complete.push_back({stretch, gaps.touching(stretch)});
  return windows;
}

std::vector<WindowCharge> integrate(const Recording& recording, const std::vector<Window>& windows,
                                    const BaselineRule& rule) {
  const GapFinder gaps(recording.gaps);
  std::vector<WindowCharge> charges;
  charges.reserve(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Stretch at = windows[i].at;
    const SampleIndex free_from = i > 0 ? windows[i - 1].at.last + rule.guard : recording.first;
    const SampleIndex free_to =
        i + 1 < windows.size() ? less(windows[i + 1].at.first, rule.guard) : recording.end();
    const IdleStretches idle = idle_stretches(at, free_from, free_to, rule);

    WindowCharge charge;
    charge.window = windows[i];
    if (!charge.window.gap) charge.window.gap = gaps.touching({idle.before.first, idle.after.last});
    const auto values = samples_of(recording, at);
    charge.duration_s = static_cast<double>(at.length()) / recording.rate_hz;
    charge.charge_c = sum(values) / recording.rate_hz;
    charge.noise_c = sample_noise(values) * std::sqrt(static_cast<double>(values.size())) / recording.rate_hz;
    charge.baseline = baseline_of(at, idle_level(recording, idle.before, rule.least),
                                  idle_level(recording, idle.after, rule.least));
    if (charge.baseline)
      charge.net_charge_c = charge.charge_c - charge.baseline->current_a * charge.duration_s;
    charges.push_back(charge);
  }
  return charges;
}

double charge_between(const Recording& recording, double first, double last) {
  const auto origin = static_cast<double>(recording.first);
  return sum_between(recording.current_a, first - origin, last - origin) / recording.rate_hz;
}

double edge_uncertainty_s(double rate_hz) {
  return 1 / (rate_hz * std::sqrt(6.0));
}

std::string_view to_string(GapCause cause) noexcept {
  switch (cause) {
    case GapCause::counter:
      return "counter";
    case GapCause::rate:
      return "rate";
    case GapCause::resync:
      return "resync";
    case GapCause::invalid:
      return "invalid";
    case GapCause::disconnect:
      return "disconnect";
  }
  return "invalid";
}

}  // namespace rigd::capture
