// What OpenSSL makes of the input of a case: an implementation with no line in common with the firmware's.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "stub_board.hpp"

namespace rigd::test {

// A case with an oracle, by its id. Key, IV and nonce are those the firmware measures with
// (firmware/README.md).
struct Oracle {
  std::string id;
  std::vector<std::uint32_t> sizes;  // of input, which the case takes
  // What the operation leaves in its input before it runs (for decryption a valid ciphertext, with its tag).
  Octets (*prepared)(const Octets& pattern);
  // The output of the operation for `pattern`, run `inner` times.
  Octets (*output)(const Octets& pattern, unsigned inner);

  friend void PrintTo(const Oracle& oracle, std::ostream* out) { *out << oracle.id; }
};

const std::vector<Oracle>& oracles();

}  // namespace rigd::test
