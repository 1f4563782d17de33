#include "probe/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace rigd::probe {

namespace {

constexpr std::string_view kMagic = "RIGDEDG1";

std::uint64_t little_u64(const std::byte* bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 8; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

Result<void> EdgeDecoder::push(std::span<const std::byte> bytes) {
  if (failed_) return std::unexpected(*failed_);
  while (!bytes.empty()) {
    const std::size_t wanted = header_seen_ ? kRecordBytes : kHeaderBytes;
    const std::size_t taken = std::min(bytes.size(), wanted - filled_);
    std::memcpy(unit_.data() + filled_, bytes.data(), taken);
    filled_ += taken;
    bytes = bytes.subspan(taken);
    if (filled_ < wanted) continue;
    filled_ = 0;
    if (auto good = take_unit(); !good) {
      failed_ = good.error();
      return good;
    }
  }
  return {};
}

Result<void> EdgeDecoder::take_unit() {
  if (header_seen_) return take_record();
  RIGD_CHECK(take_header());
  header_seen_ = true;
  return {};
}

Result<void> EdgeDecoder::take_header() const {
  const bool magic = std::memcmp(unit_.data(), kMagic.data(), kMagic.size()) == 0;
  if (magic && little_u64(unit_.data() + 8) == 0) return {};
  return fail(ErrorCode::probe_identity, "not an edge stream, or of another version");
}

Result<void> EdgeDecoder::take_record() {
  const CountedEdge edge{.sequence = little_u64(unit_.data()),
                         .instructions = little_u64(unit_.data() + 8),
                         .cycles = little_u64(unit_.data() + 16),
                         .pin = std::to_integer<std::uint8_t>(unit_[24]),
                         .level = std::to_integer<std::uint8_t>(unit_[25])};
  if (edge.level > 1 || !all_zero(std::span(unit_).subspan(26)))
    return fail(ErrorCode::link_corrupt, fmt::format("edge stream: record {} is malformed", edge.sequence));
  if (last_ && edge.sequence != last_->sequence + 1)
    return fail(ErrorCode::samples_lost,
                fmt::format("edge stream: record {} after {}", edge.sequence, last_->sequence));
  if (last_ && (edge.instructions < last_->instructions || edge.cycles < last_->cycles))
    return fail(ErrorCode::link_corrupt, fmt::format("edge stream: counts fall at record {}", edge.sequence));
  last_ = edge;
  sink_.on_edge(edge);
  return {};
}

}  // namespace rigd::probe
