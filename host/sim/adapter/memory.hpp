// What a debugger reaches through a memory access port.
#pragma once

#include <cstdint>
#include <optional>

namespace rigd::sim::adapter {

class Memory {
 public:
  virtual ~Memory() = default;

  // One access of 1, 2 or 4 bytes (little-endian, right-aligned value) at an address aligned to its size.
  // No value, or false, is a bus error.
  virtual std::optional<std::uint32_t> read(std::uint32_t address, unsigned bytes) = 0;
  virtual bool write(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;
};

// The `bytes` wide part of `word` that lies at `address`, for registers that are kept as whole words.
constexpr std::uint32_t part_of_word(std::uint32_t word, std::uint32_t address, unsigned bytes) {
  const std::uint32_t shifted = word >> (8 * (address & 3));
  return bytes == 4 ? shifted : shifted & ((1u << (8 * bytes)) - 1);
}

}  // namespace rigd::sim::adapter
