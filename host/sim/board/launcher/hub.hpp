// Takes the edge stream of the plugin and hands it to any number of subscribers.
//
// A subscriber gets the header and then every edge that arrives after it connected. One that does not read is
// dropped when too much waits for it: it must neither stop the board nor cost unbounded memory.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "io/fd.hpp"
#include "sim/common/edge_record.hpp"
#include "sim/common/poll_loop.hpp"

namespace rigd::sim::board {

class EdgeHub {
 public:
  static constexpr std::size_t kMostWaiting = 8u << 20;  // bytes a subscriber: 262 144 edges

  // Listens at both paths. Errors: bad_argument, io_failure.
  static Result<EdgeHub> open(const std::string& feed_path, const std::string& subscriber_path);

  void watch(PollLoop& loop);

  bool connected() const { return static_cast<bool>(producer_); }  // the plugin is there
  std::uint64_t windows() const { return windows_; }               // rising edges of the marker
  const std::string& failure() const { return failure_; }          // the stream is broken: why, else empty

 private:
  struct Subscriber {
    io::UniqueFd fd;
    std::string waiting;  // the part from `sent` on is still to be sent
    std::size_t sent = 0;
    std::size_t unsent() const { return waiting.size() - sent; }
  };

  void accept_producer();
  void accept_subscriber();
  void read_producer();
  bool take_header();
  bool take_record(std::size_t at);
  void publish(std::string_view bytes);
  void flush(Subscriber& subscriber);
  void check_alive(Subscriber& subscriber);

  io::UniqueFd feed_listener_;
  io::UniqueFd subscriber_listener_;
  io::UniqueFd producer_;
  std::vector<std::uint8_t> received_;  // not yet a whole header or record
  bool header_seen_ = false;
  std::uint64_t next_sequence_ = 0;
  std::uint64_t windows_ = 0;
  std::string failure_;
  std::list<Subscriber> subscribers_;  // handlers keep references over a turn
};

}  // namespace rigd::sim::board
