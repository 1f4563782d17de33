// Layout of a packed chunk, little endian:
//   u8 format = 1; u8 value_shift, value_bits, counter_shift, counter_bits; u32 samples; u16 first value
//   for each block of 128 samples: u8 width, u8 outliers, 16 * width bytes with the low `width` bits of the
//     differences of its values, then (u8 index, u16 bits above) for each difference that is wider: a jump at
//     an edge or a range switch would else widen the whole block
//   states:  varint count, then (varint samples, varint state) for each run of equal remaining bits
//   counter: varint first, varint count, then (varint samples, varint step) for each run of equal increments
//   u32 CRC-32 of all before
#include "store/chunk.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "store/bit_blocks.hpp"

namespace rigd::store {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::uint8_t kFormat = 1;
constexpr std::size_t kOutlierBytes = 3;

struct Run {
  std::uint32_t length;
  std::uint32_t key;  // a state, or a step of the counter
};

constexpr std::uint32_t ones(unsigned bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}

// The fields of a layout as masks.
struct Fields {
  explicit Fields(const WordLayout& layout)
      : layout(layout),
        value(ones(layout.value_bits) << layout.value_shift),
        counter(layout.counter_bits == 0 ? 0 : ones(layout.counter_bits) << layout.counter_shift),
        counter_one(layout.counter_bits == 0 ? 0 : std::uint32_t{1} << layout.counter_shift) {}

  WordLayout layout;
  std::uint32_t value;
  std::uint32_t counter;
  std::uint32_t counter_one;

  std::uint32_t state() const { return ~(value | counter); }
  unsigned state_bits() const { return 32U - layout.value_bits - layout.counter_bits; }
};

bool possible(const WordLayout& layout) {
  const unsigned value_end = layout.value_shift + layout.value_bits;
  const unsigned counter_end = layout.counter_shift + layout.counter_bits;
  return layout.value_bits >= 1 && layout.value_bits <= 16 && value_end <= 32 && layout.counter_bits <= 16 &&
         counter_end <= 32 && (layout.counter_bits == 0 || layout.counter_shift >= value_end);
}

// Takes the bits [shift, shift + bits) out of a word and closes the hole; insert_hole() opens it again.
std::uint32_t close_hole(std::uint32_t word, unsigned shift, unsigned bits) {
  const std::uint64_t above = std::uint64_t{word} >> (shift + bits);
  return static_cast<std::uint32_t>((above << shift) | (word & ones(shift)));
}
std::uint32_t open_hole(std::uint32_t word, unsigned shift, unsigned bits) {
  const std::uint64_t above = std::uint64_t{word} >> shift;
  return static_cast<std::uint32_t>((above << (shift + bits)) | (word & ones(shift)));
}

// The remaining bits of a word, side by side: small numbers make short varints.
std::uint32_t squeeze_state(const WordLayout& layout, std::uint32_t word) {
  return close_hole(close_hole(word, layout.counter_shift, layout.counter_bits), layout.value_shift,
                    layout.value_bits);
}
std::uint32_t spread_state(const WordLayout& layout, std::uint32_t state) {
  return open_hole(open_hole(state, layout.value_shift, layout.value_bits), layout.counter_shift,
                   layout.counter_bits);
}

inline void extend(std::vector<Run>& runs, std::uint32_t key, std::uint32_t length) {
  if (!runs.empty() && runs.back().key == key) {
    runs.back().length += length;
  } else {
    runs.push_back({length, key});
  }
}

// Runs of equal state and of equal counter step. Most blocks continue the last run of both: one pass that
// vectorises finds that out.
class RunFinder {
 public:
  RunFinder(const Fields& fields, std::uint32_t first_word) : fields_(fields), previous_(first_word) {
    extend(states_, first_word & fields.state(), 1);
  }

  // The words that follow the last one seen.
  void add(std::span<const std::uint32_t> words) {
    if (words.empty()) return;
    const bool quiet = steady(words) && (steps_.empty() || steps_.back().key == fields_.counter_one);
    if (quiet) {
      states_.back().length += static_cast<std::uint32_t>(words.size());
      extend(steps_, fields_.counter_one, static_cast<std::uint32_t>(words.size()));
    } else {
      add_each(words);
    }
    previous_ = words.back();
  }

  const std::vector<Run>& states() const { return states_; }
  const std::vector<Run>& steps() const { return steps_; }

 private:
  std::uint32_t step(std::uint32_t from, std::uint32_t to) const {
    return ((to & fields_.counter) - (from & fields_.counter)) & fields_.counter;
  }
  bool steady(std::span<const std::uint32_t> words) const {
    std::uint32_t strange =
        ((previous_ ^ words[0]) & fields_.state()) | (step(previous_, words[0]) ^ fields_.counter_one);
    for (std::size_t i = 1; i < words.size(); ++i) {
      strange |= (words[i - 1] ^ words[i]) & fields_.state();
      strange |= step(words[i - 1], words[i]) ^ fields_.counter_one;
    }
    return strange == 0;
  }
  void add_each(std::span<const std::uint32_t> words) {
    std::uint32_t previous = previous_;
    for (const std::uint32_t word : words) {
      extend(states_, word & fields_.state(), 1);
      extend(steps_, step(previous, word), 1);
      previous = word;
    }
  }

