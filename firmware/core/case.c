#include "core/case.h"

// Placed around the tables by the linker script.
extern const rigd_case_record rigd_case_records_start[], rigd_case_records_end[];
extern const rigd_case_ops* const rigd_case_ops_start[];

uint32_t rigd_case_count(void) {
  return (uint32_t)(rigd_case_records_end - rigd_case_records_start);
}

const rigd_case_record* rigd_case_record_of(uint32_t index) {
  return &rigd_case_records_start[index];
}

const rigd_case_ops* rigd_case_ops_of(uint32_t index) {
  return rigd_case_ops_start[index];
}
