#include "fake_board.hpp"

#include "link/frame.hpp"

namespace rigd::test {

using namespace std::chrono_literals;

io::Awaitable<void> FakeBoard::serve() {
  link::FrameDecoder decoder;
  std::vector<std::byte> buffer(1024);
  for (;;) {
    const auto count = co_await stream_->read_some(buffer, Deadline::in(60s));
    if (!count) co_return;
    std::span<const std::byte> input = std::span(buffer).first(*count);
    while (const auto payload = decoder.next(input)) {
      link::wire::Request& request = requests.emplace_back();
      if (!request.ParseFromArray(payload->data(), static_cast<int>(payload->size()))) co_return;
      script_(*this, request);
      const Bytes out = std::exchange(out_, {});
      const auto sent = co_await stream_->write(out, Deadline::in(60s));
      if (!sent) co_return;
    }
  }
}

void FakeBoard::answer(const link::wire::Request& request, link::wire::Response response) {
  response.set_sequence(request.sequence());
  response.set_nonce(request.nonce());
  send(response);
}

void FakeBoard::send(const link::wire::Response& response) {
  const std::string payload = response.SerializeAsString();
  link::FrameBuffer frame;
  last_frame_ = out_.size();
  out_ = std::move(out_) + bytes(link::encode_frame(std::as_bytes(std::span(payload)), frame));
}

void FakeBoard::break_last_frame() {
  // A changed bit must not make a new frame end: 0x80 flips never turn a small code or text byte into zero.
  out_[last_frame_ + (out_.size() - last_frame_) / 2] ^= std::byte{0x80};
}

}  // namespace rigd::test
