// Words as a PPK2 would send them, for tests and benchmarks of the store: synthetic, not recorded. A current
// level with Gaussian noise (in converter codes), about 1050 range switches in a million samples, a marker on
// logic input 0 for about half the time in windows of some 480 samples, a 6-bit counter.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace rigd::store::testing {

struct Noise {
  double least_codes;  // standard deviation in the quietest range
  double most_codes;   // and in the loudest
};
inline constexpr Noise kNoisy{25, 60};
inline constexpr Noise kQuiet{2.5, 6};

inline std::vector<std::uint32_t> synthetic_words(std::size_t count, Noise noise, std::uint32_t seed) {
  constexpr double level_codes[] = {9000, 6500, 4000, 2500, 1200};
  std::mt19937 random(seed);
  std::normal_distribution<double> gauss;
  std::uniform_real_distribution<double> uniform;
  std::vector<std::uint32_t> words(count);
  unsigned range = 2;
  bool marker = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (uniform(random) < 1050e-6) range = (range + 1 + static_cast<unsigned>(uniform(random) * 4)) % 5;
    if (uniform(random) < 1.0 / 480) marker = !marker;
    const double sd = noise.least_codes + (noise.most_codes - noise.least_codes) * range / 4;
    const double code = std::fmin(16383, std::fmax(0, level_codes[range] + sd * gauss(random)));
    const auto counter = static_cast<std::uint32_t>(i % 64);
    words[i] = static_cast<std::uint32_t>(std::lround(code)) | range << 14 | counter << 18 |
               (marker ? 1U << 24 : 0U);
  }
  return words;
}

// A made-up conversion, monotonous in code and range.
inline std::vector<float> synthetic_current_a(const std::vector<std::uint32_t>& words) {
  std::vector<float> current_a(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto scale = static_cast<float>(std::pow(10.0, static_cast<double>(words[i] >> 14 & 7U)));
    current_a[i] = static_cast<float>(words[i] & 0x3FFFU) * 1e-9F * scale;
  }
  return current_a;
}

}  // namespace rigd::store::testing
