#include "analysis/budget.hpp"

#include <cmath>
#include <limits>

namespace rigd::analysis {

namespace {

double root_of_squares(const std::vector<Term>& terms, Share share) {
  double squares = 0;
  for (const Term& term : terms)
    if (term.share == share) squares += term.standard * term.standard;
  return std::sqrt(squares);
}

}  // namespace

double Budget::shared() const {
  return root_of_squares(terms, Share::shared);
}

double Budget::independent() const {
  return root_of_squares(terms, Share::independent);
}

double Budget::combined() const {
  return std::hypot(shared(), independent());
}

double Budget::relative(const Term& term) const {
  return value != 0 ? term.standard / std::abs(value) : std::numeric_limits<double>::infinity();
}

Budget Budget::scaled(double factor) const {
  Budget other{value * factor, terms};
  for (Term& term : other.terms)
    term.standard *= std::abs(factor);
  return other;
}

double rectangular(double half_width) {
  return half_width / std::sqrt(3.0);
}

}  // namespace rigd::analysis
