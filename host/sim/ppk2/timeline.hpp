// Places the board's virtual time on the instrument's real-time sample clock.
//
// The simulator executes a marker window in less or more real time than it stands for, and waits without
// passing any virtual time. So windows are rigid: from rising to falling edge exactly the virtual duration,
// with its fraction of a sample. The low stretches between windows are elastic, upwards only: a window starts
// after the virtual gap, or as soon after what was already sent as its phase allows. Each start is moved by a
// random fraction of a sample, because the two clocks of a real bench have no fixed phase.
//
// Instants are in sample periods since the start command; sample n is taken at instant n.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>

namespace rigd::sim::ppk2 {

struct Edge {
  std::uint64_t cycles = 0;  // modelled, since the simulator started
  std::uint8_t pin = 0;      // 0 is the marker
  bool level = false;
};

struct Window {
  std::uint64_t number = 0;  // from 0 since the first start command
  std::uint64_t first_cycles = 0, last_cycles = 0;
  double rise = 0, fall = 0;  // instants
};

class Timeline {
 public:
  Timeline(double samples_per_cycle, std::uint64_t seed);

  // Sampling starts over at instant 0. A window that is open now is not shown.
  void start();
  void stop();
  // `sent` samples have left the instrument: the past up to instant sent - 1 is fixed.
  // Returns the window this edge completes, if it does.
  std::optional<Window> edge(const Edge& edge, std::uint64_t sent);
  // No more edges will come: an open window ends where its last known instant is.
  void end_of_edges();

  // The levels of all pins are known before this instant; infinite while the marker is low.
  double known_until() const;
  // Bit n = pin n at the instant; instants must not fall.
  std::uint8_t levels_at(double instant);
  static constexpr std::uint8_t kMarkerBit = 1;

 private:
  struct Change {
    double instant;
    std::uint8_t pin;
    bool level;
  };

  double instant_of(std::uint64_t cycles) const;
  void rise(const Edge& edge, std::uint64_t sent);
  void append(double instant, std::uint8_t pin, bool level);

  double samples_per_cycle_;
  std::mt19937_64 random_;
  bool running_ = false;
  bool marker_ = false;          // a window is open
  std::uint8_t raw_levels_ = 0;  // as the board has them now
  std::uint8_t levels_ = 0;      // as last sampled
  double last_instant_ = 0;      // of the last change placed
  double anchor_ = 0;            // instant of the last marker edge placed
  std::uint64_t anchor_cycles_ = 0;
  bool anchored_ = false;
  Window open_;
  std::uint64_t windows_ = 0;
  std::deque<Change> changes_;
};

}  // namespace rigd::sim::ppk2
