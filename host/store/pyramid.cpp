#include "store/pyramid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rigd::store {

namespace {

constexpr std::int64_t kFinest = 256;
constexpr std::int64_t kFactor = 16;

// A band in the making.
struct Sum {
  float min_a = std::numeric_limits<float>::infinity();
  float max_a = -std::numeric_limits<float>::infinity();
  double sum_a = 0;
  std::int64_t samples = 0;

  void add(const Sum& other) {
    min_a = std::min(min_a, other.min_a);
    max_a = std::max(max_a, other.max_a);
    sum_a += other.sum_a;
    samples += other.samples;
  }
  Band band() const {
    if (samples == 0) return {};
    return {min_a, static_cast<float>(sum_a / static_cast<double>(samples)), max_a};
  }
};

// Eight running values side by side, so that the loop vectorises without reordering floating-point sums.
Sum sum_of(std::span<const float> current_a) {
  constexpr std::size_t lanes = 8;
  std::array<float, lanes> low;
  std::array<float, lanes> high;
  std::array<float, lanes> sum{};
  low.fill(std::numeric_limits<float>::infinity());
  high.fill(-std::numeric_limits<float>::infinity());
  std::size_t i = 0;
  for (; i + lanes <= current_a.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float value = current_a[i + lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
      sum[lane] += value;
    }
  }
  Sum all;
  for (; i < current_a.size(); ++i)
    all.add({current_a[i], current_a[i], current_a[i], 1});
  for (std::size_t lane = 0; lane < lanes; ++lane)
    all.add({low[lane], high[lane], sum[lane], 0});
  all.samples = static_cast<std::int64_t>(current_a.size());
  return all;
}

// Sums of one band after the other, leaving out what lies in gaps.
class GoodSamples {
 public:
  GoodSamples(std::int64_t first_sample, std::span<const float> current_a, std::span<const TraceGap> gaps)
      : first_(first_sample), current_a_(current_a), gaps_(gaps) {}

  // [begin, end) as offsets into the trace; not before an earlier call's.
  Sum between(std::int64_t begin, std::int64_t end) {
    while (!gaps_.empty() && gaps_.front().last_sample - first_ <= begin)
      gaps_ = gaps_.subspan(1);
    Sum sum;
    std::int64_t at = begin;
    for (const TraceGap& gap : gaps_) {
      if (gap.first_sample - first_ >= end) break;
      add(sum, at, gap.first_sample - first_);
      at = std::max(at, gap.last_sample - first_);
    }
    add(sum, at, end);
    return sum;
  }

 private:
  void add(Sum& sum, std::int64_t begin, std::int64_t end) const {
    if (begin >= end) return;
    sum.add(
        sum_of(current_a_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))));
  }

  std::int64_t first_;
  std::span<const float> current_a_;
  std::span<const TraceGap> gaps_;
};

std::vector<Sum> finest_level(GoodSamples samples, std::int64_t count) {
  std::vector<Sum> sums;
  sums.reserve(static_cast<std::size_t>(count / kFinest + 1));
  for (std::int64_t begin = 0; begin < count; begin += kFinest) {
    sums.push_back(samples.between(begin, std::min(begin + kFinest, count)));
  }
  return sums;
}

std::vector<Sum> next_level(std::span<const Sum> finer) {
  std::vector<Sum> sums((finer.size() + kFactor - 1) / kFactor);
  for (std::size_t i = 0; i < finer.size(); ++i)
    sums[i / kFactor].add(finer[i]);
  return sums;
}

void append_rows(std::vector<PyramidRow>& rows, int level, std::int64_t first_sample,
                 std::span<const Sum> sums) {
  for (std::size_t first = 0; first < sums.size(); first += kPyramidRow) {
    PyramidRow row{level, first_sample + static_cast<std::int64_t>(first) * band_samples(level), {}};
    const auto some = sums.subspan(first, std::min<std::size_t>(kPyramidRow, sums.size() - first));
    for (const Sum& sum : some)
      row.bands.push_back(sum.band());
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::int64_t band_samples(int level) {
  std::int64_t samples = kFinest;
  for (int i = 0; i < level; ++i)
    samples *= kFactor;
  return samples;
}

int pyramid_levels(std::int64_t samples) {
  int levels = 1;
  while ((samples + band_samples(levels - 1) - 1) / band_samples(levels - 1) > kFactor)
    ++levels;
  return levels;
}

std::vector<PyramidRow> build_pyramid(std::int64_t first_sample, std::span<const float> current_a,
                                      std::span<const TraceGap> gaps) {
  std::vector<PyramidRow> rows;
  const auto count = static_cast<std::int64_t>(current_a.size());
  std::vector<Sum> sums = finest_level(GoodSamples(first_sample, current_a, gaps), count);
  const int levels = pyramid_levels(count);
  for (int level = 0; level < levels; ++level) {
    if (level > 0) sums = next_level(sums);
    append_rows(rows, level, first_sample, sums);
  }
  return rows;
}

Columns::Columns(std::int64_t first_sample, std::int64_t last_sample, std::size_t count)
    : first_(first_sample), last_(last_sample), bands_(count), sums_(count), weights_(count) {}

// A column narrower than a sample shows the sample it lies in.
std::int64_t Columns::begin(std::size_t column) const {
  const double width = static_cast<double>(last_ - first_) / static_cast<double>(bands_.size());
  return first_ + static_cast<std::int64_t>(std::floor(width * static_cast<double>(column)));
}

std::int64_t Columns::end(std::size_t column) const {
  return std::max(begin(column) + 1, column + 1 == bands_.size() ? last_ : begin(column + 1));
}

std::size_t Columns::column_of(std::int64_t sample) const {
  const double share = static_cast<double>(sample - first_) / static_cast<double>(last_ - first_);
  auto column = static_cast<std::size_t>(std::max(0.0, share * static_cast<double>(bands_.size())));
  column = std::min(column, bands_.size() - 1);
  while (column > 0 && end(column - 1) > sample)
    --column;  // several columns may show one sample
  return column;
}

void Columns::add(std::int64_t first_sample, std::int64_t last_sample, const Band& band) {
  first_sample = std::max(first_sample, first_);
  last_sample = std::min(last_sample, last_);
  if (bands_.empty() || first_sample >= last_sample || std::isnan(band.mean_a)) return;
  for (std::size_t column = column_of(first_sample); column < bands_.size(); ++column) {
    if (begin(column) >= last_sample) break;
    const auto overlap = std::min(end(column), last_sample) - std::max(begin(column), first_sample);
    if (overlap <= 0) continue;
    Band& sum = bands_[column];
    sum.min_a = std::fmin(sum.min_a, band.min_a);  // fmin and fmax pass over NaN
    sum.max_a = std::fmax(sum.max_a, band.max_a);
    sums_[column] += static_cast<double>(band.mean_a) * static_cast<double>(overlap);
    weights_[column] += static_cast<double>(overlap);
  }
}

std::vector<Band> Columns::take() {
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    if (weights_[i] > 0) bands_[i].mean_a = static_cast<float>(sums_[i] / weights_[i]);
  }
  return std::move(bands_);
}

}  // namespace rigd::store
