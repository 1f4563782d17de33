// Cortex-M4: Arm 100166_0001 (the successor of DDI 0439, for r0p1: the STM32F405's revision), section 3.3.1
// table 3-1 and section 3.3.3; floating point: section 7.2.3. N counts PC and LR. Where the manual leaves a
// choice:
//
//   P, the pipeline refill of a taken branch, is 1 to 3 cycles: 3 here, which is what the manual states for
//     LDR PC and TBB, and comes closest to published measurements of whole algorithms.
//   Division takes 2 to 12 cycles by its operands: 7 here, the middle.
//   Loads and stores pair as in 3.3.3: LDR, STR and exclusives right behind an LDR whose target is no part
//     of their address take one cycle less; nothing pairs behind a store, a pair or a multiple.
//   STR with an immediate offset is always one cycle.
//   DMB and DSB take 1 (nothing to wait for), ISB a refill more. MRS, MSR and CPS ("1 or 2") take 2.
//   IT takes no cycle of its own behind a 16-bit instruction ("can be folded"): always 0 here.
//   Left out: the extra cycle when an address comes from the data-processing instruction right before, when a
//     floating-point result is used by the very next instruction, and when a literal load contends with the
//     fetch.
//
// Compared with what was published for hardware without wait states: X25519 of Emill/X25519-Cortex-M4 547 300
// cycles here, 548 873 there (-0.3 %); of Ko-/aes-armcortexm: AES-128 key expansion 244 (244.9), one block
// 625 (634.7, -1.5 %), CTR a block 517.6 (527.9, -2.0 %), bitsliced CTR a block 1624 (1616.6, +0.5 %).
#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

namespace {

constexpr std::uint8_t kRefill = 3;
constexpr std::uint8_t kDivision = 7;

constexpr std::uint8_t cycles(unsigned count) {
  return static_cast<std::uint8_t>(count);
}

Timing time_float(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::float_multiply_accumulate:
      return {.cycles = 3};
    case Kind::float_divide:
      return {.cycles = 14};
    case Kind::float_move_pair:
      return {.cycles = 2};
    case Kind::float_load:  // 2, or 3 of a double register
    case Kind::float_store:
    case Kind::float_load_multiple:  // 1 + N single, 1 + 2N double registers
    case Kind::float_store_multiple:
      return {.cycles = cycles(1u + instruction.words)};
    default:
      return {.cycles = 1};
  }
}

}  // namespace

Timing time_cortex_m4(const Instruction& instruction) {
  const std::uint8_t to_pc = instruction.to_pc ? kRefill : 0;
  switch (instruction.kind) {
    case Kind::divide:
      return {.cycles = kDivision};
    case Kind::load:  // 2; to PC 2 + P
      return {.cycles = 2, .refill = to_pc, .overlap = 1, .leads = !instruction.to_pc};
    case Kind::load_exclusive:
    case Kind::store_exclusive:
      return {.cycles = 2, .overlap = 1, .leads = true};
    case Kind::store:
      if (instruction.register_offset) return {.cycles = 2, .overlap = 1};
      return {.cycles = 1};
    case Kind::load_pair:
    case Kind::store_pair:
    case Kind::load_multiple:  // 1 + N; with PC 1 + N + P
    case Kind::store_multiple:
      return {.cycles = cycles(1u + instruction.words), .refill = to_pc};
    case Kind::branch:
    case Kind::branch_if:
    case Kind::branch_link:
    case Kind::branch_to:  // 1 + P
      return {.cycles = 1, .refill = kRefill};
    case Kind::table_branch:  // 2 + P
      return {.cycles = 2, .refill = kRefill};
    case Kind::if_then:
      return {.cycles = 0};
    case Kind::special_register:
    case Kind::change_state:
      return {.cycles = 2};
    case Kind::instruction_barrier:
      return {.cycles = 1 + kRefill};
    case Kind::float_data:
    case Kind::float_multiply_accumulate:
    case Kind::float_divide:
    case Kind::float_move_pair:
    case Kind::float_load:
    case Kind::float_store:
    case Kind::float_load_multiple:
    case Kind::float_store_multiple:
      return time_float(instruction);
    default:  // MUL, MLA, long products, DSP: 1; MOV and ADD to PC: 1 + P
      return {.cycles = 1, .refill = to_pc};
  }
}

}  // namespace rigd::sim::board
