/* A bare-metal image of measured sequences. PORT is the address of the marker port, STACK lies below it.
 * r5 and r7 belong to the marks; r6 points to 64 bytes of scratch memory at the start of RAM. */
        .syntax unified
        .thumb
        .section .text

        .word   STACK
        .word   start + 1
        .rept   14
        .word   fault + 1
        .endr

        .macro  open_window
        str     r5, [r7, #4]
        .endm
        .macro  close_window
        str     r5, [r7, #0]
        .endm
        .macro  finish
        str     r5, [r7, #12]
        b       .
        .endm

        .thumb_func
fault:  b       fault
        .thumb_func
        .global start
start:  ldr     r7, =PORT
        ldr     r6, =0x20000000
        movs    r5, #1
        cpsid   i
