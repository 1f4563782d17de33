#include "rigd/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace rigd {

void Progress::on_event(std::string_view slot, const store::Event& event) {
  // The error that ended a run is repeated at the end with its remedy.
  const bool dim = terminal_ && event.level == store::EventLevel::info;
  fmt::print(stderr, "{}[{:7.3f}s] {:<8} {:<8} {}{}\n", dim ? "\033[2m" : "",
             static_cast<double>(event.at_ns) * 1e-9, slot, event.step, event.text, dim ? "\033[0m" : "");
}

}  // namespace rigd
