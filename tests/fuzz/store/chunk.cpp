// Trace chunks. As bytes: whatever has a right checksum either is refused or gives words that survive a round
// trip. As words: any words in any layout come back.
#include "store/chunk.hpp"

#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using rigd::store::WordLayout;

WordLayout layout_at(const std::uint8_t* bytes) {
  return {bytes[0], bytes[1], bytes[2], bytes[3]};
}

void must_survive(const WordLayout& layout, std::span<const std::uint32_t> words) {
  const auto packed = rigd::store::pack_chunk(layout, words);
  if (!packed) return;  // an impossible layout or length
  const auto unpacked = rigd::store::unpack_chunk(*packed);
  if (!unpacked || !std::equal(unpacked->begin(), unpacked->end(), words.begin(), words.end())) std::abort();
}

void try_as_packed(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> chunk(size + sizeof(std::uint32_t));
  const auto crc = static_cast<std::uint32_t>(crc32_z(0, data, size));
  if (size > 0) std::memcpy(chunk.data(), data, size);
  std::memcpy(chunk.data() + size, &crc, sizeof crc);
  const auto words = rigd::store::unpack_chunk(chunk);
  if (words) must_survive(layout_at(data + 1), *words);
}

void try_as_words(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return;
  std::vector<std::uint32_t> words((size - 4) / sizeof(std::uint32_t));
  std::memcpy(words.data(), data + 4, words.size() * sizeof(std::uint32_t));
  must_survive(layout_at(data), words);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try_as_packed(data, size);
  try_as_words(data, size);
  return 0;
}
