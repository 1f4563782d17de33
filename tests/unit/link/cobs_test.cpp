// The examples are those of the encoding's article in Wikipedia ("Consistent Overhead Byte Stuffing",
// "Encoding examples"), without the final delimiter.
#include "link/cobs.hpp"

#include <gtest/gtest.h>

#include "bytes.hpp"

namespace rigd::link {
namespace {

using test::Bytes;
using test::bytes;
using test::counting;
using test::operator+;

Bytes encode(const Bytes& plain) {
  Bytes into(cobs_size_limit(plain.size()));
  into.resize(cobs_encode(plain, into));
  return into;
}

std::optional<Bytes> decode(const Bytes& encoded, std::size_t room = 1000) {
  Bytes into(room);
  const auto plain = cobs_decode(encoded, into);
  if (!plain) return std::nullopt;
  return bytes(*plain);
}

struct Example {
  const char* name;
  Bytes plain;
  Bytes encoded;
};

class CobsExample : public testing::TestWithParam<Example> {};

TEST_P(CobsExample, Encodes) {
  EXPECT_EQ(encode(GetParam().plain), GetParam().encoded);
}
TEST_P(CobsExample, Decodes) {
  EXPECT_EQ(decode(GetParam().encoded), GetParam().plain);
}

INSTANTIATE_TEST_SUITE_P(
    Published, CobsExample,
    testing::Values(Example{"zero", bytes({0}), bytes({1, 1})},                                       //
                    Example{"two_zeros", bytes({0, 0}), bytes({1, 1, 1})},                            //
                    Example{"zero_between", bytes({0, 0x11, 0}), bytes({1, 2, 0x11, 1})},             //
                    Example{"mixed", bytes({0x11, 0x22, 0, 0x33}), bytes({3, 0x11, 0x22, 2, 0x33})},  //
                    Example{"no_zero", bytes({0x11, 0x22, 0x33, 0x44}), bytes({5, 0x11, 0x22, 0x33, 0x44})},
                    Example{"trailing_zeros", bytes({0x11, 0, 0, 0}), bytes({2, 0x11, 1, 1, 1})},
                    Example{"run_of_254", counting(1, 254), bytes({255}) + counting(1, 254)},
                    Example{"zero_and_run", counting(0, 254), bytes({1, 255}) + counting(1, 254)},
                    Example{"run_of_255", counting(1, 255),
                            bytes({255}) + counting(1, 254) + bytes({2, 255})},
                    Example{"run_and_zero", counting(2, 255) + bytes({0}),
                            bytes({255}) + counting(2, 255) + bytes({1, 1})},
                    Example{"run_zero_byte", counting(3, 255) + bytes({0, 1}),
                            bytes({254}) + counting(3, 255) + bytes({2, 1})}),
    [](const auto& example) { return example.param.name; });

TEST(Cobs, EmptyBytesAreOneCode) {
  EXPECT_EQ(encode({}), bytes({1}));
  EXPECT_EQ(decode(bytes({1})), Bytes());
}

TEST(Cobs, RefusesARunLongerThanTheRest) {
  EXPECT_EQ(decode(bytes({5, 1, 2})), std::nullopt);
  EXPECT_EQ(decode(bytes({2, 1, 9})), std::nullopt);
}

TEST(Cobs, RefusesAZeroInside) {
  EXPECT_EQ(decode(bytes({3, 1, 0})), std::nullopt);
  EXPECT_EQ(decode(bytes({1, 0, 1})), std::nullopt);
}

TEST(Cobs, RefusesWhatDoesNotFit) {
  const Bytes encoded = encode(counting(0, 9));
  EXPECT_TRUE(decode(encoded, 10));
  EXPECT_EQ(decode(encoded, 9), std::nullopt);
}

}  // namespace
}  // namespace rigd::link
