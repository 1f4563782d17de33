#include "analysis/supply.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace rigd::analysis {
namespace {

// A PPK2 at 20 mA, 3.0 V and windows of 10 ms: range 3, +-10 % and 50 uA a step.
constexpr double kCurrentA = 20e-3;
constexpr double kSeconds = 10e-3;

WindowEvidence ppk2_window() {
  WindowEvidence window;
  window.charge = Coulomb(kCurrentA * kSeconds);
  window.duration = Second(kSeconds);
  window.sample_period = Second(10e-6);
  window.limits = {
      .gain_relative = 0.10, .resolution_a = 50e-6, .voltage_relative = 0.015, .source = "maker"};
  return window;
}

double relative(const Budget& budget, std::string_view name) {
  for (const Term& term : budget.terms)
    if (term.name == name) return budget.relative(term);
  ADD_FAILURE() << "no term " << name;
  return 0;
}

// Worked by hand: gain 5.8 %, edges 0.04 %, voltage 0.9 %, repeatability 0.07 % (s = 0.5 %, n = 50),
// together 5.8 %, expanded 12 %.
TEST(Energy, OfAPpk2HasTheKnownBudget) {
  std::vector<double> charges_c;
  for (int i = 0; i < 50; ++i)
    charges_c.push_back(kCurrentA * kSeconds * (1 + (i % 2 == 0 ? 0.005 : -0.005) * std::sqrt(49.0 / 50)));
  const WindowEvidence window = ppk2_window();
  const Budget budget = energy(gross_charge(charges_c, window), Volt(3.0), window.limits);
  EXPECT_NEAR(budget.value, 600e-6, 1e-9);
  EXPECT_NEAR(relative(budget, "gain"), 0.0577, 1e-4);
  EXPECT_NEAR(relative(budget, "resolution"), 0.0025 / std::sqrt(12.0), 1e-6);
  EXPECT_NEAR(relative(budget, "window edges"), 0.00041, 1e-5);
  EXPECT_NEAR(relative(budget, "voltage as set"), 0.0087, 1e-4);
  EXPECT_NEAR(relative(budget, "repeatability"), 0.00071, 1e-5);
  EXPECT_NEAR(budget.combined() / budget.value, 0.0584, 1e-4);
  EXPECT_NEAR(budget.expanded() / budget.value, 0.12, 5e-3);
}

TEST(Energy, KeepsTheInstrumentApartFromRepeatability) {
  const std::vector<double> charges_c = {200e-6, 201e-6, 199e-6};
  const WindowEvidence window = ppk2_window();
  const Budget budget = energy(gross_charge(charges_c, window), Volt(3.0), window.limits);
  for (const Term& term : budget.terms)
    EXPECT_EQ(term.share == Share::independent, term.name == "window edges" || term.name == "repeatability")
        << term.name;
  EXPECT_NEAR(budget.independent() / budget.value, std::hypot(0.00041, 0.005 / std::sqrt(3.0)), 1e-5);
}

TEST(GrossCharge, OfOneWindowCarriesItsOwnNoise) {
  WindowEvidence window = ppk2_window();
  window.noise = Coulomb(0.3e-6);
  const Budget budget = gross_charge(window);
  EXPECT_DOUBLE_EQ(budget.value, window.charge.value);
  EXPECT_NEAR(relative(budget, "noise"), 0.3 / 200, 1e-9);
}

TEST(NetCharge, NeedsAnIdleLevel) {
  EXPECT_FALSE(net_charge(ppk2_window()));
}

TEST(NetCharge, IsLessTheIdleCurrentWithItsUncertainty) {
  WindowEvidence window = ppk2_window();
  window.idle = IdleEvidence{Ampere(15e-3), Ampere(40e-6), window.limits};
  const Budget budget = *net_charge(window);
  EXPECT_NEAR(budget.value, 5e-3 * kSeconds, 1e-12);
  EXPECT_NEAR(relative(budget, "gain"), 4 * 0.0577, 1e-3) << "of the gross charge, four times the net";
  EXPECT_NEAR(relative(budget, "gain, idle"), 3 * 0.0577, 1e-3);
  EXPECT_NEAR(relative(budget, "idle level"), 40e-6 / 5e-3, 1e-9);
  EXPECT_NEAR(relative(budget, "window edges"), 0.00041, 1e-5) << "of the step at the edge";
}

// Many windows whose gain, phase and noise are drawn from what the budget assumes: the true charge lies
// within the stated expanded uncertainty in at least 95 % of them.
TEST(GrossCharge, TheTruthLiesWithinTheStatedUncertainty) {
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> gain(-0.10, 0.10), phase(0, 1);
  std::normal_distribution<double> noise(0, 1);
  constexpr int kTrials = 20'000;
  int within = 0;
  for (int i = 0; i < kTrials; ++i) {
    WindowEvidence window = ppk2_window();
    window.noise = Coulomb(0.2e-6);
    const double seen_s = kSeconds + (phase(random) - phase(random)) * 10e-6;
    const double seen_c = kCurrentA * seen_s / (1 + gain(random)) + 0.2e-6 * noise(random);
    window.charge = Coulomb(seen_c);
    within += std::abs(seen_c - kCurrentA * kSeconds) <= gross_charge(window).expanded();
  }
  EXPECT_GE(within, 0.95 * kTrials);
}

}  // namespace
}  // namespace rigd::analysis
