// What the Cortex-M boards share: start-up, receive buffer, interrupt mask, stack, reset.
#ifndef RIGD_CORTEX_M_H
#define RIGD_CORTEX_M_H

#include <stdbool.h>
#include <stdint.h>

#define RIGD_REGISTER(address) (*(volatile uint32_t*)(address))

// Called by the board's receive interrupt.
void cortex_m_received(uint8_t byte);
void cortex_m_enable_interrupt(unsigned number);  // ARMv6-M and ARMv7-M: NVIC_ISER

// DWT cycle counter (ARMv7-M C1.8). Starts it and tells whether it advances; QEMU 7.2 has none and reads 0.
bool cortex_m_start_cycle_counter(void);
uint32_t cortex_m_cycles(void);

// Runs a loop of `turns` turns. A turn is two instructions, SUBS and a taken BNE.
void cortex_m_spin(uint32_t turns);

void rigd_reset_handler(void);
void rigd_lock_up(void);  // faults and interrupts nobody expects end here

#endif
