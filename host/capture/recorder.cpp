#include "capture/recorder.hpp"

#include <algorithm>
#include <utility>

namespace rigd::capture {

Recorder::Recorder(double rate_hz, unsigned marker_bit, SampleIndex from, std::size_t most_samples)
    : from_(from), most_samples_(most_samples), marker_(marker_bit), marker_bit_(marker_bit) {
  recording_.rate_hz = rate_hz;
}

void Recorder::on_samples(const SampleBlock& block) {
  const SampleIndex last = block.first + block.words.size();
  if (last <= from_ || overflowed_) return;
  begin_at(block.first);
  if (block.first > recording_.end())  // a probe that skips without saying so
    on_gap({recording_.end(), block.first, block.first - recording_.end(), GapCause::counter});
  if (last <= recording_.end() || overflowed_) return;

  const SampleIndex at = recording_.end();
  const auto known = static_cast<std::size_t>(at - block.first);
  const std::size_t count = std::min<std::size_t>(last - at, room());
  overflowed_ = count < last - at;
  const auto words = block.words.subspan(known, count);
  const auto current = block.current_a.subspan(known, count);
  const auto logic = block.logic.subspan(known, count);
  recording_.words.insert(recording_.words.end(), words.begin(), words.end());
  recording_.current_a.insert(recording_.current_a.end(), current.begin(), current.end());
  recording_.logic.insert(recording_.logic.end(), logic.begin(), logic.end());
  marker_.push(at, logic);
}

void Recorder::on_gap(const Gap& gap) {
  if (gap.last < from_ || overflowed_) return;
  begin_at(gap.first);
  recording_.gaps.push_back(gap);
  if (gap.cause != GapCause::rate) pad_to(gap.last);
}

std::uint64_t Recorder::samples_since_last_edge() const {
  return recording_.end() - marker_.last_edge().value_or(recording_.first);
}

void Recorder::begin_at(SampleIndex index) {
  if (begun_) return;
  begun_ = true;
  recording_.first = std::max(index, from_);
}

void Recorder::pad_to(SampleIndex index) {
  if (index <= recording_.end()) return;
  const SampleIndex wanted = index - recording_.end();
  overflowed_ = wanted > room();
  const std::size_t size = recording_.words.size() + std::min<std::size_t>(wanted, room());
  recording_.words.resize(size);
  recording_.current_a.resize(size);
  recording_.logic.resize(size);
}

Recording Recorder::take() {
  Recording taken = std::exchange(recording_, {});
  recording_.rate_hz = taken.rate_hz;
  marker_ = MarkerTracker(marker_bit_);
  begun_ = false;
  overflowed_ = false;
  for (Gap& gap : taken.gaps) {
    gap.first = std::clamp(gap.first, taken.first, taken.end());
    gap.last = std::clamp(gap.last, gap.first, taken.end());
  }
  std::ranges::sort(taken.gaps, {}, [](const Gap& gap) { return std::pair(gap.first, gap.last); });
  return taken;
}

}  // namespace rigd::capture
