#include "run/executor.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>

#include "base/sha256.hpp"
#include "run/case_runner.hpp"
#include "run/slot_rig.hpp"
#include "run/task_group.hpp"

namespace rigd::run {

namespace {

using namespace std::chrono_literals;

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

store::HostFacts host_facts() {
  store::HostFacts facts;
  utsname names{};
  if (uname(&names) == 0) {
    facts.name = names.nodename;
    facts.kernel = fmt::format("{} {}", names.sysname, names.release);
  }
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    facts.cpu = line.substr(std::min(line.size(), line.find(':') + 2));
    break;
  }
  return facts;
}

Error interrupted() {
  return Error(ErrorCode::interrupted, "stopped by the user");
}

}  // namespace

// One run: its steps in order, its place in the store, its end.
class Executor::Slot {
 public:
  Slot(boost::asio::any_io_executor executor, const Setup& setup, const SlotJob& job, StoreThread& store,
       Observer& observer)
      : executor_(std::move(executor)), setup_(setup), job_(job), store_(store), observer_(observer) {
    outcome_.slot = job.setup.name;
  }

  io::Awaitable<void> run() {
    const Result<store::Id> id = co_await enter_in_store();
    if (!id) {
      outcome_.error = Error(id.error()).at("slot " + outcome_.slot);
      co_return;
    }
    outcome_.run_id = *id;
    log_.emplace(store_, observer_, *id, outcome_.slot);
    Result<void> done = co_await execute();
    if (interrupted_) done = std::unexpected(interrupted());
    if (rig_) co_await rig_->bring_down();
    co_await leave_store(std::move(done));
  }

  void interrupt() {
    interrupted_ = true;
    if (rig_) rig_->interrupt();
  }

  SlotOutcome outcome() && { return std::move(outcome_); }

 private:
  io::Awaitable<Result<store::Id>> enter_in_store() {
    store::Run run;
    run.session = setup_.session;
    run.nonce = nonce_;
    run.plan_name = setup_.plan.name;
    run.plan_text = setup_.plan.text;
    run.bench_name = setup_.bench.path.filename().string();
    run.bench_text = setup_.bench.text;
    run.slot = outcome_.slot;
    run.rigd_version = setup_.version;
    run.host = host_facts();
    run.started_utc_ns = utc_now_ns();
    auto begin = [run](store::Store& store) { return store.begin_run(run); };
    co_return co_await store_.call(std::move(begin));
  }

  io::Awaitable<void> leave_store(Result<void> done) {
    store::RunState state = store::RunState::finished;
    std::optional<store::Problem> problem;
    if (!done) {
      outcome_.error = Error(done.error()).at("slot " + outcome_.slot);
      state = done.error().code() == ErrorCode::interrupted ? store::RunState::interrupted
                                                            : store::RunState::failed;
      problem = store::Problem::of(done.error());
      co_await log_->error("end", done.error());
    } else {
      co_await log_->info(
          "end", fmt::format("{} measurements, {} not valid", outcome_.measured, outcome_.problems.size()));
    }
    auto finish = [id = *outcome_.run_id, state, problem](store::Store& store) {
      return store.finish_run(id, state, problem);
    };
    const Result<void> finished = co_await store_.call(std::move(finish));
    if (!finished && !outcome_.error) outcome_.error = Error(finished.error()).at("slot " + outcome_.slot);
  }

  // Power, flash, hello, then case by case; each step has a deadline and a typed failure.
  io::Awaitable<Result<void>> execute() {
    RIGD_CO_CHECK(co_await bring_up());
    Result<link::Hello> hello = co_await flash_and_greet();
    if (!hello) co_return std::unexpected(co_await rig_->explain(std::move(hello.error())));
    Result<void> measured = co_await measure_all(*hello);
    if (!measured) co_return std::unexpected(co_await rig_->explain(std::move(measured.error())));
    co_return Result<void>();
  }

