#include "analysis/statistics.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

namespace rigd::analysis {
namespace {

namespace json = boost::json;

// Data sets and their statistics by NumPy and SciPy: tests/data/analysis/make_expected.py.
const json::object& expected() {
  static const json::value document = [] {
    std::ostringstream text;
    text << std::ifstream(RIGD_TEST_DATA "/analysis/expected.json").rdbuf();
    return json::parse(text.str());
  }();
  return document.as_object();
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : expected())
    all.emplace_back(entry.key());
  return all;
}

class AgainstScipy : public ::testing::TestWithParam<std::string> {
 protected:
  const json::object& set() const { return expected().at(GetParam()).as_object(); }
  double number(const char* key) const { return set().at(key).to_number<double>(); }
  std::vector<double> values() const { return json::value_to<std::vector<double>>(set().at("values")); }
  Summary summary() const { return *summarise(values()); }

  void expect_interval(const std::optional<Interval>& interval, const char* key) const {
    const json::value& pair = set().at(key);
    ASSERT_EQ(interval.has_value(), !pair.is_null()) << key;
    if (!interval) return;
    expect_close(interval->low, pair.at(0).to_number<double>());
    expect_close(interval->high, pair.at(1).to_number<double>());
  }
  static void expect_close(double value, double reference) {
    EXPECT_NEAR(value, reference, 1e-8 * std::max(1e-6, std::abs(reference)));
  }
};

TEST_P(AgainstScipy, Location) {
  expect_close(summary().mean, number("mean"));
  expect_close(summary().median, number("median"));
  expect_close(summary().lower_quartile, set().at("quartiles").at(0).to_number<double>());
  expect_close(summary().upper_quartile, set().at("quartiles").at(1).to_number<double>());
}

TEST_P(AgainstScipy, Scatter) {
  expect_close(*summary().sd, number("sd"));
  expect_close(summary().mad, number("mad"));
  expect_close(*summary().coefficient_of_variation, number("cv"));
}

TEST_P(AgainstScipy, ConfidenceIntervals) {
  expect_interval(summary().mean_ci95, "mean_interval");
  expect_interval(summary().median_ci95, "median_interval");
}

TEST_P(AgainstScipy, OrderOfMeasuring) {
  expect_close(*summary().lag1, number("lag1"));
  expect_close(*summary().drift, number("drift"));
  ASSERT_EQ(summary().drift_p.has_value(), !set().at("drift_p").is_null());
  if (summary().drift_p)
    EXPECT_NEAR(*summary().drift_p, number("drift_p"), 1e-6 * number("drift_p") + 1e-300);
}

TEST_P(AgainstScipy, Outliers) {
  EXPECT_EQ(summary().outliers, json::value_to<std::vector<std::size_t>>(set().at("outliers")));
}

INSTANTIATE_TEST_SUITE_P(DataSets, AgainstScipy, ::testing::ValuesIn(names()),
                         [](const auto& set) { return set.param; });

TEST(Summary, NoValuesHaveNone) {
  EXPECT_FALSE(summarise({}));
}

TEST(Summary, OneValueHasNoScatter) {
  const std::vector<double> one = {4.5};
  const Summary summary = *summarise(one);
  EXPECT_EQ(summary.mean, 4.5);
  EXPECT_EQ(summary.median, 4.5);
  EXPECT_FALSE(summary.sd);
  EXPECT_FALSE(summary.mean_ci95);
  EXPECT_FALSE(summary.median_ci95);
  EXPECT_FALSE(summary.lag1);
}

// Exact counts repeat exactly; that is a result, not a failure of the arithmetic.
TEST(Summary, EqualValuesHaveNoScatterAndNoCorrelation) {
  const std::vector<double> counts(50, 123457.1);
  const Summary summary = *summarise(counts);
  EXPECT_EQ(summary.mean, 123457.1);
  EXPECT_EQ(summary.sd, 0);
  EXPECT_EQ(summary.mean_ci95->low, 123457.1);
  EXPECT_EQ(summary.median_ci95->high, 123457.1);
  EXPECT_FALSE(summary.lag1);
  EXPECT_FALSE(summary.drift);
  EXPECT_TRUE(summary.outliers.empty());
}

TEST(Summary, AmongEqualCountsADifferentOneIsAnOutlier) {
  std::vector<double> counts(50, 1000);
  counts[7] = 1001;
  EXPECT_EQ(summarise(counts)->outliers, std::vector<std::size_t>{7});
  EXPECT_EQ(summarise(counts)->max, 1001) << "flagged, never dropped";
}

TEST(Summary, AScatterAboutZeroHasNoRelativeSize) {
  const std::vector<double> values = {-1, 1};
  EXPECT_FALSE(summarise(values)->coefficient_of_variation);
}

TEST(Summary, ASteadyRiseIsACertainDrift) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(summarise(values)->drift, 1);
  EXPECT_EQ(summarise(values)->drift_p, 0);
}

// Conover, Practical Nonparametric Statistics, table A3: n = 50, p = 1/2 gives ranks 18 and 33.
TEST(MedianInterval, OfFiftyRunsFromTheEighteenthToTheThirtyThird) {
  std::vector<double> sorted;
  for (int i = 1; i <= 50; ++i)
    sorted.push_back(i);
  EXPECT_EQ(median_interval(sorted)->low, 18);
  EXPECT_EQ(median_interval(sorted)->high, 33);
}

TEST(MedianInterval, NeedsSixValues) {
  const std::vector<double> sorted = {1, 2, 3, 4, 5, 6};
  EXPECT_FALSE(median_interval(std::span(sorted).first(5)));
  EXPECT_EQ(median_interval(sorted)->low, 1);
  EXPECT_EQ(median_interval(sorted)->high, 6);
}

}  // namespace
}  // namespace rigd::analysis
