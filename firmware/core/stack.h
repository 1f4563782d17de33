// Stack use by painting, in words of 4 bytes: what a call leaves unpainted, it used.
#ifndef RIGD_STACK_H
#define RIGD_STACK_H

#include <stdint.h>

// Everything below the caller. First called before anything else runs. With interrupts masked, or a handler
// counts as the caller's use.
void rigd_stack_paint(void);
// Bytes from `from` down to the deepest touched since painting. Never less than the painter's own frame.
uint32_t rigd_stack_used_below(const uint8_t* from);
uint32_t rigd_stack_used(void);  // bytes from the top down to the deepest touched since reset
uint32_t rigd_stack_size(void);

#endif