  const Fields& fields_;
  std::uint32_t previous_;
  std::vector<Run> states_;
  std::vector<Run> steps_;
};

class Writer {
 public:
  explicit Writer(std::size_t reserve) { bytes_.reserve(reserve); }

  template <class T>
  void number(T value) {
    std::memcpy(grow(sizeof value), &value, sizeof value);
  }
  void varint(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7)
      number(static_cast<std::uint8_t>(value | 0x80));
    number(static_cast<std::uint8_t>(value));
  }
  void raw(const void* data, std::size_t size) { std::memcpy(grow(size), data, size); }
  std::byte* grow(std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + bytes_.size() - size;
  }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));  // NOLINT: zlib's byte type
}

// Values of up to one block; a short block is filled up with its last value.
void take_values(const Fields& fields, std::span<const std::uint32_t> words, std::uint16_t* values) {
  const unsigned shift = fields.layout.value_shift;
  const std::uint32_t mask = ones(fields.layout.value_bits);
  for (std::size_t i = 0; i < words.size(); ++i)
    values[i] = static_cast<std::uint16_t>((words[i] >> shift) & mask);
  for (std::size_t i = words.size(); i < kBlockSamples; ++i)
    values[i] = values[i - 1];
}

void write_block(Writer& out, ValueBlock& block) {
  block.to_differences();
  const unsigned width = block.best_width(kOutlierBytes);
  std::array<std::byte, kBlockSamples * kOutlierBytes> outliers;
  std::size_t count = 0;
  block.split_outliers(width, [&](std::size_t index, std::uint16_t above) {
    std::byte* to = outliers.data() + count++ * kOutlierBytes;
    *to = static_cast<std::byte>(index);
    std::memcpy(to + 1, &above, sizeof above);
  });
  out.number(static_cast<std::uint8_t>(width));
  out.number(static_cast<std::uint8_t>(count));
  block.pack(width, out.grow(packed_bytes(width)));
  out.raw(outliers.data(), count * kOutlierBytes);
}

void write_values(Writer& out, const Fields& fields, std::span<const std::uint32_t> words, RunFinder& runs) {
  const std::uint32_t first_value = (words[0] & fields.value) >> fields.layout.value_shift;
  ValueBlock block(fields.layout.value_bits, static_cast<std::uint16_t>(first_value));
  for (std::size_t first = 0; first < words.size(); first += kBlockSamples) {
    const auto some = words.subspan(first, std::min(kBlockSamples, words.size() - first));
    take_values(fields, some, block.values());
    write_block(out, block);
    runs.add(first == 0 ? some.subspan(1) : some);
  }
}

void write_states(Writer& out, const Fields& fields, const std::vector<Run>& states) {
  out.varint(static_cast<std::uint32_t>(states.size()));
  for (const Run& run : states) {
    out.varint(run.length);
    out.varint(squeeze_state(fields.layout, run.key));
  }
}

void write_counter(Writer& out, const Fields& fields, std::uint32_t first_word,
                   const std::vector<Run>& steps) {
  const unsigned shift = fields.layout.counter_bits == 0 ? 0 : fields.layout.counter_shift;
  out.varint((first_word & fields.counter) >> shift);
  out.varint(static_cast<std::uint32_t>(steps.size()));
  for (const Run& run : steps) {
    out.varint(run.length);
    out.varint(run.key >> shift);
  }
}

// Reads within bounds; after a read past the end everything is zero and ok() is false.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    if (const std::byte* from = raw(sizeof value)) std::memcpy(&value, from, sizeof value);
    return value;
  }
  std::uint32_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) break;
      if (shift == 28) ok_ = false;
    }
    if (value > ones(32)) ok_ = false;
    return ok_ ? static_cast<std::uint32_t>(value) : 0;
  }
  const std::byte* raw(std::size_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return nullptr;
    }
    const std::byte* from = bytes_.data();
    bytes_ = bytes_.subspan(size);
    return from;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

bool read_block(Reader& in, unsigned value_bits, ValueBlock& block) {
  const unsigned width = in.number<std::uint8_t>();
  unsigned outliers = in.number<std::uint8_t>();
  if (width > value_bits) return false;
  const std::byte* packed = in.raw(packed_bytes(width));
  if (packed == nullptr) return false;
  block.unpack(width, packed);
  for (; outliers > 0; --outliers) {
    const std::size_t index = in.number<std::uint8_t>();
    const auto above = in.number<std::uint16_t>();
    if (!in.ok() || index >= kBlockSamples || above > ones(value_bits - width)) return false;
    block.restore_outlier(width, index, above);
  }
  block.to_values();
  return true;
}

