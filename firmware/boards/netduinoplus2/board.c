// Netduino Plus 2 as QEMU 7.2 models it: STM32F405RGT6, Cortex-M4F at 168 MHz. Registers: ST RM0090, sections
// 30 (USART) and 18 (TIM2). QEMU models neither clock tree nor flash controller, so nothing is set up there.
#include "boards/cortex_m/cortex_m.h"
#include "boards/cortex_m/marker_port.h"
#include "hal/hal.h"

// QEMU clocks TIM2 with 1 GHz whatever the clock tree says; divided by ten it wraps after 42 s.
enum { CPU_HZ = 168000000, TIMER_INPUT_HZ = 1000000000, TIMER_DIVIDER = 10, USART1_IRQ = 37 };

#define USART1_SR RIGD_REGISTER(0x40011000)
#define USART1_DR RIGD_REGISTER(0x40011004)
#define USART1_CR1 RIGD_REGISTER(0x4001100C)
#define TIM2_CR1 RIGD_REGISTER(0x40000000)
#define TIM2_EGR RIGD_REGISTER(0x40000014)
#define TIM2_CNT RIGD_REGISTER(0x40000024)
#define TIM2_PSC RIGD_REGISTER(0x40000028)
#define TIM2_ARR RIGD_REGISTER(0x4000002C)

static hal_board facts = {"netduinoplus2", CPU_HZ, TIMER_INPUT_HZ / TIMER_DIVIDER, 0, 131072, false};
static uint32_t ticks_open, ticks_close, cycles_open, cycles_close;

static void usart1_interrupt(void) {
  while (USART1_SR & (1u << 5))
    cortex_m_received((uint8_t)USART1_DR);  // RXNE
}

void hal_init(void) {
  RIGD_MARKER_LOW();
  TIM2_PSC = TIMER_DIVIDER - 1;
  TIM2_ARR = 0xFFFFFFFF;
  TIM2_EGR = 1;  // takes the prescaler over
  TIM2_CR1 = 1;
  facts.cycle_counter = cortex_m_start_cycle_counter();
  USART1_CR1 = 1u << 13 | 1u << 5 | 1u << 3 | 1u << 2;  // UE, RXNEIE, TE, RE
  cortex_m_enable_interrupt(USART1_IRQ);
  hal_irq_unmask();
}

const hal_board* hal_board_facts(void) {
  return &facts;
}

// The unique number at 0x1FFF7A10 (RM0090 39.1) does not exist in QEMU: reading it faults.
size_t hal_chip_uid(uint8_t uid[16]) {
  (void)uid;
  return 0;
}

void hal_uart_write(uint8_t byte) {
  USART1_DR = byte;
  while (!(USART1_SR & (1u << 6))) {  // TC: the last bit has left, not only the data register
  }
}

void hal_window_open(void) {
  cycles_open = cortex_m_cycles();
  ticks_open = TIM2_CNT;
  RIGD_MARKER_HIGH();
}

void hal_window_close(void) {
  cycles_close = cortex_m_cycles();
  ticks_close = TIM2_CNT;
  RIGD_MARKER_LOW();
}

uint32_t hal_window_ticks(void) {
  return ticks_close - ticks_open;
}
uint32_t hal_window_cycles(void) {
  return facts.cycle_counter ? cycles_close - cycles_open : 0;
}

// Executed, not slept: while QEMU's CPU sleeps neither instructions nor modelled cycles pass. A turn of the
// loop is SUBS (1) and a taken BNE (1 + 3 to refill the pipeline) on a Cortex-M4 (ARM DDI 0439, table 3-1).
void hal_idle_us(uint32_t us) {
  enum { CYCLES_A_TURN = 5, CYCLES_A_US = CPU_HZ / 1000000 };
  // In two parts: 60 s of cycles do not fit 32 bits.
  cortex_m_spin(us / CYCLES_A_TURN * CYCLES_A_US + us % CYCLES_A_TURN * CYCLES_A_US / CYCLES_A_TURN);
}

extern uint8_t rigd_stack_top[];
__attribute__((used, section(".vectors"))) static void (*const vectors[16 + 82])(void) = {
    [0] = (void (*)(void))(void*)rigd_stack_top,
    [1] = rigd_reset_handler,
    [2 ... 15] = rigd_lock_up,
    [16 ... 97] = rigd_lock_up,
    [16 + USART1_IRQ] = usart1_interrupt,
};
