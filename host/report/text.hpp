// Numbers and words as people read them, and text made safe for where it goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/rows.hpp"

namespace rigd::report {

// Screens that may know ASCII only, or pages that know "µ" and "±".
enum class Glyphs { ascii, unicode };

inline constexpr std::string_view kAbsent = "-";

// "102.4 us": a value in its SI unit with a prefix and four digits.
std::string quantity(double si, std::string_view unit, Glyphs glyphs = Glyphs::ascii);
// "12.96 +- 0.24 uJ": to the second digit of the expanded uncertainty. A value whose uncertainty is 0 has
// four digits.
std::string quantity(double si, double expanded, std::string_view unit, Glyphs glyphs = Glyphs::ascii);
// "160 nJ": an uncertainty by itself, two digits at least.
std::string rounded(double si, std::string_view unit, Glyphs glyphs = Glyphs::ascii);
// "101.9 .. 103.1 us": four digits, and more until the ends differ.
std::string interval(double low_si, double high_si, std::string_view unit, Glyphs glyphs = Glyphs::ascii);
// "18500", "1541.67": a count or a mean of counts.
std::string count(double value);
// "4.02": three digits at least.
std::string ratio(double value);
// A number for programs: the shortest text that reads back as the same double.
std::string exact(double value);

// A metric's value in its SI unit, and that unit: edge_ns 1500 is 1.5e-6 "s". Counts have no unit.
double to_si(store::Metric metric, double value);
std::string_view si_unit(store::Metric metric);

// Who is at fault: "the rig is broken", for a Problem's fault. An unknown fault is shown as it is.
std::string_view in_words(std::string_view fault);
// "the rig is broken: OpenOCD does not answer"
std::string in_words(const store::Problem& problem);
std::string_view in_words(store::Verdict verdict);

// UTF-8 with every broken byte and every control character replaced by U+FFFD (tab and line feed stay).
std::string clean(std::string_view text);
// clean(), on one line, safe for a terminal: no line feeds or tabs either.
std::string one_line(std::string_view text);
// clean(), safe in XML and HTML, between tags and inside quoted attributes.
std::string escaped(std::string_view text);

// Columns a text takes on a terminal, one a code point.
std::size_t columns_of(std::string_view text);

}  // namespace rigd::report
