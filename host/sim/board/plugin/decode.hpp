// Thumb instructions (ARMv6-M, ARMv7E-M with single-precision floating point) sorted into the classes that
// the cores' timing tables distinguish. Encodings: Arm DDI 0403 (ARMv7-M Architecture Reference Manual), A5
// and A6.
#pragma once

#include <cstdint>

namespace rigd::sim::board {

enum class Kind : std::uint8_t {
  data,                 // moves, arithmetic, logic, shifts, extensions, bit fields: all of one cycle
  multiply,             // 32-bit product alone
  multiply_accumulate,  // MLA, MLS, and the DSP multiplies
  multiply_long,        // 64-bit product
  divide,
  load,  // one register, immediate or literal or register offset
  store,
  load_pair,  // LDRD
  store_pair,
  load_exclusive,
  store_exclusive,
  load_multiple,  // LDM, POP
  store_multiple,
  branch,       // always taken unless in an IT block
  branch_if,    // B<cc>, CBZ, CBNZ
  branch_link,  // BL
  branch_to,    // BX, BLX: to a register
  table_branch,
  if_then,  // IT
  special_register,
  change_state,  // CPS
  data_barrier,  // DMB, DSB
  instruction_barrier,
  wait,       // WFI, WFE: what comes before the core sleeps
  hint,       // NOP, SEV, YIELD, preloads
  exception,  // SVC, BKPT and what is undefined
  float_data,
  float_multiply_accumulate,
  float_divide,     // VDIV, VSQRT
  float_move_pair,  // two core registers to or from floating point
  float_load,       // VLDR
  float_store,
  float_load_multiple,
  float_store_multiple,
};

struct Instruction {
  Kind kind = Kind::data;
  std::uint8_t size = 2;            // bytes
  std::uint8_t words = 0;           // 32-bit words a load or store moves, PC and LR counted
  bool to_pc = false;               // writes PC other than by a branch: MOV, ADD, LDR, LDM, POP
  bool register_offset = false;     // of a load or store: its address is a sum of registers
  bool stack_relative = false;      // of a load or store: its base is SP
  std::uint8_t covers = 0;          // of IT: how many instructions follow in its block
  std::uint16_t loads = 0;          // registers a load writes, one bit each
  std::uint16_t address_parts = 0;  // registers a load or store computes its address from

  bool operator==(const Instruction&) const = default;
};

bool is_load(Kind kind);   // reads memory
bool is_store(Kind kind);  // writes memory

// `second` is the second halfword, looked at only when the first says there is one.
Instruction decode(std::uint16_t first, std::uint16_t second);

constexpr bool is_wide(std::uint16_t first) {
  return (first & 0xE000) == 0xE000 && (first & 0x1800) != 0;
}

// The two halves of decode().
Instruction decode_narrow(std::uint16_t opcode);
Instruction decode_wide(std::uint16_t first, std::uint16_t second);

}  // namespace rigd::sim::board
