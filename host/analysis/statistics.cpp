#include "analysis/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace rigd::analysis {

namespace {

constexpr double kOutlierScore = 3.5;
constexpr double kMadToSd = 0.6745;  // MAD of a normal distribution over its standard deviation

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

double mean_of(std::span<const double> values) {
  // About the first value: equal values then have exactly their own mean.
  double sum = 0;
  for (const double value : values)
    sum += value - values[0];
  return values[0] + sum / static_cast<double>(values.size());
}

double median_deviation(std::span<const double> values, double median) {
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values)
    deviations.push_back(std::abs(value - median));
  std::ranges::sort(deviations);
  return quantile(deviations, 0.5);
}

double squares_about(std::span<const double> values, double centre) {
  double squares = 0;
  for (const double value : values)
    squares += (value - centre) * (value - centre);
  return squares;
}

std::optional<double> neighbour_correlation(std::span<const double> values, double mean, double squares) {
  if (!(squares > 0)) return std::nullopt;
  double products = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    products += (values[i] - mean) * (values[i - 1] - mean);
  return products / squares;
}

// Ranks from 1; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> rank(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]])
      ++last;
    for (std::size_t i = first; i < last; ++i)
      rank[order[i]] = 0.5 * static_cast<double>(first + last + 1);
    first = last;
  }
  return rank;
}

std::optional<double> rank_correlation_with_order(std::span<const double> values) {
  const std::vector<double> rank = ranks(values);
  const double centre = 0.5 * static_cast<double>(values.size() + 1);
  double products = 0;
  double order_squares = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    const double order = static_cast<double>(i + 1) - centre;
    products += order * (rank[i] - centre);
    order_squares += order * order;
  }
  const double rank_squares = squares_about(rank, centre);
  if (!(rank_squares > 0)) return std::nullopt;
  return products / std::sqrt(order_squares * rank_squares);
}

std::optional<double> correlation_p(std::optional<double> r, std::size_t n) {
  if (!r || n < 3) return std::nullopt;
  const double rest = 1 - *r * *r;
  if (!(rest > 0)) return 0.0;
  const auto freedom = static_cast<double>(n - 2);
  const boost::math::students_t t(freedom);
  return 2 * boost::math::cdf(boost::math::complement(t, std::abs(*r) * std::sqrt(freedom / rest)));
}

void add_scatter(Summary& summary, double squares) {
  const auto n = static_cast<double>(summary.n);
  summary.sd = std::sqrt(squares / (n - 1));
  summary.standard_error = *summary.sd / std::sqrt(n);
  if (summary.mean != 0) summary.coefficient_of_variation = *summary.sd / std::abs(summary.mean);
  const boost::math::students_t t(n - 1);
  const double half_width = boost::math::quantile(t, 0.975) * *summary.standard_error;
  summary.mean_ci95 = {summary.mean - half_width, summary.mean + half_width};
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::optional<Interval> median_interval(std::span<const double> sorted, double confidence) {
  if (sorted.empty()) return std::nullopt;
  const boost::math::binomial below(static_cast<double>(sorted.size()), 0.5);
  // The interval [k-th, (n+1-k)-th] misses with probability 2 P(B < k).
  std::size_t k = 0;
  while (2 * (k + 1) <= sorted.size() &&
         2 * boost::math::cdf(below, static_cast<double>(k)) <= 1 - confidence)
    ++k;
  if (k == 0) return std::nullopt;
  return Interval{sorted[k - 1], sorted[sorted.size() - k]};
}

std::vector<std::size_t> outliers(std::span<const double> values) {
  std::vector<std::size_t> found;
  if (values.empty()) return found;
  const double median = quantile(sorted_copy(values), 0.5);
  const double limit = kOutlierScore * median_deviation(values, median) / kMadToSd;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i] - median) > limit) found.push_back(i);
  return found;
}

std::optional<Summary> summarise(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const std::vector<double> sorted = sorted_copy(values);
  Summary summary;
  summary.n = values.size();
  summary.mean = mean_of(values);
  summary.median = quantile(sorted, 0.5);
  summary.min = sorted.front();
  summary.max = sorted.back();
  summary.lower_quartile = quantile(sorted, 0.25);
  summary.upper_quartile = quantile(sorted, 0.75);
  summary.mad = median_deviation(values, summary.median);
  summary.median_ci95 = median_interval(sorted);
  summary.outliers = outliers(values);
  if (summary.n < 2) return summary;
  const double squares = squares_about(values, summary.mean);
  add_scatter(summary, squares);
  summary.lag1 = neighbour_correlation(values, summary.mean, squares);
  summary.drift = rank_correlation_with_order(values);
  summary.drift_p = correlation_p(summary.drift, summary.n);
  return summary;
}

}  // namespace rigd::analysis
