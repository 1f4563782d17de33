#include "crypto/hex.h"

static uint8_t digit(char c) {
  return (uint8_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

static uint8_t byte_at(const char* text) {
  return (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
}

size_t rigd_hex(uint8_t* into, const char* text) {
  size_t length = 0;
  for (; text[2 * length] != '\0'; ++length)
    into[length] = byte_at(text + 2 * length);
  return length;
}

bool rigd_hex_equal(const uint8_t* bytes, const char* text) {
  for (; *text != '\0'; text += 2)
    if (*bytes++ != byte_at(text)) return false;
  return true;
}
