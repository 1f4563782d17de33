#include "analysis/supply.hpp"

#include <cmath>

#include "analysis/statistics.hpp"

namespace rigd::analysis {

namespace {

Term instrument_term(std::string name, double half_width, std::string source) {
  return {std::move(name), Evaluation::type_b,      Distribution::rectangular,
          Share::shared,   rectangular(half_width), std::move(source)};
}

void add_instrument(Budget& budget, const std::string& what, double charge_c, double duration_s,
                    const InstrumentLimits& limits) {
  budget.terms.push_back(
      instrument_term("gain" + what, std::abs(limits.gain_relative * charge_c), limits.source));
  budget.terms.push_back(
      instrument_term("resolution" + what, 0.5 * limits.resolution_a * duration_s, limits.source));
}

// The part of a sample at each edge is `step_a` too much or too little.
Term edge_term(const WindowEvidence& window, double step_a) {
  const double u_s = window.sample_period.value / std::sqrt(6.0);
  return {"window edges",     Evaluation::type_b,     Distribution::triangular,
          Share::independent, std::abs(step_a) * u_s, "each edge anywhere in one sample"};
}

Term random_term(std::span<const double> charges_c, const WindowEvidence& window) {
  if (charges_c.size() < 2)
    return {"noise",
            Evaluation::type_a,
            Distribution::normal,
            Share::independent,
            window.noise.value,
            "successive differences of the window's samples"};
  const double standard = summarise(charges_c)->standard_error.value_or(0);
  return {"repeatability",
          Evaluation::type_a,
          Distribution::normal,
          Share::independent,
          standard,
          "scatter of " + std::to_string(charges_c.size()) + " windows, s / sqrt(n)"};
}

double current_of(const WindowEvidence& window) {
  return window.duration.value > 0 ? window.charge.value / window.duration.value : 0;
}

}  // namespace

Budget gross_charge(std::span<const double> charges_c, const WindowEvidence& mean) {
  Budget budget{summarise(charges_c)->mean, {}};
  add_instrument(budget, "", mean.charge.value, mean.duration.value, mean.limits);
  budget.terms.push_back(edge_term(mean, current_of(mean)));
  budget.terms.push_back(random_term(charges_c, mean));
  return budget;
}

std::optional<Budget> net_charge(std::span<const double> net_charges_c, const WindowEvidence& mean) {
  if (!mean.idle) return std::nullopt;
  const IdleEvidence& idle = *mean.idle;
  Budget budget{summarise(net_charges_c)->mean, {}};
  add_instrument(budget, "", mean.charge.value, mean.duration.value, mean.limits);
  add_instrument(budget, ", idle", idle.current.value * mean.duration.value, mean.duration.value,
                 idle.limits);
  budget.terms.push_back(edge_term(mean, current_of(mean) - idle.current.value));
  budget.terms.push_back(random_term(net_charges_c, mean));
  budget.terms.push_back({"idle level", Evaluation::type_a, Distribution::normal, Share::independent,
                          idle.standard_uncertainty.value * mean.duration.value,
                          "batch means and drift of the idle stretches"});
  return budget;
}

Budget gross_charge(const WindowEvidence& window) {
  const double charge_c = window.charge.value;
  return gross_charge(std::span(&charge_c, 1), window);
}

std::optional<Budget> net_charge(const WindowEvidence& window) {
  if (!window.idle) return std::nullopt;
  const double net_c = window.charge.value - window.idle->current.value * window.duration.value;
  return net_charge(std::span(&net_c, 1), window);
}

Budget energy(const Budget& charge, Volt voltage, const InstrumentLimits& limits) {
  Budget budget = charge.scaled(voltage.value);
  budget.terms.push_back(
      instrument_term("voltage as set", std::abs(limits.voltage_relative * budget.value), limits.source));
  return budget;
}

}  // namespace rigd::analysis
