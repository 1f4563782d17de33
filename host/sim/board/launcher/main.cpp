// rigd-sim-board: one simulated board. Starts QEMU with the edge plugin, the virtual debug adapter and the
// simulated PPK2 of one slot, hands the board's edges to whoever subscribes, and keeps them together.
//
// Prints `ready` when all sockets listen. Ends with 0 on SIGTERM or SIGINT, 2 on a wrong command line, 3 when
// the board crashed, 4 when a simulator did; the last line on standard error then says why. Whatever ends it,
// even SIGKILL, its programs end with it.
#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

#include "base/log.hpp"
#include "sim/board/launcher/options.hpp"
#include "sim/board/launcher/supervisor.hpp"

namespace rigd::sim::board {
namespace {

io::UniqueFd open_end_signal() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return io::UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

int run(std::span<char* const> arguments) {
  auto options = parse_options(arguments);
  if (!options) {
    fmt::print(stderr, "rigd-sim-board: {}\n{}", options.error().text(), kUsage);
    return kBadUsage;
  }
  Supervisor supervisor(std::move(*options), open_end_signal());
  const Verdict verdict = supervisor.run([] {
    std::puts("ready");
    std::fflush(stdout);
  });
  if (!verdict.reason.empty()) fmt::print(stderr, "{}\n", verdict.reason);
  return verdict.status;
}

}  // namespace
}  // namespace rigd::sim::board

int main(int argc, char** argv) {
  return rigd::sim::board::run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
}
