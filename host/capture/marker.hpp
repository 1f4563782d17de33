// Marker edges in the logic inputs of a probe: a window starts at the first sample whose marker bit is 1 and
// ends at the first sample back at 0 ([first, last), the convention of EEMBC's energy monitors).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capture/samples.hpp"

namespace rigd::capture {

// Samples [first, last).
struct Stretch {
  SampleIndex first = 0;
  SampleIndex last = 0;

  SampleIndex length() const { return last - first; }
  bool operator==(const Stretch&) const = default;
};

// Follows the marker through consecutive blocks of logic levels. Where samples are missing the last level is
// held: an edge inside the hole shows at its end, and the hole itself makes the window invalid (windows.hpp).
class MarkerTracker {
 public:
  explicit MarkerTracker(unsigned marker_bit) : mask_(static_cast<std::uint8_t>(1U << marker_bit)) {}

  // Levels of samples [first, first + logic.size()).
  void push(SampleIndex first, std::span<const std::uint8_t> logic);

  const std::vector<Stretch>& complete() const { return complete_; }
  // Windows of which only a part was seen: the marker was high at the first sample, or still is.
  std::size_t cut() const { return (high_at_start_ ? 1U : 0U) + (start_ ? 1U : 0U); }
  std::optional<SampleIndex> last_edge() const { return last_edge_; }

 private:
  enum class Level : std::uint8_t { unknown, low, high };

  void edge(SampleIndex at);

  std::uint8_t mask_;
  Level level_ = Level::unknown;
  bool high_at_start_ = false;
  std::optional<SampleIndex> start_;  // of the window that is open
  std::optional<SampleIndex> last_edge_;
  std::vector<Stretch> complete_;
};

}  // namespace rigd::capture
