// Does the stream deliver as many samples as its clock promises? A PPK2 that loses blocks of 512 samples
// shows no jump in its 6-bit counter; only the time of arrival gives it away.
//
// The lag of an arrival is its host time minus (sample index / rate). Being late is normal and passes: reads
// are batched, hosts are busy, and the stream catches up. Lost samples never come back. So what is watched is
// the lower envelope of the lag, which may rise no faster than the two clocks drift apart; when every arrival
// of the last half second lies above it by a step or more, that step is missing.
//
// Pure: time is an argument.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"
#include "capture/samples.hpp"

namespace rigd::probe::ppk2 {

class RateMonitor {
 public:
  struct Options {
    double rate_hz = 100'000;
    double drift = 100e-6;     // most the two clocks may differ, relative
    double step_samples = 32;  // least deficit reported: half of one counter cycle, far below a 512-block
    double confirm_s = 0.5;    // how long nothing may have come in time
  };

  RateMonitor() : RateMonitor(Options{}) {}
  explicit RateMonitor(Options options) : options_(options) {}

  // At `now`, `received` samples had arrived since the start. Also called without news: silence is lag, too.
  void observe(TimePoint now, capture::SampleIndex received);

  // Nothing is missing among the samples before this index: what came after them came in time.
  capture::SampleIndex good_until() const { return good_until_; }
  // Samples missing, once that is certain; nothing while they may only be late. To be asked after an
  // observation.
  std::optional<std::uint64_t> deficit(TimePoint now) const;
  // The best estimate at this moment, late or lost.
  std::uint64_t shortfall() const;
  // Takes the present lag as the new normal, after a deficit was reported.
  void accept();

 private:
  double seconds(TimePoint time) const { return std::chrono::duration<double>(time - start_).count(); }
  double step_s() const { return options_.step_samples / options_.rate_hz; }
  double least_recent_s() const;

  Options options_;
  TimePoint start_;
  bool started_ = false;
  double last_s_ = 0;    // time of the last observation
  double floor_s_ = 0;   // the lower envelope of the lag
  bool behind_ = false;  // the last observation came late
  capture::SampleIndex good_until_ = 0;
  double behind_since_s_ = 0;
  double allowed_s_ = 0;     // drift granted since then: less than a step, so that a loss cannot hide in it
  double half_began_s_ = 0;  // least lag in this half of the confirmation time and in the one before
  double half_least_s_ = 0;
  double before_least_s_ = 0;
};

}  // namespace rigd::probe::ppk2
