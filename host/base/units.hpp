// Quantities with their dimension in the type, where numbers meet (interfaces, windows, results). Inner loops
// run on plain float or double with the unit in the name (current_a, charge_c).
#pragma once

#include <compare>

namespace rigd {

template <class Dimension>
struct Quantity {
  double value = 0;  // in the SI unit of the dimension

  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : value(si) {}
  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity other) const { return Quantity(value + other.value); }
  constexpr Quantity operator-(Quantity other) const { return Quantity(value - other.value); }
  constexpr Quantity operator-() const { return Quantity(-value); }
  constexpr Quantity operator*(double factor) const { return Quantity(value * factor); }
  constexpr Quantity operator/(double divisor) const { return Quantity(value / divisor); }
  constexpr double operator/(Quantity other) const { return value / other.value; }
};

using Second = Quantity<struct SecondTag>;
using Hertz = Quantity<struct HertzTag>;
using Ampere = Quantity<struct AmpereTag>;
using Volt = Quantity<struct VoltTag>;
using Coulomb = Quantity<struct CoulombTag>;
using Joule = Quantity<struct JouleTag>;

constexpr Coulomb operator*(Ampere current, Second time) {
  return Coulomb(current.value * time.value);
}
constexpr Joule operator*(Coulomb charge, Volt voltage) {
  return Joule(charge.value * voltage.value);
}
constexpr Ampere operator/(Coulomb charge, Second time) {
  return Ampere(charge.value / time.value);
}

}  // namespace rigd
