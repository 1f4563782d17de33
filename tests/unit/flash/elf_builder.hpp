// Small ELF executables made by hand, after the System V ABI (figures 4-3, 4-8, 5-1), for Arm: 32 bit, little
// endian.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace rigd::test {

class ElfBuilder {
 public:
  struct Section {
    std::string name;
    Elf32_Word type = SHT_PROGBITS;
    Elf32_Word flags = SHF_ALLOC;
    std::string contents;
    Elf32_Word size = 0;  // of SHT_NOBITS
  };

  ElfBuilder& add(Section section) {
    sections_.push_back(std::move(section));
    return *this;
  }
  ElfBuilder& add_build_id(const std::string& id) {
    std::string note;
    append(note, Elf32_Nhdr{4, static_cast<Elf32_Word>(id.size()), NT_GNU_BUILD_ID});
    note += std::string("GNU\0", 4) + id;
    return add({".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note});
  }

  std::vector<std::byte> build(Elf32_Half type = ET_EXEC) const {
    std::string names(1, '\0');
    std::string body(sizeof(Elf32_Ehdr), '\0');
    std::vector<Elf32_Shdr> headers(1);
    for (const Section& section : sections_)
      headers.push_back(place(section, names, body));
    headers.push_back(place({".shstrtab", SHT_STRTAB, 0, {}}, names, body));
    headers.back().sh_size = static_cast<Elf32_Word>(names.size());
    body += names;
    body.resize((body.size() + 3) / 4 * 4);

    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = type;
    header.e_machine = EM_ARM;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof(Elf32_Ehdr);
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shoff = static_cast<Elf32_Off>(body.size());
    header.e_shnum = static_cast<Elf32_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf32_Half>(headers.size() - 1);
    std::memcpy(body.data(), &header, sizeof(header));
    for (const Elf32_Shdr& section : headers)
      append(body, section);

    std::vector<std::byte> file(body.size());
    std::memcpy(file.data(), body.data(), body.size());
    return file;
  }

 private:
  template <class T>
  static void append(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }

  static Elf32_Shdr place(const Section& section, std::string& names, std::string& body) {
    Elf32_Shdr header{};
    header.sh_name = static_cast<Elf32_Word>(names.size());
    names += section.name + '\0';
    body.resize((body.size() + 3) / 4 * 4);
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_addralign = 4;
    header.sh_offset = static_cast<Elf32_Off>(body.size());
    header.sh_size =
        section.type == SHT_NOBITS ? section.size : static_cast<Elf32_Word>(section.contents.size());
    body += section.contents;
    return header;
  }

  std::vector<Section> sections_;
};

}  // namespace rigd::test
