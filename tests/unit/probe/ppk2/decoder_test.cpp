#include "probe/ppk2/decoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using capture::Gap;
using capture::GapCause;
using test::Kept;
using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::uint32_t>;

Words without(Words words, std::size_t first, std::size_t count) {
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(first),
              words.begin() + static_cast<std::ptrdiff_t>(first + count));
  return words;
}

Kept decode(const Words& words) {
  return test::decode(test::bytes_of(words));
}

void set_counter(std::uint32_t& word, unsigned counter) {
  word = (word & ~(kCounterMask << kCounterShift)) | (counter & kCounterMask) << kCounterShift;
}

TEST(Decoder, HandsOutEverySampleOfACleanStream) {
  const Words words = test::words(5000);
  const Kept kept = decode(words);
  ASSERT_EQ(kept.words.size(), 5000U);
  EXPECT_TRUE(kept.timeline_true());
  EXPECT_THAT(kept.gaps, IsEmpty());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(kept.words.at(i), words[i]);
    EXPECT_EQ(kept.current_a.at(i), test::table_a()[words[i]]);
    EXPECT_EQ(kept.logic.at(i), 0x01);
  }
}

TEST(Decoder, DoesNotDependOnHowTheBytesWereCut) {
  Words words = without(test::words(3000), 700, 5);
  for (std::size_t i = 1000; i < 1003; ++i)
    words[i] |= 7U << kCodeBits;
  for (std::size_t i = 1020; i < 1030; ++i)
    words[i] |= 7U << kCodeBits;
  for (std::size_t i = 1500; i < 1504; ++i)
    set_counter(words[i], 17);
  auto bytes = test::bytes_of(words);
  bytes.erase(bytes.begin() + 8003, bytes.begin() + 8006);
  const Kept whole = test::decode(bytes);
  EXPECT_EQ(whole.gaps.size(), 5U);

  const std::vector<std::vector<std::size_t>> cuts = {
      {1},      {2},     {3},    {5},       {7},    {64},   {4, 64, 5, 7, 4095},
      {255, 1}, {10, 2}, {1, 7}, {6, 1, 1}, {4095}, {4096}, {4097}};
  for (const auto& cut : cuts)
    EXPECT_EQ(test::decode(bytes, cut), whole) << "pieces of " << cut.front();

  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> cut(100);
    for (auto& size : cut)
      size = 1 + random() % 300;
    EXPECT_EQ(test::decode(bytes, cut), whole);
  }
}

TEST(Decoder, ReadsEachLogicInputFromItsBit) {
  Words words = test::words(80);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = (words[i] & 0x00FFFFFF) | 1U << (kLogicShift + i % 8);
  const Kept kept = decode(words);
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(kept.logic.at(i), 1U << i % 8);
}

TEST(Decoder, IgnoresTheBatteryBit) {
  Words words = test::words(80);
  const Kept plain = decode(words);
  for (auto& word : words)
    word |= 1U << 17;
  EXPECT_EQ(decode(words).current_a, plain.current_a);
}

// The negative oracle: what Nordic's published gap handling gets wrong on a timeline of 2000 samples. Below
// one turn of the counter the time axis must stay exact; whole turns are found by rate (see rate_test.cpp).
struct Loss {
  std::size_t lost;
  std::uint64_t visible;
};

class LostSamples : public testing::TestWithParam<Loss> {};

TEST_P(LostSamples, AreCountedModuloTheCounter) {
  const auto [lost, visible] = GetParam();
  const Kept kept = decode(without(test::words(2000), 800, lost));
  EXPECT_EQ(kept.missing(), visible);
  EXPECT_EQ(kept.words.size(), 2000 - lost);
  EXPECT_EQ(kept.words.rbegin()->first, 1999 - lost + visible) << "how far the time axis got";
  if (visible == 0) {
    EXPECT_THAT(kept.gaps, IsEmpty());
    return;
  }
  EXPECT_THAT(kept.gaps, ElementsAre(Gap{800, 800 + visible, visible, GapCause::counter}));
  EXPECT_EQ(kept.timeline_true(), lost == visible);
}

