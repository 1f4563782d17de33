#include "core/build_id.h"

// An ELF note: name size, descriptor size, type, "GNU\0", then the descriptor.
extern const uint8_t rigd_build_id_note[];

enum { NOTE_HEADER_BYTES = 16 };

const uint8_t* rigd_build_id(void) {
  return rigd_build_id_note + NOTE_HEADER_BYTES;
}
