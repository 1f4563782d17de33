// CRC-32 of IEEE 802.3 (reflected, initial value and final XOR 0xFFFFFFFF): "123456789" gives 0xCBF43926.
#ifndef RIGD_CRC32_H
#define RIGD_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t rigd_crc32(const uint8_t* bytes, size_t length);

#endif
