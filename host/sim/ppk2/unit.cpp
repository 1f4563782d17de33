#include "sim/ppk2/unit.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rigd::sim::ppk2 {

const Constants kUnitA{
    .r = {1003.3506F, 101.5865F, 10.3027F, 0.9636F, 0.0564F},
    .gs = {0, 112.7890F, 18.0115F, 2.4217F, 0.0729F},
    .gi = {1, 0.9695F, 0.9609F, 0.9519F, 0.9582F},
    .o = {112.9420F, 75.4627F, 64.6020F, 50.4983F, 87.2177F},
    .s = {0.000000048F, 0.000000596F, 0.000005281F, 0.000062577F, 0.002940743F},
    .i = {-0.000000104F, -0.000001443F, 0.000036439F, -0.000374119F, -0.009388455F},
    .ug = {1, 1, 1, 1, 1},
};
const Constants kUnitB{
    .r = {3095044895830869060112875520.0F, 0, 0, 0, 0},
    .gs = {0, 138.3582F, 21.5994F, 3.0130F, 0.0876F},
    .gi = {1, 0.9614F, 0.9534F, 0.9415F, 0.9521F},
    .o = {0, -2814926129201152.0F, 0, -2251799813685248.0F, 0},
    .s = {-0.000000009F, -0.000000064F, -0.000000512F, -0.000004891F, 0.002447326F},
    .i = {0.000000044F, 0.000000364F, 0.000061116F, -0.000254856F, -0.007713722F},
    .ug = {1, 1, 1, 1, 1},
};
// Nine digits say less than a float32 holds: two constants are written as their published bytes have them.
const Constants kUnitD{
    .r = {1004.569885254F, 102.184196472F, 10.382900238F, 0.972299993F, 0.056699999F},
    .gs = {0, 154.061004639F, 23.392099380F, 3.371000051F, 0.109369040F},
    .gi = {1, 0.957199991F, 0.950299978F, 0.936200023F, 0.944025695F},
    .o = {151.841400146F, 103.388397217F, 87.856201172F, 66.804603577F, 118.277618408F},
    .s = {-0.000000028F, -0.000000274F, -0.000001803F, -0.000021984F, 0.00192322012F},
    .i = {0.000000118F, 0.000001097F, 0.000071752F, -0.000214770F, -0.00700216927F},
    .ug = {1, 1, 1, 1, 1},
};

Result<Constants> unit_named(std::string_view name) {
  if (name == "A") return kUnitA;
  if (name == "B") return kUnitB;
  if (name == "D") return kUnitD;
  return fail(ErrorCode::bad_argument, fmt::format("unit is A, B or D, not '{}'", name));
}

Result<Format> format_named(std::string_view name) {
  if (name == "2020") return Format::y2020;
  if (name == "1.1") return Format::v1_1;
  if (name == "1.2") return Format::v1_2;
  return fail(ErrorCode::bad_argument, fmt::format("format is 2020, 1.1 or 1.2, not '{}'", name));
}

namespace {

struct Decimals {
  int coarse, fine, user;  // of R, GS, GI, O; of S, I; of UG
};

Decimals decimals_of(Format format) {
  return format == Format::v1_2 ? Decimals{20, 20, 20} : Decimals{4, 9, 2};
}

void print(std::string& text, std::string_view family, const PerRange& values, int decimals) {
  for (unsigned range = 0; range < kRanges; ++range)
    text += fmt::format("{}{}: {:.{}f}\n", family, range, static_cast<double>(values[range]), decimals);
}

}  // namespace

std::string metadata_text(const Constants& unit, const UnitState& state, Format format) {
  const Decimals decimals = decimals_of(format);
  std::string text = "Calibrated: 0\n";
  print(text, "R", unit.r, decimals.coarse);
  print(text, "GS", unit.gs, decimals.coarse);
  print(text, "GI", unit.gi, decimals.coarse);
  print(text, "O", unit.o, decimals.coarse);
  text += fmt::format("VDD: {}\nHW: {}\nmode: {}\n", state.vdd_mv, state.hw, state.mode);
  print(text, "S", unit.s, decimals.fine);
  print(text, "I", unit.i, decimals.fine);
  print(text, "UG", unit.ug, decimals.user);
  if (format != Format::y2020) text += fmt::format("IA: {}\n", state.ia);
  return text + "END\n";
}

double exact_code(const Constants& unit, unsigned range, double current_a, double vdd_v) {
  const double gs = static_cast<double>(unit.gs[range]);
  const double gi = static_cast<double>(unit.gi[range]);
  const double bias = static_cast<double>(unit.s[range]) * vdd_v + static_cast<double>(unit.i[range]);
  const double wanted = current_a / static_cast<double>(unit.ug[range]) - bias;
  // gs x^2 + gi x = wanted, in the form that also holds for gs = 0.
  const double x = 2 * wanted / (gi + std::sqrt(std::max(0.0, gi * gi + 4 * gs * wanted)));
  return (x * static_cast<double>(unit.r[range]) / (1.8 / 163840) + static_cast<double>(unit.o[range])) / 4;
}

unsigned choose_range(unsigned present, double current_a) {
  constexpr std::array<double, kRanges - 1> range_end_a{50e-6, 500e-6, 5e-3, 50e-3};
  constexpr double hysteresis = 0.9;
  while (present < kRanges - 1 && current_a > range_end_a[present])
    ++present;
  while (present > 0 && current_a < hysteresis * range_end_a[present - 1])
    --present;
  return present;
}

}  // namespace rigd::sim::ppk2
