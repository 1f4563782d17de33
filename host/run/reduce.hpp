// From what one case brought (answers, edges, samples) to what is stored. Pure: no I/O, no clock.
//
// Which number comes from where:
//   edge_ns       counted edges (cycles over the board's clock) where there is a counter, else the probe's
//   samples instructions  the counter; cycles: the counter, else the board's own cycle counter charge
//   rectangles over the samples of the window; net: less the idle baseline beside it
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "capture/samples.hpp"
#include "link/messages.hpp"
#include "probe/probe.hpp"
#include "run/edge_feed.hpp"
#include "run/plan.hpp"
#include "store/rows.hpp"
#include "store/trace.hpp"

namespace rigd::run {

// What was asked, of what.
struct CaseFacts {
  const bench::SlotSetup& slot;
  const Plan& plan;
  const link::Hello& hello;
  const link::CaseInfo& info;
  std::uint32_t size_bytes = 0;
  Volt voltage;
  double rate_hz = 0;
  std::int64_t started_utc_ns = 0;
  std::uint32_t inner = 1;
};

// What came. Windows begin with the warm-ups.
struct CaseRecord {
  link::CheckResult check;
  std::vector<link::Repetition> repetitions;
  link::RunDone done;
  std::vector<CountedWindow> counted;
  capture::Recording recording;
  bool overflowed = false;  // more samples came than are kept
};

struct Reduction {
  store::Measurement measurement;  // run_id is still to be set
  std::vector<store::Repetition> repetitions;
  capture::Recording recording;
  std::optional<Error> problem;  // why the measurement is not valid; also in `measurement`
  std::string summary;           // one line for people
};

Reduction reduce(const CaseFacts& facts, CaseRecord record, const probe::Probe& probe);

// A case that was not measured, since its known-answer test failed or the board refused it.
Reduction unmeasured(const CaseFacts& facts, const Result<link::CheckResult>& check);

// The recording as the store keeps it.
Result<store::Trace> pack(const capture::Recording& recording);

}  // namespace rigd::run
