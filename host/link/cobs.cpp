#include "link/cobs.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace rigd::link {

namespace {

constexpr std::size_t kLongestRun = 254;  // bytes one code byte can announce

}  // namespace

std::size_t zero_free_length(std::span<const std::byte> bytes) {
  if (bytes.empty()) return 0;
  const void* zero = std::memchr(bytes.data(), 0, bytes.size());
  return zero == nullptr ? bytes.size()
                         : static_cast<std::size_t>(static_cast<const std::byte*>(zero) - bytes.data());
}

std::size_t cobs_encode(std::span<const std::byte> bytes, std::span<std::byte> into) {
  assert(into.size() >= cobs_size_limit(bytes.size()));
  std::size_t size = 0;
  for (;;) {
    const std::size_t run = zero_free_length(bytes.first(std::min(bytes.size(), kLongestRun)));
    into[size] = static_cast<std::byte>(run + 1);
    std::copy_n(bytes.begin(), run, into.begin() + static_cast<std::ptrdiff_t>(size + 1));
    size += run + 1;
    if (run == bytes.size()) return size;
    // A full run stands for its bytes alone, a shorter one for its bytes and the zero after it.
    bytes = bytes.subspan(run == kLongestRun ? run : run + 1);
  }
}

std::optional<std::span<const std::byte>> cobs_decode(std::span<const std::byte> encoded,
                                                      std::span<std::byte> into) {
  std::size_t size = 0;
  while (!encoded.empty()) {
    const auto code = static_cast<std::size_t>(encoded.front());
    if (code == 0 || code > encoded.size()) return std::nullopt;
    const std::size_t run = code - 1;
    const bool zero_follows = run < kLongestRun && code < encoded.size();
    if (size + run + (zero_follows ? 1 : 0) > into.size()) return std::nullopt;
    if (zero_free_length(encoded.subspan(1, run)) != run) return std::nullopt;
    std::copy_n(encoded.begin() + 1, run, into.begin() + static_cast<std::ptrdiff_t>(size));
    size += run;
    if (zero_follows) into[size++] = std::byte{0};
    encoded = encoded.subspan(code);
  }
  return into.first(size);
}

}  // namespace rigd::link
