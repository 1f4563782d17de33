// Rows into tables, inside the caller's transaction; for store.cpp only.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace rigd::store {

struct FactIds {
  std::optional<Id> board;
  std::optional<Id> image;
  std::optional<Id> probe;
};

// The three columns of a problem, NULL without one. Points into the problem.
struct ProblemColumns {
  explicit ProblemColumns(const std::optional<Problem>& problem) {
    if (!problem) return;
    fault = problem->fault;
    code = problem->code;
    text = problem->text;
  }
  std::optional<std::string_view> fault;
  std::optional<std::string_view> code;
  std::optional<std::string_view> text;
};

// Equal facts are stored once and shared by the runs.
Result<FactIds> insert_facts(Statements& statements, const Store::RunFacts& facts);

// With its statistics and repetitions. ErrorCode::internal when a repetition has a value whose provenance no
// statistic states.
Result<Id> insert_measurement(Statements& statements, const Measurement& measurement,
                              std::span<const Repetition> repetitions);

Result<void> insert_trace(Statements& statements, Id measurement_id, const Trace& trace);

}  // namespace rigd::store
