#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/result.hpp"

namespace rigd::report {

namespace {

struct Prefix {
  double factor;
  std::string_view ascii;
  std::string_view unicode;
};
constexpr std::array<Prefix, 8> kPrefixes = {{{1e-15, "f", "f"},
                                              {1e-12, "p", "p"},
                                              {1e-9, "n", "n"},
                                              {1e-6, "u", "µ"},
                                              {1e-3, "m", "m"},
                                              {1, "", ""},
                                              {1e3, "k", "k"},
                                              {1e6, "M", "M"}}};
constexpr int kDigits = 4;
constexpr int kMostDecimals = 9;

// |value|, moved up where rounding to so many digits would carry it over a power of ten.
double at_least(double value, int digits) {
  return std::abs(value) * (1 + 0.5 * std::pow(10.0, -digits));
}

// The largest prefix that leaves at least 1 before the decimal point, after rounding to kDigits.
const Prefix& prefix_of(double si) {
  const double size = at_least(si, kDigits);
  const Prefix* best = &kPrefixes[5];
  if (size == 0) return *best;
  best = &kPrefixes.front();
  for (const Prefix& prefix : kPrefixes)
    if (size >= prefix.factor) best = &prefix;
  return *best;
}

std::string unit_text(const Prefix& prefix, std::string_view unit, Glyphs glyphs) {
  return fmt::format(" {}{}", glyphs == Glyphs::unicode ? prefix.unicode : prefix.ascii, unit);
}

// Decimals that show `digits` significant digits of a value.
int decimals_for(double value, int digits) {
  if (value == 0) return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(at_least(value, digits))));
  return std::clamp(digits - 1 - magnitude, 0, kMostDecimals);
}

std::string with_digits(double si, int digits, std::string_view unit, Glyphs glyphs) {
  const Prefix& prefix = prefix_of(si);
  const double scaled = si / prefix.factor;
  return fmt::format("{:.{}f}", scaled, decimals_for(scaled, digits)) + unit_text(prefix, unit, glyphs);
}

std::string without_trailing_zeros(std::string text) {
  if (!text.contains('.')) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// Length of the valid UTF-8 sequence that starts at `text`, 0 for a broken one (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 0;
  unsigned least = 0x80, most = 0xBF;  // of the second byte
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) least = 0xA0;
    if (lead == 0xED) most = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) least = 0x90;
    if (lead == 0xF4) most = 0x8F;
  }
  if (length == 0 || text.size() < length || byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  return length;
}

bool is_control(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7F;
  const auto second = static_cast<unsigned char>(sequence[1]);
  return (lead == 0xC2 && second < 0xA0) ||                                              // C1 controls
         (sequence.size() == 3 && sequence >= "\xEF\xBF\xBE" && sequence[0] == '\xEF');  // U+FFFE, U+FFFF
}

}  // namespace

std::string quantity(double si, std::string_view unit, Glyphs glyphs) {
  return with_digits(si, kDigits, unit, glyphs);
}

std::string quantity(double si, double expanded, std::string_view unit, Glyphs glyphs) {
  if (!(expanded > 0)) return quantity(si, unit, glyphs);
  const Prefix& prefix = prefix_of(std::max(std::abs(si), expanded));
  const int decimals = decimals_for(expanded / prefix.factor, 2);
  return fmt::format("{:.{}f} {} {:.{}f}", si / prefix.factor, decimals,
                     glyphs == Glyphs::unicode ? "±" : "+-", expanded / prefix.factor, decimals) +
         unit_text(prefix, unit, glyphs);
}

std::string rounded(double si, std::string_view unit, Glyphs glyphs) {
  return with_digits(si, 2, unit, glyphs);
}

std::string interval(double low_si, double high_si, std::string_view unit, Glyphs glyphs) {
  const Prefix& prefix = prefix_of(high_si);
  const double low = low_si / prefix.factor;
  const double high = high_si / prefix.factor;
  int decimals = decimals_for(high, kDigits);
  if (high > low) decimals = std::max(decimals, decimals_for(high - low, 1));
  return fmt::format("{:.{}f} .. {:.{}f}", low, decimals, high, decimals) + unit_text(prefix, unit, glyphs);
}

std::string count(double value) {
  return without_trailing_zeros(fmt::format("{:.2f}", value));
}

std::string ratio(double value) {
  return fmt::format("{:.{}f}", value, std::clamp(decimals_for(value, 3), 0, 4));
}

std::string exact(double value) {
  return fmt::format("{}", value);
}

double to_si(store::Metric metric, double value) {
  return si_unit(metric).empty() ? value : value * 1e-9;
}

std::string_view si_unit(store::Metric metric) {
  switch (metric) {
    case store::Metric::edge_ns:
    case store::Metric::timer_ns:
      return "s";
    case store::Metric::charge_nc:
    case store::Metric::net_charge_nc:
      return "C";
    case store::Metric::energy_nj:
    case store::Metric::net_energy_nj:
      return "J";
    case store::Metric::instructions:
    case store::Metric::cycles:
      return "";
  }
  return "";
}

std::string_view in_words(std::string_view fault) {
  if (fault == to_string(Fault::rig)) return "the rig is broken";
  if (fault == to_string(Fault::board)) return "the board failed";
  if (fault == to_string(Fault::invalid)) return "not a trustworthy measurement";
  if (fault == to_string(Fault::regression)) return "regression";
  if (fault == to_string(Fault::usage)) return "asked for wrongly";
  if (fault == to_string(Fault::interrupted)) return "interrupted";
  if (fault == to_string(Fault::internal)) return "a defect of rigd";
  return fault;
}

std::string in_words(const store::Problem& problem) {
  return fmt::format("{}: {}", in_words(problem.fault), problem.text);
}

std::string_view in_words(store::Verdict verdict) {
  switch (verdict) {
    case store::Verdict::passed:
      return "passed";
    case store::Verdict::failed:
      return "FAILED";
    case store::Verdict::not_run:
      return "not run";
  }
  return "not run";
}

std::string clean(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    safe += length == 0 || is_control(sequence) ? kReplacement : sequence;
    text.remove_prefix(sequence.size());
  }
  return safe;
}

std::string one_line(std::string_view text) {
  std::string line = clean(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return line;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : clean(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace rigd::report
