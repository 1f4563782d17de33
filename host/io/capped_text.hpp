// Text of unknown length of which the first and the last part are kept: a tool that floods its log must not
// cost more memory than one that does not, and both its beginning and its end are telling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rigd::io {

class CappedText {
 public:
  CappedText(std::size_t keep_first, std::size_t keep_last)
      : keep_first_(keep_first), keep_last_(keep_last) {}

  void append(std::string_view text);
  // The kept parts; where something was left out a line says how many bytes.
  std::string str() const;
  std::uint64_t total() const { return total_; }  // bytes ever appended

 private:
  std::size_t keep_first_;
  std::size_t keep_last_;
  std::string first_;
  std::string last_;  // at most twice keep_last_, so that trimming costs one move a byte
  std::uint64_t total_ = 0;
};

}  // namespace rigd::io
