// Consistent Overhead Byte Stuffing: bytes without a zero among them.
// Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7(2), 1999.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace rigd::link {

// One code byte for each run of up to 254 bytes, at least one.
constexpr std::size_t cobs_size_limit(std::size_t size) {
  return size + size / 254 + 1;
}

// Bytes before the first zero.
std::size_t zero_free_length(std::span<const std::byte> bytes);

// Returns the size of the encoded form; `into` must hold cobs_size_limit(bytes.size()) and not overlap
// `bytes`.
std::size_t cobs_encode(std::span<const std::byte> bytes, std::span<std::byte> into);

// The decoded bytes at the start of `into`, or nothing when `encoded` is not COBS or does not fit.
std::optional<std::span<const std::byte>> cobs_decode(std::span<const std::byte> encoded,
                                                      std::span<std::byte> into);

}  // namespace rigd::link
