#include "sim/adapter/faults.hpp"

#include <fmt/format.h>

#include <charconv>

namespace rigd::sim::adapter {
namespace {

Result<std::uint64_t> number(std::string_view key, std::string_view text) {
  const bool hex = text.starts_with("0x");
  const std::string_view digits = hex ? text.substr(2) : text;
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    return fail(ErrorCode::bad_argument, fmt::format("fault {}: '{}' is not a number", key, text));
  }
  return value;
}

bool* find_switch(Faults& faults, std::string_view key) {
  if (key == "missing") return &faults.missing;
  if (key == "duplicate") return &faults.duplicate;
  if (key == "unpowered") return &faults.unpowered;
  if (key == "write_protected") return &faults.write_protected;
  if (key == "nohalt") return &faults.nohalt;
  if (key == "wrong_dpidr") return &faults.wrong_dpidr;
  return nullptr;
}

}  // namespace

Result<void> Faults::set(std::string_view assignment) {
  const auto equals = assignment.find('=');
  const std::string_view key = assignment.substr(0, equals);
  if (equals == std::string_view::npos) {
    return fail(ErrorCode::bad_argument, fmt::format("fault '{}' is not key=value", assignment));
  }
  RIGD_TRY(const std::uint64_t value, number(key, assignment.substr(equals + 1)));
  if (bool* on = find_switch(*this, key)) {
    if (value > 1) return fail(ErrorCode::bad_argument, fmt::format("fault {} is 0 or 1", key));
    *on = value == 1;
  } else if (key == "hang_after") {
    hang_after = value;
  } else if (key == "disconnect_after") {
    disconnect_after = value;
  } else if (key == "stuck_bit") {
    if (value > UINT32_MAX) return fail(ErrorCode::bad_argument, "fault stuck_bit is an offset in flash");
    stuck_bit = static_cast<std::uint32_t>(value);
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("unknown fault '{}'", key));
  }
  return {};
}

}  // namespace rigd::sim::adapter
