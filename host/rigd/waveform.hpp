// From a stored run's raw words back to amperes, with the calibration kept beside them.
#pragma once

#include "store/rows.hpp"
#include "store/trace.hpp"

namespace rigd {

// Empty where the run has no probe, or one whose calibration cannot be read.
store::Convert converter_of(const store::Run& run, double voltage_v);

}  // namespace rigd
