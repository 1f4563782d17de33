/* Locks the core up: a fault inside the handler of a fault. */
        .syntax unified
        .thumb
        .section .text
        .word   STACK
        .word   start + 1
        .rept   14
        .word   fault + 1
        .endr

        .thumb_func
        .global start
start:  ldr     r0, =1000000
1:      subs    r0, r0, #1
        bne     1b
        udf     #0
        .thumb_func
fault:  udf     #0
        .pool
