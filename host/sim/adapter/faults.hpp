// What can be made to go wrong with the adapter or the chip behind it, from the command line (--fault
// key=value) and, while it runs, from the control socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace rigd::sim::adapter {

struct Faults {
  bool missing = false;                     // no device folder: not plugged in
  bool duplicate = false;                   // a second device folder with the same serial number
  bool unpowered = false;                   // the chip answers no SWD request
  bool write_protected = false;             // all of the chip's flash
  bool nohalt = false;                      // the core ignores halt requests
  bool wrong_dpidr = false;                 // another debug port than the chip's
  std::optional<std::uint64_t> hang_after;  // answers this many packets of a connection, then none
  std::optional<std::uint64_t>
      disconnect_after;  // answers this many packets of a connection, then is unplugged
  std::optional<std::uint32_t>
      stuck_bit;  // offset in flash: bit 0 of that byte is programmed wrong (unless it is FF)

  // "key=value"; switches take 0 or 1, the others a number in C notation. Error bad_argument names the key.
  Result<void> set(std::string_view assignment);
};

}  // namespace rigd::sim::adapter
