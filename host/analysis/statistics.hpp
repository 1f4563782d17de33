// What the repetitions of one measurement say: location, scatter, confidence, and whether they may be treated
// as independent draws at all. Nothing is ever dropped: outliers are named.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace rigd::analysis {

struct Interval {
  double low = 0;
  double high = 0;
};

// Values in the unit of the data. What the data cannot give is absent: a standard deviation of one value, a
// ratio to zero, a correlation of equal values.
struct Summary {
  std::size_t n = 0;
  double mean = 0;
  double median = 0;
  double min = 0;
  double max = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  double mad = 0;                                  // median absolute deviation from the median, unscaled
  std::optional<double> sd;                        // n - 1
  std::optional<double> standard_error;            // of the mean: sd / sqrt(n)
  std::optional<double> coefficient_of_variation;  // sd / |mean|
  std::optional<Interval> mean_ci95;               // Student's t
  std::optional<Interval> median_ci95;             // order statistics; absent for n < 6
  std::optional<double> lag1;                      // autocorrelation of neighbours in order of measuring
  std::optional<double> drift;                     // Spearman's rank correlation with the order of measuring
  std::optional<double> drift_p;                   // its two-sided p-value (t approximation)
  std::vector<std::size_t> outliers;               // indices, see outliers()
};

// In the order of measuring. Absent for no values.
std::optional<Summary> summarise(std::span<const double> values);

// Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996, the default of R and NumPy).
// 0 <= share <= 1; `sorted` is not empty.
double quantile(std::span<const double> sorted, double share);

// The narrowest pair of order statistics, equally far from both ends, that holds the median of the population
// with at least `confidence` (binomial with p = 1/2; distribution-free). Absent where n is too small for it.
std::optional<Interval> median_interval(std::span<const double> sorted, double confidence = 0.95);

// Indices of values whose modified z-score 0.6745 |x - median| / MAD exceeds 3.5 (Iglewicz and Hoaglin 1993).
// With a MAD of 0, all values that are not the median.
std::vector<std::size_t> outliers(std::span<const double> values);

// A drift is called one when its p-value is below this.
inline constexpr double kDriftSignificance = 0.01;

}  // namespace rigd::analysis
