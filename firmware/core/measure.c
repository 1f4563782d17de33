#include "core/measure.h"

#include <string.h>

#include "core/crc32.h"
#include "core/stack.h"
#include "hal/hal.h"

static _Alignas(8) uint8_t input[RIGD_MOST_INPUT + RIGD_MOST_EXTRA];
static _Alignas(8) uint8_t output[RIGD_MOST_INPUT + RIGD_MOST_EXTRA];

// The same input on every board and in every run: bytes of a multiplicative sequence, none special.
static uint32_t prepare(const rigd_case_ops* ops, rigd_job* job, uint32_t size) {
  job->input = input;
  job->output = output;
  job->size = size;
  for (uint32_t i = 0; i < size; ++i)
    input[i] = (uint8_t)(i * 167 + 13);
  memset(output, 0, sizeof output);
  return ops->prepare(job);
}

static int run(const rigd_case_ops* ops, const rigd_job* job, uint32_t inner) {
  int (*const operation)(const rigd_job*) = ops->run;
  int status = 0;
  do {
    status |= operation(job);
  } while (--inner != 0);
  return status;
}

uint32_t rigd_first_failed_vector(const rigd_case_ops* ops) {
  for (unsigned vector = 0; vector < ops->vectors; ++vector)
    if (!ops->known_answer(vector)) return vector + 1;
  return 0;
}

bool rigd_digest(const rigd_case_ops* ops, uint32_t size, uint32_t inner, uint32_t* digest) {
  rigd_job job;
  const uint32_t bytes = prepare(ops, &job, size);
  if (bytes == 0 || run(ops, &job, inner) != 0) return false;
  *digest = rigd_crc32(output, bytes);
  return true;
}

// Nothing but the operation runs between the marker's edges: interrupts are masked, the link is silent.
static int window(const rigd_case_ops* ops, const rigd_job* job, uint32_t inner) {
  hal_irq_mask();
  hal_window_open();
  const int status = run(ops, job, inner);
  hal_window_close();
  hal_irq_unmask();
  return status;
}

bool rigd_measure(const rigd_case_ops* ops, const rigd_windows* windows,
                  void (*on_repetition)(const rigd_repetition*), uint32_t* stack_bytes) {
  *stack_bytes = 0;
  for (uint32_t i = 0; i < windows->warmup + windows->repetitions; ++i) {
    rigd_job job;
    const uint32_t bytes = prepare(ops, &job, windows->size);
    if (bytes == 0) return false;
    rigd_stack_paint();
    hal_idle_us(windows->gap_us);
    const uint8_t* const from = hal_stack_pointer();
    if (window(ops, &job, windows->inner) != 0) return false;
    hal_idle_us(windows->gap_us);
    const uint32_t used = rigd_stack_used_below(from);
    if (used > *stack_bytes) *stack_bytes = used;
    if (i < windows->warmup) continue;
    const rigd_repetition repetition = {i - windows->warmup, hal_window_ticks(), hal_window_cycles(),
                                        rigd_crc32(output, bytes)};
    on_repetition(&repetition);
  }
  return true;
}
