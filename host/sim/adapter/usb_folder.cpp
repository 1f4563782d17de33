#include "sim/adapter/usb_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <system_error>

#include "sim/common/unix_socket.hpp"

namespace rigd::sim::adapter {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSocket = "hid.sock";

struct Text {
  std::string_view file;
  std::string_view content;
};

// The ids are those of Arm's DAPLink; the product string must contain "CMSIS-DAP" (CMSIS-DAP reference, "USB
// descriptors").
constexpr std::array kTexts{Text{"idVendor", "0d28"}, Text{"idProduct", "0204"}, Text{"manufacturer", "rigd"},
                            Text{"product", "rigd virtual CMSIS-DAP"}};

// Only the files that belong there: a wrong --usb must not cost anybody a folder.
void remove_device(const fs::path& folder) {
  std::error_code ignored;
  for (const Text& text : kTexts)
    fs::remove(folder / text.file, ignored);
  fs::remove(folder / "serial", ignored);
  fs::remove(folder / kSocket, ignored);
  fs::remove(folder, ignored);
}

Result<void> write_text(const fs::path& file, std::string_view content) {
  std::ofstream out(file);
  out << content << '\n';
  out.close();
  if (!out) return fail(ErrorCode::io_failure, fmt::format("{}: cannot write", file.native()));
  return {};
}

Result<io::UniqueFd> fill(const fs::path& folder, std::string_view serial) {
  for (const Text& text : kTexts)
    RIGD_CHECK(write_text(folder / text.file, text.content));
  RIGD_CHECK(write_text(folder / "serial", serial));
  return listen_unix((folder / kSocket).native(), SOCK_SEQPACKET);
}

}  // namespace

Result<UsbFolder> UsbFolder::plug_in(const fs::path& folder, std::string_view serial) {
  const fs::path hidden = folder.parent_path() / ("." + folder.filename().native());
  remove_device(folder);
  remove_device(hidden);
  std::error_code error;
  fs::create_directories(hidden, error);
  if (error) return fail(ErrorCode::io_failure, fmt::format("{}: {}", hidden.native(), error.message()));
  RIGD_TRY(io::UniqueFd listener, fill(hidden, serial));
  fs::rename(hidden, folder, error);
  if (error) return fail(ErrorCode::io_failure, fmt::format("{}: {}", folder.native(), error.message()));
  return UsbFolder(folder, std::move(listener));
}

// A moved-from object has no listener and owns nothing.
UsbFolder::~UsbFolder() {
  if (listener_) remove_device(folder_);
}

}  // namespace rigd::sim::adapter
