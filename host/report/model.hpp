// What a report shows: runs and measurements as the store keeps them, with the pictures beside them. Writers
// (writers.hpp) turn it into text; they add nothing and ask nobody.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/rows.hpp"
#include "store/trace.hpp"

namespace rigd::report {

// Samples [first, last).
struct SampleRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// A stretch of the supply current, as wide as a picture needs it.
struct Waveform {
  SampleRange shown;
  double rate_hz = 0;
  std::vector<store::Band> columns;   // equal parts of `shown`
  std::vector<SampleRange> windows;   // marker high
  std::vector<store::TraceGap> gaps;  // no trustworthy samples
};

// One measurement: one case at one size on one slot.
struct CaseRow {
  store::Measurement measurement;
  std::vector<store::Repetition> repetitions;
  std::optional<Waveform> whole;  // absent: no trace was kept
  std::optional<Waveform> start;  // its first windows

  const store::Statistic* find(store::Metric metric) const { return measurement.find(metric); }
  std::string label() const;  // "aes-128-ctr/encrypt/mbedtls/256"
};

// One run: one plan on one slot.
struct SlotReport {
  store::Run run;
  std::vector<CaseRow> cases;  // in the order of measuring
};

struct RunReport {
  std::string command;  // what made it; empty: not known
  std::vector<SlotReport> slots;
};

}  // namespace rigd::report
