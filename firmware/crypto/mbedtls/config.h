// Mbed TLS 2.28 with what the cases need and nothing else. Tables lie in flash: in RAM they would take 8.7
// KB.
#ifndef RIGD_MBEDTLS_CONFIG_H
#define RIGD_MBEDTLS_CONFIG_H

#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_CIPHER_C
#define MBEDTLS_CIPHER_MODE_CBC
#define MBEDTLS_CIPHER_MODE_CTR
#define MBEDTLS_CCM_C
#define MBEDTLS_GCM_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_CHACHA20_C

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#include <stddef.h>
void* rigd_heap_calloc(size_t count, size_t size);
void rigd_heap_free(void* block);
#define MBEDTLS_PLATFORM_CALLOC_MACRO rigd_heap_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO rigd_heap_free

#include "mbedtls/check_config.h"

#endif
