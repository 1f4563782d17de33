// What is worth showing of a measurement: the same rules for every writer.
//
// A measurement that is not valid shows no numbers: a figure nobody may trust would be read as the code's.
// Its repetitions remain in the JSON and in the CSV of repetitions, each with its own validity.
#pragma once

#include <optional>
#include <string_view>

#include "base/provenance.hpp"
#include "report/model.hpp"

namespace rigd::report {

// Times and counts are shown by their median with its interval; charge and energy by their mean, which is
// what the stated uncertainties belong to.

// A statistic of a valid measurement that has numbers; null otherwise.
const store::Statistic* shown(const CaseRow& row, store::Metric metric);

// A number with where it comes from.
struct Figure {
  double value = 0;
  Provenance provenance = Provenance::measured;
};

std::optional<Figure> cycles_per_byte(const CaseRow& row);
std::optional<Figure> bytes_per_second(const CaseRow& row);  // by the time from edges
// The net energy's where there is one, else the gross one's: energy_for_byte() says which.
std::optional<Figure> nj_per_byte(const CaseRow& row);
std::optional<store::Metric> energy_for_byte(const CaseRow& row);

std::size_t valid_repetitions(const CaseRow& row);

// Whether the board's timer tells time. Under QEMU's -icount it counts instructions, which is never shown as
// time.
bool timer_tells_time(const CaseRow& row);
// The metric's name in files for programs: that of the store, but "timer_instructions" for a timer that
// counts those.
std::string_view name_of(const store::Statistic& statistic);

}  // namespace rigd::report
