#include "core/heap.h"

#include <string.h>

enum { POOL_BYTES = 2048, UNIT = 8 };

// First fit over blocks that lie one behind the other; a freed block joins the free ones behind it when
// passed.
typedef struct {
  uint32_t bytes;  // of the whole block, header included; a multiple of UNIT
  uint32_t used;
} header;

static _Alignas(UNIT) uint8_t pool[POOL_BYTES];
static uint32_t in_use;
static uint32_t peak;
static uint32_t peak_ever;
static bool refused;

static header* at(uint32_t offset) {
  return (header*)(void*)(pool + offset);
}

static void begin(void) {
  if (at(0)->bytes == 0) at(0)->bytes = POOL_BYTES;
}

static void join_free(uint32_t offset) {
  header* block = at(offset);
  while (offset + block->bytes < POOL_BYTES && !at(offset + block->bytes)->used)
    block->bytes += at(offset + block->bytes)->bytes;
}

static void split(uint32_t offset, uint32_t bytes) {
  header* block = at(offset);
  if (block->bytes - bytes < 2 * UNIT) return;
  header* rest = at(offset + bytes);
  rest->bytes = block->bytes - bytes;
  rest->used = 0;
  block->bytes = bytes;
}

static void* refuse(void) {
  refused = true;
  return NULL;
}

void* rigd_heap_calloc(size_t count, size_t size) {
  if (size != 0 && count > POOL_BYTES / size) return refuse();
  const uint32_t bytes =
      ((uint32_t)(count * size) + (uint32_t)sizeof(header) + UNIT - 1) & ~(uint32_t)(UNIT - 1);
  begin();
  for (uint32_t offset = 0; offset < POOL_BYTES; offset += at(offset)->bytes) {
    if (at(offset)->used) continue;
    join_free(offset);
    if (at(offset)->bytes < bytes) continue;
    split(offset, bytes);
    header* block = at(offset);
    block->used = 1;
    in_use += block->bytes;
    if (in_use > peak) peak = in_use;
    if (peak > peak_ever) peak_ever = peak;
    return memset(block + 1, 0, block->bytes - sizeof(header));
  }
  return refuse();
}

void rigd_heap_free(void* block) {
  if (block == NULL) return;
  header* head = (header*)block - 1;
  head->used = 0;
  in_use -= head->bytes;
}

uint32_t rigd_heap_peak(void) {
  return peak;
}

uint32_t rigd_heap_peak_ever(void) {
  return peak_ever;
}

bool rigd_heap_refused(void) {
  return refused;
}

void rigd_heap_mark(void) {
  peak = in_use;
  refused = false;
}

uint32_t rigd_heap_size(void) {
  return POOL_BYTES;
}
