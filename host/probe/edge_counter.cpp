#include "probe/edge_counter.hpp"

namespace rigd::probe {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kReadBytes = 1 << 14;
constexpr auto kSlice = 20ms;   // how soon stop() is noticed; a silent board is normal
constexpr auto kDrain = 200ms;  // after stop(), for a board that never falls silent

}  // namespace

EdgeCounter::EdgeCounter(io::StreamPtr stream) : stream_(std::move(stream)), buffer_(kReadBytes) {}

void EdgeCounter::Relay::on_edge(const CountedEdge& edge) {
  if (sink_ != nullptr)
    sink_->on_edge(edge);
  else
    early_.push_back(edge);
}

void EdgeCounter::Relay::connect(EdgeSink* sink) {
  sink_ = sink;
  if (sink_ == nullptr) return;
  for (const CountedEdge& edge : early_)
    sink_->on_edge(edge);
  early_.clear();
}

io::Awaitable<Result<void>> EdgeCounter::open(Deadline deadline) {
  while (!decoder_.header_seen()) {
    RIGD_CO_TRY(const bool arrived, co_await receive(deadline));
    if (!arrived) co_return fail(ErrorCode::timeout, "edge stream: no header");
  }
  co_return Result<void>{};
}

io::Awaitable<Result<void>> EdgeCounter::stream(EdgeSink& sink) {
  stopping_.reset();
  relay_.connect(&sink);
  Result<bool> arrived = true;
  while (arrived && (!stopping_ || (*arrived && !stopping_->passed())))
    arrived = co_await receive(Deadline::in(kSlice));
  relay_.connect(nullptr);
  if (!arrived) co_return std::unexpected(std::move(arrived.error()));
  co_return Result<void>{};
}

void EdgeCounter::stop() noexcept {
  stopping_ = Deadline::in(kDrain);
}

// False: nothing came by the deadline.
io::Awaitable<Result<bool>> EdgeCounter::receive(Deadline deadline) {
  Result<std::size_t> got = co_await stream_->read_some(buffer_, deadline);
  if (got) {
    RIGD_CO_CHECK(decoder_.push(std::span(buffer_).first(*got)));
    co_return true;
  }
  if (got.error().code() == ErrorCode::timeout) co_return false;
  co_return fail(ErrorCode::probe_lost, "edge stream: " + got.error().text());
}

}  // namespace rigd::probe
