// Errors are values: every function below main that can fail returns Result<T>.
//
// An Error says what failed and where. Who is at fault follows from its code alone, everywhere: exit status,
// JUnit, tables. What to do about it (the remedy) is added by the front end, see host/rigd/remedy.hpp.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rigd {

// Who is at fault. The number is the process's exit status.
enum class Fault : int {
  usage = 2,          // a file, option or name given by the user
  internal = 3,       // a defect of rigd itself
  rig = 4,            // adapter, link, probe, simulator or host: says nothing about the code under test
  board = 1,          // the board gave a wrong answer, crashed, or never answered after a good flash
  regression = 6,     // a result moved
  invalid = 7,        // measured, but the measurement cannot be trusted
  interrupted = 130,  // nobody: the user stopped it, or the process was killed
};

std::string_view to_string(Fault fault) noexcept;

enum class ErrorCode : int {
  // usage
  bad_argument,
  bad_plan,
  bad_bench,
  bad_board_file,
  bad_database,
  schema_too_new,
  unknown_case,
  unknown_slot,
  case_does_not_fit,
  nothing_selected,
  bad_image,
  // rig
  io_failure,
  timeout,
  disconnected,
  disk_full,
  busy,
  spawn_failed,
  child_died,
  adapter_missing,
  adapter_ambiguous,
  adapter_hung,
  flash_failed,
  verify_mismatch,
  wrong_image,  // the board answers with another build-id than the one just flashed
  port_missing,
  port_ambiguous,
  link_corrupt,
  link_protocol,
  probe_identity,
  probe_calibration,
  probe_lost,
  store_failure,
  // board
  board_silent,
  board_crashed,
  wrong_answer,
  wrong_digest,
  board_refused,
  // invalid
  samples_lost,
  windows_missing,
  clocks_disagree,
  out_of_range,
  // regression, internal
  regression,
  interrupted,
  internal,
};

std::string_view to_string(ErrorCode code) noexcept;  // its name as written above: stable, used in reports
Fault fault_of(ErrorCode code) noexcept;

class Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const noexcept { return code_; }
  Fault fault() const noexcept { return fault_of(code_); }
  const std::string& message() const noexcept { return message_; }
  const std::vector<std::string>& context() const noexcept { return context_; }

  // Adds where it happened, innermost first: error.at("slot m0").at("run 12").
  Error&& at(std::string place) && {
    context_.push_back(std::move(place));
    return std::move(*this);
  }
  Error& at(std::string place) & {
    context_.push_back(std::move(place));
    return *this;
  }

  // One line: "run 12: slot m0: message".
  std::string text() const;

 private:
  ErrorCode code_;
  std::string message_;
  std::vector<std::string> context_;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected<Error>(Error(code, std::move(message)));
}
// Passes an error on, saying where.
template <class T>
std::unexpected<Error> fail(Result<T>& result, std::string place) {
  return std::unexpected<Error>(std::move(result.error()).at(std::move(place)));
}

}  // namespace rigd

// RIGD_TRY(auto value, expression) declares `value` from a Result or returns its error.
// RIGD_CHECK(expression) does so for Result<void>. RIGD_CO_* are the same inside coroutines; the expression
// may then be `co_await call` (name what you await: never an inline lambda or aggregate).
#define RIGD_CONCAT_(a, b) a##b
#define RIGD_CONCAT(a, b) RIGD_CONCAT_(a, b)
#define RIGD_TRY_(holder, leave, decl, ...)                                     \
  auto holder = (__VA_ARGS__);                                                  \
  if (!holder) leave std::unexpected<::rigd::Error>(std::move(holder.error())); \
  decl = std::move(*holder)
#define RIGD_CHECK_(holder, leave, ...) \
  if (auto holder = (__VA_ARGS__); !holder) leave std::unexpected<::rigd::Error>(std::move(holder.error()))
#define RIGD_TRY(decl, ...) RIGD_TRY_(RIGD_CONCAT(rigd_result_, __LINE__), return, decl, __VA_ARGS__)
#define RIGD_CO_TRY(decl, ...) RIGD_TRY_(RIGD_CONCAT(rigd_result_, __LINE__), co_return, decl, __VA_ARGS__)
#define RIGD_CHECK(...) RIGD_CHECK_(RIGD_CONCAT(rigd_result_, __LINE__), return, __VA_ARGS__)
#define RIGD_CO_CHECK(...) RIGD_CHECK_(RIGD_CONCAT(rigd_result_, __LINE__), co_return, __VA_ARGS__)
