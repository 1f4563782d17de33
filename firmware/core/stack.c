#include "core/stack.h"

#include <stdbool.h>

#include "hal/hal.h"

#define PAINT UINT32_C(0xA5C33C5A)

static bool painted;
static uint32_t used_before;  // what painting anew would make forgotten

static uint32_t* word_at(uint8_t* address) {
  return (uint32_t*)(void*)address;
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
  const uint32_t used = (uint32_t)(hal_stack_top() - deepest());
  return used > used_before ? used : used_before;
}

void rigd_stack_paint(void) {
  if (painted) used_before = rigd_stack_used();
  painted = true;
  volatile uint32_t* at = word_at(hal_stack_limit());
  // Nothing below the stack pointer is in use: this function's frame lies above and it calls no more.
  volatile uint32_t* const end = word_at(hal_stack_pointer());
  while (at < end)
    *at++ = PAINT;
}

uint32_t rigd_stack_size(void) {
  return (uint32_t)(hal_stack_top() - hal_stack_limit());
}
