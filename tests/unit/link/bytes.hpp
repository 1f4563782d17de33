#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace rigd::test {

using Bytes = std::vector<std::byte>;

inline Bytes bytes(std::initializer_list<int> values) {
  Bytes result;
  for (const int value : values)
    result.push_back(static_cast<std::byte>(value));
  return result;
}

inline Bytes bytes(std::string_view text) {
  Bytes result;
  for (const char c : text)
    result.push_back(static_cast<std::byte>(c));
  return result;
}

inline Bytes bytes(std::span<const std::byte> view) {
  return {view.begin(), view.end()};
}

// first, first+1, ... last
inline Bytes counting(int first, int last) {
  Bytes result;
  for (int value = first; value <= last; ++value)
    result.push_back(static_cast<std::byte>(value));
  return result;
}

inline Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace rigd::test
