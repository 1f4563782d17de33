#include "sim/common/edge_record.hpp"

#include <gtest/gtest.h>

namespace rigd::sim {
namespace {

TEST(EdgeRecord, HasTheDocumentedBytes) {
  const EdgeRecordBytes bytes = encode_edge({.sequence = 0x0102030405060708,
                                             .instructions = 258,
                                             .cycles = 0xFFFFFFFFFFFFFFFE,
                                             .pin = 1,
                                             .level = 1});
  const EdgeRecordBytes expected{8,    7,    6,    5,    4,    3,    2,    1,     // sequence
                                 2,    1,    0,    0,    0,    0,    0,    0,     // instructions
                                 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,  // cycles
                                 1,    1,    0,    0,    0,    0,    0,    0};    // pin, level, reserved
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(encode_edge(*decode_edge(bytes)), expected);
}

TEST(EdgeRecord, HeaderIsTheMagicAndZeros) {
  EdgeHeaderBytes header = edge_header();
  EXPECT_EQ(header, (EdgeHeaderBytes{'R', 'I', 'G', 'D', 'E', 'D', 'G', '1'}));
  EXPECT_TRUE(is_edge_header(header));
  header[15] = 1;
  EXPECT_FALSE(is_edge_header(header));
}

TEST(EdgeRecord, ALevelThatIsNotOneOrZeroIsRefused) {
  EdgeRecordBytes bytes = encode_edge({.level = 1});
  bytes[25] = 2;
  EXPECT_FALSE(decode_edge(bytes));
}

TEST(EdgeRecord, ReservedBytesMustBeZero) {
  for (std::size_t at = 26; at < kEdgeRecordSize; ++at) {
    EdgeRecordBytes bytes{};
    bytes[at] = 1;
    EXPECT_FALSE(decode_edge(bytes)) << "byte " << at;
  }
}

}  // namespace
}  // namespace rigd::sim
