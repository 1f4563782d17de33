#include "capture/integrate.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace rigd::capture {

namespace {

// Independent partial sums, so that the compiler may add several samples at once without reordering any sum.
// Read bandwidth is the limit; see tests/bench.
constexpr std::size_t kLanes = 32;

[[gnu::always_inline]] inline double sum_in_lanes(const float* values, std::size_t count) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += static_cast<double>(values[i + lane]);
  double total = 0;
  for (const double lane : lanes)
    total += lane;
  for (; i < count; ++i)
    total += static_cast<double>(values[i]);
  return total;
}

double sum_portable(const float* values, std::size_t count) {
  return sum_in_lanes(values, count);
}

using Sum = double (*)(const float*, std::size_t);

#if defined(__x86_64__)
// The same sums in the same order, four to a register.
[[gnu::target("avx2")]] double sum_avx2(const float* values, std::size_t count) {
  return sum_in_lanes(values, count);
}
Sum fastest() {
  return __builtin_cpu_supports("avx2") ? sum_avx2 : sum_portable;
}
#else
Sum fastest() {
  return sum_portable;
}
#endif

// The parts of [first, last) that are not whole samples, and the whole samples between them.
struct Parts {
  std::size_t whole_first = 0;
  std::size_t whole_last = 0;
  double ends = 0;
};

Parts split(std::span<const float> values, double first, double last) {
  const auto begin = static_cast<std::size_t>(std::ceil(first));
  const auto end = static_cast<std::size_t>(std::floor(last));
  if (end < begin) return {begin, begin, (last - first) * static_cast<double>(values[end])};
  Parts parts{begin, end, 0};
  if (const double head = static_cast<double>(begin) - first; head > 0)
    parts.ends += head * static_cast<double>(values[begin - 1]);
  if (const double tail = last - static_cast<double>(end); tail > 0)
    parts.ends += tail * static_cast<double>(values[end]);
  return parts;
}

}  // namespace

double sum(std::span<const float> values) {
  static const Sum best = fastest();
  return best(values.data(), values.size());
}

double sum_between(std::span<const float> values, double first, double last) {
  const Parts parts = split(values, first, last);
  return parts.ends + sum(values.subspan(parts.whole_first, parts.whole_last - parts.whole_first));
}

PrefixIndex::PrefixIndex(std::span<const float> values) : values_(values) {
  const std::size_t blocks = values.size() / kBlock;
  before_.reserve(blocks + 1);
  double total = 0;
  before_.push_back(total);
  for (std::size_t block = 0; block < blocks; ++block) {
    total += capture::sum(values.subspan(block * kBlock, kBlock));
    before_.push_back(total);
  }
}

double PrefixIndex::sum(std::size_t first, std::size_t last) const {
  const std::size_t first_block = (first + kBlock - 1) / kBlock;
  const std::size_t last_block = last / kBlock;
  if (first_block >= last_block) return capture::sum(values_.subspan(first, last - first));
  return capture::sum(values_.subspan(first, first_block * kBlock - first)) +
         (before_[last_block] - before_[first_block]) +
         capture::sum(values_.subspan(last_block * kBlock, last - last_block * kBlock));
}

double PrefixIndex::sum_between(double first, double last) const {
  const Parts parts = split(values_, first, last);
  return parts.ends + sum(parts.whole_first, parts.whole_last);
}

}  // namespace rigd::capture
