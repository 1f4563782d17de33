// From accepting a plan to the first result stored, on a board that already runs the image: what a person at
// the bench waits for, and what the daemon adds to every job. The board is simulated and stays up between the
// rounds.
#include <benchmark/benchmark.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "io/process.hpp"
#include "run/executor.hpp"
#include "store/store.hpp"

namespace rigd {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view kPlan = R"([plan]
name = "first result"
[measure]
repetitions = 1
warmup = 0
[[case]]
id = "sha-256/hash/mbedtls"
sizes = [55]
)";

std::string bench_text(const fs::path& folder) {
  const std::string at = folder.string();
  return "[bench]\nname = \"running board\"\n[[slot]]\nname = \"m0\"\nboard = \"" RIGD_RIGS
         "/boards/microbit.toml\"\n[slot.adapter]\nserial = \"none\"\ninterface = "
         "\"none\"\n[slot.link]\nsocket = \"" +
         at + "/uart.sock\"\n[slot.probe]\ndriver = \"ppk2\"\nsocket = \"" + at +
         "/ppk2.sock\"\nmode = \"source\"\nvoltage_mv = 3000\nmarker_input = 0\n[slot.counter]\nsocket = \"" +
         at + "/edges.sock\"\n";
}

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

// Notes when the first measurement was stored.
struct FirstResult : run::Observer {
  void on_event(std::string_view, const store::Event& event) override {
    if (event.step == "measure" && !at) at = Clock::now();
  }
  std::optional<TimePoint> at;
};

// A simulated microbit with the image already running.
class RunningBoard {
 public:
  RunningBoard() {
    char pattern[] = "/tmp/rigd-XXXXXX";
    folder_ = mkdtemp(pattern);
    io::ProcessOptions options;
    options.argv = {RIGD_BIN "/rigd-sim-board",
                    "--board",
                    "microbit",
                    "--slot-dir",
                    folder_,
                    "--usb-dir",
                    folder_,
                    "--adapter-serial",
                    "none",
                    "--seed",
                    "1",
                    "--kernel",
                    RIGD_IMAGES "/microbit.elf",
                    "--without",
                    "adapter",
                    "--set",
                    "clock_hz=16000000",
                    "--set",
                    "run_ua=4400"};
    board_.emplace(must(io::Process::spawn(reactor_.get_executor(), options)));
    std::optional<Result<void>> ready;
    auto take = [&ready](const std::exception_ptr&, Result<void> value) { ready = std::move(value); };
    boost::asio::co_spawn(reactor_, board_->wait_for_line("ready", Deadline::in(20s)), std::move(take));
    while (!ready)
      reactor_.run_one();
    if (!*ready) throw std::runtime_error(ready->error().text());
  }
  ~RunningBoard() {
    board_.reset();
    fs::remove_all(folder_);
  }
  const std::string& folder() const { return folder_; }

 private:
  boost::asio::io_context reactor_;
  std::string folder_;
  std::optional<io::Process> board_;
};

// Seconds from accepting the plan to the first result.
double one_job(const std::string& folder, store::Store& store) {
  const TimePoint accepted = Clock::now();
  run::Setup setup;
  setup.plan = must(run::parse_plan(kPlan, "plan.toml"));
  setup.bench = must(bench::parse_bench(bench_text(folder), fs::path(RIGD_RIGS) / "benches" / "x.toml"));
  setup.jobs = must(run::select(setup.plan, setup.bench, {}, RIGD_IMAGES));
  setup.scratch = folder;
  setup.session = "bench";
  FirstResult first;
  {
    boost::asio::io_context reactor(1);
    run::StoreThread store_thread(store);
    run::Executor executor(reactor.get_executor(), std::move(setup), store_thread, first);
    std::vector<run::SlotOutcome> outcomes;
    auto take = [&outcomes](const std::exception_ptr&, std::vector<run::SlotOutcome> all) {
      outcomes = std::move(all);
    };
    boost::asio::co_spawn(reactor, executor.run(), std::move(take));
    reactor.run();
    if (outcomes.empty() || outcomes[0].error) throw std::runtime_error("the run failed");
  }
  return std::chrono::duration<double>(*first.at - accepted).count();
}

void first_result(benchmark::State& state) {
  const RunningBoard board;
  const fs::path database = fs::path(board.folder()) / "bench.db";
  store::Store store = must(store::Store::open(database));
  for (auto _ : state)
    state.SetIterationTime(one_job(board.folder(), store));
}
BENCHMARK(first_result)
    ->UseManualTime()
    ->Iterations(20)
    ->Repetitions(3)
    ->ReportAggregatesOnly()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rigd
