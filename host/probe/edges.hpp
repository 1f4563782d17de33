// The edge stream of a simulated board: each level change of a pin with the instructions and modelled cycles
// at the very store that made it.
//
// The producer sends 16 bytes, "RIGDEDG1" and a reserved 0, then records of 32 bytes, little-endian: u64
// sequence, u64 instructions, u64 modelled cycles (both since the simulator started, never falling), u8 pin,
// u8 level, 6 zero bytes. A subscriber that comes late gets the header and the records from then on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.hpp"

namespace rigd::probe {

struct CountedEdge {
  std::uint64_t sequence = 0;      // 0, 1, 2 ... of all records since the simulator started
  std::uint64_t instructions = 0;  // executed so far
  std::uint64_t cycles = 0;        // modelled so far
  std::uint8_t pin = 0;            // 0 is the marker
  std::uint8_t level = 0;          // 0 or 1

  bool operator==(const CountedEdge&) const = default;
};

class EdgeSink {
 public:
  virtual ~EdgeSink() = default;
  virtual void on_edge(const CountedEdge& edge) = 0;
};

// Bytes to edges, however they were cut. An error is final: nothing after it can be trusted.
class EdgeDecoder {
 public:
  explicit EdgeDecoder(EdgeSink& sink) : sink_(sink) {}

  // Errors: probe_identity (not an edge stream), samples_lost (records missing), link_corrupt (counts that
  // fall, a level other than 0 and 1, padding that is not zero).
  Result<void> push(std::span<const std::byte> bytes);
  bool header_seen() const { return header_seen_; }
  // Whether the stream stands between two records.
  bool at_boundary() const { return filled_ == 0; }

 private:
  Result<void> take_unit();
  Result<void> take_header() const;
  Result<void> take_record();

  static constexpr std::size_t kHeaderBytes = 16;
  static constexpr std::size_t kRecordBytes = 32;

  EdgeSink& sink_;
  bool header_seen_ = false;
  std::size_t filled_ = 0;
  std::array<std::byte, kRecordBytes> unit_{};  // the header or record being collected
  std::optional<CountedEdge> last_;
  std::optional<Error> failed_;
};

}  // namespace rigd::probe
