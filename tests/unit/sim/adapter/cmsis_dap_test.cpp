// Requests and answers as literal bytes, from the Arm CMSIS-DAP 1.2 reference.
#include "sim/adapter/cmsis_dap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace rigd::sim::adapter {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Plays back acknowledges and values, and keeps what it was asked.
class ScriptedWire final : public SwdWire {
 public:
  struct Answer {
    Ack ack;
    std::uint32_t data = 0;
  };
  struct Asked {
    bool access_port;
    bool read;
    unsigned address;
    std::uint32_t data;
    bool operator==(const Asked&) const = default;
  };

  Ack transfer(SwdRequest request, std::uint32_t& data) override {
    asked.push_back({request.access_port, request.read, request.address, request.read ? 0 : data});
    if (answers.empty()) return Ack::none;
    const Answer answer = answers.front();
    answers.pop_front();
    if (request.read) data = answer.data;
    return answer.ack;
  }
  void line_reset() override { ++line_resets; }
  void reset_pin(bool high) override { pin_levels.push_back(high); }

  std::deque<Answer> answers;
  std::vector<Asked> asked;
  int line_resets = 0;
  std::vector<bool> pin_levels;
};

class CmsisDapTest : public testing::Test {
 protected:
  Bytes ask(const Bytes& request) { return engine.handle(request); }

  ScriptedWire wire;
  CmsisDap engine{wire, "RIGD1"};
};

TEST_F(CmsisDapTest, InfoStringsCarryTheirLengthAndAZero) {
  EXPECT_EQ(ask({0x00, 0x03}), (Bytes{0x00, 0x06, 'R', 'I', 'G', 'D', '1', 0x00}));
  EXPECT_EQ(ask({0x00, 0x04}), (Bytes{0x00, 0x06, '1', '.', '2', '.', '0', 0x00}));
}

TEST_F(CmsisDapTest, InfoNumbers) {
  EXPECT_EQ(ask({0x00, 0xF0}), (Bytes{0x00, 0x01, 0x01}));        // serial wire, no JTAG
  EXPECT_EQ(ask({0x00, 0xFE}), (Bytes{0x00, 0x01, 0x04}));        // packets
  EXPECT_EQ(ask({0x00, 0xFF}), (Bytes{0x00, 0x02, 0x00, 0x02}));  // 512 bytes each
  EXPECT_EQ(ask({0x00, 0x77}), (Bytes{0x00, 0x00}));              // nothing known
}

TEST_F(CmsisDapTest, ConnectsToSerialWireOnly) {
  EXPECT_EQ(ask({0x02, 0x00}), (Bytes{0x02, 0x01}));
  EXPECT_EQ(ask({0x02, 0x01}), (Bytes{0x02, 0x01}));
  EXPECT_EQ(ask({0x02, 0x02}), (Bytes{0x02, 0x00}));  // JTAG: failed
}

TEST_F(CmsisDapTest, TransferReadsTheDebugPortIdentification) {
  wire.answers = {{Ack::ok, 0x2BA01477}};
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x02}), (Bytes{0x05, 0x01, 0x01, 0x77, 0x14, 0xA0, 0x2B}));
  EXPECT_THAT(wire.asked, testing::ElementsAre(ScriptedWire::Asked{false, true, 0, 0}));
}

TEST_F(CmsisDapTest, TransferMixesWritesAndReads) {
  wire.answers = {{Ack::ok}, {Ack::ok}, {Ack::ok, 0x11223344}};
  // SELECT = 0; TAR = 0x20000000; read DRW.
  EXPECT_EQ(ask({0x05, 0x00, 0x03, 0x08, 0, 0, 0, 0, 0x05, 0, 0, 0, 0x20, 0x0F}),
            (Bytes{0x05, 0x03, 0x01, 0x44, 0x33, 0x22, 0x11}));
  EXPECT_THAT(wire.asked, testing::ElementsAre(ScriptedWire::Asked{false, false, 8, 0},
                                               ScriptedWire::Asked{true, false, 4, 0x20000000},
                                               ScriptedWire::Asked{true, true, 12, 0}));
}

TEST_F(CmsisDapTest, TransferStopsAtTheFirstFault) {
  wire.answers = {{Ack::ok, 5}, {Ack::fault}};
  EXPECT_EQ(ask({0x05, 0x00, 0x03, 0x0F, 0x0F, 0x0F}), (Bytes{0x05, 0x01, 0x04, 0x05, 0x00, 0x00, 0x00}));
  EXPECT_EQ(wire.asked.size(), 2u);
}

TEST_F(CmsisDapTest, SilentWireIsNoAcknowledge) {
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x02}), (Bytes{0x05, 0x00, 0x07}));
}

TEST_F(CmsisDapTest, WaitIsRetriedAsConfigured) {
  EXPECT_EQ(ask({0x04, 0x00, 0x02, 0x00, 0x00, 0x00}), (Bytes{0x04, 0x00}));  // two retries
  wire.answers = {{Ack::wait}, {Ack::wait}, {Ack::ok, 9}};
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x0F}), (Bytes{0x05, 0x01, 0x01, 0x09, 0x00, 0x00, 0x00}));
  wire.answers = {{Ack::wait}, {Ack::wait}, {Ack::wait}, {Ack::ok, 9}};
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x0F}), (Bytes{0x05, 0x00, 0x02}));
}

