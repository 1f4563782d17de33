// Puts an image on a board through its debug adapter.
#pragma once

#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "flash/image.hpp"
#include "io/stream.hpp"

namespace rigd::flash {

struct FlashReport {
  Duration duration{};
  std::string tool;  // its own version line
  std::string log;   // capped
};

class Flasher {
 public:
  virtual ~Flasher() = default;

  // Exactly one adapter with the serial number in question is attached. Errors: adapter_missing,
  // adapter_ambiguous, both naming what was seen.
  virtual io::Awaitable<Result<void>> check_present(Deadline deadline) = 0;

  // Writes, reads back and compares, resets the board. Errors: those of check_present, busy (another program
  // has the adapter), adapter_hung (killed at the deadline), verify_mismatch, flash_failed (with the line of
  // the tool's log that tells why), spawn_failed.
  virtual io::Awaitable<Result<FlashReport>> flash(const Image& image, Deadline deadline) = 0;
};

}  // namespace rigd::flash
