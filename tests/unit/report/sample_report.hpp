// A small report with one of each: a good measurement, a wrong answer, an untrustworthy one, a broken rig;
// names that try to break out of every format.
#pragma once

#include "report/model.hpp"

namespace rigd::report::testing {

RunReport sample_report();

inline constexpr const char* kHostile = "\"><script>alert('x')</script>,\n& \x1b[31m\xff";

}  // namespace rigd::report::testing
