// A report as text. All writers are pure functions: same report, same text.
//
// Common rules: a missing value is absent (an empty cell, a missing key, a dash on screen), never 0; every
// column that can hold numbers of different provenance has its provenance beside it; who is at fault is said
// in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/model.hpp"

namespace rigd::report {

enum class Kind { csv, json, junit, html };

// ".csv", ".json", ".xml", ".html"
std::optional<Kind> kind_of_ending(std::string_view ending);
std::string write(Kind kind, const RunReport& report);

// For people: one table a slot. `width` is that of the terminal in columns; what does not fit goes into a
// block below. Colour only where asked for.
std::string table(const RunReport& report, bool colour, std::size_t width = 120);

std::string csv(const RunReport& report);              // RFC 4180; one row a measurement, units in the header
std::string repetitions_csv(const RunReport& report);  // one row a repetition
std::string json(const RunReport& report);
std::string junit(const RunReport& report);  // one test case for each slot and case
std::string html(const RunReport& report);   // one page that needs nothing else

}  // namespace rigd::report
