// Any text as a PPK2's metadata: how it is cut does not matter, and what is accepted as plausible converts to
// currents the instrument can measure.
#include <cmath>
#include <cstdlib>

#include "probe/ppk2/metadata.hpp"

namespace {

using namespace rigd::probe::ppk2;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_conversion(const Calibration& calibration) {
  for (unsigned range = 0; range < kRanges; ++range) {
    const auto constants = calibration.range(range);
    if (!constants) continue;
    for (const unsigned code : {0U, 1U, 1000U, kCodeMax})
      require(std::isfinite(current_a(*constants, code, 3.0)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  MetadataParser whole;
  whole.feed(bytes);
  MetadataParser cut;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    cut.feed(bytes.subspan(at, 1));
  const auto first = whole.result();
  const auto second = cut.result();
  require(first.has_value() == second.has_value());
  if (!first) {
    require(first.error().text() == second.error().text());
    return 0;
  }
  require(first->text == second->text &&
          first->calibration.canonical_text() == second->calibration.canonical_text());
  require(first->text.size() < 8192);
  if (check_plausible(first->calibration)) check_conversion(first->calibration);
  return 0;
}
