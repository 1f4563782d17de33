// Any bytes as an edge stream: what comes out is in sequence and never falls, however the bytes were cut.
#include <cstdlib>
#include <vector>

#include "probe/edges.hpp"

namespace {

using namespace rigd::probe;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Checker final : EdgeSink {
  void on_edge(const CountedEdge& edge) override {
    require(edge.level <= 1);
    if (!edges.empty()) {
      const CountedEdge& last = edges.back();
      require(edge.sequence == last.sequence + 1);
      require(edge.instructions >= last.instructions && edge.cycles >= last.cycles);
    }
    edges.push_back(edge);
  }
  std::vector<CountedEdge> edges;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t piece = 1 + data[0] % 64;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  Checker whole;
  EdgeDecoder at_once(whole);
  const bool good = at_once.push(bytes).has_value();
  Checker cut;
  EdgeDecoder in_pieces(cut);
  bool still_good = true;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    still_good = in_pieces.push(bytes.subspan(at, std::min(piece, bytes.size() - at))).has_value();
  require(good == still_good && whole.edges == cut.edges);
  return 0;
}
