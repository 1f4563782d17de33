// What a simulated PPK2 and its load are, and what goes wrong with it. All given as key=value.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sim/ppk2/unit.hpp"

namespace rigd::sim::ppk2 {

struct Settings {
  double clock_hz = 16e6;  // of the board: an edge's time is its cycles over this
  double sleep_ua = 2;     // board's current while the marker is low
  double run_ua = 5000;    // and while it is high
  double noise_ua = 0;     // standard deviation of Gaussian noise on each sample
  bool dither = true;      // one code of uniform converter noise, which keeps averages free of rounding steps
  double power_off_ms = 500;  // the supply goes off so long after the client hung up
  Constants unit = kUnitD;
  Format format = Format::v1_2;
  UnitState state;
  std::uint64_t seed = 1;

  // clock_hz sleep_ua run_ua noise_ua voltage_mv dither=0|1 power_off_ms unit=A|B|D format=2020|1.1|1.2
  // Error bad_argument names the key.
  Result<void> set(std::string_view assignment);
};

// Something that happens at a sample. Positions "in window W" become an index when that window is placed: its
// middle.
struct Incident {
  enum class Kind : std::uint8_t { drop_samples, drop_bytes, disconnect, range_invalid };

  Kind kind = Kind::drop_samples;
  std::uint64_t amount = 0;
  std::uint64_t at = 0;    // sample index since the start command, or window number
  bool in_window = false;  // `at` is a window number until that window is placed
  bool placed = false;     // it was in a window: over when sampling stops
};

enum class MetadataFault : std::uint8_t { none, implausible, truncated, nan, late };

struct Faults {
  std::vector<std::size_t> chunks;  // sizes of successive writes, repeated; empty: as much as there is
  std::size_t stale_prefix = 0;     // bytes of an earlier run that wait for the client
  double rate_ppm = 0;              // error of the sample clock
  int counter_stuck = -1;           // the counter field never changes
  MetadataFault metadata = MetadataFault::none;
  std::vector<Incident> incidents;

  // chunk=N[,N...]  stale_prefix=N  rate_ppm=X  counter_stuck=V  metadata=implausible|truncated|nan|late
  // drop_samples=K@INDEX    K samples vanish, the counter goes on
  // drop_block=INDEX        512 samples vanish, which the 6-bit counter cannot show
  // drop_bytes=B@INDEX      B bytes vanish, from the last byte of that sample on
  // disconnect_at=INDEX     the device goes away in the middle of that word
  // range_invalid=N@INDEX   N words with range 5 to 7
  // drop_in_window=K@W drop_block_in_window=W drop_bytes_in_window=B@W disconnect_in_window=W
  //                         the same in the middle of window W, counted from 0 since the first start command
  // Error bad_argument names the key.
  Result<void> set(std::string_view assignment);
};

}  // namespace rigd::sim::ppk2
