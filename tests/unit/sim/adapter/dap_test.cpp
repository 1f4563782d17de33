// Debug port and MEM-AP against IHI 0031.
#include "sim/adapter/dap.hpp"

#include <gtest/gtest.h>

#include <map>

namespace rigd::sim::adapter {
namespace {

constexpr DapFacts kFacts{.dpidr = 0x2BA01477,
                          .ap_idr = 0x24770011,
                          .rom_base = 0xE00FF003,
                          .tar_wrap = 1024,
                          .packed_transfers = true};
constexpr std::uint32_t kHole = 0x90000000;  // nothing answers there

class ByteMemory final : public DebugTarget {
 public:
  std::optional<std::uint32_t> read(std::uint32_t address, unsigned size) override {
    if (address >= kHole) return std::nullopt;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= std::uint32_t{bytes[address + i]} << (8 * i);
    return value;
  }
  bool write(std::uint32_t address, unsigned size, std::uint32_t value) override {
    if (address >= kHole) return false;
    for (unsigned i = 0; i < size; ++i)
      bytes[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
    return true;
  }
  bool powered() const override { return is_powered; }
  void reset_pin(bool) override {}

  std::map<std::uint32_t, std::uint8_t> bytes;
  bool is_powered = true;
};

class DapTest : public testing::Test {
 protected:
  static constexpr std::uint8_t kCsw = 0x0, kTar = 0x4, kDrw = 0xC;
  static constexpr std::uint32_t kByte = 0x23000050, kHalf = 0x23000051,
                                 kWord = 0x23000052;  // increment: single
  static constexpr std::uint32_t kPackedHalf = 0x23000061;

  Ack dp_read(std::uint8_t address) { return dap.transfer({false, true, address}, value); }
  Ack dp_write(std::uint8_t address, std::uint32_t data) {
    return dap.transfer({false, false, address}, data);
  }
  Ack ap_read(std::uint8_t address) { return dap.transfer({true, true, address}, value); }
  Ack ap_write(std::uint8_t address, std::uint32_t data) {
    return dap.transfer({true, false, address}, data);
  }
  void connect() {
    dap.line_reset();
    ASSERT_EQ(dp_read(0), Ack::ok);
  }
  void aim(std::uint32_t csw, std::uint32_t address) {
    ASSERT_EQ(ap_write(kCsw, csw), Ack::ok);
    ASSERT_EQ(ap_write(kTar, address), Ack::ok);
  }

