// The whole firmware, from the first byte in to the last byte out.
#include <gmock/gmock.h>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {
namespace {

std::vector<link::Response> talk(const Octets& bytes) {
  board() = {};
  board().input.assign(bytes.begin(), bytes.end());
  EXPECT_THROW(rigd_main(), EndOfInput);
  return take_answers();
}

Octets hello(std::uint32_t sequence) {
  return framed(wire(link::Request{sequence, 1, link::HelloRequest{}}));
}

Octets operator+(Octets left, const Octets& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(Firmware, AnswersAFrame) {
  const auto answers = talk(Octets{0} + hello(5));
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].sequence, 5u);
  EXPECT_TRUE(std::holds_alternative<link::Hello>(answers[0].body));
}

TEST(Firmware, SaysNothingToRubbishAndAnswersTheNextFrame) {
  Octets broken = hello(1);
  broken[3] ^= 0x10;
  const auto answers = talk(Octets(700, 0x33) + Octets{0} + broken + hello(2) + Octets{9, 9, 0} + hello(3));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].sequence, 2u);
  EXPECT_EQ(answers[1].sequence, 3u);
}

TEST(Firmware, AResetEndsIt) {
  board() = {};
  const Octets bytes = Octets{0} + framed(wire(link::Request{1, 1, link::ResetRequest{}})) + hello(2);
  board().input.assign(bytes.begin(), bytes.end());
  EXPECT_THROW(rigd_main(), BoardReset);
  EXPECT_EQ(board().input.size(), hello(2).size());
}

}  // namespace
}  // namespace rigd::test
