// The event log of one run: every step with its time, kept in the store and shown as progress.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "io/stream.hpp"
#include "run/store_thread.hpp"
#include "store/rows.hpp"

namespace rigd::run {

// Told of each event as it happens; shows progress on a terminal.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_event(std::string_view slot, const store::Event& event) = 0;
};

class RunLog {
 public:
  RunLog(StoreThread& store, Observer& observer, store::Id run_id, std::string slot);

  // A store that fails here has its say at the next commit, which matters more; the event is then only shown.
  io::Awaitable<void> note(std::string step, store::EventLevel level, std::string text);
  io::Awaitable<void> info(std::string step, std::string text);
  io::Awaitable<void> error(std::string step, const Error& error);

 private:
  StoreThread& store_;
  Observer& observer_;
  store::Id run_id_;
  std::string slot_;
  TimePoint began_ = Clock::now();
};

}  // namespace rigd::run
