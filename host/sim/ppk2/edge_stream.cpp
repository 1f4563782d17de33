#include "sim/ppk2/edge_stream.hpp"

#include "sim/common/edge_record.hpp"

namespace rigd::sim::ppk2 {

Result<std::vector<Edge>> EdgeStream::push(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes)
    rest_.push_back(std::to_integer<std::uint8_t>(byte));
  std::span<const std::uint8_t> rest(rest_);
  if (!header_seen_ && rest.size() >= kEdgeHeaderSize) {
    if (!is_edge_header(rest.first<kEdgeHeaderSize>()))
      return fail(ErrorCode::link_corrupt, "not an edge stream, or of another version");
    header_seen_ = true;
    rest = rest.subspan(kEdgeHeaderSize);
  }
  std::vector<Edge> edges;
  for (; header_seen_ && rest.size() >= kEdgeRecordSize; rest = rest.subspan(kEdgeRecordSize)) {
    const auto record = decode_edge(rest.first<kEdgeRecordSize>());
    if (!record || record->cycles < last_cycles_)
      return fail(ErrorCode::link_corrupt, "edge stream: out of step or cycles that fall");
    last_cycles_ = record->cycles;
    edges.push_back({.cycles = record->cycles, .pin = record->pin, .level = record->level != 0});
  }
  rest_ = std::vector(rest.begin(), rest.end());
  return edges;
}

}  // namespace rigd::sim::ppk2
