#include "core/stack.h"

#include "hal/hal.h"

enum { PAINT = 0xA5, MARGIN = 64 };  // the margin keeps the painter's own frame out

void rigd_stack_paint(void) {
  volatile uint8_t* const end = hal_stack_pointer() - MARGIN;
  for (volatile uint8_t* at = hal_stack_limit(); at < end; ++at)
    *at = PAINT;
}

static const uint8_t* deepest(void) {
  const uint8_t* at = hal_stack_limit();
  while (at < hal_stack_top() && *at == PAINT)
    ++at;
  return at;
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
