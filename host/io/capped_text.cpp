#include "io/capped_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rigd::io {

void CappedText::append(std::string_view text) {
  total_ += text.size();
  const std::size_t room = std::min(keep_first_ - first_.size(), text.size());
  first_.append(text.substr(0, room));
  text.remove_prefix(room);
  if (text.size() > keep_last_) text.remove_prefix(text.size() - keep_last_);
  last_.append(text);
  if (last_.size() > 2 * keep_last_) last_.erase(0, last_.size() - keep_last_);
}

std::string CappedText::str() const {
  const std::size_t kept = std::min(keep_last_, last_.size());
  const std::uint64_t left_out = total_ - first_.size() - kept;
  const std::string_view end = std::string_view(last_).substr(last_.size() - kept);
  if (left_out == 0) return first_ + std::string(end);
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", first_, left_out, end);
}

}  // namespace rigd::io
