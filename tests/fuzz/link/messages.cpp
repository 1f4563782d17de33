// A message of a board: parsed, and within the bounds everybody above relies on.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "link/codec.hpp"

namespace {

using namespace rigd::link;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_plain(const std::string& text, std::size_t limit) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return text.size() < limit && !std::ranges::any_of(text, is_control);
}

struct Bounds {
  void operator()(const Status& status) const {
    require(status.code <= StatusCode::operation_failed && is_plain(status.detail, 64));
    require(to_string(status.code) != "?");
  }
  void operator()(const Hello& hello) const {
    require(is_plain(hello.board, 24) && is_plain(hello.toolchain, 40) && is_plain(hello.flags, 64));
    require(hello.chip_uid.size() <= 16 && hello.build_id.size() <= 20);
    require(hello.cpu_hz > 0 && hello.timer_hz > 0 && hello.max_payload <= kMaxPayload &&
            hello.case_count <= 1024);
  }
  void operator()(const CaseInfo& info) const {
    require(!info.id.empty() && is_plain(info.id, 64) && is_plain(info.library, 32));
    require(info.index < 1024 && info.size_step > 0 && info.min_size <= info.max_size);
  }
  void operator()(const CheckResult& check) const { require(!check.passed || check.failed_vector == 0); }
  void operator()(const LogLine& line) const { require(line.level <= 3 && is_plain(line.text, 96)); }
  void operator()(const Repetition&) const {}
  void operator()(const RunDone&) const {}
  void operator()(const MemoryUse&) const {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto response = decode_response({reinterpret_cast<const std::byte*>(data), size});
  if (response)
    std::visit(Bounds(), response->body);
  else
    require(response.error().code() == rigd::ErrorCode::link_protocol);
  return 0;
}
