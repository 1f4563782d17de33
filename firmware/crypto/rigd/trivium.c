#include "crypto/rigd/trivium.h"

// 32 steps at once. Each register lies in 32-bit words with its newest bit on top: bit s_i of a register of N
// word bits is bit N - i, and bit j of a tap is what that tap gives at step j, which is also the order of the
// key stream. A tap is never younger than 65 bits, so 32 steps do not meet their own results.

// Inlined even under -Os: with constant positions a tap is two shifts, as a function it costs four times
// that.
__attribute__((always_inline)) static inline uint32_t tap(const uint32_t* words, unsigned bits,
                                                          unsigned position) {
  const unsigned offset = bits - position;
  return words[offset / 32] >> (offset % 32) | words[offset / 32 + 1] << (32 - offset % 32);
}

enum { BITS_A = 96, BITS_B = 96, BITS_C = 128 };

// Positions are those of the specification, less the bits of the registers before: s94 is bit 1 of b, s178 of
// c.
static uint32_t step_32(trivium* s) {
  uint32_t t1 = tap(s->a, BITS_A, 66) ^ tap(s->a, BITS_A, 93);
  uint32_t t2 = tap(s->b, BITS_B, 162 - 93) ^ tap(s->b, BITS_B, 177 - 93);
  uint32_t t3 = tap(s->c, BITS_C, 243 - 177) ^ tap(s->c, BITS_C, 288 - 177);
  const uint32_t stream = t1 ^ t2 ^ t3;
  t1 ^= (tap(s->a, BITS_A, 91) & tap(s->a, BITS_A, 92)) ^ tap(s->b, BITS_B, 171 - 93);
  t2 ^= (tap(s->b, BITS_B, 175 - 93) & tap(s->b, BITS_B, 176 - 93)) ^ tap(s->c, BITS_C, 264 - 177);
  t3 ^= (tap(s->c, BITS_C, 286 - 177) & tap(s->c, BITS_C, 287 - 177)) ^ tap(s->a, BITS_A, 69);
  s->a[0] = s->a[1], s->a[1] = s->a[2], s->a[2] = t3;
  s->b[0] = s->b[1], s->b[1] = s->b[2], s->b[2] = t1;
  s->c[0] = s->c[1], s->c[1] = s->c[2], s->c[2] = s->c[3], s->c[3] = t2;
  return stream;
}

static uint32_t load(const uint8_t* at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store(uint8_t* at, uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    at[i] = (uint8_t)(word >> (8 * i));
}

// The 80 bits lie on top of a register of 96; the 16 below are older than any tap looks.
static void load_80(uint32_t words[3], const uint8_t bytes[10]) {
  words[0] = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 24;
  words[1] = load(bytes + 2);
  words[2] = load(bytes + 6);
}

void trivium_setup(trivium* state, const uint8_t key[TRIVIUM_KEY_BYTES], const uint8_t iv[TRIVIUM_IV_BYTES]) {
  enum { BLANK_STEPS = 4 * 288 };
  load_80(state->a, key);
  load_80(state->b, iv);
  state->c[0] = 7u << (BITS_C - 111);  // s286 to s288
  state->c[1] = state->c[2] = state->c[3] = 0;
  for (unsigned i = 0; i < BLANK_STEPS / 32; ++i)
    step_32(state);
}

void trivium_crypt(trivium* state, const uint8_t* input, uint8_t* output, size_t length) {
  for (; length >= 4; length -= 4, input += 4, output += 4)
    store(output, load(input) ^ step_32(state));
  if (length == 0) return;
  uint32_t stream = step_32(state);
  for (size_t i = 0; i < length; ++i, stream >>= 8)
    output[i] = (uint8_t)(input[i] ^ stream);
}
