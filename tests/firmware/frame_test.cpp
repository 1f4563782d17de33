// The firmware's frames: COBS against published bytes, and a receiver that no rubbish stops.
#include <gtest/gtest.h>

#include <numeric>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {
namespace {

Octets counting(int first, int last) {
  Octets result(static_cast<std::size_t>(last - first + 1));
  std::iota(result.begin(), result.end(), static_cast<std::uint8_t>(first));
  return result;
}

Octets operator+(Octets left, const Octets& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Octets with_crc(Octets payload) {
  const std::uint32_t crc = rigd_crc32(payload.data(), payload.size());
  for (int shift = 0; shift < 32; shift += 8)
    payload.push_back(static_cast<std::uint8_t>(crc >> shift));
  return payload;
}

// What the firmware sends for a payload.
Octets sent(const Octets& payload) {
  board() = {};
  Octets buffer = payload;
  buffer.resize(payload.size() + RIGD_CRC_BYTES);
  rigd_frame_send(buffer.data(), payload.size(), hal_uart_write);
  return board().sent;
}

// The payloads a receiver finds in a stream.
class Receiver {
 public:
  std::vector<Octets> take(const Octets& stream) {
    std::vector<Octets> found;
    for (const std::uint8_t byte : stream)
      if (const std::size_t length = rigd_frame_take(&receiver_, byte); length > 0)
        found.emplace_back(receiver_.bytes, receiver_.bytes + length);
    return found;
  }

 private:
  rigd_frame_receiver receiver_{};
};

std::vector<Octets> received(const Octets& stream) {
  return Receiver().take(stream);
}

struct Example {
  const char* name;
  Octets plain;
  Octets encoded;

  friend void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }
};

// The firmware encodes a payload together with its CRC, so that the published bytes never appear alone on its
// line. They are compared with a plain restatement of the paper's algorithm, and that with what the firmware
// sends.
class FirmwareCobs : public testing::TestWithParam<Example> {};

// Cheshire and Baker 1999, section III, step by step: a block ends before a zero or after 254 bytes; its code
// is its length plus one; the zero that ended it is not sent. A phantom zero ends the message.
Octets cobs(const Octets& plain) {
  Octets out;
  Octets block;
  for (std::size_t i = 0; i <= plain.size(); ++i) {
    const bool zero = i == plain.size() || plain[i] == 0;
    if (!zero) block.push_back(plain[i]);
    if (!zero && block.size() < 254) continue;
    out.push_back(static_cast<std::uint8_t>(block.size() + 1));
    out = out + block;
    block.clear();
    if (!zero && i + 1 == plain.size()) break;  // a full block at the very end needs no phantom zero
  }
  return out;
}

TEST_P(FirmwareCobs, TheRestatementGivesThePublishedBytes) {
  EXPECT_EQ(cobs(GetParam().plain), GetParam().encoded);
}

TEST_P(FirmwareCobs, SendsThem) {
  EXPECT_EQ(sent(GetParam().plain), cobs(with_crc(GetParam().plain)) + Octets{0});
}

TEST_P(FirmwareCobs, TakesThem) {
  EXPECT_EQ(received(cobs(with_crc(GetParam().plain)) + Octets{0}), std::vector<Octets>{GetParam().plain});
}

// Wikipedia, "Consistent Overhead Byte Stuffing", encoding examples 1 to 11, without the delimiter.
INSTANTIATE_TEST_SUITE_P(
    Published, FirmwareCobs,
    testing::Values(Example{"zero", {0}, {1, 1}}, Example{"two_zeros", {0, 0}, {1, 1, 1}},
                    Example{"zero_between", {0, 0x11, 0}, {1, 2, 0x11, 1}},
                    Example{"mixed", {0x11, 0x22, 0, 0x33}, {3, 0x11, 0x22, 2, 0x33}},
                    Example{"no_zero", {0x11, 0x22, 0x33, 0x44}, {5, 0x11, 0x22, 0x33, 0x44}},
                    Example{"trailing_zeros", {0x11, 0, 0, 0}, {2, 0x11, 1, 1, 1}},
                    Example{"run_of_254", counting(1, 254), Octets{255} + counting(1, 254)},
                    Example{"zero_and_run", counting(0, 254), Octets{1, 255} + counting(1, 254)},
                    Example{"run_of_255", counting(1, 255), Octets{255} + counting(1, 254) + Octets{2, 255}},
                    Example{"run_and_zero", counting(2, 255) + Octets{0},
                            Octets{255} + counting(2, 255) + Octets{1, 1}},
                    Example{"run_zero_byte", counting(3, 255) + Octets{0, 1},
                            Octets{254} + counting(3, 255) + Octets{2, 1}}),
    [](const auto& example) { return example.param.name; });

TEST(FirmwareFrame, EveryLengthSurvivesTheWayThereAndBack) {
  for (std::size_t length = 1; length <= RIGD_MOST_PAYLOAD; ++length)
    for (const int fill : {0x00, 0x01, 0xFF}) {
      const Octets payload(length, static_cast<std::uint8_t>(fill));
      ASSERT_EQ(received(sent(payload)), std::vector<Octets>{payload}) << length << " x " << fill;
      ASSERT_EQ(sent(payload), framed(payload)) << "the daemon's encoder differs at " << length;
    }
}

const Octets kHello = {'h', 'e', 'l', 'l', 'o'};

TEST(FirmwareFrame, EmptyFramesAreNothing) {
  EXPECT_EQ(received({0, 0, 0}), std::vector<Octets>());
  EXPECT_EQ(received(Octets{0, 0} + sent(kHello) + Octets{0}), std::vector<Octets>{kHello});
}

TEST(FirmwareFrame, APayloadOfNothingIsNoFrame) {
  EXPECT_EQ(received(cobs(with_crc({})) + Octets{0}), std::vector<Octets>());
}

TEST(FirmwareFrame, AnyTurnedBitCostsTheFrameAndOnlyIt) {
  const Octets good = sent(kHello);
  for (std::size_t bit = 0; bit < 8 * (good.size() - 1); ++bit) {
    Octets bad = good;
    bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ 1u << bit % 8);
    EXPECT_EQ(received(bad + Octets{0} + good), std::vector<Octets>{kHello}) << "bit " << bit;
  }
}

