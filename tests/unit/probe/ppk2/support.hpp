// Published data, streams made by hand, and a sink that keeps everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/ppk2/decoder.hpp"
#include "probe/ppk2/metadata.hpp"
#include "probe/probe.hpp"

namespace rigd::probe::ppk2::test {

std::string data_file(std::string_view name);  // of tests/data/ppk2
std::vector<std::byte> bytes_of(std::string_view text);
std::vector<std::byte> bytes_of(std::span<const std::uint32_t> words);

Metadata parse(std::string_view text);  // must succeed
const Calibration& unit_a();            // of metadata_a.txt
const ConversionTable& table_a();       // at 3.000 V

struct Vector {
  std::uint32_t word;
  unsigned range, code, counter, logic;
  double current_ua;
};
std::vector<Vector> reference_vectors();

// Words in range 1 whose converter code tells their number, modulo kNumbers.
std::uint32_t word(std::uint64_t n);
std::vector<std::uint32_t> words(std::uint64_t count);
constexpr unsigned kFirstCode = 1000;
constexpr unsigned kNumbers = 4096;
unsigned number_of(std::uint32_t word);

struct Kept final : SampleSink {
  void on_samples(const capture::SampleBlock& block) override;
  void on_gap(const capture::Gap& gap) override;
  bool operator==(const Kept& other) const {
    return words == other.words && current_a == other.current_a && logic == other.logic && gaps == other.gaps;
  }

  // Whether sample `index` carries the word made for it, for all samples received.
  bool timeline_true() const;
  std::uint64_t missing() const;
  bool covered(capture::SampleIndex index) const;  // by a gap

  std::map<capture::SampleIndex, std::uint32_t> words;
  std::map<capture::SampleIndex, float> current_a;
  std::map<capture::SampleIndex, std::uint8_t> logic;
  std::vector<capture::Gap> gaps;
};

// Decodes the bytes in pieces of these sizes, repeated, to the end.
Kept decode(std::span<const std::byte> bytes, std::span<const std::size_t> pieces);
Kept decode(std::span<const std::byte> bytes);

}  // namespace rigd::probe::ppk2::test
