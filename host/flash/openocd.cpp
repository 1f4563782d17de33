#include "flash/openocd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ranges>

namespace rigd::flash {

namespace {

using namespace std::chrono_literals;

constexpr auto kKilledWithin = 5s;
constexpr std::size_t kMostNamed = 8;

// Says what is attached instead of the adapter wanted.
std::string names_of(const std::vector<io::UsbDevice>& devices) {
  std::string text;
  for (const io::UsbDevice& device : devices | std::views::take(kMostNamed))
    text += (text.empty() ? "" : ", ") + device.text();
  return text.empty() ? "nothing" : text;
}

Result<void> require_one(const std::string& serial, const std::filesystem::path& root) {
  RIGD_TRY(const auto devices, io::list_usb_devices(root));
  std::vector<io::UsbDevice> matching;
  std::ranges::copy_if(devices, std::back_inserter(matching),
                       [&](const auto& device) { return device.serial == serial; });
  if (matching.size() == 1) return {};
  if (matching.empty())
    return fail(ErrorCode::adapter_missing,
                fmt::format("no USB device with serial number {} in {}; attached: {}", serial, root.string(),
                            names_of(devices)));
  return fail(ErrorCode::adapter_ambiguous,
              fmt::format("{} USB devices with serial number {}: {} at {} and {}", matching.size(), serial,
                          matching[0].text(), matching[0].path.filename().string(),
                          matching[1].path.filename().string()));
}

// Between braces Tcl takes everything literally, except braces and a backslash.
Result<std::string> braced(const std::string& value, std::string_view what) {
  if (value.empty()) return fail(ErrorCode::bad_argument, fmt::format("OpenOCD: no {} given", what));
  if (value.find_first_of("{}\\\n\r") != std::string::npos)
    return fail(ErrorCode::bad_argument,
                fmt::format("OpenOCD: {} '{}' has a brace, a backslash or a line break", what, value));
  return "{" + value + "}";
}

bool has(std::string_view log, std::string_view text) {
  return log.contains(text);
}

// Lines that tell why, the most telling first (OpenOCD 0.12, seen with CMSIS-DAP and JTAG adapters).
constexpr std::array<std::string_view, 16> kTelling{
    "no flash bank found for address",            // the image does not fit the target, or is not an ELF
    "couldn't open",                              // missing file
    "device protected",                           // stm32x device protected
    "write protected",                            // flash memory write protected
    "timed out waiting for flash",                // erase stuck
    "Cannot identify target",                     // another chip than the target file is for
    "JTAG scan chain interrogation failed",       // unpowered, JTAG
    "UNEXPECTED:",                                // another chip, JTAG
    "timed out while waiting for target halted",  // core will not halt
    "error writing data",                         // adapter gone while flashing
    "Error connecting DP",                        // unpowered, SWD
    "cannot read IDR",                            // power lost
    "CMD_CONNECT failed",                         // adapter does not answer
    "checksum mismatch",                          //
    "Can't find",                                 // no such configuration file
    "Assertion",                                  // OpenOCD crashed
};

std::string_view line_around(std::string_view log, std::size_t at) {
  const std::size_t begin = log.find_last_of('\n', at) + 1;  // npos + 1 is 0: the first line
  return log.substr(begin, log.find('\n', at) - begin);
}

// "Error:" lines that good flashes have too.
bool is_harmless(std::string_view line) {
  return line.contains("clearing lockup after double fault") || line.contains("Translation from khz");
}

// Empty where there is none.
std::string_view last_line_with(std::string_view log, std::string_view text) {
  for (std::size_t end = log.size();;) {
    const std::size_t at = log.substr(0, end).rfind(text);
    if (at == std::string_view::npos) return {};
    if (const std::string_view line = line_around(log, at); !is_harmless(line)) return line;
    end = at;
  }
}

std::string_view last_line(std::string_view log) {
  const std::size_t end = log.find_last_not_of(" \r\n");
  return end == std::string_view::npos ? "no output" : line_around(log.substr(0, end + 1), end);
}

std::string_view telling_line(std::string_view log) {
  for (const std::string_view text : kTelling)
    if (const std::size_t at = log.find(text); at != std::string_view::npos) return line_around(log, at);
  for (const std::string_view text : {"Error:", "Failed **", "failed **", "** Unable to"})
    if (const std::string_view line = last_line_with(log, text); !line.empty()) return line;
  return last_line(log);
}

}  // namespace

OpenOcd::OpenOcd(boost::asio::any_io_executor executor, OpenOcdOptions options)
    : executor_(std::move(executor)), options_(std::move(options)) {}

io::Awaitable<Result<void>> OpenOcd::check_present(Deadline) {
  co_return require_one(options_.adapter_serial, options_.usb_root);
}

io::Awaitable<Result<FlashReport>> OpenOcd::flash(const Image& image, Deadline deadline) {
  const TimePoint begin = Clock::now();
  RIGD_CO_TRY(io::Process process, start(image));
  const auto ended = co_await process.wait(deadline);
  const Duration duration = Clock::now() - begin;
  if (!ended) {
    process.kill_group();
    const Deadline soon = Deadline::in(kKilledWithin);
    (void)co_await process.wait(soon);
    co_return fail(ErrorCode::adapter_hung,
                   fmt::format("OpenOCD did not end within {:.1f} s and was killed; its last words: {}",
                               std::chrono::duration<double>(duration).count(), process.last_line()));
  }
  const std::string log = process.output();
  RIGD_CO_CHECK(judge_openocd(*ended, log));
  co_return FlashReport{duration, log.substr(0, log.find('\n')), log};
}

Result<io::Process> OpenOcd::start(const Image& image) const {
  std::error_code error;
  const std::string path = std::filesystem::absolute(image.path(), error).string();
  io::ProcessOptions process;
  RIGD_TRY(process.argv, openocd_command(options_, path));
  process.env = options_.env;
  process.log_file = options_.log_file;
  RIGD_CHECK(require_one(options_.adapter_serial, options_.usb_root));
  return io::Process::spawn(executor_, process);
}

Result<std::vector<std::string>> openocd_command(const OpenOcdOptions& options, const std::string& image) {
  RIGD_TRY(const std::string serial, braced(options.adapter_serial, "adapter serial number"));
  RIGD_TRY(const std::string file, braced(image, "image path"));
  std::vector<std::string> command{options.executable};
  const auto add = [&](std::string option, std::string value) {
    command.push_back(std::move(option));
    command.push_back(std::move(value));
  };
  for (const std::string& folder : options.search_dirs)
    add("-s", folder);
  add("-c", "gdb_port disabled; tcl_port disabled; telnet_port disabled");
  add("-f", options.interface_config);
  add("-c", "adapter serial " + serial);
  for (const std::string& line : options.before)
    add("-c", line);
  add("-f", options.target_config);
  add("-c", fmt::format("program {} verify reset exit", file));
  return command;
}

Result<void> judge_openocd(const io::ExitStatus& status, std::string_view log) {
  if (status.ok() && has(log, "** Verified OK **")) return {};
  // An adapter that is busy is reported as not found as well.
  if (has(log, "unable to open CMSIS-DAP device"))
    return fail(ErrorCode::busy,
                fmt::format("OpenOCD: {}", last_line_with(log, "unable to open CMSIS-DAP device")));
  if (has(log, "unable to find a matching CMSIS-DAP device"))
    return fail(ErrorCode::adapter_missing, "OpenOCD: unable to find a matching CMSIS-DAP device");
  const std::string_view why = telling_line(log);
  // A verify that failed because nothing was written is not a wrong read-back.
  if (has(log, "** Verify Failed **") && !has(log, "no flash bank found"))
    return fail(ErrorCode::verify_mismatch,
                fmt::format("OpenOCD: the flash does not hold the image: {}", why));
  if (status.ok())
    return fail(ErrorCode::flash_failed, fmt::format("OpenOCD ended without having verified: {}", why));
  return fail(ErrorCode::flash_failed, fmt::format("OpenOCD ended with {}: {}", status.text(), why));
}

}  // namespace rigd::flash
