#include "run/validity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "capture/clocks.hpp"
#include "capture/recorder.hpp"

namespace rigd::run {

namespace {

using Complaint = std::optional<Error>;
using Charges = std::vector<capture::WindowCharge>;

Complaint check_digests(const CaseFacts& facts, const CaseRecord& record) {
  const auto wrong = [&](const link::Repetition& answer) { return answer.digest != record.check.digest; };
  const auto count = std::ranges::count_if(record.repetitions, wrong);
  if (count == 0) return std::nullopt;
  return Error(ErrorCode::wrong_digest,
               fmt::format("{} of {} repetitions gave another output", count, facts.plan.repetitions));
}

Complaint check_gaps(const CaseFacts& facts, const CaseRecord& record, const Charges& windows) {
  const auto has_gap = [](const capture::WindowCharge& window) { return window.window.gap.has_value(); };
  const auto first = std::ranges::find_if(windows, has_gap);
  if (first != windows.end())
    return Error(ErrorCode::samples_lost,
                 fmt::format("{} of {} windows: {}", std::ranges::count_if(windows, has_gap), windows.size(),
                             gap_text(*first->window.gap)));
  if (windows.size() != wanted_windows(facts) && !record.recording.gaps.empty())
    return Error(ErrorCode::samples_lost, gap_text(record.recording.gaps.front()));
  return std::nullopt;
}

Complaint check_presence(const CaseFacts& facts, const CaseRecord& record, const Charges& windows,
                         std::size_t cut) {
  if (record.overflowed)
    return Error(ErrorCode::out_of_range,
                 fmt::format("the case lasted longer than the {:.0f} s of samples that are kept",
                             capture::Recorder::kMostSamples / facts.rate_hz));
  const std::size_t wanted = wanted_windows(facts);
  if (windows.size() != wanted)
    return Error(ErrorCode::windows_missing, fmt::format("the probe saw {} of {} marker windows ({} cut off)",
                                                         windows.size(), wanted, cut));
  if (facts.slot.counter && record.counted.size() != wanted)
    return Error(ErrorCode::windows_missing,
                 fmt::format("the edge counter saw {} of {} marker windows", record.counted.size(), wanted));
  if (record.repetitions.size() != facts.plan.repetitions)
    return Error(ErrorCode::windows_missing,
                 fmt::format("{} of {} answers arrived", record.repetitions.size(), facts.plan.repetitions));
  return std::nullopt;
}

// A timer that counts instructions, against the instruction count.
Complaint check_counting_timer(const CaseFacts& facts, const std::vector<store::Repetition>& repetitions) {
  std::vector<std::uint64_t> ticks, instructions;
  for (const store::Repetition& row : repetitions) {
    if (!row.timer_ticks || !row.instructions) continue;
    ticks.push_back(*row.timer_ticks);
    instructions.push_back(static_cast<std::uint64_t>(*row.instructions));
  }
  const capture::CountCheck check = capture::check_counts(ticks, instructions, facts.hello.timer_hz);
  if (check.agree) return std::nullopt;
  return Error(
      ErrorCode::clocks_disagree,
      fmt::format(
          "the board's timer and the instruction count differ by up to {:.1f} ticks in {} of {} windows",
          check.worst_ticks, check.disagreeing, check.windows));
}

Complaint check_pair(std::string_view what, const std::vector<double>& edge_s,
                     const std::vector<double>& other_s, double edge_step_s, double other_step_s) {
  const capture::ClockCheck check = capture::check_clocks(edge_s, other_s, edge_step_s, other_step_s);
  if (check.agree) return std::nullopt;
  return Error(ErrorCode::clocks_disagree, fmt::format("{} differ by {:+.3f} %, limit {:.3f} %", what,
                                                       check.relative_difference * 100, check.limit * 100));
}

// A timer that tells time, against the marker's edges.
Complaint check_timer(const CaseFacts& facts, const std::vector<store::Repetition>& repetitions) {
  std::vector<double> edge_s, timer_s;
  for (const store::Repetition& row : repetitions) {
    if (!row.timer_ticks || !row.edge_ns) continue;
    edge_s.push_back(*row.edge_ns * 1e-9);
    timer_s.push_back(*row.timer_ticks / static_cast<double>(facts.hello.timer_hz));
  }
  const double edge_step_s = facts.slot.counter ? 1 / facts.slot.board.clock_hz : 1 / facts.rate_hz;
  return check_pair("marker edges and the board's timer", edge_s, timer_s, edge_step_s,
                    1.0 / facts.hello.timer_hz);
}

// Counted edges and the probe's samples time the same windows.
Complaint check_probe_clock(const CaseFacts& facts, const CaseRecord& record, const Charges& windows) {
  std::vector<double> sampled_s, counted_s;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    sampled_s.push_back(windows[i].duration_s);
    counted_s.push_back(static_cast<double>(record.counted[i].cycles) / facts.slot.board.clock_hz);
  }
  return check_pair("the probe's samples and the counted edges", sampled_s, counted_s, 1 / facts.rate_hz,
                    1 / facts.slot.board.clock_hz);
}

Complaint check_clocks(const CaseFacts& facts, const CaseRecord& record, const Charges& windows,
                       const std::vector<store::Repetition>& repetitions) {
  const bool counting = facts.slot.board.timer_counts == bench::TimerCounts::instructions;
  Complaint complaint;
  if (!counting) complaint = check_timer(facts, repetitions);
  if (counting && facts.slot.counter) complaint = check_counting_timer(facts, repetitions);
  if (!complaint && facts.slot.counter) complaint = check_probe_clock(facts, record, windows);
  return complaint;
}

}  // namespace

std::size_t wanted_windows(const CaseFacts& facts) {
  return std::size_t{facts.plan.warmup} + facts.plan.repetitions;
}

std::optional<Error> judge(const CaseFacts& facts, const CaseRecord& record, const Charges& windows,
                           std::size_t cut, const std::vector<store::Repetition>& repetitions) {
  if (Complaint complaint = check_digests(facts, record)) return complaint;
  if (Complaint complaint = check_gaps(facts, record, windows)) return complaint;
  if (Complaint complaint = check_presence(facts, record, windows, cut)) return complaint;
  return check_clocks(facts, record, windows, repetitions);
}

std::string gap_text(const capture::Gap& gap) {
  return fmt::format("samples lost near index {} ({}, {} missing)", gap.first, capture::to_string(gap.cause),
                     gap.missing);
}

}  // namespace rigd::run
