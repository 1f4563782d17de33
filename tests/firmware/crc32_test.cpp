#include <gtest/gtest.h>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {
namespace {

std::uint32_t crc(const Octets& bytes) {
  return rigd_crc32(bytes.data(), bytes.size());
}

// The check value of CRC-32/ISO-HDLC in the catalogue of CRC algorithms (Cook).
TEST(FirmwareCrc32, HasThePublishedCheckValue) {
  EXPECT_EQ(crc({'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xCBF43926u);
}

TEST(FirmwareCrc32, OfNothingIsZero) {
  EXPECT_EQ(rigd_crc32(nullptr, 0), 0u);
}

// As zlib's crc32() gives them.
TEST(FirmwareCrc32, OfEqualBytes) {
  EXPECT_EQ(crc(Octets(32, 0x00)), 0x190A55ADu);
  EXPECT_EQ(crc(Octets(32, 0xFF)), 0xFF6CAB0Bu);
}

}  // namespace
}  // namespace rigd::test
