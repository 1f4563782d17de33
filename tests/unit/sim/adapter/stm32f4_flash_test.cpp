// The sequences of RM0090 section 3.6, on registers at their offsets there.
#include "sim/adapter/stm32f4_flash.hpp"

#include <gtest/gtest.h>

namespace rigd::sim::adapter {
namespace {

constexpr std::uint32_t kKeyr = 0x04, kSr = 0x0C, kCr = 0x10, kOptcr = 0x14;
constexpr std::uint32_t kPg = 1, kSer = 2, kMer = 4, kStrt = 1u << 16, kEopie = 1u << 24, kLock = 1u << 31;
constexpr std::uint32_t kSize16 = 1u << 8, kSize32 = 2u << 8;
constexpr std::uint32_t kWrpErr = 1u << 4, kPgpErr = 1u << 6, kPgsErr = 1u << 7;

class Stm32f4FlashTest : public testing::Test {
 protected:
  void unlock() {
    flash.write_register(kKeyr, 0x45670123);
    flash.write_register(kKeyr, 0xCDEF89AB);
  }
  std::uint32_t control() const { return flash.read_register(kCr); }
  std::uint32_t status() const { return flash.read_register(kSr); }
  void erase_sector(std::uint32_t number) {
    flash.write_register(kCr, kSer | number << 3);
    flash.write_register(kCr, kSer | number << 3 | kStrt);
  }
  void program16(std::uint32_t offset, std::uint32_t value) {
    flash.write_register(kCr, kPg | kSize16);
    flash.program(offset, 2, value);
  }

