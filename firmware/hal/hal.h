// What a board must do for the core. One implementation a board, in boards/NAME/.
//
// Between hal_window_open() and hal_window_close() nothing but the operation runs: interrupts are masked by
// the core and the serial link is silent.
#ifndef RIGD_HAL_H
#define RIGD_HAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char* name;  // as the board file is named
  uint32_t cpu_hz;
  uint32_t timer_hz;  // of hal_window_ticks()
  uint32_t flash_wait_states;
  uint32_t ram_bytes;
  bool cycle_counter;  // hal_window_cycles() comes from a hardware counter that was seen to advance
} hal_board;

// Clocks, serial port, timer, marker (low). Called once, before any interrupt is enabled; leaves them
// unmasked.
void hal_init(void);
const hal_board* hal_board_facts(void);
// The chip's unique number; returns its length in bytes, 0 where there is none, at most 16.
size_t hal_chip_uid(uint8_t uid[16]);

// Sleeps (WFI) until a byte has come. Bytes are collected by an interrupt, at least 512 of them.
uint8_t hal_uart_read(void);
// Returns when the last bit has left: no byte is still on its way when a window opens.
void hal_uart_write(uint8_t byte);

void hal_irq_mask(void);
void hal_irq_unmask(void);

// Reads the timer, then raises the marker; reads the timer, then lowers it. Both with the same few
// instructions in between, so that the ticks are those of the window.
void hal_window_open(void);
void hal_window_close(void);
uint32_t hal_window_ticks(void);   // of the last window, modulo 2^32
uint32_t hal_window_cycles(void);  // likewise; 0 without a cycle counter

// Lets about `us` microseconds of the board's own time pass with the link silent; at most 60 s.
void hal_idle_us(uint32_t us);

// The stack grows down from hal_stack_top() and may reach hal_stack_limit(). All three are multiples of 4.
uint8_t* hal_stack_top(void);
uint8_t* hal_stack_limit(void);
uint8_t* hal_stack_pointer(void);  // nothing below it is in use

_Noreturn void hal_reset(void);

#endif
