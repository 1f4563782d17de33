#include "probe/ppk2/spike_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

// Unit A's word for a code in a range.
std::uint32_t word(unsigned range, unsigned code) {
  return range << kCodeBits | code;
}

double amperes(std::uint32_t word) {
  return current_a(*test::unit_a().range(range_of(word)), code_of(word), 3.0);
}

std::vector<double> filtered(const std::vector<std::uint32_t>& words) {
  std::vector<double> current(words.size());
  SpikeFilter filter(test::unit_a(), Volt(3.0));
  filter.filter(words, current);
  return current;
}

TEST(SpikeFilter, LeavesASteadyRangeAlone) {
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < 100; ++i)
    words.push_back(word(1, 1000 + 37 * i % 200));
  const auto current = filtered(words);
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(current[i], amperes(words[i]));
}

// Worked by hand from the description: range 1 at a, then range 2 at b.
TEST(SpikeFilter, ReplacesThreeSamplesByTheFastAverage) {
  const double a = amperes(word(1, 1000));
  const double b = amperes(word(2, 1500));
  const auto current =
      filtered({word(1, 1000), word(1, 1000), word(2, 1500), word(2, 1500), word(2, 1500), word(2, 1500)});
  double average = a;
  for (const std::size_t i : {2U, 3U, 4U}) {
    average = 0.18 * b + (1 - 0.18) * average;
    EXPECT_DOUBLE_EQ(current[i], average) << i;
  }
  EXPECT_EQ(current[5], b);
}

TEST(SpikeFilter, FreezesBothAveragesForTwoSamplesInTheTopRange) {
  const double a = amperes(word(3, 1000));
  const double b = amperes(word(4, 300));
  const auto current = filtered({word(3, 1000), word(4, 300), word(4, 300), word(4, 300), word(4, 300)});
  EXPECT_EQ(current[1], a) << "the first sample is the first average";
  EXPECT_EQ(current[2], a);
  EXPECT_DOUBLE_EQ(current[3], 0.06 * b + (1 - 0.06) * a);
  EXPECT_EQ(current[4], b);
}

TEST(SpikeFilter, StartsTheThreeSamplesOverAtEachChange) {
  const auto current =
      filtered({word(1, 1000), word(2, 1000), word(1, 1000), word(1, 1000), word(1, 1000), word(1, 1000)});
  for (const std::size_t i : {1U, 2U, 3U, 4U})
    EXPECT_NE(current[i], amperes(word(i == 1 ? 2 : 1, 1000))) << i;
  EXPECT_EQ(current[5], amperes(word(1, 1000)));
}

// A clean step from 1 mA to 60 mA and back through range 4. What the filter takes away is why charge is
// integrated from the unfiltered series.
TEST(SpikeFilter, RemovesRealChargeFromShortPulses) {
  const auto nearest = [](unsigned range, double target_a) {
    unsigned code = 0;
    while (amperes(word(range, code)) < target_a)
      ++code;
    return word(range, code);
  };
  const auto loss = [&](std::size_t samples) {
    std::vector<std::uint32_t> words(3000, nearest(2, 1e-3));
    std::fill_n(words.begin() + 400, samples, nearest(4, 60e-3));
    double with = 0, without = 0;
    const auto current = filtered(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      with += current[i] - 1e-3;
      without += amperes(words[i]) - 1e-3;
    }
    return 1 - with / without;
  };
  EXPECT_NEAR(loss(10), 0.131, 0.01);      // 100 us
  EXPECT_NEAR(loss(20), 0.048, 0.01);      // 200 us
  EXPECT_NEAR(loss(100), 0.009, 0.003);    // 1 ms
  EXPECT_NEAR(loss(1000), 0.001, 0.0005);  // 10 ms
}

TEST(SpikeFilter, KeepsUnconvertibleWordsOutOfTheAverages) {
  const std::vector<std::uint32_t> clean = {word(1, 1000), word(1, 1010), word(2, 900), word(2, 900),
                                            word(2, 900)};
  std::vector<std::uint32_t> dirty = clean;
  dirty.insert(dirty.begin() + 1, {word(6, 77), word(7, 5), word(0, kCodeMax)});
  auto current = filtered(dirty);
  for (std::size_t i = 1; i <= 3; ++i)
    EXPECT_TRUE(std::isnan(current[i]));
  current.erase(current.begin() + 1, current.begin() + 4);
  EXPECT_EQ(current, filtered(clean));
}

TEST(SpikeFilter, CarriesItsStateAcrossCalls) {
  std::vector<std::uint32_t> words;
  for (unsigned i = 0; i < 300; ++i)
    words.push_back(word(1 + i / 7 % 4, 500 + 13 * i % 300));
  std::vector<double> pieces(words.size());
  SpikeFilter filter(test::unit_a(), Volt(3.0));
  for (std::size_t i = 0; i < words.size(); ++i)
    filter.filter(std::span(words).subspan(i, 1), std::span(pieces).subspan(i, 1));
  EXPECT_EQ(pieces, filtered(words));
  filter.reset();
  filter.filter(words, pieces);
  EXPECT_EQ(pieces, filtered(words));
}

}  // namespace
}  // namespace rigd::probe::ppk2
