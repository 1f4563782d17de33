#include "sim/adapter/cmsis_dap.hpp"

namespace rigd::sim::adapter {
namespace {

enum Command : std::uint8_t {
  kInfo = 0x00,
  kHostStatus = 0x01,
  kConnect = 0x02,
  kDisconnect = 0x03,
  kTransferConfigure = 0x04,
  kTransfer = 0x05,
  kTransferBlock = 0x06,
  kTransferAbort = 0x07,
  kWriteAbort = 0x08,
  kDelay = 0x09,
  kResetTarget = 0x0A,
  kSwjPins = 0x10,
  kSwjClock = 0x11,
  kSwjSequence = 0x12,
  kSwdConfigure = 0x13,
  kInvalid = 0xFF,
};

constexpr std::uint8_t kOk = 0x00;
constexpr std::uint8_t kError = 0xFF;

constexpr std::uint8_t kPortDefault = 0;
constexpr std::uint8_t kPortSwd = 1;
constexpr std::uint8_t kCapabilitySwd = 1;

// Bits of a transfer request.
constexpr std::uint8_t kAccessPort = 1 << 0;
constexpr std::uint8_t kRead = 1 << 1;
constexpr std::uint8_t kAddress = 3 << 2;
constexpr std::uint8_t kValueMatch = 1 << 4;  // of a read
constexpr std::uint8_t kMatchMask = 1 << 5;   // of a write
// Bits of a transfer answer beside the acknowledge.
constexpr std::uint8_t kValueMismatch = 1 << 4;

constexpr std::uint8_t kPinReset = 1 << 7;

constexpr unsigned kLineResetOnes = 50;

SwdRequest wire_request(std::uint8_t request) {
  return {.access_port = (request & kAccessPort) != 0,
          .read = (request & kRead) != 0,
          .address = static_cast<std::uint8_t>(request & kAddress)};
}

}  // namespace

// Takes little-endian values off a request; once it is short, everything reads as zero and `short_` stays
// set.
class CmsisDap::Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(take(2)); }
  std::uint32_t u32() { return take(4); }
  bool is_short() const { return short_; }

 private:
  std::uint32_t take(unsigned bytes) {
    if (data_.size() < bytes) {
      short_ = true;
      return 0;
    }
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      value |= std::uint32_t{data_[i]} << (8 * i);
    data_ = data_.subspan(bytes);
    return value;
  }

  std::span<const std::uint8_t> data_;
  bool short_ = false;
};

class CmsisDap::Writer {
 public:
  explicit Writer(std::uint8_t command) : bytes_{command} {}

  void u8(std::uint8_t value) { put(value, 1); }
  void u16(std::uint16_t value) { put(value, 2); }
  void u32(std::uint32_t value) { put(value, 4); }
  void text(std::string_view text) {  // with its length and terminating zero
    u8(static_cast<std::uint8_t>(text.size() + 1));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    u8(0);
  }
  // Reserves a field that is known only later.
  std::size_t skip(unsigned bytes) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + bytes);
    return at;
  }
  void patch(std::size_t at, std::uint8_t value) { bytes_[at] = value; }

  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  void put(std::uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  std::vector<std::uint8_t> bytes_;
};

std::vector<std::uint8_t> CmsisDap::handle(std::span<const std::uint8_t> request) {
  Reader in(request);
  const std::uint8_t command = in.u8();
  Writer out(command);
  if (in.is_short()) return {kInvalid};
  switch (command) {
    case kInfo:
      info(in, out);
      break;
    case kConnect:
      connect(in, out);
      break;
    case kTransferConfigure:
      configure_transfer(in, out);
      break;
    case kTransfer:
      transfer(in, out);
      break;
    case kTransferBlock:
      transfer_block(in, out);
      break;
    case kTransferAbort:
      return {};  // nothing is ever under way when it arrives
    case kWriteAbort:
      write_abort(in, out);
      break;
    case kSwjPins:
      swj_pins(in, out);
      break;
    case kSwjSequence:
      swj_sequence(in, out);
      break;
    case kResetTarget:  // no device-specific reset sequence
      out.u8(kOk);
      out.u8(0);
      break;
    case kHostStatus:  // LEDs
    case kDisconnect:
    case kDelay:         // the simulated chip needs none
    case kSwjClock:      // nor a clock rate
    case kSwdConfigure:  // nor turnaround phases
      out.u8(kOk);
      break;
    default:
      return {kInvalid};
  }
  if (in.is_short() || out.bytes().size() > kPacketBytes) return {kInvalid};
  return std::move(out.bytes());
}

void CmsisDap::info(Reader& in, Writer& out) const {
  switch (in.u8()) {
    case 0x01:
      out.text("rigd");
      break;
    case 0x02:
      out.text("rigd virtual CMSIS-DAP");
      break;
    case 0x03:
      out.text(serial_);
      break;
    case 0x04:
      out.text("1.2.0");
      break;  // version of the protocol
    case 0xF0:
      out.u8(1);
      out.u8(kCapabilitySwd);
      break;
    case 0xFE:
      out.u8(1);
      out.u8(kPacketCount);
      break;
    case 0xFF:
      out.u8(2);
      out.u16(kPacketBytes);
      break;
    default:
      out.u8(0);  // no information
  }
}