bool read_values(Reader& in, const Fields& fields, std::span<std::uint32_t> words) {
  const auto first_value = in.number<std::uint16_t>();
  ValueBlock block(fields.layout.value_bits, first_value);
  for (std::size_t first = 0; first < words.size(); first += kBlockSamples) {
    if (!read_block(in, fields.layout.value_bits, block)) return false;
    const auto some = words.subspan(first, std::min(kBlockSamples, words.size() - first));
    const std::uint16_t* values = block.values();
    for (std::size_t i = 0; i < some.size(); ++i)
      some[i] = std::uint32_t{values[i]} << fields.layout.value_shift;
  }
  return true;
}

// Calls apply(words of the run, key) for runs that must cover `words` exactly.
template <class Apply>
bool read_runs(Reader& in, std::span<std::uint32_t> words, const Apply& apply) {
  std::uint32_t count = in.varint();
  for (; count > 0 && in.ok(); --count) {
    const std::uint32_t length = in.varint();
    const std::uint32_t key = in.varint();
    if (!in.ok() || length == 0 || length > words.size()) return false;
    if (!apply(words.first(length), key)) return false;
    words = words.subspan(length);
  }
  return in.ok() && words.empty();
}

bool read_states(Reader& in, const Fields& fields, std::span<std::uint32_t> words) {
  return read_runs(in, words, [&](std::span<std::uint32_t> run, std::uint32_t key) {
    if (key > ones(fields.state_bits())) return false;
    const std::uint32_t state = spread_state(fields.layout, key);
    for (std::uint32_t& word : run)
      word |= state;
    return true;
  });
}

bool read_counter(Reader& in, const Fields& fields, std::span<std::uint32_t> words) {
  const unsigned shift = fields.layout.counter_shift;
  const std::uint32_t mask = ones(fields.layout.counter_bits);
  std::uint32_t counter = in.varint();
  if (counter > mask) return false;
  if (mask != 0) words[0] |= counter << shift;
  return read_runs(in, words.subspan(1), [&](std::span<std::uint32_t> run, std::uint32_t step) {
    if (step > mask) return false;
    if (mask == 0) return true;
    std::uint32_t at = counter;
    for (std::uint32_t& word : run) {
      at += step;
      word |= (at & mask) << shift;
    }
    counter = at & mask;
    return true;
  });
}

std::unexpected<Error> damaged(const char* how) {
  return fail(ErrorCode::store_failure, std::string("a trace chunk is damaged: ") + how);
}

}  // namespace

Result<std::vector<std::byte>> pack_chunk(const WordLayout& layout, std::span<const std::uint32_t> words) {
  if (!possible(layout)) return fail(ErrorCode::internal, "impossible word layout");
  if (words.empty() || words.size() > kChunkSamples)
    return fail(ErrorCode::internal, "a chunk holds 1 to 65536 words");
  const Fields fields(layout);
  RunFinder runs(fields, words[0]);
  Writer out(64 + words.size() * 2);
  out.number(kFormat);
  out.number(layout.value_shift);
  out.number(layout.value_bits);
  out.number(layout.counter_shift);
  out.number(layout.counter_bits);
  out.number(static_cast<std::uint32_t>(words.size()));
  out.number(static_cast<std::uint16_t>((words[0] & fields.value) >> layout.value_shift));
  write_values(out, fields, words, runs);
  write_states(out, fields, runs.states());
  write_counter(out, fields, words[0], runs.steps());
  const std::uint32_t crc = crc_of(out.bytes());
  out.number(crc);
  return out.take();
}

Result<std::vector<std::uint32_t>> unpack_chunk(std::span<const std::byte> packed) {
  if (packed.size() < sizeof(std::uint32_t)) return damaged("too short");
  const auto body = packed.first(packed.size() - sizeof(std::uint32_t));
  std::uint32_t crc = 0;
  std::memcpy(&crc, packed.data() + body.size(), sizeof crc);
  if (crc != crc_of(body)) return damaged("its checksum is wrong");

  Reader in(body);
  if (in.number<std::uint8_t>() != kFormat) return damaged("unknown format");
  WordLayout layout;
  layout.value_shift = in.number<std::uint8_t>();
  layout.value_bits = in.number<std::uint8_t>();
  layout.counter_shift = in.number<std::uint8_t>();
  layout.counter_bits = in.number<std::uint8_t>();
  const auto samples = in.number<std::uint32_t>();
  if (!in.ok() || !possible(layout)) return damaged("impossible word layout");
  if (samples == 0 || samples > kChunkSamples) return damaged("impossible length");

  const Fields fields(layout);
  std::vector<std::uint32_t> words(samples);
  if (!read_values(in, fields, words)) return damaged("values");
  if (!read_states(in, fields, words)) return damaged("states");
  if (!read_counter(in, fields, words)) return damaged("counter");
  if (!in.at_end()) return damaged("bytes left over");
  return words;
}

}  // namespace rigd::store
