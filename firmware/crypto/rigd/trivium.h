// Trivium (De Canniere and Preneel; ISO/IEC 29192-3), 80-bit key and IV, in eSTREAM's byte order: key and IV
// bytes are loaded last byte first, the key stream fills each byte from its lowest bit.
#ifndef RIGD_TRIVIUM_H
#define RIGD_TRIVIUM_H

#include <stddef.h>
#include <stdint.h>

enum { TRIVIUM_KEY_BYTES = 10, TRIVIUM_IV_BYTES = 10 };

typedef struct {
  uint32_t a[3], b[3], c[4];
} trivium;

void trivium_setup(trivium* state, const uint8_t key[TRIVIUM_KEY_BYTES], const uint8_t iv[TRIVIUM_IV_BYTES]);
// XORs `length` bytes with the key stream. A length that is no multiple of 4 discards the rest of its last
// word.
void trivium_crypt(trivium* state, const uint8_t* input, uint8_t* output, size_t length);

#endif
