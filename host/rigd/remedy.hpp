// What to do about an error: added here, at the front end, never by the library that found it.
#pragma once

#include <string_view>

#include "base/result.hpp"

namespace rigd {

std::string_view remedy(
    ErrorCode code) noexcept;  // one line, imperative; empty where there is nothing to advise

}  // namespace rigd