void CmsisDap::connect(Reader& in, Writer& out) const {
  const std::uint8_t port = in.u8();
  out.u8(port == kPortDefault || port == kPortSwd ? kPortSwd : 0);  // 0: failed
}

void CmsisDap::configure_transfer(Reader& in, Writer& out) {
  in.u8();  // idle cycles
  wait_retries_ = in.u16();
  match_retries_ = in.u16();
  out.u8(kOk);
}

Ack CmsisDap::wire_transfer(SwdRequest request, std::uint32_t& data) {
  Ack ack = wire_.transfer(request, data);
  for (unsigned i = 0; ack == Ack::wait && i < wait_retries_; ++i)
    ack = wire_.transfer(request, data);
  return ack;
}

std::uint8_t CmsisDap::match_value(SwdRequest request, std::uint32_t wanted) {
  for (unsigned i = 0; i <= match_retries_; ++i) {
    std::uint32_t value = 0;
    const Ack ack = wire_transfer(request, value);
    if (ack != Ack::ok) return static_cast<std::uint8_t>(ack);
    if ((value & match_mask_) == wanted) return static_cast<std::uint8_t>(Ack::ok);
  }
  return static_cast<std::uint8_t>(Ack::ok) | kValueMismatch;
}

std::uint8_t CmsisDap::one_transfer(std::uint8_t request, Reader& in, Writer& out) {
  constexpr auto ok = static_cast<std::uint8_t>(Ack::ok);
  const SwdRequest wire = wire_request(request);
  const bool carries_data = !wire.read || (request & kValueMatch) != 0;
  std::uint32_t data = carries_data ? in.u32() : 0;
  if (in.is_short()) return static_cast<std::uint8_t>(Ack::none);
  if (!wire.read && (request & kMatchMask) != 0) {
    match_mask_ = data;
    return ok;
  }
  if (wire.read && (request & kValueMatch) != 0) return match_value(wire, data);
  const Ack ack = wire_transfer(wire, data);
  if (ack == Ack::ok && wire.read) out.u32(data);
  return static_cast<std::uint8_t>(ack);
}

void CmsisDap::transfer(Reader& in, Writer& out) {
  in.u8();  // device index of a JTAG chain
  const std::uint8_t count = in.u8();
  const std::size_t done_at = out.skip(1);
  const std::size_t ack_at = out.skip(1);
  std::uint8_t done = 0;
  std::uint8_t ack = 0;
  while (done < count) {
    const std::uint8_t request = in.u8();
    ack = one_transfer(request, in, out);
    if (ack != static_cast<std::uint8_t>(Ack::ok)) break;
    ++done;
  }
  out.patch(done_at, done);
  out.patch(ack_at, ack);
}

void CmsisDap::transfer_block(Reader& in, Writer& out) {
  in.u8();
  const std::uint16_t count = in.u16();
  const SwdRequest request = wire_request(in.u8());
  const std::size_t done_at = out.skip(2);
  const std::size_t ack_at = out.skip(1);
  std::uint16_t done = 0;
  Ack ack{};
  while (done < count) {
    std::uint32_t data = request.read ? 0 : in.u32();
    if (in.is_short() || out.bytes().size() > kPacketBytes) break;
    ack = wire_transfer(request, data);
    if (ack != Ack::ok) break;
    if (request.read) out.u32(data);
    ++done;
  }
  out.patch(done_at, static_cast<std::uint8_t>(done));
  out.patch(done_at + 1, static_cast<std::uint8_t>(done >> 8));
  out.patch(ack_at, static_cast<std::uint8_t>(ack));
}

void CmsisDap::write_abort(Reader& in, Writer& out) {
  in.u8();
  std::uint32_t value = in.u32();
  const Ack ack = wire_.transfer({.access_port = false, .read = false, .address = 0}, value);
  out.u8(ack == Ack::ok ? kOk : kError);
}

// The only pin a chip takes notice of between transfers is its reset.
void CmsisDap::swj_pins(Reader& in, Writer& out) {
  const std::uint8_t output = in.u8();
  const std::uint8_t select = in.u8();
  in.u32();  // how long to wait for the pins to settle
  if ((select & kPinReset) != 0 && !in.is_short()) {
    const bool high = (output & kPinReset) != 0;
    if (high != reset_high_) wire_.reset_pin(high);
    reset_high_ = high;
  }
  constexpr std::uint8_t kDataHigh = 1 << 1;  // SWDIO's pull-up
  out.u8(static_cast<std::uint8_t>(kDataHigh | (reset_high_ ? kPinReset : 0)));
}

void CmsisDap::swj_sequence(Reader& in, Writer& out) {
  const std::uint8_t coded = in.u8();
  const unsigned bits = coded == 0 ? 256 : coded;
  std::uint8_t byte = 0;
  for (unsigned i = 0; i < bits && !in.is_short(); ++i) {
    if (i % 8 == 0) byte = in.u8();
    const bool one = (byte >> (i % 8) & 1) != 0;
    ones_in_a_row_ = one ? ones_in_a_row_ + 1 : 0;
    if (ones_in_a_row_ == kLineResetOnes) wire_.line_reset();
  }
  out.u8(kOk);
}

}  // namespace rigd::sim::adapter
