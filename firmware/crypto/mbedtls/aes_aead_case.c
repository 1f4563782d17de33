// aes-128-ccm (13-byte nonce) and aes-128-gcm (12-byte nonce), 16-byte tag, no additional data: key set-up
// outside the window; nonce, encryption and tag (or its check) inside.
#include <mbedtls/ccm.h>
#include <mbedtls/gcm.h>
#include <string.h>

#include "core/case.h"
#include "crypto/hex.h"
#include "crypto/mbedtls/library.h"

enum {
  KEY_BYTES = 16,
  KEY_BITS = 128,
  TAG_BYTES = 16,
  CCM_NONCE_BYTES = 13,
  GCM_NONCE_BYTES = 12,
  MOST_TEXT = 32
};

// One AEAD message: everything a mode's functions take.
typedef struct {
  const uint8_t *nonce, *data;
  size_t nonce_bytes, data_bytes, tag_bytes, size;
} message;

static mbedtls_ccm_context ccm;
static mbedtls_gcm_context gcm;

static int ccm_key(const uint8_t* key) {
  mbedtls_ccm_free(&ccm);
  mbedtls_ccm_init(&ccm);
  return mbedtls_ccm_setkey(&ccm, MBEDTLS_CIPHER_ID_AES, key, KEY_BITS);
}
static int ccm_encrypt(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag) {
  return mbedtls_ccm_encrypt_and_tag(&ccm, m->size, m->nonce, m->nonce_bytes, m->data, m->data_bytes, input,
                                     output, tag, m->tag_bytes);
}
static int ccm_decrypt(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag) {
  return mbedtls_ccm_auth_decrypt(&ccm, m->size, m->nonce, m->nonce_bytes, m->data, m->data_bytes, input,
                                  output, tag, m->tag_bytes);
}
static int gcm_key(const uint8_t* key) {
  mbedtls_gcm_free(&gcm);
  mbedtls_gcm_init(&gcm);
  return mbedtls_gcm_setkey(&gcm, MBEDTLS_CIPHER_ID_AES, key, KEY_BITS);
}
static int gcm_encrypt(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag) {
  return mbedtls_gcm_crypt_and_tag(&gcm, MBEDTLS_GCM_ENCRYPT, m->size, m->nonce, m->nonce_bytes, m->data,
                                   m->data_bytes, input, output, m->tag_bytes, tag);
}
static int gcm_decrypt(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag) {
  return mbedtls_gcm_auth_decrypt(&gcm, m->size, m->nonce, m->nonce_bytes, m->data, m->data_bytes, tag,
                                  m->tag_bytes, input, output);
}

typedef struct {
  size_t nonce_bytes;
  int (*set_key)(const uint8_t* key);
  int (*encrypt)(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag);
  int (*decrypt)(const message* m, const uint8_t* input, uint8_t* output, uint8_t* tag);
} aead_mode;

static void ccm_finish(void) {
  mbedtls_ccm_free(&ccm);
}
static void gcm_finish(void) {
  mbedtls_gcm_free(&gcm);
}

static const aead_mode ccm_mode = {CCM_NONCE_BYTES, ccm_key, ccm_encrypt, ccm_decrypt};
static const aead_mode gcm_mode = {GCM_NONCE_BYTES, gcm_key, gcm_encrypt, gcm_decrypt};

typedef struct {
  const char *key, *nonce, *data, *plain, *cipher, *tag;
} vector;

