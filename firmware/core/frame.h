// Frames on the serial link: payload, CRC-32 (little endian), COBS (Cheshire and Baker 1999), a zero byte at
// the end.
#ifndef RIGD_FRAME_H
#define RIGD_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
  RIGD_MOST_PAYLOAD = 256,
  RIGD_CRC_BYTES = 4,
  // COBS adds one byte for each 254, at least one.
  RIGD_MOST_ENCODED = RIGD_MOST_PAYLOAD + RIGD_CRC_BYTES + (RIGD_MOST_PAYLOAD + RIGD_CRC_BYTES) / 254 + 1
};

// Collects bytes until a frame is whole. Zero-initialise.
typedef struct {
  uint8_t bytes[RIGD_MOST_ENCODED];
  size_t length;
  int overrun;  // the frame under way is longer than any frame: dropped at its end
} rigd_frame_receiver;

// Takes one byte. Returns the length of the payload, now at receiver->bytes, when it ended a good frame; else
// 0. A bad frame costs only itself; empty frames are nothing.
size_t rigd_frame_take(rigd_frame_receiver* receiver, uint8_t byte);

// Encodes a payload of at most RIGD_MOST_PAYLOAD bytes and hands the frame to `put`, byte by byte. `payload`
// must have room for the CRC behind it.
void rigd_frame_send(uint8_t* payload, size_t length, void (*put)(uint8_t byte));

#endif
