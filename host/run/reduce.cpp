#include "run/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/cost.hpp"
#include "analysis/statistics.hpp"
#include "analysis/supply.hpp"
#include "capture/windows.hpp"
#include "run/validity.hpp"

namespace rigd::run {

namespace {

using bench::BoardKind;
using bench::TimerCounts;

constexpr double kNano = 1e-9;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

analysis::InstrumentLimits limits_of(const probe::Probe& probe, double current_a) {
  const probe::Accuracy accuracy = probe.accuracy(Ampere(current_a));
  return {accuracy.gain_relative, accuracy.resolution_a, accuracy.voltage_relative, "maker's limits"};
}

// The idle level is taken on the stretch the board is known to idle, less a margin at its far end.
capture::BaselineRule baseline_rule(const CaseFacts& facts) {
  const double idle_samples = facts.plan.gap_us * 1e-6 * facts.rate_hz;
  capture::BaselineRule rule;
  rule.guard = static_cast<capture::SampleIndex>(std::max(2.0, idle_samples * 0.1));
  rule.most = static_cast<capture::SampleIndex>(std::max(1.0, idle_samples * 0.7));
  rule.least = std::min<capture::SampleIndex>(rule.most, 8);
  return rule;
}

// One reduction in the making.
class Reducer {
 public:
  Reducer(const CaseFacts& facts, CaseRecord& record, const probe::Probe& probe)
      : facts_(facts), record_(record), probe_(probe) {}

  Reduction run() {
    start_measurement();
    integrate();
    fill_repetitions();
    out_.problem = judge(facts_, record_, windows_, cut_windows_, out_.repetitions);
    add_statistics();
    out_.summary = summary();
    if (out_.problem) out_.measurement.problem = store::Problem::of(*out_.problem);
    out_.recording = std::move(record_.recording);
    return std::move(out_);
  }

 private:
  bool windows_aligned() const { return windows_.size() == wanted_windows(facts_); }
  bool counts_aligned() const { return record_.counted.size() == wanted_windows(facts_); }

  void start_measurement();
  void integrate();
  void fill_repetitions();
  void fill_window(store::Repetition& row, const capture::WindowCharge& window);
  void fill_counts(store::Repetition& row, const CountedWindow& counts);
  void fill_answer(store::Repetition& row, const link::Repetition& answer);

  void add_statistics();
  void add_plain(store::Metric metric, Provenance provenance, const std::vector<double>& per_operation);
  void add_energy();
  void add_budget(store::Metric metric, const std::vector<double>& per_window_nano,
                  const std::optional<analysis::Budget>& budget);
  struct Common;
  Common common() const;
  template <class Member>
  std::vector<double> valid_values(Member member) const;
  std::string summary() const;

