// rigd-sim-ppk2: a simulated PPK2 that samples the current of a simulated board.
//
// Prints `ready` when everything listens, ends with status 0 on SIGTERM.
#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>

#include "base/log.hpp"
#include "sim/ppk2/server.hpp"

namespace rigd::sim::ppk2 {
namespace {

constexpr std::string_view kUsage =
    "usage: rigd-sim-ppk2 --listen SOCKET --edges SOCKET [--seed N] [--set KEY=VALUE]... [--fault "
    "KEY=VALUE]...\n"
    "                     [--truth FILE]\n"
    "settings: clock_hz sleep_ua run_ua noise_ua voltage_mv dither=0|1 power_off_ms unit=A|B|D "
    "format=2020|1.1|1.2\n"
    "faults:   chunk=N[,N...] stale_prefix=N rate_ppm=X counter_stuck=V "
    "metadata=implausible|truncated|nan|late\n"
    "          drop_samples=K@INDEX drop_block=INDEX drop_bytes=B@INDEX disconnect_at=INDEX "
    "range_invalid=N@INDEX\n"
    "          drop_in_window=K@W drop_block_in_window=W drop_bytes_in_window=B@W disconnect_in_window=W\n"
    "INDEX counts samples since the start command, W marker windows since the first one; both from 0.\n";

struct Options {
  Settings settings;
  Faults faults;
  Paths paths;
};

Result<void> take(Options& options, std::string_view name, std::string_view value) {
  if (name == "--listen") {
    options.paths.listen = value;
  } else if (name == "--edges") {
    options.paths.edges = value;
  } else if (name == "--truth") {
    options.paths.truth = value;
  } else if (name == "--set") {
    return options.settings.set(value);
  } else if (name == "--fault") {
    return options.faults.set(value);
  } else if (name == "--seed") {
    const auto [end, status] =
        std::from_chars(value.data(), value.data() + value.size(), options.settings.seed);
    if (status != std::errc() || end != value.data() + value.size())
      return fail(ErrorCode::bad_argument, fmt::format("'{}' is no seed", value));
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("unknown option {}", name));
  }
  return {};
}

Result<Options> parse(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 == arguments.size())
      return fail(ErrorCode::bad_argument, fmt::format("{} needs a value", arguments[i]));
    RIGD_CHECK(take(options, arguments[i], arguments[i + 1]));
  }
  if (options.paths.listen.empty() || options.paths.edges.empty())
    return fail(ErrorCode::bad_argument, "--listen and --edges are needed");
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

Result<void> serve(const Options& options, int stop) {
  Device device(options.settings, options.faults);
  Server server(options.paths, device);
  RIGD_CHECK(server.start());
  std::puts("ready");
  std::fflush(stdout);
  server.run(stop);
  return {};
}

}  // namespace
}  // namespace rigd::sim::ppk2

int main(int count, char** arguments) {
  using namespace rigd;
  using namespace rigd::sim::ppk2;
  const io::UniqueFd stop = end_signal();
  const auto options = parse(std::span(arguments + 1, static_cast<std::size_t>(count > 0 ? count - 1 : 0)));
  if (!options) {
    fmt::print(stderr, "rigd-sim-ppk2: {}\n{}", options.error().text(), kUsage);
    return static_cast<int>(Fault::usage);
  }
  if (const auto served = serve(*options, stop.get()); !served) {
    log::error("rigd-sim-ppk2: {}", served.error().text());
    return static_cast<int>(served.error().fault());
  }
  return 0;
}
