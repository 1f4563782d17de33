#include "stub_board.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "firmware.hpp"
#include "link/codec.hpp"

namespace rigd::test {
namespace {

StubBoard the_board;

std::span<const std::byte> as_bytes(const Octets& octets) {
  return std::as_bytes(std::span(octets));
}

Octets octets(std::span<const std::byte> bytes) {
  Octets result(bytes.size());
  std::ranges::transform(bytes, result.begin(), [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
  return result;
}

}  // namespace

StubBoard& board() {
  return the_board;
}

void StubBoard::note(Event event) {
  if (event != Event::send || events.empty() || events.back() != Event::send) events.push_back(event);
}

std::vector<link::Response> take_answers() {
  const Octets sent = std::exchange(the_board.sent, {});
  std::span<const std::byte> rest = as_bytes(sent);
  std::vector<link::Response> answers;
  link::FrameDecoder decoder;
  while (const auto payload = decoder.next(rest)) {
    auto response = link::decode_response(*payload);
    if (!response) throw std::runtime_error("the daemon refuses an answer: " + response.error().message());
    answers.push_back(*std::move(response));
  }
  if (decoder.bad() != 0 || (!sent.empty() && sent.back() != 0))
    throw std::runtime_error("the board sent a bad frame");
  return answers;
}

Octets wire(const link::Request& request) {
  link::PayloadBuffer buffer;
  return octets(link::encode_request(request, buffer));
}

Octets framed(const Octets& payload) {
  link::FrameBuffer buffer;
  return octets(link::encode_frame(as_bytes(payload), buffer));
}

std::vector<link::Response> serve(const Octets& payload) {
  the_board = {};
  rigd_serve(payload.data(), payload.size(), hal_uart_write);
  return take_answers();
}

std::vector<link::Response> serve(const link::Request& request) {
  return serve(wire(request));
}

}  // namespace rigd::test

using rigd::test::board;
using rigd::test::Event;
using rigd::test::StubBoard;

extern "C" {

// Where the linker would put the note: 16 bytes of header, 20 of SHA-1.
extern const std::uint8_t rigd_build_id_note[36] = {4,    0,    0,    0,    20,   0,    0,    0,    3,
                                                    0,    0,    0,    'G',  'N',  'U',  0,    0xA0, 0xA1,
                                                    0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA,
                                                    0xAB, 0xAC, 0xAD, 0xAE, 0xAF, 0xB0, 0xB1, 0xB2, 0xB3};

void hal_init() {}

const hal_board* hal_board_facts() {
  static hal_board facts;
  facts = {"stub", 48000000, 1000000, 1, 4096, board().cycle_counter};
  return &facts;
}

std::size_t hal_chip_uid(std::uint8_t uid[16]) {
  std::fill_n(uid, 12, std::uint8_t{0x55});
  return 12;
}

std::uint8_t hal_uart_read() {
  if (board().input.empty()) throw rigd::test::EndOfInput();
  const std::uint8_t byte = board().input.front();
  board().input.pop_front();
  return byte;
}

void hal_uart_write(std::uint8_t byte) {
  board().note(Event::send);
  board().sent.push_back(byte);
}

void hal_irq_mask() {
  board().note(Event::mask);
  board().masked = true;
}

void hal_irq_unmask() {
  board().note(Event::unmask);
  board().masked = false;
}

void hal_window_open() {
  board().note(Event::open);
  ++board().windows;
}

void hal_window_close() {
  board().note(Event::close);
}

std::uint32_t hal_window_ticks() {
  return StubBoard::ticks_of(board().windows);
}
std::uint32_t hal_window_cycles() {
  return board().cycle_counter ? StubBoard::cycles_of(board().windows) : 0;
}

void hal_idle_us(std::uint32_t us) {
  board().note(Event::idle);
  board().idle_us.push_back(us);
}

std::uint8_t* hal_stack_top() {
  return board().stack.data() + board().stack.size();
}
std::uint8_t* hal_stack_limit() {
  return board().stack.data();
}
std::uint8_t* hal_stack_pointer() {
  return board().stack.data() + board().stack_pointer;
}

void hal_reset() {
  throw rigd::test::BoardReset();
}

}  // extern "C"
