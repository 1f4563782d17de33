#include "flashed_board.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace rigd::sim::adapter {

using namespace std::chrono_literals;

// QEMU's STM32 flash is read-only to its CPU: no loader in RAM (stm32f405.hpp).
const BoardType kMicrobit{"nrf51", "microbit", {"-f", "target/nrf51.cfg"}, "nrf51"};
const BoardType kNetduino{
    "stm32f405", "netduinoplus2", {"-c", "set WORKAREASIZE 0", "-f", "target/stm32f4x.cfg"}, "stm32f405"};

FlashedBoard::FlashedBoard(BoardType type, const std::vector<std::string>& faults) : type_(std::move(type)) {
  const auto listener = [this](std::string_view name) {
    return fmt::format("socket,id={0},path={1}/{0}.sock,server=on,wait=off", name, folder_.path());
  };
  qemu_ = std::make_unique<board::Program>(std::vector<std::string>{"qemu-system-arm",
                                                                    "-M",
                                                                    type_.machine,
                                                                    "-nodefaults",
                                                                    "-display",
                                                                    "none",
                                                                    "-S",
                                                                    "-icount",
                                                                    "shift=0,sleep=off",
                                                                    "-chardev",
                                                                    listener("uart"),
                                                                    "-serial",
                                                                    "chardev:uart",
                                                                    "-chardev",
                                                                    listener("gdb"),
                                                                    "-gdb",
                                                                    "chardev:gdb",
                                                                    "-chardev",
                                                                    listener("qtest"),
                                                                    "-qtest",
                                                                    "chardev:qtest",
                                                                    "-qtest-log",
                                                                    "none"});
  std::vector<std::string> adapter{RIGD_BIN "/rigd-sim-adapter",
                                   "--chip",
                                   type_.chip,
                                   "--serial",
                                   "RIGD1",
                                   "--usb",
                                   usb() + "/1-1",
                                   "--gdb",
                                   folder_ / "gdb.sock",
                                   "--qtest",
                                   folder_ / "qtest.sock",
                                   "--control",
                                   folder_ / "control.sock"};
  for (const std::string& fault : faults)
    adapter.insert(adapter.end(), {"--fault", fault});
  adapter_ = std::make_unique<board::Program>(adapter);
  EXPECT_TRUE(adapter_->wait_ready(Deadline::in(20s)));
  uart_ = board::connect_to(folder_ / "uart.sock");
}

Flashed FlashedBoard::flash(const std::string& image, Duration limit) {
  std::vector<std::string> command{"/usr/bin/env",
                                   "RIGD_VIRTUAL_USB=" + usb(),
                                   "LD_PRELOAD=" RIGD_BIN "/librigd-virtual-hid.so",
                                   "openocd",
                                   "-c",
                                   "gdb_port disabled; tcl_port disabled; telnet_port disabled",
                                   "-f",
                                   "interface/cmsis-dap.cfg",
                                   "-c",
                                   "transport select swd",
                                   "-c",
                                   "adapter serial RIGD1"};
  command.insert(command.end(), type_.openocd.begin(), type_.openocd.end());
  command.insert(command.end(), {"-c", fmt::format("program {}/{}_{}.elf verify reset exit", RIGD_IMAGES,
                                                   type_.image, image)});
  const TimePoint begin = Clock::now();
  board::Program openocd(command);
  board::Finished finished = openocd.wait_end(Deadline::in(limit));
  return {finished.status, std::move(finished.errors), Clock::now() - begin};
}

std::string FlashedBoard::uart(std::size_t bytes) {
  std::string text;
  const Deadline deadline = Deadline::in(5s);
  while (text.size() < bytes && board::wait_readable(uart_.get(), deadline)) {
    std::array<char, 256> chunk;
    const ssize_t size = ::recv(uart_.get(), chunk.data(), std::min(chunk.size(), bytes - text.size()), 0);
    if (size <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return text;
}

std::string FlashedBoard::control(const std::string& line) {
  const io::UniqueFd socket = board::connect_to(folder_ / "control.sock");
  const std::string request = line + "\n";
  ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  std::array<char, 256> answer;
  if (!board::wait_readable(socket.get(), Deadline::in(5s))) return "no answer";
  const ssize_t size = ::recv(socket.get(), answer.data(), answer.size(), 0);
  return std::string(answer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

bool FlashedBoard::qemu_runs() {
  return !board::wait_gone(qemu_->pid(), Deadline::in({}));
}

bool FlashedBoard::adapter_ends() {
  ::kill(adapter_->pid(), SIGTERM);
  return adapter_->wait_end(Deadline::in(5s)).status == 0;
}

}  // namespace rigd::sim::adapter
