#include "sim/adapter/stm32f4_flash.hpp"

#include <algorithm>

namespace rigd::sim::adapter {
namespace {

// Registers (RM0090 3.9).
constexpr std::uint32_t kAcr = 0x00;
constexpr std::uint32_t kKeyr = 0x04;
constexpr std::uint32_t kSr = 0x0C;
constexpr std::uint32_t kCr = 0x10;
constexpr std::uint32_t kOptcr = 0x14;

constexpr std::uint32_t kKey1 = 0x45670123;
constexpr std::uint32_t kKey2 = 0xCDEF89AB;

// FLASH_SR
constexpr std::uint32_t kEndOfOperation = 1u << 0;  // set only if its interrupt is enabled
constexpr std::uint32_t kWriteProtectionError = 1u << 4;
constexpr std::uint32_t kParallelismError = 1u << 6;
constexpr std::uint32_t kSequenceError = 1u << 7;
constexpr std::uint32_t kClearable = 0xF3;

// FLASH_CR
constexpr std::uint32_t kProgram = 1u << 0;
constexpr std::uint32_t kSectorErase = 1u << 1;
constexpr std::uint32_t kMassErase = 1u << 2;
constexpr std::uint32_t kStart = 1u << 16;
constexpr std::uint32_t kEndInterrupt = 1u << 24;
constexpr std::uint32_t kLockBit = 1u << 31;
constexpr std::uint32_t kControlWritable = 0x0300037F;
constexpr unsigned sector_number(std::uint32_t control) {
  return control >> 3 & 0xF;
}
constexpr unsigned parallelism_bytes(std::uint32_t control) {
  return 1u << (control >> 8 & 3);
}

// FLASH_OPTCR after reset of a chip as delivered: no protection, option bytes locked.
constexpr std::uint32_t kOptcrDelivered = 0x0FFFAAED;
constexpr std::uint32_t kNotProtected = 0x0FFF0000;  // nWRP[11:0]

}  // namespace

AddressRange Stm32f4Flash::sector(unsigned number) {
  constexpr std::uint32_t kib = 1024;
  if (number < 4) return {number * 16 * kib, 16 * kib};
  if (number == 4) return {64 * kib, 64 * kib};
  return {(number - 4) * 128 * kib, 128 * kib};
}

void Stm32f4Flash::reset() {
  lock_ = Lock::locked;
  access_control_ = 0;
  status_ = 0;
  control_ = 0;
}

std::uint32_t Stm32f4Flash::read_register(std::uint32_t offset) const {
  switch (offset) {
    case kAcr:
      return access_control_;
    case kSr:
      return status_;
    case kCr:
      return control_ | (lock_ == Lock::unlocked ? 0 : kLockBit);
    case kOptcr:
      return protect_all_ ? kOptcrDelivered & ~kNotProtected : kOptcrDelivered;
    default:
      return 0;  // the key registers are write-only
  }
}

void Stm32f4Flash::write_register(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case kAcr:
      access_control_ = value;
      break;
    case kKeyr:
      write_key(value);
      break;
    case kSr:
      status_ &= ~(value & kClearable);
      break;
    case kCr:
      write_control(value);
      break;
    default:
      break;
  }
}

// 3.6.1: two keys in order; anything else locks the control register until the next reset.
void Stm32f4Flash::write_key(std::uint32_t value) {
  if (lock_ == Lock::locked && value == kKey1) {
    lock_ = Lock::first_key;
  } else if (lock_ == Lock::first_key && value == kKey2) {
    lock_ = Lock::unlocked;
  } else {
    lock_ = Lock::refused;
  }
}

void Stm32f4Flash::write_control(std::uint32_t value) {
  if (lock_ != Lock::unlocked) return;
  control_ = value & kControlWritable;
  if ((value & kStart) != 0) erase();
  if ((value & kLockBit) != 0) lock_ = Lock::locked;
}

bool Stm32f4Flash::is_protected(unsigned number) const {
  return protect_all_ && number < kSectors;
}

// 3.6.3. Mass erase needs every sector unprotected.
void Stm32f4Flash::erase() {
  const bool all = (control_ & kMassErase) != 0;
  if (!all && (control_ & kSectorErase) == 0) return;
  const unsigned number = sector_number(control_);
  if (!all && number >= kSectors) {
    status_ |= kSequenceError;
    return;
  }
  if (is_protected(all ? 0 : number)) {
    status_ |= kWriteProtectionError;
    return;
  }
  const AddressRange range = all ? AddressRange{0, kSize} : sector(number);
  std::fill_n(cells_.begin() + range.first, range.size, std::uint8_t{0xFF});
  if ((control_ & kEndInterrupt) != 0) status_ |= kEndOfOperation;
}

std::uint32_t Stm32f4Flash::read(std::uint32_t offset, unsigned bytes) const {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= std::uint32_t{cells_[offset + i]} << (8 * i);
  return value;
}

// 3.6.4. Programming only clears bits. Accesses are aligned and at most a word wide, so they never leave a
// flash line (PGAERR cannot occur).
void Stm32f4Flash::program(std::uint32_t offset, unsigned bytes, std::uint32_t value) {
  if (lock_ != Lock::unlocked || (control_ & kProgram) == 0) {
    status_ |= kSequenceError;
    return;
  }
  if (bytes != parallelism_bytes(control_)) {
    status_ |= kParallelismError;
    return;
  }
  if (protect_all_) {
    status_ |= kWriteProtectionError;
    return;
  }
  for (unsigned i = 0; i < bytes; ++i)
    program_byte(offset + i, static_cast<std::uint8_t>(value >> (8 * i)));
  if ((control_ & kEndInterrupt) != 0) status_ |= kEndOfOperation;
}

void Stm32f4Flash::program_byte(std::uint32_t offset, std::uint8_t value) {
  cells_[offset] &= value;
  if (stuck_bit_ == offset && cells_[offset] != 0xFF) cells_[offset] ^= 1;
}

}  // namespace rigd::sim::adapter
