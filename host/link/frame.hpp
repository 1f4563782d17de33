// Frames on a serial line: payload + CRC-32 of the payload (little endian), COBS-encoded, ended by 0x00.
//
// CRC-32 is that of IEEE 802.3 (reflected, start and final XOR 0xFFFFFFFF; check value of "123456789":
// 0xCBF43926). COBS: Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Trans. Networking
// 7(2), 1999. A receiver drops empty frames without a word, so 0x00 may precede a frame to flush half a frame
// of the peer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "link/cobs.hpp"

namespace rigd::link {

inline constexpr std::size_t kMaxPayload = 256;  // bytes
inline constexpr std::size_t kCrcSize = 4;

inline constexpr std::size_t kMaxFrame = cobs_size_limit(kMaxPayload + kCrcSize) + 1;

using FrameBuffer = std::array<std::byte, kMaxFrame>;

std::uint32_t crc32(std::span<const std::byte> bytes);

// Writes one frame, its 0x00 included, and returns the part of `into` it takes.
// The payload must not exceed kMaxPayload; `into` may not overlap it.
std::span<const std::byte> encode_frame(std::span<const std::byte> payload, FrameBuffer& into);

// Finds the frames in a stream cut anywhere. Takes at most kMaxFrame bytes of memory whatever comes.
class FrameDecoder {
 public:
  // Takes bytes from the front of `input` up to the end of the first good frame and returns its payload,
  // valid until the next call; nothing when the input is used up. Call it again while there is input.
  std::optional<std::span<const std::byte>> next(std::span<const std::byte>& input);

  // Forgets half a frame, without counting it.
  void reset() { used_ = 0, overlong_ = false; }

  std::uint64_t good() const { return good_; }
  std::uint64_t bad() const { return bad_; }  // not COBS, too short, too long, or a wrong CRC

 private:
  void keep(std::span<const std::byte> piece);
  std::optional<std::span<const std::byte>> finish(std::span<const std::byte> encoded);

  std::array<std::byte, kMaxFrame> partial_{};  // the start of a frame, without its 0x00
  std::size_t used_ = 0;
  bool overlong_ = false;  // the frame being received can only be bad
  std::array<std::byte, kMaxPayload + kCrcSize> decoded_{};
  std::uint64_t good_ = 0;
  std::uint64_t bad_ = 0;
};

}  // namespace rigd::link
