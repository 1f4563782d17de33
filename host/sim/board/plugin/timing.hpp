// Modelled cycles of one instruction on one core, with zero wait states. One file a core, each a copy in code
// of the timing table in the core's Technical Reference Manual (TRM).
//
// Left out everywhere: flash wait states, bus contention, caches, exception entry and exit, unaligned
// accesses, memory that is slower than one cycle. Time asleep (WFI) is not counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/board/plugin/decode.hpp"

namespace rigd::sim::board {

enum class Core : std::uint8_t {
  none,  // one cycle an instruction, any architecture
  cortex_m0,
  cortex_m0plus,
  cortex_m4,
};

std::optional<Core> core_named(std::string_view name);

struct CoreModel {
  Core core = Core::none;
  unsigned multiply_cycles = 1;  // MULS of the M0 and M0+: 1 or 32, the chip maker's choice
};

struct Timing {
  std::uint8_t cycles = 1;   // when it falls through to the next instruction
  std::uint8_t refill = 0;   // more when it does not: a taken branch
  std::uint8_t overlap = 0;  // fewer when it runs right behind a load that `leads`
  bool leads = false;        // the next load or store may overlap with it

  bool operator==(const Timing&) const = default;
};

Timing time_of(const CoreModel& model, const Instruction& instruction);

Timing time_cortex_m0(const Instruction& instruction, unsigned multiply_cycles);
Timing time_cortex_m0plus(const Instruction& instruction, unsigned multiply_cycles);
Timing time_cortex_m4(const Instruction& instruction);

}  // namespace rigd::sim::board
