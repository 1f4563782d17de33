// Trace codec, chunks through SQLite, and commits. Words are synthetic (see synthetic_words.hpp). Files go to
// $TMPDIR; put it on the disk in question: a commit is mostly its fsync.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <span>
#include <stdexcept>

#include "../unit/store/fixture.hpp"
#include "store/pyramid.hpp"
#include "store/sqlite.hpp"

namespace rigd::store {
namespace {

using namespace testing;

constexpr std::size_t kTraceSamples = 4 * 1'000'000;  // 40 s of a PPK2

const Noise& noise(const benchmark::State& state) {
  return state.range(0) == 0 ? kNoisy : kQuiet;
}
void name_noise(benchmark::internal::Benchmark* bench) {
  bench->ArgName("quiet")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);
}
void count_samples(benchmark::State& state, std::size_t samples) {
  state.SetItemsProcessed(static_cast<std::int64_t>(samples) * state.iterations());
}

struct Recorded {
  std::vector<std::uint32_t> words;
  std::vector<float> current_a;
};
const Recorded& recorded(const Noise& noise) {
  static const auto make = [](const Noise& of) {
    Recorded made{synthetic_words(kTraceSamples, of, 1), {}};
    made.current_a = synthetic_current_a(made.words);
    return made;
  };
  static const Recorded noisy = make(kNoisy);
  static const Recorded quiet = make(kQuiet);
  return &noise == &kNoisy ? noisy : quiet;
}
Trace packed(const Recorded& from) {
  return value_of(pack_trace({kPpk2Words, 100e3, 0, from.words, from.current_a, {}}));
}

// A store in a folder of its own, gone at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "rigd-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = name;
    store_.emplace(value_of(Store::open(file())));
  }
  ~Scratch() {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path file() const { return folder_ / "bench.db"; }
  Store& operator*() { return *store_; }
  Store* operator->() { return &*store_; }

 private:
  std::filesystem::path folder_;
  std::optional<Store> store_;
};

void PackChunk(benchmark::State& state) {
  const auto words = std::span(recorded(noise(state)).words).first(kChunkSamples);
  std::size_t bytes = 0;
  for (auto _ : state)
    bytes = value_of(pack_chunk(kPpk2Words, words)).size();
  count_samples(state, words.size());
  state.counters["B/sample"] = static_cast<double>(bytes) / static_cast<double>(words.size());
}
BENCHMARK(PackChunk)->Apply(name_noise);

void UnpackChunk(benchmark::State& state) {
  const auto words = std::span(recorded(noise(state)).words).first(kChunkSamples);
  const auto bytes = value_of(pack_chunk(kPpk2Words, words));
  for (auto _ : state)
    benchmark::DoNotOptimize(value_of(unpack_chunk(bytes)));
  count_samples(state, words.size());
}
BENCHMARK(UnpackChunk)->Apply(name_noise);

void BuildPyramid(benchmark::State& state) {
  const auto& current_a = recorded(kNoisy).current_a;
  for (auto _ : state)
    benchmark::DoNotOptimize(build_pyramid(0, current_a, {}));
  count_samples(state, current_a.size());
}
BENCHMARK(BuildPyramid)->UseRealTime()->Unit(benchmark::kMillisecond);

// From words and currents in memory to the disk: packing, pyramid, one transaction, fsync, and the log
// written back into the file.
void WriteTrace(benchmark::State& state) {
  const Recorded& from = recorded(noise(state));
  Scratch store;
  for (auto _ : state) {
    const Id run_id = value_of(store->begin_run(some_run()));
    const Trace trace = packed(from);
    value_of(store->commit_measurement(some_measurement(run_id), {}, &trace));
    value_of(store->finish_run(run_id, RunState::finished, {}));
  }
  count_samples(state, kTraceSamples);
  const Connection look = value_of(Connection::open(store.file(), Connection::Mode::read_only));
  const auto bytes =
      value_of(look.integer("SELECT (SELECT sum(length(packed)) FROM trace_chunk) + "
                            "(SELECT sum(length(bands)) FROM trace_pyramid)"));
  state.counters["B/sample"] = static_cast<double>(bytes) / static_cast<double>(state.iterations()) /
                               static_cast<double>(kTraceSamples);
}
BENCHMARK(WriteTrace)->Apply(name_noise);

void ReadTrace(benchmark::State& state) {
  Scratch store;
  const Trace trace = packed(recorded(noise(state)));
  const Id run_id = value_of(store->begin_run(some_run()));
  const Id id = value_of(store->commit_measurement(some_measurement(run_id), {}, &trace));
  for (auto _ : state)
    benchmark::DoNotOptimize(value_of(store->trace_words(id, 0, trace.samples)));
  count_samples(state, kTraceSamples);
}
BENCHMARK(ReadTrace)->Apply(name_noise);

// A picture of the whole trace, 1000 columns.
void Envelope(benchmark::State& state) {
  Scratch store;
  const Trace trace = packed(recorded(kNoisy));
  const Id run_id = value_of(store->begin_run(some_run()));
  const Id id = value_of(store->commit_measurement(some_measurement(run_id), {}, &trace));
  for (auto _ : state)
    benchmark::DoNotOptimize(value_of(store->envelope(id, 0, trace.samples, 1'000)));
}
BENCHMARK(Envelope)->UseRealTime()->Unit(benchmark::kMicrosecond);

// A measurement of so many repetitions, durable. 50 is the usual one; 10 000 shows the rate of bulk import.
void CommitMeasurement(benchmark::State& state) {
  Scratch store;
  const Id run_id = value_of(store->begin_run(some_run()));
  const auto repetitions = some_repetitions(state.range(0));
  for (auto _ : state)
    value_of(store->commit_measurement(some_measurement(run_id), repetitions, nullptr));
  state.counters["rows/s"] = benchmark::Counter(static_cast<double>(state.range(0) * state.iterations()),
                                                benchmark::Counter::kIsRate);
}
BENCHMARK(CommitMeasurement)
    ->ArgName("repetitions")
    ->Arg(50)
    ->Arg(10'000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

// The same as it comes from a bench: with 20 000 samples (200 ms of a PPK2) around the windows.
void CommitMeasurementWithTrace(benchmark::State& state) {
  Scratch store;
  const Id run_id = value_of(store->begin_run(some_run()));
  const auto repetitions = some_repetitions(50);
  const Trace trace = some_trace(20'000);
  for (auto _ : state)
    value_of(store->commit_measurement(some_measurement(run_id), repetitions, &trace));
}
BENCHMARK(CommitMeasurementWithTrace)->UseRealTime()->Unit(benchmark::kMicrosecond);

void AddEvent(benchmark::State& state) {
  Scratch store;
  const Id run_id = value_of(store->begin_run(some_run()));
  const Event event{1'000, 2'000, "measure", EventLevel::info,
                    "aes-128-ctr/encrypt/mbedtls/256: 50 repetitions"};
  for (auto _ : state)
    value_of(store->add_event(run_id, event));
}
BENCHMARK(AddEvent)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rigd::store