  Stm32f4Flash flash;
};

TEST_F(Stm32f4FlashTest, IsDeliveredErasedLockedAndUnprotected) {
  EXPECT_EQ(flash.read(0, 4), 0xFFFFFFFFu);
  EXPECT_EQ(control(), kLock);
  EXPECT_EQ(flash.read_register(kOptcr), 0x0FFFAAEDu);
}

TEST_F(Stm32f4FlashTest, TwoKeysUnlock) {
  unlock();
  EXPECT_EQ(control() & kLock, 0u);
  flash.write_register(kCr, kLock);
  EXPECT_EQ(control() & kLock, kLock);
  unlock();
  EXPECT_EQ(control() & kLock, 0u);
}

TEST_F(Stm32f4FlashTest, WrongKeyLocksUntilTheNextReset) {
  flash.write_register(kKeyr, 0x12345678);
  unlock();
  EXPECT_EQ(control() & kLock, kLock);
  flash.reset();
  unlock();
  EXPECT_EQ(control() & kLock, 0u);
}

TEST_F(Stm32f4FlashTest, LockedControlRegisterIgnoresWrites) {
  flash.write_register(kCr, kPg | kSize16);
  EXPECT_EQ(control(), kLock);
}

TEST_F(Stm32f4FlashTest, ProgrammingClearsBits) {
  unlock();
  program16(0x100, 0xF00F);
  EXPECT_EQ(flash.read(0x100, 4), 0xFFFFF00Fu);
  program16(0x100, 0x0FFF);
  EXPECT_EQ(flash.read(0x100, 2), 0x000Fu) << "a cell is set again only by erasing";
  EXPECT_EQ(status(), 0u);
}

TEST_F(Stm32f4FlashTest, EndOfOperationIsSeenOnlyWithItsInterrupt) {
  unlock();
  flash.write_register(kCr, kPg | kSize32 | kEopie);
  flash.program(0, 4, 0);
  EXPECT_EQ(status(), 1u);
  flash.write_register(kSr, 1);
  EXPECT_EQ(status(), 0u);
}

TEST_F(Stm32f4FlashTest, AccessOfAnotherSizeIsAParallelismError) {
  unlock();
  flash.write_register(kCr, kPg | kSize16);
  flash.program(0, 4, 0);
  EXPECT_EQ(status(), kPgpErr);
  EXPECT_EQ(flash.read(0, 4), 0xFFFFFFFFu);
}

TEST_F(Stm32f4FlashTest, WriteWithoutPgIsASequenceError) {
  flash.program(0, 2, 0);
  EXPECT_EQ(status(), kPgsErr);
  flash.write_register(kSr, kPgsErr);
  unlock();
  flash.program(0, 2, 0);
  EXPECT_EQ(status(), kPgsErr);
  EXPECT_EQ(flash.read(0, 2), 0xFFFFu);
}

TEST_F(Stm32f4FlashTest, SectorsHaveTheSizesOfTable5) {
  constexpr std::uint32_t kib = 1024;
  constexpr std::array<std::uint32_t, 13> starts{0,         16 * kib,  32 * kib,  48 * kib,  64 * kib,
                                                 128 * kib, 256 * kib, 384 * kib, 512 * kib, 640 * kib,
                                                 768 * kib, 896 * kib, 1024 * kib};
  for (unsigned i = 0; i < Stm32f4Flash::kSectors; ++i) {
    EXPECT_EQ(Stm32f4Flash::sector(i).first, starts[i]);
    EXPECT_EQ(Stm32f4Flash::sector(i).size, starts[i + 1] - starts[i]);
  }
}

TEST_F(Stm32f4FlashTest, SectorEraseErasesItsSectorOnly) {
  unlock();
  program16(0x3FFE, 0);
  program16(0x4000, 0);
  program16(0x7FFE, 0);
  program16(0x8000, 0);
  erase_sector(1);
  EXPECT_EQ(flash.read(0x3FFE, 2), 0u);
  EXPECT_EQ(flash.read(0x4000, 2), 0xFFFFu);
  EXPECT_EQ(flash.read(0x7FFE, 2), 0xFFFFu);
  EXPECT_EQ(flash.read(0x8000, 2), 0u);
  EXPECT_EQ(status(), 0u);
}

TEST_F(Stm32f4FlashTest, EraseNeedsStrt) {
  unlock();
  program16(0, 0);
  flash.write_register(kCr, kSer);
  EXPECT_EQ(flash.read(0, 2), 0u);
}

TEST_F(Stm32f4FlashTest, SectorThatDoesNotExistIsASequenceError) {
  unlock();
  erase_sector(12);
  EXPECT_EQ(status(), kPgsErr);
}

TEST_F(Stm32f4FlashTest, MassErase) {
  unlock();
  program16(0, 0);
  program16(Stm32f4Flash::kSize - 2, 0);
  flash.write_register(kCr, kMer | kStrt);
  EXPECT_EQ(flash.read(0, 2), 0xFFFFu);
  EXPECT_EQ(flash.read(Stm32f4Flash::kSize - 2, 2), 0xFFFFu);
}

TEST_F(Stm32f4FlashTest, ProtectedSectorsAreNeitherErasedNorProgrammed) {
  unlock();
  program16(0, 0x1234);
  flash.protect_all(true);
  EXPECT_EQ(flash.read_register(kOptcr) & 0x0FFF0000, 0u) << "nWRP: low is protected";
  erase_sector(0);
  EXPECT_EQ(status(), kWrpErr);
  flash.write_register(kSr, kWrpErr);
  flash.write_register(kCr, kMer | kStrt);
  EXPECT_EQ(status(), kWrpErr);
  flash.write_register(kSr, kWrpErr);
  program16(0, 0);
  EXPECT_EQ(status(), kWrpErr);
  EXPECT_EQ(flash.read(0, 2), 0x1234u);
}

TEST_F(Stm32f4FlashTest, StuckBitSpoilsItsByteUnlessItStaysErased) {
  unlock();
  flash.set_stuck_bit(0x11);
  program16(0x10, 0x2020);
  EXPECT_EQ(flash.read(0x10, 2), 0x2120u);
  erase_sector(0);
  EXPECT_EQ(flash.read(0x10, 2), 0xFFFFu);
}

TEST_F(Stm32f4FlashTest, ResetLocksAndForgetsErrorsButKeepsTheCells) {
  unlock();
  program16(0, 0x1234);
  flash.program(0, 4, 0);
  flash.reset();
  EXPECT_EQ(control(), kLock);
  EXPECT_EQ(status(), 0u);
  EXPECT_EQ(flash.read(0, 2), 0x1234u);
}

}  // namespace
}  // namespace rigd::sim::adapter
