// Name and version in each case's record.
#ifndef RIGD_MBEDTLS_LIBRARY_H
#define RIGD_MBEDTLS_LIBRARY_H

#include <mbedtls/version.h>

#define RIGD_MBEDTLS "mbedtls " MBEDTLS_VERSION_STRING

#endif
