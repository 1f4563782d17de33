#include "sample_report.hpp"

#include <cmath>

namespace rigd::report::testing {

namespace {

using store::Metric;
using store::Statistic;

constexpr std::int64_t kBegan = 1'796'083'200'000'000'000;  // 2026-12-01T00:00:00Z

Statistic counts(Metric metric, Provenance provenance, double value) {
  return {.metric = metric,
          .provenance = provenance,
          .n = 4,
          .median = value,
          .ci95_low = value,
          .ci95_high = value,
          .mean = value,
          .sd = 0.0,
          .min = value,
          .max = value};
}

Statistic uncertain(Metric metric, double mean, double u_instrument, double u_repeatability) {
  return {.metric = metric,
          .provenance = Provenance::synthetic,
          .n = 4,
          .median = mean * 1.001,
          .ci95_low = mean * 0.99,
          .ci95_high = mean * 1.01,
          .mean = mean,
          .sd = mean * 0.01,
          .min = mean * 0.98,
          .max = mean * 1.02,
          .u_instrument = u_instrument,
          .u_repeatability = u_repeatability,
          .u_expanded = 2 * std::hypot(u_instrument, u_repeatability),
          .coverage_factor = 2.0};
}

store::Measurement measurement(std::string case_id, std::int64_t size) {
  store::Measurement m;
  m.case_id = std::move(case_id);
  m.library = "mbedtls 2.28.3";
  m.size_bytes = size;
  m.inner = 10;
  m.repetitions_wanted = 4;
  m.warmup = 1;
  m.gap_us = 1000;
  m.clock_hz = 16e6;
  m.timer_hz = 16e6;
  m.voltage_v = 3.0;
  m.rate_hz = 100e3;
  m.known_answer = store::Verdict::passed;
  m.vectors = 3;
  m.digest = 0xCAFEF00D;
  m.started_utc_ns = kBegan + 1'000'000'000;
  return m;
}

Waveform waveform(std::int64_t first, std::int64_t last, std::size_t columns) {
  Waveform wave{{first, last}, 100e3, {}, {{1100, 1204}, {1400, 1504}}, {{1550, 1560, 10, "counter"}}};
  for (std::size_t i = 0; i < columns; ++i) {
    const std::int64_t sample =
        first + static_cast<std::int64_t>(i) * (last - first) / static_cast<std::int64_t>(columns);
    const bool high = (sample >= 1100 && sample < 1204) || (sample >= 1400 && sample < 1504);
    const float level = high ? 0.0044F : 0.0026F;
    if (sample >= 1550 && sample < 1560)
      wave.columns.emplace_back();
    else
      wave.columns.push_back({level - 0.0001F, level, level + 0.0001F});
  }
  return wave;
}

CaseRow good_case() {
  CaseRow row;
  row.measurement = measurement("aes-128-ctr/encrypt/mbedtls", 256);
  row.measurement.stack_bytes = 312;
  row.measurement.statistics = {counts(Metric::edge_ns, Provenance::modelled, 104'031.25),
                                counts(Metric::timer_ns, Provenance::counted, 1'200.0),
                                counts(Metric::instructions, Provenance::counted, 1'200.5),
                                counts(Metric::cycles, Provenance::modelled, 1'664.5),
                                uncertain(Metric::charge_nc, 457.7, 26.4, 1.9),
                                uncertain(Metric::net_charge_nc, 187.3, 31.0, 2.2),
                                uncertain(Metric::energy_nj, 1373.1, 79.8, 5.6),
                                uncertain(Metric::net_energy_nj, 561.9, 93.2, 6.6)};
  for (std::int64_t i = 0; i < 4; ++i) {
    store::Repetition r;
    r.idx = i;
    r.edge_ns = 1'040'312.5;
    r.timer_ticks = 192;
    r.instructions = 12'005;
    r.cycles = 16'645;
    r.charge_nc = 4577 + 10.0 * static_cast<double>(i);
    r.net_charge_nc = 1873 + 10.0 * static_cast<double>(i);
    r.energy_nj = 13'731 + 30.0 * static_cast<double>(i);
    r.net_energy_nj = 5'619 + 30.0 * static_cast<double>(i);
    r.baseline_na = 2'600'000;
    r.first_sample = 1100 + 300 * i;
    r.last_sample = 1204 + 300 * i;
    r.digest = 0xCAFEF00D;
    row.repetitions.push_back(r);
  }
  row.start = waveform(1000, 1600, 60);
  row.whole = waveform(0, 6000, 60);
  return row;
}

CaseRow wrong_answer() {
  CaseRow row;
  row.measurement = measurement("sha-256/hash/mbedtls", 55);
  row.measurement.known_answer = store::Verdict::failed;
  row.measurement.failed_vector = 2;
  row.measurement.problem =
      store::Problem::of(Error(ErrorCode::wrong_answer, "published vector 2 of 3 does not hold"));
  return row;
}

// Numbers came, but cannot be trusted: they must not show up as results.
CaseRow untrustworthy() {
  CaseRow row = good_case();
  row.measurement.case_id = kHostile;
  row.measurement.library = kHostile;
  row.measurement.size_bytes = 1024;
  row.measurement.problem =
      store::Problem::of(Error(ErrorCode::samples_lost, "1 of 5 windows: samples lost"));
  row.repetitions[2].invalid_reason = "samples lost near index 1550 (counter, 10 missing)";
  row.repetitions.resize(3);
  row.whole.reset();
  return row;
}

store::Run run(std::string slot) {
  store::Run r;
  r.id = 7;
  r.uuid = "0b5c7c1e-0000-4000-8000-000000000007";
  r.session = "5e55101e";
  r.plan_name = "quick";
  r.plan_text = "[plan]\nname = \"<quick>\"\n";
  r.bench_name = "simulated";
  r.slot = std::move(slot);
  r.rigd_version = "0.1.0";
  r.host = {"bench-pc", "Linux 6.1.0-28-amd64", "Some CPU"};
  r.started_utc_ns = kBegan;
  r.state = store::RunState::finished;
  r.ended_utc_ns = kBegan + 9'000'000'000;
  r.board = store::Board{"microbit", "0123456789abcdef", "nRF51822", "Cortex-M0"};
  r.image = store::Image{"00112233445566778899aabbccddeeff00112233",
                         "ab12",
                         "arm-none-eabi-gcc 12.2.1",
                         "-Os",
                         "microbit.elf",
                         40'960,
                         128,
                         2'048};
  r.probe = store::Probe{"ppk2", "SIM1", "metadata format 1.2", "c0ffee00c0ffee00", "R0: 1000"};
  return r;
}

}  // namespace

RunReport sample_report() {
  RunReport report;
  report.command = "rigd run rigs/plans/quick.toml --bench rigs/benches/simulated.toml --db demo.db";
  report.slots.push_back({run("m0"), {good_case(), wrong_answer(), untrustworthy()}});
  store::Run broken = run("m4");
  broken.id = 8;
  broken.state = store::RunState::failed;
  broken.board.reset();
  broken.image.reset();
  broken.probe.reset();
  broken.problem =
      store::Problem::of(Error(ErrorCode::adapter_missing, "no adapter with serial RIGD-SIM-M4"));
  report.slots.push_back({broken, {}});
  return report;
}

}  // namespace rigd::report::testing