  io::Awaitable<Result<void>> bring_up() {
    const bench::Places places{setup_.scratch, setup_.scratch / outcome_.slot, setup_.scratch / "usb",
                               setup_.programs};
    std::error_code problem;
    std::filesystem::create_directories(places.slot, problem);
    if (problem)
      co_return fail(ErrorCode::io_failure, fmt::format("{}: {}", places.slot.string(), problem.message()));
    RIGD_CO_TRY(bench::SlotSetup setup, bench::expand(job_.setup, places));
    rig_.emplace(executor_, std::move(setup));
    co_await log_->info("start", fmt::format("board {}", job_.setup.board.title));
    Result<void> up = co_await rig_->bring_up(nonce_, setup_.plan);
    if (!up) co_return std::unexpected(co_await rig_->explain(std::move(up.error())));
    const probe::Identity& probe = rig_->probe_identity();
    co_await log_->info(
        "power", fmt::format("probe {} {}, {} mV", probe.driver, probe.serial, job_.setup.probe.voltage_mv));
    store::Store::RunFacts facts;
    facts.probe = store::Probe{probe.driver, probe.serial, probe.firmware, probe.calibration_hash,
                               probe.calibration_text};
    co_return co_await describe(std::move(facts));
  }

  io::Awaitable<Result<link::Hello>> flash_and_greet() {
    if (setup_.plan.flash == FlashPolicy::if_needed) {
      std::optional<link::Hello> hello = co_await already_running();
      if (hello) {
        co_await log_->info("flash", "not needed: the board runs this image");
        RIGD_CO_CHECK(co_await record_board(*hello));
        co_return std::move(*hello);
      }
    }
    RIGD_CO_TRY(const flash::FlashReport report,
                co_await rig_->flash(job_.image, Deadline::in(setup_.plan.flash_within)));
    co_await log_->info(
        "flash",
        fmt::format("{} programmed and verified in {:.2f} s ({})", job_.image.path().filename().string(),
                    std::chrono::duration<double>(report.duration).count(), report.tool));
    RIGD_CO_TRY(link::Hello hello, co_await rig_->board().hello(Deadline::in(setup_.plan.answer_within)));
    RIGD_CO_CHECK(check_identity(hello));
    RIGD_CO_CHECK(co_await record_board(hello));
    co_return hello;
  }

  // The hello of a board that already runs the image; empty when it says something else, or nothing.
  io::Awaitable<std::optional<link::Hello>> already_running() {
    // Long enough for a running board, short enough not to matter before a flash.
    constexpr Duration kGlance = 300ms;
    if (job_.setup.simulator && !job_.setup.simulator->preloaded) co_return std::nullopt;
    Result<link::Hello> hello = co_await rig_->board().hello(Deadline::in(kGlance));
    if (!hello || !check_identity(*hello)) co_return std::nullopt;
    co_return std::move(*hello);
  }

  Result<void> check_identity(const link::Hello& hello) const {
    if (hello.board != job_.setup.board.name)
      return fail(ErrorCode::wrong_image,
                  fmt::format("the board that answers is '{}', the bench file says '{}'", hello.board,
                              job_.setup.board.name));
    if (hello.build_id != job_.image.build_id())
      return fail(ErrorCode::wrong_image, fmt::format("the board answers with build-id {}, the image has {}",
                                                      hex(hello.build_id), hex(job_.image.build_id())));
    return {};
  }

  io::Awaitable<Result<void>> record_board(const link::Hello& hello) {
    co_await log_->info(
        "hello", fmt::format("{} uid {} build {} cpu {} Hz timer {} Hz", hello.board, hex(hello.chip_uid),
                             hex(hello.build_id), hello.cpu_hz, hello.timer_hz));
    const flash::Image& image = job_.image;
    store::Store::RunFacts facts;
    facts.board =
        store::Board{hello.board, hex(hello.chip_uid), job_.setup.board.title, job_.setup.board.core};
    const flash::ImageSizes sizes = image.sizes();
    facts.image = store::Image{hex(image.build_id()),
                               sha256_hex(image.bytes()),
                               hello.toolchain,
                               hello.flags,
                               image.path().filename().string(),
                               static_cast<std::int64_t>(sizes.text),
                               static_cast<std::int64_t>(sizes.data),
                               static_cast<std::int64_t>(sizes.bss)};
    co_return co_await describe(std::move(facts));
  }

