// Flash memory and flash controller of an STM32F405 (1 MiB, one bank).
// Source: ST RM0090 rev 19, section 3 "Embedded Flash memory interface": 3.4 (sectors), 3.6 (erase and
// program), 3.7 (option bytes), 3.9 (registers).
//
// Every operation is finished at once: BSY is never seen. The double-word parallelism (PSIZE 3) needs an
// external supply voltage and is refused, and option bytes are read-only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/adapter/chip.hpp"

namespace rigd::sim::adapter {

class Stm32f4Flash {
 public:
  static constexpr std::uint32_t kSize = 1024 * 1024;
  static constexpr AddressRange kRegisters{0x40023C00, 0x400};
  static constexpr unsigned kSectors = 12;
  static AddressRange sector(unsigned number);  // offsets in flash

  Stm32f4Flash() : cells_(kSize, 0xFF) {}

  std::uint32_t read_register(std::uint32_t offset) const;
  void write_register(std::uint32_t offset, std::uint32_t value);
  void reset();

  std::span<const std::uint8_t> cells() const { return cells_; }
  std::uint32_t read(std::uint32_t offset, unsigned bytes) const;
  // A write to the memory itself: programs if the controller is set up for it, else sets its error flags.
  void program(std::uint32_t offset, unsigned bytes, std::uint32_t value);

  void protect_all(bool on) { protect_all_ = on; }                                  // as nWRP of every sector
  void set_stuck_bit(std::optional<std::uint32_t> offset) { stuck_bit_ = offset; }  // see Faults

 private:
  enum class Lock { locked, first_key, unlocked, refused };  // refused: until the next reset (3.6.1)

  void write_key(std::uint32_t value);
  void write_control(std::uint32_t value);
  void erase();
  bool is_protected(unsigned sector_number) const;
  void program_byte(std::uint32_t offset, std::uint8_t value);

  std::vector<std::uint8_t> cells_;
  Lock lock_ = Lock::locked;
  std::uint32_t access_control_ = 0;
  std::uint32_t status_ = 0;
  std::uint32_t control_ = 0;  // without LOCK
  bool protect_all_ = false;
  std::optional<std::uint32_t> stuck_bit_;
};

}  // namespace rigd::sim::adapter
