// Any bytes as a PPK2's sample stream, cut anyhow: samples and gaps tile the time axis without overlap, no
// current is beyond what the instrument measures, and the cuts do not matter.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "probe/ppk2/decoder.hpp"

namespace {

using namespace rigd::probe;
using rigd::capture::Gap;
using rigd::capture::SampleBlock;
using rigd::capture::SampleIndex;

ppk2::Calibration calibration() {
  constexpr double values[ppk2::kFamilies][ppk2::kRanges] = {
      {1003.3506, 101.5865, 10.3027, 0.9636, 0.0564},
      {0, 112.7890, 18.0115, 2.4217, 0.0729},
      {1, 0.9695, 0.9609, 0.9519, 0.9582},
      {112.9420, 75.4627, 64.6020, 50.4983, 87.2177},
      {48e-9, 596e-9, 5281e-9, 62577e-9, 2940743e-9},
      {-104e-9, -1443e-9, 36439e-9, -374119e-9, -9388455e-9},
      {1, 1, 1, 1, 1}};
  ppk2::Calibration made;
  for (unsigned family = 0; family < ppk2::kFamilies; ++family)
    for (unsigned range = 0; range < ppk2::kRanges; ++range)
      made.constants[family][range] = values[family][range];
  return made;
}

void require(bool holds) {
  if (!holds) std::abort();
}

struct Checker final : SampleSink {
  void on_samples(const SampleBlock& block) override {
    require(block.first == next && !block.words.empty());
    require(block.words.size() == block.current_a.size() && block.words.size() == block.logic.size());
    for (const float current : block.current_a)
      require(std::abs(current) <= 1.1F);
    next += block.words.size();
    words.insert(words.end(), block.words.begin(), block.words.end());
  }
  void on_gap(const Gap& gap) override {
    require(gap.first == next && gap.last > gap.first && gap.missing <= gap.last - gap.first);
    next = gap.last;
    gaps.push_back(gap);
  }

  SampleIndex next = 0;
  std::vector<std::uint32_t> words;
  std::vector<Gap> gaps;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ppk2::ConversionTable table(calibration(), rigd::Volt(3.0));
  if (size < 1) return 0;
  const std::size_t piece = 1 + data[0];
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));

  Checker whole;
  ppk2::Decoder at_once(table, whole);
  at_once.push(bytes);
  at_once.finish();

  Checker cut;
  ppk2::Decoder in_pieces(table, cut);
  SampleIndex received = 0;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    in_pieces.push(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    require(in_pieces.received() >= received && in_pieces.received() >= cut.next);
    received = in_pieces.received();
  }
  in_pieces.finish();
  require(cut.words == whole.words && cut.gaps == whole.gaps && cut.next == whole.next);
  return 0;
}
