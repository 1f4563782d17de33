// QEMU as the simulator: its gdbstub for run control, registers and read-only memory, its qtest socket for
// everything that must not stop the CPU. Written against QEMU 7.2.
#pragma once

#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "sim/adapter/gdb_client.hpp"
#include "sim/adapter/qtest_client.hpp"
#include "sim/adapter/simulator.hpp"

namespace rigd::sim::adapter {

class QemuLink final : public Simulator {
 public:
  // The CPU is stopped afterwards, whatever it did before.
  static Result<std::unique_ptr<QemuLink>> connect(const std::string& gdb_socket,
                                                   const std::string& qtest_socket, Deadline deadline);

  bool alive() const override { return gdb_.alive() && qtest_.alive(); }
  std::uint32_t read(std::uint32_t address, unsigned bytes) override { return qtest_.read(address, bytes); }
  void write(std::uint32_t address, unsigned bytes, std::uint32_t value) override {
    qtest_.write(address, bytes, value);
  }
  void flush() override { qtest_.post(); }
  std::vector<std::uint8_t> read_block(std::uint32_t address, std::uint32_t size) override {
    return qtest_.read_block(address, size);
  }
  void write_rom(std::uint32_t address, std::span<const std::uint8_t> data) override;
  std::uint32_t read_register(unsigned number) override;
  void write_register(unsigned number, std::uint32_t value) override;
  void set_breakpoint(std::uint32_t address) override;
  void clear_breakpoint(std::uint32_t address) override;
  void step() override;
  void resume() override;
  void halt() override;
  bool stopped() override;
  void reset() override;

 private:
  QemuLink(io::UniqueFd gdb, io::UniqueFd qtest) : gdb_(std::move(gdb)), qtest_(std::move(qtest)) {}

  GdbClient gdb_;
  QtestClient qtest_;
  bool running_ = false;
};

}  // namespace rigd::sim::adapter
