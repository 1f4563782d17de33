// Costs related to the bytes worked on. Absent for an operation without input.
#pragma once

#include <cstdint>
#include <optional>

namespace rigd::analysis {

// `cost` (cycles, nJ ...) of one operation over its bytes.
constexpr std::optional<double> per_byte(double cost, std::int64_t bytes) {
  if (bytes <= 0) return std::nullopt;
  return cost / static_cast<double>(bytes);
}

// Bytes a second, from the nanoseconds of one operation.
constexpr std::optional<double> throughput(std::int64_t bytes, double operation_ns) {
  if (bytes <= 0 || !(operation_ns > 0)) return std::nullopt;
  return static_cast<double>(bytes) * 1e9 / operation_ns;
}

}  // namespace rigd::analysis
