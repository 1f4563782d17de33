// 16-bit Thumb instructions: Arm DDI 0403, A5.2.
#include <bit>

#include "sim/board/plugin/decode.hpp"

namespace rigd::sim::board {

namespace {

constexpr std::uint16_t kSp = 1u << 13;
constexpr std::uint16_t kPc = 1u << 15;

constexpr unsigned field(std::uint16_t opcode, unsigned low, unsigned width) {
  return (opcode >> low) & ((1u << width) - 1);
}
constexpr std::uint16_t bit_of(unsigned reg) {
  return static_cast<std::uint16_t>(1u << reg);
}
constexpr std::uint8_t count(unsigned registers) {
  return static_cast<std::uint8_t>(std::popcount(registers));
}

Instruction transfer(bool load, unsigned target, std::uint16_t address_parts) {
  Instruction it{.kind = load ? Kind::load : Kind::store, .words = 1, .address_parts = address_parts};
  it.stack_relative = (address_parts & kSp) != 0;
  it.register_offset = std::popcount(address_parts) > 1;
  if (load) it.loads = bit_of(target);
  return it;
}

// LDR, STR and their kin with a register offset: the address is [Rn, Rm].
Instruction register_transfer(std::uint16_t opcode) {
  const bool load = field(opcode, 9, 3) >= 3;
  Instruction it =
      transfer(load, field(opcode, 0, 3),
               static_cast<std::uint16_t>(bit_of(field(opcode, 3, 3)) | bit_of(field(opcode, 6, 3))));
  it.register_offset = true;
  return it;
}

Instruction multiple(bool load, unsigned registers, bool stack) {
  Instruction it{.kind = load ? Kind::load_multiple : Kind::store_multiple, .words = count(registers)};
  it.stack_relative = stack;
  it.to_pc = load && (registers & kPc) != 0;
  return it;
}

// ADD, CMP, MOV on high registers, BX, BLX: 0100 01xx.
Instruction special_data(std::uint16_t opcode) {
  const unsigned operation = field(opcode, 8, 2);
  if (operation == 3) return {.kind = Kind::branch_to};
  const unsigned target = field(opcode, 0, 3) | field(opcode, 7, 1) << 3;
  return {.kind = Kind::data, .to_pc = operation != 1 && target == 15};
}

// 1011 xxxx.
Instruction miscellaneous(std::uint16_t opcode) {
  const unsigned registers = field(opcode, 0, 8);
  const bool extra = field(opcode, 8, 1) != 0;                        // LR of PUSH, PC of POP
  if ((opcode & 0xF500) == 0xB100) return {.kind = Kind::branch_if};  // CBZ, CBNZ
  if ((opcode & 0xFE00) == 0xB400) return multiple(false, registers | (extra ? 1u << 14 : 0u), true);
  if ((opcode & 0xFE00) == 0xBC00) return multiple(true, registers | (extra ? 1u << 15 : 0u), true);
  if ((opcode & 0xFFE0) == 0xB660) return {.kind = Kind::change_state};
  if ((opcode & 0xFF00) == 0xBE00) return {.kind = Kind::exception};  // BKPT
  if ((opcode & 0xFF00) != 0xBF00) return {};                         // extend, reverse, SP arithmetic
  const unsigned mask = field(opcode, 0, 4);
  if (mask != 0)  // IT: the position of the lowest set bit says how long the block is
    return {.kind = Kind::if_then, .covers = static_cast<std::uint8_t>(4 - std::countr_zero(mask))};
  const unsigned operation = field(opcode, 4, 4);
  return {.kind = operation == 2 || operation == 3 ? Kind::wait : Kind::hint};
}

// 1101 xxxx.
Instruction conditional_branch(std::uint16_t opcode) {
  return {.kind = field(opcode, 8, 4) >= 14 ? Kind::exception : Kind::branch_if};
}

}  // namespace

Instruction decode_narrow(std::uint16_t opcode) {
  const bool load = field(opcode, 11, 1) != 0;
  const unsigned low_target = field(opcode, 0, 3);
  const unsigned high_target = field(opcode, 8, 3);
  switch (field(opcode, 12, 4)) {
    case 0x4:
      if ((opcode & 0xFC00) == 0x4400) return special_data(opcode);
      if ((opcode & 0xF800) == 0x4800) return transfer(true, high_target, kPc);
      return {.kind = (opcode & 0xFFC0) == 0x4340 ? Kind::multiply : Kind::data};
    case 0x5:
      return register_transfer(opcode);
    case 0x6:
    case 0x7:
    case 0x8:
      return transfer(load, low_target, bit_of(field(opcode, 3, 3)));
    case 0x9:
      return transfer(load, high_target, kSp);
    case 0xB:
      return miscellaneous(opcode);
    case 0xC:
      return multiple(load, field(opcode, 0, 8), false);
    case 0xD:
      return conditional_branch(opcode);
    case 0xE:
      return {.kind = Kind::branch};
    default:
      return {};
  }
}

}  // namespace rigd::sim::board
