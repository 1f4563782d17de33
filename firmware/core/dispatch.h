// Requests in, responses out (proto/link/link.proto).
#ifndef RIGD_DISPATCH_H
#define RIGD_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

// Serves one request of `length` bytes; answers go out through `put`, frame by frame.
void rigd_serve(const uint8_t* request, size_t length, void (*put)(uint8_t byte));

#endif
