// Addresses and bits of the Cortex-M debug registers.
// Sources: ARMv7-M ARM (DDI 0403) C1.6 (debug registers), C1.11 (breakpoint unit), B3.2 (system control
// block); ARMv6-M ARM (DDI 0419) C1.6, C1.8.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/adapter/chip.hpp"

namespace rigd::sim::adapter {

inline constexpr AddressRange kPrivateBus{0xE0000000, 0x100000};
inline constexpr AddressRange kWatchpointUnit{0xE0001000, 0xFD0};
inline constexpr AddressRange kBreakpointUnit{0xE0002000, 0xFD0};
inline constexpr AddressRange kRomTable{0xE00FF000, 0x1000};
inline constexpr std::uint32_t kFirstComparator = 8;

inline constexpr std::uint32_t kCpuid = 0xE000ED00;
inline constexpr std::uint32_t kAircr = 0xE000ED0C;
inline constexpr std::uint32_t kDfsr = 0xE000ED30;
inline constexpr std::uint32_t kDhcsr = 0xE000EDF0;
inline constexpr std::uint32_t kDcrsr = 0xE000EDF4;
inline constexpr std::uint32_t kDcrdr = 0xE000EDF8;
inline constexpr std::uint32_t kDemcr = 0xE000EDFC;
inline constexpr std::uint32_t kMvfr0 = 0xE000EF40;
inline constexpr std::uint32_t kMvfr1 = 0xE000EF44;

// AIRCR
inline constexpr std::uint32_t kAircrKey = 0x05FA;  // in bits 31:16 of a write
inline constexpr std::uint32_t kAircrReadKey = 0xFA050000;
inline constexpr std::uint32_t kSystemReset = 1u << 2;
inline constexpr std::uint32_t kLocalReset = 1u << 0;

// DHCSR
inline constexpr std::uint32_t kHaltingKey = 0xA05F;  // in bits 31:16 of a write
inline constexpr std::uint32_t kDebugEnable = 1u << 0;
inline constexpr std::uint32_t kHalt = 1u << 1;
inline constexpr std::uint32_t kStep = 1u << 2;
inline constexpr std::uint32_t kControlBits = 0x2F;
inline constexpr std::uint32_t kRegisterReady = 1u << 16;
inline constexpr std::uint32_t kHalted = 1u << 17;
inline constexpr std::uint32_t kLockedUp = 1u << 19;
inline constexpr std::uint32_t kRetired = 1u << 24;   // an instruction has been executed since the last read
inline constexpr std::uint32_t kWasReset = 1u << 25;  // since the last read

// DCRSR
inline constexpr std::uint32_t kSelectorMask = 0x7F;
inline constexpr std::uint32_t kSelectorWrite = 1u << 16;
inline constexpr unsigned kSelectMsp = 17;
inline constexpr unsigned kSelectPsp = 18;
inline constexpr unsigned kSelectSpecial = 20;

// DEMCR
inline constexpr std::uint32_t kCatchCoreReset = 1u << 0;

// DFSR: why the core entered debug state
inline constexpr std::uint32_t kReasonHalted = 1u << 0;
inline constexpr std::uint32_t kReasonBreakpoint = 1u << 1;
inline constexpr std::uint32_t kReasonVectorCatch = 1u << 3;

inline constexpr std::uint32_t kLockupAddress = 0xFFFFFFFE;  // DDI 0403 B1.5.15

// Where a comparator of the breakpoint unit stops the core, if it is enabled. REPLACE chooses the halfword
// (3, both, is set at the lower).
constexpr std::optional<std::uint32_t> breakpoint_address(std::uint32_t comparator) {
  const std::uint32_t replace = comparator >> 30;
  if ((comparator & 1) == 0 || replace == 0) return std::nullopt;
  return (comparator & 0x1FFFFFFC) + (replace == 2 ? 2 : 0);
}

// The ROM table that leads a debugger to the components (DDI 0403 C1.2; identification: IHI 0031 C3).
constexpr std::uint32_t rom_table_word(std::uint32_t offset) {
  switch (offset) {
    case 0x0:
      return 0xFFF0F003;  // system control space, at E000E000
    case 0x4:
      return 0xFFF02003;  // watchpoint unit, at E0001000
    case 0x8:
      return 0xFFF03003;  // breakpoint unit, at E0002000
    case 0xFCC:
      return 1;  // MEMTYPE: system memory is behind this port
    case 0xFF0:
      return 0x0D;  // CIDR0 to CIDR3: a class 1 component, a ROM table
    case 0xFF4:
      return 0x10;
    case 0xFF8:
      return 0x05;
    case 0xFFC:
      return 0xB1;
    default:
      return 0;
  }
}

}  // namespace rigd::sim::adapter