  const CaseFacts& facts_;
  CaseRecord& record_;
  const probe::Probe& probe_;
  std::vector<capture::WindowCharge> windows_;  // warm-ups included
  std::size_t cut_windows_ = 0;
  Reduction out_;
};

store::Measurement describe(const CaseFacts& facts) {
  store::Measurement row;
  row.case_id = facts.info.id;
  row.library = facts.info.library;
  row.provenance = facts.slot.board.time_provenance();
  row.size_bytes = facts.size_bytes;
  row.inner = facts.inner;
  row.repetitions_wanted = facts.plan.repetitions;
  row.warmup = facts.plan.warmup;
  row.gap_us = facts.plan.gap_us;
  row.clock_hz = facts.slot.board.clock_hz;
  row.timer_hz = facts.hello.timer_hz;
  row.flash_wait_states = facts.hello.flash_wait_states;
  row.voltage_v = facts.voltage.value;
  row.rate_hz = facts.rate_hz;
  row.started_utc_ns = facts.started_utc_ns;
  return row;
}

void Reducer::start_measurement() {
  store::Measurement& row = out_.measurement;
  row = describe(facts_);
  row.known_answer = record_.check.passed ? store::Verdict::passed : store::Verdict::failed;
  row.vectors = record_.check.vectors;
  row.failed_vector = record_.check.failed_vector;
  row.digest = record_.check.digest;
  row.stack_bytes = record_.done.stack_bytes;
  row.heap_bytes = record_.done.heap_bytes;
}

void Reducer::integrate() {
  const capture::Windows found = capture::find_windows(record_.recording, facts_.slot.probe.marker_input);
  cut_windows_ = found.cut;
  windows_ = capture::integrate(record_.recording, found.complete, baseline_rule(facts_));
}

void Reducer::fill_window(store::Repetition& row, const capture::WindowCharge& window) {
  const double volt = facts_.voltage.value;
  row.first_sample = static_cast<std::int64_t>(window.window.at.first);
  row.last_sample = static_cast<std::int64_t>(window.window.at.last);
  if (window.window.gap) {
    row.invalid_reason = gap_text(*window.window.gap);
    return;
  }
  row.edge_ns = window.duration_s / kNano;
  row.charge_nc = window.charge_c / kNano;
  row.energy_nj = window.charge_c * volt / kNano;
  if (window.net_charge_c) {
    row.net_charge_nc = *window.net_charge_c / kNano;
    row.net_energy_nj = *window.net_charge_c * volt / kNano;
    row.baseline_na = window.baseline->current_a / kNano;
  }
}

void Reducer::fill_counts(store::Repetition& row, const CountedWindow& counts) {
  row.instructions = static_cast<std::int64_t>(counts.instructions);
  row.cycles = static_cast<std::int64_t>(counts.cycles);
  row.edge_ns = static_cast<double>(counts.cycles) / facts_.slot.board.clock_hz / kNano;
}

void Reducer::fill_answer(store::Repetition& row, const link::Repetition& answer) {
  row.timer_ticks = answer.timer_ticks;
  row.digest = answer.digest;
  if (facts_.hello.cycle_counter && !row.cycles) row.cycles = answer.cycles;
  if (answer.digest != record_.check.digest && row.invalid_reason.empty())
    row.invalid_reason = "wrong output";
}

void Reducer::fill_repetitions() {
  for (std::uint32_t i = 0; i < facts_.plan.repetitions; ++i) {
    store::Repetition row;
    row.idx = i;
    const std::size_t window = std::size_t{facts_.plan.warmup} + i;
    if (windows_aligned())
      fill_window(row, windows_[window]);
    else
      row.invalid_reason = "its marker window is missing";
    if (counts_aligned()) fill_counts(row, record_.counted[window]);
    const auto answer = std::ranges::find(record_.repetitions, i, &link::Repetition::index);
    if (answer != record_.repetitions.end())
      fill_answer(row, *answer);
    else if (row.invalid_reason.empty())
      row.invalid_reason = "its answer was lost on the link";
    out_.repetitions.push_back(std::move(row));
  }
}

template <class Member>
std::vector<double> Reducer::valid_values(Member member) const {
  std::vector<double> values;
  for (const store::Repetition& row : out_.repetitions)
    if (row.valid() && row.*member) values.push_back(static_cast<double>(*(row.*member)));
  return values;
}

// Without a valid repetition the row still says where the values of the invalid ones come from.
void Reducer::add_plain(store::Metric metric, Provenance provenance, const std::vector<double>& per_window) {
  store::Statistic row;
  row.metric = metric;
  row.provenance = provenance;
  std::vector<double> per_operation;
  for (const double value : per_window)
    per_operation.push_back(value / facts_.inner);
  if (const std::optional<analysis::Summary> summary = analysis::summarise(per_operation)) {
    row.n = static_cast<std::int64_t>(summary->n);
    row.median = summary->median;
    row.mean = summary->mean;
    row.sd = summary->sd;
    row.min = summary->min;
    row.max = summary->max;
    if (summary->median_ci95) {
      row.ci95_low = summary->median_ci95->low;
      row.ci95_high = summary->median_ci95->high;
    }
  }
  out_.measurement.statistics.push_back(row);
}

void Reducer::add_budget(store::Metric metric, const std::vector<double>& per_window_nano,
                         const std::optional<analysis::Budget>& budget) {
  add_plain(metric, facts_.slot.board.energy_provenance(), per_window_nano);
  if (!budget) return;
  store::Statistic& row = out_.measurement.statistics.back();
  const double scale = 1 / kNano / facts_.inner;
  row.u_instrument = budget->shared() * scale;
  row.u_repeatability = budget->independent() * scale;
  row.u_expanded = budget->expanded() * scale;
  row.coverage_factor = analysis::Budget::kCoverage;
}

// What the valid windows have in common, for the budgets.
struct Reducer::Common {
  std::vector<double> gross_c, net_c;
  std::vector<double> duration_s, noise_c, idle_a, idle_error_a;
};

Reducer::Common Reducer::common() const {
  Common all;
  for (std::size_t i = 0; i < out_.repetitions.size(); ++i) {
    if (!out_.repetitions[i].valid()) continue;
    const capture::WindowCharge& window = windows_[facts_.plan.warmup + i];
    all.gross_c.push_back(window.charge_c);
    all.duration_s.push_back(window.duration_s);
    all.noise_c.push_back(window.noise_c);
    if (!window.net_charge_c) continue;
    all.net_c.push_back(*window.net_charge_c);
    all.idle_a.push_back(window.baseline->current_a);
    all.idle_error_a.push_back(window.baseline->uncertainty_a);
  }
  return all;
}

void Reducer::add_energy() {
  using store::Metric;
  using store::Repetition;
  const Common all = common();
  std::optional<analysis::Budget> gross, net;
  analysis::InstrumentLimits limits;
  if (!all.gross_c.empty()) {
    limits = limits_of(probe_, mean_of(all.gross_c) / mean_of(all.duration_s));
    analysis::WindowEvidence mean{Coulomb(mean_of(all.gross_c)), Second(mean_of(all.duration_s)),
                                  Second(1 / facts_.rate_hz), Coulomb(mean_of(all.noise_c)), limits};
    if (!all.net_c.empty())
      mean.idle = analysis::IdleEvidence{Ampere(mean_of(all.idle_a)), Ampere(mean_of(all.idle_error_a)),
                                         limits_of(probe_, mean_of(all.idle_a))};
    gross = analysis::gross_charge(all.gross_c, mean);
    if (!all.net_c.empty()) net = analysis::net_charge(all.net_c, mean);
  }
  const auto energy = [&](const std::optional<analysis::Budget>& charge) -> std::optional<analysis::Budget> {
    if (!charge) return std::nullopt;
    return analysis::energy(*charge, facts_.voltage, limits);
  };
  add_budget(Metric::charge_nc, valid_values(&Repetition::charge_nc), gross);
  add_budget(Metric::net_charge_nc, valid_values(&Repetition::net_charge_nc), net);
  add_budget(Metric::energy_nj, valid_values(&Repetition::energy_nj), energy(gross));
  add_budget(Metric::net_energy_nj, valid_values(&Repetition::net_energy_nj), energy(net));
}

void Reducer::add_statistics() {
  const bench::BoardType& board = facts_.slot.board;
  add_plain(store::Metric::edge_ns, board.time_provenance(), valid_values(&store::Repetition::edge_ns));
  std::vector<double> timer_ns = valid_values(&store::Repetition::timer_ticks);
  for (double& value : timer_ns)
    value *= 1e9 / facts_.hello.timer_hz;
  // A timer that counts instructions tells no time: what it gives is a count, in its own nanoseconds.
  add_plain(store::Metric::timer_ns,
            board.timer_counts == TimerCounts::instructions ? Provenance::counted : board.time_provenance(),
            timer_ns);
  const bool counted = facts_.slot.counter.has_value();
  if (counted)
    add_plain(store::Metric::instructions, Provenance::counted,
              valid_values(&store::Repetition::instructions));
  if (counted || facts_.hello.cycle_counter)
    add_plain(store::Metric::cycles, board.time_provenance(), valid_values(&store::Repetition::cycles));
  add_energy();
}

std::string Reducer::summary() const {
  const store::Statistic* time = out_.measurement.find(store::Metric::edge_ns);
  const store::Statistic* energy = out_.measurement.find(store::Metric::net_energy_nj);
  if (!time || !time->median) return "no valid repetition";
  std::string text = fmt::format("{:.2f} us {}", *time->median * 1e-3, to_string(time->provenance));
  if (energy && energy->median)
    text += fmt::format(", net {:.1f} nJ {}", *energy->median, to_string(energy->provenance));
  return fmt::format("{} (n = {}, inner {})", text, time->n, facts_.inner);
}

}  // namespace

Reduction reduce(const CaseFacts& facts, CaseRecord record, const probe::Probe& probe) {
  return Reducer(facts, record, probe).run();
}

Reduction unmeasured(const CaseFacts& facts, const Result<link::CheckResult>& check) {
  Reduction out;
  out.measurement = describe(facts);
  if (check) {
    out.measurement.known_answer = store::Verdict::failed;
    out.measurement.vectors = check->vectors;
    out.measurement.failed_vector = check->failed_vector;
    out.problem = Error(ErrorCode::wrong_answer, fmt::format("published vector {} of {} does not hold",
                                                             check->failed_vector, check->vectors));
  } else {
    out.problem = check.error();
  }
  out.measurement.problem = store::Problem::of(*out.problem);
  out.summary = "not measured";
  return out;
}

Result<store::Trace> pack(const capture::Recording& recording) {
  store::TraceInput input;
  input.layout = store::kPpk2Words;
  input.rate_hz = recording.rate_hz;
  input.first_sample = static_cast<std::int64_t>(recording.first);
  input.words = recording.words;
  input.current_a = recording.current_a;
  for (const capture::Gap& gap : recording.gaps)
    input.gaps.push_back({static_cast<std::int64_t>(gap.first), static_cast<std::int64_t>(gap.last),
                          static_cast<std::int64_t>(gap.missing),
                          std::string(capture::to_string(gap.cause))});
  return store::pack_trace(input);
}

}  // namespace rigd::run
