#include "io/usb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/file.hpp"

namespace rigd::io {

namespace {

constexpr std::size_t kMostDevices = 4096;

// The four hexadecimal digits of idVendor and idProduct.
std::optional<std::uint16_t> read_hex(const std::filesystem::path& path) {
  const auto text = read_property(path);
  std::uint16_t value = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value, 16);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

std::optional<UsbDevice> read_device(const std::filesystem::path& folder) {
  const auto vendor = read_hex(folder / "idVendor");
  const auto product = read_hex(folder / "idProduct");
  if (!vendor || !product) return std::nullopt;
  return UsbDevice{.path = folder,
                   .vendor = *vendor,
                   .product = *product,
                   .serial = read_property(folder / "serial").value_or(""),
                   .manufacturer = read_property(folder / "manufacturer").value_or(""),
                   .name = read_property(folder / "product").value_or("")};
}

}  // namespace

std::string UsbDevice::text() const {
  return fmt::format("{:04x}:{:04x} serial {} ({})", vendor, product, serial.empty() ? "none" : serial,
                     name.empty() ? "unnamed" : name);
}

Result<std::vector<UsbDevice>> list_usb_devices(const std::filesystem::path& root) {
  std::vector<UsbDevice> devices;
  std::error_code error;
  std::filesystem::directory_iterator entries(root, error);
  if (error == std::errc::no_such_file_or_directory) return devices;
  for (; !error && entries != std::filesystem::directory_iterator() && devices.size() < kMostDevices;
       entries.increment(error))
    if (auto device = read_device(entries->path())) devices.push_back(std::move(*device));
  if (error) return fail(ErrorCode::io_failure, fmt::format("{}: {}", root.string(), error.message()));
  std::ranges::sort(devices, {}, &UsbDevice::path);
  return devices;
}

}  // namespace rigd::io
