// The unmodified OpenOCD programs both boards through the adapter, and every fault ends as it does with
// hardware.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "flashed_board.hpp"

namespace rigd::sim::adapter {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
namespace fs = std::filesystem;

class OpenOcdTest : public testing::TestWithParam<BoardType> {};
INSTANTIATE_TEST_SUITE_P(Boards, OpenOcdTest, testing::Values(kMicrobit, kNetduino),
                         [](const auto& info) { return info.param.machine; });

TEST_P(OpenOcdTest, ProgramsVerifiesAndStartsABlankBoard) {
  FlashedBoard board(GetParam());
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 0) << flashed.log;
  EXPECT_THAT(flashed.log, HasSubstr("** Verified OK **"));
  EXPECT_EQ(board.uart(5), "alpha");
  EXPECT_TRUE(board.adapter_ends());
  EXPECT_TRUE(fs::is_empty(board.usb()));
}

TEST_P(OpenOcdTest, ProgramsARunningBoardAgain) {
  FlashedBoard board(GetParam());
  EXPECT_EQ(board.flash("alpha").status, 0);
  EXPECT_EQ(board.uart(5), "alpha");
  EXPECT_EQ(board.flash("gamma").status, 0);
  EXPECT_EQ(board.uart(5), "gamma");
  EXPECT_EQ(board.flash("alpha").status, 0);
  EXPECT_EQ(board.uart(5), "alpha");
}

TEST_P(OpenOcdTest, ProgramsAnImageOfRealSize) {
  FlashedBoard board(GetParam());
  const Flashed flashed = board.flash("long");
  EXPECT_EQ(flashed.status, 0) << flashed.log;
  EXPECT_EQ(board.uart(4), "long");
  RecordProperty("seconds", fmt::format("{:.2f}", flashed.seconds.count()));
}

// Any byte to QEMU's gdbstub would stop the board for good.
TEST_P(OpenOcdTest, BoardRunsOnAfterTheDebuggerHasGone) {
  FlashedBoard board(GetParam());
  EXPECT_EQ(board.flash("ticker").status, 0);
  EXPECT_EQ(board.uart(200).size(), 200u) << "it prints without end";
  EXPECT_EQ(board.control("fault stuck_bit=1"), "ok\n");
  constexpr std::size_t more = 50000;  // than sockets hold
  EXPECT_EQ(board.uart(more).size(), more);
}

TEST_P(OpenOcdTest, CrashOfTheFirmwareEndsQemuNotTheAdapter) {
  FlashedBoard board(GetParam());
  EXPECT_EQ(board.flash("crash").status, 0);
  const Deadline deadline = Deadline::in(10s);
  while (board.qemu_runs() && !deadline.passed())
    std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(board.qemu_runs());
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("cannot read IDR"));
  EXPECT_TRUE(board.adapter_ends());
}

TEST_P(OpenOcdTest, MissingAdapter) {
  FlashedBoard board(GetParam(), {"missing=1"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("unable to find a matching CMSIS-DAP device"));
  EXPECT_THAT(flashed.log, HasSubstr("** OpenOCD init failed **"));
  EXPECT_EQ(board.control("clear"), "ok\n");
  EXPECT_EQ(board.flash("alpha").status, 0) << "plugged in again";
}

TEST_P(OpenOcdTest, DuplicateSerialNumberIsOnTheBusTwice) {
  FlashedBoard board(GetParam(), {"duplicate=1"});
  EXPECT_EQ(std::distance(fs::directory_iterator(board.usb()), {}), 2);
  EXPECT_EQ(board.flash("alpha").status, 0) << "OpenOCD silently takes the first";
}

TEST_P(OpenOcdTest, UnpoweredBoard) {
  FlashedBoard board(GetParam(), {"unpowered=1"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("Error connecting DP: cannot read IDR"));
}

TEST_P(OpenOcdTest, WriteProtectedFlash) {
  FlashedBoard board(GetParam(), {"write_protected=1"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("protected"));
  EXPECT_THAT(flashed.log, HasSubstr("failed erasing sectors"));
}

TEST_P(OpenOcdTest, CoreThatWillNotHalt) {
  FlashedBoard board(GetParam(), {"nohalt=1"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("timed out while waiting for target halted"));
  EXPECT_THAT(flashed.log, HasSubstr("** Unable to reset target **"));
}

TEST_P(OpenOcdTest, StuckBitFailsTheVerification) {
  FlashedBoard board(GetParam(), {"stuck_bit=0x4"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("checksum mismatch"));
  EXPECT_THAT(flashed.log, HasSubstr("** Verify Failed **"));
}

TEST_P(OpenOcdTest, AnotherChipsDebugPortGoesUnnoticed) {
  FlashedBoard board(GetParam(), {"wrong_dpidr=1"});
  const Flashed flashed = board.flash("alpha");
  EXPECT_EQ(flashed.status, 0) << "OpenOCD does not compare it on serial wire";
  EXPECT_THAT(flashed.log, HasSubstr("SWD DPIDR 0x6ba02477"));
}

TEST_P(OpenOcdTest, AdapterUnpluggedWhileProgramming) {
  FlashedBoard board(GetParam(), {"disconnect_after=300"});
  const Flashed flashed = board.flash("long");
  EXPECT_EQ(flashed.status, 1);
  EXPECT_THAT(flashed.log, HasSubstr("error writing data"));
  EXPECT_TRUE(fs::is_empty(board.usb()));
  EXPECT_EQ(board.control("clear"), "ok\n");
  EXPECT_EQ(board.flash("alpha").status, 0);
  EXPECT_EQ(board.uart(5), "alpha");
}

TEST_P(OpenOcdTest, HungAdapterNeedsADeadlineAndSigkill) {
  FlashedBoard board(GetParam(), {"hang_after=300"});
  EXPECT_EQ(board.flash("long", 3s).status, -1);
  EXPECT_EQ(board.control("clear"), "ok\n");
  EXPECT_EQ(board.flash("alpha").status, 0) << "the dead OpenOCD holds nothing";
  EXPECT_EQ(board.uart(5), "alpha");
}

TEST_P(OpenOcdTest, OpenOcdKilledHalfWayLeavesABoardThatCanBeProgrammed) {
  FlashedBoard board(GetParam());
  EXPECT_EQ(board.flash("long", 150ms).status, -1);
  EXPECT_EQ(board.flash("alpha").status, 0);
  EXPECT_EQ(board.uart(5), "alpha");
}

TEST(AdapterControlTest, RefusesWhatItDoesNotKnow) {
  FlashedBoard board(kMicrobit);
  EXPECT_THAT(board.control("fault wobbly=1"), HasSubstr("error: unknown fault 'wobbly'"));
  EXPECT_THAT(board.control("dance"), HasSubstr("error: expected"));
}

TEST(AdapterProgramTest, BadArgumentsAreUsageErrors) {
  const std::string program = RIGD_BIN "/rigd-sim-adapter";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--chip", "avr"}, {"--chip"}, {"--wobbly", "1"}, {"--fault", "missing=7"}}) {
    std::vector<std::string> command{program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const board::Finished finished = board::run_program(command);
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, HasSubstr("usage:"));
  }
}

}  // namespace
}  // namespace rigd::sim::adapter
