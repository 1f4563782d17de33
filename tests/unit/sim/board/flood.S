/* Edges as fast as the CPU can make them. */
#include "marks.inc"

1:      open_window
        close_window
        b       1b
        .pool
