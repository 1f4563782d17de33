// What the adapter asks of the program that runs the chip's CPU. QEMU is the only one (qemu_link.hpp); tests
// have their own. Nothing here fails by itself: once the simulator is gone, alive() is false and every read
// gives zeros.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rigd::sim::adapter {

// CPU registers by number: 0 to 15 as in the architecture, then the program status.
enum Register : unsigned { kStackPointer = 13, kLinkRegister = 14, kProgramCounter = 15, kXpsr = 16 };

class Simulator {
 public:
  virtual ~Simulator() = default;

  virtual bool alive() const = 0;

  // Memory and peripherals, also while the CPU runs. 1, 2 or 4 bytes.
  virtual std::uint32_t read(std::uint32_t address, unsigned bytes) = 0;
  virtual void write(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;
  // Writes may be held back until the next read, halt or resume, or until this.
  virtual void flush() = 0;
  virtual std::vector<std::uint8_t> read_block(std::uint32_t address, std::uint32_t size) = 0;
  // Only while the CPU is stopped: memory that is read-only to the CPU.
  virtual void write_rom(std::uint32_t address, std::span<const std::uint8_t> data) = 0;

  // Only while the CPU is stopped.
  virtual std::uint32_t read_register(unsigned number) = 0;
  virtual void write_register(unsigned number, std::uint32_t value) = 0;
  virtual void set_breakpoint(std::uint32_t address) = 0;
  virtual void clear_breakpoint(std::uint32_t address) = 0;
  virtual void step() = 0;
  virtual void resume() = 0;

  virtual void halt() = 0;  // stopped when it returns
  // True once after the CPU stopped by itself (a breakpoint). Never disturbs a running CPU.
  virtual bool stopped() = 0;
  // Resets the whole machine; the CPU is stopped afterwards.
  virtual void reset() = 0;
};

}  // namespace rigd::sim::adapter
