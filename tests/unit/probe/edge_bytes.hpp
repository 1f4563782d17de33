// The edge stream's bytes, written out by hand.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "probe/edges.hpp"

namespace rigd::probe::test {

inline std::vector<std::byte> edge_header() {
  std::vector<std::byte> bytes;
  for (const char c : std::string_view("RIGDEDG1\0\0\0\0\0\0\0\0", 16))
    bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

inline std::vector<std::byte> edge_record(const CountedEdge& edge) {
  std::vector<std::byte> bytes;
  for (const std::uint64_t value : {edge.sequence, edge.instructions, edge.cycles})
    for (unsigned i = 0; i < 8; ++i)
      bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  bytes.push_back(static_cast<std::byte>(edge.pin));
  bytes.push_back(static_cast<std::byte>(edge.level));
  bytes.resize(32);
  return bytes;
}

}  // namespace rigd::probe::test
