// The marker of a simulated board: words of plain RAM that the simulator watches. A store to word 2 * pin +
// level sets `pin` to `level`; the value stored says nothing. RAM and not a peripheral, because under QEMU's
// -icount a store to a peripheral is executed twice by the translator and would be counted twice.
#ifndef RIGD_MARKER_PORT_H
#define RIGD_MARKER_PORT_H

#include <stdint.h>

extern volatile uint32_t rigd_marker_port[4];  // placed by memory.ld

#define RIGD_MARKER_LOW() (rigd_marker_port[0] = 0)
#define RIGD_MARKER_HIGH() (rigd_marker_port[1] = 0)

#endif
