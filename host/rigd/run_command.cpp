#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>

#include "base/log.hpp"
#include "report/load.hpp"
#include "report/writers.hpp"
#include "rigd/commands.hpp"
#include "rigd/progress.hpp"
#include "rigd/remedy.hpp"
#include "rigd/waveform.hpp"
#include "run/executor.hpp"
#include "store/store.hpp"

namespace rigd {

namespace fs = std::filesystem;

namespace {

constexpr int kInterruptedStatus = 130;

// A fresh folder for sockets and logs; its path must be short, since a socket's name has 107 characters at
// most.
class Scratch {
 public:
  explicit Scratch(bool keep) : keep_(keep) {
    const char* base = std::getenv("TMPDIR");
    std::string pattern = std::string(base && *base ? base : "/tmp") + "/rigd-XXXXXX";
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty() && !keep_) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool keep_;
};

Result<report::Kind> kind_of(const fs::path& file) {
  if (const std::optional<report::Kind> kind = report::kind_of_ending(file.extension().string()))
    return *kind;
  return fail(ErrorCode::bad_argument,
              fmt::format("--report {}: the ending must be .csv, .json, .xml or .html", file.string()));
}

Result<run::Setup> prepare(const RunArguments& arguments) {
  for (const fs::path& file : arguments.reports)
    RIGD_CHECK(kind_of(file));
  run::Setup setup;
  RIGD_TRY(setup.plan, run::load_plan(arguments.plan));
  RIGD_TRY(setup.bench, bench::load_bench(arguments.bench));
  RIGD_TRY(setup.jobs,
           run::select(setup.plan, setup.bench, arguments.slots, images_folder(arguments.images)));
  setup.programs = programs_folder();
  setup.version = RIGD_VERSION;
  std::random_device random;
  setup.session = fmt::format("{:08x}{:08x}", random(), random());
  return setup;
}

// First interrupt: the runs end in order and are stored as interrupted. Second: at once.
void watch_interrupts(boost::asio::signal_set& signals, run::Executor& executor, bool& interrupted) {
  auto on_signal = [&](const boost::system::error_code& error, int) {
    if (error) return;
    if (interrupted) std::_Exit(kInterruptedStatus);
    interrupted = true;
    log::warning("stopping; a flash under way is finished first. Interrupt again to stop at once");
    executor.interrupt();
    watch_interrupts(signals, executor, interrupted);
  };
  signals.async_wait(std::move(on_signal));
}

struct Execution {
  std::vector<run::SlotOutcome> outcomes;
  bool interrupted = false;
};

Execution execute(run::Setup setup, store::Store& store) {
  boost::asio::io_context reactor(1);
  Execution execution;
  run::StoreThread store_thread(store);
  Progress progress(isatty(STDERR_FILENO) != 0);
  run::Executor executor(reactor.get_executor(), std::move(setup), store_thread, progress);
  boost::asio::signal_set signals(reactor, SIGINT, SIGTERM);
  watch_interrupts(signals, executor, execution.interrupted);
  auto on_end = [&](const std::exception_ptr& problem, std::vector<run::SlotOutcome> outcomes) {
    signals.cancel();
    if (problem) std::rethrow_exception(problem);
    execution.outcomes = std::move(outcomes);
  };
  boost::asio::co_spawn(reactor, executor.run(), std::move(on_end));
  reactor.run();
  return execution;
}

// Of the terminal; a pipe or file takes lines of any length.
std::size_t output_width() {
  constexpr std::size_t kUnlimited = 1000;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnlimited;
  return size.ws_col;
}

Result<void> write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) return fail(ErrorCode::io_failure, fmt::format("{}: cannot be written", file.string()));
  return {};
}

// Beside results.csv, one row a measurement: results-repetitions.csv, one row a repetition.
fs::path repetitions_file(const fs::path& csv) {
  return csv.parent_path() / (csv.stem().string() + "-repetitions" + csv.extension().string());
}

Result<void> write_reports(const RunArguments& arguments, const report::RunReport& results) {
  for (const fs::path& file : arguments.reports) {
    RIGD_TRY(const report::Kind kind, kind_of(file));
    RIGD_CHECK(write_file(file, report::write(kind, results)));
    if (kind == report::Kind::csv)
      RIGD_CHECK(write_file(repetitions_file(file), report::repetitions_csv(results)));
  }
  return {};
}

Result<void> show(const RunArguments& arguments, const store::Store& store, const std::string& session,
                  std::string command) {
  RIGD_TRY(report::RunReport results, report::load_session(store, session, converter_of));
  results.command = std::move(command);
  if (arguments.json)
    std::cout << report::write(report::Kind::json, results);
  else
    std::cout << report::table(results, isatty(STDOUT_FILENO) != 0, output_width());
  std::cout.flush();
  return write_reports(arguments, results);
}

void report_outcomes(const std::vector<run::SlotOutcome>& outcomes) {
  for (const run::SlotOutcome& outcome : outcomes) {
    for (const run::MeasurementProblem& problem : outcome.problems)
      report_error(Error(problem.error).at(problem.label).at("slot " + outcome.slot));
    if (outcome.error) report_error(*outcome.error);
  }
}

std::string command_line(const RunArguments& arguments) {
  return fmt::format("rigd run {} --bench {} --db {}", arguments.plan.string(), arguments.bench.string(),
                     arguments.database.string());
}

}  // namespace

int run_command(const RunArguments& arguments) {
  Result<run::Setup> setup = prepare(arguments);
  if (!setup) return report_error(setup.error());
  const Scratch scratch(arguments.keep);
  if (scratch.path().empty())
    return report_error(Error(ErrorCode::io_failure, "no scratch folder can be made under TMPDIR or /tmp"));
  setup->scratch = scratch.path();
  Result<store::Store> store = store::Store::open(arguments.database);
  if (!store) return report_error(store.error());
  if (store->interrupted_runs() > 0)
    log::warning("{} earlier runs had been cut off; marked as interrupted", store->interrupted_runs());

  const std::string session = setup->session;
  const Execution execution = execute(std::move(*setup), *store);
  const Result<void> shown = show(arguments, *store, session, command_line(arguments));
  report_outcomes(execution.outcomes);
  if (arguments.keep) log::info("kept {}", scratch.path().string());
  if (execution.interrupted) return kInterruptedStatus;
  const int status = run::exit_status(execution.outcomes);
  if (!shown && status == 0) return report_error(shown.error());
  return status;
}

}  // namespace rigd
