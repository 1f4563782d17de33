#include "probe/ppk2/driver.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/timer.hpp"

namespace rigd::probe::ppk2 {

namespace {

using namespace std::chrono_literals;

enum Opcode : std::uint8_t {
  kStart = 0x06,
  kStop = 0x07,
  kPower = 0x0C,    // 0 off, 1 on
  kVoltage = 0x0D,  // millivolt, big-endian
  kMode = 0x11,     // 1 ampere meter, 2 source meter
  kMetadata = 0x19,
};

constexpr unsigned kLeastMv = 800;
constexpr unsigned kMostMv = 5000;
constexpr std::size_t kReadBytes = 1 << 16;
constexpr std::size_t kMostStaleBytes =
    1 << 20;                    // a killed client left 17 kB; a device that never stops sends on
constexpr auto kQuiet = 20ms;   // nothing came for so long: the queue is empty
constexpr auto kSlice = 20ms;   // how soon the receiving loop notices stop()
constexpr auto kSilence = 10s;  // a streaming instrument that says nothing for so long is gone
constexpr auto kCommand = 1s;
constexpr auto kAnswer = 2s;  // the metadata take milliseconds
constexpr auto kPoll = 2ms;

using Bytes = std::vector<std::uint8_t>;  // named before it is awaited with

struct RangeAccuracy {
  double up_to_a, gain_relative, resolution_a;
};
constexpr RangeAccuracy kAccuracy[kRanges] = {
    {50e-6, 0.10, 0.2e-6}, {500e-6, 0.10, 0.5e-6}, {5e-3, 0.10, 5e-6}, {50e-3, 0.10, 50e-6}, {1, 0.15, 1e-3}};
constexpr double kVoltageRelative = 0.015;

bool timed_out(const Error& error) {
  return error.code() == ErrorCode::timeout;
}

}  // namespace

Ppk2::Ppk2(io::StreamPtr port, Options options)
    : port_(std::move(port)), options_(std::move(options)), buffer_(kReadBytes), rate_(options_.rate) {}

Capabilities Ppk2::capabilities() const {
  return {.rate_hz = kSampleRateHz,
          .logic_inputs = 8,
          .sets_voltage = options_.mode == PowerMode::source,
          .measures_voltage = false};
}

Volt Ppk2::voltage() const {
  return Volt(options_.voltage_mv / 1000.0);
}

Accuracy Ppk2::accuracy(Ampere current) const {
  const double size = std::abs(current.value);
  unsigned range = 0;
  while (range + 1 < kRanges && size > kAccuracy[range].up_to_a)
    ++range;
  return {.gain_relative = kAccuracy[range].gain_relative,
          .resolution_a = kAccuracy[range].resolution_a,
          .voltage_relative = kVoltageRelative};
}

io::Awaitable<Result<Identity>> Ppk2::open(Deadline deadline) {
  if (options_.voltage_mv < kLeastMv || options_.voltage_mv > kMostMv)
    co_return fail(ErrorCode::bad_argument, fmt::format("PPK2 voltage {} mV is outside {} to {} mV",
                                                        options_.voltage_mv, kLeastMv, kMostMv));
  if (state_ != State::ready) RIGD_CO_CHECK(expect(State::closed, "open"));
  RIGD_CO_CHECK(co_await halt(deadline));
  RIGD_CO_CHECK(co_await read_metadata(deadline));
  RIGD_CO_CHECK(co_await configure(deadline));
  table_ = std::make_unique<ConversionTable>(metadata_.calibration, voltage());
  state_ = State::ready;
  const std::string unit = metadata_.hw ? fmt::format("HW {}", *metadata_.hw) : std::string();
  co_return Identity{.driver = "ppk2",
                     .serial = options_.serial.empty() ? unit : options_.serial,
                     .firmware = fmt::format("metadata format {}", to_string(metadata_.format)),
                     .calibration_hash = metadata_.calibration.hash(),
                     .calibration_text = metadata_.text};
}

io::Awaitable<Result<void>> Ppk2::set_power(bool on, Deadline deadline) {
  if (state_ != State::streaming) RIGD_CO_CHECK(expect(State::ready, "set_power"));
  const Bytes power{kPower, on};
  co_return co_await command(power, deadline);
}

io::Awaitable<Result<void>> Ppk2::stream(SampleSink& sink) {
  RIGD_CO_CHECK(expect(State::ready, "stream"));
  sink_ = &sink;
  decoder_ = std::make_unique<Decoder>(*table_, sink);
  rate_ = RateMonitor(options_.rate);
  good_until_ = 0;
  stopping_.reset();
  const Bytes start{kStart};
  RIGD_CO_CHECK(co_await command(start, Deadline::in(kCommand)));
  state_ = State::streaming;
  Result<void> outcome = co_await receive();
  decoder_->finish();
  if (state_ == State::lost)
    sink.on_gap({decoder_->received(), decoder_->received(), 0, capture::GapCause::disconnect});
  else
    state_ = State::ready;
  co_return outcome;
}

// Decodes until stop() was called and the queue is empty, or the device is lost.
io::Awaitable<Result<void>> Ppk2::receive() {
  TimePoint last_arrival = Clock::now();
  for (;;) {
    const bool was_stopping = stopping_.has_value();
    const Deadline slice = Deadline::in(was_stopping ? Duration(kQuiet) : Duration(kSlice));
    Result<std::size_t> got = co_await port_->read_some(buffer_, slice);
    const TimePoint now = Clock::now();
    if (got) {
      decoder_->push(std::span(buffer_).first(*got));
      rate_.observe(now, decoder_->received());
      last_arrival = now;
    } else if (!timed_out(got.error())) {
      co_return std::unexpected(lost(got.error()));
    } else if (was_stopping) {
      co_return Result<void>{};
    } else if (now - last_arrival > kSilence) {
      co_return std::unexpected(lost(Error(ErrorCode::probe_lost, "PPK2 sends no samples")));
    }
    if (stopping_ && stopping_->passed())
      co_return fail(ErrorCode::timeout, "PPK2 kept streaming after stop");
  }
}

io::Awaitable<Result<void>> Ppk2::stop(Deadline deadline) {
  if (state_ != State::streaming) {
    RIGD_CO_CHECK(expect(State::ready, "stop"));
    co_return co_await halt(deadline);
  }
  stopping_ = deadline;
  const Bytes halt_stream{kStop};
  RIGD_CO_CHECK(co_await command(halt_stream, deadline));
  while (state_ == State::streaming) {
    if (deadline.passed()) co_return fail(ErrorCode::timeout, "PPK2 kept streaming after stop");
    co_await io::sleep_until(Deadline::in(kPoll));
  }
  if (state_ == State::lost) co_return fail(ErrorCode::probe_lost, "PPK2 went away");
  co_return Result<void>{};
}

// Good as soon as something sampled after this call began arrives in time: then nothing before it is missing.
io::Awaitable<Result<std::uint64_t>> Ppk2::check_rate(Deadline deadline) {
  RIGD_CO_CHECK(expect(State::streaming, "check_rate"));
  const capture::SampleIndex asked = decoder_->received();
  for (;;) {
    const TimePoint now = Clock::now();
    rate_.observe(now, decoder_->received());
    if (rate_.good_until() > asked) {
      good_until_ = rate_.good_until();
      co_return std::uint64_t{0};
    }
    const auto certain = rate_.deficit(now);
    if (certain || deadline.passed()) {
      const std::uint64_t missing = certain.value_or(rate_.shortfall());
      if (missing != 0) report_deficit(missing);
      co_return missing;
    }
    co_await io::sleep_until(Deadline::in(kPoll).earlier(deadline));
    RIGD_CO_CHECK(expect(State::streaming, "check_rate"));
  }
}

void Ppk2::report_deficit(std::uint64_t missing) {
  const auto now = decoder_->received();
  sink_->on_gap({good_until_, now, missing, capture::GapCause::rate});
  good_until_ = now;
  rate_.accept();
}

// Stops a stream that may be running and empties the queue.
io::Awaitable<Result<void>> Ppk2::halt(Deadline deadline) {
  const Bytes halt_stream{kStop};
  RIGD_CO_CHECK(co_await command(halt_stream, deadline));
  std::size_t stale = 0;
  while (stale < kMostStaleBytes && !deadline.passed()) {
    const Result<std::size_t> got =
        co_await port_->read_some(buffer_, Deadline::in(kQuiet).earlier(deadline));
    if (got)
      stale += *got;
    else if (timed_out(got.error()) && !deadline.passed())
      co_return Result<void>{};
    else if (!timed_out(got.error()))
      co_return std::unexpected(lost(got.error()));
  }
  co_return fail(ErrorCode::timeout, fmt::format("PPK2 keeps sending after stop: {} bytes", stale));
}

io::Awaitable<Result<void>> Ppk2::read_metadata(Deadline deadline) {
  const Bytes request{kMetadata};
  RIGD_CO_CHECK(co_await command(request, deadline));
  const Deadline answered = Deadline::in(kAnswer).earlier(deadline);
  MetadataParser parser;
  std::size_t seen = 0;
  while (!parser.complete() && seen < kMostStaleBytes) {
    Result<std::size_t> got = co_await port_->read_some(buffer_, answered);
    if (!got && !timed_out(got.error())) co_return std::unexpected(lost(got.error()));
    if (!got) break;
    parser.feed(std::span(buffer_).first(*got));
    seen += *got;
  }
  RIGD_CO_TRY(metadata_, parser.result());
  co_return check_plausible(metadata_.calibration);
}

io::Awaitable<Result<void>> Ppk2::configure(Deadline deadline) {
  const auto mode = static_cast<std::uint8_t>(options_.mode);
  const Bytes set_voltage{kVoltage, static_cast<std::uint8_t>(options_.voltage_mv >> 8),
                          static_cast<std::uint8_t>(options_.voltage_mv & 0xFF)};
  const Bytes set_mode{kMode, mode};
  const Bytes power_off{kPower, 0};
  const Bytes power_on{kPower, 1};
  const bool switches_to_source = options_.mode == PowerMode::source && metadata_.mode != mode;

  RIGD_CO_CHECK(co_await command(set_voltage, deadline));
  if (switches_to_source) RIGD_CO_CHECK(co_await command(power_off, deadline));
  RIGD_CO_CHECK(co_await command(set_mode, deadline));
  if (options_.mode == PowerMode::ampere) RIGD_CO_CHECK(co_await command(power_on, deadline));
  co_return Result<void>{};
}

io::Awaitable<Result<void>> Ppk2::command(Bytes bytes, Deadline deadline) {
  Result<void> written = co_await port_->write(std::as_bytes(std::span(bytes)), deadline);
  if (written || timed_out(written.error())) co_return written;
  co_return std::unexpected(lost(written.error()));
}

Result<void> Ppk2::expect(State state, const char* call) const {
  if (state_ == state) return {};
  if (state_ == State::lost) return fail(ErrorCode::probe_lost, "PPK2 went away");
  return fail(ErrorCode::internal, fmt::format("PPK2: {} called in the wrong state", call));
}

Error Ppk2::lost(const Error& cause) {
  state_ = State::lost;
  return Error(ErrorCode::probe_lost, "PPK2 went away: " + cause.text());
}

}  // namespace rigd::probe::ppk2
