#include "bench/bench.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rigd::bench {
namespace {

namespace fs = std::filesystem;

class BenchFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "boards");
    fs::create_directories(folder_ / "benches");
    write("boards/nucleo.toml", kBoard);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  Result<Bench> load(const std::string& text) {
    write("benches/x.toml", text);
    return load_bench(folder_ / "benches/x.toml");
  }
  std::string complaint(const std::string& text) {
    const Result<Bench> bench = load(text);
    return bench ? "" : bench.error().text().substr((folder_ / "benches").string().size() + 1);
  }

  static constexpr const char* kBoard = R"([board]
name = "nucleo"
title = "NUCLEO"
kind = "physical"
core = "cortex-m0+"
clock_hz = 32_000_000
timer_counts = "time"
flash_bytes = 196_608
ram_bytes = 20_480
image = "nucleo.elf"
[openocd]
target = "target/stm32l0.cfg"
)";
  static constexpr const char* kBench = R"([bench]
name = "desk"
[[slot]]
name = "a"
board = "nucleo"
[slot.adapter]
serial = "066BFF"
interface = "interface/stlink.cfg"
[slot.link]
usb_serial = "066BFF"
usb_interface = 2
[slot.probe]
driver = "ppk2"
usb_serial = "C1D2"
mode = "source"
voltage_mv = 3000
marker_input = 0
)";
  fs::path folder_ = fs::temp_directory_path() / ("rigd-bench-test-" + std::to_string(getpid()));
};

TEST_F(BenchFile, JoinsSlotsWithTheirBoards) {
  const Result<Bench> bench = load(kBench);
  ASSERT_TRUE(bench) << bench.error().text();
  ASSERT_NE(bench->find("a"), nullptr);
  EXPECT_EQ(bench->find("a")->board.clock_hz, 32e6);
  EXPECT_EQ(bench->find("a")->link.usb_interface, 2);
  EXPECT_EQ(bench->find("b"), nullptr);
}

TEST_F(BenchFile, UnknownBoardNamesTheFileThatWouldDescribeIt) {
  std::string text = kBench;
  text.replace(text.find("\"nucleo\""), 8, "\"nukleo\"");
  EXPECT_NE(complaint(text).find("x.toml:5:9: 'slot[0].board': no board file"), std::string::npos)
      << complaint(text);
}

TEST_F(BenchFile, ABoardNameLongerThanAnyFileNameIsAnUnknownBoard) {
  std::string text = kBench;
  text.replace(text.find("\"nucleo\""), 8, "\"" + std::string(5000, 'n') + "\"");
  EXPECT_NE(complaint(text).find("no board file"), std::string::npos);
}

TEST_F(BenchFile, TwoSlotsOfOneNameAreRefused) {
  const std::string text = kBench;
  EXPECT_NE(complaint(text + text.substr(text.find("[[slot]]"))).find("another slot has this name"),
            std::string::npos);
}

TEST_F(BenchFile, APortIsEitherASocketOrAUsbSerial) {
  std::string text = kBench;
  text.replace(text.find("usb_interface = 2"), 17, "socket = '/tmp/x'");
  EXPECT_NE(complaint(text).find("one of the two"), std::string::npos);
}

TEST_F(BenchFile, ASimulatorUnderAPhysicalBoardIsRefused) {
  const std::string text = std::string(kBench) + "[slot.counter]\nsocket = '/tmp/x'\n";
  EXPECT_NE(complaint(text).find("is physical"), std::string::npos);
}

TEST_F(BenchFile, AnErrorInTheBoardFileIsReportedThere) {
  std::string board = kBoard;
  board.replace(board.find("\"physical\""), 10, "\"virtual\"");
  write("boards/nucleo.toml", board);
  const Result<Bench> bench = load(kBench);
  ASSERT_FALSE(bench);
  EXPECT_EQ(bench.error().code(), ErrorCode::bad_board_file);
  EXPECT_NE(bench.error().text().find("nucleo.toml:4:8: 'board.kind' must be one of: physical, simulated"),
            std::string::npos)
      << bench.error().text();
}

TEST(ShippedBenches, Load) {
  for (const auto& entry : fs::directory_iterator(fs::path(RIGD_RIGS) / "benches")) {
    const Result<Bench> bench = load_bench(entry.path());
    EXPECT_TRUE(bench) << bench.error().text();
  }
}

TEST(Expand, FillsPlaceholdersEverywhere) {
  SlotSetup setup;
  setup.name = "a";
  setup.link.socket = "{slot}/uart.sock";
  setup.simulator = SimulatorSetup{"{bin}/sim", {"--usb", "{usb}"}};
  setup.adapter.env["LD_PRELOAD"] = "{bin}/x.so:{run}/y.so";
  const Result<SlotSetup> filled = expand(setup, {"/r", "/r/a", "/r/usb", "/b"});
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->link.socket, "/r/a/uart.sock");
  EXPECT_EQ(filled->simulator->program, "/b/sim");
  EXPECT_EQ(filled->simulator->args[1], "/r/usb");
  EXPECT_EQ(filled->adapter.env.at("LD_PRELOAD"), "/b/x.so:/r/y.so");
}

TEST(Expand, NamesAPlaceholderItDoesNotKnow) {
  SlotSetup setup;
  setup.name = "a";
  setup.link.socket = "{slots}/uart.sock";
  const Result<SlotSetup> filled = expand(setup, {});
  ASSERT_FALSE(filled);
  EXPECT_NE(filled.error().text().find("{slots}"), std::string::npos);
}

}  // namespace
}  // namespace rigd::bench
