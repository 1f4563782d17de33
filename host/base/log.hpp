// Diagnostics on standard error; results never go through here. Under systemd each line carries its journal
// priority ("<4>text"); on a terminal it does not.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace rigd::log {

enum class Level { debug, info, warning, error };

void set_level(Level least);
void write(Level level, std::string_view text);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace rigd::log
