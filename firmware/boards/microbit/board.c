// BBC micro:bit v1 as QEMU 7.2 models it: nRF51822, Cortex-M0 at 16 MHz. Registers: nRF51 Series Reference
// Manual v3.0, chapters 18 (TIMER), 29 (UART), 6 (FICR).
#include "boards/cortex_m/cortex_m.h"
#include "boards/cortex_m/marker_port.h"
#include "hal/hal.h"

enum { CPU_HZ = 16000000, TIMER_HZ = 16000000, UART_IRQ = 2 };

#define UART_STARTRX RIGD_REGISTER(0x40002000)
#define UART_STARTTX RIGD_REGISTER(0x40002008)
#define UART_RXDRDY RIGD_REGISTER(0x40002108)
#define UART_TXDRDY RIGD_REGISTER(0x4000211C)
#define UART_INTENSET RIGD_REGISTER(0x40002304)
#define UART_ENABLE RIGD_REGISTER(0x40002500)
#define UART_RXD RIGD_REGISTER(0x40002518)
#define UART_TXD RIGD_REGISTER(0x4000251C)
#define UART_BAUDRATE RIGD_REGISTER(0x40002524)

#define TIMER0_START RIGD_REGISTER(0x40008000)
#define TIMER0_CAPTURE(n) RIGD_REGISTER(0x40008040 + 4 * (n))
#define TIMER0_BITMODE RIGD_REGISTER(0x40008508)
#define TIMER0_PRESCALER RIGD_REGISTER(0x40008510)
#define TIMER0_CC(n) RIGD_REGISTER(0x40008540 + 4 * (n))

#define FICR_DEVICEID(n) RIGD_REGISTER(0x10000060 + 4 * (n))

static const hal_board facts = {"microbit", CPU_HZ, TIMER_HZ, 0, 16384, false};

static void uart_interrupt(void) {
  while (UART_RXDRDY != 0) {
    UART_RXDRDY = 0;
    cortex_m_received((uint8_t)UART_RXD);
  }
}

void hal_init(void) {
  RIGD_MARKER_LOW();
  TIMER0_BITMODE = 3;    // 32 bits
  TIMER0_PRESCALER = 0;  // 16 MHz
  TIMER0_START = 1;
  UART_BAUDRATE = 0x01D7E000;  // 115 200 baud
  UART_ENABLE = 4;
  UART_STARTTX = 1;
  UART_STARTRX = 1;
  UART_INTENSET = 1u << 2;  // RXDRDY
  cortex_m_enable_interrupt(UART_IRQ);
  hal_irq_unmask();
}

const hal_board* hal_board_facts(void) {
  return &facts;
}

size_t hal_chip_uid(uint8_t uid[16]) {
  for (unsigned i = 0; i < 8; ++i)
    uid[i] = (uint8_t)(FICR_DEVICEID(i / 4) >> (8 * (i % 4)));
  return 8;
}

void hal_uart_write(uint8_t byte) {
  UART_TXDRDY = 0;
  UART_TXD = byte;
  while (UART_TXDRDY == 0) {
  }
}

void hal_window_open(void) {
  TIMER0_CAPTURE(0) = 1;
  RIGD_MARKER_HIGH();
}

void hal_window_close(void) {
  TIMER0_CAPTURE(1) = 1;
  RIGD_MARKER_LOW();
}

uint32_t hal_window_ticks(void) {
  return TIMER0_CC(1) - TIMER0_CC(0);
}
uint32_t hal_window_cycles(void) {
  return 0;
}

// Executed, not slept: while QEMU's CPU sleeps neither instructions nor modelled cycles pass. A turn of the
// loop is SUBS (1) and a taken BNE (3) on a Cortex-M0 (ARM DDI 0432C, table 3-1).
void hal_idle_us(uint32_t us) {
  enum { CYCLES_A_TURN = 4 };
  cortex_m_spin(us * (CPU_HZ / 1000000 / CYCLES_A_TURN));
}

extern uint8_t rigd_stack_top[];
__attribute__((used, section(".vectors"))) static void (*const vectors[16 + 32])(void) = {
    [0] = (void (*)(void))(void*)rigd_stack_top,
    [1] = rigd_reset_handler,
    [2 ... 15] = rigd_lock_up,
    [16 ... 47] = rigd_lock_up,
    [16 + UART_IRQ] = uart_interrupt,
};
