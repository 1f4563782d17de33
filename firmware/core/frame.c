#include "core/frame.h"

#include <string.h>

#include "core/crc32.h"

// Decodes in place; returns the decoded length, 0 where the bytes are no COBS.
static size_t cobs_decode(uint8_t* bytes, size_t length) {
  size_t in = 0;
  size_t out = 0;
  while (in < length) {
    const size_t code = bytes[in++];
    const size_t run = code - 1;
    if (run > length - in) return 0;
    memmove(bytes + out, bytes + in, run);
    out += run;
    in += run;
    if (code < 0xFF && in < length) bytes[out++] = 0;
  }
  return out;
}

// The frame that was collected: its payload's length, 0 where it is broken.
static size_t open_frame(uint8_t* bytes, size_t encoded) {
  const size_t length = cobs_decode(bytes, encoded);
  if (length <= RIGD_CRC_BYTES) return 0;
  const size_t payload = length - RIGD_CRC_BYTES;
  const uint8_t* at = bytes + payload;
  const uint32_t sent = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  return rigd_crc32(bytes, payload) == sent ? payload : 0;
}

size_t rigd_frame_take(rigd_frame_receiver* receiver, uint8_t byte) {
  if (byte != 0) {
    if (receiver->length == sizeof receiver->bytes)
      receiver->overrun = 1;
    else
      receiver->bytes[receiver->length++] = byte;
    return 0;
  }
  const size_t payload = receiver->overrun ? 0 : open_frame(receiver->bytes, receiver->length);
  receiver->length = 0;
  receiver->overrun = 0;
  return payload;
}

void rigd_frame_send(uint8_t* payload, size_t length, void (*put)(uint8_t byte)) {
  const uint32_t crc = rigd_crc32(payload, length);
  for (int i = 0; i < RIGD_CRC_BYTES; ++i)
    payload[length++] = (uint8_t)(crc >> (8 * i));
  size_t at = 0;
  for (;;) {
    size_t run = 0;
    while (run < 254 && at + run < length && payload[at + run] != 0)
      ++run;
    put((uint8_t)(run + 1));
    for (size_t i = 0; i < run; ++i)
      put(payload[at + i]);
    at += run;
    if (at == length) break;
    if (run == 254) continue;  // a full run stands for no zero
    if (++at == length) {      // the zero this run stands for was the last byte: an empty run follows it
      put(1);
      break;
    }
  }
  put(0);
}
