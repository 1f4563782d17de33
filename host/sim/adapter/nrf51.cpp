#include "sim/adapter/nrf51.hpp"

#include <algorithm>
#include <array>

namespace rigd::sim::adapter {
namespace {

constexpr CoreFacts kCore{
    .dap = {.dpidr = 0x0BB11477,   // Cortex-M0 SW-DP (Cortex-M0 TRM, DDI 0432, appendix A)
            .ap_idr = 0x04770021,  // its AHB-AP
            .rom_base = 0xE00FF003,
            .tar_wrap = 1024,
            .packed_transfers = false},
    .cpuid = 0x410CC200,  // Cortex-M0 r0p0
    .breakpoints = 4,
    .flash = {0x00000000, 256 * 1024},
    .ram = {0x20000000, 16 * 1024},
};

// Everything else answers with a bus error.
constexpr std::array kMapped{
    kCore.flash,
    AddressRange{0x10000000, 0x2000},  // FICR, UICR
    kCore.ram,
    AddressRange{0x40000000, 0x30000},  // peripherals, APB
    AddressRange{0x50000000, 0x1000},   // GPIO
    AddressRange{0xE000E000, 0x1000},   // system control space
    AddressRange{0xF0000000, 0x1000},   // vendor's ROM table
};

bool mapped(std::uint32_t address, unsigned bytes) {
  return std::ranges::any_of(kMapped,
                             [=](const AddressRange& range) { return range.contains(address, bytes); });
}

}  // namespace

const CoreFacts& Nrf51::core() const {
  return kCore;
}

std::optional<std::uint32_t> Nrf51::factory_word(std::uint32_t address) const {
  switch (address) {
    case 0x10000028:  // CLENR0: size of the factory-protected code region 0, all ones for none
      return faults_.write_protected ? kCore.flash.size : 0xFFFFFFFF;
    case 0x1000002C:
      return 0xFFFFFFFF;  // PPFC: no factory code
    case 0x10000034:
      return 2;  // NUMRAMBLOCK
    case 0x10000038:
      return 8 * 1024;  // SIZERAMBLOCKS
    case 0x1000005C:
      return 0x0072;  // CONFIGID: hardware id of a QFAA revision H0
    default:
      return std::nullopt;
  }
}

std::optional<std::uint32_t> Nrf51::read(std::uint32_t address, unsigned bytes) {
  if (const auto word = factory_word(address & ~3u)) return part_of_word(*word, address, bytes);
  if (!mapped(address, bytes)) return std::nullopt;
  return simulator_.read(address, bytes);
}

bool Nrf51::write(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (!mapped(address, bytes)) return false;
  simulator_.write(address, bytes, value);
  return true;
}

// A chip is delivered erased; QEMU's flash holds zeros unless it was started with an image.
void Nrf51::power_on() {
  const std::vector<std::uint8_t> flash = simulator_.read_block(kCore.flash.first, kCore.flash.size);
  const bool untouched = std::ranges::all_of(flash, [](std::uint8_t byte) { return byte == 0; });
  if (untouched) simulator_.write_rom(kCore.flash.first, std::vector<std::uint8_t>(flash.size(), 0xFF));
}

// QEMU's flash controller knows no bad cells: the byte is spoilt once after each time it was programmed.
void Nrf51::before_run() {
  if (!faults_.stuck_bit || !kCore.flash.contains(*faults_.stuck_bit)) return;
  const std::uint32_t address = kCore.flash.first + *faults_.stuck_bit;
  const std::uint32_t value = simulator_.read(address, 1);
  constexpr std::uint32_t erased = 0xFF;
  if (value == erased || value == spoilt_value_) return;
  spoilt_value_ = value ^ 1;
  const std::array data{static_cast<std::uint8_t>(spoilt_value_)};
  simulator_.write_rom(address, data);
}

}  // namespace rigd::sim::adapter
