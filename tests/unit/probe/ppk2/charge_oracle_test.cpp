// The instrument's model knows the true charge of each marker window; what the driver's decoder makes of the
// bytes must integrate to it.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/ppk2/device.hpp"
#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using sim::ppk2::Device;
using sim::ppk2::Edge;
using sim::ppk2::Truth;
using namespace std::chrono_literals;

void command(Device& device, std::initializer_list<std::uint8_t> bytes, Device::Time now) {
  const std::vector<std::uint8_t> copy(bytes);
  device.command(std::as_bytes(std::span(copy)), now);
}

struct Session {
  std::vector<Truth> truth;
  test::Kept kept;
};

// `windows` marker windows of `window_cycles` with gaps as long, each sampled as fast as it goes.
Session run(sim::ppk2::Settings settings, std::size_t windows, std::uint64_t window_cycles,
            const sim::ppk2::Faults& faults = {}) {
  settings.unit = sim::ppk2::kUnitA;
  Device device(settings, faults);
  Session session;
  Decoder decoder(test::table_a(), session.kept);
  Device::Time now{};
  const auto collect = [&](Device::Time until) {
    for (; now < until; now += 1ms) {
      device.advance(now);
      while (!device.output().empty()) {
        decoder.push(device.output());
        device.written(device.output().size());
      }
    }
  };
  device.connect();
  command(device, {0x0C, 1, 0x06}, now);
  collect(5ms);
  std::uint64_t cycles = 12'345;
  for (std::size_t window = 0; window < windows; ++window) {
    device.edge({.cycles = cycles, .pin = 0, .level = true});
    cycles += window_cycles;
    session.truth.push_back(*device.edge({.cycles = cycles, .pin = 0, .level = false}));
    cycles += window_cycles;
    collect(now + 3ms);
  }
  collect(now + 2s);
  decoder.finish();
  return session;
}

std::vector<double> window_charges(const test::Kept& kept) {
  std::vector<double> charges;
  bool high = false;
  for (const auto& [index, logic] : kept.logic) {
    if ((logic & 1) != 0 && !high) charges.push_back(0);
    high = (logic & 1) != 0;
    if (high) charges.back() += static_cast<double>(kept.current_a.at(index)) * 10e-6;
  }
  return charges;
}

class ChargeOracle : public testing::TestWithParam<double> {};

TEST_P(ChargeOracle, MeanOfMillisecondWindowsIsWithinHalfAPercent) {
  sim::ppk2::Settings settings;
  settings.run_ua = GetParam();
  const Session session = run(settings, 200, 16'000);
  EXPECT_TRUE(session.kept.gaps.empty());
  const auto charges = window_charges(session.kept);
  ASSERT_EQ(charges.size(), session.truth.size());
  double error = 0, worst = 0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const double relative = charges[i] / session.truth[i].charge_c - 1;
    EXPECT_NEAR(session.truth[i].charge_c, GetParam() * 1e-6 * 1e-3, 1e-18);
    error += relative / static_cast<double>(charges.size());
    worst = std::max(worst, std::abs(relative));
  }
  EXPECT_LT(std::abs(error), 0.005);
  EXPECT_LT(worst, 0.02) << "one sample more or less, and the converter's step";
}

// One current in each range, and near its ends.
INSTANTIATE_TEST_SUITE_P(Currents, ChargeOracle,
                         testing::Values(40, 60, 480, 520, 4300, 5200, 48'000, 60'000, 300'000));

TEST(SimulatedStream, ShowsWindowsOfTheTrueLength) {
  sim::ppk2::Settings settings;
  const Session session = run(settings, 300, 16'077);  // 100.48 samples
  double mean = 0;
  for (const auto& [index, logic] : session.kept.logic)
    mean += (logic & 1) / 300.0;
  EXPECT_NEAR(mean, 16'077 / 160.0, 0.08);
}

TEST(SimulatedStream, LossInAWindowLeavesTheOthersTrue) {
  sim::ppk2::Settings settings;
  sim::ppk2::Faults faults;
  ASSERT_TRUE(faults.set("drop_in_window=3@1"));
  ASSERT_TRUE(faults.set("drop_bytes_in_window=5@3"));
  const Session session = run(settings, 5, 16'000, faults);
  ASSERT_EQ(session.kept.gaps.size(), 2U);
  EXPECT_EQ(session.kept.gaps[0].cause, capture::GapCause::counter);
  EXPECT_EQ(session.kept.gaps[0].missing, 3U);
  EXPECT_EQ(session.kept.gaps[1].cause, capture::GapCause::resync);
  EXPECT_EQ(window_charges(session.kept).size(), 5U);
  for (const auto& gap : session.kept.gaps)
    EXPECT_TRUE(session.kept.logic.at(gap.first - 1) & 1);
}

}  // namespace
}  // namespace rigd::probe::ppk2
