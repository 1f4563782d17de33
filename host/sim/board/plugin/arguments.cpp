#include "sim/board/plugin/arguments.hpp"

#include <charconv>
#include <optional>

namespace rigd::sim::board {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// False when the value does not fit the key, or the key is unknown.
bool take(PluginArguments& arguments, std::string_view key, std::string_view value) {
  const auto amount = number(value);
  if (key == "core") {
    const auto core = core_named(value);
    arguments.model.core = core.value_or(Core::none);
    return core.has_value();
  }
  if (key == "out") {
    arguments.out = value;
    return !value.empty();
  }
  if (!amount) return false;
  if (key == "port") {
    arguments.port = *amount;
    return *amount % 8 == 0;
  }
  if (key == "pins") {
    arguments.pins = static_cast<unsigned>(*amount);
    return *amount >= 1 && *amount <= kMostPins;
  }
  if (key == "hold") {
    arguments.hold = *amount;
    return true;
  }
  if (key == "mul") {
    arguments.model.multiply_cycles = static_cast<unsigned>(*amount);
    return *amount == 1 || *amount == 32;
  }
  return false;
}

}  // namespace

std::expected<PluginArguments, std::string> parse_arguments(std::span<const std::string_view> arguments) {
  constexpr std::string_view usage =
      "arguments are "
      "core=cortex-m0|cortex-m0plus|cortex-m4|none,port=ADDRESS,pins=1..32,out=SOCKET[,mul=1|32][,hold="
      "WINDOW]";
  PluginArguments result;
  for (const std::string_view argument : arguments) {
    const std::size_t split = argument.find('=');
    const std::string_view value = split == argument.npos ? "" : argument.substr(split + 1);
    if (!take(result, argument.substr(0, split), value))
      return std::unexpected("cannot use '" + std::string(argument) + "': " + std::string(usage));
  }
  if (result.pins == 0 || result.out.empty())
    return std::unexpected("port, pins and out are needed: " + std::string(usage));
  return result;
}

}  // namespace rigd::sim::board
