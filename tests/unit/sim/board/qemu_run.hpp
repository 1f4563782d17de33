// Runs a test image on the real QEMU with the edge plugin loaded, without the launcher.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "programs.hpp"
#include "sim/common/edge_record.hpp"

namespace rigd::sim::board {

struct QemuRun {
  std::string machine;  // microbit or netduinoplus2
  std::string image;    // file name among the test images
  std::string core;     // of the cycle model
  std::string more;     // further plugin arguments: ",mul=32"
  bool icount = true;   // -icount shift=0,sleep=off, as the launcher does
};

// What passes between a rising and a falling edge of the marker.
struct Window {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  bool operator==(const Window&) const = default;
};
inline void PrintTo(const Window& window, std::ostream* out) {
  *out << window.instructions << " instructions " << window.cycles << " cycles";
}

// All edges until pin 1 rises, which is a test image's last act. Empty, and a test failure, when it does not.
std::vector<EdgeRecord> run_edges(const QemuRun& run);
std::vector<Window> run_windows(const QemuRun& run);

}  // namespace rigd::sim::board
