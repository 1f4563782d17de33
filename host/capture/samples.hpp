// Samples, gaps and edges as they leave a probe. The clock of a capture is the 64-bit sample index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace rigd::capture {

using SampleIndex = std::uint64_t;

// Why samples are missing or untrustworthy between two indices.
enum class GapCause : std::uint8_t {
  counter,     // the device's own sample counter jumped: `missing` samples are absent (modulo its width)
  rate,        // fewer samples arrived than the rate promises: somewhere in the range `missing` are absent
  resync,      // bytes were lost; the decoder found its footing again
  invalid,     // samples arrived but cannot be converted (invalid range code, saturated)
  disconnect,  // the device went away
};

// No trustworthy samples in [first, last). The index axis already includes the missing samples where their
// number is known, so time stays true on both sides of a `counter` gap.
struct Gap {
  SampleIndex first = 0;
  SampleIndex last = 0;
  std::uint64_t missing = 0;
  GapCause cause = GapCause::counter;

  bool operator==(const Gap&) const = default;
};

// Consecutive samples without a gap inside. The spans live only during the call that hands them over.
struct SampleBlock {
  SampleIndex first = 0;
  std::span<const std::uint32_t> words;  // as the device sent them: everything can be recomputed from these
  std::span<const float> current_a;      // ampere, one for each word
  std::span<const std::uint8_t> logic;   // digital inputs, bit n = input n, one for each word
};

// Everything a probe delivered over one stretch of time. `words[i]` is sample `first + i`; samples inside a
// gap hold zero words and zero current and count for nothing.
struct Recording {
  double rate_hz = 0;
  SampleIndex first = 0;
  std::vector<std::uint32_t> words;
  std::vector<float> current_a;
  std::vector<std::uint8_t> logic;
  std::vector<Gap> gaps;  // ordered, within [first, first + words.size()]

  SampleIndex end() const { return first + words.size(); }
};

}  // namespace rigd::capture
