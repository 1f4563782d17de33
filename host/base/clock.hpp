// Host time: a monotonic clock for deadlines and durations, UTC for records. Never the clock of a capture:
// that is the sample index.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rigd {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

// When a wait must end. Every wait has one.
struct Deadline {
  TimePoint at;

  static Deadline in(Duration span) { return {Clock::now() + span}; }
  bool passed() const { return Clock::now() >= at; }
  Duration left() const { return at > Clock::now() ? at - Clock::now() : Duration::zero(); }
  Deadline earlier(Deadline other) const { return {at < other.at ? at : other.at}; }
};

std::int64_t utc_now_ns();                  // nanoseconds since 1970-01-01T00:00:00Z
std::string utc_text(std::int64_t utc_ns);  // 2026-12-01T01:13:24.123Z

}  // namespace rigd
