#include "store/trace.hpp"

#include <gtest/gtest.h>

#include "synthetic_words.hpp"

namespace rigd::store {
namespace {

using testing::kNoisy;

TEST(PackTrace, CutsIntoChunksThatFollowEachOther) {
  const auto words = testing::synthetic_words(150'000, kNoisy, 1);
  const auto current_a = testing::synthetic_current_a(words);
  const auto trace = pack_trace({kPpk2Words, 100e3, 77, words, current_a, {}});
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->chunks.size(), 3U);
  std::vector<std::uint32_t> all;
  for (const TraceChunk& chunk : trace->chunks) {
    EXPECT_EQ(chunk.first_sample, 77 + static_cast<std::int64_t>(all.size()));
    const auto some = unpack_chunk(chunk.packed);
    ASSERT_TRUE(some);
    EXPECT_EQ(static_cast<std::int64_t>(some->size()), chunk.samples);
    all.insert(all.end(), some->begin(), some->end());
  }
  EXPECT_TRUE(all == words);
}

TEST(PackTrace, CutsGapsToTheTrace) {
  const std::vector<std::uint32_t> words(100);
  const std::vector<float> current_a(100);
  const std::vector<TraceGap> gaps = {
      {190, 250, 60, "rate"}, {0, 50, 50, "counter"}, {90, 110, 20, "counter"}, {300, 310, 1, "rate"}};
  const auto trace = pack_trace({kPpk2Words, 100e3, 100, words, current_a, gaps});
  ASSERT_TRUE(trace);
  const std::vector<TraceGap> expected = {{100, 110, 20, "counter"}, {190, 200, 60, "rate"}};
  EXPECT_EQ(trace->gaps, expected);
}

TEST(PackTrace, RefusesSpansOfDifferentLength) {
  const std::vector<std::uint32_t> words(100);
  const std::vector<float> current_a(99);
  EXPECT_EQ(pack_trace({kPpk2Words, 100e3, 0, words, current_a, {}}).error().code(), ErrorCode::internal);
}

TEST(PackTrace, OfNothingIsEmpty) {
  const auto trace = pack_trace({kPpk2Words, 100e3, 5, {}, {}, {}});
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->samples, 0);
  EXPECT_TRUE(trace->chunks.empty());
  EXPECT_TRUE(trace->pyramid.empty());
}

}  // namespace
}  // namespace rigd::store
