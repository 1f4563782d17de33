#include "sim/adapter/gdb_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/log.hpp"
#include "sim/adapter/socket_io.hpp"

namespace rigd::sim::adapter {
namespace {

constexpr auto kAnswerTime = std::chrono::seconds(10);  // generous: the host may be busy
constexpr std::size_t kLongestPacket = 64 * 1024;       // QEMU's own limit is 4096
constexpr std::size_t kWriteBytes = 1024;               // of memory in one packet: half of what fits
constexpr std::size_t kWritesInFlight = 32;

std::string framed(std::string_view packet) {
  std::uint8_t sum = 0;
  for (const char c : packet)
    sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(c));
  return fmt::format("${}#{:02x}", packet, sum);
}

std::string hex(std::span<const std::uint8_t> data) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * data.size());
  for (const std::uint8_t byte : data) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

Result<void> GdbClient::start() {
  command("qSupported:xmlRegisters=arm");
  const std::string description = command("qXfer:features:read:target.xml:0,ffb");
  if (description.find("<target>") == std::string::npos) {
    return fail(ErrorCode::io_failure, "the gdbstub does not describe its registers");
  }
  command("?");
  if (!alive_) return fail(ErrorCode::disconnected, "the gdbstub closed its connection");
  return {};
}

void GdbClient::lost(std::string_view why) {
  if (alive_) log::warning("gdbstub: {}", why);
  alive_ = false;
}

void GdbClient::send(std::string_view packet) {
  if (alive_ && !send_all(socket_.get(), framed(packet), Deadline::in(kAnswerTime))) lost("connection lost");
}

std::string GdbClient::command(std::string_view packet) {
  send(packet);
  std::string answer;
  if (alive_ && !receive(answer, Deadline::in(kAnswerTime)))
    lost(fmt::format("no answer to '{}'", packet.substr(0, 40)));
  return answer;
}

void GdbClient::interrupt() {
  if (alive_ && !send_all(socket_.get(), "\x03", Deadline::in(kAnswerTime))) lost("connection lost");
}

bool GdbClient::stop_reply_arrived() {
  std::string packet;
  if (!alive_) return false;
  if (take_packet(packet)) return true;
  if (!wait_readable(socket_.get(), Deadline::in({}))) return false;
  if (!receive_some(socket_.get(), received_, Deadline::in({}))) {
    lost("connection lost");
    return false;
  }
  return take_packet(packet);
}

bool GdbClient::wait_for_stop() {
  std::string packet;
  if (alive_ && !receive(packet, Deadline::in(kAnswerTime))) lost("the CPU does not stop");
  return alive_;
}

// Packets are `$data#checksum`; anything between them is acknowledges. The connection is a local socket, so
// checksums are not looked at, and an answer is acknowledged by the next packet (QEMU takes a `$` for an
// acknowledge).
bool GdbClient::take_packet(std::string& packet) {
  const std::size_t start = received_.find('$');
  const std::size_t end = received_.find('#', start == std::string::npos ? 0 : start);
  if (start == std::string::npos || end == std::string::npos || received_.size() < end + 3) return false;
  packet = received_.substr(start + 1, end - start - 1);
  received_.erase(0, end + 3);
  return true;
}

bool GdbClient::receive(std::string& packet, Deadline deadline) {
  while (!take_packet(packet)) {
    if (received_.size() > kLongestPacket) return false;
    if (!receive_some(socket_.get(), received_, deadline)) return false;
  }
  return true;
}

// Several packets are under way at once: a round trip each would dominate.
void GdbClient::write_memory(std::uint32_t address, std::span<const std::uint8_t> data) {
  while (!data.empty() && alive_) {
    std::size_t packets = 0;
    std::string batch;
    for (; !data.empty() && packets < kWritesInFlight; ++packets) {
      const std::size_t size = std::min(kWriteBytes, data.size());
      batch += framed(fmt::format("M{:x},{:x}:{}", address, size, hex(data.first(size))));
      address += static_cast<std::uint32_t>(size);
      data = data.subspan(size);
    }
    const Deadline deadline = Deadline::in(kAnswerTime);
    if (!send_all(socket_.get(), batch, deadline)) return lost("connection lost");
    std::string answer;
    for (; packets > 0; --packets) {
      if (!receive(answer, deadline)) return lost("no answer to a write");
      if (answer != "OK") return lost(fmt::format("write refused: {}", answer));
    }
  }
}

// Registers travel as their bytes in memory order, hence the swap.
std::uint32_t GdbClient::read_register(unsigned number) {
  const std::string answer = command(fmt::format("p{:x}", number));
  std::uint32_t value = 0;
  std::from_chars(answer.data(), answer.data() + answer.size(), value, 16);
  return std::byteswap(value);
}

void GdbClient::write_register(unsigned number, std::uint32_t value) {
  command(fmt::format("P{:x}={:08x}", number, std::byteswap(value)));
}

void GdbClient::monitor(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::string answer = command("qRcmd," + hex({bytes, text.size()}));
  // `O` packets are the monitor's output; the last packet is OK or an error.
  while (alive_ && answer.starts_with('O') && answer != "OK") {
    if (!receive(answer, Deadline::in(kAnswerTime))) lost("no answer from the monitor");
  }
}

}  // namespace rigd::sim::adapter
