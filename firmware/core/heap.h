// A small heap with a known peak, for libraries that allocate.
#ifndef RIGD_HEAP_H
#define RIGD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void* rigd_heap_calloc(size_t count, size_t size);  // zeroed; null where the pool is full
void rigd_heap_free(void* block);

// Most bytes in use at once, headers included: since the last rigd_heap_mark(), and since reset.
uint32_t rigd_heap_peak(void);
uint32_t rigd_heap_peak_ever(void);
bool rigd_heap_refused(void);  // since the last rigd_heap_mark() the pool was too full for somebody
void rigd_heap_mark(void);
uint32_t rigd_heap_size(void);

#endif
