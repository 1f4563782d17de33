// Uncertainty budgets of charge and energy, for a single marker window and for the mean of a measurement.
//
// The model is Q = gain * sum(I) dt (- I_idle T for the net charge), E = U Q. Its terms:
//   shared
//     gain            of the range in use; of the range of the idle current too, taken as independent
//     resolution      a steady current between two steps of the converter is off by the same amount in every
//                     sample, so it does not average out
//     voltage as set
//   independent
//     window edges    each anywhere in one sample: dt / sqrt(6) times the step of the current there. Not
//                     divided by sqrt(n): windows that keep step with the probe's clock repeat their error
//     noise           of one window's samples; for a measurement the scatter of its windows, s / sqrt(n)
//     idle level
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "analysis/budget.hpp"
#include "base/units.hpp"

namespace rigd::analysis {

// Limits of the instrument at one size of current, as its maker states them.
struct InstrumentLimits {
  double gain_relative = 0;     // half-width of a rectangular distribution
  double resolution_a = 0;      // one step of the converter
  double voltage_relative = 0;  // half-width for the voltage as set
  std::string source = "maker's limits";
};

// The idle current that is taken off for a net charge.
struct IdleEvidence {
  Ampere current;
  Ampere standard_uncertainty;  // capture::Baseline::uncertainty_a
  InstrumentLimits limits;      // at this current
};

struct WindowEvidence {
  Coulomb charge;  // gross
  Second duration;
  Second sample_period;
  Coulomb noise;  // standard uncertainty of the charge by the samples' noise: capture::WindowCharge::noise_c
  InstrumentLimits limits;  // at the window's mean current
  std::optional<IdleEvidence> idle = {};
};

// Of one window.
Budget gross_charge(const WindowEvidence& window);
std::optional<Budget> net_charge(const WindowEvidence& window);  // absent without an idle level

// Of the mean over the valid windows of a measurement. `charges_c` are the gross or the net charges of the
// windows, `mean` what they have in common: means of the windows' members (noise is not used; the scatter of
// the charges takes its place, and with one window the window's noise). The value is their mean. Not empty.
Budget gross_charge(std::span<const double> charges_c, const WindowEvidence& mean);
std::optional<Budget> net_charge(std::span<const double> net_charges_c, const WindowEvidence& mean);

// Energy at a set voltage, from the budget of the charge.
Budget energy(const Budget& charge, Volt voltage, const InstrumentLimits& limits);

}  // namespace rigd::analysis