// SP 800-38C, examples 1 and 2.
static const vector ccm_vectors[2] = {
    {"404142434445464748494a4b4c4d4e4f", "10111213141516", "0001020304050607", "20212223", "7162015b",
     "4dac255d"},
    {"404142434445464748494a4b4c4d4e4f", "1011121314151617", "000102030405060708090a0b0c0d0e0f",
     "202122232425262728292a2b2c2d2e2f", "d2a1f0e051ea5f62081a7792073d593d", "1fc64fbfaccd"},
};
// The Galois/Counter Mode of Operation (McGrew and Viega), appendix B, test cases 1 and 2.
static const vector gcm_vectors[2] = {
    {"00000000000000000000000000000000", "000000000000000000000000", "", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {"00000000000000000000000000000000", "000000000000000000000000", "", "00000000000000000000000000000000",
     "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"},
};

// Encrypts to the published text and tag, decrypts back, and refuses a tag with one bit turned.
static bool holds(const vector* v, const aead_mode* mode) {
  uint8_t key[KEY_BYTES], nonce[CCM_NONCE_BYTES], data[MOST_TEXT], plain[MOST_TEXT], text[MOST_TEXT],
      back[MOST_TEXT];
  uint8_t tag[TAG_BYTES];
  rigd_hex(key, v->key);
  message m = {.nonce = nonce, .data = data};
  m.nonce_bytes = rigd_hex(nonce, v->nonce);
  m.data_bytes = rigd_hex(data, v->data);
  m.size = rigd_hex(plain, v->plain);
  m.tag_bytes = strlen(v->tag) / 2;
  if (mode->set_key(key) != 0 || mode->encrypt(&m, plain, text, tag) != 0) return false;
  if (!rigd_hex_equal(text, v->cipher) || !rigd_hex_equal(tag, v->tag)) return false;
  if (mode->decrypt(&m, text, back, tag) != 0 || memcmp(back, plain, m.size) != 0) return false;
  tag[0] ^= 1;
  return mode->decrypt(&m, text, back, tag) != 0;
}

static const uint8_t measured_nonce[CCM_NONCE_BYTES] = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28};

static message measured_message(const aead_mode* mode, const rigd_job* job) {
  return (message){
      .nonce = measured_nonce, .nonce_bytes = mode->nonce_bytes, .tag_bytes = TAG_BYTES, .size = job->size};
}

static int set_measured_key(const aead_mode* mode) {
  uint8_t key[KEY_BYTES];
  for (unsigned i = 0; i < KEY_BYTES; ++i)
    key[i] = (uint8_t)i;
  return mode->set_key(key);
}

static uint32_t prepare_encrypt(const aead_mode* mode, const rigd_job* job) {
  return set_measured_key(mode) == 0 ? job->size + TAG_BYTES : 0;
}

// Decryption needs a text with a valid tag: the encrypted pattern takes the pattern's place, its tag follows.
static uint32_t prepare_decrypt(const aead_mode* mode, const rigd_job* job) {
  const message m = measured_message(mode, job);
  if (set_measured_key(mode) != 0 || mode->encrypt(&m, job->input, job->output, job->input + job->size) != 0)
    return 0;
  memcpy(job->input, job->output, job->size);
  memset(job->output, 0, job->size);
  return job->size;
}

static int run_encrypt(const aead_mode* mode, const rigd_job* job) {
  const message m = measured_message(mode, job);
  return mode->encrypt(&m, job->input, job->output, job->output + job->size);
}
static int run_decrypt(const aead_mode* mode, const rigd_job* job) {
  const message m = measured_message(mode, job);
  return mode->decrypt(&m, job->input, job->output, job->input + job->size);
}

#define AEAD_CASE(key_, id_, mode_, vectors_, direction_, finish_)                                       \
  static bool key_##_known_answer(unsigned i) {                                                          \
    return holds(&vectors_[i], &mode_);                                                                  \
  }                                                                                                      \
  static uint32_t key_##_prepare(const rigd_job* job) {                                                  \
    return prepare_##direction_(&mode_, job);                                                            \
  }                                                                                                      \
  static int key_##_run(const rigd_job* job) {                                                           \
    return run_##direction_(&mode_, job);                                                                \
  }                                                                                                      \
  static const rigd_case_ops key_##_ops = {2, key_##_known_answer, key_##_prepare, key_##_run, finish_}; \
  RIGD_CASE(key_, id_, RIGD_MBEDTLS, 1, RIGD_MOST_INPUT, 1, &key_##_ops)

AEAD_CASE(aes_128_ccm_encrypt, "aes-128-ccm/encrypt/mbedtls", ccm_mode, ccm_vectors, encrypt, ccm_finish);
AEAD_CASE(aes_128_ccm_decrypt, "aes-128-ccm/decrypt/mbedtls", ccm_mode, ccm_vectors, decrypt, ccm_finish);
AEAD_CASE(aes_128_gcm_encrypt, "aes-128-gcm/encrypt/mbedtls", gcm_mode, gcm_vectors, encrypt, gcm_finish);
AEAD_CASE(aes_128_gcm_decrypt, "aes-128-gcm/decrypt/mbedtls", gcm_mode, gcm_vectors, decrypt, gcm_finish);
