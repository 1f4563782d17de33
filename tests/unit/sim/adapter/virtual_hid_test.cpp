// The hidapi replacement by itself, with a socket in the adapter's place.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hidapi/hidapi.h>
#include <sys/socket.h>

#include <array>
#include <filesystem>
#include <string>

#include "../board/programs.hpp"
#include "sim/adapter/usb_folder.hpp"
#include "sim/common/unix_socket.hpp"

namespace rigd::sim::adapter {
namespace {

class VirtualHidTest : public testing::Test {
 protected:
  VirtualHidTest() {
    ::setenv("RIGD_VIRTUAL_USB", root.path().c_str(), 1);
    library = ::dlopen(RIGD_BIN "/librigd-virtual-hid.so", RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << ::dlerror();
  }
  ~VirtualHidTest() override {
    ::unsetenv("RIGD_VIRTUAL_USB");
    if (library != nullptr) ::dlclose(library);
  }
  template <class Function>
  Function* find(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(library, name));
  }
  UsbFolder plug(const std::string& name, const std::string& serial) {
    auto device = UsbFolder::plug_in(root / name, serial);
    EXPECT_TRUE(device) << device.error().text();
    return std::move(*device);
  }

  board::Folder root;
  void* library = nullptr;
};

TEST_F(VirtualHidTest, EnumeratesCompleteDevicesInOrder) {
  const UsbFolder second = plug("1-2", "BBB");
  const UsbFolder first = plug("1-1", "AAA");
  std::filesystem::create_directory(root / "usb1");  // a hub: no HID
  hid_device_info* devices = find<decltype(hid_enumerate)>("hid_enumerate")(0, 0);
  ASSERT_NE(devices, nullptr);
  EXPECT_EQ(std::wstring(devices->serial_number), L"AAA");
  EXPECT_EQ(std::wstring(devices->product_string), L"rigd virtual CMSIS-DAP");
  EXPECT_EQ(devices->vendor_id, 0x0D28);
  EXPECT_EQ(devices->product_id, 0x0204);
  ASSERT_NE(devices->next, nullptr);
  EXPECT_EQ(std::wstring(devices->next->serial_number), L"BBB");
  EXPECT_EQ(devices->next->next, nullptr);
  find<decltype(hid_free_enumeration)>("hid_free_enumeration")(devices);
  EXPECT_EQ(find<decltype(hid_enumerate)>("hid_enumerate")(0x1234, 0), nullptr);
}

TEST_F(VirtualHidTest, ReportsTravelWithoutTheirNumberAndComePadded) {
  const UsbFolder device = plug("1-1", "AAA");
  hid_device* handle = find<decltype(hid_open)>("hid_open")(0x0D28, 0x0204, L"AAA");
  ASSERT_NE(handle, nullptr);
  const io::UniqueFd adapter = accept_unix(device.listener().get());
  ASSERT_TRUE(adapter);

  const std::array<unsigned char, 4> report{0, 1, 2, 3};
  EXPECT_EQ(find<decltype(hid_write)>("hid_write")(handle, report.data(), report.size()), 4);
  std::array<unsigned char, 16> seen{};
  EXPECT_EQ(::recv(adapter.get(), seen.data(), seen.size(), 0), 3);
  EXPECT_EQ(seen[0], 1);

  const auto read = find<decltype(hid_read_timeout)>("hid_read_timeout");
  std::array<unsigned char, 8> answer;
  answer.fill(0xEE);
  EXPECT_EQ(read(handle, answer.data(), answer.size(), 20), 0) << "nothing came in time";
  ::send(adapter.get(), "\x05\x06", 2, 0);
  EXPECT_EQ(read(handle, answer.data(), answer.size(), 1000), 8);
  EXPECT_EQ(answer, (std::array<unsigned char, 8>{5, 6}));
  find<decltype(hid_close)>("hid_close")(handle);
}

TEST_F(VirtualHidTest, SecondProgramIsRefusedUntilTheFirstCloses) {
  const UsbFolder device = plug("1-1", "AAA");
  const auto open = find<decltype(hid_open)>("hid_open");
  const auto close = find<decltype(hid_close)>("hid_close");
  hid_device* first = open(0x0D28, 0x0204, L"AAA");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(open(0x0D28, 0x0204, L"AAA"), nullptr);
  close(first);
  hid_device* second = open(0x0D28, 0x0204, L"AAA");
  EXPECT_NE(second, nullptr);
  close(second);
}

TEST_F(VirtualHidTest, GoneAdapterIsAnError) {
  hid_device* handle = nullptr;
  {
    const UsbFolder device = plug("1-1", "AAA");
    handle = find<decltype(hid_open)>("hid_open")(0, 0, nullptr);
    ASSERT_NE(handle, nullptr);
    const io::UniqueFd adapter = accept_unix(device.listener().get());
  }
  std::array<unsigned char, 8> buffer{};
  EXPECT_EQ(find<decltype(hid_read_timeout)>("hid_read_timeout")(handle, buffer.data(), buffer.size(), 1000),
            -1);
  EXPECT_EQ(find<decltype(hid_write)>("hid_write")(handle, buffer.data(), buffer.size()), -1);
  find<decltype(hid_close)>("hid_close")(handle);
  EXPECT_EQ(find<decltype(hid_open)>("hid_open")(0, 0, nullptr), nullptr);
}

}  // namespace
}  // namespace rigd::sim::adapter
