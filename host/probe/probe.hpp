// The external instrument that samples supply current and logic inputs.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "capture/samples.hpp"
#include "io/stream.hpp"

namespace rigd::probe {

struct Capabilities {
  double rate_hz = 0;
  unsigned logic_inputs = 0;
  bool sets_voltage = false;      // supplies the board itself
  bool measures_voltage = false;  // else energy is charge times the voltage set
};

// Who made the numbers; stored with the run.
struct Identity {
  std::string driver;            // "ppk2"
  std::string serial;            // the unit's own number
  std::string firmware;          // or the metadata format where the device does not tell
  std::string calibration_hash;  // SHA-256 or similar of the calibration constants in use, lower-case hex
  std::string calibration_text;  // the constants, one "KEY: value" a line
};

// Gain and offset limits of the range in use, from the maker (with its source in the driver's header).
struct Accuracy {
  double gain_relative = 0;     // half-width of a rectangular distribution, e.g. 0.10
  double resolution_a = 0;      // step of the converter in this range, ampere
  double voltage_relative = 0;  // half-width for the set voltage
};

// Receives the stream in order; called on the reactor, must not block.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void on_samples(const capture::SampleBlock& block) = 0;
  virtual void on_gap(const capture::Gap& gap) = 0;
};

class Probe {
 public:
  virtual ~Probe() = default;

  virtual Capabilities capabilities() const = 0;

  // Brings the device to a known state and reads its identity and calibration. Must be called first.
  virtual io::Awaitable<Result<Identity>> open(Deadline deadline) = 0;
  // Supplies the board (source mode) at the voltage given to the driver, or cuts it off.
  virtual io::Awaitable<Result<void>> set_power(bool on, Deadline deadline) = 0;

  // Streams into `sink` until stop() or a failure, whose error is the result (probe_lost, disconnected ...).
  virtual io::Awaitable<Result<void>> stream(SampleSink& sink) = 0;
  virtual io::Awaitable<Result<void>> stop(Deadline deadline) = 0;

  // Whether the rate of arrival still agrees with the sample clock; call it after each measurement. Waits, up
  // to the deadline, for a merely late stream to catch up. A deficit that stays is reported to the sink as a
  // `rate` gap from the last good check to now, and returned as the number of missing samples.
  virtual io::Awaitable<Result<std::uint64_t>> check_rate(Deadline deadline) = 0;

  // Limits for a current of this size.
  virtual Accuracy accuracy(Ampere current) const = 0;
  virtual Volt voltage() const = 0;  // as set
};

}  // namespace rigd::probe
