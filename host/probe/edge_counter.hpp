// Subscribes to the edge stream of a simulated board (see edges.hpp): the exact counts behind each marker
// window.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "io/stream.hpp"
#include "probe/edges.hpp"

namespace rigd::probe {

class EdgeCounter {
 public:
  explicit EdgeCounter(io::StreamPtr stream);

  // Waits for the header, after which no edge is missed. Errors: as EdgeDecoder, probe_lost, timeout.
  io::Awaitable<Result<void>> open(Deadline deadline);
  // Hands edges to `sink` until stop() or a failure, whose error is the result: as EdgeDecoder, probe_lost.
  // Edges that came between open() and this call are handed over first.
  io::Awaitable<Result<void>> stream(EdgeSink& sink);
  // Ends stream() once what has already arrived was handed over, a fraction of a second later at most.
  void stop() noexcept;

 private:
  class Relay final : public EdgeSink {
   public:
    void on_edge(const CountedEdge& edge) override;
    void connect(EdgeSink* sink);

   private:
    EdgeSink* sink_ = nullptr;
    std::vector<CountedEdge> early_;
  };

  io::Awaitable<Result<bool>> receive(Deadline deadline);

  io::StreamPtr stream_;
  Relay relay_;
  EdgeDecoder decoder_{relay_};
  std::vector<std::byte> buffer_;
  std::optional<Deadline> stopping_;
};

}  // namespace rigd::probe
