// A board without hardware: remembers what the core did to it, in order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "link/messages.hpp"

namespace rigd::test {

using Octets = std::vector<std::uint8_t>;

enum class Event { idle, mask, unmask, open, close, send };  // send: any number of bytes at a stretch

struct BoardReset {};  // thrown by hal_reset()
struct EndOfInput {};  // thrown by hal_uart_read() when `input` is used up

struct StubBoard {
  std::vector<Event> events;
  std::vector<std::uint32_t> idle_us;
  std::deque<std::uint8_t> input;
  Octets sent;
  bool masked = false;
  std::uint32_t windows = 0;
  bool cycle_counter = true;

  // The stack is this memory; the pointer is where the core is told it stands.
  alignas(8) std::array<std::uint8_t, 4096> stack{};
  std::size_t stack_pointer = 3840;

  // The figures of window number n, from 1.
  static std::uint32_t ticks_of(std::uint32_t window) { return 1000 + window; }
  static std::uint32_t cycles_of(std::uint32_t window) { return 50000 + window; }

  void note(Event event);
};

inline constexpr std::uint8_t kFirstBuildIdByte = 0xA0;  // it counts up from there

StubBoard& board();

// Takes all that was sent, as the daemon's own decoder understands it. Fails the test on a bad frame or
// message.
std::vector<link::Response> take_answers();

// The wire form of a request, without a frame.
Octets wire(const link::Request& request);
Octets framed(const Octets& payload);

// Serves one request on a board that has done nothing yet, and gives its answers.
std::vector<link::Response> serve(const Octets& payload);
std::vector<link::Response> serve(const link::Request& request);

}  // namespace rigd::test
