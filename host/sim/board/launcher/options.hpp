// The command line of rigd-sim-board.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace rigd::sim::board {

struct BoardType {
  std::string_view name;  // as the user and QEMU's -M call it
  std::string_view chip;  // as rigd-sim-adapter calls it
  std::string_view core;  // as the plugin calls it
  std::uint32_t multiply_cycles;
  std::uint32_t marker_port;  // rigd_marker_port of the board's linker script
};

struct Options {
  const BoardType* board = nullptr;
  std::string slot_dir;
  std::string usb_dir;
  std::string adapter_serial;
  std::string seed;
  std::string core;                         // empty: the board's own
  std::string kernel;                       // empty: start halted with blank flash
  std::string truth;                        // file for rigd-sim-ppk2, empty: none
  std::vector<std::string> settings;        // key=value for rigd-sim-ppk2
  std::vector<std::string> adapter_faults;  // key=value
  std::vector<std::string> ppk2_faults;
  std::uint64_t kill_at_window = 0;  // 0: never
  bool with_adapter = true;
  bool with_ppk2 = true;
};

extern const std::string_view kUsage;

// Error: bad_argument naming the option.
Result<Options> parse_options(std::span<char* const> arguments);

}  // namespace rigd::sim::board
