// One device of the virtual USB: a folder as under /sys/bus/usb/devices with the texts that identify the
// adapter, and `hid.sock`, a listening SOCK_SEQPACKET socket that carries one HID report a packet.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.hpp"
#include "io/fd.hpp"

namespace rigd::sim::adapter {

class UsbFolder {
 public:
  // Appears under its name only when complete. What a killed predecessor left there is replaced.
  static Result<UsbFolder> plug_in(const std::filesystem::path& folder, std::string_view serial);

  UsbFolder(UsbFolder&&) noexcept = default;
  UsbFolder& operator=(UsbFolder&&) noexcept = default;
  ~UsbFolder();  // unplugs

  const io::UniqueFd& listener() const { return listener_; }

 private:
  UsbFolder(std::filesystem::path folder, io::UniqueFd listener)
      : folder_(std::move(folder)), listener_(std::move(listener)) {}

  std::filesystem::path folder_;
  io::UniqueFd listener_;
};

}  // namespace rigd::sim::adapter
