// The edge stream of a simulated board: what the plugin writes, the hub of rigd-sim-board hands on and the
// simulated instruments read. All integers are little endian.
//
//   header, 16 bytes: "RIGDEDG1", u64 0
//   record, 32 bytes: u64 sequence, u64 instructions, u64 modelled cycles, u8 pin, u8 level, 14 bytes 0
//
// Instructions and cycles are totals since the simulator's start, including the store that changes the level;
// they never go back, not even when the board is reset. Pin 0 is the marker.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rigd::sim {

inline constexpr std::size_t kEdgeHeaderSize = 16;
inline constexpr std::size_t kEdgeRecordSize = 32;
inline constexpr std::string_view kEdgeMagic = "RIGDEDG1";
inline constexpr unsigned kMarkerPin = 0;

struct EdgeRecord {
  std::uint64_t sequence = 0;      // 0, 1, 2, ... of every record
  std::uint64_t instructions = 0;  // executed
  std::uint64_t cycles = 0;        // modelled
  std::uint8_t pin = 0;
  std::uint8_t level = 0;  // 0 or 1

  bool operator==(const EdgeRecord&) const = default;
};

using EdgeHeaderBytes = std::array<std::uint8_t, kEdgeHeaderSize>;
using EdgeRecordBytes = std::array<std::uint8_t, kEdgeRecordSize>;

namespace detail {

constexpr void put_u64(std::uint8_t* to, std::uint64_t value) {
  for (unsigned byte = 0; byte < 8; ++byte)
    to[byte] = static_cast<std::uint8_t>(value >> (8 * byte));
}

constexpr std::uint64_t get_u64(const std::uint8_t* from) {
  std::uint64_t value = 0;
  for (unsigned byte = 0; byte < 8; ++byte)
    value |= std::uint64_t{from[byte]} << (8 * byte);
  return value;
}

}  // namespace detail

constexpr EdgeHeaderBytes edge_header() {
  EdgeHeaderBytes bytes{};
  std::ranges::copy(kEdgeMagic, bytes.begin());
  return bytes;
}

constexpr bool is_edge_header(std::span<const std::uint8_t, kEdgeHeaderSize> bytes) {
  return std::ranges::equal(bytes, edge_header());
}

constexpr EdgeRecordBytes encode_edge(const EdgeRecord& record) {
  EdgeRecordBytes bytes{};
  detail::put_u64(&bytes[0], record.sequence);
  detail::put_u64(&bytes[8], record.instructions);
  detail::put_u64(&bytes[16], record.cycles);
  bytes[24] = record.pin;
  bytes[25] = record.level;
  return bytes;
}

// Nothing when the level is not 0 or 1 or a reserved byte is set: the stream is then out of step.
constexpr std::optional<EdgeRecord> decode_edge(std::span<const std::uint8_t, kEdgeRecordSize> bytes) {
  const bool reserved_clear = std::ranges::all_of(bytes.subspan<26>(), [](auto byte) { return byte == 0; });
  if (bytes[25] > 1 || !reserved_clear) return std::nullopt;
  return EdgeRecord{.sequence = detail::get_u64(&bytes[0]),
                    .instructions = detail::get_u64(&bytes[8]),
                    .cycles = detail::get_u64(&bytes[16]),
                    .pin = bytes[24],
                    .level = bytes[25]};
}

}  // namespace rigd::sim
