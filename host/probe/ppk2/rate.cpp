#include "probe/ppk2/rate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigd::probe::ppk2 {

namespace {
constexpr double kNever = std::numeric_limits<double>::infinity();
}

void RateMonitor::observe(TimePoint now, capture::SampleIndex received) {
  const double sample_s = static_cast<double>(received) / options_.rate_hz;
  if (!started_) {
    started_ = true;
    start_ = now;
    floor_s_ = -sample_s;
  }
  const double now_s = seconds(now);
  const double lag_s = now_s - sample_s;

  double drift_s = options_.drift * (now_s - last_s_);
  if (behind_) {
    drift_s = std::min(drift_s, step_s() / 2 - allowed_s_);
    allowed_s_ += drift_s;
  }
  floor_s_ += drift_s;
  last_s_ = now_s;

  if (lag_s < floor_s_ + step_s()) {
    floor_s_ = std::min(floor_s_, lag_s);
    good_until_ = received;
    behind_ = false;
    return;
  }
  if (!behind_) {
    behind_ = true;
    behind_since_s_ = half_began_s_ = now_s;
    allowed_s_ = 0;
    half_least_s_ = before_least_s_ = kNever;
  }
  // The first half is forgotten by the time of confirmation: the lag may have risen gradually, in a pause.
  for (; now_s - half_began_s_ > options_.confirm_s / 2; half_began_s_ += options_.confirm_s / 2) {
    before_least_s_ = half_least_s_;
    half_least_s_ = kNever;
  }
  half_least_s_ = std::min(half_least_s_, lag_s);
}

double RateMonitor::least_recent_s() const {
  return std::min(half_least_s_, before_least_s_);
}

std::optional<std::uint64_t> RateMonitor::deficit(TimePoint now) const {
  if (!behind_ || seconds(now) - behind_since_s_ <= options_.confirm_s) return std::nullopt;
  return shortfall();
}

std::uint64_t RateMonitor::shortfall() const {
  if (!behind_) return 0;
  return static_cast<std::uint64_t>(std::llround((least_recent_s() - floor_s_) * options_.rate_hz));
}

void RateMonitor::accept() {
  if (!behind_) return;
  floor_s_ = least_recent_s();
  behind_ = false;
}

}  // namespace rigd::probe::ppk2
