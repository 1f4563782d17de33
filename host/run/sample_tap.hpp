// Where a probe's stream meets a case: samples go to the recorder of the moment, or nowhere.
#pragma once

#include <functional>

#include "capture/marker.hpp"
#include "capture/recorder.hpp"
#include "io/timer.hpp"
#include "probe/probe.hpp"

namespace rigd::run {

class SampleTap : public probe::SampleSink {
 public:
  SampleTap(boost::asio::any_io_executor executor, unsigned marker_bit)
      : marker_(marker_bit), changed_(std::move(executor)) {}

  void on_samples(const capture::SampleBlock& block) override {
    next_ = block.first + block.words.size();
    marker_.push(block.first, block.logic);
    if (recorder_) recorder_->on_samples(block);
    changed_.notify_all();
  }
  void on_gap(const capture::Gap& gap) override {
    if (recorder_) recorder_->on_gap(gap);
    changed_.notify_all();
  }
  // The stream ended: nobody should wait for samples any more.
  void on_end() {
    ended_ = true;
    changed_.notify_all();
  }

  void record_into(capture::Recorder* recorder) { recorder_ = recorder; }
  capture::SampleIndex next_index() const { return next_; }
  // Marker windows that have come through since the stream began, recorded or not.
  std::uint64_t complete_windows() const { return marker_.complete().size(); }

  // Waits until `done()` holds, looking again after every block. False: the deadline passed or the stream
  // ended.
  io::Awaitable<bool> wait_until(std::function<bool()> done, Deadline deadline) {
    while (!done()) {
      if (ended_ || !co_await changed_.wait(deadline)) co_return done();
    }
    co_return true;
  }

 private:
  capture::Recorder* recorder_ = nullptr;
  capture::SampleIndex next_ = 0;
  capture::MarkerTracker marker_;
  bool ended_ = false;
  io::Event changed_;
};

}  // namespace rigd::run
