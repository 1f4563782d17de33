// The chip's debug access port: an ADIv5 serial-wire debug port and one AHB memory access port (AP 0).
// Source: IHI 0031 chapters B2 (debug port), C1, C2 (MEM-AP).
#pragma once

#include <cstdint>

#include "sim/adapter/faults.hpp"
#include "sim/adapter/memory.hpp"
#include "sim/adapter/swd.hpp"

namespace rigd::sim::adapter {

struct DapFacts {
  std::uint32_t dpidr;     // debug port identification
  std::uint32_t ap_idr;    // MEM-AP identification
  std::uint32_t rom_base;  // MEM-AP BASE: where the ROM table is, and that it is there
  std::uint32_t tar_wrap;  // bytes within which the transfer address increments (C2.2.3: at least 1024)
  bool packed_transfers;
};

// What the debug port is part of.
class DebugTarget : public Memory {
 public:
  virtual bool powered() const = 0;
  virtual void reset_pin(bool high) = 0;
};

class Dap final : public SwdWire {
 public:
  Dap(const DapFacts& facts, DebugTarget& target, const Faults& faults)
      : facts_(facts), target_(target), faults_(faults) {}

  Ack transfer(SwdRequest request, std::uint32_t& data) override;
  void line_reset() override { line_ = Line::reset; }
  void reset_pin(bool high) override { target_.reset_pin(high); }

 private:
  enum class Line {
    dormant,
    reset,
    active
  };  // after a line reset only the identification may be read (B4.3.4)

  std::uint32_t read_debug_port(std::uint8_t address) const;
  void write_debug_port(std::uint8_t address, std::uint32_t value);
  bool read_access_port(std::uint8_t address, std::uint32_t& value);
  bool write_access_port(std::uint8_t address, std::uint32_t value);

  bool read_memory(std::uint32_t address, std::uint32_t& value);
  bool write_memory(std::uint32_t address, std::uint32_t value);
  void advance_address();
  unsigned access_bytes() const { return 1u << (csw_ & 7); }
  bool packed() const;
  std::uint32_t identification() const;
  std::uint32_t status() const;

  DapFacts facts_;
  DebugTarget& target_;
  const Faults& faults_;
  Line line_ = Line::dormant;
  bool sticky_error_ = false;
  std::uint32_t control_ = 0;
  std::uint32_t select_ = 0;
  std::uint32_t read_buffer_ = 0;
  std::uint32_t csw_ = 0x23000042;  // privileged data access, device enabled, word
  std::uint32_t tar_ = 0;
};

}  // namespace rigd::sim::adapter
