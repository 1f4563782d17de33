#include "sim/ppk2/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigd::sim::ppk2 {

Timeline::Timeline(double samples_per_cycle, std::uint64_t seed)
    : samples_per_cycle_(samples_per_cycle), random_(seed) {}

void Timeline::start() {
  running_ = true;
  marker_ = false;
  levels_ = raw_levels_ & ~kMarkerBit;
  last_instant_ = anchor_ = 0;
  anchored_ = false;
  changes_.clear();
}

void Timeline::stop() {
  running_ = false;
  changes_.clear();
}

std::optional<Window> Timeline::edge(const Edge& edge, std::uint64_t sent) {
  const auto bit = static_cast<std::uint8_t>(1U << (edge.pin & 7));
  const bool was = (raw_levels_ & bit) != 0;
  raw_levels_ = static_cast<std::uint8_t>(edge.level ? raw_levels_ | bit : raw_levels_ & ~bit);
  if (!running_) return std::nullopt;
  if (edge.pin != 0) {
    const double past = static_cast<double>(sent) - 1;
    append(std::max(instant_of(edge.cycles), marker_ ? 0 : past), edge.pin, edge.level);
    return std::nullopt;
  }
  if (edge.level) {
    if (was) end_of_edges();  // the board was reset inside a window
    rise(edge, sent);
    return std::nullopt;
  }
  if (!marker_) return std::nullopt;
  marker_ = false;
  open_.last_cycles = edge.cycles;
  open_.fall = instant_of(edge.cycles);
  append(open_.fall, 0, false);
  anchor_ = open_.fall;
  anchor_cycles_ = edge.cycles;
  return open_;
}

void Timeline::rise(const Edge& edge, std::uint64_t sent) {
  const double next = static_cast<double>(sent);
  const double phase = std::uniform_real_distribution<double>(0, 1)(random_);
  double instant = std::max(anchored_ ? instant_of(edge.cycles) : next, last_instant_) + phase;
  if (instant <= next - 1) instant += std::floor(next - instant);  // whole samples: the phase stays
  append(instant, 0, true);
  marker_ = true;
  anchored_ = true;
  anchor_ = instant;
  anchor_cycles_ = edge.cycles;
  open_ = {.number = windows_++,
           .first_cycles = edge.cycles,
           .last_cycles = edge.cycles,
           .rise = instant,
           .fall = instant};
}

void Timeline::end_of_edges() {
  if (!marker_) return;
  marker_ = false;
  append(last_instant_, 0, false);
  anchor_ = last_instant_;
}

double Timeline::instant_of(std::uint64_t cycles) const {
  if (!anchored_) return 0;
  return anchor_ + static_cast<double>(cycles - anchor_cycles_) * samples_per_cycle_;
}

void Timeline::append(double instant, std::uint8_t pin, bool level) {
  last_instant_ = std::max(last_instant_, instant);
  changes_.push_back({last_instant_, pin, level});
}

double Timeline::known_until() const {
  return marker_ ? last_instant_ : std::numeric_limits<double>::infinity();
}

std::uint8_t Timeline::levels_at(double instant) {
  while (!changes_.empty() && changes_.front().instant <= instant) {
    const Change change = changes_.front();
    changes_.pop_front();
    const auto bit = static_cast<std::uint8_t>(1U << (change.pin & 7));
    levels_ = static_cast<std::uint8_t>(change.level ? levels_ | bit : levels_ & ~bit);
  }
  return levels_;
}

}  // namespace rigd::sim::ppk2
