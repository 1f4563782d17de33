// Where a number comes from. Series of different provenance are never merged or compared
// silently.
#pragma once

#include <string_view>

namespace rigd {

enum class Provenance {
  measured,   // by an instrument on a physical board
  modelled,   // cycles computed from a core's timing tables on a simulator, and times derived from them
  counted,    // instructions
  synthetic,  // simulated current, and charges and energies derived from it
};

constexpr std::string_view to_string(Provenance provenance) noexcept {
  switch (provenance) {
    case Provenance::measured:
      return "measured";
    case Provenance::modelled:
      return "modelled";
    case Provenance::counted:
      return "counted";
    case Provenance::synthetic:
      return "synthetic";
  }
  return "synthetic";
}

}  // namespace rigd
