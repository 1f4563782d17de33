// One thing that can be measured. A file in crypto/ defines cases with RIGD_CASE; the linker collects them.
//
//   RIGD_CASE(sha256_hash, "sha-256/hash/mbedtls", "mbedtls 2.28.3", 0, 1024, 1, &sha256_ops);
#ifndef RIGD_CASE_H
#define RIGD_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RIGD_MOST_INPUT = 1024, RIGD_MOST_EXTRA = 16 };

// Input and output of an operation. `input` holds `size` bytes of a fixed pattern when prepare() is called.
typedef struct {
  uint8_t* input;
  uint8_t* output;
  uint32_t size;
} rigd_job;

typedef struct {
  // Published vector number `vector` (from 0): true where it holds. Source named beside each vector.
  unsigned vectors;
  bool (*known_answer)(unsigned vector);
  // Everything that does not belong to the operation (key set-up, for decryption a valid input). Called
  // before each window, so that every window starts alike. Returns the number of output bytes, 0: failed.
  uint32_t (*prepare)(const rigd_job* job);
  // The operation, once. The window runs it `inner` times. Returns 0, or the library's error.
  int (*run)(const rigd_job* job);
  // Gives back what known_answer() and prepare() allocated; null where they allocate nothing.
  void (*finish)(void);
} rigd_case_ops;

// What an image says about its cases: read from the ELF file by the host, and sent by the board. 108 bytes.
typedef struct {
  char id[64];        // primitive/operation/implementation, NUL-padded
  char library[32];   // name and version
  uint32_t min_size;  // bytes of input
  uint32_t max_size;
  uint32_t size_step;
} rigd_case_record;

_Static_assert(sizeof(rigd_case_record) == 108, "the host reads records of 108 bytes");

// Two parallel tables, each collected by the linker in the order of the keys. Sections named after the same
// key sort alike, so that entry i of one belongs to entry i of the other.
#define RIGD_CASE(key, id_, library_, min_, max_, step_, ops_)                                            \
  __attribute__((used, section(".rigd_cases." #key)))                                                     \
  const rigd_case_record rigd_case_record_##key = {id_, library_, min_, max_, step_};                     \
  __attribute__((used, section(".rigd_case_ops." #key))) const rigd_case_ops* const rigd_case_ops_##key = \
      (ops_)

uint32_t rigd_case_count(void);
const rigd_case_record* rigd_case_record_of(uint32_t index);
const rigd_case_ops* rigd_case_ops_of(uint32_t index);

#endif
