// The bench's store: one SQLite file, one writer.
//
// Durability. commit_measurement(), begin_run(), describe_run() and finish_run() return when the data is on
// the disk (WAL, synchronous=FULL: one fsync each). add_event() hands the event to the kernel without an
// fsync: it survives the death of the process at once, and a power cut from the next of the calls above on.
//
// Any method may be called from any thread; calls wait for each other. All errors of SQLite come back as
// ErrorCode::disk_full, busy or store_failure; what was committed before stays readable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/rows.hpp"
#include "store/trace.hpp"

namespace rigd::store {

class Store {
 public:
  // Opens for writing; a file that does not exist is created. At most one process may: a second gets
  // ErrorCode::busy, naming the first. Runs that a dead process left `running` become `interrupted`.
  // ErrorCode::bad_database: not a database of rigd, a folder that is missing or may not be written;
  // schema_too_new: made by a newer rigd. In these cases nothing is created or changed.
  static Result<Store> open(const std::filesystem::path& file);
  // Opens an existing file for the queries below; needs no lock and may run beside a writer.
  static Result<Store> open_read_only(const std::filesystem::path& file);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  int interrupted_runs() const;  // how many open() found abandoned

  // --- writing
  // -------------------------------------------------------------------------------------------------

  // Stores a run in state `running` (with board, image and probe if already known) and returns its id.
  Result<Id> begin_run(const Run& run);
  // Adds what became known of the running run; absent members of the struct stay as they are.
  struct RunFacts {
    std::optional<Board> board = {};
    std::optional<Image> image = {};
    std::optional<Probe> probe = {};
  };
  Result<void> describe_run(Id run_id, const RunFacts& facts);
  Result<void> add_event(Id run_id, const Event& event);
  // All or nothing, and on the disk when it returns the measurement's id. `trace` may be null.
  Result<Id> commit_measurement(const Measurement& measurement, std::span<const Repetition> repetitions,
                                const Trace* trace);
  // state: finished, failed or interrupted; `problem` for the latter two.
  Result<void> finish_run(Id run_id, RunState state, const std::optional<Problem>& problem);

  // --- reading
  // -------------------------------------------------------------------------------------------------

  Result<std::vector<Run>> runs(const RunFilter& filter = {}) const;     // oldest first
  Result<std::vector<Measurement>> measurements(Id run_id) const;        // in the order of measuring
  Result<std::vector<Repetition>> repetitions(Id measurement_id) const;  // by idx
  Result<std::vector<Event>> events(Id run_id) const;                    // in order
  Result<std::optional<TraceInfo>> trace_info(Id measurement_id) const;  // absent: no trace was kept
  // The words of [first, last), cut to what is stored.
  Result<TraceWindow> trace_words(Id measurement_id, std::int64_t first_sample,
                                  std::int64_t last_sample) const;
  // min/mean/max current of [first, last) in `pixels` columns, from the pyramid; its finest bands are 256
  // samples. With `convert` a closer look is taken from the words themselves.
  Result<std::vector<Band>> envelope(Id measurement_id, std::int64_t first_sample, std::int64_t last_sample,
                                     std::size_t pixels, const Convert& convert = {}) const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace rigd::store
