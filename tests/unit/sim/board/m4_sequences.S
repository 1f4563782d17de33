/* Sequences of ARMv7E-M instructions; cycle_test.cpp has what each costs. */
        .fpu    fpv4-sp-d16
#include "marks.inc"

        ldr     r0, =0xE000ED88         /* CPACR: floating point on */
        ldr     r1, =0x00F00000
        str     r1, [r0]
        dsb
        isb

/* 0: nothing */
        open_window
        close_window

/* 1: data processing and products */
        open_window
        movw    r0, #0x1234
        movt    r0, #0x5678
        add     r1, r0, r0, lsl #3
        ubfx    r2, r1, #4, #8
        bfi     r2, r0, #8, #4
        clz     r3, r2
        rbit    r3, r3
        mul     r1, r0, r2
        mla     r1, r0, r2, r1
        mls     r1, r0, r2, r1
        umull   r2, r3, r0, r1
        umlal   r2, r3, r0, r1
        smlad   r2, r0, r1, r2
        uadd8   r2, r0, r1
        close_window

/* 2: neighbouring loads overlap: 2 + 1 + 1 */
        open_window
        ldr     r0, [r6]
        ldr     r1, [r6, #4]
        ldr     r2, [r6, #8]
        close_window

/* 3: not when the address needs what was just loaded: 2 + 2, then 2 + 2 */
        str     r6, [r6]
        str     r6, [r6, #4]
        open_window
        ldr     r0, [r6]
        ldr     r1, [r0, #4]
        adds    r2, #1
        ldr     r0, [r6]
        ldr     r1, [r0]
        close_window

/* 4: stores: immediate 1, register 2, register behind a load 1, and nothing overlaps with a store before it */
        movs    r4, #4
        open_window
        str     r0, [r6, #8]
        nop
        str     r0, [r6, r4]
        ldr     r1, [r6, #12]
        str     r1, [r6, r4]
        ldr     r1, [r6, #12]
        str     r1, [r6, #16]
        close_window

/* 5: pairs and multiples never overlap */
        open_window
        ldrd    r0, r1, [r6]
        ldr     r2, [r6]
        strd    r0, r1, [r6, #8]
        push    {r0-r3, r8-r11}
        pop     {r0-r3, r8-r11}
        push    {r0, lr}
        pop     {r0, r1}
        stmia   r6, {r0-r4}
        ldmia   r6, {r0-r4}
        close_window

/* 6: a loop of ten, and compare-and-branch */
        open_window
        movs    r0, #10
1:      subs    r0, #1
        bne     1b
        cbz     r0, 2f
        nop
2:      cbnz    r0, 3f
        nop
3:      nop
        close_window

/* 7: calls, returns, jumps */
        ldr     r2, =leaf + 1
        open_window
        b.w     1f
        nop
1:      bl      leaf
        blx     r2
        bl      nested
        bl      nested_wide
        ldr     r0, =there + 1
        mov     pc, r0
        nop
there:  movs    r0, #1
        tbb     [pc, r0]
4:      .byte   (5f - 4b) / 2, (6f - 4b) / 2
5:      nop
        nop
6:      nop
        ldr     pc, =last + 1
        nop
last:   nop
        close_window

/* 8: IT blocks; the condition is true */
        movs    r0, #0
        open_window
        cmp     r0, #0
        itett   eq
        addeq   r1, r0, #1
        ldrne   r2, [r6]
        ldreq   r3, [r6]
        stmeq   r6, {r0-r3}
        cmp     r0, #0
        it      ne
        bne     .
        bl      maybe
        close_window

/* 9: division */
        movs    r0, #100
        movs    r1, #7
        open_window
        udiv    r2, r0, r1
        sdiv    r2, r0, r1
        close_window

/* 10: floating point */
        open_window
        vmov    s0, r0
        vadd.f32 s1, s0, s0
        vmul.f32 s1, s0, s0
        vmla.f32 s1, s0, s0
        vfma.f32 s1, s0, s0
        vdiv.f32 s2, s0, s1
        vsqrt.f32 s2, s0
        vmov    r0, r1, d0
        vstr    s0, [r6]
        vldr    s0, [r6]
        vldr    d1, [r6]
        vpush   {s0-s3}
        vpop    {s0-s3}
        vstmia  r6, {d0-d2}
        vcmp.f32 s0, s1
        vmrs    apsr_nzcv, fpscr
        close_window

/* 11: system */
        open_window
        mrs     r0, basepri
        msr     basepri, r0
        dmb
        dsb
        isb
        cpsid   i
        nop
        nop.w
        close_window

/* 12: a device in the middle of a block */
        ldr     r4, =DEVICE
        open_window
        movs    r0, #1
        adds    r0, #1
        ldr     r1, [r4]
        ldr     r2, [r6]
        adds    r0, #1
        adds    r0, #1
        str     r1, [r4]
        adds    r0, #1
        adds    r0, #1
        close_window

/* 13: loads that would overlap, but QEMU ends a block between them: at a page border */
        b       border
        .pool
        .balign 4096
        .space  4096 - 6
border: open_window
        ldr.w   r0, [r6]
        ldr     r1, [r6, #4]
        nop
        close_window

/* 14: a loop during which a timer runs out many times (interrupts are masked) */
        ldr     r4, =0xE000E010
        movs    r0, #99
        str     r0, [r4, #4]
        movs    r0, #7
        str     r0, [r4, #0]
        ldr     r1, =20000
        open_window
1:      ldr     r2, [r6]
        ldr     r3, [r6, #4]
        adds    r2, r2, r3
        str     r2, [r6]
        subs    r1, r1, #1
        bne     1b
        close_window
        finish

        .thumb_func
leaf:   bx      lr
        .thumb_func
nested: push    {r4, lr}
        pop     {r4, pc}
        .thumb_func
nested_wide:
        push    {r4, r8, lr}
        pop     {r4, r8, pc}
        .thumb_func
maybe:  cmp     r0, #0
        it      ne
        popne   {r4, pc}
        cmp     r0, #0
        it      eq
        bxeq    lr
        .pool
