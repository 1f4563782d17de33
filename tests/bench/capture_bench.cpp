// Energy of marker windows over 100 million samples (1000 s of a 100 kS/s probe), against the plain reading
// of memory.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "capture/integrate.hpp"
#include "capture/marker.hpp"

namespace rigd::capture {
namespace {

constexpr std::size_t kSamples = 100'000'000;
constexpr std::size_t kManyWindows = 103'933;
constexpr std::size_t kFewWindows = 1'039;

struct Span {
  double first = 0;
  double last = 0;
};

const std::vector<float>& samples() {
  static const std::vector<float> values = [] {
    std::vector<float> made(kSamples);
    std::uint32_t state = 1;  // a cheap generator: this is not what is measured
    for (float& value : made) {
      state = state * 1664525U + 1013904223U;
      value = 0.004F + 1e-13F * static_cast<float>(state >> 8U);
    }
    return made;
  }();
  return values;
}

// Windows with fractional edges, of random length, that together cover all samples.
std::vector<Span> windows(std::size_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, static_cast<double>(kSamples));
  std::vector<double> edges(count + 1);
  for (double& edge : edges)
    edge = place(random);
  edges.front() = 0;
  edges.back() = static_cast<double>(kSamples);
  std::ranges::sort(edges);
  std::vector<Span> spans;
  for (std::size_t i = 0; i < count; ++i)
    spans.push_back({edges[i], edges[i + 1]});
  return spans;
}

// The limit: every byte read once, as fast as the machine can. Integers, so that the compiler may reorder at
// will.
[[gnu::always_inline]] inline std::uint64_t read_all(const std::vector<float>& values) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(values.data());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < values.size() / 2; ++i)
    total ^= words[i];
  return total;
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] std::uint64_t read_avx2(const std::vector<float>& values) {
  return read_all(values);
}
#else
std::uint64_t read_avx2(const std::vector<float>& values) {
  return read_all(values);
}
#endif

void rates(benchmark::State& state, std::size_t count) {
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["samples/s"] =
      benchmark::Counter(rounds * static_cast<double>(kSamples), benchmark::Counter::kIsRate);
  if (count > 0)
    state.counters["s/window"] = benchmark::Counter(
        rounds * static_cast<double>(count), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void ReadBandwidth(benchmark::State& state) {
  const std::vector<float>& values = samples();
  for (auto _ : state)
    benchmark::DoNotOptimize(read_avx2(values));
  rates(state, 0);
}

void WindowEnergy(benchmark::State& state) {
  const std::vector<float>& values = samples();
  const std::vector<Span> spans = windows(kManyWindows);
  for (auto _ : state)
    for (const Span& span : spans)
      benchmark::DoNotOptimize(sum_between(values, span.first, span.last));
  rates(state, spans.size());
}

void WindowEnergyIndexed(benchmark::State& state) {
  static const PrefixIndex index(samples());
  const std::vector<Span> spans = windows(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    for (const Span& span : spans)
      benchmark::DoNotOptimize(index.sum_between(span.first, span.last));
  rates(state, spans.size());
}

void BuildIndex(benchmark::State& state) {
  const std::vector<float>& values = samples();
  for (auto _ : state)
    benchmark::DoNotOptimize(PrefixIndex(values));
  rates(state, 0);
}

void FindMarkerEdges(benchmark::State& state) {
  std::vector<std::uint8_t> logic(10'000'000);
  for (std::size_t i = 0; i < logic.size(); ++i)
    logic[i] = static_cast<std::uint8_t>((i / 500) % 2 == 0 ? 0xFE : 0xFF);
  for (auto _ : state) {
    MarkerTracker tracker(0);
    tracker.push(0, logic);
    benchmark::DoNotOptimize(tracker.complete().size());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(logic.size()));
}

BENCHMARK(ReadBandwidth)->Unit(benchmark::kMillisecond);
BENCHMARK(WindowEnergy)->Unit(benchmark::kMillisecond);
BENCHMARK(WindowEnergyIndexed)->Arg(kFewWindows)->Arg(kManyWindows)->Unit(benchmark::kMillisecond);
BENCHMARK(BuildIndex)->Unit(benchmark::kMillisecond);
BENCHMARK(FindMarkerEdges)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rigd::capture
