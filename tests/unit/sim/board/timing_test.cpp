// Each core's table, line by line, against its Technical Reference Manual.
#include "sim/board/plugin/timing.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rigd::sim::board {

void PrintTo(const Timing& timing, std::ostream* out) {
  *out << int(timing.cycles) << " cycles, refill " << int(timing.refill) << ", overlap "
       << int(timing.overlap) << ", leads " << timing.leads;
}

namespace {

struct Line {
  const char* text;
  Instruction instruction;
  Timing m0;
  Timing m0plus;
};

// The manuals state a jump as one number; here it is the cost and what being taken adds.
const std::vector<Line> kArmV6M{
    {"ADDS: 1", {.kind = Kind::data}, {.cycles = 1}, {.cycles = 1}},
    {"MOV to PC: 3, 2",
     {.kind = Kind::data, .to_pc = true},
     {.cycles = 1, .refill = 2},
     {.cycles = 1, .refill = 1}},
    {"LDR: 2", {.kind = Kind::load, .words = 1}, {.cycles = 2}, {.cycles = 2}},
    {"STR: 2", {.kind = Kind::store, .words = 1}, {.cycles = 2}, {.cycles = 2}},
    {"LDM of 3: 1 + 3", {.kind = Kind::load_multiple, .words = 3}, {.cycles = 4}, {.cycles = 4}},
    {"STM of 8: 1 + 8", {.kind = Kind::store_multiple, .words = 8}, {.cycles = 9}, {.cycles = 9}},
    {"POP of 2 with PC: 4 + 2, 3 + 2",
     {.kind = Kind::load_multiple, .words = 2, .to_pc = true},
     {.cycles = 4, .refill = 2},
     {.cycles = 4, .refill = 1}},
    {"B<cc>: 1 or 3, 1 or 2",
     {.kind = Kind::branch_if},
     {.cycles = 1, .refill = 2},
     {.cycles = 1, .refill = 1}},
    {"B: 3, 2", {.kind = Kind::branch}, {.cycles = 1, .refill = 2}, {.cycles = 1, .refill = 1}},
    {"BX: 3, 2", {.kind = Kind::branch_to}, {.cycles = 1, .refill = 2}, {.cycles = 1, .refill = 1}},
    {"BL: 4, 3", {.kind = Kind::branch_link}, {.cycles = 2, .refill = 2}, {.cycles = 2, .refill = 1}},
    {"MRS: 4, 3", {.kind = Kind::special_register}, {.cycles = 4}, {.cycles = 3}},
    {"DSB: 4, 3", {.kind = Kind::data_barrier}, {.cycles = 4}, {.cycles = 3}},
    {"ISB: 4, 3", {.kind = Kind::instruction_barrier}, {.cycles = 4}, {.cycles = 3}},
    {"CPS: 1", {.kind = Kind::change_state}, {.cycles = 1}, {.cycles = 1}},
    {"WFI: 2", {.kind = Kind::wait}, {.cycles = 2}, {.cycles = 2}},
    {"NOP: 1", {.kind = Kind::hint}, {.cycles = 1}, {.cycles = 1}},
};

TEST(Timing, CortexM0AndM0Plus) {
  for (const Line& line : kArmV6M) {
    EXPECT_EQ(time_of({Core::cortex_m0, 1}, line.instruction), line.m0) << line.text;
    EXPECT_EQ(time_of({Core::cortex_m0plus, 1}, line.instruction), line.m0plus) << line.text;
  }
}

TEST(Timing, MultiplierIsTheChipMakersChoice) {
  const Instruction muls{.kind = Kind::multiply};
  EXPECT_EQ(time_of({Core::cortex_m0, 1}, muls).cycles, 1);
  EXPECT_EQ(time_of({Core::cortex_m0, 32}, muls).cycles, 32);
  EXPECT_EQ(time_of({Core::cortex_m0plus, 32}, muls).cycles, 32);
  EXPECT_EQ(time_of({Core::cortex_m4, 32}, muls).cycles, 1);
}

const std::vector<std::pair<Instruction, Timing>> kCortexM4{
    {{.kind = Kind::data}, {.cycles = 1}},
    {{.kind = Kind::data, .to_pc = true}, {.cycles = 1, .refill = 3}},
    {{.kind = Kind::multiply_accumulate}, {.cycles = 1}},
    {{.kind = Kind::multiply_long}, {.cycles = 1}},
    {{.kind = Kind::divide}, {.cycles = 7}},
    {{.kind = Kind::load}, {.cycles = 2, .overlap = 1, .leads = true}},
    {{.kind = Kind::load, .to_pc = true}, {.cycles = 2, .refill = 3, .overlap = 1}},
    {{.kind = Kind::store}, {.cycles = 1}},
    {{.kind = Kind::store, .register_offset = true}, {.cycles = 2, .overlap = 1}},
    {{.kind = Kind::load_exclusive}, {.cycles = 2, .overlap = 1, .leads = true}},
    {{.kind = Kind::store_exclusive}, {.cycles = 2, .overlap = 1, .leads = true}},
    {{.kind = Kind::load_pair, .words = 2}, {.cycles = 3}},
    {{.kind = Kind::store_pair, .words = 2}, {.cycles = 3}},
    {{.kind = Kind::load_multiple, .words = 5}, {.cycles = 6}},
    {{.kind = Kind::load_multiple, .words = 5, .to_pc = true}, {.cycles = 6, .refill = 3}},
    {{.kind = Kind::store_multiple, .words = 5}, {.cycles = 6}},
    {{.kind = Kind::branch}, {.cycles = 1, .refill = 3}},
    {{.kind = Kind::branch_if}, {.cycles = 1, .refill = 3}},
    {{.kind = Kind::branch_link}, {.cycles = 1, .refill = 3}},
    {{.kind = Kind::branch_to}, {.cycles = 1, .refill = 3}},
    {{.kind = Kind::table_branch, .words = 1}, {.cycles = 2, .refill = 3}},
    {{.kind = Kind::if_then, .covers = 2}, {.cycles = 0}},
    {{.kind = Kind::special_register}, {.cycles = 2}},
    {{.kind = Kind::change_state}, {.cycles = 2}},
    {{.kind = Kind::data_barrier}, {.cycles = 1}},
    {{.kind = Kind::instruction_barrier}, {.cycles = 4}},
    {{.kind = Kind::hint}, {.cycles = 1}},
    {{.kind = Kind::float_data}, {.cycles = 1}},
    {{.kind = Kind::float_multiply_accumulate}, {.cycles = 3}},
    {{.kind = Kind::float_divide}, {.cycles = 14}},
    {{.kind = Kind::float_move_pair}, {.cycles = 2}},
    {{.kind = Kind::float_load, .words = 1}, {.cycles = 2}},
    {{.kind = Kind::float_store, .words = 2}, {.cycles = 3}},
    {{.kind = Kind::float_load_multiple, .words = 6}, {.cycles = 7}},
    {{.kind = Kind::float_store_multiple, .words = 4}, {.cycles = 5}},
};

TEST(Timing, CortexM4) {
  for (const auto& [instruction, expected] : kCortexM4)
    EXPECT_EQ(time_of({Core::cortex_m4, 1}, instruction), expected) << "kind " << int(instruction.kind);
}

TEST(Timing, NoCoreCountsOneCycleAnInstruction) {
  for (const auto& [instruction, ignored] : kCortexM4)
    EXPECT_EQ(time_of({Core::none, 1}, instruction), Timing{}) << "kind " << int(instruction.kind);
}

TEST(Timing, CoresAreFoundByName) {
  EXPECT_EQ(core_named("cortex-m0"), Core::cortex_m0);
  EXPECT_EQ(core_named("cortex-m0plus"), Core::cortex_m0plus);
  EXPECT_EQ(core_named("cortex-m4"), Core::cortex_m4);
  EXPECT_EQ(core_named("none"), Core::none);
  EXPECT_FALSE(core_named("cortex-m7"));
}

}  // namespace
}  // namespace rigd::sim::board
