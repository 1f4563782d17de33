// PPK2 words to amperes: the driver's path (counter check, ampere as f32, logic inputs) and Nordic's spike
// filter in double precision. items_per_second is samples a second.
#include <benchmark/benchmark.h>

#include <random>

#include "probe/ppk2/decoder.hpp"
#include "probe/ppk2/spike_filter.hpp"

namespace rigd::probe::ppk2 {
namespace {

constexpr std::size_t kSamples = 1 << 24;  // 64 MB of words: memory, not cache

Calibration unit_a() {
  constexpr double values[kFamilies][kRanges] = {{1003.3506, 101.5865, 10.3027, 0.9636, 0.0564},
                                                 {0, 112.7890, 18.0115, 2.4217, 0.0729},
                                                 {1, 0.9695, 0.9609, 0.9519, 0.9582},
                                                 {112.9420, 75.4627, 64.6020, 50.4983, 87.2177},
                                                 {48e-9, 596e-9, 5281e-9, 62577e-9, 2940743e-9},
                                                 {-104e-9, -1443e-9, 36439e-9, -374119e-9, -9388455e-9},
                                                 {1, 1, 1, 1, 1}};
  Calibration made;
  for (unsigned family = 0; family < kFamilies; ++family)
    for (unsigned range = 0; range < kRanges; ++range)
      made.constants[family][range] = values[family][range];
  return made;
}

// About a thousand range switches in each million samples, and noise of a few dozen codes.
std::vector<std::uint32_t> noisy_words() {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 40);
  std::vector<std::uint32_t> words(kSamples);
  unsigned range = 1, level = 2000;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (random() % 1000 == 0) {
      range = 1 + random() % 3;
      level = 500 + random() % 4000;
    }
    const auto code = static_cast<std::uint32_t>(std::clamp(level + noise(random), 0.0, 16000.0));
    words[i] = code | range << kCodeBits | static_cast<std::uint32_t>(i & kCounterMask) << kCounterShift |
               static_cast<std::uint32_t>(i / 5000 % 2) << kLogicShift;
  }
  return words;
}

struct Total final : SampleSink {
  void on_samples(const capture::SampleBlock& block) override {
    samples += block.words.size();
    benchmark::DoNotOptimize(block.current_a.data());
    benchmark::DoNotOptimize(block.logic.data());
    benchmark::ClobberMemory();
  }
  void on_gap(const capture::Gap&) override { ++gaps; }
  std::size_t samples = 0, gaps = 0;
};

void report(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSamples));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kSamples * kBytesPerWord));
}

void Decode(benchmark::State& state) {
  const ConversionTable table(unit_a(), Volt(3.0));
  const auto words = noisy_words();
  const auto bytes = std::as_bytes(std::span(words));
  const auto piece = static_cast<std::size_t>(state.range(0));
  Total total;
  for (auto _ : state) {
    Decoder decoder(table, total);
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      decoder.push(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    decoder.finish();
  }
  if (total.gaps != 0 || total.samples != kSamples * static_cast<std::size_t>(state.iterations()))
    state.SkipWithError("samples lost");
  report(state);
}
BENCHMARK(Decode)->ArgName("read_bytes")->Arg(64)->Arg(4095)->Arg(65536);

void SpikeFilterExact(benchmark::State& state) {
  const auto words = noisy_words();
  std::vector<double> current(words.size());
  SpikeFilter filter(unit_a(), Volt(3.0));
  for (auto _ : state) {
    filter.reset();
    filter.filter(words, current);
    benchmark::DoNotOptimize(current.data());
    benchmark::ClobberMemory();
  }
  report(state);
}
BENCHMARK(SpikeFilterExact);

// The limit: moving the words.
void Memcpy(benchmark::State& state) {
  const auto words = noisy_words();
  std::vector<std::uint32_t> copy(words.size());
  for (auto _ : state) {
    std::copy(words.begin(), words.end(), copy.begin());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  report(state);
}
BENCHMARK(Memcpy);

void BuildTable(benchmark::State& state) {
  const Calibration calibration = unit_a();
  for (auto _ : state)
    benchmark::DoNotOptimize(ConversionTable(calibration, Volt(3.0)).data());
}
BENCHMARK(BuildTable)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rigd::probe::ppk2
