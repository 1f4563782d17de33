// Stack painting on a stack of our own: the board's stack pointer stands 256 bytes below the top.
#include <gtest/gtest.h>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {
namespace {

class FirmwareStack : public testing::Test {
 protected:
  FirmwareStack() {
    board() = {};
    rigd_stack_paint();
  }

  // Somebody touches one byte this far below the stack pointer.
  static void touch(std::size_t below) { board().stack[board().stack_pointer - below] = 1; }
  static std::uint32_t used_below() { return rigd_stack_used_below(hal_stack_pointer()); }
};

TEST_F(FirmwareStack, NothingTouchedIsNothingUsed) {
  EXPECT_EQ(used_below(), 0u);
  EXPECT_EQ(rigd_stack_size(), 4096u);
}

TEST_F(FirmwareStack, TheDeepestTouchedWordCounts) {
  touch(1);
  EXPECT_EQ(used_below(), 4u);
  touch(600);
  touch(20);
  EXPECT_EQ(used_below(), 600u);
}

TEST_F(FirmwareStack, DownToTheLimit) {
  touch(board().stack_pointer);
  EXPECT_EQ(used_below(), board().stack_pointer);
  EXPECT_EQ(rigd_stack_used(), 4096u);
}

TEST_F(FirmwareStack, PaintingLeavesWhatIsInUseAlone) {
  board().stack.fill(0x77);
  rigd_stack_paint();
  for (std::size_t i = board().stack_pointer; i < board().stack.size(); ++i)
    ASSERT_EQ(board().stack[i], 0x77);
}

TEST_F(FirmwareStack, UseSinceResetOutlivesPaintingAnew) {
  touch(1000);
  const std::uint32_t deepest = rigd_stack_used();
  EXPECT_GE(deepest, 1256u);
  rigd_stack_paint();
  EXPECT_EQ(used_below(), 0u);
  touch(100);
  EXPECT_EQ(rigd_stack_used(), deepest);
}

}  // namespace
}  // namespace rigd::test
