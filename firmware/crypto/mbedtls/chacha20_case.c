// chacha20/encrypt (RFC 8439: 256-bit key, 96-bit nonce): key and nonce set-up outside the window; each
// operation goes on with the key stream where the one before left off.
#include <mbedtls/chacha20.h>
#include <string.h>

#include "core/case.h"
#include "crypto/hex.h"
#include "crypto/mbedtls/library.h"

enum { KEY_BYTES = 32, NONCE_BYTES = 12, BLOCK_BYTES = 64 };

static mbedtls_chacha20_context context;

// RFC 8439, appendix A.1, test vectors 1 and 2: key and nonce of zeros, block counter 0 and 1.
static const char* const streams[] = {
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
};

static bool known_answer(unsigned vector) {
  static const uint8_t zeros[BLOCK_BYTES];
  uint8_t stream[BLOCK_BYTES];
  return mbedtls_chacha20_crypt(zeros, zeros, vector, BLOCK_BYTES, zeros, stream) == 0 &&
         rigd_hex_equal(stream, streams[vector]);
}

static uint32_t prepare(const rigd_job* job) {
  uint8_t key[KEY_BYTES];
  uint8_t nonce[NONCE_BYTES];
  for (unsigned i = 0; i < KEY_BYTES; ++i)
    key[i] = (uint8_t)i;
  for (unsigned i = 0; i < NONCE_BYTES; ++i)
    nonce[i] = (uint8_t)(16 + i);
  mbedtls_chacha20_init(&context);
  if (mbedtls_chacha20_setkey(&context, key) != 0 || mbedtls_chacha20_starts(&context, nonce, 0) != 0)
    return 0;
  return job->size;
}

static int run(const rigd_job* job) {
  return mbedtls_chacha20_update(&context, job->size, job->input, job->output);
}

static const rigd_case_ops ops = {sizeof streams / sizeof streams[0], known_answer, prepare, run, NULL};
RIGD_CASE(chacha20_encrypt, "chacha20/encrypt/mbedtls", RIGD_MBEDTLS, 1, RIGD_MOST_INPUT, 1, &ops);
