#include "sim/adapter/qtest_client.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/log.hpp"
#include "sim/adapter/socket_io.hpp"

namespace rigd::sim::adapter {
namespace {

constexpr auto kAnswerTime = std::chrono::seconds(10);
constexpr unsigned kMostQueued = 256;
constexpr std::size_t kLongestLine = 4 * 1024 * 1024;

char size_letter(unsigned bytes) {
  return bytes == 4 ? 'l' : bytes == 2 ? 'w' : 'b';
}

}  // namespace

void QtestClient::lost(std::string_view why) {
  if (alive_) log::warning("qtest: {}", why);
  alive_ = false;
}

std::string QtestClient::receive_line() {
  const Deadline deadline = Deadline::in(kAnswerTime);
  while (alive_) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      if (!line.starts_with("IRQ")) return line;  // interrupt notices come unasked
    } else if (received_.size() > kLongestLine || !receive_some(socket_.get(), received_, deadline)) {
      lost("connection lost");
    }
  }
  return {};
}

void QtestClient::post() {
  if (queued_.empty()) return;
  if (alive_ && !send_all(socket_.get(), queued_, Deadline::in(kAnswerTime))) lost("connection lost");
  queued_.clear();
  unanswered_ += std::exchange(queued_lines_, 0);
}

void QtestClient::flush() {
  post();
  for (; unanswered_ > 0; --unanswered_)
    receive_line();
}

std::string QtestClient::command(std::string_view line) {
  flush();
  if (alive_ && !send_all(socket_.get(), line, Deadline::in(kAnswerTime))) lost("connection lost");
  return receive_line();
}

void QtestClient::write(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  queued_ += fmt::format("write{} {:#x} {:#x}\n", size_letter(bytes), address, value);
  if (++queued_lines_ + unanswered_ >= kMostQueued) flush();
}

std::uint32_t QtestClient::read(std::uint32_t address, unsigned bytes) {
  const std::string answer = command(fmt::format("read{} {:#x}\n", size_letter(bytes), address));
  constexpr std::string_view prefix = "OK 0x";
  std::uint64_t value = 0;
  if (answer.starts_with(prefix)) {
    std::from_chars(answer.data() + prefix.size(), answer.data() + answer.size(), value, 16);
  }
  return static_cast<std::uint32_t>(value);
}

std::vector<std::uint8_t> QtestClient::read_block(std::uint32_t address, std::uint32_t size) {
  std::vector<std::uint8_t> data(size);
  const std::string answer = command(fmt::format("read {:#x} {:#x}\n", address, size));
  constexpr std::string_view prefix = "OK 0x";
  if (answer.size() != prefix.size() + 2 * std::size_t{size}) return data;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const char* digits = answer.data() + prefix.size() + 2 * i;
    std::from_chars(digits, digits + 2, data[i], 16);
  }
  return data;
}

}  // namespace rigd::sim::adapter
