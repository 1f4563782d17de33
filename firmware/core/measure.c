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

static void finish(const rigd_case_ops* ops) {
  if (ops->finish != NULL) ops->finish();
}

uint32_t rigd_first_failed_vector(const rigd_case_ops* ops) {
  uint32_t failed = 0;
  for (unsigned vector = 0; vector < ops->vectors && failed == 0; ++vector)
    if (!ops->known_answer(vector)) failed = vector + 1;
  finish(ops);
  return failed;
}

bool rigd_digest(const rigd_case_ops* ops, uint32_t size, uint32_t inner, uint32_t* digest) {
  rigd_job job;
  const uint32_t bytes = prepare(ops, &job, size);
  const bool good = bytes != 0 && run(ops, &job, inner) == 0;
  *digest = good ? rigd_crc32(output, bytes) : 0;
  finish(ops);
  return good;
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

// One window between two idle stretches, after a fresh preparation. Returns the output's length, 0: failed.
static uint32_t repetition(const rigd_case_ops* ops, const rigd_windows* windows) {
  rigd_job job;
  const uint32_t bytes = prepare(ops, &job, windows->size);
  if (bytes == 0) return 0;
  hal_idle_us(windows->gap_us);
  const int status = window(ops, &job, windows->inner);
  hal_idle_us(windows->gap_us);
  return status == 0 ? bytes : 0;
}

// The operation's own stack use. Painting and looking take longer than many an operation, so it is done once,
// outside any window; every repetition runs the same code.
static uint32_t stack_use(const rigd_case_ops* ops, uint32_t size) {
  rigd_job job;
  if (prepare(ops, &job, size) == 0) return 0;
  hal_irq_mask();  // no handler's frame among the operation's
  rigd_stack_paint();
  const uint8_t* const from = hal_stack_pointer();
  run(ops, &job, 1);
  const uint32_t used = rigd_stack_used_below(from);
  hal_irq_unmask();
  return used;
}

static bool all_windows(const rigd_case_ops* ops, const rigd_windows* windows,
                        void (*on_repetition)(const rigd_repetition*)) {
  for (uint32_t i = 0; i < windows->warmup + windows->repetitions; ++i) {
    const uint32_t bytes = repetition(ops, windows);
    if (bytes == 0) return false;
    if (i < windows->warmup) continue;
    const rigd_repetition done = {i - windows->warmup, hal_window_ticks(), hal_window_cycles(),
                                  rigd_crc32(output, bytes)};
    on_repetition(&done);
  }
  return true;
}

bool rigd_measure(const rigd_case_ops* ops, const rigd_windows* windows,
                  void (*on_repetition)(const rigd_repetition*), uint32_t* stack_bytes) {
  *stack_bytes = stack_use(ops, windows->size);
  const bool good = all_windows(ops, windows, on_repetition);
  finish(ops);
  return good;
}
