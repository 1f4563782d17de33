// A folder for one test, and rows to fill a store with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "synthetic_words.hpp"

namespace rigd::store::testing {

class InFolder : public ::testing::Test {
 protected:
  using Run = store::Run;  // not the base class's function
  InFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rigd-store-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = name;
  }
  ~InFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path file() const { return folder_ / "bench.db"; }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.insert(entry.path().filename());
    return found;
  }

  std::filesystem::path folder_;
};

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}
inline void value_of(Result<void> result) {
  if (!result) throw std::runtime_error(result.error().text());
}

inline Run some_run() {
  Run run;
  run.session = "session-1";
  run.nonce = 0xDEADBEEF;
  run.plan_name = "quick.toml";
  run.plan_text = "repetitions = 50\n";
  run.bench_name = "simulated.toml";
  run.bench_text = "[slot.m0]\n";
  run.slot = "m0";
  run.rigd_version = "0.1.0";
  run.host = {"bench-pc", "Linux 6.1", "Some CPU"};
  run.started_utc_ns = 1'796'000'000'000'000'000;
  return run;
}

inline Measurement some_measurement(Id run_id) {
  Measurement m;
  m.run_id = run_id;
  m.case_id = "aes-128-ctr/encrypt/mbedtls";
  m.library = "mbedtls 2.28.3";
  m.provenance = Provenance::modelled;
  m.size_bytes = 256;
  m.inner = 12;
  m.repetitions_wanted = 50;
  m.warmup = 2;
  m.gap_us = 500;
  m.clock_hz = 16e6;
  m.timer_hz = 1e6;
  m.flash_wait_states = 1;
  m.voltage_v = 3.0;
  m.rate_hz = 100e3;
  m.known_answer = Verdict::passed;
  m.vectors = 4;
  m.digest = 0xCAFEF00D;
  m.stack_bytes = 312;
  m.heap_bytes = 0;
  m.started_utc_ns = 1'796'000'001'000'000'000;
  constexpr std::array provenances = {Provenance::modelled,  Provenance::counted,   Provenance::counted,
                                      Provenance::modelled,  Provenance::synthetic, Provenance::synthetic,
                                      Provenance::synthetic, Provenance::synthetic};
  for (std::size_t i = 0; i < kAllMetrics.size(); ++i) {
    const double x = 100.0 * static_cast<double>(i + 1);
    m.statistics.push_back({kAllMetrics[i], provenances[i], 50, x, x - 1, x + 1, x + 0.25, 0.5, x - 2, x + 2,
                            0.1, 0.07, 0.24, 2.0});
  }
  return m;
}

inline std::vector<Repetition> some_repetitions(std::int64_t count) {
  std::vector<Repetition> all;
  for (std::int64_t i = 0; i < count; ++i) {
    Repetition r;
    r.idx = i;
    r.edge_ns = 1e6 + static_cast<double>(i) / 3;
    r.timer_ticks = 1'000;
    r.instructions = 16'000;
    r.cycles = 18'500;
    r.charge_nc = 4'321.5;
    r.net_charge_nc = 4'000.25;
    r.energy_nj = 12'964.5;
    r.net_energy_nj = 12'000.75;
    r.baseline_na = 321'250;
    r.first_sample = 1'000 + 200 * i;
    r.last_sample = 1'100 + 200 * i;
    r.digest = 0xCAFEF00D;
    all.push_back(r);
  }
  return all;
}

inline Trace some_trace(std::size_t samples, std::vector<TraceGap> gaps = {}) {
  const auto words = synthetic_words(samples, kNoisy, 7);
  const auto current_a = synthetic_current_a(words);
  return value_of(pack_trace({kPpk2Words, 100e3, 1'000, words, current_a, std::move(gaps)}));
}

}  // namespace rigd::store::testing
