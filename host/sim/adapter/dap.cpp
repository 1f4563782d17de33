#include "sim/adapter/dap.hpp"

namespace rigd::sim::adapter {
namespace {

// Debug port registers by address (IHI 0031 B2.2).
constexpr std::uint8_t kDpidrAbort = 0x0;  // read: DPIDR, write: ABORT
constexpr std::uint8_t kCtrlStat = 0x4;
constexpr std::uint8_t kSelectResend = 0x8;  // read: RESEND, write: SELECT

constexpr std::uint32_t kAbortStickyBits = 0x1E;  // STKCMPCLR, STKERRCLR, WDERRCLR, ORUNERRCLR
constexpr std::uint32_t kStickyError = 1u << 5;
constexpr std::uint32_t kPowerRequests =
    5u << 28;  // CDBGPWRUPREQ, CSYSPWRUPREQ; their acknowledges are one bit up
constexpr std::uint32_t kControlWritable =
    0x50FFFF0D;                                  // without the reset request, which neither chip implements
constexpr std::uint32_t kTurnaroundDlcr = 0x40;  // DLCR: turnaround of one clock

// MEM-AP registers by bank and address (C2.6).
constexpr std::uint8_t kCsw = 0x00;
constexpr std::uint8_t kTar = 0x04;
constexpr std::uint8_t kDrw = 0x0C;
constexpr std::uint8_t kBankedData = 0x10;  // BD0 to BD3
constexpr std::uint8_t kBase = 0xF8;
constexpr std::uint8_t kIdr = 0xFC;

constexpr std::uint32_t kCswWritable = 0x7F000037;  // protection, increment mode and size; the rest is fixed
constexpr std::uint32_t kCswDeviceEnabled = 0x40;
constexpr std::uint32_t kIncrementMask = 0x30;
constexpr std::uint32_t kIncrementPacked = 0x20;

constexpr std::uint32_t kForeignDpidr = 0x6BA02477;  // a debug port of another family (DPv2)

}  // namespace

Ack Dap::transfer(SwdRequest request, std::uint32_t& data) {
  if (faults_.unpowered || !target_.powered()) {
    line_ = Line::dormant;
    return Ack::none;
  }
  const bool identifies = !request.access_port && request.read && request.address == kDpidrAbort;
  if (line_ == Line::reset && identifies) line_ = Line::active;
  if (line_ != Line::active) return Ack::none;

  if (!request.access_port) {
    if (request.read) {
      data = read_debug_port(request.address);
    } else {
      write_debug_port(request.address, data);
    }
    return Ack::ok;
  }
  // B4.2.6: a sticky flag answers every access-port request with FAULT until it is cleared.
  if (sticky_error_) return Ack::fault;
  const auto address = static_cast<std::uint8_t>((select_ & 0xF0) | request.address);
  sticky_error_ = request.read ? !read_access_port(address, data) : !write_access_port(address, data);
  if (request.read) read_buffer_ = data;
  return sticky_error_ ? Ack::fault : Ack::ok;
}

std::uint32_t Dap::identification() const {
  return faults_.wrong_dpidr ? kForeignDpidr : facts_.dpidr;
}

std::uint32_t Dap::status() const {
  return control_ | (control_ & kPowerRequests) << 1 | (sticky_error_ ? kStickyError : 0);
}

std::uint32_t Dap::read_debug_port(std::uint8_t address) const {
  switch (address) {
    case kDpidrAbort:
      return identification();
    case kCtrlStat:
      return (select_ & 0xF) == 0 ? status() : kTurnaroundDlcr;
    default:
      return read_buffer_;  // RESEND and RDBUFF
  }
}

void Dap::write_debug_port(std::uint8_t address, std::uint32_t value) {
  if (address == kDpidrAbort && (value & kAbortStickyBits) != 0) sticky_error_ = false;
  if (address == kCtrlStat && (select_ & 0xF) == 0) control_ = value & kControlWritable;
  if (address == kSelectResend) select_ = value;
}

bool Dap::packed() const {
  return (csw_ & kIncrementMask) == kIncrementPacked && access_bytes() < 4;
}

bool Dap::read_access_port(std::uint8_t address, std::uint32_t& value) {
  value = 0;
  if (select_ >> 24 != 0) return true;  // no such access port: all its registers read as zero
  switch (address) {
    case kCsw:
      value = csw_;
      return true;
    case kTar:
      value = tar_;
      return true;
    case kBase:
      value = facts_.rom_base;
      return true;
    case kIdr:
      value = facts_.ap_idr;
      return true;
    case kDrw:
      if (!read_memory(tar_, value)) return false;
      advance_address();
      return true;
    default:
      if ((address & 0xF0) != kBankedData) return true;
      return read_memory((tar_ & ~0xFu) | (address & 0xCu), value);
  }
}

bool Dap::write_access_port(std::uint8_t address, std::uint32_t value) {
  if (select_ >> 24 != 0) return true;
  switch (address) {
    case kCsw:
      csw_ = (value & kCswWritable) | kCswDeviceEnabled;
      if ((csw_ & 7) > 2) csw_ = (csw_ & ~7u) | 2;  // larger sizes are not implemented (C2.2.6)
      if (!facts_.packed_transfers && (csw_ & kIncrementPacked) != 0) csw_ &= ~kIncrementMask;
      return true;
    case kTar:
      tar_ = value;
      return true;
    case kDrw:
      if (!write_memory(tar_, value)) return false;
      advance_address();
      return true;
    default:
      if ((address & 0xF0) != kBankedData) return true;
      return write_memory((tar_ & ~0xFu) | (address & 0xCu), value);
  }
}

// C2.2.6: data of a narrow access travels in the byte lanes its address selects; a packed transfer fills the
// word with several narrow accesses.
bool Dap::read_memory(std::uint32_t address, std::uint32_t& value) {
  const unsigned bytes = access_bytes();
  const unsigned count = packed() ? 4 / bytes : 1;
  value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t at = (address + i * bytes) & ~(bytes - 1);
    const auto part = target_.read(at, bytes);
    if (!part) return false;
    value |= *part << (8 * (at & 3));
  }
  return true;
}

bool Dap::write_memory(std::uint32_t address, std::uint32_t value) {
  const unsigned bytes = access_bytes();
  const unsigned count = packed() ? 4 / bytes : 1;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t at = (address + i * bytes) & ~(bytes - 1);
    if (!target_.write(at, bytes, part_of_word(value, at, bytes))) return false;
  }
  return true;
}

void Dap::advance_address() {
  if ((csw_ & kIncrementMask) == 0) return;
  const std::uint32_t step = packed() ? 4 : access_bytes();
  const std::uint32_t mask = facts_.tar_wrap - 1;
  tar_ = (tar_ & ~mask) | ((tar_ + step) & mask);
}

}  // namespace rigd::sim::adapter
