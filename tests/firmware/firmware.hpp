// The firmware's headers, which are C.
#pragma once

extern "C" {
#include "core/build_id.h"
#include "core/case.h"
#include "core/crc32.h"
#include "core/dispatch.h"
#include "core/frame.h"
#include "core/heap.h"
#include "core/measure.h"
#include "core/stack.h"
#include "crypto/rigd/trivium.h"
#include "hal/hal.h"

int rigd_main(void);  // core/main.c
}
