#include "link/session.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/log.hpp"
#include "link/codec.hpp"
#include "link/frame.hpp"

namespace rigd::link {

using namespace std::chrono_literals;
using io::Awaitable;

namespace {

// How often a request may be asked (the one retry rule, session.hpp).
struct Retry {
  Duration first_patience;
  unsigned attempts;
  bool when_broken;  // at once when a broken frame arrives
};

Retry until_it_is_up() {
  return {250ms, std::numeric_limits<unsigned>::max(), false};
}
Retry twice(Deadline deadline) {
  return {deadline.left() / 2, 2, true};
}
Retry never(Deadline deadline) {
  return {deadline.left(), 1, false};
}

bool worth_another_try(const Error& error) {
  return error.code() == ErrorCode::board_silent || error.code() == ErrorCode::link_corrupt;
}

std::unexpected<Error> refused(const Status& status) {
  const std::string detail = status.detail.empty() ? "" : ": " + status.detail;
  return fail(ErrorCode::board_refused,
              fmt::format("the board answered {}{}", to_string(status.code), detail));
}

std::unexpected<Error> unexpected_answer(std::string_view wanted) {
  return fail(ErrorCode::link_protocol, fmt::format("the board's answer is not {}", wanted));
}

// The body wanted, or why the board did not give it.
template <class Body>
Result<Body> expect(Result<Response> response, std::string_view wanted) {
  if (!response) return std::unexpected(std::move(response.error()));
  if (auto* body = std::get_if<Body>(&response->body)) return std::move(*body);
  if (const auto* status = std::get_if<Status>(&response->body); status && status->code != StatusCode::ok)
    return refused(*status);
  return unexpected_answer(wanted);
}

void log_line(const LogLine& line) {
  constexpr std::array levels{log::Level::debug, log::Level::info, log::Level::warning, log::Level::error};
  log::write(levels.at(line.level), "board: " + line.text);
}

}  // namespace

// The frames of one board, and which request is being answered.
class Session::Line {
 public:
  Line(io::StreamPtr stream, std::uint32_t nonce) : stream_(std::move(stream)), nonce_(nonce) {}

  Awaitable<Result<void>> send(decltype(Request::body) body, Deadline deadline) {
    const Request request{++sequence_, nonce_, body};
    PayloadBuffer payload;
    FrameBuffer frame;
    const auto encoded = encode_frame(encode_request(request, payload), frame);
    // The 0x00 in front ends whatever half frame or noise the board may have received before.
    std::array<std::byte, kMaxFrame + 1> bytes{};
    std::ranges::copy(encoded, bytes.begin() + 1);
    const std::span<const std::byte> out = std::span(bytes).first(encoded.size() + 1);
    co_return co_await stream_->write(out, deadline);
  }

  // The next answer to the request sent last. Silence is judged from `since` on.
  Awaitable<Result<Response>> answer(Deadline deadline, Statistics since, bool broken_ends = false) {
    for (;;) {
      while (const auto payload = decoder_.next(unread_)) {
        auto response = decode_response(*payload);
        count_frames();
        if (!response || is_answer(*response)) co_return response;
      }
      count_frames();
      if (broken_ends && statistics_.bad_frames > since.bad_frames) co_return silence(since);
      const auto count = co_await stream_->read_some(buffer_, deadline);
      if (!count && count.error().code() == ErrorCode::timeout) co_return silence(since);
      if (!count) co_return std::unexpected(count.error());
      statistics_.bytes += *count;
      unread_ = std::span(buffer_).first(*count);
    }
  }

  // Asks and waits for the first answer, again as `retry` allows.
  Awaitable<Result<Response>> ask(decltype(Request::body) body, Retry retry, Deadline deadline) {
    const Statistics before = statistics_;
    Duration patience = retry.first_patience;
    for (unsigned attempt = 1;; ++attempt) {
      const bool last = attempt == retry.attempts;
      const Deadline until = last ? deadline : Deadline::in(patience).earlier(deadline);
      RIGD_CO_CHECK(co_await send(body, until));
      auto response = co_await answer(until, before, retry.when_broken && !last);
      if (response || last || deadline.passed() || !worth_another_try(response.error())) co_return response;
      patience *= 2;
      count_retry();
    }
  }

  // Asks for the list once and takes it whole.
  Awaitable<Result<std::vector<CaseInfo>>> list_once(Deadline deadline, bool broken_ends) {
    const Statistics before = statistics_;
    const ListRequest request;
    RIGD_CO_CHECK(co_await send(request, deadline));
    std::vector<CaseInfo> cases;
    for (;;) {
      RIGD_CO_TRY(Response response, co_await answer(deadline, before, broken_ends));
      const auto* status = std::get_if<Status>(&response.body);
      if (status != nullptr && status->code == StatusCode::ok) co_return cases;
      RIGD_CO_TRY(CaseInfo info, expect<CaseInfo>(std::move(response), "a case"));
      if (info.index != cases.size()) co_return missing_case(cases.size(), before);
      cases.push_back(std::move(info));
    }
  }

  Awaitable<Result<RunOutcome>> collect_repetitions(RunRequest request, OnRepetition on_repetition,
                                                    Duration patience, Deadline deadline,
                                                    RunOutcome& outcome) {
    std::uint32_t next = 0;
    for (Duration wait = patience * (request.warmup + 1ll);; wait = patience) {
      const Deadline until = Deadline::in(wait).earlier(deadline);
      RIGD_CO_TRY(const Response response, co_await answer(until, statistics_));
      if (const auto* done = std::get_if<RunDone>(&response.body)) {
        if (done->repetitions != request.repetitions)
          co_return unexpected_answer("the run that was asked for");
        outcome.done = *done;
        outcome.lost = request.repetitions - outcome.received;
        co_return outcome;
      }
      RIGD_CO_TRY(const Repetition repetition, expect<Repetition>(response, "a repetition"));
      if (repetition.index < next || repetition.index >= request.repetitions)
        co_return unexpected_answer(fmt::format("repetition {} or a later one", next));
      next = repetition.index + 1;
      ++outcome.received;
      on_repetition(repetition);
    }
  }

