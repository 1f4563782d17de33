#include "core/dispatch.h"
#include "core/frame.h"
#include "core/stack.h"
#include "hal/hal.h"

static rigd_frame_receiver receiver;

int main(void) {
  rigd_stack_paint();
  hal_init();
  for (;;) {
    const size_t length = rigd_frame_take(&receiver, hal_uart_read());
    if (length > 0) rigd_serve(receiver.bytes, length, hal_uart_write);
  }
}
