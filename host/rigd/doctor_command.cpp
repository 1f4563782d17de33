#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "bench/bench.hpp"
#include "flash/image.hpp"
#include "io/serial.hpp"
#include "io/usb.hpp"
#include "report/listing.hpp"
#include "rigd/commands.hpp"
#include "rigd/remedy.hpp"

namespace rigd {

namespace fs = std::filesystem;

namespace {

struct Finding {
  std::string slot;
  std::string what;
  Result<void> verdict;
};

bool in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

Result<void> check_program(const std::string& program) {
  if (in_path(program)) return {};
  return fail(ErrorCode::spawn_failed, fmt::format("'{}' cannot be run", program));
}

Result<void> check_usb(const std::string& serial, const std::string& root) {
  RIGD_TRY(const std::vector<io::UsbDevice> devices, io::list_usb_devices(root));
  const auto matches = std::ranges::count(devices, serial, &io::UsbDevice::serial);
  if (matches == 1) return {};
  if (matches == 0)
    return fail(ErrorCode::adapter_missing,
                fmt::format("no USB device with serial '{}' among {} seen", serial, devices.size()));
  return fail(ErrorCode::adapter_ambiguous,
              fmt::format("{} USB devices have the serial '{}'", matches, serial));
}

Result<void> check_image(const bench::SlotSetup& slot, const fs::path& images) {
  const Result<flash::Image> image =
      flash::Image::load(images / (slot.image.empty() ? slot.board.image : slot.image));
  if (!image) return std::unexpected(image.error());
  return {};
}

// A simulated slot's devices exist only during a run; what can be checked is that its programs do.
void examine(const bench::SlotSetup& slot, const fs::path& images, std::vector<Finding>& findings) {
  findings.push_back({slot.name, "firmware image", check_image(slot, images)});
  if (slot.simulator) {
    findings.push_back({slot.name, "simulator program", check_program(slot.simulator->program)});
    return;
  }
  findings.push_back({slot.name, "debug adapter " + slot.adapter.serial,
                      check_usb(slot.adapter.serial, slot.adapter.usb_root)});
  for (const auto& [what, port] :
       {std::pair{"serial link ", slot.link}, std::pair{"probe ", slot.probe.port}})
    if (!port.usb_serial.empty())
      findings.push_back({slot.name, what + port.usb_serial, check_usb(port.usb_serial, io::kUsbRoot)});
}

Result<std::vector<Finding>> examine(const DoctorArguments& arguments) {
  RIGD_TRY(const bench::Bench bench, bench::load_bench(arguments.bench));
  std::vector<Finding> findings = {{"-", "openocd", check_program("openocd")}};
  const bench::Places places{"/tmp", "/tmp", "/tmp", programs_folder()};
  for (const bench::SlotSetup& slot : bench.slots) {
    RIGD_TRY(const bench::SlotSetup filled, bench::expand(slot, places));
    if (slot.simulator) findings.push_back({slot.name, "qemu-system-arm", check_program("qemu-system-arm")});
    examine(filled, images_folder(arguments.images), findings);
  }
  return findings;
}

}  // namespace

int doctor_command(const DoctorArguments& arguments) {
  const Result<std::vector<Finding>> findings = examine(arguments);
  if (!findings) return report_error(findings.error());
  report::Listing listing{{"slot", "what", "state", "remedy"}, {}};
  int status = 0;
  for (const Finding& finding : *findings) {
    const std::string state = finding.verdict ? "ok" : finding.verdict.error().text();
    const std::string advice(finding.verdict ? "" : remedy(finding.verdict.error().code()));
    listing.rows.push_back({finding.slot, finding.what, state, advice});
    if (!finding.verdict) status = static_cast<int>(Fault::rig);
  }
  std::cout << (arguments.json ? report::as_json(listing) : report::as_table(listing));
  return status;
}

}  // namespace rigd