  ByteMemory memory;
  Faults faults;
  Dap dap{kFacts, memory, faults};
  std::uint32_t value = 0;
};

TEST_F(DapTest, AnswersOnlyAfterALineResetAndItsIdentification) {
  EXPECT_EQ(dp_read(0), Ack::none);
  dap.line_reset();
  EXPECT_EQ(dp_read(4), Ack::none) << "B4.3.4: the identification comes first";
  EXPECT_EQ(dp_read(0), Ack::ok);
  EXPECT_EQ(value, 0x2BA01477u);
  EXPECT_EQ(dp_read(4), Ack::ok);
}

TEST_F(DapTest, AcknowledgesPowerRequests) {
  connect();
  dp_write(4, 0x50000000);
  dp_read(4);
  EXPECT_EQ(value & 0xF0000000, 0xF0000000u);
}

TEST_F(DapTest, TellsWhatTheAccessPortIs) {
  connect();
  dp_write(8, 0x000000F0);
  ap_read(0xC);
  EXPECT_EQ(value, 0x24770011u);
  ap_read(0x8);
  EXPECT_EQ(value, 0xE00FF003u);
  dp_write(8, 0x010000F0);
  EXPECT_EQ(ap_read(0xC), Ack::ok);
  EXPECT_EQ(value, 0u) << "there is no access port 1";
}

TEST_F(DapTest, WordsIncrementTheAddress) {
  connect();
  aim(kWord, 0x20000000);
  ap_write(kDrw, 0x11111111);
  ap_write(kDrw, 0x22222222);
  ap_read(kTar);
  EXPECT_EQ(value, 0x20000008u);
  EXPECT_EQ(memory.read(0x20000004, 4), 0x22222222u);
  dp_read(0xC);
  EXPECT_EQ(value, 0x20000008u) << "RDBUFF repeats the last answer of the access port";
}

TEST_F(DapTest, AddressWrapsWithinItsBlock) {
  connect();
  aim(kWord, 0x200003FC);
  ap_write(kDrw, 1);
  ap_read(kTar);
  EXPECT_EQ(value, 0x20000000u);
}

TEST_F(DapTest, NarrowAccessesUseTheirByteLanes) {
  connect();
  aim(kHalf, 0x20000002);
  ap_write(kDrw, 0xABCD0000);
  EXPECT_EQ(memory.read(0x20000000, 4), 0xABCD0000u);
  aim(kByte, 0x20000003);
  ap_read(kDrw);
  EXPECT_EQ(value, 0xAB000000u);
  ap_read(kTar);
  EXPECT_EQ(value, 0x20000004u);
}

TEST_F(DapTest, PackedTransfersFillTheWord) {
  connect();
  aim(kPackedHalf, 0x20000000);
  ap_write(kDrw, 0x44332211);
  EXPECT_EQ(memory.read(0x20000000, 2), 0x2211u);
  EXPECT_EQ(memory.read(0x20000002, 2), 0x4433u);
  ap_read(kTar);
  EXPECT_EQ(value, 0x20000004u);
  ap_write(kTar, 0x20000000);
  ap_read(kDrw);
  EXPECT_EQ(value, 0x44332211u);
}

TEST_F(DapTest, PortWithoutPackedTransfersSaysSo) {
  DapFacts facts = kFacts;
  facts.packed_transfers = false;
  Dap plain(facts, memory, faults);
  plain.line_reset();
  plain.transfer({false, true, 0}, value);
  std::uint32_t csw = kPackedHalf;
  plain.transfer({true, false, kCsw}, csw);
  plain.transfer({true, true, kCsw}, value);
  EXPECT_EQ(value & 0x30, 0u);
}

TEST_F(DapTest, BankedDataLeavesTheAddressAlone) {
  connect();
  aim(kWord, 0x20000010);
  dp_write(8, 0x10);
  ap_write(0x8, 0xCAFE);
  EXPECT_EQ(memory.read(0x20000018, 4), 0xCAFEu);
  dp_write(8, 0);
  ap_read(kTar);
  EXPECT_EQ(value, 0x20000010u);
}

TEST_F(DapTest, BusErrorSticksUntilItIsCleared) {
  connect();
  aim(kWord, kHole);
  EXPECT_EQ(ap_read(kDrw), Ack::fault);
  EXPECT_EQ(ap_read(kTar), Ack::fault) << "every access is refused";
  EXPECT_EQ(dp_read(4), Ack::ok);
  EXPECT_EQ(value & 0x20, 0x20u);
  dp_write(0, 0x1E);
  EXPECT_EQ(ap_read(kTar), Ack::ok);
  EXPECT_EQ(value, kHole) << "a failed access does not increment";
}

TEST_F(DapTest, NobodyAnswersWithoutPower) {
  connect();
  memory.is_powered = false;
  EXPECT_EQ(dp_read(0), Ack::none);
  memory.is_powered = true;
  EXPECT_EQ(dp_read(4), Ack::none) << "the line must be reset again";
  connect();
  faults.unpowered = true;
  EXPECT_EQ(dp_read(0), Ack::none);
}

TEST_F(DapTest, CanBeAnotherChip) {
  faults.wrong_dpidr = true;
  connect();
  EXPECT_NE(value, kFacts.dpidr);
}

}  // namespace
}  // namespace rigd::sim::adapter