  io::Awaitable<Result<void>> describe(store::Store::RunFacts facts) {
    auto add = [id = *outcome_.run_id, facts](store::Store& store) { return store.describe_run(id, facts); };
    co_return co_await store_.call(std::move(add));
  }

  io::Awaitable<Result<void>> measure_all(const link::Hello& hello) {
    RIGD_CO_TRY(const std::vector<link::CaseInfo> held,
                co_await rig_->board().list_cases(Deadline::in(setup_.plan.answer_within)));
    CaseRunner runner(*rig_, setup_.plan, hello, store_, *log_, *outcome_.run_id);
    for (const PlannedCase& planned : job_.cases) {
      if (interrupted_) co_return std::unexpected(interrupted());
      const auto info = std::ranges::find(held, planned.id, &link::CaseInfo::id);
      if (info == held.end())
        co_return fail(ErrorCode::link_protocol,
                       fmt::format("the board does not list '{}', its image does", planned.id));
      Result<std::optional<Error>> problem = co_await runner.measure(*info, planned);
      if (!problem) co_return fail(problem, planned.label());
      ++outcome_.measured;
      if (*problem) outcome_.problems.push_back({planned.label(), std::move(**problem)});
    }
    co_return Result<void>();
  }

  boost::asio::any_io_executor executor_;
  const Setup& setup_;
  const SlotJob& job_;
  StoreThread& store_;
  Observer& observer_;
  std::uint32_t nonce_ = std::random_device{}();
  std::optional<RunLog> log_;
  std::optional<SlotRig> rig_;
  bool interrupted_ = false;
  SlotOutcome outcome_;
};

Executor::Executor(boost::asio::any_io_executor executor, Setup setup, StoreThread& store, Observer& observer)
    : executor_(std::move(executor)), setup_(std::move(setup)), store_(store), observer_(observer) {
  for (const SlotJob& job : setup_.jobs)
    slots_.push_back(std::make_unique<Slot>(executor_, setup_, job, store_, observer_));
}

Executor::~Executor() = default;

io::Awaitable<std::vector<SlotOutcome>> Executor::run() {
  TaskGroup all(executor_);
  for (const std::unique_ptr<Slot>& slot : slots_)
    all.start(slot->run());
  const Deadline never{TimePoint::max()};  // each step of each slot has its own
  (void)co_await all.wait_all(never);
  std::vector<SlotOutcome> outcomes;
  for (const std::unique_ptr<Slot>& slot : slots_)
    outcomes.push_back(std::move(*slot).outcome());
  co_return outcomes;
}

void Executor::interrupt() {
  for (const std::unique_ptr<Slot>& slot : slots_)
    slot->interrupt();
}

int exit_status(const std::vector<SlotOutcome>& outcomes) {
  constexpr std::array kGravestFirst = {Fault::internal, Fault::board, Fault::rig, Fault::invalid,
                                        Fault::usage};
  const auto has = [&](Fault fault) {
    return std::ranges::any_of(outcomes, [&](const SlotOutcome& outcome) {
      const auto of_fault = [&](const MeasurementProblem& problem) { return problem.error.fault() == fault; };
      return (outcome.error && outcome.error->fault() == fault) ||
             std::ranges::any_of(outcome.problems, of_fault);
    });
  };
  for (const Fault fault : kGravestFirst)
    if (has(fault)) return static_cast<int>(fault);
  return 0;
}

}  // namespace rigd::run
