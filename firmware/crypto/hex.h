// Published vectors as they are printed: hexadecimal text.
#ifndef RIGD_HEX_H
#define RIGD_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t rigd_hex(uint8_t* into, const char* text);             // returns the number of bytes
bool rigd_hex_equal(const uint8_t* bytes, const char* text);  // the bytes `text` stands for

#endif
