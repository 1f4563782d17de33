#include "sim/board/plugin/counter.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rigd::sim::board {
namespace {

constexpr CoreModel kM4{Core::cortex_m4, 1};
constexpr std::uint16_t kAdds = 0x1C40;    // adds r0, r0, #1: 1
constexpr std::uint16_t kLoad = 0x6830;    // ldr r0, [r6]: 2, or 1 behind a load
constexpr std::uint16_t kStore = 0x6030;   // str r0, [r6]: 1
constexpr std::uint16_t kBranch = 0xD1FE;  // bne: 1, or 1 + 3

Block block_at(std::uint64_t address, const std::vector<std::uint16_t>& opcodes) {
  std::vector<Placed> code;
  for (const std::uint16_t opcode : opcodes)
    code.push_back({address + 2 * code.size(), decode(opcode, 0)});
  return make_block(kM4, code);
}

Totals totals_at_end(const Counter& counter, const Block& block) {
  return counter.at(block.steps.back());
}

TEST(Counter, AddsTheRefillOfABranchOnlyWhenItIsTaken) {
  const Block loop = block_at(0x100, {kAdds, kBranch});
  const Block after = block_at(0x104, {kAdds});
  Counter counter;
  counter.enter(loop);
  counter.enter(loop);   // taken
  counter.enter(after);  // not taken
  EXPECT_EQ(totals_at_end(counter, after).instructions, 5u);
  EXPECT_EQ(totals_at_end(counter, after).cycles, 2u + 3 + 2 + 1);
}

TEST(Counter, TakesTheSameCyclesWhereverQemuCutsABlock) {
  const Block whole = block_at(0x100, {kLoad, kLoad, kAdds});
  const Block first = block_at(0x100, {kLoad});
  const Block second = block_at(0x102, {kLoad, kAdds});
  Counter uncut;
  uncut.enter(whole);
  Counter cut;
  cut.enter(first);
  cut.enter(second);
  EXPECT_EQ(totals_at_end(uncut, whole).cycles, 2u + 1 + 1);
  EXPECT_EQ(totals_at_end(cut, second).cycles, 2u + 1 + 1);
}

TEST(Counter, PlacesAStoreInsideItsBlock) {
  const Block block = block_at(0x100, {kLoad, kStore, kAdds, kAdds});
  Counter counter;
  counter.enter(block);
  const Totals totals = counter.at(*block.step_at(0x102));
  EXPECT_EQ(totals.instructions, 2u);
  EXPECT_EQ(totals.cycles, 2u + 1);
}

TEST(Counter, TakesBackTheRestOfABlockStoppedAtADevice) {
  const Block block = block_at(0x100, {kAdds, kStore, kAdds, kAdds});
  const Block again = block_at(0x102, {kStore});  // runs without being entered
  const Block rest = block_at(0x104, {kAdds, kAdds});
  Counter counter;
  counter.enter(block);
  counter.access_alone(again);
  counter.enter(rest);
  EXPECT_EQ(totals_at_end(counter, rest).instructions, 4u);
  EXPECT_EQ(totals_at_end(counter, rest).cycles, 4u);
}

TEST(Counter, ABlockOfOneAccessThatWasEnteredIsLeftAlone) {
  const Block block = block_at(0x100, {kStore});
  Counter counter;
  counter.enter(block);
  counter.access_alone(block);
  EXPECT_EQ(totals_at_end(counter, block).instructions, 1u);
}

}  // namespace
}  // namespace rigd::sim::board
