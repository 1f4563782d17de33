#include "flash/image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../io/temp_folder.hpp"
#include "elf_builder.hpp"

namespace rigd::flash {
namespace {

using test::ElfBuilder;
using testing::HasSubstr;

const std::string kBuildId =
    "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14";

ElfBuilder firmware() {
  ElfBuilder elf;
  elf.add({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, std::string(100, 'c')});
  elf.add_build_id(kBuildId);  // 36 bytes, in flash
  elf.add({".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, std::string(8, 'd')});
  elf.add({".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, {}, 2000});
  elf.add({".debug_info", SHT_PROGBITS, 0, std::string(5000, 'x')});
  return elf;
}

Result<Image> parse(std::vector<std::byte> file) {
  return Image::parse(std::move(file), "fw.elf");
}

void expect_bad(std::vector<std::byte> file, const char* why) {
  const auto image = parse(std::move(file));
  ASSERT_FALSE(image) << why;
  EXPECT_EQ(image.error().code(), ErrorCode::bad_image);
  EXPECT_THAT(image.error().text(), HasSubstr(why));
  EXPECT_THAT(image.error().text(), HasSubstr("fw.elf"));
}

TEST(Image, ReadsBuildIdSizesAndMachine) {
  const auto image = parse(firmware().build());
  ASSERT_TRUE(image) << image.error().text();
  EXPECT_EQ(std::string(image->build_id().begin(), image->build_id().end()), kBuildId);
  EXPECT_EQ(image->sizes().text, 136u);
  EXPECT_EQ(image->sizes().data, 8u);
  EXPECT_EQ(image->sizes().bss, 2000u);
  EXPECT_EQ(image->machine(), 40u);
}

TEST(Image, GivesTheContentsOfASection) {
  const auto image = parse(firmware().build());
  ASSERT_TRUE(image);
  ASSERT_EQ(image->section(".data").size(), 8u);
  EXPECT_EQ(image->section(".data").front(), std::byte{'d'});
  EXPECT_TRUE(image->section(".bss").empty());
  EXPECT_TRUE(image->section(".nothing").empty());
}

TEST(Image, ACopyStandsOnItsOwn) {
  std::optional<Image> original = parse(firmware().build()).value();
  const Image copy = *original;
  original.reset();
  EXPECT_EQ(copy.section(".data").front(), std::byte{'d'});
}

TEST(Image, TakesTheNoteOfTheLinkerAmongOthers) {
  ElfBuilder elf;
  elf.add({".text", SHT_PROGBITS, SHF_ALLOC, "code"});
  std::string other(sizeof(Elf32_Nhdr), '\0');
  const Elf32_Nhdr header{4, 4, NT_GNU_BUILD_ID};  // right type, another owner
  std::memcpy(other.data(), &header, sizeof(header));
  elf.add({".note.other", SHT_NOTE, SHF_ALLOC, other + std::string("XYZ\0none", 8)});
  elf.add_build_id(kBuildId);
  EXPECT_EQ(parse(elf.build())->build_id().size(), 20u);
}

TEST(Image, RefusesWhatIsNoFirmware) {
  expect_bad({}, "not an ELF file");
  expect_bad(std::vector<std::byte>(1000, std::byte{'x'}), "not an ELF file");
  expect_bad(firmware().build(ET_REL), "not an ELF executable");
  expect_bad(ElfBuilder().add_build_id(kBuildId).add({".bss", SHT_NOBITS, SHF_ALLOC, {}, 4}).build(ET_DYN),
             "not an ELF executable");
}

TEST(Image, RefusesAnImageWithoutBuildId) {
  ElfBuilder elf;
  elf.add({".text", SHT_PROGBITS, SHF_ALLOC, "code"});
  expect_bad(elf.build(), "no build-id");
}

TEST(Image, RefusesAnImageWithNothingToFlash) {
  ElfBuilder elf;
  elf.add({".bss", SHT_NOBITS, SHF_ALLOC, {}, 100});
  expect_bad(elf.build(), "nothing to flash");
}

TEST(Image, RefusesASectionOutsideTheFile) {
  auto file = firmware().build();
  Elf32_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  std::byte* first = file.data() + header.e_shoff + sizeof(Elf32_Shdr);
  Elf32_Shdr text;
  std::memcpy(&text, first, sizeof(text));
  text.sh_size = 0xFFFFFFF0;
  std::memcpy(first, &text, sizeof(text));
  expect_bad(std::move(file), "section .text lies outside the file");
}

TEST(Image, ACutFileIsAnErrorWhereverItIsCut) {
  const auto whole = firmware().build();
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    const auto image = parse({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    ASSERT_FALSE(image) << size;
    EXPECT_EQ(image.error().code(), ErrorCode::bad_image);
  }
}

TEST(Image, LoadsFromAFileAndNamesOneItCannotRead) {
  const test::TempFolder folder;
  const auto path = folder.path() / "fw.elf";
  const auto bytes = firmware().build();
  std::ofstream(path).write(reinterpret_cast<const char*>(bytes.data()),
                            static_cast<std::streamsize>(bytes.size()));
  EXPECT_EQ(Image::load(path)->path(), path);
  const auto missing = Image::load(folder.path() / "none.elf");
  EXPECT_EQ(missing.error().code(), ErrorCode::bad_image);
  EXPECT_THAT(missing.error().text(), HasSubstr("none.elf: No such file"));
}

}  // namespace
}  // namespace rigd::flash
