#include "capture/marker.hpp"

#include <cstring>

namespace rigd::capture {

namespace {

// Index of the first of `logic` whose masked bit is not `level`, from `at` on; eight samples at a time.
std::size_t first_change(std::span<const std::uint8_t> logic, std::size_t at, std::uint8_t mask, bool high) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  const std::uint64_t masks = kEach * mask;
  const std::uint64_t steady = high ? masks : 0;
  for (; at + sizeof masks <= logic.size(); at += sizeof masks) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, logic.data() + at, sizeof eight);
    if ((eight & masks) != steady) break;
  }
  while (at < logic.size() && ((logic[at] & mask) != 0) == high)
    ++at;
  return at;
}

}  // namespace

void MarkerTracker::push(SampleIndex first, std::span<const std::uint8_t> logic) {
  if (logic.empty()) return;
  if (level_ == Level::unknown) {
    high_at_start_ = (logic[0] & mask_) != 0;
    level_ = high_at_start_ ? Level::high : Level::low;
  }
  std::size_t at = 0;
  while ((at = first_change(logic, at, mask_, level_ == Level::high)) < logic.size())
    edge(first + at);
}

void MarkerTracker::edge(SampleIndex at) {
  last_edge_ = at;
  if (level_ == Level::low) {
    level_ = Level::high;
    start_ = at;
    return;
  }
  level_ = Level::low;
  if (start_) complete_.push_back({*start_, at});
  start_.reset();
}

}  // namespace rigd::capture
