// A microcontroller around its core: the memory map and what the simulator lacks or gets wrong.
#pragma once

#include <cstdint>

#include "sim/adapter/dap.hpp"
#include "sim/adapter/memory.hpp"

namespace rigd::sim::adapter {

struct AddressRange {
  std::uint32_t first;
  std::uint32_t size;

  constexpr bool contains(std::uint32_t address, std::uint32_t bytes = 1) const {
    return address - first < size && size - (address - first) >= bytes;
  }
};

struct CoreFacts {
  DapFacts dap;
  std::uint32_t cpuid;
  unsigned breakpoints;  // comparators of the breakpoint unit
  AddressRange flash;
  AddressRange ram;
};

// Reads and writes reach everything except the core's debug registers.
class Chip : public Memory {
 public:
  virtual const CoreFacts& core() const = 0;
  virtual void power_on() = 0;  // once, before anything else
  // The CPU is about to run or to be reset: what it will see must be in the simulator.
  virtual void before_run() = 0;
  virtual void reset() = 0;
};

}  // namespace rigd::sim::adapter
