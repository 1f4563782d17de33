#include "programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

namespace rigd::sim::board {

namespace {

using namespace std::chrono_literals;

// Takes many edges at a time: a reader that is slower than the board would be dropped by the hub.
class EdgeReader {
 public:
  EdgeReader(int fd, Deadline deadline) : fd_(fd), deadline_(deadline) {}

  template <std::size_t size>
  std::optional<std::array<std::uint8_t, size>> next() {
    while (held_ - at_ < size)
      if (!refill()) return std::nullopt;
    std::array<std::uint8_t, size> bytes;
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), size, bytes.begin());
    at_ += size;
    return bytes;
  }

 private:
  bool refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(held_), buffer_.begin());
    held_ -= std::exchange(at_, 0);
    if (!wait_readable(fd_, deadline_)) return false;
    const ssize_t count = ::recv(fd_, buffer_.data() + held_, buffer_.size() - held_, 0);
    if (count > 0) held_ += static_cast<std::size_t>(count);
    return count > 0;
  }

  int fd_;
  Deadline deadline_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(1 << 20);
  std::size_t at_ = 0;
  std::size_t held_ = 0;
};

// State and parent stand behind the command's name, which may contain anything.
char state_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end == text.npos ? 'X' : text[name_end + 2];
}

}  // namespace

Folder::Folder() {
  std::string name = "/tmp/rigd-board-XXXXXX";
  path_ = ::mkdtemp(name.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::operator/(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Finished run_program(const std::vector<std::string>& command) {
  Program program(command);
  return program.wait_end(Deadline::in(30s));
}

Program::Program(const std::vector<std::string>& command) {
  auto spawned = io::spawn_child(command, {}, "");
  if (spawned)
    spawned_ = std::move(*spawned);
  else
    ADD_FAILURE() << spawned.error().text();
}

Program::~Program() {
  if (!reaped_ && spawned_.pid > 0) kill_and_reap(spawned_.pid);
}

bool Program::wait_ready(Deadline deadline) {
  std::string text;
  std::array<char, 256> bytes;
  while (text != "ready\n" && wait_readable(spawned_.out.get(), deadline)) {
    const ssize_t count = ::read(spawned_.out.get(), bytes.data(), bytes.size());
    if (count <= 0) return false;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text == "ready\n";
}

Finished Program::wait_end(Deadline deadline) {
  Finished finished;
  std::array<char, 4096> bytes;
  while (wait_readable(spawned_.err.get(), deadline)) {
    const ssize_t count = ::read(spawned_.err.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    finished.errors.append(bytes.data(), static_cast<std::size_t>(count));
  }
  if (!wait_readable(spawned_.pidfd.get(), deadline)) return finished;
  int status = 0;
  ::waitpid(spawned_.pid, &status, 0);
  reaped_ = true;
  if (WIFEXITED(status)) finished.status = WEXITSTATUS(status);
  return finished;
}

std::vector<pid_t> Program::children() const {
  std::ifstream file(fmt::format("/proc/{}/task/{}/children", pid(), pid()));
  std::vector<pid_t> all;
  for (pid_t child = 0; file >> child;)
    all.push_back(child);
  return all;
}

void kill_and_reap(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

bool wait_gone(pid_t pid, Deadline deadline) {
  for (;;) {
    const char state = state_of(pid);
    if (state == 'X' || state == 'Z') return true;
    if (deadline.passed()) return false;
    std::this_thread::sleep_for(5ms);
  }
}

io::UniqueFd connect_to(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.data(), socket.size());
  io::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    ADD_FAILURE() << socket << ": " << std::strerror(errno);
  return fd;
}

bool wait_readable(int fd, Deadline deadline) {
  pollfd wanted{fd, POLLIN, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left());
  return ::poll(&wanted, 1, static_cast<int>(left.count())) > 0;
}

std::vector<EdgeRecord> read_edges(int fd, const IsLast& is_last, Deadline deadline) {
  std::vector<EdgeRecord> edges;
  EdgeReader reader(fd, deadline);
  const auto header = reader.next<kEdgeHeaderSize>();
  EXPECT_TRUE(header && is_edge_header(*header));
  while (const auto bytes = reader.next<kEdgeRecordSize>()) {
    const auto edge = decode_edge(*bytes);
    if (!edge) {
      ADD_FAILURE() << "edge " << edges.size() << " is garbled";
      break;
    }
    edges.push_back(*edge);
    if (is_last(*edge)) break;
  }
  return edges;
}

}  // namespace rigd::sim::board
