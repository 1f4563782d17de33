// Runs a case: its known answers, one operation, or the marker windows of a measurement.
#ifndef RIGD_MEASURE_H
#define RIGD_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/case.h"

typedef struct {
  uint32_t index;  // of the repetition
  uint32_t timer_ticks;
  uint32_t cycles;
  uint32_t digest;
} rigd_repetition;

typedef struct {
  uint32_t size;
  uint32_t repetitions;
  uint32_t inner;
  uint32_t gap_us;
  uint32_t warmup;
} rigd_windows;

// Number of the first published vector that fails, from 1; 0: all hold.
uint32_t rigd_first_failed_vector(const rigd_case_ops* ops);

// The operation `inner` times outside any window. False: it failed.
bool rigd_digest(const rigd_case_ops* ops, uint32_t size, uint32_t inner, uint32_t* digest);

// All windows, each answered through `on_repetition`. Adds the operation's own stack use. False: it failed.
bool rigd_measure(const rigd_case_ops* ops, const rigd_windows* windows,
                  void (*on_repetition)(const rigd_repetition*), uint32_t* stack_bytes);

#endif
