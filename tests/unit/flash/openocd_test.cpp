// The driver around a stand-in for the `openocd` program: its command line, its deadline, its errors.
#include "flash/openocd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "../io/await.hpp"
#include "../io/temp_folder.hpp"
#include "elf_builder.hpp"

namespace rigd::flash {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kGood =
    "echo 'Open On-Chip Debugger 0.12.0' >&2\n"
    "echo '** Programming Finished **' >&2\n"
    "echo '** Verified OK **' >&2\n";

class OpenOcdTest : public testing::Test {
 protected:
  OpenOcdTest() : image_(make_image()) {
    options_.executable = folder_.path() / "openocd";
    options_.interface_config = "interface/cmsis-dap.cfg";
    options_.target_config = "target/nrf51.cfg";
    options_.adapter_serial = "RIGD0001";
    options_.usb_root = folder_.path() / "usb";
    add_adapter("1-1", "RIGD0001");
  }

  Image make_image() {
    test::ElfBuilder elf;
    elf.add({".text", SHT_PROGBITS, SHF_ALLOC, "code"}).add_build_id("0123456789abcdefghij");
    return Image::parse(elf.build(), "/images/with space/microbit.elf").value();
  }

  void add_adapter(const std::string& device, const std::string& serial) {
    const auto folder = folder_.path() / "usb" / device;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "idVendor") << "0d28\n";
    std::ofstream(folder / "idProduct") << "0204\n";
    std::ofstream(folder / "serial") << serial << "\n";
    std::ofstream(folder / "product") << "CMSIS-DAP\n";
  }

  void program(const std::string& script) {
    std::ofstream(options_.executable) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(options_.executable, std::filesystem::perms::owner_all);
  }

  Result<FlashReport> flash(Duration patience = 20s) {
    OpenOcd flasher(context_.get_executor(), options_);
    return test::await(context_, flasher.flash(image_, Deadline::in(patience)));
  }
  Result<void> check_present() {
    OpenOcd flasher(context_.get_executor(), options_);
    return test::await(context_, flasher.check_present(Deadline::in(1s)));
  }
  std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  boost::asio::io_context context_;
  test::TempFolder folder_;
  OpenOcdOptions options_;
  Image image_;
};

TEST_F(OpenOcdTest, ReportsAGoodFlash) {
  program(kGood);
  const auto report = flash();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->tool, "Open On-Chip Debugger 0.12.0");
  EXPECT_THAT(report->log, HasSubstr("** Verified OK **"));
  EXPECT_GT(report->duration, 0ms);
}

TEST_F(OpenOcdTest, CommandLineDisablesPortsAndNamesTheAdapter) {
  options_.search_dirs = {"/scripts"};
  options_.before = {"set WORKAREASIZE 0"};
  const auto command = openocd_command(options_, "/images/with space/microbit.elf");
  EXPECT_THAT(command.value(),
              ElementsAre(options_.executable, "-s", "/scripts",                               //
                          "-c", "gdb_port disabled; tcl_port disabled; telnet_port disabled",  //
                          "-f", "interface/cmsis-dap.cfg", "-c", "adapter serial {RIGD0001}",  //
                          "-c", "set WORKAREASIZE 0", "-f", "target/nrf51.cfg",                //
                          "-c", "program {/images/with space/microbit.elf} verify reset exit"));
}

TEST_F(OpenOcdTest, PassesCommandLineAndEnvironmentOn) {
  options_.env = {{"RIGD_VIRTUAL_USB", "/tmp/usb"}};
  program(std::string(kGood) + "echo \"env $RIGD_VIRTUAL_USB\"; for a in \"$@\"; do echo \"arg $a\"; done\n");
  const auto report = flash();
  ASSERT_TRUE(report);
  EXPECT_THAT(report->log, HasSubstr("env /tmp/usb"));
  EXPECT_THAT(report->log, HasSubstr("arg adapter serial {RIGD0001}"));
  EXPECT_THAT(report->log, HasSubstr("arg program {/images/with space/microbit.elf} verify reset exit"));
}

