// The marker port: words of plain RAM whose stores are the edges. A store of any value to base + 8 * pin + 4
// * level sets that pin to that level. Level and pin are in the address because plugin API 1 does not tell
// the value.
#pragma once

#include <cstdint>
#include <string>

#include "sim/board/plugin/counter.hpp"
#include "sim/common/edge_record.hpp"

namespace rigd::sim::board {

class EdgePort {
 public:
  // `hold`: the window (from 1) inside which the CPU is to stand still, a fault to be simulated; 0 for none.
  EdgePort(std::uint64_t base, unsigned pins, std::uint64_t hold)
      : base_(base), bytes_(8ull * pins), hold_(hold) {}

  // Connects to the Unix socket at `path` and sends the stream's header. False: errno says why.
  bool connect(const std::string& path);

  bool contains(std::uint64_t address) const { return address - base_ < bytes_; }

  // Sends the edge. When that fails nobody will ever see an edge of this board again: says so and ends QEMU.
  void store(std::uint64_t address, const Totals& totals);

 private:
  void count_window(const EdgeRecord& record);
  bool send(const void* data, std::size_t size) const;

  std::uint64_t base_;
  std::uint64_t bytes_;
  std::uint64_t hold_;
  std::uint64_t windows_ = 0;
  std::uint64_t sequence_ = 0;
  int fd_ = -1;
};

}  // namespace rigd::sim::board
