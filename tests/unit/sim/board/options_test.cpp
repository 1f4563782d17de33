#include "sim/board/launcher/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/board/launcher/commands.hpp"

namespace rigd::sim::board {
namespace {

Result<Options> parse(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  return parse_options(pointers);
}

const std::vector<std::string> kWhole{"--board",   "microbit",   "--slot-dir",       "/tmp/s/m0",
                                      "--usb-dir", "/tmp/s/usb", "--adapter-serial", "RIGD0001",
                                      "--seed",    "7"};

std::vector<std::string> whole_and(std::vector<std::string> more) {
  std::vector<std::string> all = kWhole;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

bool contains(const std::vector<std::string>& command, const std::vector<std::string>& run) {
  return !std::ranges::search(command, run).empty();
}

TEST(Options, ReachTheProgramsTheyAreFor) {
  const auto options =
      parse(whole_and({"--set", "run_ua=3000", "--fault", "ppk2:drop=5", "--fault", "adapter:nohalt=1",
                       "--fault", "board:kill_at_window=3", "--truth", "/t"}));
  ASSERT_TRUE(options) << options.error().text();
  const SlotPaths paths(options->slot_dir);
  const auto adapter = adapter_command(*options, paths, "/bin");
  EXPECT_EQ(adapter.front(), "/bin/rigd-sim-adapter");
  EXPECT_TRUE(contains(adapter, {"--chip", "nrf51"}));
  EXPECT_TRUE(contains(adapter, {"--serial", "RIGD0001"}));
  EXPECT_TRUE(contains(adapter, {"--usb", "/tmp/s/usb/sim-m0"}));
  EXPECT_TRUE(contains(adapter, {"--fault", "nohalt=1"}));
  EXPECT_FALSE(contains(adapter, {"--fault", "drop=5"}));
  const auto ppk2 = ppk2_command(*options, paths, "/bin");
  EXPECT_TRUE(contains(ppk2, {"--listen", "/tmp/s/m0/ppk2.sock", "--edges", "/tmp/s/m0/edges.sock"}));
  EXPECT_TRUE(contains(ppk2, {"--seed", "7"}));
  EXPECT_TRUE(contains(ppk2, {"--set", "run_ua=3000"}));
  EXPECT_TRUE(contains(ppk2, {"--fault", "drop=5"}));
  EXPECT_TRUE(contains(ppk2, {"--truth", "/t"}));
  const auto qemu = qemu_command(*options, paths, "/bin");
  EXPECT_TRUE(contains(qemu, {"-plugin",
                              "/bin/librigd-qemu-edges.so,core=cortex-m0,mul=1,port=0x20003ff0,pins=2,"
                              "out=/tmp/s/m0/edge-feed.sock,hold=3"}));
  EXPECT_TRUE(contains(qemu, {"-icount", "shift=0,sleep=off"}));
  EXPECT_TRUE(contains(qemu, {"-S"}));
}

TEST(Options, APreloadedImageRunsAtOnce) {
  const auto options = parse(whole_and({"--kernel", "a.elf", "--core", "none"}));
  ASSERT_TRUE(options) << options.error().text();
  const auto qemu = qemu_command(*options, SlotPaths(options->slot_dir), "/bin");
  EXPECT_TRUE(contains(qemu, {"-kernel", "a.elf"}));
  EXPECT_FALSE(contains(qemu, {"-S"}));
}

TEST(Options, CommasInPathsSurviveQemusSyntax) {
  const auto options = parse(
      {"--board", "netduinoplus2", "--slot-dir", "/tmp/a,b", "--without", "adapter", "--without", "ppk2"});
  ASSERT_TRUE(options) << options.error().text();
  const auto qemu = qemu_command(*options, SlotPaths(options->slot_dir), "/bin");
  EXPECT_TRUE(contains(qemu, {"-chardev", "socket,id=uart,path=/tmp/a,,b/uart.sock,server=on,wait=off"}));
}

TEST(Options, AWrongOneIsNamed) {
  const std::vector<std::vector<std::string>> wrong{
      {"--board", "arduino"},  {"--fault", "board:burn=1"},
      {"--fault", "adapter"},  {"--fault", "board:kill_at_window=x"},
      {"--seed", "-1"},        {"--set", "run_ua"},
      {"--core", "cortex-m7"}, {"--without", "qemu"},
      {"--fast", "1"},         {"--seed"}};
  for (const auto& more : wrong) {
    const auto options = parse(whole_and(more));
    ASSERT_FALSE(options) << more.front();
    EXPECT_NE(options.error().text().find(more.front()), std::string::npos) << options.error().text();
  }
}

TEST(Options, WhatAPartNeedsIsAskedForUnlessThePartIsLeftOut) {
  EXPECT_FALSE(parse({"--board", "microbit", "--slot-dir", "/tmp/s"}));
  EXPECT_FALSE(parse({"--board", "microbit", "--slot-dir", "/tmp/s", "--without", "adapter"}));
  EXPECT_TRUE(
      parse({"--board", "microbit", "--slot-dir", "/tmp/s", "--without", "adapter", "--without", "ppk2"}));
}

}  // namespace
}  // namespace rigd::sim::board
