#include "io/serial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libserialport.h>
#include <sys/file.h>
#include <sys/ioctl.h>

#include <boost/asio/this_coro.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "io/fd.hpp"
#include "io/fd_stream.hpp"
#include "io/file.hpp"
#include "io/timer.hpp"

namespace rigd::io {

namespace {

using namespace std::chrono_literals;

constexpr auto kLookAgainAfter = 50ms;
constexpr int kMostParents = 8;  // from a tty up to its USB device

struct FreePort {
  void operator()(sp_port* port) const { sp_free_port(port); }
};
using PortHandle = std::unique_ptr<sp_port, FreePort>;

std::string last_library_error() {
  const std::unique_ptr<char, decltype(&sp_free_error_message)> text(sp_last_error_message(),
                                                                     sp_free_error_message);
  return text ? text.get() : "failed";
}

std::unexpected<Error> failure(const std::string& name, std::string_view what) {
  return fail(ErrorCode::io_failure, fmt::format("{}: {}", name, what));
}

Result<std::vector<std::string>> port_names() {
  sp_port** ports = nullptr;
  if (sp_list_ports(&ports) != SP_OK) return failure("serial ports", last_library_error());
  const std::unique_ptr<sp_port*, decltype(&sp_free_port_list)> list(ports, sp_free_port_list);
  std::vector<std::string> names;
  for (std::size_t i = 0; ports[i] != nullptr; ++i)
    names.push_back(std::filesystem::path(sp_get_port_name(ports[i])).filename());
  return names;
}

int interface_number_of(const std::filesystem::path& folder) {
  const auto text = read_property(folder / "bInterfaceNumber");
  int value = -1;
  if (text) std::from_chars(text->data(), text->data() + text->size(), value, 16);
  return value;
}

// Walks from the tty's device up to the USB device. On the way lies the interface: directly for CDC-ACM,
// above the port's own folder for USB serial converters.
std::optional<SerialPort> describe(const std::string& name, const std::filesystem::path& sysfs) {
  std::error_code error;
  auto folder = std::filesystem::canonical(sysfs / "class/tty" / name / "device", error);
  if (error) return std::nullopt;
  SerialPort port;
  port.name = name;
  for (int i = 0; i < kMostParents && folder.has_relative_path(); ++i, folder = folder.parent_path()) {
    if (port.interface_number < 0) port.interface_number = interface_number_of(folder);
    if (read_property(folder / "idVendor")) {
      port.usb_serial = read_property(folder / "serial").value_or("");
      break;
    }
  }
  return port;
}

bool matches(const SerialPort& port, const SerialSelector& selector) {
  return port.usb_serial == selector.usb_serial &&
         (!selector.interface_number || *selector.interface_number == port.interface_number);
}

std::string names_of(const std::vector<SerialPort>& ports) {
  std::string text;
  for (const SerialPort& port : ports)
    text += (text.empty() ? "" : ", ") + port.text();
  return text.empty() ? "none" : text;
}

// A device given by path: its links resolved, since libserialport takes none.
Result<std::string> resolve(const std::string& device) {
  std::error_code error;
  const auto path = std::filesystem::canonical(device, error);
  if (error) return fail(ErrorCode::port_missing, fmt::format("{}: {}", device, error.message()));
  return path.string();
}

Result<std::string> find_device(const SerialSelector& selector) {
  if (!selector.device.empty()) return resolve(selector.device);
  RIGD_TRY(const auto names, port_names());
  RIGD_TRY(const SerialPort port, select_port(describe_ports(names), selector));
  return "/dev/" + port.name;
}

Result<void> configure(sp_port* port, const std::string& name, const SerialSelector& selector) {
  const bool done = sp_set_baudrate(port, static_cast<int>(selector.baud)) == SP_OK &&  //
                    sp_set_bits(port, 8) == SP_OK && sp_set_parity(port, SP_PARITY_NONE) == SP_OK &&
                    sp_set_stopbits(port, 1) == SP_OK &&
                    sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) == SP_OK &&
                    sp_set_dtr(port, selector.dtr == ModemLine::on ? SP_DTR_ON : SP_DTR_OFF) == SP_OK &&
                    sp_set_rts(port, selector.rts == ModemLine::on ? SP_RTS_ON : SP_RTS_OFF) == SP_OK &&
                    sp_flush(port, SP_BUF_BOTH) == SP_OK;
  if (!done) return failure(name, last_library_error());
  return {};
}

Result<void> take_for_us_alone(int fd, const std::string& name) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorCode::busy, fmt::format("{}: locked by another program", name));
  if (::ioctl(fd, TIOCEXCL) != 0) return failure(name, std::strerror(errno));
  return {};
}

