/* Sequences of ARMv6-M instructions; cycle_test.cpp has what each costs. */
#include "marks.inc"

/* 0: nothing */
        open_window
        close_window

/* 1: data processing */
        open_window
        movs    r0, #200
        adds    r0, r0, #5
        adds    r1, r0, r0
        mov     r8, r1
        add     r8, r8, r0
        lsls    r1, r1, #3
        rors    r1, r0
        eors    r1, r0
        mvns    r2, r1
        uxtb    r2, r2
        rev     r2, r2
        cmp     r2, r8
        add     r0, sp, #8
        nop
        close_window

/* 2: four products */
        open_window
        muls    r0, r1, r0
        muls    r0, r1, r0
        muls    r0, r1, r0
        muls    r0, r1, r0
        close_window

/* 3: single loads and stores */
        open_window
        ldr     r0, [r6, #4]
        ldrb    r0, [r6, #1]
        ldrh    r0, [r6, #2]
        str     r0, [r6, #8]
        strb    r0, [r6, #9]
        movs    r1, #4
        ldr     r0, [r6, r1]
        ldrsh   r0, [r6, r1]
        str     r0, [r6, r1]
        ldr     r0, =0x12345678
        sub     sp, #8
        str     r0, [sp, #4]
        ldr     r0, [sp, #4]
        add     sp, #8
        close_window

/* 4: multiple loads and stores */
        mov     r4, r6
        open_window
        stmia   r4!, {r0, r1, r2, r3}
        subs    r4, #16
        ldmia   r4!, {r0, r1, r2}
        push    {r0, r1, r2, lr}
        push    {r3}
        pop     {r3}
        pop     {r0, r1, r2, r3}
        close_window

/* 5: a loop of ten: nine branches taken, one not */
        open_window
        movs    r0, #10
1:      subs    r0, #1
        bne     1b
        close_window

/* 6: branches to where they cost most */
        ldr     r3, =back + 1
        ldr     r2, =there + 1
        open_window
        b       1f
        nop
1:      bl      leaf
        blx     r2
        bl      nested
        mov     r0, r3
        mov     pc, r0
        nop
        nop
back:   nop
        close_window

/* 7: system */
        open_window
        mrs     r0, primask
        msr     primask, r0
        dmb
        dsb
        isb
        cpsid   i
        sev
        close_window

/* 8: a device in the middle of a block */
        ldr     r4, =DEVICE
        open_window
        movs    r0, #1
        adds    r0, #1
        ldr     r1, [r4]
        adds    r0, #1
        adds    r0, #1
        adds    r0, #1
        str     r1, [r4]
        adds    r0, #1
        adds    r0, #1
        close_window

/* 9: a loop during which a timer runs out many times (interrupts are masked) */
        ldr     r4, =0xE000E010
        movs    r0, #99
        str     r0, [r4, #4]
        movs    r0, #7
        str     r0, [r4, #0]
        ldr     r1, =20000
        open_window
1:      ldr     r2, [r6]
        adds    r2, r2, #1
        str     r2, [r6]
        subs    r1, r1, #1
        bne     1b
        close_window
        finish

        .thumb_func
leaf:   bx      lr
        .thumb_func
there:  bx      lr
        .thumb_func
nested: push    {r4, lr}
        pop     {r4, pc}
        .pool
