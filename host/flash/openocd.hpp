// Flashing with OpenOCD 0.12: one process a flash, its network ports disabled, the adapter always chosen by
// serial number, the result always verified.
//
// It is killed with SIGKILL at the deadline: while it programs, OpenOCD ignores every other signal. A killed
// flash may be repeated without harm.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flash/flasher.hpp"
#include "io/process.hpp"
#include "io/usb.hpp"

namespace rigd::flash {

struct OpenOcdOptions {
  std::string executable = "openocd";
  std::string interface_config;          // "interface/cmsis-dap.cfg"
  std::string target_config;             // "target/nrf51.cfg"
  std::string adapter_serial;            // mandatory: without it OpenOCD takes the first adapter it sees
  std::vector<std::string> before;       // commands before the target's file: "set WORKAREASIZE 0"
  std::vector<std::string> search_dirs;  // before OpenOCD's own
  std::vector<std::pair<std::string, std::string>> env;
  std::string usb_root = io::kUsbRoot;  // where adapters are counted
  std::string log_file;                 // keeps OpenOCD's whole log (capped at 8 MiB); empty: none
};

class OpenOcd final : public Flasher {
 public:
  OpenOcd(boost::asio::any_io_executor executor, OpenOcdOptions options);

  io::Awaitable<Result<void>> check_present(Deadline deadline) override;
  io::Awaitable<Result<FlashReport>> flash(const Image& image, Deadline deadline) override;

 private:
  Result<io::Process> start(const Image& image) const;

  boost::asio::any_io_executor executor_;
  OpenOcdOptions options_;
};

// The command line. Error: bad_argument (no serial number, or a value that cannot stand between Tcl braces).
Result<std::vector<std::string>> openocd_command(const OpenOcdOptions& options, const std::string& image);

// Judges a finished OpenOCD by its exit status and the "**" lines of its log; a log may hold "Error:" lines
// although all went well, and an exit status of 0 alone proves nothing. Errors as of Flasher::flash.
Result<void> judge_openocd(const io::ExitStatus& status, std::string_view log);

}  // namespace rigd::flash
