// A plan executed on the slots of a bench, one run a slot, all slots at once: power, flash, hello, known
// answers, marker windows while the probe streams, reduction, store. What happens to one slot never touches
// another.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "run/plan.hpp"
#include "run/run_log.hpp"
#include "run/selection.hpp"
#include "run/store_thread.hpp"

namespace rigd::run {

struct Setup {
  Plan plan;
  bench::Bench bench;
  std::vector<SlotJob> jobs;
  std::filesystem::path scratch;   // this command's folder: sockets, logs
  std::filesystem::path programs;  // where rigd's own programs are
  std::string session;             // joins the runs of this command in the store
  std::string version;             // of rigd
};

struct MeasurementProblem {
  std::string label;  // case and size
  Error error;
};

struct SlotOutcome {
  std::string slot;
  std::optional<store::Id> run_id;           // absent: the run could not even be entered in the store
  std::optional<Error> error;                // why the run ended early
  std::vector<MeasurementProblem> problems;  // measurements that are not valid
  std::size_t measured = 0;                  // measurements stored
};

class Executor {
 public:
  Executor(boost::asio::any_io_executor executor, Setup setup, StoreThread& store, Observer& observer);
  ~Executor();

  io::Awaitable<std::vector<SlotOutcome>> run();

  // Ends all runs early; they are stored as interrupted. Safe to call more than once.
  void interrupt();

 private:
  class Slot;
  boost::asio::any_io_executor executor_;
  Setup setup_;
  StoreThread& store_;
  Observer& observer_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

// The exit status of a whole command: 0, or that of the gravest fault (internal, board, rig, invalid).
int exit_status(const std::vector<SlotOutcome>& outcomes);

}  // namespace rigd::run
