// What the launcher starts: QEMU, the adapter and the instrument, with all sockets in the slot's folder.
#pragma once

#include <string>
#include <vector>

#include "sim/board/launcher/options.hpp"

namespace rigd::sim::board {

struct SlotPaths {
  explicit SlotPaths(const std::string& slot_dir);

  std::string uart;
  std::string gdb;
  std::string qtest;
  std::string edges;      // the hub, for subscribers
  std::string edge_feed;  // the hub, for the plugin
  std::string ppk2;
  std::string adapter_control;
  std::string qemu_log;
  std::string adapter_log;
  std::string ppk2_log;
};

// `tools` is the folder of this executable, where its siblings and the plugin are.
std::vector<std::string> qemu_command(const Options& options, const SlotPaths& paths,
                                      const std::string& tools);
std::vector<std::string> adapter_command(const Options& options, const SlotPaths& paths,
                                         const std::string& tools);
std::vector<std::string> ppk2_command(const Options& options, const SlotPaths& paths,
                                      const std::string& tools);

}  // namespace rigd::sim::board
