#include "sim/adapter/qemu_link.hpp"

#include <fmt/format.h>

#include <thread>

#include "sim/adapter/socket_io.hpp"

namespace rigd::sim::adapter {
namespace {

// Numbers of QEMU's arm-m-profile.xml.
unsigned gdb_number(unsigned number) {
  return number == kXpsr ? 25 : number;
}

}  // namespace

Result<std::unique_ptr<QemuLink>> QemuLink::connect(const std::string& gdb_socket,
                                                    const std::string& qtest_socket, Deadline deadline) {
  RIGD_TRY(io::UniqueFd gdb, connect_unix(gdb_socket, deadline));
  RIGD_TRY(io::UniqueFd qtest, connect_unix(qtest_socket, deadline));
  std::unique_ptr<QemuLink> link(new QemuLink(std::move(gdb), std::move(qtest)));
  RIGD_CHECK(link->gdb_.start());
  return link;
}

// What was written before through the other socket must have arrived: each of these flushes it.
void QemuLink::write_rom(std::uint32_t address, std::span<const std::uint8_t> data) {
  qtest_.flush();
  gdb_.write_memory(address, data);
}

std::uint32_t QemuLink::read_register(unsigned number) {
  return gdb_.read_register(gdb_number(number));
}

void QemuLink::write_register(unsigned number, std::uint32_t value) {
  gdb_.write_register(gdb_number(number), value);
}

// Kind 1 is a hardware breakpoint; QEMU sets it without changing memory. Length 2: Thumb.
void QemuLink::set_breakpoint(std::uint32_t address) {
  gdb_.command(fmt::format("Z1,{:x},2", address));
}
void QemuLink::clear_breakpoint(std::uint32_t address) {
  gdb_.command(fmt::format("z1,{:x},2", address));
}

void QemuLink::step() {
  qtest_.flush();
  gdb_.command("s");
}

void QemuLink::resume() {
  qtest_.flush();
  gdb_.send("c");
  running_ = true;
}

void QemuLink::halt() {
  if (!running_) return;
  qtest_.flush();
  gdb_.interrupt();
  gdb_.wait_for_stop();
  running_ = false;
}

bool QemuLink::stopped() {
  if (!running_ || !gdb_.stop_reply_arrived()) return false;
  running_ = false;
  return true;
}

// The monitor only requests the reset; it has happened when a register that we spoilt is clean again.
void QemuLink::reset() {
  constexpr unsigned kWitness = 12;
  constexpr std::uint32_t kSpoilt = 0x5EED5EED;
  halt();
  qtest_.flush();
  gdb_.write_register(kWitness, kSpoilt);
  gdb_.monitor("system_reset");
  const Deadline deadline = Deadline::in(std::chrono::seconds(10));
  while (gdb_.alive() && gdb_.read_register(kWitness) == kSpoilt && !deadline.passed()) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace rigd::sim::adapter
