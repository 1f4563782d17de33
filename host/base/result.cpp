#include "base/result.hpp"

#include <ranges>

namespace rigd {

std::string_view to_string(Fault fault) noexcept {
  switch (fault) {
    case Fault::usage:
      return "usage";
    case Fault::internal:
      return "internal";
    case Fault::rig:
      return "rig";
    case Fault::board:
      return "board";
    case Fault::regression:
      return "regression";
    case Fault::invalid:
      return "invalid";
    case Fault::interrupted:
      return "interrupted";
  }
  return "internal";
}

namespace {

struct CodeFacts {
  ErrorCode code;
  std::string_view name;
  Fault fault;
};

#define RIGD_CODE(name, fault)           \
  CodeFacts {                            \
    ErrorCode::name, #name, Fault::fault \
  }
constexpr CodeFacts facts[] = {
    RIGD_CODE(bad_argument, usage),
    RIGD_CODE(bad_plan, usage),
    RIGD_CODE(bad_bench, usage),
    RIGD_CODE(bad_board_file, usage),
    RIGD_CODE(bad_database, usage),
    RIGD_CODE(schema_too_new, usage),
    RIGD_CODE(unknown_case, usage),
    RIGD_CODE(unknown_slot, usage),
    RIGD_CODE(case_does_not_fit, usage),
    RIGD_CODE(nothing_selected, usage),
    RIGD_CODE(bad_image, usage),
    RIGD_CODE(io_failure, rig),
    RIGD_CODE(timeout, rig),
    RIGD_CODE(disconnected, rig),
    RIGD_CODE(disk_full, rig),
    RIGD_CODE(busy, rig),
    RIGD_CODE(spawn_failed, rig),
    RIGD_CODE(child_died, rig),
    RIGD_CODE(adapter_missing, rig),
    RIGD_CODE(adapter_ambiguous, rig),
    RIGD_CODE(adapter_hung, rig),
    RIGD_CODE(flash_failed, rig),
    RIGD_CODE(verify_mismatch, rig),
    RIGD_CODE(wrong_image, rig),
    RIGD_CODE(port_missing, rig),
    RIGD_CODE(port_ambiguous, rig),
    RIGD_CODE(link_corrupt, rig),
    RIGD_CODE(link_protocol, rig),
    RIGD_CODE(probe_identity, rig),
    RIGD_CODE(probe_calibration, rig),
    RIGD_CODE(probe_lost, rig),
    RIGD_CODE(store_failure, rig),
    RIGD_CODE(board_silent, board),
    RIGD_CODE(board_crashed, board),
    RIGD_CODE(wrong_answer, board),
    RIGD_CODE(wrong_digest, board),
    RIGD_CODE(board_refused, board),
    RIGD_CODE(samples_lost, invalid),
    RIGD_CODE(windows_missing, invalid),
    RIGD_CODE(clocks_disagree, invalid),
    RIGD_CODE(out_of_range, invalid),
    RIGD_CODE(regression, regression),
    RIGD_CODE(interrupted, interrupted),
    RIGD_CODE(internal, internal),
};
#undef RIGD_CODE

const CodeFacts& facts_of(ErrorCode code) noexcept {
  for (const CodeFacts& entry : facts)
    if (entry.code == code) return entry;
  return facts[std::size(facts) - 1];
}

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
  return facts_of(code).name;
}

Fault fault_of(ErrorCode code) noexcept {
  return facts_of(code).fault;
}

std::string Error::text() const {
  std::string line;
  for (const std::string& place : context_ | std::views::reverse)
    line += place + ": ";
  return line + message_;
}

}  // namespace rigd
