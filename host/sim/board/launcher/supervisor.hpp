// One slot's simulated board: starts its programs in order, keeps the edge hub going, and judges how it ends.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "io/fd.hpp"
#include "sim/board/launcher/child.hpp"
#include "sim/board/launcher/commands.hpp"
#include "sim/board/launcher/hub.hpp"
#include "sim/board/launcher/options.hpp"
#include "sim/common/poll_loop.hpp"

namespace rigd::sim::board {

// Exit statuses of rigd-sim-board.
inline constexpr int kStopped = 0;  // asked to end
inline constexpr int kBadUsage = 2;
inline constexpr int kBoardCrashed = 3;  // the firmware locked the core up
inline constexpr int kSimulatorFailed = 4;

struct Verdict {
  int status = kStopped;
  std::string reason;  // one line, empty when asked to end
};

class Supervisor {
 public:
  // SIGTERM and SIGINT must be blocked; `end_signal` is readable once one of them came.
  Supervisor(Options options, io::UniqueFd end_signal);

  // Runs the board until it ends. Calls `when_ready` once every socket listens. On return no child runs.
  Verdict run(const std::function<void()>& when_ready);

 private:
  Result<void> start_qemu();
  Result<void> start_companions();
  Result<void> start_hub();
  Result<void> wait_until(const std::function<bool()>& condition, const std::string& what);
  void turn(Deadline deadline);
  void judge();
  void judge_qemu(const Child& qemu);
  void judge_hub(const EdgeHub& hub);
  void judge_companion(std::optional<Child>& companion);
  void stop();
  bool any_child_runs() const;

  Options options_;
  SlotPaths paths_;
  std::string tools_;
  io::UniqueFd end_signal_;
  bool end_asked_ = false;
  PollLoop loop_;
  std::optional<EdgeHub> hub_;
  std::optional<Child> qemu_;
  std::optional<Child> adapter_;
  std::optional<Child> ppk2_;
  std::optional<Verdict> verdict_;
};

}  // namespace rigd::sim::board
