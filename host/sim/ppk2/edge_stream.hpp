// Reads the board's edge stream: 16 bytes "RIGDEDG1" + u64 0, then 32-byte records (u64 sequence, u64
// instructions, u64 modelled cycles, u8 pin, u8 level, 6 zero bytes), little-endian.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "sim/ppk2/timeline.hpp"

namespace rigd::sim::ppk2 {

class EdgeStream {
 public:
  // The edges these bytes complete. Errors: link_corrupt (not an edge stream, or cycles that fall).
  Result<std::vector<Edge>> push(std::span<const std::byte> bytes);

 private:
  std::vector<std::byte> rest_;
  bool header_seen_ = false;
  std::uint64_t last_cycles_ = 0;
};

}  // namespace rigd::sim::ppk2
