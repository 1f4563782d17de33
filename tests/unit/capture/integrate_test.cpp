#include "capture/integrate.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace rigd::capture {
namespace {

std::vector<float> noise(std::size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> level(0, 0.05F);
  std::vector<float> values(count);
  for (float& value : values)
    value = level(random);
  return values;
}

// One sample after the other, in twice the precision.
long double slow_sum(std::span<const float> values) {
  long double total = 0;
  for (const float value : values)
    total += static_cast<long double>(value);
  return total;
}

void expect_close(double sum, long double truth) {
  EXPECT_NEAR(sum, static_cast<double>(truth), 1e-13 * (1 + static_cast<double>(truth)));
}

TEST(Sum, IsExactToDoublePrecisionAtAnyLength) {
  const std::vector<float> values = noise(1000);
  for (std::size_t length = 0; length <= 200; ++length)
    expect_close(sum(std::span(values).first(length)), slow_sum(std::span(values).first(length)));
}

TEST(Sum, DoesNotLoseSmallValuesBesideManyOthers) {
  const std::vector<float> values(10'000'000, 0.1F);
  EXPECT_NEAR(sum(values), 1e7 * static_cast<double>(0.1F), 1e-6);
}

TEST(SumBetween, CountsPartsOfSamples) {
  const std::vector<float> values = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(sum_between(values, 0, 4), 15);
  EXPECT_DOUBLE_EQ(sum_between(values, 0.25, 2.5), 0.75 + 2 + 2);
  EXPECT_DOUBLE_EQ(sum_between(values, 1.25, 1.75), 1);
  EXPECT_DOUBLE_EQ(sum_between(values, 3.5, 4), 4);
  EXPECT_DOUBLE_EQ(sum_between(values, 2, 2), 0);
  EXPECT_DOUBLE_EQ(sum_between(values, 2.5, 2.5), 0);
  EXPECT_DOUBLE_EQ(sum_between(values, 4, 4), 0);
}

TEST(PrefixIndex, GivesTheSumsOfTheSamples) {
  const std::vector<float> values = noise(10'000);
  const PrefixIndex index(values);
  std::mt19937 random(9);
  std::uniform_int_distribution<std::size_t> place(0, values.size());
  for (int i = 0; i < 2000; ++i) {
    auto [first, last] = std::minmax({place(random), place(random)});
    expect_close(index.sum(first, last), slow_sum(std::span(values).subspan(first, last - first)));
  }
  expect_close(index.sum(1024, 3072), slow_sum(std::span(values).subspan(1024, 2048)));
  expect_close(index.sum(0, values.size()), slow_sum(values));
  EXPECT_EQ(index.sum(values.size(), values.size()), 0);
}

TEST(PrefixIndex, AgreesOnPartsOfSamples) {
  const std::vector<float> values = noise(5'000);
  const PrefixIndex index(values);
  EXPECT_NEAR(index.sum_between(10.3, 4900.7), sum_between(values, 10.3, 4900.7), 1e-11);
  EXPECT_NEAR(index.sum_between(1023.9, 1024.1), sum_between(values, 1023.9, 1024.1), 1e-15);
}

}  // namespace
}  // namespace rigd::capture
