// A client of QEMU's gdbstub: run control, registers and writes to read-only memory.
// Source: GDB manual, appendix "GDB Remote Serial Protocol".
//
// Any byte sent to QEMU's gdbstub stops a running CPU, so nothing is sent while it runs, acknowledges
// included.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "io/fd.hpp"

namespace rigd::sim::adapter {

class GdbClient {
 public:
  explicit GdbClient(io::UniqueFd socket) : socket_(std::move(socket)) {}

  // Asks for the register description, without which QEMU's stub answers no single-register packet. The CPU
  // is stopped afterwards.
  Result<void> start();
  bool alive() const { return alive_; }

  std::string command(std::string_view packet);  // its answer, empty if the stub is gone
  void send(std::string_view packet);            // for packets whose answer comes later
  void interrupt();
  // The answer of a resumed CPU that has stopped, if it has arrived.
  bool stop_reply_arrived();
  bool wait_for_stop();

  void write_memory(std::uint32_t address, std::span<const std::uint8_t> data);
  std::uint32_t read_register(unsigned number);
  void write_register(unsigned number, std::uint32_t value);
  void monitor(std::string_view text);  // a line of QEMU's monitor

 private:
  bool receive(std::string& packet, Deadline deadline);
  bool take_packet(std::string& packet);
  void lost(std::string_view why);

  io::UniqueFd socket_;
  std::string received_;
  bool alive_ = true;
};

}  // namespace rigd::sim::adapter