  const Statistics& statistics() const { return statistics_; }
  void on_log(OnLog callback) { on_log_ = std::move(callback); }
  void count_retry() { ++statistics_.retries; }
  void close() noexcept { stream_->close(); }

 private:
  bool is_answer(const Response& response) {
    if (const auto* line = std::get_if<LogLine>(&response.body)) return on_log_(*line), false;
    if (response.sequence == sequence_ && response.nonce == nonce_) return true;
    ++statistics_.stale_frames;
    return false;
  }

  void count_frames() {
    statistics_.good_frames = decoder_.good();
    statistics_.bad_frames = decoder_.bad();
  }

  // Why there is no answer, by what came since.
  std::unexpected<Error> silence(const Statistics& since) const {
    const auto bytes = statistics_.bytes - since.bytes;
    const auto good = statistics_.good_frames - since.good_frames;
    const auto bad = statistics_.bad_frames - since.bad_frames;
    const auto stale = statistics_.stale_frames - since.stale_frames;
    if (bad > 0 || (bytes > 0 && good == 0))
      return fail(ErrorCode::link_corrupt,
                  fmt::format("the board's answer is broken ({} broken and {} valid frames in {} bytes)", bad,
                              good, bytes));
    if (good == 0) return fail(ErrorCode::board_silent, "the board sent nothing");
    return fail(ErrorCode::board_silent,
                fmt::format("the board did not answer ({} answers to other requests came)", stale));
  }

  std::unexpected<Error> missing_case(std::size_t position, const Statistics& before) const {
    const bool broken = statistics_.bad_frames > before.bad_frames;
    return fail(broken ? ErrorCode::link_corrupt : ErrorCode::link_protocol,
                fmt::format("case {} is missing from the board's list", position));
  }

  io::StreamPtr stream_;
  std::uint32_t nonce_;
  std::uint32_t sequence_ = 0;
  FrameDecoder decoder_;
  std::array<std::byte, 4096> buffer_{};
  std::span<const std::byte> unread_;
  Statistics statistics_;
  OnLog on_log_ = log_line;
};

Session::Session(io::StreamPtr stream, std::uint32_t nonce)
    : line_(std::make_unique<Line>(std::move(stream), nonce)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Awaitable<Result<Hello>> Session::hello(Deadline deadline) {
  const HelloRequest request;
  const Retry retry = until_it_is_up();
  auto response = co_await line_->ask(request, retry, deadline);
  auto hello = expect<Hello>(std::move(response), "a hello");
  if (!hello) co_return fail(hello, "hello");
  if (hello->protocol != kProtocolVersion)
    co_return fail(ErrorCode::link_protocol,
                   fmt::format("hello: the board speaks protocol version {}, this rigd {}", hello->protocol,
                               kProtocolVersion));
  co_return hello;
}

Awaitable<Result<std::vector<CaseInfo>>> Session::list_cases(Deadline deadline) {
  const Deadline half = Deadline::in(deadline.left() / 2);
  auto cases = co_await line_->list_once(half, true);
  if (!cases && worth_another_try(cases.error())) {
    line_->count_retry();
    cases = co_await line_->list_once(deadline, false);
  }
  if (!cases) co_return fail(cases, "list of cases");
  co_return cases;
}

Awaitable<Result<CheckResult>> Session::check_case(CheckRequest request, Deadline deadline) {
  const Retry retry = twice(deadline);
  auto response = co_await line_->ask(request, retry, deadline);
  auto result = expect<CheckResult>(std::move(response), "a check result");
  if (!result) co_return fail(result, fmt::format("check of case {}", request.index));
  co_return result;
}

Awaitable<Result<RunOutcome>> Session::run_case(RunRequest request, OnRepetition on_repetition,
                                                Duration patience, Deadline deadline) {
  RIGD_CO_CHECK(co_await line_->send(request, deadline));
  RunOutcome outcome;
  auto result =
      co_await line_->collect_repetitions(request, std::move(on_repetition), patience, deadline, outcome);
  if (!result)
    co_return fail(result, fmt::format("run of case {}, after {} of {} repetitions", request.index,
                                       outcome.received, request.repetitions));
  co_return result;
}

Awaitable<Result<MemoryUse>> Session::memory(Deadline deadline) {
  const MemoryRequest request;
  const Retry retry = twice(deadline);
  auto response = co_await line_->ask(request, retry, deadline);
  auto use = expect<MemoryUse>(std::move(response), "a memory report");
  if (!use) co_return fail(use, "memory");
  co_return use;
}

Awaitable<Result<void>> Session::reset(Deadline deadline) {
  const ResetRequest request;
  const Retry retry = never(deadline);
  auto response = co_await line_->ask(request, retry, deadline);
  auto status = expect<Status>(std::move(response), "a status");
  if (!status) co_return fail(status, "reset");
  if (status->code != StatusCode::ok) co_return refused(*status);
  co_return Result<void>{};
}

void Session::on_log(OnLog callback) {
  line_->on_log(std::move(callback));
}

const Statistics& Session::statistics() const noexcept {
  return line_->statistics();
}

void Session::close() noexcept {
  line_->close();
}

}  // namespace rigd::link
