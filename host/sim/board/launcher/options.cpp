#include "sim/board/launcher/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

const std::string_view kUsage =
    "usage: rigd-sim-board --board microbit|netduinoplus2 --slot-dir DIR --usb-dir DIR --adapter-serial "
    "TEXT\n"
    "                      --seed N [--set KEY=VALUE]... [--fault PART:KEY=VALUE]... [--without "
    "adapter|ppk2]...\n"
    "                      [--kernel ELF] [--core cortex-m0|cortex-m0plus|cortex-m4|none] [--truth FILE]\n"
    "  --set     a constant of the simulated current, handed to rigd-sim-ppk2\n"
    "  --fault   adapter:... and ppk2:... are handed on; board:kill_at_window=N kills QEMU inside the Nth "
    "window\n"
    "  --kernel  preload this image and run it at once, instead of waiting halted to be flashed\n"
    "  --truth   where rigd-sim-ppk2 writes the true charge of each window\n";

namespace {

// nRF51822 (Cortex-M0 with the fast multiplier) and STM32F405 (Cortex-M4F).
constexpr std::array<BoardType, 2> kBoards{{
    {"microbit", "nrf51", "cortex-m0", 1, 0x20003FF0},
    {"netduinoplus2", "stm32f405", "cortex-m4", 1, 0x2001FFF0},
}};

Result<std::uint64_t> number(std::string_view name, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(ErrorCode::bad_argument, fmt::format("{}: '{}' is not a number", name, text));
  return value;
}

Result<void> take_board(Options& options, std::string_view name) {
  const auto* found = std::ranges::find(kBoards, name, &BoardType::name);
  if (found == kBoards.end())
    return fail(ErrorCode::bad_argument, fmt::format("--board: no simulated board is called '{}'", name));
  options.board = found;
  return {};
}

Result<void> take_fault(Options& options, std::string_view value) {
  const std::size_t colon = value.find(':');
  const std::string_view part = value.substr(0, colon);
  const std::string_view fault = colon == value.npos ? "" : value.substr(colon + 1);
  constexpr std::string_view kill = "kill_at_window=";
  if (part == "adapter" && fault.contains('=')) {
    options.adapter_faults.emplace_back(fault);
  } else if (part == "ppk2" && fault.contains('=')) {
    options.ppk2_faults.emplace_back(fault);
  } else if (part == "board" && fault.starts_with(kill)) {
    RIGD_TRY(options.kill_at_window, number("--fault board:kill_at_window", fault.substr(kill.size())));
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("--fault: unknown fault '{}'", value));
  }
  return {};
}

Result<void> take_without(Options& options, std::string_view part) {
  if (part != "adapter" && part != "ppk2")
    return fail(ErrorCode::bad_argument, fmt::format("--without: '{}' is not adapter or ppk2", part));
  (part == "adapter" ? options.with_adapter : options.with_ppk2) = false;
  return {};
}

std::string* text_option(Options& options, std::string_view name) {
  if (name == "--slot-dir") return &options.slot_dir;
  if (name == "--usb-dir") return &options.usb_dir;
  if (name == "--adapter-serial") return &options.adapter_serial;
  if (name == "--kernel") return &options.kernel;
  if (name == "--truth") return &options.truth;
  return nullptr;
}

Result<void> take(Options& options, std::string_view name, std::string_view value) {
  if (std::string* text = text_option(options, name)) {
    *text = value;
    return {};
  }
  if (name == "--board") return take_board(options, value);
  if (name == "--fault") return take_fault(options, value);
  if (name == "--without") return take_without(options, value);
  if (name == "--seed") {
    RIGD_CHECK(number(name, value));
    options.seed = value;
  } else if (name == "--core") {
    if (!core_named(value))
      return fail(ErrorCode::bad_argument, fmt::format("--core: unknown core '{}'", value));
    options.core = value;
  } else if (name == "--set" && value.contains('=')) {
    options.settings.emplace_back(value);
  } else {
    return fail(ErrorCode::bad_argument, fmt::format("cannot use {} {}", name, value));
  }
  return {};
}

Result<void> check_complete(const Options& options) {
  const auto need = [](bool given, std::string_view what) -> Result<void> {
    if (!given) return fail(ErrorCode::bad_argument, fmt::format("{} is needed", what));
    return {};
  };
  RIGD_CHECK(need(options.board != nullptr, "--board"));
  RIGD_CHECK(need(!options.slot_dir.empty(), "--slot-dir"));
  RIGD_CHECK(need(!options.with_adapter || !options.usb_dir.empty(), "--usb-dir"));
  RIGD_CHECK(need(!options.with_adapter || !options.adapter_serial.empty(), "--adapter-serial"));
  return need(!options.with_ppk2 || !options.seed.empty(), "--seed");
}

}  // namespace

Result<Options> parse_options(std::span<char* const> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 == arguments.size())
      return fail(ErrorCode::bad_argument, fmt::format("{} needs a value", arguments[i]));
    RIGD_CHECK(take(options, arguments[i], arguments[i + 1]));
  }
  RIGD_CHECK(check_complete(options));
  return options;
}

}  // namespace rigd::sim::board
