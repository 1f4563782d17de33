// A client of QEMU's qtest socket: memory and peripherals of a machine, live, while its CPU runs or not.
// Source: QEMU, softmmu/qtest.c, "Test protocol". Its writes do not reach read-only memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/fd.hpp"

namespace rigd::sim::adapter {

class QtestClient {
 public:
  explicit QtestClient(io::UniqueFd socket) : socket_(std::move(socket)) {}

  bool alive() const { return alive_; }

  std::uint32_t read(std::uint32_t address, unsigned bytes);
  std::vector<std::uint8_t> read_block(std::uint32_t address, std::uint32_t size);
  // Queued; the order is kept. A read sends what is queued first.
  void write(std::uint32_t address, unsigned bytes, std::uint32_t value);
  void post();   // sends what is queued
  void flush();  // and waits until it has been carried out

 private:
  std::string command(std::string_view line);
  std::string receive_line();
  void lost(std::string_view why);

  io::UniqueFd socket_;
  std::string received_;
  std::string queued_;
  unsigned queued_lines_ = 0;
  unsigned unanswered_ = 0;
  bool alive_ = true;
};

}  // namespace rigd::sim::adapter
