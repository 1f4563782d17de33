#include "sim/board/plugin/edge_port.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace rigd::sim::board {

bool EdgePort::connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0 || ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return false;
  const EdgeHeaderBytes header = edge_header();
  return send(header.data(), header.size());
}

void EdgePort::store(std::uint64_t address, const Totals& totals) {
  const std::uint64_t offset = address - base_;
  const EdgeRecord record{.sequence = sequence_++,
                          .instructions = totals.instructions,
                          .cycles = totals.cycles,
                          .pin = static_cast<std::uint8_t>(offset / 8),
                          .level = static_cast<std::uint8_t>(offset / 4 % 2)};
  const EdgeRecordBytes bytes = encode_edge(record);
  if (!send(bytes.data(), bytes.size())) {
    std::fprintf(stderr, "librigd-qemu-edges: edge stream: %s; the simulator ends\n", std::strerror(errno));
    ::_exit(1);  // on QEMU's CPU thread: exit() would run its atexit handlers under its locks
  }
  count_window(record);
}

void EdgePort::count_window(const EdgeRecord& record) {
  if (hold_ == 0 || record.pin != kMarkerPin || record.level == 0) return;
  if (++windows_ < hold_) return;
  for (;;)
    ::pause();
}

// The socket blocks: a hub that is behind slows the board down instead of losing edges.
bool EdgePort::send(const void* data, std::size_t size) const {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(fd_, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace rigd::sim::board
