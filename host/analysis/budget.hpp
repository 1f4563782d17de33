// An uncertainty budget after the GUM (JCGM 100:2008): named terms, each a standard uncertainty in the unit
// of the result, combined as the root of the sum of their squares (GUM 5.1.2; the terms are uncorrelated).
#pragma once

#include <string>
#include <vector>

namespace rigd::analysis {

enum class Evaluation {
  type_a,  // from the scatter of repetitions (GUM 4.2)
  type_b,  // from anything else: data sheets, resolution, models (GUM 4.3)
};

enum class Distribution { normal, rectangular, triangular };

// Whether a term is the same for all results of one instrument (its gain: a ratio of two results does not
// feel it) or belongs to this result alone.
enum class Share { shared, independent };

struct Term {
  std::string name;
  Evaluation evaluation = Evaluation::type_b;
  Distribution distribution = Distribution::normal;
  Share share = Share::independent;
  double standard = 0;  // standard uncertainty it brings to the result, in the result's unit
  std::string source;   // where the figure comes from
};

struct Budget {
  static constexpr double kCoverage = 2;  // about 95 % for a normal distribution (GUM 6.3.3)

  double value = 0;  // the result
  std::vector<Term> terms;

  double shared() const;       // the instrument's part
  double independent() const;  // the repeatability part
  double combined() const;
  double expanded() const { return kCoverage * combined(); }
  double relative(const Term& term) const;  // to |value|; infinite where the value is 0

  // The same result in another unit or for a part of it: value and terms times `factor`.
  Budget scaled(double factor) const;
};

// Standard uncertainty of a quantity known to lie within +- half_width, anywhere alike (GUM 4.3.7).
double rectangular(double half_width);

}  // namespace rigd::analysis
