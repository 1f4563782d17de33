// The marker windows a counter reported, with the exact counts inside each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "io/stream.hpp"
#include "io/timer.hpp"
#include "probe/edges.hpp"

namespace rigd::run {

struct CountedWindow {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
};

class EdgeFeed : public probe::EdgeSink {
 public:
  explicit EdgeFeed(boost::asio::any_io_executor executor) : changed_(std::move(executor)) {}

  void on_edge(const probe::CountedEdge& edge) override {
    constexpr std::uint8_t kMarkerPin = 0;
    if (edge.pin != kMarkerPin) return;
    if (edge.level == 1) {
      rise_ = edge;
    } else if (rise_) {
      windows_.push_back({edge.instructions - rise_->instructions, edge.cycles - rise_->cycles});
      rise_.reset();
      changed_.notify_all();
    }
  }
  // The stream ended: nobody should wait for edges any more.
  void on_end() {
    ended_ = true;
    changed_.notify_all();
  }

  void clear() {
    windows_.clear();
    rise_.reset();
  }
  const std::vector<CountedWindow>& windows() const { return windows_; }

  // Errors: disconnected (the stream ended), windows_missing (not so many by the deadline).
  io::Awaitable<Result<void>> wait_for_windows(std::size_t count, Deadline deadline) {
    while (windows_.size() < count) {
      if (ended_) co_return fail(ErrorCode::disconnected, "the edge counter's stream ended");
      if (!co_await changed_.wait(deadline) && windows_.size() < count)
        co_return fail(ErrorCode::windows_missing, "the edge counter saw " + std::to_string(windows_.size()) +
                                                       " of " + std::to_string(count) + " marker windows");
    }
    co_return Result<void>();
  }

 private:
  std::optional<probe::CountedEdge> rise_;
  std::vector<CountedWindow> windows_;
  bool ended_ = false;
  io::Event changed_;
};

}  // namespace rigd::run
