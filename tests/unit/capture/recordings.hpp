// Recordings made by hand: a current and a marker, sample by sample.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/samples.hpp"

namespace rigd::capture::testing {

inline constexpr double kRateHz = 100e3;
inline constexpr unsigned kMarker = 2;

// Appends `count` samples of one level and current.
inline void append(Recording& recording, std::size_t count, bool high, float current_a) {
  recording.words.insert(recording.words.end(), count, 0xABCD0000U);
  recording.current_a.insert(recording.current_a.end(), count, current_a);
  recording.logic.insert(recording.logic.end(), count,
                         static_cast<std::uint8_t>(high ? 0xFF : 0xFF & ~(1U << kMarker)));
}

// Idle and busy stretches by turns, beginning idle.
inline Recording alternating(const std::vector<std::size_t>& lengths, float idle_a = 0.001F,
                             float busy_a = 0.004F) {
  Recording recording;
  recording.rate_hz = kRateHz;
  recording.first = 1000;
  bool high = false;
  for (const std::size_t length : lengths) {
    append(recording, length, high, high ? busy_a : idle_a);
    high = !high;
  }
  return recording;
}

// What a probe would hand over for samples [first, last) of a recording.
inline SampleBlock block(const Recording& recording, SampleIndex first, SampleIndex last) {
  const std::size_t at = first - recording.first;
  const std::size_t count = last - first;
  return {first, std::span(recording.words).subspan(at, count),
          std::span(recording.current_a).subspan(at, count), std::span(recording.logic).subspan(at, count)};
}

}  // namespace rigd::capture::testing
