#include "link/frame.hpp"

#include <algorithm>
#include <boost/crc.hpp>
#include <cassert>

#include "link/cobs.hpp"

namespace rigd::link {

namespace {

std::array<std::byte, kCrcSize> little_endian(std::uint32_t value) {
  return {static_cast<std::byte>(value), static_cast<std::byte>(value >> 8),
          static_cast<std::byte>(value >> 16), static_cast<std::byte>(value >> 24)};
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::span<const std::byte> encode_frame(std::span<const std::byte> payload, FrameBuffer& into) {
  assert(payload.size() <= kMaxPayload);
  std::array<std::byte, kMaxPayload + kCrcSize> body;
  std::ranges::copy(payload, body.begin());
  std::ranges::copy(little_endian(crc32(payload)),
                    body.begin() + static_cast<std::ptrdiff_t>(payload.size()));
  const std::size_t size = cobs_encode(std::span(body).first(payload.size() + kCrcSize), into);
  into[size] = std::byte{0};
  return std::span(into).first(size + 1);
}

std::optional<std::span<const std::byte>> FrameDecoder::next(std::span<const std::byte>& input) {
  while (!input.empty()) {
    const std::size_t length = zero_free_length(input);
    const std::span<const std::byte> piece = input.first(length);
    if (length == input.size()) {
      keep(piece);
      input = {};
      return std::nullopt;
    }
    input = input.subspan(length + 1);
    // A frame that came in one piece is decoded where it lies.
    if (used_ == 0 && !overlong_) {
      if (auto payload = finish(piece)) return payload;
      continue;
    }
    keep(piece);
    const std::span<const std::byte> whole = std::span(partial_).first(used_);
    const bool overlong = overlong_;
    reset();
    if (overlong)
      ++bad_;
    else if (auto payload = finish(whole))
      return payload;
  }
  return std::nullopt;
}

void FrameDecoder::keep(std::span<const std::byte> piece) {
  if (overlong_ || piece.size() > partial_.size() - used_) {
    overlong_ = true;
    return;
  }
  std::ranges::copy(piece, partial_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ += piece.size();
}

std::optional<std::span<const std::byte>> FrameDecoder::finish(std::span<const std::byte> encoded) {
  if (encoded.empty()) return std::nullopt;
  const auto body = cobs_decode(encoded, decoded_);
  if (!body || body->size() < kCrcSize) return ++bad_, std::nullopt;
  const auto payload = body->first(body->size() - kCrcSize);
  if (!std::ranges::equal(body->last(kCrcSize), little_endian(crc32(payload)))) return ++bad_, std::nullopt;
  ++good_;
  return payload;
}

}  // namespace rigd::link