INSTANTIATE_TEST_SUITE_P(Oracle, LostSamples,
                         testing::Values(Loss{1, 1}, Loss{2, 2}, Loss{16, 16}, Loss{63, 63}, Loss{64, 0},
                                         Loss{65, 1}, Loss{512, 0}, Loss{528, 16}));

class CorruptedCounters : public testing::TestWithParam<std::size_t> {};

TEST_P(CorruptedCounters, CostTheirSamplesAndNoTime) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    Words words = test::words(2000);
    for (std::size_t i = 0; i < GetParam(); ++i) {
      const unsigned right = counter_of(words[900 + i]);
      set_counter(words[900 + i], right + 1 + static_cast<unsigned>(random() % 63));
    }
    const Kept kept = decode(words);
    EXPECT_TRUE(kept.timeline_true());
    EXPECT_EQ(kept.words.rbegin()->first, 1999U);
    EXPECT_THAT(kept.gaps, ElementsAre(Gap{900, 900 + GetParam(), 0, GapCause::invalid}));
  }
}

INSTANTIATE_TEST_SUITE_P(Oracle, CorruptedCounters, testing::Values(1, 4, 6));

TEST(Decoder, KeepsTheTimeThroughSeveralLosses) {
  Words words;
  for (std::uint64_t n = 0; n < 4000; ++n)
    if (n % 500 >= n / 500) words.push_back(test::word(n));  // loses 1, 2, 3 ... samples, 500 apart
  const Kept kept = decode(words);
  EXPECT_TRUE(kept.timeline_true());
  EXPECT_EQ(kept.gaps.size(), 7U);
  EXPECT_EQ(kept.missing(), 1U + 2 + 3 + 4 + 5 + 6 + 7);
}

// The word where bytes vanish may be made of two samples: right counter, wrong logic inputs.
TEST(Decoder, FindsItsFootingAfterLostBytes) {
  const auto clean = test::bytes_of(test::words(2000));
  for (std::size_t lost = 1; lost <= 70; ++lost) {
    for (std::size_t at = 4000; at < 4008; ++at) {
      auto bytes = clean;
      bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  bytes.begin() + static_cast<std::ptrdiff_t>(at + lost));
      const Kept kept = test::decode(bytes);
      ASSERT_EQ(kept.gaps.size(), 1U) << lost << " bytes at " << at;
      EXPECT_EQ(kept.words.rbegin()->first, 1999U);
      if (lost % kBytesPerWord != 0) {
        EXPECT_TRUE(kept.timeline_true());
        EXPECT_EQ(kept.gaps[0].cause, GapCause::resync);
        EXPECT_LT(kept.gaps[0].last - kept.gaps[0].first, 40U);
      }
      for (const auto& [index, current] : kept.current_a)
        ASSERT_LE(std::abs(current), 1.1F);
    }
  }
}

TEST(Decoder, CountsBlindlyLostTimeAfterALongStretchOfRubbish) {
  auto bytes = test::bytes_of(test::words(1000));
  const auto behind = test::bytes_of(test::words(3000));
  std::mt19937 random(3);
  for (std::size_t i = 0; i < 1000 * kBytesPerWord; ++i)
    bytes.push_back(static_cast<std::byte>(random()));
  bytes.insert(bytes.end(), behind.begin() + 2000 * kBytesPerWord, behind.end());
  const Kept kept = test::decode(bytes);
  EXPECT_EQ(kept.words.rbegin()->first, 2999U);
  EXPECT_TRUE(kept.timeline_true());
  EXPECT_TRUE(kept.covered(1000));
  EXPECT_TRUE(kept.covered(1999));
  EXPECT_FALSE(kept.covered(2001));
}

