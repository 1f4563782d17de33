#include "probe/ppk2/metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace rigd::probe::ppk2 {

namespace {

constexpr std::string_view kStart = "Calibrated:";
constexpr std::string_view kEnd = "END";
constexpr std::string_view kShellPrompt = "shell:~$";

bool printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

template <class Number>
bool parse_all(std::string_view text, Number& into) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), into);
  return status == std::errc() && end == text.data() + text.size();
}

Error malformed(std::string_view key, std::string_view value) {
  return Error(ErrorCode::probe_calibration, fmt::format("metadata malformed: {} is '{}'", key, value));
}

}  // namespace

std::string_view to_string(MetadataFormat format) {
  switch (format) {
    case MetadataFormat::y2020:
      return "2020";
    case MetadataFormat::v1_1:
      return "1.1";
    case MetadataFormat::v1_2:
      return "1.2";
  }
  return "1.2";
}

bool MetadataParser::feed(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) {
    if (complete_) break;
    take(static_cast<char>(byte));
  }
  return complete_;
}

void MetadataParser::take(char character) {
  if (!reading_) return search(character);
  if (character == '\n') return end_line();
  line_ += character;
  if (line_ == kEnd) {
    complete_ = true;
  } else if (line_.ends_with(kStart)) {
    restart();  // what came before was the stump of an earlier answer
  } else if (line_.size() > kMaxLine || metadata_.text.size() > kMaxText) {
    skipped_ += line_.size() + metadata_.text.size();
    reading_ = false;
    tail_.clear();
  }
}

void MetadataParser::search(char character) {
  ++skipped_;
  if (tail_.size() == kStart.size()) tail_.erase(0, 1);
  tail_ += character;
  shell_seen_ |= tail_.ends_with(kShellPrompt);
  if (tail_ == kStart) restart();
}

void MetadataParser::restart() {
  reading_ = true;
  line_ = kStart;
  tail_.clear();
  last_key_.clear();
  decimals_ = 0;
  metadata_ = {};
  error_.reset();
}

void MetadataParser::end_line() {
  if (line_.ends_with('\r')) line_.pop_back();
  if (!line_.empty()) {
    if (auto read = read_line(line_); !read) note(std::move(read.error()));
    metadata_.text += line_ + '\n';
  }
  line_.clear();
}

// Keys nobody knows are kept in the text and otherwise ignored: a newer firmware may add some, and a garbled
// name shows up as a missing constant.
Result<void> MetadataParser::read_line(std::string_view line) {
  const auto colon = line.find(": ");
  if (!printable(line) || colon == std::string_view::npos)
    return fail(ErrorCode::probe_calibration, fmt::format("metadata malformed after {}", last_key_));
  const std::string_view key = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 2);
  if (value.contains(','))
    return fail(ErrorCode::probe_identity, "metadata separated by commas: this is the PPK2's shell port");
  last_key_ = key;

  const std::pair<std::string_view, std::optional<unsigned>*> facts[] = {
      {"HW", &metadata_.hw}, {"VDD", &metadata_.vdd_mv}, {"mode", &metadata_.mode}, {"IA", &metadata_.ia}};
  for (const auto& [name, fact] : facts) {
    if (key != name) continue;
    unsigned number = 0;
    if (fact->has_value() || !parse_all(value, number)) return std::unexpected(malformed(key, value));
    *fact = number;
    return {};
  }
  return read_constant(key, value);
}

Result<void> MetadataParser::read_constant(std::string_view key, std::string_view value) {
  for (unsigned family = 0; family < kFamilies; ++family) {
    const std::string_view name = kFamilyNames[family];
    if (key.size() != name.size() + 1 || !key.starts_with(name)) continue;
    const unsigned range = static_cast<unsigned>(key.back() - '0');
    if (range >= kRanges) continue;
    double number = 0;
    auto& constant = metadata_.calibration.constants[family][range];
    if (constant || !parse_all(value, number)) return std::unexpected(malformed(key, value));
    constant = number;
    if (const auto point = value.find('.'); point != std::string_view::npos)
      decimals_ = std::max(decimals_, value.size() - point - 1);
  }
  return {};
}

void MetadataParser::note(Error error) {
  if (!error_) error_ = std::move(error);
}

Result<Metadata> MetadataParser::result() const {
  if (error_) return std::unexpected(*error_);
  if (!complete_) return std::unexpected(incomplete());
  Metadata metadata = metadata_;
  // S and I have nine decimals in both older formats.
  if (decimals_ > 9)
    metadata.format = MetadataFormat::v1_2;
  else
    metadata.format = metadata.ia ? MetadataFormat::v1_1 : MetadataFormat::y2020;
  return metadata;
}

Error MetadataParser::incomplete() const {
  if (shell_seen_)
    return Error(ErrorCode::probe_identity,
                 "a shell prompt instead of metadata: this is the PPK2's second port");
  if (!reading_)
    return Error(ErrorCode::probe_identity, fmt::format("no metadata in {} bytes received", skipped_));
  return Error(ErrorCode::probe_identity,
               last_key_.empty() ? "metadata stopped in its first line"
                                 : fmt::format("metadata stopped after {}, without END", last_key_));
}

}  // namespace rigd::probe::ppk2
