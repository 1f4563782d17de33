#include "oracle.hpp"

#include <openssl/evp.h>

#include <memory>
#include <numeric>
#include <stdexcept>

namespace rigd::test {
namespace {

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

void require(int status) {
  if (status != 1) throw std::runtime_error("OpenSSL refuses");
}

Octets counting(std::uint8_t first, std::size_t count) {
  Octets result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

const Octets kKey = counting(0, 32);
const Octets kIv = counting(16, 16);
constexpr int kTagBytes = 16;
enum Direction { decrypt = 0, encrypt = 1 };

Octets crypt(const EVP_CIPHER* cipher, const Octets& iv, Direction direction, const Octets& input) {
  const Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  require(EVP_CipherInit_ex(context.get(), cipher, nullptr, kKey.data(), iv.data(), direction));
  require(EVP_CIPHER_CTX_set_padding(context.get(), 0));
  Octets output(input.size() + 16);
  int length = 0;
  int rest = 0;
  require(
      EVP_CipherUpdate(context.get(), output.data(), &length, input.data(), static_cast<int>(input.size())));
  require(EVP_CipherFinal_ex(context.get(), output.data() + length, &rest));
  output.resize(static_cast<std::size_t>(length + rest));
  return output;
}

// Ciphertext with its tag behind it.
Octets seal(const EVP_CIPHER* cipher, int nonce_bytes, const Octets& plain) {
  const Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  const bool ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
  require(EVP_EncryptInit_ex(context.get(), cipher, nullptr, nullptr, nullptr));
  require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, nonce_bytes, nullptr));
  if (ccm) require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTagBytes, nullptr));
  require(EVP_EncryptInit_ex(context.get(), nullptr, nullptr, kKey.data(), kIv.data()));
  const int size = static_cast<int>(plain.size());
  int length = 0;
  if (ccm) require(EVP_EncryptUpdate(context.get(), nullptr, &length, nullptr, size));
  Octets output(plain.size() + kTagBytes);
  require(EVP_EncryptUpdate(context.get(), output.data(), &length, plain.data(), size));
  int rest = 0;
  require(EVP_EncryptFinal_ex(context.get(), output.data() + length, &rest));
  require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes, output.data() + size));
  return output;
}

Octets unchanged(const Octets& pattern) {
  return pattern;
}

Octets sha256(const Octets& pattern, unsigned) {
  Octets digest(32);
  require(EVP_Digest(pattern.data(), pattern.size(), digest.data(), nullptr, EVP_sha256(), nullptr));
  return digest;
}

template <const EVP_CIPHER* (*cipher)(), Direction direction>
Octets block_mode(const Octets& pattern, unsigned) {
  return crypt(cipher(), kIv, direction, pattern);
}

template <const EVP_CIPHER* (*cipher)(), int nonce_bytes>
Octets sealed(const Octets& pattern) {
  return seal(cipher(), nonce_bytes, pattern);
}
template <const EVP_CIPHER* (*cipher)(), int nonce_bytes>
Octets sealed_output(const Octets& pattern, unsigned) {
  return seal(cipher(), nonce_bytes, pattern);
}
Octets opened_output(const Octets& pattern, unsigned) {
  return pattern;
}

// The key stream goes on from one operation to the next; in the firmware each begins where the bytes ended.
Octets chacha20(const Octets& pattern, unsigned inner) {
  Octets all;
  for (unsigned i = 0; i < inner; ++i)
    all.insert(all.end(), pattern.begin(), pattern.end());
  Octets iv(4, 0);  // block counter, little endian, then RFC 8439's nonce of 96 bits
  iv.insert(iv.end(), kIv.begin(), kIv.begin() + 12);
  const Octets output = crypt(EVP_chacha20(), iv, encrypt, all);
  return {output.end() - static_cast<std::ptrdiff_t>(pattern.size()), output.end()};
}

}  // namespace

const std::vector<Oracle>& oracles() {
  static const std::vector<std::uint32_t> hash = {0, 1, 16, 55, 56, 64, 256, 1024};
  static const std::vector<std::uint32_t> blocks = {16, 32, 256, 1024};
  static const std::vector<std::uint32_t> bytes = {1, 15, 16, 55, 256, 1024};
  static const std::vector<Oracle> all = {
      {"sha-256/hash/mbedtls", hash, unchanged, sha256},
      {"aes-128-ecb/encrypt/mbedtls", blocks, unchanged, block_mode<EVP_aes_128_ecb, encrypt>},
      {"aes-128-ecb/decrypt/mbedtls", blocks, unchanged, block_mode<EVP_aes_128_ecb, decrypt>},
      {"aes-128-cbc/encrypt/mbedtls", blocks, unchanged, block_mode<EVP_aes_128_cbc, encrypt>},
      {"aes-128-cbc/decrypt/mbedtls", blocks, unchanged, block_mode<EVP_aes_128_cbc, decrypt>},
      {"aes-128-ctr/encrypt/mbedtls", bytes, unchanged, block_mode<EVP_aes_128_ctr, encrypt>},
      {"aes-128-ctr/decrypt/mbedtls", bytes, unchanged, block_mode<EVP_aes_128_ctr, decrypt>},
      {"aes-128-ccm/encrypt/mbedtls", bytes, unchanged, sealed_output<EVP_aes_128_ccm, 13>},
      {"aes-128-ccm/decrypt/mbedtls", bytes, sealed<EVP_aes_128_ccm, 13>, opened_output},
      {"aes-128-gcm/encrypt/mbedtls", bytes, unchanged, sealed_output<EVP_aes_128_gcm, 12>},
      {"aes-128-gcm/decrypt/mbedtls", bytes, sealed<EVP_aes_128_gcm, 12>, opened_output},
      {"chacha20/encrypt/mbedtls", bytes, unchanged, chacha20},
  };
  return all;
}

}  // namespace rigd::test
