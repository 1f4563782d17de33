#include "programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace rigd::sim::board {

namespace {

using namespace std::chrono_literals;

template <std::size_t size>
bool receive(int fd, std::array<std::uint8_t, size>& bytes, Deadline deadline) {
  std::size_t got = 0;
  while (got < size && wait_readable(fd, deadline)) {
    const ssize_t count = ::recv(fd, bytes.data() + got, size - got, 0);
    if (count <= 0) return false;
    got += static_cast<std::size_t>(count);
  }
  return got == size;
}

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
  EdgeHeaderBytes header;
  EXPECT_TRUE(receive(fd, header, deadline) && is_edge_header(header));
  EdgeRecordBytes bytes;
  while (receive(fd, bytes, deadline)) {
    const auto edge = decode_edge(bytes);
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