TEST_F(OpenOcdTest, RefusesValuesThatWouldBreakOutOfTcl) {
  program("touch \"$(dirname $0)/started\"\n");
  for (const std::string serial : {"", "a}b", "a{b", "a\\b", "a\nb"}) {
    options_.adapter_serial = serial;
    EXPECT_EQ(flash().error().code(), ErrorCode::bad_argument) << serial;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "started"));
}

TEST_F(OpenOcdTest, AMissingAdapterNamesWhatIsAttached) {
  options_.adapter_serial = "RIGD0002";
  const auto missing = check_present();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::adapter_missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("RIGD0002"));
  EXPECT_THAT(missing.error().text(), HasSubstr("0d28:0204 serial RIGD0001 (CMSIS-DAP)"));
}

TEST_F(OpenOcdTest, TwoAdaptersWithOneSerialNumberAreRefusedBeforeOpenOcdStarts) {
  program("touch \"$(dirname $0)/started\"\n");
  add_adapter("1-2", "RIGD0001");
  EXPECT_EQ(check_present().error().code(), ErrorCode::adapter_ambiguous);
  const auto report = flash();
  EXPECT_EQ(report.error().code(), ErrorCode::adapter_ambiguous);
  EXPECT_THAT(report.error().text(), HasSubstr("at 1-1 and 1-2"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "started"));
}

TEST_F(OpenOcdTest, OtherAdaptersDoNotMatter) {
  add_adapter("1-2", "RIGD0002");
  EXPECT_TRUE(check_present());
}

TEST_F(OpenOcdTest, AHangIsKilledAtTheDeadlineWithAllItsChildren) {
  program(
      "trap '' TERM INT\n"
      "echo 'Error: CMSIS-DAP command CMD_CONNECT failed.' >&2\n"
      "sleep 60 &\n"
      "echo $! > \"$(dirname $0)/child\"\n"
      "wait; sleep 60\n");
  const auto begin = Clock::now();
  const auto report = flash(300ms);
  EXPECT_LT(Clock::now() - begin, 3s);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::adapter_hung);
  EXPECT_THAT(report.error().text(), HasSubstr("CMD_CONNECT failed"));
  const pid_t child = static_cast<pid_t>(std::stol(read(folder_.path() / "child")));
  // The whole group was sent SIGKILL, but only its leader is waited for: a child may take a moment to be
  // gone.
  const auto gone = [this, child] {
    const std::string stat = read("/proc/" + std::to_string(child) + "/stat");
    return stat.empty() || stat.contains(") Z") || stat.contains(") X");
  };
  const Deadline patience = Deadline::in(5s);
  while (!gone() && !patience.passed())
    usleep(1000);
  EXPECT_TRUE(gone());
}

TEST_F(OpenOcdTest, AFailureIsClassifiedFromItsLog) {
  program(
      "echo 'Error: checksum mismatch - attempting binary compare' >&2; echo '** Verify Failed **' >&2; exit "
      "1\n");
  EXPECT_EQ(flash().error().code(), ErrorCode::verify_mismatch);
}

TEST_F(OpenOcdTest, AFloodOfOutputKeepsItsBeginningAndEnd) {
  options_.log_file = folder_.path() / "openocd.log";
  program(
      "echo 'Open On-Chip Debugger 0.12.0'\n"
      "yes 'Error: error writing data' | head -n 20000\n"
      "echo '** Programming Failed **'; exit 1\n");
  const auto report = flash();
  EXPECT_EQ(report.error().code(), ErrorCode::flash_failed);
  EXPECT_THAT(report.error().text(), HasSubstr("error writing data"));
  EXPECT_LT(report.error().text().size(), 200u);
  EXPECT_GT(std::filesystem::file_size(options_.log_file), 400'000u);
}

TEST_F(OpenOcdTest, AMissingProgramIsNamed) {
  options_.executable = "openocd-that-is-not-installed";
  EXPECT_EQ(flash().error().code(), ErrorCode::spawn_failed);
}

}  // namespace
}  // namespace rigd::flash
