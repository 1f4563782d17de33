#include "sim/board/launcher/commands.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace rigd::sim::board {

namespace {

using Command = std::vector<std::string>;

constexpr unsigned kMarkerPins = 2;

// QEMU separates suboptions by commas; a comma inside one is written twice.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == ',') result += c;
  }
  return result;
}

void append(Command& command, std::initializer_list<std::string> more) {
  command.insert(command.end(), more);
}

void append_each(Command& command, const std::string& option, const std::vector<std::string>& values) {
  for (const std::string& value : values)
    append(command, {option, value});
}

std::string server(const std::string& path) {
  return fmt::format("path={},server=on,wait=off", escaped(path));
}

std::string plugin(const Options& options, const SlotPaths& paths, const std::string& tools) {
  const std::string core = options.core.empty() ? std::string(options.board->core) : options.core;
  std::string text = fmt::format("{}/librigd-qemu-edges.so,core={},mul={},port={:#x},pins={},out={}",
                                 escaped(tools), core, options.board->multiply_cycles,
                                 options.board->marker_port, kMarkerPins, escaped(paths.edge_feed));
  if (options.kill_at_window > 0) text += fmt::format(",hold={}", options.kill_at_window);
  return text;
}

}  // namespace

SlotPaths::SlotPaths(const std::string& slot_dir)
    : uart(slot_dir + "/uart.sock"),
      gdb(slot_dir + "/gdb.sock"),
      qtest(slot_dir + "/qtest.sock"),
      edges(slot_dir + "/edges.sock"),
      edge_feed(slot_dir + "/edge-feed.sock"),
      ppk2(slot_dir + "/ppk2.sock"),
      adapter_control(slot_dir + "/adapter-control.sock"),
      qemu_log(slot_dir + "/qemu.log"),
      adapter_log(slot_dir + "/adapter.log"),
      ppk2_log(slot_dir + "/ppk2.log") {}

Command qemu_command(const Options& options, const SlotPaths& paths, const std::string& tools) {
  Command command{"qemu-system-arm", "-M",       std::string(options.board->name),
                  "-nodefaults",     "-display", "none",
                  "-monitor",        "none"};
  // One instruction is 1 ns of virtual time, and no host time passes while the CPU sleeps.
  append(command, {"-icount", "shift=0,sleep=off"});
  append(command, {"-chardev", "socket,id=uart," + server(paths.uart), "-serial", "chardev:uart"});
  append(command, {"-chardev", "socket,id=gdb," + server(paths.gdb), "-gdb", "chardev:gdb"});
  append(command,
         {"-qtest", fmt::format("unix:{},server=on,wait=off", escaped(paths.qtest)), "-qtest-log", "none"});
  append(command, {"-plugin", plugin(options, paths, tools)});
  // Blank flash would lock the core up at once, which ends QEMU.
  if (options.kernel.empty())
    append(command, {"-S"});
  else
    append(command, {"-kernel", options.kernel});
  return command;
}

Command adapter_command(const Options& options, const SlotPaths& paths, const std::string& tools) {
  const std::string slot = std::filesystem::path(options.slot_dir).lexically_normal().filename().string();
  Command command{tools + "/rigd-sim-adapter",
                  "--chip",
                  std::string(options.board->chip),
                  "--serial",
                  options.adapter_serial,
                  "--usb",
                  fmt::format("{}/sim-{}", options.usb_dir, slot),
                  "--gdb",
                  paths.gdb,
                  "--qtest",
                  paths.qtest,
                  "--control",
                  paths.adapter_control};
  append_each(command, "--fault", options.adapter_faults);
  return command;
}

Command ppk2_command(const Options& options, const SlotPaths& paths, const std::string& tools) {
  Command command{
      tools + "/rigd-sim-ppk2", "--listen", paths.ppk2, "--edges", paths.edges, "--seed", options.seed};
  append_each(command, "--set", options.settings);
  append_each(command, "--fault", options.ppk2_faults);
  if (!options.truth.empty()) append(command, {"--truth", options.truth});
  return command;
}

}  // namespace rigd::sim::board
