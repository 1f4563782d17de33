#include "boards/cortex_m/cortex_m.h"

#include "hal/hal.h"

extern uint32_t rigd_data_load[], rigd_data_start[], rigd_data_end[], rigd_bss_start[], rigd_bss_end[];
extern uint8_t rigd_stack_top[];
int main(void);

// ARMv7-M Architecture Reference Manual: B3.2 (AIRCR), B3.4 (NVIC), C1.6 (DEMCR), C1.8 (DWT).
enum { AIRCR_KEY_RESET = 0x05FA0004 };
#define AIRCR RIGD_REGISTER(0xE000ED0C)
#define NVIC_ISER(word) RIGD_REGISTER(0xE000E100 + 4 * (word))
#define DEMCR RIGD_REGISTER(0xE000EDFC)
#define DWT_CTRL RIGD_REGISTER(0xE0001000)
#define DWT_CYCCNT RIGD_REGISTER(0xE0001004)

void rigd_reset_handler(void) {
#if defined(__ARM_FP)
  RIGD_REGISTER(0xE000ED88) |= 0xFu << 20;  // CPACR: full access to the floating-point unit
  __asm volatile("dsb\n isb");
#endif
  const uint32_t* from = rigd_data_load;
  for (uint32_t* to = rigd_data_start; to < rigd_data_end;)
    *to++ = *from++;
  for (uint32_t* to = rigd_bss_start; to < rigd_bss_end;)
    *to++ = 0;
  main();
  rigd_lock_up();
}

// An undefined instruction inside the fault handler locks the core up (B1.5, "Unrecoverable exception
// cases"): a debugger sees it, and QEMU ends with a message, so that a crash is an event at once and not a
// silence.
void rigd_lock_up(void) {
  for (;;)
    __asm volatile("udf #0");
}

void cortex_m_enable_interrupt(unsigned number) {
  NVIC_ISER(number / 32) = 1u << (number % 32);
}

// One writer (the interrupt), one reader: each index has one owner.
enum { BUFFER_BYTES = 1024 };
static volatile uint8_t buffer[BUFFER_BYTES];
static volatile uint32_t written;
static volatile uint32_t taken;

void cortex_m_received(uint8_t byte) {
  if (written - taken == BUFFER_BYTES) return;  // the frame it belongs to fails its CRC
  buffer[written % BUFFER_BYTES] = byte;
  written = written + 1;
}

uint8_t hal_uart_read(void) {
  while (written == taken) {
    // WFI wakes for a pending interrupt even while it is masked, so none can slip in between test and sleep.
    hal_irq_mask();
    if (written == taken) __asm volatile("wfi");
    hal_irq_unmask();
  }
  const uint8_t byte = buffer[taken % BUFFER_BYTES];
  taken = taken + 1;
  return byte;
}

void hal_irq_mask(void) {
  __asm volatile("cpsid i" ::: "memory");
}
void hal_irq_unmask(void) {
  __asm volatile("cpsie i" ::: "memory");
}

uint8_t* hal_stack_top(void) {
  return rigd_stack_top;
}
uint8_t* hal_stack_limit(void) {
  return (uint8_t*)rigd_bss_end;
}

__attribute__((noinline)) uint8_t* hal_stack_pointer(void) {
  uint8_t* pointer;
  __asm volatile("mov %0, sp" : "=r"(pointer));
  return pointer;
}

_Noreturn void hal_reset(void) {
  __asm volatile("dsb");
  AIRCR = AIRCR_KEY_RESET;
  for (;;)
    __asm volatile("");
}

#if __ARM_ARCH >= 7
bool cortex_m_start_cycle_counter(void) {
  DEMCR |= 1u << 24;  // TRCENA
  DWT_CYCCNT = 0;
  DWT_CTRL |= 1;  // CYCCNTENA
  const uint32_t before = DWT_CYCCNT;
  __asm volatile("nop\n nop\n nop\n nop");
  return DWT_CYCCNT != before;
}
uint32_t cortex_m_cycles(void) {
  return DWT_CYCCNT;
}
#else
bool cortex_m_start_cycle_counter(void) {
  return false;
}
uint32_t cortex_m_cycles(void) {
  return 0;
}
#endif

__attribute__((noinline)) void cortex_m_spin(uint32_t turns) {
  if (turns == 0) return;
  __asm volatile(
      ".syntax unified\n"
      "1: subs %0, %0, #1\n"
      "   bne 1b\n"
      : "+l"(turns)
      :
      : "cc");
}
