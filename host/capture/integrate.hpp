// Sums of samples, in double. Charge is the sum of a window's currents over the sample rate: rectangles,
// since on a uniform grid trapezoids differ only by half the first and last sample, and with a current that
// steps at both edges neither is righter.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rigd::capture {

double sum(std::span<const float> values);

// Sum over [first, last) in units of samples, where sample i covers [i, i + 1): the samples at both ends
// count in proportion. 0 <= first <= last <= values.size().
double sum_between(std::span<const float> values, double first, double last);

// Sums of blocks, so that a long stretch costs its two ends and its blocks. Looks at `values`, which must
// outlive it.
class PrefixIndex {
 public:
  explicit PrefixIndex(std::span<const float> values);

  double sum(std::size_t first, std::size_t last) const;  // samples [first, last)
  double sum_between(double first, double last) const;    // as above

 private:
  static constexpr std::size_t kBlock = 1024;

  std::span<const float> values_;
  std::vector<double> before_;  // sum of all whole blocks before block i
};

}  // namespace rigd::capture
