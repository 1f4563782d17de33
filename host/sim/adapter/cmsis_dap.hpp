// The adapter's packet engine: CMSIS-DAP protocol version 1 (HID reports), serial wire only.
// Source: Arm CMSIS-DAP 1.2 reference, "CMSIS-DAP Commands".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/adapter/swd.hpp"

namespace rigd::sim::adapter {

class CmsisDap {
 public:
  static constexpr unsigned kPacketBytes =
      512;  // what DAP_Info reports; a high-speed HID report holds up to 1024
  static constexpr unsigned kPacketCount = 4;  // packets the host may send before it reads the first answer

  CmsisDap(SwdWire& wire, std::string serial) : wire_(wire), serial_(std::move(serial)) {}

  // The answer to one request, at most kPacketBytes. A command that is unknown, cut short or too long for an
  // answer is answered by DAP_ERROR (0xFF). Empty when the command has no answer (DAP_TransferAbort).
  std::vector<std::uint8_t> handle(std::span<const std::uint8_t> request);

 private:
  class Reader;
  class Writer;

  void info(Reader& in, Writer& out) const;
  void connect(Reader& in, Writer& out) const;
  void configure_transfer(Reader& in, Writer& out);
  void transfer(Reader& in, Writer& out);
  void transfer_block(Reader& in, Writer& out);
  void write_abort(Reader& in, Writer& out);
  void swj_pins(Reader& in, Writer& out);
  void swj_sequence(Reader& in, Writer& out);

  std::uint8_t one_transfer(std::uint8_t request, Reader& in, Writer& out);
  std::uint8_t match_value(SwdRequest request, std::uint32_t wanted);
  Ack wire_transfer(SwdRequest request, std::uint32_t& data);

  SwdWire& wire_;
  std::string serial_;
  std::uint16_t wait_retries_ = 100;
  std::uint16_t match_retries_ = 0;
  std::uint32_t match_mask_ = 0;
  unsigned ones_in_a_row_ = 0;  // on the data line, for the line reset
  bool reset_high_ = true;
};

}  // namespace rigd::sim::adapter
