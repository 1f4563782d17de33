// The smallest image worth flashing: prints the word TEXT on the board's UART, then sleeps; with REPEAT it
// prints without end, with CRASH it locks the core up. PADDING bytes make it as long as a real one. CHIP is
// 51 (nRF51822: RM 3.0 chapter 28) or 405 (STM32F405: RM0090 chapter 30, USART1).
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))

extern char stack_top;
void reset(void);
void stop(void);

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {&stack_top, (void*)reset,
                                                                                   (void*)stop, (void*)stop};

#ifdef REPEAT
#define REPEATS 1
#else
#define REPEATS 0
#endif

#ifdef PADDING
__attribute__((used)) const uint8_t padding[PADDING] = {1, 2, 3, [PADDING - 1] = 4};
#endif

#define AS_STRING(word) AS_STRING_(word)
#define AS_STRING_(word) #word
static const char text[] = AS_STRING(TEXT);

#if CHIP == 51
static void uart_start(void) {
  REGISTER(0x40002500) = 4;  // ENABLE
  REGISTER(0x40002008) = 1;  // TASKS_STARTTX
}
static void uart_put(char c) {
  REGISTER(0x4000211C) = 0;  // EVENTS_TXDRDY
  REGISTER(0x4000251C) = (uint8_t)c;
  while (REGISTER(0x4000211C) == 0) {
  }
}
#else
static void uart_start(void) {
  REGISTER(0x4001100C) = 1u << 13 | 1u << 3;
}  // CR1: UE, TE
static void uart_put(char c) {
  while ((REGISTER(0x40011000) & 1u << 7) == 0) {  // SR: TXE
  }
  REGISTER(0x40011004) = (uint8_t)c;
}
#endif

// The handler of faults too: a fault within it locks the core up.
void stop(void) {
#ifdef CRASH
  __asm volatile("udf #0");
#endif
  for (;;)
    __asm volatile("wfi");
}

void reset(void) {
  uart_start();
  do {
    for (const char* c = text; *c != '\0'; ++c)
      uart_put(*c);
  } while (REPEATS);
  stop();
}
