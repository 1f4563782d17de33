#include "base/clock.hpp"

#include <fmt/chrono.h>

namespace rigd {

std::int64_t utc_now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::string utc_text(std::int64_t utc_ns) {
  const std::int64_t seconds = utc_ns / 1'000'000'000;
  const std::int64_t millis = utc_ns / 1'000'000 % 1'000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(seconds)), millis);
}

}  // namespace rigd
