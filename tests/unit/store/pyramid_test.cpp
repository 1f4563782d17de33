#include "store/pyramid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace rigd::store {
namespace {

std::vector<float> some_current_a(std::size_t samples) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(1e-6F, 5e-3F);
  std::vector<float> current_a(samples);
  std::ranges::generate(current_a, [&] { return uniform(random); });
  return current_a;
}

// The bands of one level in order, checking that the rows follow each other.
std::vector<Band> level_of(const std::vector<PyramidRow>& rows, int level, std::int64_t first_sample) {
  std::vector<Band> bands;
  for (const PyramidRow& row : rows) {
    if (row.level != level) continue;
    EXPECT_EQ(row.first_sample, first_sample + static_cast<std::int64_t>(bands.size()) * band_samples(level));
    EXPECT_LE(row.bands.size(), static_cast<std::size_t>(kPyramidRow));
    bands.insert(bands.end(), row.bands.begin(), row.bands.end());
  }
  return bands;
}

TEST(Pyramid, BandsAreExactAtEveryLevel) {
  const auto current_a = some_current_a(100'003);
  const auto rows = build_pyramid(5'000, current_a, {});
  ASSERT_EQ(pyramid_levels(100'003), 3);
  for (int level = 0; level < 3; ++level) {
    const auto bands = level_of(rows, level, 5'000);
    const auto width = static_cast<std::size_t>(band_samples(level));
    ASSERT_EQ(bands.size(), (current_a.size() + width - 1) / width);
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const auto some =
          std::span(current_a).subspan(i * width, std::min(width, current_a.size() - i * width));
      const double mean = std::accumulate(some.begin(), some.end(), 0.0) / static_cast<double>(some.size());
      EXPECT_EQ(bands[i].min_a, std::ranges::min(some));
      EXPECT_EQ(bands[i].max_a, std::ranges::max(some));
      EXPECT_NEAR(bands[i].mean_a, mean, 1e-6 * mean);
    }
  }
}

TEST(Pyramid, SamplesInGapsCountForNothing) {
  std::vector<float> current_a(1'024, 1e-3F);
  std::fill(current_a.begin() + 100, current_a.begin() + 150, 0.0F);  // a gap inside a band
  std::fill(current_a.begin() + 500, current_a.begin() + 900, 9.0F);  // one over three bands
  const std::vector<TraceGap> gaps = {
      {1'100, 1'150, 50, "counter"}, {1'120, 1'130, 0, "resync"}, {1'500, 1'900, 0, "resync"}};
  const auto bands = level_of(build_pyramid(1'000, current_a, gaps), 0, 1'000);
  ASSERT_EQ(bands.size(), 4U);
  for (const std::size_t i : {0UL, 1UL, 3UL}) {
    EXPECT_EQ(bands[i].min_a, 1e-3F);
    EXPECT_EQ(bands[i].max_a, 1e-3F);
    EXPECT_NEAR(bands[i].mean_a, 1e-3F, 1e-9F);
  }
  EXPECT_TRUE(std::isnan(bands[2].mean_a));
  EXPECT_TRUE(std::isnan(bands[2].min_a));
}

TEST(Columns, TakeTheExtremesOfAllTheyTouch) {
  Columns columns(0, 1'000, 4);
  columns.add(-50, 300, {1, 2, 3});    // all of column 0, a fifth of column 1
  columns.add(300, 500, {0, 12, 20});  // the rest of column 1
  columns.add(900, 2'000, {7, 8, 9});
  const auto bands = columns.take();
  EXPECT_EQ(bands[0].mean_a, 2);
  EXPECT_EQ(bands[1].min_a, 0);
  EXPECT_EQ(bands[1].max_a, 20);
  EXPECT_FLOAT_EQ(bands[1].mean_a, (50 * 2 + 200 * 12) / 250.0F);
  EXPECT_TRUE(std::isnan(bands[2].mean_a));
  EXPECT_EQ(bands[3].max_a, 9);
}

TEST(Columns, NarrowerThanASampleRepeatIt) {
  Columns columns(10, 12, 6);
  columns.add(10, 11, {1, 1, 1});
  columns.add(11, 12, {2, 2, 2});
  const auto bands = columns.take();
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(bands[i].mean_a, i < 3 ? 1 : 2) << i;
}

}  // namespace
}  // namespace rigd::store
