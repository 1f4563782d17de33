// Reads what a report shows out of the store.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/result.hpp"
#include "report/model.hpp"
#include "store/store.hpp"

namespace rigd::report {

// Gives the conversion of a run's raw words to amperes at a supply voltage, from the calibration kept with
// the run; empty where it cannot. Without it the waveform is no finer than the store's pyramid (256 samples).
using ConverterOf = std::function<store::Convert(const store::Run& run, double voltage_v)>;

// Errors: nothing_selected for an id or session that is not in the store, and those of the store.
Result<RunReport> load(const store::Store& store, std::span<const store::Id> run_ids,
                       const ConverterOf& converter_of = {});
// All runs of one command.
Result<RunReport> load_session(const store::Store& store, const std::string& session,
                               const ConverterOf& converter_of = {});

}  // namespace rigd::report
