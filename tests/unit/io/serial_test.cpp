// Which port is chosen, on a tree with the shape of Linux's sysfs. Opening needs a physical port
// (libserialport refuses pseudo-terminals); what happens on an open one is tested in fd_stream_test.cpp on a
// pty.
#include "io/serial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "await.hpp"
#include "temp_folder.hpp"

namespace rigd::io {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Serial : public testing::Test {
 protected:
  // A CDC-ACM port: class/tty/NAME/device points at the interface.
  void add_acm(const std::string& name, const std::string& device, const std::string& serial,
               const std::string& interface) {
    const auto folder = add_interface(device, serial, interface);
    std::filesystem::create_directories(folder_.path() / "class/tty" / name);
    std::filesystem::create_directory_symlink(folder, folder_.path() / "class/tty" / name / "device");
  }

  // A USB serial converter: it points at the port's own folder below the interface.
  void add_converter(const std::string& name, const std::string& device, const std::string& serial,
                     const std::string& interface) {
    const auto folder = add_interface(device, serial, interface) / name;
    std::filesystem::create_directories(folder);
    std::filesystem::create_directories(folder_.path() / "class/tty" / name);
    std::filesystem::create_directory_symlink(folder, folder_.path() / "class/tty" / name / "device");
  }

  std::filesystem::path add_interface(const std::string& device, const std::string& serial,
                                      const std::string& interface) {
    const auto usb = folder_.path() / "devices/pci0/usb1" / device;
    const auto folder = usb / (device + ":1." + interface);
    std::filesystem::create_directories(folder);
    std::ofstream(usb / "idVendor") << "0d28\n";
    std::ofstream(usb / "serial") << serial << "\n";
    std::ofstream(folder / "bInterfaceNumber") << "0" << interface << "\n";
    return folder;
  }

  void add_platform_port(const std::string& name) {
    std::filesystem::create_directories(folder_.path() / "devices/platform/serial8250");
    std::filesystem::create_directories(folder_.path() / "class/tty" / name);
    std::filesystem::create_directory_symlink(folder_.path() / "devices/platform/serial8250",
                                              folder_.path() / "class/tty" / name / "device");
  }

  Result<SerialPort> select(const SerialSelector& selector) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "class/tty"))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return select_port(describe_ports(names, folder_.path()), selector);
  }

  test::TempFolder folder_;
};

SerialSelector by(std::string serial, std::optional<int> interface = std::nullopt) {
  SerialSelector selector;
  selector.usb_serial = std::move(serial);
  selector.interface_number = interface;
  return selector;
}

TEST_F(Serial, FindsAPortByItsUsbSerialNumber) {
  add_acm("ttyACM0", "1-1", "A", "1");
  add_acm("ttyACM1", "1-2", "B", "1");
  EXPECT_EQ(select(by("B"))->name, "ttyACM1");
  EXPECT_EQ(select(by("B"))->interface_number, 1);
}

TEST_F(Serial, TellsTwoPortsOfOneDeviceApartByInterface) {
  add_acm("ttyACM0", "1-1", "A", "1");
  add_acm("ttyACM1", "1-1", "A", "3");
  EXPECT_EQ(select(by("A", 3))->name, "ttyACM1");
  EXPECT_EQ(select(by("A", 1))->name, "ttyACM0");
}

TEST_F(Serial, FindsTheInterfaceOfAConverterToo) {
  add_converter("ttyUSB0", "1-1", "FT1", "0");
  add_converter("ttyUSB1", "1-1", "FT1", "1");
  EXPECT_EQ(select(by("FT1", 1))->name, "ttyUSB1");
}

TEST_F(Serial, AmbiguousPortsAreNamed) {
  add_acm("ttyACM0", "1-1", "A", "1");
  add_acm("ttyACM1", "1-1", "A", "3");
  const auto port = select(by("A"));
  ASSERT_FALSE(port);
  EXPECT_EQ(port.error().code(), ErrorCode::port_ambiguous);
  EXPECT_THAT(port.error().text(),
              HasSubstr("ttyACM0 (serial A, interface 1), ttyACM1 (serial A, interface 3)"));
}

TEST_F(Serial, AMissingPortNamesWhatThereIs) {
  add_acm("ttyACM0", "1-1", "A", "1");
  add_platform_port("ttyS0");
  const auto port = select(by("B", 1));
  ASSERT_FALSE(port);
  EXPECT_EQ(port.error().code(), ErrorCode::port_missing);
  EXPECT_THAT(port.error().text(), HasSubstr("USB serial number B, interface 1"));
  EXPECT_THAT(port.error().text(), HasSubstr("ttyACM0 (serial A, interface 1), ttyS0"));
}

TEST_F(Serial, APortWithoutUsbIsNeverTaken) {
  add_platform_port("ttyS0");
  EXPECT_EQ(select(by("")).error().code(), ErrorCode::bad_argument);
}

TEST_F(Serial, AMissingPortIsWaitedForUntilTheDeadline) {
  boost::asio::io_context context;
  const auto begin = Clock::now();
  const auto stream = test::await(context, open_serial(by("no such serial number"), Deadline::in(120ms)));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().code(), ErrorCode::port_missing);
  EXPECT_GE(Clock::now() - begin, 120ms);
  EXPECT_LT(Clock::now() - begin, 2s);
}

TEST_F(Serial, ADeviceGivenByPathMustExist) {
  boost::asio::io_context context;
  SerialSelector selector;
  selector.device = "/dev/serial/by-id/no-such-device";
  const auto stream = test::await(context, open_serial(selector, Deadline::in(10ms)));
  EXPECT_EQ(stream.error().code(), ErrorCode::port_missing);
  EXPECT_THAT(stream.error().text(), HasSubstr("no-such-device"));
}

}  // namespace
}  // namespace rigd::io
