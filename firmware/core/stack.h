// Stack use by painting, in words of 4 bytes: what a call leaves unpainted, it used.
#ifndef RIGD_STACK_H
#define RIGD_STACK_H

#include <stdint.h>

void rigd_stack_paint(void);                          // everything below the caller
uint32_t rigd_stack_used_below(const uint8_t* from);  // bytes from `from` down to the deepest touched since
uint32_t rigd_stack_used(void);  // bytes from the top down to the deepest touched since painting
uint32_t rigd_stack_size(void);

#endif
