// Gives a Device its sockets and its clock: one client at a time on a listening Unix socket, edges from
// another.
#pragma once

#include <string>

#include "base/result.hpp"
#include "io/fd.hpp"
#include "sim/ppk2/device.hpp"
#include "sim/ppk2/edge_stream.hpp"

namespace rigd::sim::ppk2 {

struct Paths {
  std::string listen;  // the instrument's serial port
  std::string edges;   // the board's edge hub, waited for
  std::string truth;   // file of one JSON line a window; none if empty
};

class Server {
 public:
  Server(Paths paths, Device& device);
  ~Server();

  // Listens, connects to the hub and opens the truth file.
  Result<void> start();
  // Until `stop` becomes readable.
  void run(int stop);

 private:
  void turn(short client_events, short edge_events, bool knocking);
  void accept_client();
  void read_client();
  void write_client();
  void drop_client();
  void read_edges();
  void edges_ended(std::string_view why);
  void record(const Truth& truth);
  bool output_waiting() const { return client_ && !device_.output().empty(); }
  int wait_ms() const;

  Paths paths_;
  Device& device_;
  EdgeStream edge_stream_;
  io::UniqueFd listener_, client_, edges_, truth_;
};

}  // namespace rigd::sim::ppk2
