// What a board and the daemon say to each other, as plain values; proto/link/link.proto defines the wire form
// and the meaning of each field. Values that came from a board are within the bounds of
// proto/link/link.options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rigd::link {

inline constexpr std::uint32_t kProtocolVersion = 1;

// --- requests

struct HelloRequest {};
struct ListRequest {};
struct MemoryRequest {};
struct ResetRequest {};

struct CheckRequest {
  std::uint32_t index = 0;  // of the case, as CaseInfo gives it
  std::uint32_t size = 0;   // bytes
  std::uint32_t inner = 1;
};

struct RunRequest {
  std::uint32_t index = 0;
  std::uint32_t size = 0;  // bytes
  std::uint32_t repetitions = 1;
  std::uint32_t inner = 1;   // operations inside one marker window
  std::uint32_t gap_us = 0;  // idle before and after each window
  std::uint32_t warmup = 0;  // windows before the first repetition
};

struct Request {
  std::uint32_t sequence = 0;
  std::uint32_t nonce = 0;
  std::variant<HelloRequest, ListRequest, CheckRequest, RunRequest, MemoryRequest, ResetRequest> body;
};

// --- answers

struct Hello {
  std::uint32_t protocol = 0;
  std::string board;                   // type, as the board file is named
  std::vector<std::uint8_t> chip_uid;  // empty where the chip has none
  std::vector<std::uint8_t> build_id;  // of the running image
  std::string toolchain;
  std::string flags;
  std::uint32_t cpu_hz = 0;
  std::uint32_t timer_hz = 0;
  std::uint32_t flash_wait_states = 0;
  std::uint32_t max_payload = 0;  // bytes
  std::uint32_t case_count = 0;
  std::uint32_t ram_bytes = 0;
  bool cycle_counter = false;

  bool operator==(const Hello&) const = default;
};

struct CaseInfo {
  std::uint32_t index = 0;
  std::string id;       // primitive/operation/implementation
  std::string library;  // with its version
  std::uint32_t min_size = 0;
  std::uint32_t max_size = 0;
  std::uint32_t size_step = 1;

  bool takes(std::uint32_t size) const {
    return size >= min_size && size <= max_size && size % size_step == 0;
  }
  bool operator==(const CaseInfo&) const = default;
};

struct CheckResult {
  bool passed = false;
  std::uint32_t vectors = 0;        // tried
  std::uint32_t failed_vector = 0;  // 1-based; 0: none
  std::uint32_t digest = 0;         // every repetition must give the same

  bool operator==(const CheckResult&) const = default;
};

struct Repetition {
  std::uint32_t index = 0;
  std::uint32_t timer_ticks = 0;
  std::uint32_t cycles = 0;  // 0 without a cycle counter (Hello.cycle_counter)
  std::uint32_t digest = 0;

  bool operator==(const Repetition&) const = default;
};

struct RunDone {
  std::uint32_t repetitions = 0;
  std::uint32_t stack_bytes = 0;
  std::uint32_t heap_bytes = 0;

  bool operator==(const RunDone&) const = default;
};

struct MemoryUse {
  std::uint32_t stack_bytes = 0;
  std::uint32_t stack_size_bytes = 0;
  std::uint32_t heap_bytes = 0;
  std::uint32_t heap_size_bytes = 0;

  bool operator==(const MemoryUse&) const = default;
};

struct LogLine {
  std::uint32_t level = 0;  // 0 debug, 1 info, 2 warning, 3 error
  std::string text;

  bool operator==(const LogLine&) const = default;
};

enum class StatusCode : std::uint32_t {
  ok = 0,
  bad_request = 1,
  unknown_case = 2,
  bad_size = 3,
  bad_count = 4,
  out_of_memory = 5,
  operation_failed = 6,
};

std::string_view to_string(StatusCode code) noexcept;

struct Status {
  StatusCode code = StatusCode::ok;
  std::string detail;

  bool operator==(const Status&) const = default;
};

struct Response {
  std::uint32_t sequence = 0;
  std::uint32_t nonce = 0;
  std::variant<Status, Hello, CaseInfo, CheckResult, Repetition, RunDone, MemoryUse, LogLine> body;
};

}  // namespace rigd::link
