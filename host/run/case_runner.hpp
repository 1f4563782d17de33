// Measures one case on one slot: known answer, pilot, marker windows while the probe streams, reduction,
// store.
#pragma once

#include <optional>

#include "link/messages.hpp"
#include "run/plan.hpp"
#include "run/reduce.hpp"
#include "run/run_log.hpp"
#include "run/slot_rig.hpp"
#include "run/store_thread.hpp"

namespace rigd::run {

class CaseRunner {
 public:
  CaseRunner(SlotRig& rig, const Plan& plan, const link::Hello& hello, StoreThread& store, RunLog& log,
             store::Id run_id)
      : rig_(rig), plan_(plan), hello_(hello), store_(store), log_(log), run_id_(run_id) {}

  // Stores one measurement, valid or not. The value is why it is not valid, if so; an error means that the
  // slot cannot go on.
  io::Awaitable<Result<std::optional<Error>>> measure(const link::CaseInfo& info, const PlannedCase& planned);

 private:
  io::Awaitable<Result<std::uint32_t>> choose_inner(const link::CaseInfo& info, const PlannedCase& planned);
  io::Awaitable<Result<double>> pilot_seconds(const link::CaseInfo& info, const PlannedCase& planned,
                                              std::uint32_t inner);
  io::Awaitable<void> settle();
  io::Awaitable<Result<CaseRecord>> record(const link::RunRequest& request);
  io::Awaitable<void> await_windows(capture::Recorder& recorder, const link::RunRequest& request);
  io::Awaitable<Result<store::Id>> commit(Reduction reduction);

  SlotRig& rig_;
  const Plan& plan_;
  const link::Hello& hello_;
  StoreThread& store_;
  RunLog& log_;
  store::Id run_id_;
  // The pilots of this case, whose windows the probe's stream may still have to deliver.
  struct Pilots {
    std::uint64_t windows_before = 0;  // through the stream before the first
    std::uint64_t run = 0;
    std::uint64_t seen = 0;  // of these, long enough to be seen
    double seconds = 0;      // of all together
  };
  Pilots pilots_;
};

}  // namespace rigd::run
