#include "support.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace rigd::probe::ppk2::test {

std::string data_file(std::string_view name) {
  std::ifstream file(std::string(RIGD_TEST_DATA "/ppk2/") + std::string(name));
  if (!file) throw std::runtime_error("no test data " + std::string(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bytes_of(std::span<const std::uint32_t> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

Metadata parse(std::string_view text) {
  MetadataParser parser;
  parser.feed(bytes_of(text));
  return parser.result().value();
}

const Calibration& unit_a() {
  static const Calibration calibration = parse(data_file("metadata_a.txt")).calibration;
  return calibration;
}

const ConversionTable& table_a() {
  static const ConversionTable table(unit_a(), Volt(3.0));
  return table;
}

std::vector<Vector> reference_vectors() {
  std::istringstream lines(data_file("reference_vectors.csv"));
  std::vector<Vector> vectors;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    unsigned byte[4];
    Vector vector{};
    if (std::sscanf(line.c_str(), "%x %x %x %x,%u,%u,%u,%x,%lf", &byte[0], &byte[1], &byte[2], &byte[3],
                    &vector.range, &vector.code, &vector.counter, &vector.logic, &vector.current_ua) != 9)
      throw std::runtime_error("bad line: " + line);
    vector.word = byte[0] | byte[1] << 8 | byte[2] << 16 | byte[3] << 24;
    vectors.push_back(vector);
  }
  return vectors;
}

std::uint32_t word(std::uint64_t n) {
  const auto code = kFirstCode + static_cast<std::uint32_t>(n % kNumbers);
  return code | 1U << 14 | static_cast<std::uint32_t>(n & 63) << 18 | 0x01U << 24;
}

std::vector<std::uint32_t> words(std::uint64_t count) {
  std::vector<std::uint32_t> made;
  for (std::uint64_t n = 0; n < count; ++n)
    made.push_back(word(n));
  return made;
}

unsigned number_of(std::uint32_t value) {
  return code_of(value) - kFirstCode;
}

void Kept::on_samples(const capture::SampleBlock& block) {
  for (std::size_t i = 0; i < block.words.size(); ++i) {
    if (!words.emplace(block.first + i, block.words[i]).second)
      throw std::runtime_error("a sample came twice");
    current_a[block.first + i] = block.current_a[i];
    logic[block.first + i] = block.logic[i];
  }
}

void Kept::on_gap(const capture::Gap& gap) {
  gaps.push_back(gap);
}

bool Kept::timeline_true() const {
  for (const auto& [index, value] : words)
    if (number_of(value) != index % kNumbers) return false;
  return true;
}

std::uint64_t Kept::missing() const {
  std::uint64_t sum = 0;
  for (const auto& gap : gaps)
    sum += gap.missing;
  return sum;
}

bool Kept::covered(capture::SampleIndex index) const {
  for (const auto& gap : gaps)
    if (index >= gap.first && index < gap.last) return true;
  return false;
}

Kept decode(std::span<const std::byte> bytes, std::span<const std::size_t> pieces) {
  Kept kept;
  Decoder decoder(table_a(), kept);
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const std::size_t size = std::min(bytes.size(), pieces[i % pieces.size()]);
    decoder.push(bytes.first(size));
    bytes = bytes.subspan(size);
  }
  decoder.finish();
  return kept;
}

Kept decode(std::span<const std::byte> bytes) {
  const std::size_t whole[] = {bytes.size() + 1};
  return decode(bytes, whole);
}

}  // namespace rigd::probe::ppk2::test
