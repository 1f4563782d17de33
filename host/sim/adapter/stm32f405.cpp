#include "sim/adapter/stm32f405.hpp"

#include <algorithm>

namespace rigd::sim::adapter {
namespace {

constexpr CoreFacts kCore{
    .dap = {.dpidr = 0x2BA01477,   // SW-DP (RM0090 38.8.3)
            .ap_idr = 0x24770011,  // AHB-AP of a Cortex-M4 (TRM, DDI 0439, 8.3)
            .rom_base = 0xE00FF003,
            .tar_wrap = 4096,
            .packed_transfers = true},
    .cpuid = 0x410FC241,  // Cortex-M4 r0p1
    .breakpoints = 6,
    .flash = {0x08000000, Stm32f4Flash::kSize},
    .ram = {0x20000000, 128 * 1024},
};

constexpr AddressRange kBootAlias{0x00000000, Stm32f4Flash::kSize};  // BOOT0 low: flash
constexpr AddressRange kSystemMemory{0x1FFF0000, 0x8000};
constexpr AddressRange kDebugControls{0xE0042004, 12};

// What QEMU answers for; the rest is a bus error.
constexpr std::array kSimulated{
    AddressRange{0x10000000, 64 * 1024},              // core-coupled memory
    kCore.ram, AddressRange{0x40000000, 0x20000000},  // peripherals
    AddressRange{0xE000E000, 0x1000},                 // system control space
};

bool simulated(std::uint32_t address, unsigned bytes) {
  return std::ranges::any_of(kSimulated,
                             [=](const AddressRange& range) { return range.contains(address, bytes); });
}

std::optional<std::uint32_t> flash_offset(std::uint32_t address, unsigned bytes) {
  if (kCore.flash.contains(address, bytes)) return address - kCore.flash.first;
  if (kBootAlias.contains(address, bytes)) return address - kBootAlias.first;
  return std::nullopt;
}

// 39: the unique device identifier, and the size of flash in KiB in the upper half of its word.
std::uint32_t system_memory_word(std::uint32_t address) {
  switch (address) {
    case 0x1FFF7A10:
      return 0x00330041;
    case 0x1FFF7A14:
      return 0x31345102;
    case 0x1FFF7A18:
      return 0x33383937;
    case 0x1FFF7A20:
      return (Stm32f4Flash::kSize / 1024) << 16;
    default:
      return 0xFFFFFFFF;
  }
}

}  // namespace

const CoreFacts& Stm32f405::core() const {
  return kCore;
}

std::optional<std::uint32_t> Stm32f405::own_word(std::uint32_t address) const {
  constexpr std::uint32_t idcode_address = 0xE0042000;
  constexpr std::uint32_t idcode = 0x10036413;  // DBGMCU_IDCODE: STM32F405, revision Y
  if (address == idcode_address) return idcode;
  if (Stm32f4Flash::kRegisters.contains(address)) {
    return flash_.read_register(address - Stm32f4Flash::kRegisters.first);
  }
  if (kDebugControls.contains(address)) return debug_controls_[(address - kDebugControls.first) / 4];
  if (kSystemMemory.contains(address)) return system_memory_word(address);
  constexpr AddressRange trace_units{0xE0000000, 0xE000};  // ITM and others, and the TPIU: absent
  constexpr AddressRange trace_port{0xE0040000, 0x1000};
  if (trace_units.contains(address) || trace_port.contains(address)) return 0;
  return std::nullopt;
}

std::optional<std::uint32_t> Stm32f405::read(std::uint32_t address, unsigned bytes) {
  apply_faults();
  if (const auto offset = flash_offset(address, bytes)) return flash_.read(*offset, bytes);
  if (const auto word = own_word(address & ~3u)) return part_of_word(*word, address, bytes);
  if (!simulated(address, bytes)) return std::nullopt;
  return simulator_.read(address, bytes);
}

bool Stm32f405::write(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  apply_faults();
  if (const auto offset = flash_offset(address, bytes)) {
    flash_.program(*offset, bytes, value);
    return true;
  }
  if (Stm32f4Flash::kRegisters.contains(address)) {
    flash_.write_register(address - Stm32f4Flash::kRegisters.first, value);
    return true;
  }
  if (kDebugControls.contains(address)) {
    debug_controls_[(address - kDebugControls.first) / 4] = value;
    return true;
  }
  if (own_word(address & ~3u)) return true;
  if (!simulated(address, bytes)) return false;
  simulator_.write(address, bytes, value);
  return true;
}

void Stm32f405::apply_faults() {
  flash_.protect_all(faults_.write_protected);
  flash_.set_stuck_bit(faults_.stuck_bit);
}

void Stm32f405::reset() {
  flash_.reset();
}

// Sends only the pages that differ from what the simulator already holds.
void Stm32f405::before_run() {
  constexpr std::size_t page = 4096;
  const std::span<const std::uint8_t> cells = flash_.cells();
  std::size_t at = 0;
  const auto changed = [&](std::size_t offset) {
    return !std::ranges::equal(cells.subspan(offset, page), std::span(in_simulator_).subspan(offset, page));
  };
  while (at < cells.size()) {
    std::size_t end = at;
    while (end < cells.size() && changed(end))
      end += page;
    if (end > at) {
      simulator_.write_rom(kCore.flash.first + static_cast<std::uint32_t>(at), cells.subspan(at, end - at));
      std::ranges::copy(cells.subspan(at, end - at), in_simulator_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    at = end + page;
  }
}

}  // namespace rigd::sim::adapter
