// Reads the board's edge stream (sim/common/edge_record.hpp), however its bytes were cut.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "sim/ppk2/timeline.hpp"

namespace rigd::sim::ppk2 {

class EdgeStream {
 public:
  // The edges these bytes complete. Errors: link_corrupt (not an edge stream, out of step, or cycles that
  // fall).
  Result<std::vector<Edge>> push(std::span<const std::byte> bytes);

 private:
  std::vector<std::uint8_t> rest_;
  bool header_seen_ = false;
  std::uint64_t last_cycles_ = 0;
};

}  // namespace rigd::sim::ppk2
