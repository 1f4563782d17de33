// The min/mean/max pyramid of a trace's current. Pure.
//
// A band of level k covers 256 * 16^k samples, counted from the trace's first sample; the last of a level may
// be shorter. Levels are added until one has at most 16 bands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "store/trace.hpp"

namespace rigd::store {

inline constexpr std::int64_t kPyramidRow = 256;  // bands of one PyramidRow

std::int64_t band_samples(int level);
int pyramid_levels(std::int64_t samples);

// `gaps` lie inside the trace and are ordered.
std::vector<PyramidRow> build_pyramid(std::int64_t first_sample, std::span<const float> current_a,
                                      std::span<const TraceGap> gaps);

// Collects bands or samples into the columns of a picture of [first, last).
class Columns {
 public:
  Columns(std::int64_t first_sample, std::int64_t last_sample, std::size_t count);

  // What lies in [first, last); a column that it touches takes its extremes, and its mean in proportion.
  void add(std::int64_t first_sample, std::int64_t last_sample, const Band& band);
  std::vector<Band> take();

 private:
  std::int64_t begin(std::size_t column) const;
  std::int64_t end(std::size_t column) const;
  std::size_t column_of(std::int64_t sample) const;

  std::int64_t first_;
  std::int64_t last_;
  std::vector<Band> bands_;
  std::vector<double> sums_;
  std::vector<double> weights_;
};

}  // namespace rigd::store
