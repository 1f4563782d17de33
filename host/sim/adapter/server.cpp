#include "sim/adapter/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/log.hpp"
#include "sim/adapter/socket_io.hpp"
#include "sim/common/unix_socket.hpp"

namespace rigd::sim::adapter {
namespace {

constexpr std::size_t kLongestReport = 1024;  // bytes of a high-speed HID report
constexpr std::size_t kMostControlClients = 8;
constexpr std::size_t kLongestControlLine = 256;
constexpr auto kSendTime = std::chrono::seconds(1);
constexpr auto kBusyWait = std::chrono::microseconds(100);
constexpr auto kLongAbsence = std::chrono::microseconds(300);
constexpr unsigned kPatientPackets = 10000;
constexpr unsigned kPacketsInARow = 256;  // then the other sockets get a look
constexpr int kQuietMs = 2;               // after which a requested run starts (CortexM::settle)
constexpr short kEnded = POLLHUP | POLLERR | POLLNVAL;

Duration give_way() {
  const TimePoint begin = Clock::now();
  ::sched_yield();
  return Clock::now() - begin;
}

}  // namespace

Server::Server(ServerPaths paths, std::string serial, CmsisDap& engine, CortexM& core, Simulator& simulator,
               Faults& faults)
    : paths_(std::move(paths)),
      serial_(std::move(serial)),
      engine_(engine),
      core_(core),
      simulator_(simulator),
      faults_(faults) {}

Result<void> Server::start() {
  if (paths_.control) {
    RIGD_TRY(control_listener_, listen_unix(paths_.control->native()));
  }
  return plug();
}

// Makes the folders on the virtual USB agree with the faults.
Result<void> Server::plug() {
  const std::size_t wanted = faults_.missing || pulled_out_ ? 0 : faults_.duplicate ? 2 : 1;
  if (devices_.size() == wanted) return {};
  unplug();
  while (devices_.size() < wanted) {
    std::filesystem::path folder = paths_.usb_folder;
    if (!devices_.empty()) folder += "-twin";
    RIGD_TRY(UsbFolder device, UsbFolder::plug_in(folder, serial_));
    devices_.push_back(std::move(device));
  }
  return {};
}

void Server::unplug() {
  drop_debugger();
  devices_.clear();
}

void Server::run(const io::UniqueFd& stop) {
  for (;;) {
    std::vector<pollfd> waits{{.fd = stop.get(), .events = POLLIN, .revents = 0},
                              {.fd = debugger_.get(), .events = POLLIN, .revents = 0},
                              {.fd = control_listener_.get(), .events = POLLIN, .revents = 0}};
    constexpr std::size_t fixed = 3;
    const std::size_t devices = devices_.size();
    for (const UsbFolder& device : devices_)
      waits.push_back({device.listener().get(), POLLIN, 0});
    for (const ControlClient& client : control_clients_)
      waits.push_back({client.socket.get(), POLLIN, 0});

    const int ready = ::poll(waits.data(), waits.size(), core_.run_pending() ? kQuietMs : -1);
    if (ready < 0 && errno != EINTR) return;
    if (ready <= 0) {
      core_.settle();
      continue;
    }
    if (waits[0].revents != 0) return;
    if (waits[1].revents != 0) serve_debugger();
    for (std::size_t i = 0; i < devices && i < devices_.size(); ++i) {
      if (waits[fixed + i].revents != 0) accept_debugger(devices_[i].listener());
    }
    std::size_t at = fixed + devices;
    std::erase_if(control_clients_,
                  [&](ControlClient& client) { return waits[at++].revents != 0 && !serve_control(client); });
    if (waits[2].revents != 0) accept_control();
  }
}

void Server::accept_debugger(const io::UniqueFd& listener) {
  io::UniqueFd client = accept_unix(listener.get());
  if (debugger_ && debugger_is_gone()) drop_debugger();
  if (!client || debugger_) return;  // busy: closing the socket refuses it
  // A receive that sleeps does so as long as the loop may be left alone.
  const timeval quiet{.tv_sec = 0, .tv_usec = kQuietMs * 1000};
  ::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof quiet);
  ::fcntl(client.get(), F_SETFL, 0);
  debugger_ = std::move(client);
  packets_ = 0;
  patient_packets_ = 0;
}

