// sha-256/hash: the whole hash of the input, start to finish.
#include <mbedtls/sha256.h>
#include <string.h>

#include "core/case.h"
#include "crypto/hex.h"
#include "crypto/mbedtls/library.h"

enum { DIGEST_BYTES = 32, SHA_256 = 0 };

// FIPS 180-4, examples of SHA-256 (one block, two blocks).
static const struct {
  const char *text, *digest;
} vectors[] = {
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static bool known_answer(unsigned vector) {
  uint8_t digest[DIGEST_BYTES];
  const char* text = vectors[vector].text;
  return mbedtls_sha256_ret((const uint8_t*)text, strlen(text), digest, SHA_256) == 0 &&
         rigd_hex_equal(digest, vectors[vector].digest);
}

static uint32_t prepare(const rigd_job* job) {
  (void)job;
  return DIGEST_BYTES;
}

static int run(const rigd_job* job) {
  return mbedtls_sha256_ret(job->input, job->size, job->output, SHA_256);
}

static const rigd_case_ops ops = {sizeof vectors / sizeof vectors[0], known_answer, prepare, run, NULL};
RIGD_CASE(sha256_hash, "sha-256/hash/mbedtls", RIGD_MBEDTLS, 0, RIGD_MOST_INPUT, 1, &ops);
