// The raw samples around one measurement: what goes in, what is kept, what comes out. Pure.
//
// Kept are the device's words (packed losslessly, see chunk.hpp), the list of gaps, and a pyramid of
// min/mean/max current for drawing. The clock is the sample index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/chunk.hpp"

namespace rigd::store {

// No trustworthy samples in [first_sample, last_sample).
struct TraceGap {
  std::int64_t first_sample = 0;
  std::int64_t last_sample = 0;
  std::int64_t missing = 0;
  std::string cause;  // "counter", "rate", "resync", "invalid", "disconnect"
  bool operator==(const TraceGap&) const = default;
};

// Samples to be kept. `words` and `current_a` have the same length; word i is sample first_sample + i.
struct TraceInput {
  WordLayout layout;
  double rate_hz = 0;
  std::int64_t first_sample = 0;
  std::span<const std::uint32_t> words;
  std::span<const float> current_a;
  std::vector<TraceGap> gaps;
};

// min, mean and max current of a stretch of samples; NaN where it holds none.
struct Band {
  float min_a = std::numeric_limits<float>::quiet_NaN();
  float mean_a = std::numeric_limits<float>::quiet_NaN();
  float max_a = std::numeric_limits<float>::quiet_NaN();
};

struct TraceChunk {
  std::int64_t first_sample = 0;
  std::int64_t samples = 0;
  std::vector<std::byte> packed;
};

// Up to kPyramidRow bands of one level, the first beginning at first_sample.
struct PyramidRow {
  int level = 0;
  std::int64_t first_sample = 0;
  std::vector<Band> bands;
};

// A trace as it is stored. Made by pack_trace(), which costs about 5 ns a sample: off the reactor for long
// traces.
struct Trace {
  WordLayout layout;
  double rate_hz = 0;
  std::int64_t first_sample = 0;
  std::int64_t samples = 0;
  std::vector<TraceChunk> chunks;
  std::vector<TraceGap> gaps;
  std::vector<PyramidRow> pyramid;
};

// Samples inside a gap are kept as they are but count for nothing in the pyramid. Gaps are cut to the trace,
// those outside are dropped. ErrorCode::internal for an impossible layout or spans that differ in length.
Result<Trace> pack_trace(const TraceInput& input);

// Facts of a stored trace.
struct TraceInfo {
  WordLayout layout;
  double rate_hz = 0;
  std::int64_t first_sample = 0;
  std::int64_t samples = 0;
  std::int64_t packed_bytes = 0;
  std::vector<TraceGap> gaps;

  std::int64_t end_sample() const { return first_sample + samples; }
};

// Words of samples [first_sample, first_sample + words.size()).
struct TraceWindow {
  std::int64_t first_sample = 0;
  std::vector<std::uint32_t> words;
};

// Turns words into amperes, one for each; given by the probe's driver with the calibration stored in the run.
// It is called once with consecutive words and may have a memory (spike filters).
using Convert = std::function<void(std::span<const std::uint32_t> words, std::span<float> current_a)>;

}  // namespace rigd::store
