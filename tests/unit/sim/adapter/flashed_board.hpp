// A board as OpenOCD sees it: QEMU, the adapter and a folder that is its USB.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "../board/programs.hpp"
#include "io/fd.hpp"

namespace rigd::sim::adapter {

struct BoardType {
  std::string chip;                  // of rigd-sim-adapter
  std::string machine;               // of QEMU
  std::vector<std::string> openocd;  // configuration of the target
  std::string image;                 // prefix of the test images
};

inline void PrintTo(const BoardType& type, std::ostream* out) {
  *out << type.machine;
}

extern const BoardType kMicrobit;
extern const BoardType kNetduino;

struct Flashed {
  int status = -1;  // -1: killed at the deadline
  std::string log;
  std::chrono::duration<double> seconds{};
};

class FlashedBoard {
 public:
  explicit FlashedBoard(BoardType type, const std::vector<std::string>& faults = {});

  // The command line of DESIGN 4.5, until the deadline.
  Flashed flash(const std::string& image, Duration limit = std::chrono::seconds(60));
  std::string uart(std::size_t bytes);  // what the board has printed: so many bytes, or fewer after 5 s
  std::string control(const std::string& line);  // the adapter's answer
  bool qemu_runs();
  bool adapter_ends();  // on SIGTERM, with status 0
  std::string usb() const { return folder_ / "usb"; }

 private:
  BoardType type_;
  board::Folder folder_;
  std::unique_ptr<board::Program> qemu_;
  std::unique_ptr<board::Program> adapter_;
  io::UniqueFd uart_;
};

}  // namespace rigd::sim::adapter
