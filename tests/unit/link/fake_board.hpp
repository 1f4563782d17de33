// The board's end of a link, answering as a test's script says. It knows the wire form only through the
// generated classes, not through the daemon's codec.
#pragma once

#include <functional>
#include <vector>

#include "bytes.hpp"
#include "io/stream.hpp"
#include "link/wire.pb.h"

namespace rigd::test {

class FakeBoard {
 public:
  using Script = std::function<void(FakeBoard&, const link::wire::Request&)>;

  FakeBoard(io::StreamPtr stream, Script script) : stream_(std::move(stream)), script_(std::move(script)) {}

  // Serves until the peer hangs up.
  io::Awaitable<void> serve();

  // For scripts: what goes out after the script returned.
  void answer(const link::wire::Request& request, link::wire::Response response);
  void send(const link::wire::Response& response);
  void send(const Bytes& raw) { out_ = std::move(out_) + raw; }
  void break_last_frame();  // flips a bit in the middle of the frame queued last
  void hang_up() { stream_->close(); }

  std::vector<link::wire::Request> requests;  // all that came

 private:
  io::StreamPtr stream_;
  Script script_;
  Bytes out_;
  std::size_t last_frame_ = 0;  // where it begins in out_
};

}  // namespace rigd::test
