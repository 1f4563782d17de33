// The plugin's arguments: core=NAME,port=ADDRESS,pins=N,out=SOCKET[,mul=1|32][,hold=WINDOW].
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

struct PluginArguments {
  CoreModel model;
  std::uint64_t port = 0;
  unsigned pins = 0;
  std::string out;
  std::uint64_t hold =
      0;  // a fault: the CPU stands still for ever inside this window, counted from 1; 0: never
};

inline constexpr unsigned kMostPins = 32;

// The error is one sentence.
std::expected<PluginArguments, std::string> parse_arguments(std::span<const std::string_view> arguments);

}  // namespace rigd::sim::board
