// Serial ports, found by what they are (USB serial number and interface), never by their ttyACM number.
//
// libserialport lists and configures them; it knows neither interface numbers nor symbolic links (0.1.1), so
// those are resolved here through sysfs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/stream.hpp"

namespace rigd::io {

// What to do with a modem line on opening. Some boards reset on DTR, some adapters stay mute without it.
enum class ModemLine { off, on };

struct SerialSelector {
  std::string usb_serial;               // of the device; mandatory unless `device` is given
  std::optional<int> interface_number;  // bInterfaceNumber; where absent the device must have one port only
  std::string device;                   // instead: a path such as /dev/serial/by-id/..., links allowed
  unsigned baud = 115200;
  ModemLine dtr = ModemLine::on;
  ModemLine rts = ModemLine::on;
};

struct SerialPort {
  std::string name;        // "ttyACM0"
  std::string usb_serial;  // empty where it is no USB port
  int interface_number = -1;

  std::string text() const;  // "ttyACM0 (serial 9900..., interface 1)"
};

// The facts of the ports of these names, from `sysfs` (normally /sys). Names it does not know are left out.
std::vector<SerialPort> describe_ports(const std::vector<std::string>& names,
                                       const std::filesystem::path& sysfs = "/sys");

// Errors: bad_argument (a selector that selects nothing), port_missing, port_ambiguous, both naming the
// candidates.
Result<SerialPort> select_port(const std::vector<SerialPort>& ports, const SerialSelector& selector);

// Opens for rigd alone (TIOCEXCL and flock): 8N1, raw, no flow control. A port that is missing is waited for
// until the deadline, since devices come back a moment after a reset. Errors: those of select_port, busy
// (somebody else has it), io_failure.
Awaitable<Result<StreamPtr>> open_serial(SerialSelector selector, Deadline deadline);

}  // namespace rigd::io
