// The linker's build-id note of this image (SHA-1, 20 bytes).
#ifndef RIGD_BUILD_ID_H
#define RIGD_BUILD_ID_H

#include <stdint.h>

enum { RIGD_BUILD_ID_BYTES = 20 };

const uint8_t* rigd_build_id(void);

#endif
