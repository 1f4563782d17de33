#include "qemu_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/common/unix_socket.hpp"

namespace rigd::sim::board {

namespace {

using namespace std::chrono_literals;

constexpr auto kLongest = 30s;
constexpr std::uint8_t kFinishPin = 1;

std::vector<std::string> command(const QemuRun& run, const std::string& socket) {
  const std::string port = run.machine == "microbit" ? "0x20003FF0" : "0x2001FFF0";
  const std::string plugin = fmt::format("{}/librigd-qemu-edges.so,core={},port={},pins=2,out={}{}", RIGD_BIN,
                                         run.core, port, socket, run.more);
  std::vector<std::string> argv{"qemu-system-arm",
                                "-M",
                                run.machine,
                                "-display",
                                "none",
                                "-monitor",
                                "none",
                                "-serial",
                                "none",
                                "-plugin",
                                plugin,
                                "-kernel",
                                fmt::format("{}/{}", RIGD_IMAGES, run.image)};
  if (run.icount) argv.insert(argv.end(), {"-icount", "shift=0,sleep=off"});
  return argv;
}

// The images end in an endless loop, so the stream does not end by itself.
std::vector<EdgeRecord> read_until_finished(int fd, Deadline deadline) {
  const IsLast finishes = [](const EdgeRecord& edge) { return edge.pin == kFinishPin; };
  std::vector<EdgeRecord> edges = read_edges(fd, finishes, deadline);
  if (!edges.empty() && finishes(edges.back())) return edges;
  ADD_FAILURE() << "the image did not finish; " << edges.size() << " edges came";
  return {};
}

}  // namespace

std::vector<EdgeRecord> run_edges(const QemuRun& run) {
  const Deadline deadline = Deadline::in(kLongest);
  const Folder folder;
  const auto listener = listen_unix(folder / "edges.sock");
  if (!listener) {
    ADD_FAILURE() << listener.error().text();
    return {};
  }
  const Program qemu(command(run, folder / "edges.sock"));
  if (!wait_readable(listener->get(), deadline)) {
    ADD_FAILURE() << "the plugin did not connect";
    return {};
  }
  const io::UniqueFd stream = accept_unix(listener->get());
  return read_until_finished(stream.get(), deadline);
}

std::vector<Window> run_windows(const QemuRun& run) {
  std::vector<Window> windows;
  EdgeRecord opened;
  for (const EdgeRecord& edge : run_edges(run)) {
    if (edge.pin != kMarkerPin) continue;
    if (edge.level == 1)
      opened = edge;
    else
      windows.push_back({edge.instructions - opened.instructions, edge.cycles - opened.cycles});
  }
  return windows;
}

}  // namespace rigd::sim::board
