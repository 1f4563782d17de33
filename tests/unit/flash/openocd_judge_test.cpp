// What OpenOCD 0.12.0 said in each case, and how it ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "flash/openocd.hpp"

namespace rigd::flash {
namespace {

using testing::HasSubstr;

constexpr io::ExitStatus kOk{0, 0};
constexpr io::ExitStatus kFailed{1, 0};
constexpr io::ExitStatus kAborted{0, SIGABRT};

const std::string kHead =
    "Open On-Chip Debugger 0.12.0\n"
    "Licensed under GNU GPL v2\n"
    "Info : CMSIS-DAP: SWD supported\n";

TEST(OpenOcdJudge, AVerifiedFlashIsGood) {
  EXPECT_TRUE(judge_openocd(kOk, kHead +
                                     "** Programming Started **\n** Programming Finished **\n"
                                     "** Verify Started **\n** Verified OK **\n** Resetting Target **\n"));
}

TEST(OpenOcdJudge, ErrorLinesOfAGoodFlashDoNotMatter) {
  EXPECT_TRUE(judge_openocd(kOk, kHead + "Error: [stm32f4x.cpu] clearing lockup after double fault\n"
                                         "Error: Translation from khz to adapter speed not implemented\n"
                                         "** Programming Finished **\n** Verified OK **\n"));
}

TEST(OpenOcdJudge, ExitStatus0WithoutVerifyIsNotGood) {
  const auto result = judge_openocd(kOk, kHead + "** Programming Started **\n** Programming Finished **\n");
  EXPECT_EQ(result.error().code(), ErrorCode::flash_failed);
  EXPECT_THAT(result.error().text(), HasSubstr("without having verified"));
  EXPECT_FALSE(judge_openocd(kOk, ""));
}

TEST(OpenOcdJudge, VerifiedButFailedLaterIsNotGood) {
  EXPECT_EQ(judge_openocd(kFailed, kHead + "** Verified OK **\nError: reset failed\n").error().code(),
            ErrorCode::flash_failed);
}

struct Case {
  const char* name;
  io::ExitStatus status;
  const char* log;
  ErrorCode code;
  const char* quoted;
};

class OpenOcdFailure : public testing::TestWithParam<Case> {};

TEST_P(OpenOcdFailure, IsClassifiedAndQuoted) {
  const auto result = judge_openocd(GetParam().status, kHead + GetParam().log);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), GetParam().code) << result.error().text();
  EXPECT_THAT(result.error().text(), HasSubstr(GetParam().quoted));
  EXPECT_EQ(result.error().fault(), Fault::rig);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, OpenOcdFailure,
    testing::Values(
        Case{"no_adapter", kFailed,
             "Error: unable to find a matching CMSIS-DAP device\n** OpenOCD init failed **\nshutdown command "
             "invoked\n",
             ErrorCode::adapter_missing, "unable to find a matching CMSIS-DAP device"},
        Case{"busy", kFailed,
             "Error: unable to open CMSIS-DAP device 0xd28:0x204\nError: unable to find a matching CMSIS-DAP "
             "device\n** OpenOCD init failed **\n",
             ErrorCode::busy, "unable to open CMSIS-DAP device 0xd28:0x204"},
        Case{"unpowered_swd", kFailed,
             "Error: Error connecting DP: cannot read IDR\n** OpenOCD init failed **\n",
             ErrorCode::flash_failed, "Error connecting DP: cannot read IDR"},
        Case{"unpowered_jtag", kFailed,
             "Error: JTAG scan chain interrogation failed: all ones\nError: Trying to use configured scan "
             "chain anyway...\n** OpenOCD init failed **\n",
             ErrorCode::flash_failed, "JTAG scan chain interrogation failed: all ones"},
        Case{"wrong_chip", kFailed,
             "Info : device id = 0x10006411\nError: Cannot identify target as a STM32 family.\nError: "
             "auto_probe failed\n** Programming Failed **\n",
             ErrorCode::flash_failed, "Cannot identify target as a STM32 family."},
        Case{"will_not_halt", kFailed,
             "Error: timed out while waiting for target halted\nTARGET: stm32f4x.cpu - Not halted\n** Unable "
             "to reset target **\nshutdown command invoked\n",
             ErrorCode::flash_failed, "timed out while waiting for target halted"},
        Case{"verify_mismatch", kFailed,
             "** Programming Finished **\n** Verify Started **\nError: checksum mismatch - attempting binary "
             "compare\n** Verify Failed **\nshutdown command invoked\n",
             ErrorCode::verify_mismatch, "checksum mismatch"},
        Case{"protected_erase", kFailed,
             "Error: stm32x device protected\nError: failed erasing sectors 0 to 3\n** Programming Failed "
             "**\n",
             ErrorCode::flash_failed, "stm32x device protected"},
        Case{"protected_write", kFailed,
             "Error: flash memory write protected\nError: error writing to flash at address 0x08000000\n** "
             "Programming Failed **\n",
             ErrorCode::flash_failed, "flash memory write protected"},
        Case{"erase_stuck", kFailed, "Error: timed out waiting for flash\n** Programming Failed **\n",
             ErrorCode::flash_failed, "timed out waiting for flash"},
        Case{"power_lost", kFailed,
             "** Programming Started **\nError: cannot read IDR\nError: cannot read IDR\n** Programming "
             "Failed **\nshutdown command invoked\n",
             ErrorCode::flash_failed, "cannot read IDR"},
        Case{"adapter_lost", kFailed,
             "** Programming Started **\nError: error writing data\nError: error writing data\n** "
             "Programming Failed **\n",
             ErrorCode::flash_failed, "error writing data"},
        Case{"crashed", kAborted,
             "openocd: remote_bitbang.c:95: Assertion `!remote_bitbang_recv_buf_empty()' failed.\n",
             ErrorCode::flash_failed, "killed by signal 6"},
        Case{"missing_file", kFailed,
             "** Programming Started **\nError: couldn't open nosuch.elf\n** Programming Failed **\n",
             ErrorCode::flash_failed, "couldn't open nosuch.elf"},
        Case{"outside_flash", kFailed,
             "Warn : no flash bank found for address 0x20000000\n** Programming Finished **\n** Verify "
             "Started **\nError: checksum mismatch - attempting binary compare\n** Verify Failed **\n",
             ErrorCode::flash_failed, "no flash bank found for address 0x20000000"},
        Case{"no_config", kFailed,
             "embedded:startup.tcl:28: Error: Can't find interface/nothing.cfg\nin procedure 'script'\n",
             ErrorCode::flash_failed, "Can't find interface/nothing.cfg"},
        Case{"something_new", kFailed,
             "Error: a first thing\nError: never seen before\nshutdown command invoked\n",
             ErrorCode::flash_failed, "never seen before"},
        Case{"harmless_error_line", kFailed,
             "Error: [stm32f4x.cpu] clearing lockup after double fault\n** Unable to reset target **\nError: "
             "[stm32f4x.cpu] clearing lockup after double fault\nshutdown command invoked\n",
             ErrorCode::flash_failed, "** Unable to reset target **"},
        Case{"no_error_line", kFailed, "** Programming Failed **\nshutdown command invoked\n",
             ErrorCode::flash_failed, "** Programming Failed **"}),
    [](const auto& tested) { return tested.param.name; });

TEST(OpenOcdJudge, ACrashSaysWhy) {
  EXPECT_THAT(judge_openocd(kAborted, "x: Assertion `y' failed.\n").error().text(),
              HasSubstr("Assertion `y' failed."));
}

}  // namespace
}  // namespace rigd::flash
