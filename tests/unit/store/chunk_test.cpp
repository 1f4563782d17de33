#include "store/chunk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "synthetic_words.hpp"

namespace rigd::store {
namespace {

using testing::kNoisy;
using testing::kQuiet;
using testing::synthetic_words;
using Words = std::vector<std::uint32_t>;

void expect_round_trip(const WordLayout& layout, const Words& words) {
  const auto packed = pack_chunk(layout, words);
  ASSERT_TRUE(packed) << packed.error().text();
  const auto unpacked = unpack_chunk(*packed);
  ASSERT_TRUE(unpacked) << unpacked.error().text();
  EXPECT_TRUE(*unpacked == words);
}

double bytes_per_sample(const Words& words) {
  return static_cast<double>(pack_chunk(kPpk2Words, words)->size()) / static_cast<double>(words.size());
}

Words random_words(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Words words(count);
  std::ranges::generate(words, std::ref(random));
  return words;
}

TEST(Chunk, GivesBackTheWordsOfEveryLength) {
  const Words words = synthetic_words(kChunkSamples, kNoisy, 1);
  for (const std::size_t length :
       {1UL, 2UL, 127UL, 128UL, 129UL, 255UL, 256UL, 1'000UL, 65'535UL, kChunkSamples}) {
    expect_round_trip(kPpk2Words, Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length)));
  }
}

TEST(Chunk, GivesBackAnyWordsInAnyLayout) {
  const WordLayout layouts[] = {kPpk2Words,    {0, 16, 0, 0},   {16, 16, 0, 0},
                                {0, 1, 31, 1}, {0, 16, 16, 16}, {5, 12, 20, 10}};
  for (const WordLayout& layout : layouts) {
    expect_round_trip(layout, random_words(3'000, 42));
    expect_round_trip(layout, Words(3'000, 0xFFFF'FFFF));
    expect_round_trip(layout, Words(3'000, 0));
  }
}

TEST(Chunk, GivesBackEveryWidthOfDifference) {
  for (unsigned bits = 0; bits <= 14; ++bits) {
    Words words(500);
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = i % 2 == 0 ? 0 : (1U << bits) - 1;
    expect_round_trip(kPpk2Words, words);
  }
}

TEST(Chunk, KeepsCounterJumpsAndGapsFilledWithZeros) {
  Words words = synthetic_words(10'000, kNoisy, 2);
  words.erase(words.begin() + 3'000, words.begin() + 3'017);    // lost without a trace
  std::fill(words.begin() + 5'000, words.begin() + 5'700, 0U);  // a gap of known length
  words[7'000] ^= 0x3FU << 18;                                  // a wrong counter
  words[7'001] ^= 0xFFU << 24;                                  // all logic inputs change for one sample
  expect_round_trip(kPpk2Words, words);
  EXPECT_LT(bytes_per_sample(words), 1.25);
}

TEST(Chunk, IsAsSmallAsPromised) {
  EXPECT_LT(bytes_per_sample(synthetic_words(kChunkSamples, kNoisy, 3)), 1.25);
  EXPECT_LT(bytes_per_sample(synthetic_words(kChunkSamples, kQuiet, 3)), 0.9);
}

TEST(Chunk, FormatDoesNotDrift) {
  // Two words by hand: ADC 5 then 3, range 2, counters 9 and 10, logic 0x01.
  const Words words = {5U | 2U << 14 | 9U << 18 | 1U << 24, 3U | 2U << 14 | 10U << 18 | 1U << 24};
  const auto packed = *pack_chunk(kPpk2Words, words);
  std::vector<unsigned> head;
  for (const std::byte byte : packed)
    head.push_back(std::to_integer<unsigned>(byte));
  // Differences 0, -2 fold to 0, 3: cheapest is no bit a value and one outlier, index 1, bits above 3.
  std::vector<unsigned> expected = {1, 0, 14, 18, 6, 2, 0, 0, 0, 5, 0, 0, 1};
  expected.insert(expected.end(), {1, 3, 0});
  // One run of two samples in state 0b0000'0001'0010 (logic 1, unused 0, range 2), counter from 9 in one step
  // of 1.
  expected.insert(expected.end(), {1, 2, 0x12, 9, 1, 1, 1});
  ASSERT_EQ(packed.size(), expected.size() + 4);
  head.resize(expected.size());
  EXPECT_THAT(head, ::testing::ElementsAreArray(expected));
}

TEST(Chunk, NoticesEveryFlippedBit) {
  const auto packed = *pack_chunk(kPpk2Words, synthetic_words(300, kNoisy, 4));
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    auto damaged = packed;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto unpacked = unpack_chunk(damaged);
    ASSERT_FALSE(unpacked) << "bit " << bit;
    EXPECT_EQ(unpacked.error().code(), ErrorCode::store_failure);
  }
}

TEST(Chunk, NoticesEveryTruncation) {
  const auto packed = *pack_chunk(kPpk2Words, synthetic_words(300, kNoisy, 5));
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT_FALSE(unpack_chunk(std::span(packed).first(size))) << size;
  }
}

TEST(Chunk, RefusesWhatItCannotHold) {
  EXPECT_EQ(pack_chunk(kPpk2Words, {}).error().code(), ErrorCode::internal);
  EXPECT_EQ(pack_chunk(kPpk2Words, Words(kChunkSamples + 1)).error().code(), ErrorCode::internal);
  for (const WordLayout layout :
       {WordLayout{0, 0, 0, 0}, WordLayout{0, 17, 0, 0}, WordLayout{20, 16, 0, 0}, WordLayout{0, 14, 10, 6},
        WordLayout{0, 14, 28, 6}, WordLayout{255, 14, 0, 0}, WordLayout{0, 14, 244, 0}}) {
    EXPECT_FALSE(pack_chunk(layout, Words(10)));
  }
}

}  // namespace
}  // namespace rigd::store
