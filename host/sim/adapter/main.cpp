// rigd-sim-adapter: a virtual CMSIS-DAP adapter wired to a chip whose CPU runs in QEMU.
//
// Prints `ready` when everything listens, ends with status 0 on SIGTERM.
#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "base/result.hpp"
#include "sim/adapter/cmsis_dap.hpp"
#include "sim/adapter/cortex_m.hpp"
#include "sim/adapter/dap.hpp"
#include "sim/adapter/faults.hpp"
#include "sim/adapter/nrf51.hpp"
#include "sim/adapter/qemu_link.hpp"
#include "sim/adapter/server.hpp"
#include "sim/adapter/stm32f405.hpp"

namespace rigd::sim::adapter {
namespace {

constexpr std::string_view kUsage =
    "usage: rigd-sim-adapter --chip nrf51|stm32f405 --serial TEXT --usb ROOT/DEVICE --gdb SOCKET --qtest "
    "SOCKET\n"
    "                        [--control SOCKET] [--fault KEY=VALUE]...\n"
    "faults: missing duplicate unpowered write_protected nohalt wrong_dpidr (0 or 1),\n"
    "        hang_after=PACKETS disconnect_after=PACKETS stuck_bit=OFFSET\n";

struct Options {
  std::string chip;
  std::string serial;
  std::string gdb;
  std::string qtest;
  ServerPaths paths;
  Faults faults;
};

Result<void> take(Options& options, std::string_view name, std::string_view value) {
  if (name == "--chip") {
    options.chip = value;
  } else if (name == "--serial") {
    options.serial = value;
  } else if (name == "--usb") {
    options.paths.usb_folder = value;
  } else if (name == "--gdb") {
    options.gdb = value;
  } else if (name == "--qtest") {
    options.qtest = value;
  } else if (name == "--control") {
    options.paths.control = value;
  } else if (name == "--fault") {
    return options.faults.set(value);
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("unknown option {}", name));
  }
  return {};
}

Result<Options> parse(std::span<char*> arguments) {
  constexpr std::size_t longest_serial = 60;  // it must fit a DAP_Info answer of the smallest packet
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 == arguments.size())
      return fail(ErrorCode::bad_argument, fmt::format("{} needs a value", arguments[i]));
    RIGD_CHECK(take(options, arguments[i], arguments[i + 1]));
  }
  if (options.chip != "nrf51" && options.chip != "stm32f405") {
    return fail(ErrorCode::bad_argument, "--chip is nrf51 or stm32f405");
  }
  if (options.serial.empty() || options.serial.size() > longest_serial) {
    return fail(ErrorCode::bad_argument, fmt::format("--serial has 1 to {} characters", longest_serial));
  }
  if (options.paths.usb_folder.filename().empty() || options.gdb.empty() || options.qtest.empty()) {
    return fail(ErrorCode::bad_argument, "--usb, --gdb and --qtest are needed");
  }
  return options;
}

// Readable once the program is asked to end.
io::UniqueFd end_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return io::UniqueFd(signalfd(-1, &signals, SFD_CLOEXEC));
}

std::unique_ptr<Chip> make_chip(const Options& options, Simulator& simulator) {
  if (options.chip == "nrf51") return std::make_unique<Nrf51>(simulator, options.faults);
  return std::make_unique<Stm32f405>(simulator, options.faults);
}

Result<void> serve(Options& options, const io::UniqueFd& stop) {
  RIGD_TRY(const auto simulator,
           QemuLink::connect(options.gdb, options.qtest, Deadline::in(std::chrono::seconds(10))));
  const std::unique_ptr<Chip> chip = make_chip(options, *simulator);
  CortexM core(*chip, *simulator, options.faults);
  Dap dap(chip->core().dap, core, options.faults);
  CmsisDap engine(dap, options.serial);
  Server server(options.paths, options.serial, engine, core, *simulator, options.faults);
  core.power_on();
  RIGD_CHECK(server.start());
  std::puts("ready");
  std::fflush(stdout);
  server.run(stop);
  return {};
}

}  // namespace
}  // namespace rigd::sim::adapter

int main(int count, char** arguments) {
  using namespace rigd;
  using namespace rigd::sim::adapter;
  const io::UniqueFd stop = end_signal();
  auto options = parse(std::span(arguments + 1, static_cast<std::size_t>(count > 0 ? count - 1 : 0)));
  if (!options) {
    fmt::print(stderr, "rigd-sim-adapter: {}\n{}", options.error().text(), kUsage);
    return static_cast<int>(Fault::usage);
  }
  if (const auto served = serve(*options, stop); !served) {
    log::error("rigd-sim-adapter: {}", served.error().text());
    return static_cast<int>(served.error().fault());
  }
  return 0;
}
