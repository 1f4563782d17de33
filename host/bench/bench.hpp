// The slots of one PC, from rigs/benches/NAME.toml: which adapter, link and probe belong to which board.
//
// Values may hold {run} (this run's scratch folder), {slot} (this slot's folder below it), {usb} (the virtual
// USB tree of a simulated bench) and {bin} (where rigd's own programs are); they are filled in by expand().
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bench/board.hpp"

namespace rigd::bench {

// A program that stands in for hardware; started before the slot is used, stopped after it.
struct SimulatorSetup {
  std::string program;
  std::vector<std::string> args;
  bool preloaded = false;  // it starts with an image already running, as a board flashed earlier does
};

struct AdapterSetup {
  std::string serial;     // USB serial number: mandatory, the only way an adapter is chosen
  std::string interface;  // OpenOCD interface file: "interface/cmsis-dap.cfg"
  std::map<std::string, std::string> env;
  std::string usb_root = "/sys/bus/usb/devices";
};

// Either a Unix socket (simulated) or a USB serial port found by serial number and interface.
struct PortSetup {
  std::string socket;
  std::string usb_serial;
  int usb_interface = -1;  // bInterfaceNumber; -1: the device has one port only
  unsigned baud = 115200;
};

enum class ProbeMode { source, ampere };

struct ProbeSetup {
  std::string driver;  // "ppk2"
  PortSetup port;
  ProbeMode mode = ProbeMode::source;
  unsigned voltage_mv = 0;    // supplied, or in ampere mode the voltage of the board's own supply
  unsigned marker_input = 0;  // logic input wired to the marker
};

// An instrument that reports each marker edge with exact instruction and cycle counts. Simulated boards only.
struct CounterSetup {
  std::string socket;
};

struct SlotSetup {
  std::string name;
  BoardType board;
  std::string image;  // overrides the board file's
  std::optional<SimulatorSetup> simulator;
  AdapterSetup adapter;
  PortSetup link;
  ProbeSetup probe;
  std::optional<CounterSetup> counter;
};

struct Bench {
  std::string name;
  std::filesystem::path path;
  std::string text;  // the file as read, kept with each run
  std::vector<SlotSetup> slots;

  const SlotSetup* find(std::string_view slot) const;
};

// Board files are looked up as ../boards/NAME.toml from the bench file unless the value is a path.
// Errors: bad_bench, bad_board_file with file:line:column.
Result<Bench> load_bench(const std::filesystem::path& path);
Result<Bench> parse_bench(std::string_view text, const std::filesystem::path& path);

struct Places {
  std::filesystem::path run;
  std::filesystem::path slot;
  std::filesystem::path usb;
  std::filesystem::path bin;
};

// The setup with every placeholder filled in. Errors: bad_bench naming an unknown placeholder.
Result<SlotSetup> expand(SlotSetup setup, const Places& places);

}  // namespace rigd::bench
