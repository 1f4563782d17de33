// Facts of a board type, from rigs/boards/NAME.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/provenance.hpp"
#include "base/result.hpp"

namespace rigd::bench {

enum class BoardKind { physical, simulated };

// What the board's own timer advances with. On a physical board it is time. Under QEMU's -icount it is
// executed instructions, one nanosecond each: such ticks are never shown as time.
enum class TimerCounts { time, instructions };

// A constant of the simulated current, with the document it comes from.
struct SyntheticConstant {
  double value = 0;
  std::string source;
};

struct BoardType {
  std::string name;  // "microbit"; what the firmware's hello must say
  std::string title;
  BoardKind kind = BoardKind::physical;
  std::string core;  // "cortex-m0"
  double clock_hz = 0;
  TimerCounts timer_counts = TimerCounts::time;
  std::uint32_t flash_bytes = 0;
  std::uint32_t ram_bytes = 0;
  std::string image;  // file name of the firmware below the images folder

  // Flashing: what depends on the chip; what depends on the adapter is in the bench file.
  std::string openocd_target;               // "target/nrf51.cfg"
  std::vector<std::string> openocd_before;  // Tcl before the target file

  std::map<std::string, SyntheticConstant> synthetic;  // simulated boards only

  Provenance time_provenance() const {
    return kind == BoardKind::physical ? Provenance::measured : Provenance::modelled;
  }
  Provenance energy_provenance() const {
    return kind == BoardKind::physical ? Provenance::measured : Provenance::synthetic;
  }
};

// Errors: bad_board_file with file:line:column.
Result<BoardType> load_board(const std::filesystem::path& path);
Result<BoardType> parse_board(std::string_view text, std::string name);

}  // namespace rigd::bench
