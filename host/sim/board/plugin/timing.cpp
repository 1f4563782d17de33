#include "sim/board/plugin/timing.hpp"

namespace rigd::sim::board {

std::optional<Core> core_named(std::string_view name) {
  if (name == "none") return Core::none;
  if (name == "cortex-m0") return Core::cortex_m0;
  if (name == "cortex-m0plus") return Core::cortex_m0plus;
  if (name == "cortex-m4") return Core::cortex_m4;
  return std::nullopt;
}

Timing time_of(const CoreModel& model, const Instruction& instruction) {
  switch (model.core) {
    case Core::none:
      break;
    case Core::cortex_m0:
      return time_cortex_m0(instruction, model.multiply_cycles);
    case Core::cortex_m0plus:
      return time_cortex_m0plus(instruction, model.multiply_cycles);
    case Core::cortex_m4:
      return time_cortex_m4(instruction);
  }
  return {};
}

}  // namespace rigd::sim::board
