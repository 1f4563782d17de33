#include "flash/image.hpp"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "io/file.hpp"

namespace rigd::flash {

namespace {

constexpr std::size_t kLargestFile = 64u << 20;
constexpr std::size_t kMostSections = 4096;
constexpr std::size_t kLongestBuildId = 64;
constexpr std::string_view kGnu("GNU\0", 4);

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

}  // namespace

// Reads one file into one Image. libelf checks its own tables; every offset used on the file itself is
// checked here.
class Image::Reader {
 public:
  explicit Reader(Image& image) : image_(image) {}

  Result<void> read() {
    if (elf_version(EV_CURRENT) == EV_NONE) return wrong("libelf is of another version");
    // libelf takes a writable buffer but does not write to it for reading.
    elf_.reset(elf_memory(reinterpret_cast<char*>(image_.file_.data()), image_.file_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) return wrong("not an ELF file");
    RIGD_CHECK(read_header());
    RIGD_CHECK(read_sections());
    return require_contents();
  }

 private:
  std::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorCode::bad_image, fmt::format("{}: {}", image_.path_.string(), what));
  }

  Result<void> read_header() {
    GElf_Ehdr header;
    if (gelf_getehdr(elf_.get(), &header) == nullptr) return wrong("broken ELF header");
    if (header.e_type != ET_EXEC) return wrong("not an ELF executable");
    image_.machine_ = header.e_machine;
    return {};
  }

  Result<void> read_sections() {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) return wrong("no section names");
    std::size_t count = 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (++count > kMostSections) return wrong("too many sections");
      if (gelf_getshdr(section, &header) == nullptr) return wrong("broken section header");
      const char* name = elf_strptr(elf_.get(), names, header.sh_name);
      if (name == nullptr) return wrong("broken section name");
      RIGD_CHECK(read_section(section, header, name));
    }
    return {};
  }

  Result<void> read_section(Elf_Scn* section, const GElf_Shdr& header, const std::string& name) {
    const bool has_contents = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;
    const std::uint64_t file_size = image_.file_.size();
    if (has_contents && (header.sh_offset > file_size || header.sh_size > file_size - header.sh_offset))
      return wrong(fmt::format("section {} lies outside the file", name));
    count_size(header);
    if (!has_contents) return {};
    image_.sections_.push_back({name, header.sh_offset, header.sh_size});
    if (header.sh_type == SHT_NOTE && image_.build_id_.empty()) read_notes(section);
    return {};
  }

  void count_size(const GElf_Shdr& header) {
    if ((header.sh_flags & SHF_ALLOC) == 0) return;
    std::uint64_t& total = header.sh_type == SHT_NOBITS         ? image_.sizes_.bss
                           : (header.sh_flags & SHF_WRITE) != 0 ? image_.sizes_.data
                                                                : image_.sizes_.text;
    total += header.sh_size;
  }

  void read_notes(Elf_Scn* section) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;
    GElf_Nhdr note;
    std::size_t name_at = 0;
    std::size_t text_at = 0;
    for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &text_at)) > 0;) {
      const char* bytes = static_cast<const char*>(data->d_buf);
      const bool is_build_id =
          note.n_type == NT_GNU_BUILD_ID && std::string_view(bytes + name_at, note.n_namesz) == kGnu;
      if (!is_build_id || note.n_descsz > kLongestBuildId) continue;
      image_.build_id_.assign(bytes + text_at, bytes + text_at + note.n_descsz);
      return;
    }
  }

  Result<void> require_contents() const {
    if (image_.sizes_.text + image_.sizes_.data == 0) return wrong("nothing to flash in it");
    if (image_.build_id_.empty()) return wrong("no build-id note (link with --build-id)");
    return {};
  }

  Image& image_;
  std::unique_ptr<Elf, EndElf> elf_;
};

Result<Image> Image::load(const std::filesystem::path& path) {
  auto file = io::read_file(path, kLargestFile);
  if (!file) return fail(ErrorCode::bad_image, file.error().text());
  return parse(std::move(*file), path);
}

Result<Image> Image::parse(std::vector<std::byte> file, std::filesystem::path path) {
  Image image;
  image.path_ = std::move(path);
  image.file_ = std::move(file);
  Reader reader(image);
  RIGD_CHECK(reader.read());
  return image;
}

std::span<const std::byte> Image::section(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  if (found == sections_.end()) return {};
  return bytes().subspan(found->offset, found->size);
}

}  // namespace rigd::flash
