// An image file of anybody's making: refused, or every section within the file.
#include <cstdint>
#include <cstdlib>

#include "flash/image.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto image = rigd::flash::Image::parse({bytes, bytes + size}, "fuzz.elf");
  if (!image) {
    if (image.error().code() != rigd::ErrorCode::bad_image) std::abort();
    return 0;
  }
  if (image->build_id().empty() || image->build_id().size() > 64) std::abort();
  std::uint64_t sum = 0;
  for (const char* name : {".text", ".data", ".note.gnu.build-id", ".rigd_cases", ""})
    for (const std::byte b : image->section(name))
      sum += static_cast<std::uint8_t>(b);
  return sum == UINT64_MAX ? 1 : 0;  // so that the reads are not optimised away
}