Result<UniqueFd> open_device(const std::string& name, const SerialSelector& selector) {
  sp_port* raw = nullptr;
  if (sp_get_port_by_name(name.c_str(), &raw) != SP_OK)
    return fail(ErrorCode::port_missing, fmt::format("{}: {}", name, last_library_error()));
  const PortHandle port(raw);
  if (sp_open(port.get(), SP_MODE_READ_WRITE) != SP_OK) {
    const int error = sp_last_error_code();
    if (error == EBUSY) return fail(ErrorCode::busy, fmt::format("{}: open in another program", name));
    if (error == ENOENT || error == ENODEV || error == ENXIO)
      return fail(ErrorCode::port_missing, fmt::format("{}: {}", name, std::strerror(error)));
    return failure(name, last_library_error());
  }
  // The stream gets a descriptor of its own; libserialport closes the one it opened. Lock and exclusivity
  // stay: they belong to the open file, not to the descriptor.
  int handle = -1;
  sp_get_port_handle(port.get(), &handle);
  UniqueFd fd(::fcntl(handle, F_DUPFD_CLOEXEC, 3));
  const int error = errno;
  Result<void> ready = fd ? take_for_us_alone(fd.get(), name) : failure(name, std::strerror(error));
  if (ready) ready = configure(port.get(), name, selector);
  sp_close(port.get());
  if (!ready) return std::unexpected(std::move(ready.error()));
  return fd;
}

}  // namespace

std::string SerialPort::text() const {
  if (usb_serial.empty()) return name;
  return fmt::format("{} (serial {}, interface {})", name, usb_serial, interface_number);
}

std::vector<SerialPort> describe_ports(const std::vector<std::string>& names,
                                       const std::filesystem::path& sysfs) {
  std::vector<SerialPort> ports;
  for (const std::string& name : names)
    if (auto port = describe(name, sysfs)) ports.push_back(std::move(*port));
  return ports;
}

Result<SerialPort> select_port(const std::vector<SerialPort>& ports, const SerialSelector& selector) {
  if (selector.usb_serial.empty())
    return fail(ErrorCode::bad_argument,
                "a serial port is chosen by its USB serial number, and none is given");
  std::vector<SerialPort> chosen;
  for (const SerialPort& port : ports)
    if (matches(port, selector)) chosen.push_back(port);
  if (chosen.size() == 1) return chosen.front();
  const std::string wanted =
      selector.interface_number
          ? fmt::format("USB serial number {}, interface {}", selector.usb_serial, *selector.interface_number)
          : fmt::format("USB serial number {}", selector.usb_serial);
  if (chosen.empty())
    return fail(ErrorCode::port_missing,
                fmt::format("no serial port with {}; there are: {}", wanted, names_of(ports)));
  return fail(ErrorCode::port_ambiguous,
              fmt::format("{} serial ports with {}: {}", chosen.size(), wanted, names_of(chosen)));
}

Awaitable<Result<StreamPtr>> open_serial(SerialSelector selector, Deadline deadline) {
  auto executor = co_await boost::asio::this_coro::executor;
  for (;;) {
    auto device = find_device(selector);
    auto fd = device ? open_device(*device, selector) : Result<UniqueFd>(std::unexpected(device.error()));
    if (fd) co_return make_fd_stream(executor, std::move(*fd), *device);
    if (fd.error().code() != ErrorCode::port_missing || deadline.passed())
      co_return std::unexpected(fd.error());
    const Deadline next = Deadline::in(kLookAgainAfter).earlier(deadline);
    co_await sleep_until(next);
  }
}

}  // namespace rigd::io