TEST_F(CmsisDapTest, ValueMatchComparesUnderTheMask) {
  ask({0x04, 0x00, 0x00, 0x00, 0x01, 0x00});             // one match retry
  wire.answers = {{Ack::ok, 0x12}, {Ack::ok, 0x34}};     // 2, then 4 under the mask
  EXPECT_EQ(ask({0x05, 0x00, 0x02, 0x20, 0x0F, 0, 0, 0,  // match mask = 0xF
                 0x1F, 0x04, 0, 0, 0}),                  // DRW until it is 4
            (Bytes{0x05, 0x02, 0x01}));
  wire.answers = {{Ack::ok, 0x12}, {Ack::ok, 0x13}};
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x1F, 0x04, 0, 0, 0}), (Bytes{0x05, 0x00, 0x11}));  // value mismatch
}

TEST_F(CmsisDapTest, TransferBlockReads) {
  wire.answers = {{Ack::ok, 1}, {Ack::ok, 2}};
  EXPECT_EQ(ask({0x06, 0x00, 0x02, 0x00, 0x0F}),
            (Bytes{0x06, 0x02, 0x00, 0x01, 0x01, 0, 0, 0, 0x02, 0, 0, 0}));
}

TEST_F(CmsisDapTest, TransferBlockWrites) {
  wire.answers = {{Ack::ok}, {Ack::ok}};
  EXPECT_EQ(ask({0x06, 0x00, 0x02, 0x00, 0x0D, 0x78, 0x56, 0x34, 0x12, 0xFF, 0, 0, 0}),
            (Bytes{0x06, 0x02, 0x00, 0x01}));
  EXPECT_THAT(wire.asked, testing::ElementsAre(ScriptedWire::Asked{true, false, 12, 0x12345678},
                                               ScriptedWire::Asked{true, false, 12, 0xFF}));
}

TEST_F(CmsisDapTest, TransferBlockSaysHowFarItCame) {
  wire.answers = {{Ack::ok, 1}, {Ack::fault}};
  EXPECT_EQ(ask({0x06, 0x00, 0x03, 0x00, 0x0F}), (Bytes{0x06, 0x01, 0x00, 0x04, 0x01, 0, 0, 0}));
}

TEST_F(CmsisDapTest, WriteAbortGoesToTheAbortRegister) {
  wire.answers = {{Ack::ok}};
  EXPECT_EQ(ask({0x08, 0x00, 0x1E, 0, 0, 0}), (Bytes{0x08, 0x00}));
  EXPECT_THAT(wire.asked, testing::ElementsAre(ScriptedWire::Asked{false, false, 0, 0x1E}));
}

TEST_F(CmsisDapTest, FiftyOnesResetTheLine) {
  EXPECT_EQ(ask({0x12, 51, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x07}), (Bytes{0x12, 0x00}));
  EXPECT_EQ(wire.line_resets, 1);
  ask({0x12, 16, 0x9E, 0xE7});  // JTAG to serial wire
  EXPECT_EQ(ask({0x12, 49, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}), (Bytes{0x12, 0x00}));
  EXPECT_EQ(wire.line_resets, 2) << "the switch sequence ends in three ones";
}

TEST_F(CmsisDapTest, ResetPinIsDrivenOnlyWhenSelected) {
  EXPECT_EQ(ask({0x10, 0x00, 0x00, 0, 0, 0, 0}), (Bytes{0x10, 0x82}));
  EXPECT_EQ(ask({0x10, 0x00, 0x80, 0, 0, 0, 0}), (Bytes{0x10, 0x02}));
  EXPECT_EQ(ask({0x10, 0x80, 0x80, 0, 0, 0, 0}), (Bytes{0x10, 0x82}));
  EXPECT_EQ(wire.pin_levels, (std::vector{false, true}));
}

TEST_F(CmsisDapTest, PaddingOfTheReportIsIgnored) {
  Bytes report(512, 0);
  report[1] = 0xFE;
  EXPECT_EQ(ask(report), (Bytes{0x00, 0x01, 0x04}));
}

TEST_F(CmsisDapTest, UnknownCutAndOversizedRequestsAreInvalid) {
  EXPECT_EQ(ask({0x42}), (Bytes{0xFF}));
  EXPECT_EQ(ask({}), (Bytes{0xFF}));
  EXPECT_EQ(ask({0x05, 0x00, 0x01, 0x05, 0x00}), (Bytes{0xFF}));  // a write without its data
  EXPECT_EQ(ask({0x12, 0x20, 0xFF}), (Bytes{0xFF}));              // 32 bits announced, 8 sent
  wire.answers.assign(300, {Ack::ok, 0});
  EXPECT_EQ(ask({0x06, 0x00, 0xFF, 0xFF, 0x0F}), (Bytes{0xFF}));  // an answer longer than a packet
}

TEST_F(CmsisDapTest, TransferAbortHasNoAnswer) {
  EXPECT_TRUE(ask({0x07}).empty());
}

}  // namespace
}  // namespace rigd::sim::adapter
