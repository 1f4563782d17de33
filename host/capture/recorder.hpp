// Keeps what a probe streams, from a given sample on, in bounded memory. It has the shape of a probe's sample
// sink (on_samples, on_gap) without knowing probes.
//
// The index axis has no holes: samples that are known to be missing are padded with zero words and zero
// current and listed as a gap. A `rate` gap is the exception: it says that something is missing somewhere in
// a range whose samples did arrive, so these are kept as they came and only the gap makes them untrustworthy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/marker.hpp"
#include "capture/samples.hpp"

namespace rigd::capture {

class Recorder {
 public:
  // 9 bytes a sample: 180 MB, or 200 s of a 100 kS/s probe.
  static constexpr std::size_t kMostSamples = 20'000'000;

  // Samples before `from` are ignored. The recording begins at `from` or, if later, at the first sample that
  // comes.
  Recorder(double rate_hz, unsigned marker_bit, SampleIndex from = 0,
           std::size_t most_samples = kMostSamples);

  void on_samples(const SampleBlock& block);
  void on_gap(const Gap& gap);

  // Cheap; follow the stream as it comes.
  std::uint64_t complete_windows() const { return marker_.complete().size(); }
  std::uint64_t samples_since_last_edge() const;  // since the beginning where there was no edge
  SampleIndex next_index() const { return recording_.end(); }
  // More came than may be kept: the recording ends early, and nothing more is taken.
  bool overflowed() const { return overflowed_; }

  // What was kept; the recorder is empty afterwards. Gaps are ordered by their first sample and cut to the
  // recording.
  Recording take();

 private:
  void begin_at(SampleIndex index);
  void pad_to(SampleIndex index);
  std::size_t room() const { return most_samples_ - recording_.words.size(); }

  SampleIndex from_;
  std::size_t most_samples_;
  bool begun_ = false;
  bool overflowed_ = false;
  Recording recording_;
  MarkerTracker marker_;
  unsigned marker_bit_;
};

}  // namespace rigd::capture
