// 32-bit Thumb instructions: Arm DDI 0403, A5.3 and (floating point) A6.4 to A6.7.
#include <bit>

#include "sim/board/plugin/decode.hpp"

namespace rigd::sim::board {

namespace {

constexpr unsigned kSp = 13;
constexpr unsigned kPc = 15;

constexpr unsigned field(std::uint16_t half, unsigned low, unsigned width) {
  return (half >> low) & ((1u << width) - 1);
}
constexpr bool bit(std::uint16_t half, unsigned position) {
  return field(half, position, 1) != 0;
}
constexpr std::uint16_t bit_of(unsigned reg) {
  return static_cast<std::uint16_t>(1u << reg);
}

Instruction wide(Kind kind) {
  return {.kind = kind, .size = 4};
}

Instruction moving(Kind kind, unsigned words, unsigned base) {
  Instruction it = wide(kind);
  it.words = static_cast<std::uint8_t>(words);
  it.stack_relative = base == kSp;
  it.address_parts = bit_of(base);
  return it;
}

// 1110 100x x0xx: LDM, STM, POP.W, PUSH.W.
Instruction multiple(std::uint16_t first, std::uint16_t registers) {
  const bool load = bit(first, 4);
  Instruction it = moving(load ? Kind::load_multiple : Kind::store_multiple,
                          static_cast<unsigned>(std::popcount(registers)), field(first, 0, 4));
  it.address_parts = 0;  // never paired with its neighbours, so nobody asks
  it.to_pc = load && (registers & bit_of(kPc)) != 0;
  return it;
}

Instruction exclusive(bool load, unsigned base, unsigned target) {
  Instruction it = moving(load ? Kind::load_exclusive : Kind::store_exclusive, 1, base);
  it.loads = bit_of(target);  // STREX writes its verdict
  return it;
}

// 1110 100x x1xx: LDRD, STRD, exclusives, TBB, TBH.
Instruction pair_or_exclusive(std::uint16_t first, std::uint16_t second) {
  const bool load = bit(first, 4);
  const unsigned base = field(first, 0, 4);
  const bool is_pair = bit(first, 8) || bit(first, 5);
  if (is_pair) return moving(load ? Kind::load_pair : Kind::store_pair, 2, base);
  if (!bit(first, 7)) return exclusive(load, base, load ? field(second, 12, 4) : field(second, 8, 4));
  if (load && field(second, 4, 4) <= 1) return moving(Kind::table_branch, 1, base);
  return exclusive(load, base, load ? field(second, 12, 4) : field(second, 0, 4));
}

// 1111 100x: LDR, STR and their kin, preloads.
Instruction single(std::uint16_t first, std::uint16_t second) {
  const bool load = bit(first, 4);
  const bool word = field(first, 5, 2) == 2;
  const unsigned target = field(second, 12, 4);
  const unsigned base = field(first, 0, 4);
  if (load && target == kPc && !word) return wide(Kind::hint);  // PLD, PLI
  Instruction it = moving(load ? Kind::load : Kind::store, 1, base);
  const bool immediate = bit(first, 7) || bit(second, 11) || base == kPc;
  if (!immediate) {
    it.register_offset = true;
    it.address_parts |= bit_of(field(second, 0, 4));
  }
  if (load) it.loads = bit_of(target);
  it.to_pc = load && target == kPc;
  return it;
}

// 1111 0011 10xx ...: MSR, MRS, hints, CPS, barriers.
Instruction system(std::uint16_t first, std::uint16_t second) {
  switch (field(first, 4, 7)) {
    case 0x38:
    case 0x39:
    case 0x3E:
    case 0x3F:
      return wide(Kind::special_register);
    case 0x3A: {
      if (field(second, 8, 3) != 0) return wide(Kind::change_state);
      const unsigned operation = field(second, 0, 8);
      return wide(operation == 2 || operation == 3 ? Kind::wait : Kind::hint);
    }
    case 0x3B: {
      const unsigned operation = field(second, 4, 4);
      if (operation == 6) return wide(Kind::instruction_barrier);
      return wide(operation == 4 || operation == 5 ? Kind::data_barrier : Kind::hint);  // hint: CLREX
    }
    default:
      return wide(Kind::exception);
  }
}

// 1111 0xxx xxxx xxxx 1xxx: branches and miscellaneous control.
Instruction branch_or_system(std::uint16_t first, std::uint16_t second) {
  if (bit(second, 14)) return wide(bit(second, 12) ? Kind::branch_link : Kind::exception);
  if (bit(second, 12)) return wide(Kind::branch);
  if (field(first, 7, 3) != 7) return wide(Kind::branch_if);
  return system(first, second);
}

// 1111 1011 0xxx: products of 32 bits, DSP multiplies.
Instruction multiply(std::uint16_t first, std::uint16_t second) {
  const bool plain = field(first, 4, 3) == 0 && field(second, 4, 2) == 0;
  const bool accumulates = field(second, 12, 4) != 15;
  return wide(plain && !accumulates ? Kind::multiply : Kind::multiply_accumulate);
}

// 1111 1011 1xxx: products of 64 bits, divisions.
Instruction multiply_long_or_divide(std::uint16_t first) {
  const unsigned operation = field(first, 4, 3);
  return wide(operation == 1 || operation == 3 ? Kind::divide : Kind::multiply_long);
}

Instruction float_transfer(std::uint16_t first, std::uint16_t second) {
  const bool load = bit(first, 4);
  const bool wide_register = bit(second, 8);
  const unsigned base = field(first, 0, 4);
  if ((first & 0x01E0) == 0x0040) return wide(Kind::float_move_pair);
  const bool is_single_register = bit(first, 8) && !bit(first, 5);
  if (is_single_register)
    return moving(load ? Kind::float_load : Kind::float_store, wide_register ? 2 : 1, base);
  const unsigned words = field(second, 0, 8) & (wide_register ? 0xFEu : 0xFFu);
  return moving(load ? Kind::float_load_multiple : Kind::float_store_multiple, words, base);
}

Instruction float_arithmetic(std::uint16_t first, std::uint16_t second) {
  constexpr unsigned square_root = 1;
  switch (first & 0x00B0) {
    case 0x00:  // VMLA, VMLS
    case 0x10:  // VNMLA, VNMLS
    case 0x90:  // VFNMA, VFNMS
    case 0xA0:  // VFMA, VFMS
      return wide(Kind::float_multiply_accumulate);
    case 0x80:
      return wide(Kind::float_divide);
    case 0xB0:
      if (field(first, 0, 4) == square_root && field(second, 6, 2) == 3) return wide(Kind::float_divide);
      return wide(Kind::float_data);
    default:
      return wide(Kind::float_data);
  }
}

// 1110 11xx, coprocessors 10 and 11.
Instruction floating_point(std::uint16_t first, std::uint16_t second) {
  const bool is_float = field(second, 9, 3) == 5;
  if (!is_float || bit(first, 12)) return wide(Kind::exception);
  if (!bit(first, 9)) return float_transfer(first, second);
  if (bit(second, 4)) return wide(Kind::float_data);  // VMOV of one core register, VMRS, VMSR
  return float_arithmetic(first, second);
}

}  // namespace

Instruction decode_wide(std::uint16_t first, std::uint16_t second) {
  if ((first & 0xEC00) == 0xEC00) return floating_point(first, second);
  if ((first & 0xFE40) == 0xE800) return multiple(first, second);
  if ((first & 0xFE40) == 0xE840) return pair_or_exclusive(first, second);
  if ((first & 0xF800) == 0xF000 && bit(second, 15)) return branch_or_system(first, second);
  if ((first & 0xFE00) == 0xF800) return single(first, second);
  if ((first & 0xFF80) == 0xFB00) return multiply(first, second);
  if ((first & 0xFF80) == 0xFB80) return multiply_long_or_divide(first);
  return wide(Kind::data);
}

}  // namespace rigd::sim::board
