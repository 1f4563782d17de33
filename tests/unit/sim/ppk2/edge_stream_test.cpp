#include "sim/ppk2/edge_stream.hpp"

#include <gtest/gtest.h>

#include "sim/common/edge_record.hpp"

namespace rigd::sim::ppk2 {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<EdgeRecord> records) {
  std::vector<std::byte> bytes;
  for (const std::uint8_t byte : edge_header())
    bytes.push_back(static_cast<std::byte>(byte));
  for (const auto& record : records)
    for (const std::uint8_t byte : encode_edge(record))
      bytes.push_back(static_cast<std::byte>(byte));
  return bytes;
}

TEST(EdgeStream, ReadsRecordsHoweverTheyAreCut) {
  const auto bytes =
      bytes_of({{.sequence = 4, .instructions = 10, .cycles = 0x0102030405060708, .pin = 0, .level = 1},
                {.sequence = 5, .instructions = 11, .cycles = 0x0102030405060709, .pin = 1, .level = 0}});
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    EdgeStream stream;
    std::vector<Edge> edges;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const auto some = stream.push(std::span(bytes).subspan(at, std::min(size, bytes.size() - at)));
      ASSERT_TRUE(some);
      edges.insert(edges.end(), some->begin(), some->end());
    }
    ASSERT_EQ(edges.size(), 2U);
    EXPECT_EQ(edges[0].cycles, 0x0102030405060708U);
    EXPECT_TRUE(edges[0].level);
    EXPECT_EQ(edges[1].pin, 1);
  }
}

TEST(EdgeStream, RefusesAnotherStreamAndFallingCycles) {
  EXPECT_FALSE(EdgeStream().push(std::vector<std::byte>(16, std::byte{'x'})));
  EXPECT_FALSE(EdgeStream().push(bytes_of({{.cycles = 5, .level = 1}, {.cycles = 4, .level = 0}})));
}

}  // namespace
}  // namespace rigd::sim::ppk2
