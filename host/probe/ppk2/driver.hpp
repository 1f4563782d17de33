// Nordic Power Profiler Kit II over its first serial port (firmware 1.2 and newer: the lower USB interface
// number).
//
// Commands are single bytes with raw arguments and no answer, written in one write each. Nothing else is ever
// written: text sent to a PPK2 sets voltages (CR), resets it (space) or destroys its calibration.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probe/ppk2/decoder.hpp"
#include "probe/ppk2/metadata.hpp"
#include "probe/ppk2/rate.hpp"
#include "probe/probe.hpp"

namespace rigd::probe::ppk2 {

enum class PowerMode : std::uint8_t {
  ampere = 1,  // the board has its own supply, the current flows through the instrument
  source = 2,  // the instrument supplies the board
};

struct Options {
  PowerMode mode = PowerMode::source;
  unsigned voltage_mv =
      3000;            // 800..5000: supplied in source mode; in ampere mode what the board's supply gives
  std::string serial;  // USB serial number, if known; else the unit number of the metadata is reported
  RateMonitor::Options rate = {};
};

// All calls on one reactor thread. stream() runs beside the other calls, of which at most one runs at a time.
class Ppk2 final : public Probe {
 public:
  Ppk2(io::StreamPtr port, Options options);

  Capabilities capabilities() const override;

  // Stops a stream left running, drains it, reads and checks the metadata, sets voltage and mode. Ampere mode
  // closes the current path; source mode leaves the board's supply off unless it was already in that mode.
  // Errors: bad_argument (voltage), probe_identity (no PPK2 answers), probe_calibration, probe_lost, timeout.
  io::Awaitable<Result<Identity>> open(Deadline deadline) override;
  io::Awaitable<Result<void>> set_power(bool on, Deadline deadline) override;
  // Errors: probe_lost (gone, or silent for long), timeout (kept streaming after stop()).
  io::Awaitable<Result<void>> stream(SampleSink& sink) override;
  io::Awaitable<Result<void>> stop(Deadline deadline) override;
  io::Awaitable<Result<std::uint64_t>> check_rate(Deadline deadline) override;

  // The maker's table of typical accuracy: +-10 % up to 50 mA, +-15 % above; steps of 0.2, 0.5, 5, 50 uA and
  // 1 mA. Voltage: no figure is published; +-1.5 % after the setpoint errors users report.
  Accuracy accuracy(Ampere current) const override;
  Volt voltage() const override;

  // As read by open().
  const Metadata& metadata() const { return metadata_; }

 private:
  enum class State : std::uint8_t { closed, ready, streaming, lost };

  io::Awaitable<Result<void>> command(std::vector<std::uint8_t> bytes, Deadline deadline);
  io::Awaitable<Result<void>> halt(Deadline deadline);
  io::Awaitable<Result<void>> read_metadata(Deadline deadline);
  io::Awaitable<Result<void>> configure(Deadline deadline);
  io::Awaitable<Result<void>> receive();
  Result<void> expect(State state, const char* call) const;
  Error lost(const Error& cause);
  void report_deficit(std::uint64_t missing);

  io::StreamPtr port_;
  Options options_;
  State state_ = State::closed;
  Metadata metadata_;
  std::unique_ptr<ConversionTable> table_;
  std::vector<std::byte> buffer_;

  // While streaming.
  SampleSink* sink_ = nullptr;
  std::unique_ptr<Decoder> decoder_;
  RateMonitor rate_;
  capture::SampleIndex good_until_ = 0;  // index at the last good rate check
  std::optional<Deadline> stopping_;     // stop() was called; until when the stream may run on
};

}  // namespace rigd::probe::ppk2
