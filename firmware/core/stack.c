#include "core/stack.h"

#include "hal/hal.h"

#define PAINT UINT32_C(0xA5C33C5A)
enum { MARGIN = 64 };  // keeps the painter's own frame out

static uint32_t* word_at(uint8_t* address) {
  return (uint32_t*)(void*)address;
}

void rigd_stack_paint(void) {
  volatile uint32_t* const end = word_at(hal_stack_pointer() - MARGIN);
  for (volatile uint32_t* at = word_at(hal_stack_limit()); at < end; ++at)
    *at = PAINT;
}

static const uint8_t* deepest(void) {
  const uint32_t* const top = word_at(hal_stack_top());
  const uint32_t* at = word_at(hal_stack_limit());
  while (at < top && *at == PAINT)
    ++at;
  return (const uint8_t*)at;
}

uint32_t rigd_stack_used_below(const uint8_t* from) {
  const uint8_t* low = deepest();
  return low < from ? (uint32_t)(from - low) : 0;
}

uint32_t rigd_stack_used(void) {
  return (uint32_t)(hal_stack_top() - deepest());
}

uint32_t rigd_stack_size(void) {
  return (uint32_t)(hal_stack_top() - hal_stack_limit());
}
