#include "store/trace.hpp"

#include <algorithm>

#include "store/pyramid.hpp"

namespace rigd::store {

namespace {

// The gaps inside [first, end), ordered.
std::vector<TraceGap> cut_gaps(std::vector<TraceGap> gaps, std::int64_t first, std::int64_t end) {
  std::erase_if(gaps, [&](const TraceGap& gap) { return gap.last_sample < first || gap.first_sample > end; });
  for (TraceGap& gap : gaps) {
    gap.first_sample = std::max(gap.first_sample, first);
    gap.last_sample = std::clamp(gap.last_sample, gap.first_sample, end);
  }
  std::ranges::sort(gaps, {}, &TraceGap::first_sample);
  return gaps;
}

}  // namespace

Result<Trace> pack_trace(const TraceInput& input) {
  if (input.words.size() != input.current_a.size()) {
    return fail(ErrorCode::internal, "a trace has one current for each word");
  }
  const auto samples = static_cast<std::int64_t>(input.words.size());
  Trace trace{input.layout, input.rate_hz, input.first_sample, samples, {}, {}, {}};
  for (std::size_t first = 0; first < input.words.size(); first += kChunkSamples) {
    const auto some = input.words.subspan(first, std::min(kChunkSamples, input.words.size() - first));
    RIGD_TRY(auto packed, pack_chunk(input.layout, some));
    trace.chunks.push_back({input.first_sample + static_cast<std::int64_t>(first),
                            static_cast<std::int64_t>(some.size()), std::move(packed)});
  }
  trace.gaps = cut_gaps(input.gaps, input.first_sample, input.first_sample + samples);
  if (samples > 0) trace.pyramid = build_pyramid(input.first_sample, input.current_a, trace.gaps);
  return trace;
}

}  // namespace rigd::store
