/* Opens and closes windows of 1 ms at 16 MHz for ever. */
#include "marks.inc"

1:      ldr     r0, =4000
        open_window
2:      subs    r0, r0, #1
        bne     2b
        close_window
        ldr     r0, =4000
3:      subs    r0, r0, #1
        bne     3b
        b       1b
        .pool