bool Server::debugger_is_gone() const {
  pollfd wait{.fd = debugger_.get(), .events = 0, .revents = 0};
  return ::poll(&wait, 1, 0) > 0 && (wait.revents & kEnded) != 0;
}

// The chip stays as it is, except that a run the debugger asked for begins.
void Server::drop_debugger() {
  if (!debugger_) return;
  debugger_.reset();
  core_.settle();
}

// A debugger's next packet follows its answer closely. As long as it does, waiting for it without sleeping
// saves waking the processor, which would take most of the time. While others compete for the processor it
// would cost time instead: a program that sleeps is then preferred to one that never does.
void Server::serve_debugger() {
  TimePoint last = Clock::now();
  for (unsigned packets = 0; packets < kPacketsInARow;) {
    std::array<std::uint8_t, kLongestReport> report;
    const int sleep = patient_packets_ > 0 ? 0 : MSG_DONTWAIT;
    const ssize_t size = ::recv(debugger_.get(), report.data(), report.size(), sleep);
    if (size > 0) {
      if (!serve_packet(std::span(report).first(static_cast<std::size_t>(size)))) return;
      last = Clock::now();
      ++packets;
      if (patient_packets_ > 0) --patient_packets_;
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      return drop_debugger();
    } else if (patient_packets_ > 0 || Clock::now() - last > kBusyWait) {
      return;
    } else if (give_way() > kLongAbsence) {
      patient_packets_ = kPatientPackets;
    }
  }
}

// False when the debugger was dropped.
bool Server::serve_packet(std::span<const std::uint8_t> packet) {
  ++packets_;
  if (faults_.disconnect_after && packets_ > *faults_.disconnect_after) {
    pulled_out_ = true;
    unplug();
    return false;
  }
  if (faults_.hang_after && packets_ > *faults_.hang_after) return true;
  const std::vector<std::uint8_t> answer = engine_.handle(packet);
  simulator_.flush();
  if (answer.empty()) return true;
  const ssize_t sent = ::send(debugger_.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(answer.size())) return true;
  drop_debugger();
  return false;
}

void Server::accept_control() {
  io::UniqueFd client = accept_unix(control_listener_.get());
  if (client && control_clients_.size() < kMostControlClients) {
    control_clients_.push_back({.socket = std::move(client), .received = {}});
  }
}

bool Server::serve_control(ControlClient& client) {
  if (!receive_some(client.socket.get(), client.received, Deadline::in({}))) return false;
  for (std::size_t end; (end = client.received.find('\n')) != std::string::npos;) {
    const std::string line = client.received.substr(0, end);
    client.received.erase(0, end + 1);
    if (!send_all(client.socket.get(), obey(line) + "\n", Deadline::in(kSendTime))) return false;
  }
  return client.received.size() <= kLongestControlLine;
}

// "fault key=value" or "clear"; the answer is "ok" or "error: ...".
std::string Server::obey(std::string_view line) {
  constexpr std::string_view set_fault = "fault ";
  if (line == "clear") {
    faults_ = Faults{};
    pulled_out_ = false;
  } else if (line.starts_with(set_fault)) {
    if (const auto set = faults_.set(line.substr(set_fault.size())); !set)
      return "error: " + set.error().text();
  } else {
    return "error: expected 'fault key=value' or 'clear'";
  }
  if (const auto plugged = plug(); !plugged) {
    log::error("{}", plugged.error().text());
    return "error: " + plugged.error().text();
  }
  return "ok";
}

}  // namespace rigd::sim::adapter
