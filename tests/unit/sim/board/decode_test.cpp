// Opcodes as arm-none-eabi-as 2.40 writes them.
#include "sim/board/plugin/decode.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rigd::sim::board {

void PrintTo(const Instruction& it, std::ostream* out) {
  *out << "kind " << int(it.kind) << " size " << int(it.size) << " words " << int(it.words) << " to_pc "
       << it.to_pc << " register_offset " << it.register_offset << " stack " << it.stack_relative
       << " covers " << int(it.covers) << " loads " << it.loads << " address " << it.address_parts;
}

namespace {

struct Case {
  const char* text;
  std::uint16_t first;
  std::uint16_t second;
  Instruction expected;
};

constexpr std::uint16_t r(unsigned reg) {
  return static_cast<std::uint16_t>(1u << reg);
}

const std::vector<Case> kNarrow{
    {"movs r0, #200", 0x20C8, 0, {}},
    {"adds r1, r0, r0", 0x1801, 0, {}},
    {"lsls r1, r1, #3", 0x00C9, 0, {}},
    {"muls r0, r1", 0x4348, 0, {.kind = Kind::multiply}},
    {"mvns r2, r1", 0x43CA, 0, {}},
    {"mov r8, r1", 0x4688, 0, {}},
    {"mov pc, r0", 0x4687, 0, {.to_pc = true}},
    {"add pc, r1", 0x448F, 0, {.to_pc = true}},
    {"cmp r8, r1", 0x4588, 0, {}},
    {"bx lr", 0x4770, 0, {.kind = Kind::branch_to}},
    {"blx r2", 0x4790, 0, {.kind = Kind::branch_to}},
    {"ldr r1, [pc, #4]", 0x4901, 0, {.kind = Kind::load, .words = 1, .loads = r(1), .address_parts = r(15)}},
    {"str r0, [r6, r1]",
     0x5070,
     0,
     {.kind = Kind::store, .words = 1, .register_offset = true, .address_parts = r(6) | r(1)}},
    {"ldrsh r0, [r6, r6]",
     0x5FB0,
     0,
     {.kind = Kind::load, .words = 1, .register_offset = true, .loads = r(0), .address_parts = r(6)}},
    {"ldr r0, [r6, #4]", 0x6870, 0, {.kind = Kind::load, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"strb r0, [r6, #9]", 0x7270, 0, {.kind = Kind::store, .words = 1, .address_parts = r(6)}},
    {"ldrh r0, [r6, #2]", 0x8870, 0, {.kind = Kind::load, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"str r0, [sp, #4]",
     0x9001,
     0,
     {.kind = Kind::store, .words = 1, .stack_relative = true, .address_parts = r(13)}},
    {"add r0, sp, #8", 0xA802, 0, {}},
    {"sub sp, #8", 0xB082, 0, {}},
    {"cbz r0, .+6", 0xB108, 0, {.kind = Kind::branch_if}},
    {"cbnz r0, .+6", 0xB908, 0, {.kind = Kind::branch_if}},
    {"uxtb r2, r2", 0xB2D2, 0, {}},
    {"rev r2, r2", 0xBA12, 0, {}},
    {"push {r4, lr}", 0xB510, 0, {.kind = Kind::store_multiple, .words = 2, .stack_relative = true}},
    {"pop {r4, pc}",
     0xBD10,
     0,
     {.kind = Kind::load_multiple, .words = 2, .to_pc = true, .stack_relative = true}},
    {"pop {r0-r7}", 0xBCFF, 0, {.kind = Kind::load_multiple, .words = 8, .stack_relative = true}},
    {"cpsid i", 0xB672, 0, {.kind = Kind::change_state}},
    {"bkpt", 0xBE00, 0, {.kind = Kind::exception}},
    {"nop", 0xBF00, 0, {.kind = Kind::hint}},
    {"wfe", 0xBF20, 0, {.kind = Kind::wait}},
    {"wfi", 0xBF30, 0, {.kind = Kind::wait}},
    {"sev", 0xBF40, 0, {.kind = Kind::hint}},
    {"it eq", 0xBF08, 0, {.kind = Kind::if_then, .covers = 1}},
    {"ite eq", 0xBF0C, 0, {.kind = Kind::if_then, .covers = 2}},
    {"itett eq", 0xBF09, 0, {.kind = Kind::if_then, .covers = 4}},
    {"stmia r4!, {r0-r3}", 0xC40F, 0, {.kind = Kind::store_multiple, .words = 4}},
    {"ldmia r4!, {r0-r2}", 0xCC07, 0, {.kind = Kind::load_multiple, .words = 3}},
    {"bne .", 0xD1FE, 0, {.kind = Kind::branch_if}},
    {"udf", 0xDE00, 0, {.kind = Kind::exception}},
    {"svc 0", 0xDF00, 0, {.kind = Kind::exception}},
    {"b .", 0xE7FE, 0, {.kind = Kind::branch}},
};

const std::vector<Case> kWide{
    {"bl .", 0xF7FF, 0xFFFE, {.kind = Kind::branch_link, .size = 4}},
    {"b.w .", 0xF7FF, 0xBFFE, {.kind = Kind::branch, .size = 4}},
    {"bne.w .", 0xF47F, 0xAFFE, {.kind = Kind::branch_if, .size = 4}},
    {"mrs r0, primask", 0xF3EF, 0x8010, {.kind = Kind::special_register, .size = 4}},
    {"msr primask, r0", 0xF380, 0x8810, {.kind = Kind::special_register, .size = 4}},
    {"dsb", 0xF3BF, 0x8F4F, {.kind = Kind::data_barrier, .size = 4}},
    {"dmb", 0xF3BF, 0x8F5F, {.kind = Kind::data_barrier, .size = 4}},
    {"isb", 0xF3BF, 0x8F6F, {.kind = Kind::instruction_barrier, .size = 4}},
    {"clrex", 0xF3BF, 0x8F2F, {.kind = Kind::hint, .size = 4}},
    {"nop.w", 0xF3AF, 0x8000, {.kind = Kind::hint, .size = 4}},
    {"wfi.w", 0xF3AF, 0x8003, {.kind = Kind::wait, .size = 4}},
    {"udf.w", 0xF7F0, 0xA000, {.kind = Kind::exception, .size = 4}},
    {"movw r0, #0x1234", 0xF241, 0x2034, {.size = 4}},
    {"add r1, r0, r0, lsl #3", 0xEB00, 0x01C0, {.size = 4}},
    {"clz r3, r2", 0xFAB2, 0xF382, {.size = 4}},
    {"uadd8 r2, r0, r1", 0xFA80, 0xF241, {.size = 4}},
    {"mul r1, r0, r2", 0xFB00, 0xF102, {.kind = Kind::multiply, .size = 4}},
    {"mla r1, r0, r2, r1", 0xFB00, 0x1102, {.kind = Kind::multiply_accumulate, .size = 4}},
    {"mls r1, r0, r2, r1", 0xFB00, 0x1112, {.kind = Kind::multiply_accumulate, .size = 4}},
    {"smlad r2, r0, r1, r2", 0xFB20, 0x2201, {.kind = Kind::multiply_accumulate, .size = 4}},
    {"umull r2, r3, r0, r1", 0xFBA0, 0x2301, {.kind = Kind::multiply_long, .size = 4}},
    {"umaal r2, r3, r0, r1", 0xFBE0, 0x2361, {.kind = Kind::multiply_long, .size = 4}},
    {"sdiv r2, r0, r1", 0xFB90, 0xF2F1, {.kind = Kind::divide, .size = 4}},
    {"udiv r2, r0, r1", 0xFBB0, 0xF2F1, {.kind = Kind::divide, .size = 4}},
    {"ldr.w r0, [r6]",
     0xF8D6,
     0x0000,
     {.kind = Kind::load, .size = 4, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"ldr r0, [r6], #4",
     0xF856,
     0x0B04,
     {.kind = Kind::load, .size = 4, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"ldr r0, [r6, r4, lsl #2]",
     0xF856,
     0x0024,
     {.kind = Kind::load,
      .size = 4,
      .words = 1,
      .register_offset = true,
      .loads = r(0),
      .address_parts = r(6) | r(4)}},
    {"ldr.w r0, [pc, #8]",
     0xF8DF,
     0x0008,
     {.kind = Kind::load, .size = 4, .words = 1, .loads = r(0), .address_parts = r(15)}},
    {"ldr pc, [pc, #4]",
     0xF8DF,
     0xF004,
     {.kind = Kind::load, .size = 4, .words = 1, .to_pc = true, .loads = r(15), .address_parts = r(15)}},
    {"pld [r0]", 0xF890, 0xF000, {.kind = Kind::hint, .size = 4}},
    {"str.w r0, [sp, #4]",
     0xF8CD,
     0x0004,
     {.kind = Kind::store, .size = 4, .words = 1, .stack_relative = true, .address_parts = r(13)}},
    {"strb.w r0, [r6, r4]",
     0xF806,
     0x0004,
     {.kind = Kind::store, .size = 4, .words = 1, .register_offset = true, .address_parts = r(6) | r(4)}},
    {"ldrd r0, r1, [r6]",
     0xE9D6,
     0x0100,
     {.kind = Kind::load_pair, .size = 4, .words = 2, .address_parts = r(6)}},
    {"strd r0, r1, [r6], #8",
     0xE8E6,
     0x0102,
     {.kind = Kind::store_pair, .size = 4, .words = 2, .address_parts = r(6)}},
    {"ldrex r0, [r6]",
     0xE856,
     0x0F00,
     {.kind = Kind::load_exclusive, .size = 4, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"strex r2, r0, [r6]",
     0xE846,
     0x0200,
     {.kind = Kind::store_exclusive, .size = 4, .words = 1, .loads = r(2), .address_parts = r(6)}},
    {"ldrexb r0, [r6]",
     0xE8D6,
     0x0F4F,
     {.kind = Kind::load_exclusive, .size = 4, .words = 1, .loads = r(0), .address_parts = r(6)}},
    {"strexh r2, r0, [r6]",
     0xE8C6,
     0x0F52,
     {.kind = Kind::store_exclusive, .size = 4, .words = 1, .loads = r(2), .address_parts = r(6)}},
    {"tbb [pc, r0]",
     0xE8DF,
     0xF000,
     {.kind = Kind::table_branch, .size = 4, .words = 1, .address_parts = r(15)}},
    {"tbh [pc, r0, lsl #1]",
     0xE8DF,
     0xF010,
     {.kind = Kind::table_branch, .size = 4, .words = 1, .address_parts = r(15)}},
    {"push {r0-r3, r8-r11}",
     0xE92D,
     0x0F0F,
     {.kind = Kind::store_multiple, .size = 4, .words = 8, .stack_relative = true}},
    {"pop {r4, r8, pc}",
     0xE8BD,
     0x8110,
     {.kind = Kind::load_multiple, .size = 4, .words = 3, .to_pc = true, .stack_relative = true}},
    {"stmia.w r6, {r0-r4}", 0xE886, 0x001F, {.kind = Kind::store_multiple, .size = 4, .words = 5}},
    {"vadd.f32 s1, s0, s0", 0xEE70, 0x0A00, {.kind = Kind::float_data, .size = 4}},
    {"vmul.f32 s1, s0, s0", 0xEE60, 0x0A00, {.kind = Kind::float_data, .size = 4}},
    {"vmla.f32 s1, s0, s0", 0xEE40, 0x0A00, {.kind = Kind::float_multiply_accumulate, .size = 4}},
    {"vfma.f32 s1, s0, s0", 0xEEE0, 0x0A00, {.kind = Kind::float_multiply_accumulate, .size = 4}},
    {"vdiv.f32 s2, s0, s1", 0xEE80, 0x1A20, {.kind = Kind::float_divide, .size = 4}},
    {"vsqrt.f32 s2, s0", 0xEEB1, 0x1AC0, {.kind = Kind::float_divide, .size = 4}},
    {"vneg.f32 s2, s0", 0xEEB1, 0x1A40, {.kind = Kind::float_data, .size = 4}},
    {"vmov s0, r0", 0xEE00, 0x0A10, {.kind = Kind::float_data, .size = 4}},
    {"vmrs apsr_nzcv, fpscr", 0xEEF1, 0xFA10, {.kind = Kind::float_data, .size = 4}},
    {"vmov r0, r1, d0", 0xEC51, 0x0B10, {.kind = Kind::float_move_pair, .size = 4}},
    {"vldr s0, [r6]",
     0xED96,
     0x0A00,
     {.kind = Kind::float_load, .size = 4, .words = 1, .address_parts = r(6)}},
    {"vstr d1, [r6]",
     0xED86,
     0x1B00,
     {.kind = Kind::float_store, .size = 4, .words = 2, .address_parts = r(6)}},
    {"vpush {s0-s3}",
     0xED2D,
     0x0A04,
     {.kind = Kind::float_store_multiple,
      .size = 4,
      .words = 4,
      .stack_relative = true,
      .address_parts = r(13)}},
    {"vldmia r6, {d0-d2}",
     0xEC96,
     0x0B06,
     {.kind = Kind::float_load_multiple, .size = 4, .words = 6, .address_parts = r(6)}},
    {"cdp p1 (no floating point)", 0xEE00, 0x0100, {.kind = Kind::exception, .size = 4}},
};

TEST(Decode, NarrowInstructions) {
  for (const Case& it : kNarrow) {
    ASSERT_FALSE(is_wide(it.first)) << it.text;
    EXPECT_EQ(decode(it.first, 0xFFFF), it.expected) << it.text;
  }
}

TEST(Decode, WideInstructions) {
  for (const Case& it : kWide) {
    ASSERT_TRUE(is_wide(it.first)) << it.text;
    EXPECT_EQ(decode(it.first, it.second), it.expected) << it.text;
  }
}

}  // namespace
}  // namespace rigd::sim::board
