// Bytes of a running PPK2 to samples, independent of how the bytes were cut into reads.
//
// The device sends neither frames nor checksums. What the decoder stands on is the 6-bit sample counter:
//   * A jump of the counter followed by eight consecutive counts is a loss of (jump modulo 64) samples: a
//   `counter`
//     gap, over which the sample index advances. Losing k * 64 samples is invisible here: see rate.hpp.
//   * Words whose counter does not fit, followed by the old sequence, were corrupted: an `invalid` gap,
//   nothing lost.
//   * Lost bytes shift all later words. The decoder tries every byte offset for eight words in sequence and
//   reports a
//     `resync` gap from two words before the break (one may hold bytes of two samples) to where it holds
//     again.
//   * Firmware before January 2021 leaves the counter 0 and can only be watched by rate.
// Words that cannot be converted (see ConversionTable) become `invalid` gaps. Two words are held back until
// their successors have confirmed them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "capture/samples.hpp"
#include "probe/ppk2/calibration.hpp"
#include "probe/probe.hpp"

namespace rigd::probe::ppk2 {

class Decoder {
 public:
  // Both must outlive the decoder.
  Decoder(const ConversionTable& table, SampleSink& sink) : table_(table), sink_(sink) {}

  void push(std::span<const std::byte> bytes);
  // The stream has ended: hands out what was held back. A part of a word is dropped.
  void finish();

  // Index after the last whole word received, handed out or not: what the rate is judged by. Never falls; 0
  // until the first samples have shown where words begin.
  capture::SampleIndex received() const;
  // Nothing until the first samples have shown it. Without a counter, losses show in the rate only.
  std::optional<bool> counter_present() const;

 private:
  enum class Mode : std::uint8_t { searching, counting, plain };

  // Looking for footing, from the first byte behind the confirmed words.
  struct Search {
    bool first = true;                // nothing was decoded yet: garbage in front is no gap
    bool counted = false;             // whether a counter was followed before
    capture::SampleIndex origin = 0;  // index of the sample expected at the first byte
    unsigned counter = 0;             // and its counter
    std::size_t held = 0;             // confirmed words still in front of it
    std::uint64_t skipped_bytes = 0;  // given up since
  };

  std::span<const std::uint32_t> words() const { return {buffer_.data(), size_ / kBytesPerWord}; }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(buffer_.data()); }
  void decode();
  bool follow();
  bool search();
  void settle(Mode mode, std::size_t offset);
  void report_break(std::uint64_t bytes, std::uint64_t samples, bool shifted);
  void drop_front(std::size_t bytes);
  void deliver(std::size_t count);
  void deliver_piece(std::span<const std::uint32_t> words);
  void gap(capture::Gap next);
  void flush_gap();

  static constexpr std::size_t kBufferWords = 4096;
  static constexpr std::size_t kPieceWords = 1024;

  const ConversionTable& table_;
  SampleSink& sink_;
  Mode mode_ = Mode::searching;
  Search search_;
  capture::SampleIndex index_ = 0;        // of the word at the front of the buffer, when not searching
  unsigned counter_ = 0;                  // its counter
  std::optional<capture::Gap> open_gap_;  // an `invalid` gap that may still grow
  std::size_t size_ = 0;                  // bytes in the buffer
  std::array<std::uint32_t, kBufferWords> buffer_;
  std::array<float, kPieceWords> current_a_;
  std::array<std::uint8_t, kPieceWords> logic_;
};

}  // namespace rigd::probe::ppk2
