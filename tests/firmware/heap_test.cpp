// The firmware's heap. Peaks are told apart by marking: the pool is the same for all tests of this process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "firmware.hpp"

namespace rigd::test {
namespace {

constexpr std::uint32_t kHeader = 8;

class FirmwareHeap : public testing::Test {
 protected:
  FirmwareHeap() { rigd_heap_mark(); }
  ~FirmwareHeap() override {
    for (void* block : blocks_)
      rigd_heap_free(block);
    rigd_heap_mark();
    EXPECT_EQ(rigd_heap_peak(), 0u) << "something was not given back";
  }

  std::uint8_t* take(std::size_t bytes) {
    void* block = rigd_heap_calloc(1, bytes);
    if (block != nullptr) blocks_.push_back(block);
    return static_cast<std::uint8_t*>(block);
  }
  void give(void* block) {
    std::erase(blocks_, block);
    rigd_heap_free(block);
  }

 private:
  std::vector<void*> blocks_;
};

TEST_F(FirmwareHeap, PeakIsTheMostInUseAtOnceHeadersIncluded) {
  void* first = take(100);  // rounded up to 104
  take(16);
  EXPECT_EQ(rigd_heap_peak(), 104 + 16 + 2 * kHeader);
  give(first);
  take(8);
  EXPECT_EQ(rigd_heap_peak(), 104 + 16 + 2 * kHeader);
}

TEST_F(FirmwareHeap, AMarkForgetsThePeakButNotThatSinceReset) {
  give(take(400));
  rigd_heap_mark();
  EXPECT_EQ(rigd_heap_peak(), 0u);
  EXPECT_GE(rigd_heap_peak_ever(), 400 + kHeader);
  take(40);
  EXPECT_EQ(rigd_heap_peak(), 40 + kHeader);
}

TEST_F(FirmwareHeap, BlocksAreZeroedAlsoWhenUsedBefore) {
  std::uint8_t* block = take(64);
  std::memset(block, 0xAA, 64);
  give(block);
  std::uint8_t* again = take(64);
  EXPECT_EQ(again, block);
  EXPECT_TRUE(std::all_of(again, again + 64, [](std::uint8_t b) { return b == 0; }));
}

TEST_F(FirmwareHeap, RefusesWhatDoesNotFitAndGoesOn) {
  EXPECT_EQ(take(rigd_heap_size()), nullptr);
  EXPECT_EQ(rigd_heap_calloc(SIZE_MAX, 2), nullptr);
  EXPECT_EQ(rigd_heap_calloc(2, SIZE_MAX), nullptr);
  EXPECT_EQ(rigd_heap_calloc(SIZE_MAX / 4 + 2, 4), nullptr) << "the product wraps to 4";
  EXPECT_NE(take(rigd_heap_size() - kHeader), nullptr);
  EXPECT_EQ(take(1), nullptr);
}

TEST_F(FirmwareHeap, NeighboursGivenBackInAnyOrderMakeOneBlock) {
  const std::size_t third = rigd_heap_size() / 4;
  for (const auto& order :
       {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2}, std::array{0, 2, 1}}) {
    const std::array blocks{take(third), take(third), take(third)};
    for (const int i : order) {
      ASSERT_NE(blocks[static_cast<std::size_t>(i)], nullptr);
      give(blocks[static_cast<std::size_t>(i)]);
    }
    std::uint8_t* all = take(rigd_heap_size() - kHeader);
    EXPECT_NE(all, nullptr);
    give(all);
  }
}

TEST_F(FirmwareHeap, BlocksAreAlignedAndDoNotOverlap) {
  std::mt19937 random(1);
  std::vector<std::pair<std::uint8_t*, std::size_t>> held;
  for (int step = 0; step < 3000; ++step) {
    if (!held.empty() && random() % 2 == 0) {
      const std::size_t victim = random() % held.size();
      const auto [block, size] = held[victim];
      const std::uint8_t mark = block[0];
      ASSERT_TRUE(std::all_of(block, block + size, [mark](std::uint8_t b) { return b == mark; }));
      give(block);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(victim));
      continue;
    }
    const std::size_t size = 1 + random() % 300;
    if (std::uint8_t* block = take(size); block != nullptr) {
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 8, 0u);
      std::memset(block, 1 + static_cast<int>(random() % 255), size);
      held.emplace_back(block, size);
    }
  }
}

TEST_F(FirmwareHeap, FreeingNothingIsNothing) {
  rigd_heap_free(nullptr);
}

}  // namespace
}  // namespace rigd::test
