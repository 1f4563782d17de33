#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>

namespace rigd::log {

namespace {

// Journal priorities of sd-daemon(3).
spdlog::level::level_enum level_of(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::string_view priority_of(Level level) {
  switch (level) {
    case Level::debug:
      return "<7>";
    case Level::info:
      return "<6>";
    case Level::warning:
      return "<4>";
    case Level::error:
      return "<3>";
  }
  return "<3>";
}

struct Sink {
  spdlog::logger logger{"rigd", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
  bool journal = std::getenv("JOURNAL_STREAM") != nullptr;

  Sink() {
    logger.set_pattern(journal ? "%v" : "%H:%M:%S.%e %L %v");
    logger.set_level(spdlog::level::info);
    logger.flush_on(spdlog::level::trace);
  }
};

Sink& sink() {
  static Sink one;
  return one;
}

}  // namespace

void set_level(Level least) {
  sink().logger.set_level(level_of(least));
}

void write(Level level, std::string_view text) {
  Sink& out = sink();
  if (out.journal)
    out.logger.log(level_of(level), "{}{}", priority_of(level), text);
  else
    out.logger.log(level_of(level), "{}", text);
}

}  // namespace rigd::log
