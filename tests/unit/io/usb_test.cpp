#include "io/usb.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temp_folder.hpp"

namespace rigd::io {
namespace {

class Usb : public testing::Test {
 protected:
  void write(const std::string& device, const std::string& file, const std::string& text) {
    std::filesystem::create_directories(folder_.path() / device);
    std::ofstream(folder_.path() / device / file) << text;
  }
  void add_microbit(const std::string& device, const std::string& serial) {
    write(device, "idVendor", "0d28\n");
    write(device, "idProduct", "0204\n");
    write(device, "serial", serial + "\n");
    write(device, "manufacturer", "Arm\n");
    write(device, "product", "BBC micro:bit CMSIS-DAP\n");
  }
  std::vector<UsbDevice> list() { return list_usb_devices(folder_.path()).value(); }

  test::TempFolder folder_;
};

TEST_F(Usb, ListsDevicesWithTheirProperties) {
  add_microbit("1-2", "9900360140124e45");
  const auto devices = list();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].vendor, 0x0d28);
  EXPECT_EQ(devices[0].product, 0x0204);
  EXPECT_EQ(devices[0].serial, "9900360140124e45");
  EXPECT_EQ(devices[0].manufacturer, "Arm");
  EXPECT_EQ(devices[0].text(), "0d28:0204 serial 9900360140124e45 (BBC micro:bit CMSIS-DAP)");
  EXPECT_EQ(devices[0].path, folder_.path() / "1-2");
}

TEST_F(Usb, PassesOverInterfaces) {
  add_microbit("1-2", "A");
  write("1-2:1.0", "bInterfaceNumber", "00\n");
  EXPECT_EQ(list().size(), 1u);
}

TEST_F(Usb, ADeviceWithoutASerialNumberIsListedWithout) {
  add_microbit("1-2", "A");
  std::filesystem::remove(folder_.path() / "1-2" / "serial");
  EXPECT_EQ(list().at(0).serial, "");
}

TEST_F(Usb, PassesOverWhatMakesNoSense) {
  add_microbit("1-1", "A");
  write("1-1", "idVendor", "not hexadecimal\n");
  add_microbit("1-2", "B");
  write("1-2", "idProduct", std::string(100'000, '0'));
  add_microbit("1-3", std::string(100'000, 'S'));
  const auto devices = list();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].serial, "");
}

TEST_F(Usb, ListsInOrderOfPath) {
  add_microbit("1-2", "B");
  add_microbit("1-1", "A");
  const auto devices = list();
  EXPECT_EQ(devices.at(0).serial, "A");
  EXPECT_EQ(devices.at(1).serial, "B");
}

TEST_F(Usb, AMachineWithoutUsbHasNoDevices) {
  EXPECT_TRUE(list_usb_devices(folder_.path() / "nothing").value().empty());
}

TEST_F(Usb, ARootThatIsNoFolderIsAnError) {
  write("x", "file", "");
  EXPECT_EQ(list_usb_devices(folder_.path() / "x" / "file").error().code(), ErrorCode::io_failure);
}

}  // namespace
}  // namespace rigd::io