TEST(FirmwareFrame, ARunBeyondTheEndIsNoCobs) {
  EXPECT_EQ(received({9, 1, 2, 3, 4, 5, 0}), std::vector<Octets>());
  EXPECT_EQ(received({255, 0}), std::vector<Octets>());
}

TEST(FirmwareFrame, AFrameAfterRubbishIsTaken) {
  EXPECT_EQ(received(counting(1, 200) + Octets{0} + sent(kHello)), std::vector<Octets>{kHello});
}

TEST(FirmwareFrame, HalfAFrameIsFlushedByAZero) {
  Octets half = sent(kHello);
  half.resize(4);
  EXPECT_EQ(received(half + Octets{0} + sent(kHello)), std::vector<Octets>{kHello});
}

TEST(FirmwareFrame, AFrameLongerThanAnyIsDroppedToItsEnd) {
  for (const std::size_t length : {std::size_t{RIGD_MOST_ENCODED} + 1, std::size_t{5000}}) {
    const Octets overlong(length, 1);
    EXPECT_EQ(received(overlong + Octets{0} + sent(kHello)), std::vector<Octets>{kHello}) << length;
  }
  // Its last bytes alone would be a good frame.
  EXPECT_EQ(received(Octets(RIGD_MOST_ENCODED, 1) + sent(kHello)), std::vector<Octets>());
}

TEST(FirmwareFrame, ALongestFrameWithOneByteMoreIsNoFrame) {
  Octets overlong = sent(Octets(RIGD_MOST_PAYLOAD, 7));
  overlong.insert(overlong.end() - 1, 7);
  EXPECT_EQ(received(overlong + sent(kHello)), std::vector<Octets>{kHello});
}

TEST(FirmwareFrame, TheLongestFrameJustFits) {
  const Octets payload(RIGD_MOST_PAYLOAD, 7);
  EXPECT_EQ(sent(payload).size(), std::size_t{RIGD_MOST_ENCODED} + 1);
  EXPECT_EQ(received(sent(payload)), std::vector<Octets>{payload});
}

}  // namespace
}  // namespace rigd::test
