#include "sim/board/plugin/block.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rigd::sim::board {
namespace {

constexpr CoreModel kM4{Core::cortex_m4, 1};

std::vector<Placed> at(std::uint64_t address, const std::vector<std::uint16_t>& opcodes) {
  std::vector<Placed> code;
  for (const std::uint16_t opcode : opcodes) {
    code.push_back({address, decode(opcode, 0)});
    address += 2;
  }
  return code;
}

constexpr std::uint16_t kAdds = 0x1C40;         // adds r0, r0, #1
constexpr std::uint16_t kLoad = 0x6830;         // ldr r0, [r6]
constexpr std::uint16_t kLoadChained = 0x6801;  // ldr r1, [r0]
constexpr std::uint16_t kStore = 0x6030;        // str r0, [r6]
constexpr std::uint16_t kPush = 0xB401;         // push {r0}
constexpr std::uint16_t kBranchIf = 0xD1FE;
constexpr std::uint16_t kIfThen = 0xBF08;  // it eq
constexpr std::uint16_t kIfThenTwo = 0xBF04;

TEST(Block, ChargesTheSumOfItsInstructions) {
  const Block block = make_block(kM4, at(0x100, {kAdds, kLoad, kAdds, kStore, kBranchIf}));
  EXPECT_EQ(block.address, 0x100u);
  EXPECT_EQ(block.instructions, 5u);
  EXPECT_EQ(block.cycles, 1u + 2 + 1 + 1 + 1);
  EXPECT_EQ(block.aftermath.next, 0x10Au);
  EXPECT_EQ(block.aftermath.refill, 3u);
}

TEST(Block, KnowsWhatIsStillToComeAtEachInstruction) {
  const Block block = make_block(kM4, at(0x100, {kLoad, kStore, kLoad, kBranchIf}));
  const Step* store = block.step_at(0x102);
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->instructions_after, 2u);
  EXPECT_EQ(store->cycles_after, 2u + 1);
  EXPECT_EQ(block.step_at(0x103), nullptr);
  EXPECT_EQ(block.step_at(0x108), nullptr);
}

TEST(Block, OverlapsALoadWithTheOneBeforeUnlessItsAddressIsLoadedByIt) {
  EXPECT_EQ(make_block(kM4, at(0, {kLoad, kLoad})).cycles, 2u + 1);
  EXPECT_EQ(make_block(kM4, at(0, {kLoad, kLoadChained})).cycles, 2u + 2);
  EXPECT_EQ(make_block(kM4, at(0, {kLoad, kAdds, kLoad})).cycles, 2u + 1 + 2);
  EXPECT_EQ(make_block(kM4, at(0, {kStore, kLoad})).cycles, 1u + 2);
}

TEST(Block, WatchesStoresThatCanReachThePortOnly) {
  const Block block = make_block(kM4, at(0, {kStore, kPush, kLoad, kAdds}));
  EXPECT_TRUE(block.steps[0].writes);
  EXPECT_FALSE(block.steps[1].writes);  // the stack lies below the port
  EXPECT_FALSE(block.steps[2].writes);
  EXPECT_FALSE(block.steps[3].writes);
}

TEST(Block, ChargesAConditionalLoadWhenItAccessesMemory) {
  const Block block = make_block(kM4, at(0, {kIfThen, kLoad, kLoad}));
  EXPECT_EQ(block.cycles, 0u + 1 + 2);
  EXPECT_EQ(block.steps[1].cycles_an_access, 1u);
  EXPECT_EQ(block.steps[2].cycles_an_access, 0u);  // behind the IT block
}

TEST(Block, AnIfThenBlockEndsWhereItsMaskSays) {
  const Block block = make_block(kM4, at(0, {kIfThenTwo, kAdds, kLoad, kLoad}));
  EXPECT_EQ(block.steps[2].cycles_an_access, 1u);
  EXPECT_EQ(block.steps[3].cycles_an_access, 0u);
}

TEST(Block, WithoutACoreEveryInstructionIsOneCycle) {
  EXPECT_EQ(make_block({Core::none, 1}, at(0, {kLoad, kPush, kBranchIf})).cycles, 3u);
}

}  // namespace
}  // namespace rigd::sim::board
