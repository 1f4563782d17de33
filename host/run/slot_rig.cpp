#include "run/slot_rig.hpp"

#include <fmt/format.h>

#include "flash/openocd.hpp"
#include "io/serial.hpp"
#include "io/unix.hpp"
#include "probe/ppk2/driver.hpp"

namespace rigd::run {

namespace {

using namespace std::chrono_literals;

constexpr Duration kStopWithin = 2s;
// A simulator that dies takes its sockets with it; its own word on why comes a moment later.
constexpr Duration kExplainWithin = 2s;
// rigd-sim-board's exit status for "the board's CPU locked up" (host/sim/board).
constexpr int kBoardCrashed = 3;

io::Awaitable<Result<io::StreamPtr>> open_port(const bench::PortSetup& port, Deadline deadline) {
  if (!port.socket.empty()) co_return co_await io::open_unix(port.socket, deadline);
  io::SerialSelector selector;
  selector.usb_serial = port.usb_serial;
  if (port.usb_interface >= 0) selector.interface_number = port.usb_interface;
  selector.baud = port.baud;
  co_return co_await io::open_serial(selector, deadline);
}

// A port that cannot be opened or a device that leaves while it is set up has lost its probe, whatever the
// stream says.
Error as_probe_error(Error error) {
  if (error.code() != ErrorCode::disconnected) return error;
  return Error(ErrorCode::probe_lost, error.text());
}

}  // namespace

SlotRig::SlotRig(boost::asio::any_io_executor executor, bench::SlotSetup setup)
    : executor_(executor),
      setup_(std::move(setup)),
      tap_(executor, setup_.probe.marker_input),
      edges_(executor),
      simulator_ended_(executor),
      tasks_(executor) {}

io::Awaitable<Result<void>> SlotRig::bring_up(std::uint32_t nonce, const Plan& plan) {
  const Deadline deadline = Deadline::in(plan.start_within);
  RIGD_CO_CHECK(co_await start_simulator(deadline));
  RIGD_CO_CHECK(co_await start_probe(deadline));
  RIGD_CO_CHECK(co_await start_counter(deadline));
  RIGD_CO_CHECK(co_await open_link(nonce, deadline));
  co_return Result<void>();
}

io::Awaitable<Result<void>> SlotRig::start_simulator(Deadline deadline) {
  if (!setup_.simulator) co_return Result<void>();
  io::ProcessOptions options;
  options.argv.push_back(setup_.simulator->program);
  for (const std::string& argument : setup_.simulator->args)
    options.argv.push_back(argument);
  for (const auto& [name, constant] : setup_.board.synthetic) {
    options.argv.push_back("--set");
    options.argv.push_back(fmt::format("{}={}", name, constant.value));
  }
  options.argv.push_back("--set");
  options.argv.push_back(fmt::format("clock_hz={}", setup_.board.clock_hz));
  options.argv.push_back("--set");
  options.argv.push_back(fmt::format("voltage_mv={}", setup_.probe.voltage_mv));
  RIGD_CO_TRY(simulator_, io::Process::spawn(executor_, options));
  RIGD_CO_CHECK(co_await simulator_->wait_for_line("ready", deadline));
  tasks_.start(watch_simulator());
  co_return Result<void>();
}

io::Awaitable<Result<void>> SlotRig::start_probe(Deadline deadline) {
  Result<io::StreamPtr> stream = co_await open_port(setup_.probe.port, deadline);
  if (!stream) co_return fail(stream, "probe");
  using probe::ppk2::PowerMode;
  probe::ppk2::Options options;
  options.mode = setup_.probe.mode == bench::ProbeMode::source ? PowerMode::source : PowerMode::ampere;
  options.voltage_mv = setup_.probe.voltage_mv;
  options.serial = setup_.probe.port.usb_serial;
  probe_ = std::make_unique<probe::ppk2::Ppk2>(std::move(*stream), options);
  Result<probe::Identity> identity = co_await probe_->open(deadline);
  if (!identity) co_return std::unexpected(as_probe_error(std::move(identity.error())).at("probe"));
  identity_ = std::move(*identity);
  Result<void> powered = co_await probe_->set_power(true, deadline);
  if (!powered) co_return std::unexpected(as_probe_error(std::move(powered.error())).at("probe"));
  tasks_.start(stream_probe());
  co_return Result<void>();
}

io::Awaitable<Result<void>> SlotRig::start_counter(Deadline deadline) {
  if (!setup_.counter) co_return Result<void>();
  Result<io::StreamPtr> stream = co_await io::open_unix(setup_.counter->socket, deadline);
  if (!stream) co_return fail(stream, "counter");
  counter_ = std::make_unique<probe::EdgeCounter>(std::move(*stream));
  Result<void> opened = co_await counter_->open(deadline);
  if (!opened) co_return fail(opened, "counter");
  tasks_.start(stream_counter());
  co_return Result<void>();
}

io::Awaitable<Result<void>> SlotRig::open_link(std::uint32_t nonce, Deadline deadline) {
  Result<io::StreamPtr> stream = co_await open_port(setup_.link, deadline);
  if (!stream) co_return fail(stream, "link");
  session_.emplace(std::move(*stream), nonce);
  co_return Result<void>();
}

io::Awaitable<Result<flash::FlashReport>> SlotRig::flash(const flash::Image& image, Deadline deadline) {
  flash::OpenOcdOptions options;
  options.interface_config = setup_.adapter.interface;
  options.target_config = setup_.board.openocd_target;
  options.adapter_serial = setup_.adapter.serial;
  options.before = setup_.board.openocd_before;
  options.env.assign(setup_.adapter.env.begin(), setup_.adapter.env.end());
  options.usb_root = setup_.adapter.usb_root;
  flash::OpenOcd flasher(executor_, std::move(options));
  co_return co_await flasher.flash(image, deadline);
}

io::Awaitable<void> SlotRig::watch_simulator() {
  const Deadline never{TimePoint::max()};
  const Result<io::ExitStatus> status = co_await simulator_->wait(never);
  if (status && !stopping_) {
    const bool crashed = status->code == kBoardCrashed && status->signal == 0;
    fail_with(Error(crashed ? ErrorCode::board_crashed : ErrorCode::child_died,
                    fmt::format("simulator ended ({}): {}", status->text(), simulator_->last_line())));
  }
  simulator_ended_.notify_all();
}

io::Awaitable<void> SlotRig::stream_probe() {
  const Result<void> ended = co_await probe_->stream(tap_);
  if (!stopping_ && !ended) fail_with(as_probe_error(ended.error()).at("probe"));
  tap_.on_end();
}

io::Awaitable<void> SlotRig::stream_counter() {
  const Result<void> ended = co_await counter_->stream(edges_);
  if (!stopping_ && !ended) fail_with(Error(ended.error()).at("counter"));
  edges_.on_end();
}

void SlotRig::fail_with(Error error) {
  // The simulator's own word beats that of a stream which broke because of it.
  const bool cause = error.code() == ErrorCode::child_died || error.code() == ErrorCode::board_crashed;
  if (!failure_ || cause) failure_ = std::move(error);
  if (session_) session_->close();
}

void SlotRig::interrupt() {
  fail_with(Error(ErrorCode::interrupted, "stopped by the user"));
}

io::Awaitable<Error> SlotRig::explain(Error error) {
  const bool broken =
      error.code() == ErrorCode::disconnected || error.code() == ErrorCode::probe_lost || failure_;
  if (broken && simulator_ && !simulator_->status()) {
    // A probe that left on its own leaves the simulator alive; only a dying one gets the time to say why.
    const Duration patience = error.code() == ErrorCode::probe_lost ? 200ms : kExplainWithin;
    const Deadline deadline = Deadline::in(patience);
    co_await simulator_ended_.wait(deadline);
  }
  co_return failure_ ? *failure_ : error;
}

io::Awaitable<void> SlotRig::bring_down() {
  stopping_ = true;
  const Deadline deadline = Deadline::in(kStopWithin);
  if (session_) session_->close();
  if (probe_) (void)co_await probe_->stop(deadline);
  if (counter_) counter_->stop();
  if (simulator_ && !simulator_->status()) (void)co_await simulator_->terminate(kStopWithin);
  (void)co_await tasks_.wait_all(Deadline::in(kStopWithin));
}

}  // namespace rigd::run
