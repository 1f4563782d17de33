// SHA-256 as an identity of files and calibrations, through OpenSSL's library.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rigd {

std::string sha256_hex(std::span<const std::byte> bytes);  // 64 lower-case hex digits (FIPS 180-4)

}  // namespace rigd
