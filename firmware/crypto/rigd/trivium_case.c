// trivium/encrypt: key and IV set-up outside the window; each operation goes on with the key stream where the
// one before left off.
#include <string.h>

#include "core/case.h"
#include "crypto/hex.h"
#include "crypto/rigd/trivium.h"

static trivium state;

// eSTREAM verified test vectors, first 64 bytes of the stream.
static const struct {
  const char *key, *iv, *stream;
} vectors[] = {
    // Set 1, vector 0
    {"80000000000000000000", "00000000000000000000",
     "38eb86ff730d7a9caf8df13a4420540dbb7b651464c87501552041c249f29a64"
     "d2fbf515610921ebe06c8f92cecf7f8098ff20cccc6a62b97be8ef7454fc80f9"},
    // Set 6, vector 0
    {"0053a6f94c9ff24598eb", "0d74db42a91077de45ac",
     "f4cd954a717f26a7d6930830c4e7cf0819f80e03f25f342c64adc66aba7f8a8e"
     "6eaa49f23632ae3cd41a7bd290a0132f81c6d4043b6e397d7388f3a03b5fe358"},
};

static bool known_answer(unsigned vector) {
  uint8_t key[TRIVIUM_KEY_BYTES];
  uint8_t iv[TRIVIUM_IV_BYTES];
  uint8_t stream[64] = {0};
  rigd_hex(key, vectors[vector].key);
  rigd_hex(iv, vectors[vector].iv);
  trivium_setup(&state, key, iv);
  trivium_crypt(&state, stream, stream, sizeof stream);
  return rigd_hex_equal(stream, vectors[vector].stream);
}

static uint32_t prepare(const rigd_job* job) {
  static const uint8_t key[TRIVIUM_KEY_BYTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const uint8_t iv[TRIVIUM_IV_BYTES] = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25};
  trivium_setup(&state, key, iv);
  return job->size;
}

static int run(const rigd_job* job) {
  trivium_crypt(&state, job->input, job->output, job->size);
  return 0;
}

static const rigd_case_ops ops = {sizeof vectors / sizeof vectors[0], known_answer, prepare, run, NULL};
RIGD_CASE(trivium_encrypt, "trivium/encrypt/rigd", "rigd " RIGD_VERSION, 1, RIGD_MOST_INPUT, 1, &ops);
