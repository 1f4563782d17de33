// The text a PPK2 answers to "get metadata" (0x19): lines "KEY: value", ended by "END".
//
// Three formats by firmware: August 2020 prints R, GS, GI, O with 4 decimals, S and I with 9, UG with 2, and
// no IA; up to 1.1.0 adds IA; 1.2.0 and newer print every constant with 20 decimals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "probe/ppk2/calibration.hpp"

namespace rigd::probe::ppk2 {

enum class MetadataFormat : std::uint8_t { y2020, v1_1, v1_2 };
std::string_view to_string(MetadataFormat format);  // "2020", "1.1", "1.2"

struct Metadata {
  Calibration calibration;         // not yet checked: see check_plausible
  std::optional<unsigned> hw;      // unit number
  std::optional<unsigned> vdd_mv;  // the voltage last set, by anyone
  std::optional<unsigned> mode;    // 1 ampere meter, 2 source meter
  std::optional<unsigned> ia;      // offset of the instrumentation amplifier, no use here
  MetadataFormat format = MetadataFormat::y2020;
  std::string text;  // as received, from "Calibrated:" to the last line before END
};

// Takes the answer in pieces of any size. What precedes it is skipped: a killed client leaves kilobytes of
// samples in the queue, which may even spell "END", and a cut-off earlier answer may come first. Memory is
// bounded.
class MetadataParser {
 public:
  // True once END was seen; later bytes are ignored.
  bool feed(std::span<const std::byte> bytes);
  bool complete() const { return complete_; }

  // The finished answer. Errors: probe_identity when incomplete (says how far it got, and recognises the
  // shell port of firmware 1.2), probe_calibration for a malformed or repeated line, naming its key.
  Result<Metadata> result() const;

 private:
  void take(char character);
  void search(char character);
  void restart();
  void end_line();
  Result<void> read_line(std::string_view line);
  Result<void> read_constant(std::string_view key, std::string_view value);
  void note(Error error);
  Error incomplete() const;

  static constexpr std::size_t kMaxLine = 96;    // the longest float with 20 decimals takes 66
  static constexpr std::size_t kMaxText = 4096;  // a healthy text has 1.3 kB

  bool reading_ = false;
  bool complete_ = false;
  bool shell_seen_ = false;
  std::size_t skipped_ = 0;  // bytes before the text
  std::string line_;
  std::string tail_;  // the last characters while searching
  std::string last_key_;
  std::size_t decimals_ = 0;
  Metadata metadata_;
  std::optional<Error> error_;
};

}  // namespace rigd::probe::ppk2
