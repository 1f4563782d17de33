#include "probe/edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edge_bytes.hpp"

namespace rigd::probe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Kept final : EdgeSink {
  void on_edge(const CountedEdge& edge) override { edges.push_back(edge); }
  std::vector<CountedEdge> edges;
};

constexpr CountedEdge kRise{.sequence = 7, .instructions = 100, .cycles = 120, .pin = 0, .level = 1};
constexpr CountedEdge kFall{.sequence = 8, .instructions = 200, .cycles = 260, .pin = 0, .level = 0};

Result<void> push(EdgeDecoder& decoder, const std::vector<CountedEdge>& edges) {
  RIGD_CHECK(decoder.push(test::edge_header()));
  for (const auto& edge : edges)
    RIGD_CHECK(decoder.push(test::edge_record(edge)));
  return {};
}

TEST(EdgeDecoder, ReadsRecordsHoweverTheyAreCut) {
  std::vector<std::byte> bytes = test::edge_header();
  for (const auto& edge : {kRise, kFall})
    for (const std::byte byte : test::edge_record(edge))
      bytes.push_back(byte);
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    Kept kept;
    EdgeDecoder decoder(kept);
    for (std::size_t at = 0; at < bytes.size(); at += size)
      ASSERT_TRUE(decoder.push(std::span(bytes).subspan(at, std::min(size, bytes.size() - at))));
    EXPECT_THAT(kept.edges, ElementsAre(kRise, kFall));
    EXPECT_TRUE(decoder.at_boundary());
  }
}

TEST(EdgeDecoder, LetsALateSubscriberBeginAnywhere) {
  Kept kept;
  EdgeDecoder decoder(kept);
  EXPECT_TRUE(push(decoder, {kRise}));
}

TEST(EdgeDecoder, RefusesAnotherStream) {
  for (const std::size_t at : {0U, 7U, 8U, 15U}) {
    Kept kept;
    EdgeDecoder decoder(kept);
    auto header = test::edge_header();
    header[at] ^= std::byte{1};
    const auto pushed = decoder.push(header);
    ASSERT_FALSE(pushed);
    EXPECT_EQ(pushed.error().code(), ErrorCode::probe_identity);
  }
}

TEST(EdgeDecoder, NamesTheRecordBehindALoss) {
  Kept kept;
  EdgeDecoder decoder(kept);
  CountedEdge later = kFall;
  later.sequence = 10;
  const auto pushed = push(decoder, {kRise, later});
  ASSERT_FALSE(pushed);
  EXPECT_EQ(pushed.error().code(), ErrorCode::samples_lost);
  EXPECT_THAT(pushed.error().message(), HasSubstr("record 10 after 7"));
}

TEST(EdgeDecoder, RefusesCountsThatFall) {
  for (const bool in_cycles : {false, true}) {
    Kept kept;
    EdgeDecoder decoder(kept);
    CountedEdge bad = kFall;
    (in_cycles ? bad.cycles : bad.instructions) = 99;
    const auto pushed = push(decoder, {kRise, bad});
    ASSERT_FALSE(pushed);
    EXPECT_EQ(pushed.error().code(), ErrorCode::link_corrupt);
    EXPECT_THAT(kept.edges, ElementsAre(kRise));
  }
}

TEST(EdgeDecoder, RefusesAMalformedRecord) {
  for (const std::size_t at : {25U, 26U, 31U}) {
    Kept kept;
    EdgeDecoder decoder(kept);
    ASSERT_TRUE(decoder.push(test::edge_header()));
    auto record = test::edge_record(kRise);
    record[at] = std::byte{2};
    EXPECT_FALSE(decoder.push(record));
  }
}

TEST(EdgeDecoder, StaysFailed) {
  Kept kept;
  EdgeDecoder decoder(kept);
  ASSERT_FALSE(push(decoder, {kFall, kRise}));
  EXPECT_FALSE(decoder.push(test::edge_record(kFall)));
  EXPECT_EQ(kept.edges.size(), 1U);
}

}  // namespace
}  // namespace rigd::probe
