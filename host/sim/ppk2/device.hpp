// The simulated PPK2: commands and edges in, bytes out, time given from outside. No sockets, no clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ppk2/settings.hpp"
#include "sim/ppk2/timeline.hpp"

namespace rigd::sim::ppk2 {

inline constexpr double kSampleRateHz = 100'000;

// A marker window and the exact charge of the load model over it (without noise, rounding or lost samples).
struct Truth {
  std::uint64_t window = 0;  // from 0 since the first start command
  std::uint64_t first_cycles = 0, last_cycles = 0;
  double duration_s = 0;
  double charge_c = 0;
};

class Device {
 public:
  using Time = std::chrono::nanoseconds;  // since any fixed moment

  Device(const Settings& settings, const Faults& faults);

  void connect();          // a client opened the port
  void hang_up(Time now);  // and closed it: sampling stops, the supply goes off later
  void command(std::span<const std::byte> bytes, Time now);
  std::optional<Truth> edge(const Edge& edge);
  void edges_ended() { timeline_.end_of_edges(); }
  // Takes the samples due by now, as far as the board's levels are known.
  void advance(Time now);

  // Bytes waiting for the client, at most the next write's size, and how many of them were written.
  std::span<const std::byte> output() const;
  void written(std::size_t bytes);

  bool gone() const { return gone_; }            // reset or pulled out: the connection must be closed
  bool unplugged() const { return unplugged_; }  // pulled out: it does not come back
  bool sampling() const { return sampling_; }
  std::optional<Time> next_event() const { return late_metadata_at_; }  // besides sampling
  std::uint64_t samples() const { return next_; }  // since the start command, lost ones included

 private:
  void execute(std::uint8_t opcode, std::span<const std::byte> arguments, Time now);
  void start(Time now);
  void answer_metadata(Time now);
  void set_user_gain(std::span<const std::byte> arguments);
  void take_sample();
  Sample measure(std::uint8_t levels);
  double load_a(bool marker) const;
  const Incident* incident_at(Incident::Kind kind, std::uint64_t index) const;
  void place_incidents(const Window& window);
  void send(std::string_view text);
  void send(std::byte byte);

  Settings settings_;
  Faults faults_;
  Timeline timeline_;
  std::mt19937_64 random_;
  std::normal_distribution<double> noise_{0, 1};
  std::uniform_real_distribution<double> dither_{-0.5, 0.5};

  std::vector<std::byte> pending_command_;
  std::vector<std::byte> output_;
  std::size_t sent_ = 0;        // of output_
  std::size_t write_ = 0;       // which chunk size is next
  std::size_t to_swallow_ = 0;  // bytes to lose
  std::string late_metadata_;
  std::optional<Time> late_metadata_at_;
  std::optional<Time> power_off_at_;
  bool gone_ = false;
  bool unplugged_ = false;
  bool powered_ = false;
  bool sampling_ = false;
  Time started_{};
  std::uint64_t next_ = 0;  // index of the next sample
  unsigned first_counter_ = 0;
  unsigned range_ = 0;
};

}  // namespace rigd::sim::ppk2
