// The USB devices of this machine as the kernel lists them: one folder a device, one small text file a
// property. A folder of the same shape stands in for it where adapters are simulated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace rigd::io {

inline constexpr const char* kUsbRoot = "/sys/bus/usb/devices";

struct UsbDevice {
  std::filesystem::path path;  // its folder
  std::uint16_t vendor = 0;
  std::uint16_t product = 0;
  std::string serial;  // empty where the device has none
  std::string manufacturer;
  std::string name;  // the file `product`

  std::string text() const;  // "0d28:0204 serial 9900... (BBC micro:bit)"
};

// In order of path. A root that does not exist has no devices. Folders that are no devices (USB interfaces)
// and files longer than a USB string can be are passed over. Error: io_failure (the root cannot be read).
Result<std::vector<UsbDevice>> list_usb_devices(const std::filesystem::path& root = kUsbRoot);

}  // namespace rigd::io
