// One slot's equipment while a run uses it: simulator, adapter, probe, counter and serial link.
//
// Streams and watchers run beside the steps. The first of them to fail closes the link, which ends a pending
// step; explain() then names the failure behind it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "flash/flasher.hpp"
#include "io/process.hpp"
#include "link/session.hpp"
#include "probe/edge_counter.hpp"
#include "probe/probe.hpp"
#include "run/edge_feed.hpp"
#include "run/plan.hpp"
#include "run/sample_tap.hpp"
#include "run/task_group.hpp"

namespace rigd::run {

class SlotRig {
 public:
  SlotRig(boost::asio::any_io_executor executor, bench::SlotSetup setup);
  SlotRig(const SlotRig&) = delete;
  SlotRig& operator=(const SlotRig&) = delete;

  // Starts the simulator, where the slot has one, in the order: simulator, probe (supplies the board),
  // counter, link.
  io::Awaitable<Result<void>> bring_up(std::uint32_t nonce, const Plan& plan);
  // Ends everything within a few seconds, whatever state it is in.
  io::Awaitable<void> bring_down();

  io::Awaitable<Result<flash::FlashReport>> flash(const flash::Image& image, Deadline deadline);

  const bench::SlotSetup& setup() const { return setup_; }
  link::Session& board() { return *session_; }
  probe::Probe& probe() { return *probe_; }
  const probe::Identity& probe_identity() const { return identity_; }
  SampleTap& samples() { return tap_; }
  EdgeFeed* counted_edges() { return setup_.counter ? &edges_ : nullptr; }

  // Ends a pending step; explain() then says `interrupted`.
  void interrupt();

  // The failure behind `error`: a stream's or the simulator's own, if there was one.
  io::Awaitable<Error> explain(Error error);

 private:
  io::Awaitable<Result<void>> start_simulator(Deadline deadline);
  io::Awaitable<Result<void>> start_probe(Deadline deadline);
  io::Awaitable<Result<void>> start_counter(Deadline deadline);
  io::Awaitable<Result<void>> open_link(std::uint32_t nonce, Deadline deadline);

  io::Awaitable<void> watch_simulator();
  io::Awaitable<void> stream_probe();
  io::Awaitable<void> stream_counter();
  void fail_with(Error error);

  boost::asio::any_io_executor executor_;
  bench::SlotSetup setup_;
  std::optional<io::Process> simulator_;
  std::unique_ptr<probe::Probe> probe_;
  probe::Identity identity_;
  std::unique_ptr<probe::EdgeCounter> counter_;
  std::optional<link::Session> session_;
  SampleTap tap_;
  EdgeFeed edges_;

  std::optional<Error> failure_;  // the first
  bool stopping_ = false;
  io::Event simulator_ended_;
  TaskGroup tasks_;
};

}  // namespace rigd::run
