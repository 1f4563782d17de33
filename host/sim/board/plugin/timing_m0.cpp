// Cortex-M0: Arm DDI 0432C, section 3.3, table 3-1. Cortex-M0+: Arm DDI 0484C, section 3.3, table 3-1. The
// tables are the same but for two figures. N counts PC and LR. Loads and stores are those of the system bus
// (2 cycles), not of the M0+'s optional single-cycle I/O port.
#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

namespace {

struct Figures {
  std::uint8_t taken;    // what a taken branch adds: B<cc> is 1 or 1 + taken
  std::uint8_t special;  // MRS, MSR, DMB, DSB, ISB
};

constexpr Figures kCortexM0{.taken = 2, .special = 4};
constexpr Figures kCortexM0Plus{.taken = 1, .special = 3};  // two pipeline stages, not three

constexpr std::uint8_t cycles(unsigned count) {
  return static_cast<std::uint8_t>(count);
}

Timing time_armv6m(const Figures& core, const Instruction& instruction, unsigned multiply_cycles) {
  switch (instruction.kind) {
    case Kind::multiply:
      return {.cycles = cycles(multiply_cycles)};
    case Kind::load:
    case Kind::store:
      return {.cycles = 2};
    case Kind::load_multiple:
      if (instruction.to_pc)  // POP with PC: M0 4 + N, M0+ 3 + N
        return {.cycles = cycles(2u + instruction.words), .refill = core.taken};
      return {.cycles = cycles(1u + instruction.words)};
    case Kind::store_multiple:
      return {.cycles = cycles(1u + instruction.words)};
    case Kind::branch:
    case Kind::branch_if:
    case Kind::branch_to:  // M0 3, M0+ 2
      return {.cycles = 1, .refill = core.taken};
    case Kind::branch_link:  // M0 4, M0+ 3
      return {.cycles = 2, .refill = core.taken};
    case Kind::special_register:
    case Kind::data_barrier:
    case Kind::instruction_barrier:
      return {.cycles = core.special};
    case Kind::wait:
      return {.cycles = 2};
    case Kind::data:  // MOV and ADD to PC: M0 3, M0+ 2
      return {.cycles = 1, .refill = instruction.to_pc ? core.taken : std::uint8_t{0}};
    default:  // hints and CPS: 1; SVC and BKPT have no figure; the rest is not in ARMv6-M
      return {};
  }
}

}  // namespace

Timing time_cortex_m0(const Instruction& instruction, unsigned multiply_cycles) {
  return time_armv6m(kCortexM0, instruction, multiply_cycles);
}

Timing time_cortex_m0plus(const Instruction& instruction, unsigned multiply_cycles) {
  return time_armv6m(kCortexM0Plus, instruction, multiply_cycles);
}

}  // namespace rigd::sim::board
