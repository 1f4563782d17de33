// The wire between an adapter and a chip: serial wire debug, one request at a time.
// Source: Arm Debug Interface Architecture Specification ADIv5 (IHI 0031), chapter B4.
#pragma once

#include <cstdint>

namespace rigd::sim::adapter {

// IHI 0031 B4.2: the three acknowledge bits, least significant first on the wire. `none`: nobody drives the
// line, the pull-up reads as ones.
enum class Ack : std::uint8_t { ok = 1, wait = 2, fault = 4, none = 7 };

struct SwdRequest {
  bool access_port;      // APnDP
  bool read;             // RnW
  std::uint8_t address;  // A[3:2]: 0, 4, 8 or 12
};

class SwdWire {
 public:
  virtual ~SwdWire() = default;

  // `data` is what the host sends, or receives its answer. A read of an access port returns its value at
  // once: the adapter has already collected the posted result.
  virtual Ack transfer(SwdRequest request, std::uint32_t& data) = 0;
  // At least 50 clocks with the data line high (IHI 0031 B4.3.3).
  virtual void line_reset() = 0;
  virtual void reset_pin(bool high) = 0;
};

}  // namespace rigd::sim::adapter
