// What the store keeps, as plain structs: units in the names, one struct a table. Ids are 0 until stored.
//
// Each value carries its provenance once: in the Statistic of its metric. A repetition's `edge_ns` has the
// provenance of its measurement's Metric::edge_ns, and so on. One measurement has one Statistic for each
// metric, hence one provenance for each metric, and every query that compares measurements meets it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/provenance.hpp"
#include "base/result.hpp"

namespace rigd::store {

using Id = std::int64_t;

// Why a run or a measurement has no trustworthy result: an Error as it is kept and shown.
struct Problem {
  std::string fault = {};  // to_string(Fault)
  std::string code = {};   // to_string(ErrorCode)
  std::string text = {};   // one line

  static Problem of(const Error& error);
  bool operator==(const Problem&) const = default;
};

struct Board {
  std::string type = {};      // as the board file is named: "microbit"
  std::string chip_uid = {};  // lower-case hex; empty where the chip has none
  std::string mcu = {};       // "nRF51822"
  std::string core = {};      // "Cortex-M0"
  bool operator==(const Board&) const = default;
};

struct Image {
  std::string build_id = {};    // lower-case hex of the GNU build-id note
  std::string elf_sha256 = {};  // lower-case hex of the whole file
  std::string toolchain = {};
  std::string flags = {};
  std::string file_name = {};  // without its folder
  std::int64_t text_bytes = 0;
  std::int64_t data_bytes = 0;
  std::int64_t bss_bytes = 0;
  bool operator==(const Image&) const = default;
};

struct Probe {
  std::string driver = {};  // "ppk2"
  std::string serial = {};
  std::string firmware = {};
  std::string calibration_hash = {};  // lower-case hex
  std::string calibration_text = {};  // the constants, one "KEY: value" a line
  bool operator==(const Probe&) const = default;
};

struct HostFacts {
  std::string name = {};    // of the machine
  std::string kernel = {};  // "Linux 6.1.0-28-amd64"
  std::string cpu = {};
  bool operator==(const HostFacts&) const = default;
};

enum class RunState { running, finished, failed, interrupted };
std::string_view to_string(RunState state) noexcept;

// One plan executed on one slot.
struct Run {
  Id id = 0;
  std::string uuid = {};     // given by begin_run() when empty
  std::string session = {};  // the same for all runs that one command started; chosen by the caller
  std::uint32_t nonce = 0;   // of the device link
  std::string plan_name = {};
  std::string plan_text = {};   // the file as it was
  std::string bench_name = {};  // its file name
  std::string bench_text = {};
  std::string slot = {};
  std::string rigd_version = {};
  HostFacts host = {};
  std::int64_t started_utc_ns = 0;

  // Known later: see Store::describe_run().
  std::optional<Board> board = {};
  std::optional<Image> image = {};
  std::optional<Probe> probe = {};

