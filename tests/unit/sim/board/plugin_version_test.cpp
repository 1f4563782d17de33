// The plugin speaks API version 1 and must refuse any other aloud: calling a changed function would corrupt
// QEMU.
#include <gtest/gtest.h>

#include <filesystem>

#include "qemu_run.hpp"
#include "sim/common/unix_socket.hpp"

namespace rigd::sim::board {
namespace {

Finished load_plugin(const std::string& oldest, const std::string& current, const std::string& socket) {
  return run_program({RIGD_IMAGES "/fake_plugin_host", RIGD_BIN "/librigd-qemu-edges.so", oldest, current,
                      "core=cortex-m0", "port=0x20003FF0", "pins=2", "out=" + socket});
}

TEST(PluginVersion, OneIsTaken) {
  const Folder folder;
  const auto listener = listen_unix(folder / "edges.sock");
  const Finished result = load_plugin("0", "1", folder / "edges.sock");
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST(PluginVersion, TwoIsRefusedNamingBoth) {
  const Folder folder;
  const auto listener = listen_unix(folder / "edges.sock");
  const Finished result = load_plugin("2", "2", folder / "edges.sock");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("speaks plugin API 2"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("written for API 1"), std::string::npos) << result.errors;
}

TEST(PluginVersion, AQemuThatWouldStillAcceptOneIsRefusedToo) {
  const Folder folder;
  const auto listener = listen_unix(folder / "edges.sock");
  EXPECT_EQ(load_plugin("1", "2", folder / "edges.sock").status, 1);
}

TEST(PluginVersion, NobodyListeningIsRefusedNamingTheSocket) {
  const Folder folder;
  const Finished result = load_plugin("0", "1", folder / "edges.sock");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find(folder / "edges.sock"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace rigd::sim::board
