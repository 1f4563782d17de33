// The frame decoder: whatever comes, cut however it is, it finds the same frames, and each is one that our
// encoder could have sent. The first byte chooses where the stream is cut.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "link/frame.hpp"

namespace {

using Bytes = std::vector<std::byte>;

struct Found {
  std::vector<Bytes> payloads;
  std::uint64_t bad = 0;

  bool operator==(const Found&) const = default;
};

Found decode(std::span<const std::byte> stream, std::size_t chunk) {
  rigd::link::FrameDecoder decoder;
  Found found;
  while (!stream.empty()) {
    std::span<const std::byte> piece = stream.first(std::min(chunk, stream.size()));
    stream = stream.subspan(piece.size());
    while (const auto payload = decoder.next(piece))
      found.payloads.emplace_back(payload->begin(), payload->end());
    if (!piece.empty()) std::abort();
  }
  found.bad = decoder.bad();
  if (decoder.good() != found.payloads.size()) std::abort();
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::byte> stream(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  const Found whole = decode(stream, size);
  if (decode(stream, data[0] % 64 + 1u) != whole) std::abort();
  for (const Bytes& payload : whole.payloads) {
    rigd::link::FrameBuffer buffer;
    const auto frame = rigd::link::encode_frame(payload, buffer);
    if (decode(frame, 1).payloads != std::vector<Bytes>{payload}) std::abort();
  }
  // Any payload survives the way there and back.
  const auto payload = stream.first(std::min(stream.size(), rigd::link::kMaxPayload));
  rigd::link::FrameBuffer buffer;
  const Found back = decode(rigd::link::encode_frame(payload, buffer), data[0] % 64 + 1u);
  if (back.payloads.size() != 1 || !std::ranges::equal(back.payloads[0], payload)) std::abort();
  return 0;
}
