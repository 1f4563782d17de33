// A firmware image: an ELF file of a board, as the linker left it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace rigd::flash {

// Bytes, of the sections that have a place on the board.
struct ImageSizes {
  std::uint64_t text = 0;  // code and constants
  std::uint64_t data = 0;  // initialised variables: in flash, copied to RAM
  std::uint64_t bss = 0;   // RAM without contents
};

class Image {
 public:
  // Error: bad_image naming the file and what is wrong with it: no ELF executable, sections outside the file,
  // nothing to load, or no build-id note (which the board must repeat after flashing).
  static Result<Image> load(const std::filesystem::path& path);
  // The same from memory; `path` is only a name.
  static Result<Image> parse(std::vector<std::byte> file, std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::span<const std::byte> bytes() const { return file_; }  // the whole file
  const std::vector<std::uint8_t>& build_id() const { return build_id_; }
  ImageSizes sizes() const { return sizes_; }
  unsigned machine() const { return machine_; }  // e_machine of the ELF header: 40 Arm, 83 AVR, 105 MSP430

  // Contents of the first section of this name; empty where there is none, or it has no contents.
  std::span<const std::byte> section(std::string_view name) const;

 private:
  struct Section {
    std::string name;
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  class Reader;

  std::filesystem::path path_;
  std::vector<std::byte> file_;
  std::vector<Section> sections_;  // those with contents
  std::vector<std::uint8_t> build_id_;
  ImageSizes sizes_;
  unsigned machine_ = 0;
};

}  // namespace rigd::flash
