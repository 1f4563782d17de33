#include "probe/ppk2/decoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace rigd::probe::ppk2 {

static_assert(std::endian::native == std::endian::little, "sample words are used as they arrive");

namespace {

constexpr std::uint32_t kCounterField = kCounterMask << kCounterShift;
constexpr std::size_t kHeldWords = 2;   // handed out only when their successors fit
constexpr std::size_t kProofWords = 8;  // in sequence: chance agreement of other bytes is out of the question
constexpr std::size_t kPlainWords = 64;                       // all with counter 0: there is no counter
constexpr std::size_t kWindow = kPlainWords * kBytesPerWord;  // bytes looked at before giving some of them up
constexpr std::size_t kProofBytes = kProofWords * kBytesPerWord;

std::uint32_t word_at(const std::byte* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// How many words from the front carry the counters first, first + step, first + 2 * step ... modulo 64.
template <unsigned step>
std::size_t fitting(std::span<const std::uint32_t> words, unsigned first) {
  constexpr std::size_t stride = 256;
  const auto misfit = [&](std::size_t i) {
    return (words[i] ^ (first + step * static_cast<std::uint32_t>(i)) << kCounterShift) & kCounterField;
  };
  std::size_t done = 0;
  while (done + stride <= words.size()) {
    std::uint32_t any = 0;
    for (std::size_t i = done; i < done + stride; ++i)
      any |= misfit(i);
    if (any != 0) break;
    done += stride;
  }
  while (done < words.size() && misfit(done) == 0)
    ++done;
  return done;
}

bool in_sequence(const std::byte* bytes) {
  const unsigned first = counter_of(word_at(bytes));
  for (unsigned i = 1; i < kProofWords; ++i)
    if (counter_of(word_at(bytes + i * kBytesPerWord)) != ((first + i) & kCounterMask)) return false;
  return true;
}

bool without_counter(const std::byte* bytes, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if (counter_of(word_at(bytes + i * kBytesPerWord)) != 0) return false;
  return true;
}

}  // namespace

void Decoder::push(std::span<const std::byte> input) {
  while (!input.empty()) {
    const std::size_t taken = std::min(input.size(), sizeof buffer_ - size_);
    std::memcpy(reinterpret_cast<std::byte*>(buffer_.data()) + size_, input.data(), taken);
    size_ += taken;
    input = input.subspan(taken);
    decode();
  }
}

void Decoder::decode() {
  while (mode_ == Mode::searching ? search() : follow()) {
  }
}

// Hands out what fits the counter. True if there is more to do: the sequence broke.
bool Decoder::follow() {
  const auto pending = words();
  const std::size_t fit = mode_ == Mode::counting ? fitting<1>(pending, counter_) : fitting<0>(pending, 0);
  const bool broken = fit < pending.size();
  if (fit > kHeldWords) deliver(fit - kHeldWords);
  if (!broken) return false;
  const std::size_t held = std::min(fit, kHeldWords);
  search_ = {.first = false,
             .counted = mode_ == Mode::counting,
             .origin = index_ + held,
             .counter = (counter_ + static_cast<unsigned>(held)) & kCounterMask,
             .held = held};
  mode_ = Mode::searching;
  return true;
}

// True once footing was found; false when more bytes are needed.
bool Decoder::search() {
  for (;;) {
    const std::byte* start = bytes() + search_.held * kBytesPerWord;
    const std::size_t seen = std::min(size_ - search_.held * kBytesPerWord, kWindow);
    for (std::size_t offset = 0; offset + kProofBytes <= seen; ++offset)
      if (in_sequence(start + offset)) return settle(Mode::counting, offset), true;
    if (seen < kWindow) return false;
    if (without_counter(start, kPlainWords)) return settle(Mode::plain, search_.first ? 0 : kWindow), true;

    constexpr std::size_t given_up = kWindow - kProofBytes;
    drop_front(search_.held * kBytesPerWord + given_up);
    search_.origin -= search_.held;  // the words held back go down with it
    search_.counter = (search_.counter - static_cast<unsigned>(search_.held)) & kCounterMask;
    search_.skipped_bytes += search_.held * kBytesPerWord + given_up;
    search_.held = 0;
  }
}

// Continues `offset` bytes behind the confirmed words, where the words are good again.
void Decoder::settle(Mode mode, std::size_t offset) {
  const bool shifted = offset % kBytesPerWord != 0 || search_.skipped_bytes != 0 || mode == Mode::plain;
  // The first word in sequence may have got its low bytes from the sample in front of the lost ones.
  if (shifted && !search_.first && mode == Mode::counting) offset += kBytesPerWord;
  const unsigned counter =
      mode == Mode::counting ? counter_of(word_at(bytes() + search_.held * kBytesPerWord + offset)) : 0;
  if (search_.first) {
    index_ = 0;
  } else {
    // As many samples as bytes came, and then as few more as the counter asks for.
    const std::uint64_t lost_bytes = search_.skipped_bytes + offset;
    std::uint64_t samples = (lost_bytes + kBytesPerWord - 1) / kBytesPerWord;
    if (search_.counted && mode == Mode::counting)
      samples += (counter - search_.counter - samples) & kCounterMask;
    report_break(lost_bytes, samples, shifted);
    index_ = search_.origin + samples;
  }
  drop_front(offset);
  counter_ = counter;
  mode_ = mode;
}

// Leaves the buffer at the first byte of the break.
void Decoder::report_break(std::uint64_t lost_bytes, std::uint64_t samples, bool shifted) {
  const std::uint64_t missing = samples - lost_bytes / kBytesPerWord;
  const auto last = search_.origin + samples;
  if (shifted) {
    drop_front(search_.held * kBytesPerWord);
    return gap({search_.origin - search_.held, last, missing, capture::GapCause::resync});
  }
  deliver(search_.held);
  gap({search_.origin, last, missing,
       missing != 0 ? capture::GapCause::counter : capture::GapCause::invalid});
}

void Decoder::finish() {
  const auto rest = words();
  if (mode_ != Mode::searching) {
    deliver(rest.size());
  } else if (!search_.first) {
    gap({search_.origin - search_.held, received(), 0, capture::GapCause::resync});
  } else if (search_.skipped_bytes == 0 && !rest.empty()) {
    // Too short a stream for a proof: good if nothing speaks against it.
    const bool counted = fitting<1>(rest, counter_of(rest.front())) == rest.size();
    if (counted || without_counter(bytes(), rest.size())) {
      mode_ = counted ? Mode::counting : Mode::plain;
      deliver(rest.size());
    }
  }
  flush_gap();
}

capture::SampleIndex Decoder::received() const {
  if (mode_ != Mode::searching) return index_ + words().size();
  if (search_.first) return 0;  // what came so far may be rubbish
  const std::uint64_t behind = search_.skipped_bytes + size_ - search_.held * kBytesPerWord;
  return search_.origin + behind / kBytesPerWord;
}

std::optional<bool> Decoder::counter_present() const {
  if (mode_ == Mode::searching) return search_.first ? std::nullopt : std::optional(search_.counted);
  return mode_ == Mode::counting;
}

void Decoder::drop_front(std::size_t count) {
  std::byte* start = reinterpret_cast<std::byte*>(buffer_.data());
  std::memmove(start, start + count, size_ - count);
  size_ -= count;
}

void Decoder::deliver(std::size_t count) {
  auto pending = words().first(count);
  while (!pending.empty()) {
    const std::size_t piece = std::min(pending.size(), kPieceWords);
    deliver_piece(pending.first(piece));
    pending = pending.subspan(piece);
  }
  drop_front(count * kBytesPerWord);
}

void Decoder::deliver_piece(std::span<const std::uint32_t> piece) {
  const std::size_t count = piece.size();
  const float* table = table_.data();
  for (std::size_t i = 0; i < count; ++i)
    current_a_[i] = table[piece[i] & kConversionMask];
  for (std::size_t i = 0; i < count; ++i)
    logic_[i] = logic_of(piece[i]);
  bool clean = true;
  for (std::size_t i = 0; i < count; ++i)
    clean &= current_a_[i] == current_a_[i];

  const auto valid = [&](std::size_t i) { return !std::isnan(current_a_[i]); };
  for (std::size_t first = 0; first < count;) {
    const bool good = clean || valid(first);
    std::size_t last = clean ? count : first + 1;
    while (last < count && valid(last) == good)
      ++last;
    const std::size_t length = last - first;
    if (good) flush_gap();
    if (good)
      sink_.on_samples({.first = index_,
                        .words = piece.subspan(first, length),
                        .current_a = std::span(current_a_).subspan(first, length),
                        .logic = std::span(logic_).subspan(first, length)});
    else
      gap({index_, index_ + length, 0, capture::GapCause::invalid});
    index_ += length;
    first = last;
  }
  counter_ = (counter_ + static_cast<unsigned>(count)) & kCounterMask;
}

// Invalid words side by side make one gap, wherever the reads were cut.
void Decoder::gap(capture::Gap next) {
  if (next.first == next.last) return;
  const bool grows = open_gap_ && next.cause == capture::GapCause::invalid && open_gap_->last == next.first;
  if (grows) {
    open_gap_->last = next.last;
    return;
  }
  flush_gap();
  if (next.cause == capture::GapCause::invalid)
    open_gap_ = next;
  else
    sink_.on_gap(next);
}

void Decoder::flush_gap() {
  if (open_gap_) sink_.on_gap(*open_gap_);
  open_gap_.reset();
}

}  // namespace rigd::probe::ppk2