  // Set by Store::finish_run(), or at the next start when the process died.
  RunState state = RunState::running;
  std::optional<std::int64_t> ended_utc_ns = {};  // absent while running and when the end was not seen
  std::optional<Problem> problem = {};            // why it failed or was interrupted
};

// What is measured. The suffix is the unit. Statistics are for ONE operation; repetitions are for one marker
// window, which holds Measurement::inner operations.
enum class Metric {
  edge_ns,        // marker window by the probe's or simulator's edges
  timer_ns,       // marker window by the board's own timer
  instructions,   // counted by the simulator
  cycles,         // hardware counter, or a core's timing tables
  charge_nc,      // gross: all that flowed in the window
  net_charge_nc,  // less the idle baseline
  energy_nj,
  net_energy_nj,
};
inline constexpr std::array kAllMetrics = {Metric::edge_ns,   Metric::timer_ns,     Metric::instructions,
                                           Metric::cycles,    Metric::charge_nc,    Metric::net_charge_nc,
                                           Metric::energy_nj, Metric::net_energy_nj};
std::string_view to_string(Metric metric) noexcept;  // its name as written above

// One metric of one measurement reduced over the valid repetitions, in the metric's unit for one operation.
// With n == 0 it only states the provenance of the repetitions' values; the numbers are absent.
struct Statistic {
  Metric metric = Metric::edge_ns;
  Provenance provenance = Provenance::measured;
  std::int64_t n = 0;  // valid repetitions used
  std::optional<double> median = {};
  std::optional<double> ci95_low = {};  // 95 % confidence interval of the median
  std::optional<double> ci95_high = {};
  std::optional<double> mean = {};
  std::optional<double> sd = {};  // of the repetitions, n - 1
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::optional<double> u_instrument = {};     // standard uncertainty of the instrument (type B)
  std::optional<double> u_repeatability = {};  // standard uncertainty of the mean or median (type A)
  std::optional<double> u_expanded = {};       // coverage_factor times both combined
  std::optional<double> coverage_factor = {};
  bool operator==(const Statistic&) const = default;
};

enum class Verdict { passed, failed, not_run };
std::string_view to_string(Verdict verdict) noexcept;

// The repetitions of one case in one run.
struct Measurement {
  Id id = 0;
  Id run_id = 0;
  std::string case_id = {};                      // primitive/operation/implementation
  std::string library = {};                      // its name and version, as the board says: "mbedtls 2.28.3"
  Provenance provenance = Provenance::measured;  // of its times; each metric's own is in its Statistic
  std::int64_t size_bytes = 0;
  std::int64_t inner = 1;  // operations in one marker window
  std::int64_t repetitions_wanted = 0;
  std::int64_t warmup = 0;
  std::int64_t gap_us = 0;
  double clock_hz = 0;
  double timer_hz = 0;
  std::int64_t flash_wait_states = 0;
  std::optional<double> voltage_v = {};  // energy is charge times this
  std::optional<double> rate_hz = {};    // of the probe's samples

  Verdict known_answer = Verdict::not_run;
  std::int64_t vectors = 0;                      // published vectors tried
  std::int64_t failed_vector = 0;                // 1-based number of the first that failed; 0: none
  std::optional<std::uint32_t> digest = {};      // expected of every repetition's output
  std::optional<std::int64_t> stack_bytes = {};  // high-water of the operation
  std::optional<std::int64_t> heap_bytes = {};

  std::optional<Problem> problem = {};  // absent: valid
  std::int64_t started_utc_ns = 0;
  std::vector<Statistic> statistics = {};  // at most one for each metric, in the order of Metric

  bool valid() const { return !problem; }
  const Statistic* find(Metric metric) const;  // null where the metric is absent
};

// One marker window.
struct Repetition {
  std::int64_t idx = 0;  // 0 ... repetitions_wanted - 1
  std::optional<double> edge_ns = {};
  std::optional<std::uint32_t> timer_ticks = {};  // of Measurement::timer_hz
  std::optional<std::int64_t> instructions = {};
  std::optional<std::int64_t> cycles = {};
  std::optional<double> charge_nc = {};
  std::optional<double> net_charge_nc = {};
  std::optional<double> energy_nj = {};
  std::optional<double> net_energy_nj = {};
  std::optional<double> baseline_na = {};         // idle current taken off for the net values
  std::optional<std::int64_t> first_sample = {};  // the window in samples of the trace: [first, last)
  std::optional<std::int64_t> last_sample = {};
  std::optional<std::uint32_t> digest = {};
  std::string invalid_reason = {};  // empty: valid

  bool valid() const { return invalid_reason.empty(); }
  bool operator==(const Repetition&) const = default;
};

enum class EventLevel { debug, info, warning, error };
std::string_view to_string(EventLevel level) noexcept;

// One line of a run's log.
struct Event {
  std::int64_t at_ns = 0;  // since the run began, monotonic clock
  std::int64_t utc_ns = 0;
  std::string step = {};  // "flash", "hello", "measure" ...
  EventLevel level = EventLevel::info;
  std::string text = {};
};

// Runs that satisfy every member that is set.
struct RunFilter {
  std::optional<Id> id = {};
  std::optional<std::string> session = {};
  std::optional<std::string> slot = {};
  std::optional<std::string> plan_name = {};
  std::optional<RunState> state = {};
  std::optional<std::int64_t> since_utc_ns = {};
  std::int64_t newest = 0;  // at most so many, the newest; 0: all
};

}  // namespace rigd::store
