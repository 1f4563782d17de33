#include "link/codec.hpp"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cassert>

#include "link/wire.pb.h"

namespace rigd::link {

namespace {

constexpr std::uint32_t kMostCases = 1024;

// A board's bad message is an error value here; the library would also print it.
[[maybe_unused]] const auto quiet = google::protobuf::SetLogHandler(nullptr);

template <class... Handlers>
struct Overload : Handlers... {
  using Handlers::operator()...;
};

void fill(wire::Request& to, const Request& from) {
  to.set_sequence(from.sequence);
  to.set_nonce(from.nonce);
  const Overload put_body{
      [&](const HelloRequest&) { to.mutable_hello(); },
      [&](const ListRequest&) { to.mutable_list_cases(); },
      [&](const CheckRequest& check) {
        wire::CheckCaseRequest& body = *to.mutable_check_case();
        body.set_index(check.index);
        body.set_size(check.size);
        body.set_inner(check.inner);
      },
      [&](const RunRequest& run) {
        wire::RunCaseRequest& body = *to.mutable_run_case();
        body.set_index(run.index);
        body.set_size(run.size);
        body.set_repetitions(run.repetitions);
        body.set_inner(run.inner);
        body.set_gap_us(run.gap_us);
        body.set_warmup(run.warmup);
      },
      [&](const MemoryRequest&) { to.mutable_memory(); },
      [&](const ResetRequest&) { to.mutable_reset(); },
  };
  std::visit(put_body, from.body);
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Free text may hold anything; what could move a terminal's cursor is replaced.
std::string harmless(std::string text) {
  std::ranges::replace_if(text, is_control, '.');
  return text;
}

// Collects what is wrong with a message; the first complaint counts.
class Check {
 public:
  explicit Check(std::string_view message) : message_(message) {}

  void that(bool holds, std::string_view what) {
    if (!holds && wrong_.empty()) wrong_ = what;
  }
  void text(const std::string& value, std::size_t limit, std::string_view field) {
    that(value.size() < limit && !std::ranges::any_of(value, is_control), field);
  }
  void size(const std::string& value, std::size_t limit, std::string_view field) {
    that(value.size() <= limit, field);
  }

  template <class T>
  Result<T> done(T value) const {
    if (wrong_.empty()) return value;
    return fail(ErrorCode::link_protocol, fmt::format("{} from the board: bad {}", message_, wrong_));
  }

 private:
  std::string_view message_;
  std::string_view wrong_;
};

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

// The limits are those of proto/link/link.options; nanopb's max_size of a string counts its final zero.

Result<Hello> read(const wire::Hello& from) {
  Check check("Hello");
  check.text(from.board(), 24, "board");
  check.size(from.chip_uid(), 16, "chip_uid");
  check.size(from.build_id(), 20, "build_id");
  check.text(from.toolchain(), 40, "toolchain");
  check.text(from.flags(), 64, "flags");
  check.that(from.cpu_hz() > 0, "cpu_hz");
  check.that(from.timer_hz() > 0, "timer_hz");
  check.that(from.max_payload() <= kMaxPayload, "max_payload");
  check.that(from.case_count() <= kMostCases, "case_count");
  return check.done(Hello{.protocol = from.protocol(),
                          .board = from.board(),
                          .chip_uid = bytes_of(from.chip_uid()),
                          .build_id = bytes_of(from.build_id()),
                          .toolchain = from.toolchain(),
                          .flags = from.flags(),
                          .cpu_hz = from.cpu_hz(),
                          .timer_hz = from.timer_hz(),
                          .flash_wait_states = from.flash_wait_states(),
                          .max_payload = from.max_payload(),
                          .case_count = from.case_count(),
                          .ram_bytes = from.ram_bytes(),
                          .cycle_counter = from.cycle_counter()});
}

Result<CaseInfo> read(const wire::CaseInfo& from) {
  Check check("CaseInfo");
  check.that(from.index() < kMostCases, "index");
  check.that(!from.id().empty() && !from.id().contains(' '), "id");
  check.text(from.id(), 64, "id");
  check.text(from.library(), 32, "library");
  check.that(from.min_size() <= from.max_size(), "min_size");
  check.that(from.size_step() > 0, "size_step");
  return check.done(CaseInfo{.index = from.index(),
                             .id = from.id(),
                             .library = from.library(),
                             .min_size = from.min_size(),
                             .max_size = from.max_size(),
                             .size_step = from.size_step()});
}

Result<Status> read(const wire::Status& from) {
  Check check("Status");
  check.that(wire::Status::Code_IsValid(from.code()), "code");
  check.size(from.detail(), 63, "detail");
  return check.done(Status{static_cast<StatusCode>(from.code()), harmless(from.detail())});
}

Result<LogLine> read(const wire::LogLine& from) {
  Check check("LogLine");
  check.that(from.level() <= 3, "level");
  check.size(from.text(), 95, "text");
  return check.done(LogLine{from.level(), harmless(from.text())});
}

Result<CheckResult> read(const wire::CheckResult& from) {
  Check check("CheckResult");
  check.that(from.failed_vector() <= from.vectors(), "failed_vector");
  check.that(!from.passed() || from.failed_vector() == 0, "passed");
  return check.done(CheckResult{from.passed(), from.vectors(), from.failed_vector(), from.digest()});
}

Result<Repetition> read(const wire::Repetition& from) {
  return Repetition{from.index(), from.timer_ticks(), from.cycles(), from.digest()};
}

Result<RunDone> read(const wire::RunDone& from) {
  return RunDone{from.repetitions(), from.stack_bytes(), from.heap_bytes()};
}

Result<MemoryUse> read(const wire::MemoryUse& from) {
  return MemoryUse{from.stack_bytes(), from.stack_size_bytes(), from.heap_bytes(), from.heap_size_bytes()};
}

template <class Body>
Result<Response> respond(const wire::Response& from, Result<Body> body) {
  if (!body) return std::unexpected(std::move(body.error()));
  return Response{from.sequence(), from.nonce(), std::move(*body)};
}

}  // namespace

std::string_view to_string(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::ok:
      return "OK";
    case StatusCode::bad_request:
      return "BAD_REQUEST";
    case StatusCode::unknown_case:
      return "UNKNOWN_CASE";
    case StatusCode::bad_size:
      return "BAD_SIZE";
    case StatusCode::bad_count:
      return "BAD_COUNT";
    case StatusCode::out_of_memory:
      return "OUT_OF_MEMORY";
    case StatusCode::operation_failed:
      return "OPERATION_FAILED";
  }
  return "?";
}

std::span<const std::byte> encode_request(const Request& request, PayloadBuffer& into) {
  thread_local wire::Request message;  // reused: it keeps the memory of its parts
  message.Clear();
  fill(message, request);
  const std::size_t size = message.ByteSizeLong();
  assert(size <= into.size());
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(into.data()));
  return std::span(into).first(size);
}

Result<Response> decode_response(std::span<const std::byte> payload) {
  thread_local wire::Response message;
  if (payload.size() > kMaxPayload ||
      !message.ParseFromArray(payload.data(), static_cast<int>(payload.size())))
    return fail(ErrorCode::link_protocol, "the board sent a frame that is not a message");
  switch (message.body_case()) {
    case wire::Response::kStatus:
      return respond(message, read(message.status()));
    case wire::Response::kHello:
      return respond(message, read(message.hello()));
    case wire::Response::kCaseInfo:
      return respond(message, read(message.case_info()));
    case wire::Response::kCheck:
      return respond(message, read(message.check()));
    case wire::Response::kRepetition:
      return respond(message, read(message.repetition()));
    case wire::Response::kRunDone:
      return respond(message, read(message.run_done()));
    case wire::Response::kMemory:
      return respond(message, read(message.memory()));
    case wire::Response::kLog:
      return respond(message, read(message.log()));
    case wire::Response::BODY_NOT_SET:
      break;
  }
  return fail(ErrorCode::link_protocol, "the board sent a message of an unknown kind");
}

}  // namespace rigd::link
