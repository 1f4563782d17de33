// aes-128-ecb, -cbc, -ctr: key set-up outside the window; each operation begins with the same IV or counter
// block.
#include <mbedtls/aes.h>
#include <string.h>

#include "core/case.h"
#include "crypto/hex.h"
#include "crypto/mbedtls/library.h"

enum { BLOCK = 16, KEY_BITS = 128, MOST_VECTOR_BYTES = 64 };

typedef int crypt_function(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size);

static mbedtls_aes_context context;

static int ecb(int direction, const uint8_t* input, uint8_t* output, size_t size) {
  int status = 0;
  for (size_t at = 0; at < size; at += BLOCK)
    status |= mbedtls_aes_crypt_ecb(&context, direction, input + at, output + at);
  return status;
}
static int ecb_encrypt(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  (void)iv;
  return ecb(MBEDTLS_AES_ENCRYPT, input, output, size);
}
static int ecb_decrypt(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  (void)iv;
  return ecb(MBEDTLS_AES_DECRYPT, input, output, size);
}
static int cbc(int direction, const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  uint8_t chain[BLOCK];
  memcpy(chain, iv, BLOCK);
  return mbedtls_aes_crypt_cbc(&context, direction, size, chain, input, output);
}
static int cbc_encrypt(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  return cbc(MBEDTLS_AES_ENCRYPT, iv, input, output, size);
}
static int cbc_decrypt(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  return cbc(MBEDTLS_AES_DECRYPT, iv, input, output, size);
}
static int ctr(const uint8_t* iv, const uint8_t* input, uint8_t* output, size_t size) {
  uint8_t counter[BLOCK];
  uint8_t stream[BLOCK];
  size_t offset = 0;
  memcpy(counter, iv, BLOCK);
  return mbedtls_aes_crypt_ctr(&context, size, &offset, counter, stream, input, output);
}

typedef struct {
  const char *key, *iv, *plain, *cipher;
} vector;

#define SP800_38A_KEY "2b7e151628aed2a6abf7158809cf4f3c"
#define SP800_38A_PLAIN                                              \
  "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" \
  "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
#define SINGLE_BLOCK_MSG "53696e676c6520626c6f636b206d7367"

// SP 800-38A F.1.1; FIPS 197 appendix C.1.
static const vector ecb_vectors[2] = {
    {SP800_38A_KEY, "", SP800_38A_PLAIN,
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
    {"000102030405060708090a0b0c0d0e0f", "", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
};
// SP 800-38A F.2.1; RFC 3602 section 4, case 1.
static const vector cbc_vectors[2] = {
    {SP800_38A_KEY, "000102030405060708090a0b0c0d0e0f", SP800_38A_PLAIN,
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
    {"06a9214036b8a15b512e03d534120006", "3dafba429d9eb430b422da802c9fac41", SINGLE_BLOCK_MSG,
     "e353779c1079aeb82708942dbe77181a"},
};
// SP 800-38A F.5.1; RFC 3686 section 6, test vector 1.
static const vector ctr_vectors[2] = {
    {SP800_38A_KEY, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", SP800_38A_PLAIN,
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"ae6852f8121067cc4bf7a5765577f39e", "00000030000000000000000000000001", SINGLE_BLOCK_MSG,
     "e4095d4fb7a7b3792d6175a3261311b8"},
};

static int set_key(const uint8_t* key, bool decrypt) {
  mbedtls_aes_init(&context);
  return decrypt ? mbedtls_aes_setkey_dec(&context, key, KEY_BITS)
                 : mbedtls_aes_setkey_enc(&context, key, KEY_BITS);
}

static bool holds(const vector* v, crypt_function* crypt, bool decrypt) {
  uint8_t key[BLOCK];
  uint8_t iv[BLOCK];
  uint8_t input[MOST_VECTOR_BYTES];
  uint8_t output[MOST_VECTOR_BYTES];
  rigd_hex(key, v->key);
  rigd_hex(iv, v->iv);
  const size_t size = rigd_hex(input, decrypt ? v->cipher : v->plain);
  return set_key(key, decrypt) == 0 && crypt(iv, input, output, size) == 0 &&
         rigd_hex_equal(output, decrypt ? v->plain : v->cipher);
}

static uint8_t measured_iv[BLOCK];

static uint32_t prepare(const rigd_job* job, bool decrypt) {
  uint8_t key[BLOCK];
  for (unsigned i = 0; i < BLOCK; ++i) {
    key[i] = (uint8_t)i;
    measured_iv[i] = (uint8_t)(16 + i);
  }
  return set_key(key, decrypt) == 0 ? job->size : 0;
}

static uint32_t prepare_forward(const rigd_job* job) {
  return prepare(job, false);
}
static uint32_t prepare_inverse(const rigd_job* job) {
  return prepare(job, true);
}

// `inverse_`: whether the direction needs the cipher's inverse key schedule. CTR never does.
#define MODE_CASE(key_, id_, step_, vectors_, crypt_, decrypt_, prepare_)                       \
  static bool key_##_known_answer(unsigned i) {                                                 \
    return holds(&vectors_[i], crypt_, decrypt_);                                               \
  }                                                                                             \
  static int key_##_run(const rigd_job* job) {                                                  \
    return crypt_(measured_iv, job->input, job->output, job->size);                             \
  }                                                                                             \
  static const rigd_case_ops key_##_ops = {2, key_##_known_answer, prepare_, key_##_run, NULL}; \
  RIGD_CASE(key_, id_, RIGD_MBEDTLS, step_, RIGD_MOST_INPUT, step_, &key_##_ops)

MODE_CASE(aes_128_ecb_encrypt, "aes-128-ecb/encrypt/mbedtls", BLOCK, ecb_vectors, ecb_encrypt, false,
          prepare_forward);
MODE_CASE(aes_128_ecb_decrypt, "aes-128-ecb/decrypt/mbedtls", BLOCK, ecb_vectors, ecb_decrypt, true,
          prepare_inverse);
MODE_CASE(aes_128_cbc_encrypt, "aes-128-cbc/encrypt/mbedtls", BLOCK, cbc_vectors, cbc_encrypt, false,
          prepare_forward);
MODE_CASE(aes_128_cbc_decrypt, "aes-128-cbc/decrypt/mbedtls", BLOCK, cbc_vectors, cbc_decrypt, true,
          prepare_inverse);
MODE_CASE(aes_128_ctr_encrypt, "aes-128-ctr/encrypt/mbedtls", 1, ctr_vectors, ctr, false, prepare_forward);

// Decryption in CTR is the same operation on the other text.
static bool aes_128_ctr_decrypt_known_answer(unsigned i) {
  const vector swapped = {ctr_vectors[i].key, ctr_vectors[i].iv, ctr_vectors[i].cipher, ctr_vectors[i].plain};
  return holds(&swapped, ctr, false);
}
static const rigd_case_ops aes_128_ctr_decrypt_ops = {2, aes_128_ctr_decrypt_known_answer, prepare_forward,
                                                      aes_128_ctr_encrypt_run, NULL};
RIGD_CASE(aes_128_ctr_decrypt, "aes-128-ctr/decrypt/mbedtls", RIGD_MBEDTLS, 1, RIGD_MOST_INPUT, 1,
          &aes_128_ctr_decrypt_ops);
