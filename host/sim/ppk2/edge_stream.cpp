#include "sim/ppk2/edge_stream.hpp"

#include <cstring>
#include <string_view>

namespace rigd::sim::ppk2 {

namespace {

constexpr std::string_view kHeader{"RIGDEDG1\0\0\0\0\0\0\0\0", 16};
constexpr std::size_t kRecordBytes = 32;
constexpr std::size_t kCyclesAt = 16, kPinAt = 24, kLevelAt = 25;

Edge edge_of(std::span<const std::byte> record) {
  Edge edge;
  for (std::size_t i = 8; i-- > 0;)
    edge.cycles = edge.cycles << 8 | std::to_integer<std::uint64_t>(record[kCyclesAt + i]);
  edge.pin = std::to_integer<std::uint8_t>(record[kPinAt]);
  edge.level = record[kLevelAt] != std::byte{0};
  return edge;
}

}  // namespace

Result<std::vector<Edge>> EdgeStream::push(std::span<const std::byte> bytes) {
  rest_.insert(rest_.end(), bytes.begin(), bytes.end());
  std::span<const std::byte> rest(rest_);
  if (!header_seen_ && rest.size() >= kHeader.size()) {
    if (std::memcmp(rest.data(), kHeader.data(), kHeader.size()) != 0)
      return fail(ErrorCode::link_corrupt, "not an edge stream, or of another version");
    header_seen_ = true;
    rest = rest.subspan(kHeader.size());
  }
  std::vector<Edge> edges;
  for (; header_seen_ && rest.size() >= kRecordBytes; rest = rest.subspan(kRecordBytes)) {
    edges.push_back(edge_of(rest.first(kRecordBytes)));
    if (edges.back().cycles < last_cycles_) return fail(ErrorCode::link_corrupt, "edge stream: cycles fall");
    last_cycles_ = edges.back().cycles;
  }
  rest_ = std::vector(rest.begin(), rest.end());
  return edges;
}

}  // namespace rigd::sim::ppk2