TEST(Decoder, SkipsRubbishBeforeTheFirstSample) {
  const auto clean = test::bytes_of(test::words(500));
  for (std::size_t rubbish = 0; rubbish < 40; ++rubbish) {
    std::vector<std::byte> bytes(rubbish, std::byte{0xA5});
    bytes.insert(bytes.end(), clean.begin(), clean.end());
    const Kept kept = test::decode(bytes);
    EXPECT_THAT(kept.gaps, IsEmpty());
    EXPECT_TRUE(kept.timeline_true());
    EXPECT_EQ(kept.words.size(), 500U);
  }
}

TEST(Decoder, FollowsADeviceWithoutCounter) {
  Words words = test::words(2000);
  for (auto& word : words)
    set_counter(word, 0);
  Kept kept;
  Decoder decoder(test::table_a(), kept);
  decoder.push(test::bytes_of(words));
  decoder.finish();
  EXPECT_EQ(decoder.counter_present(), false);
  EXPECT_THAT(kept.gaps, IsEmpty());
  EXPECT_EQ(kept.words.size(), 2000U);
}

TEST(Decoder, LearnsWhetherThereIsACounter) {
  Kept kept;
  Decoder decoder(test::table_a(), kept);
  EXPECT_EQ(decoder.counter_present(), std::nullopt);
  decoder.push(test::bytes_of(test::words(100)));
  EXPECT_EQ(decoder.counter_present(), true);
}

TEST(Decoder, ReportsACounterThatStops) {
  Words words = test::words(2000);
  for (std::size_t i = 1000; i < 2000; ++i)
    set_counter(words[i], 0);
  const Kept kept = decode(words);
  ASSERT_EQ(kept.gaps.size(), 1U);
  EXPECT_EQ(kept.gaps[0].cause, GapCause::resync);
  EXPECT_TRUE(kept.timeline_true());
  EXPECT_EQ(kept.words.rbegin()->first, 1999U);
}

TEST(Decoder, MarksWhatCannotBeConverted) {
  Words words = test::words(600);
  for (std::size_t i = 100; i < 103; ++i)
    words[i] = (words[i] & ~(7U << kCodeBits)) | static_cast<std::uint32_t>(5 + i - 100) << kCodeBits;
  words[200] |= kCodeMax;
  words[300] =
      (words[300] & ~kConversionMask) | 4U << kCodeBits | 16000;  // more than the instrument can measure
  const Kept kept = decode(words);
  EXPECT_THAT(kept.gaps, ElementsAre(Gap{100, 103, 0, GapCause::invalid}, Gap{200, 201, 0, GapCause::invalid},
                                     Gap{300, 301, 0, GapCause::invalid}));
  EXPECT_EQ(kept.words.size(), 595U);
  EXPECT_TRUE(kept.timeline_true());
  for (const auto& [index, current] : kept.current_a)
    EXPECT_FALSE(std::isnan(current));
}

TEST(Decoder, CountsWhatHasArrivedEvenWhileHoldingItBack) {
  Kept kept;
  Decoder decoder(test::table_a(), kept);
  const auto bytes = test::bytes_of(test::words(100));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    decoder.push(std::span(bytes).subspan(i, 1));
    const std::size_t whole = (i + 1) / kBytesPerWord;
    EXPECT_EQ(decoder.received(), whole < 8 ? 0 : whole) << "eight words in sequence show where words begin";
  }
}

TEST(Decoder, DropsTheHalfWordAtTheEnd) {
  auto bytes = test::bytes_of(test::words(100));
  bytes.resize(bytes.size() - 2);
  EXPECT_EQ(test::decode(bytes).words.size(), 99U);
}

TEST(Decoder, HandsOutAStreamTooShortForAProof) {
  for (std::uint64_t count = 0; count < 70; ++count)
    EXPECT_EQ(decode(test::words(count)).words.size(), count);
}

}  // namespace
}  // namespace rigd::probe::ppk2
