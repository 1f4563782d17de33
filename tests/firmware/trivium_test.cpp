// Trivium against every vector of eSTREAM (tests/data/vectors).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "case_under_test.hpp"

namespace rigd::test {
namespace {

struct Vector {
  std::string id;
  Octets key, iv;
  std::size_t offset = 0;
  Octets stream;
};

Octets from_hex(const std::string& text) {
  Octets bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

// cipher,key_bits,iv_bits,"id, with a comma",key,iv,stream_offset,keystream
Vector parse(const std::string& line) {
  Vector vector;
  const std::size_t open = line.find('"');
  const std::size_t close = line.find('"', open + 1);
  vector.id = line.substr(open + 1, close - open - 1);
  std::istringstream rest(line.substr(close + 2));
  std::string key, iv, offset, stream;
  std::getline(rest, key, ',') && std::getline(rest, iv, ',') && std::getline(rest, offset, ',') &&
      rest >> stream;
  vector.key = from_hex(key);
  vector.iv = from_hex(iv);  // 80, 64 or 32 bits: the last bytes are there, those before are zeros
  vector.iv.insert(vector.iv.begin(), TRIVIUM_IV_BYTES - vector.iv.size(), 0);
  vector.offset = std::stoul(offset);
  vector.stream = from_hex(stream);
  return vector;
}

std::vector<Vector> published() {
  std::ifstream file(RIGD_TEST_DATA "/vectors/trivium_estream.csv");
  std::vector<Vector> vectors;
  std::string line;
  std::getline(file, line);  // heading
  while (std::getline(file, line))
    if (!line.empty()) vectors.push_back(parse(line));
  return vectors;
}

Octets stream(const Octets& key, const Octets& iv, std::size_t length) {
  trivium state;
  trivium_setup(&state, key.data(), iv.data());
  Octets bytes(length, 0);
  trivium_crypt(&state, bytes.data(), bytes.data(), length);
  return bytes;
}

TEST(FirmwareTrivium, GivesEveryKeyStreamOfEstream) {
  const std::vector<Vector> vectors = published();
  ASSERT_EQ(vectors.size(), 472u);
  for (const Vector& vector : vectors) {
    ASSERT_EQ(vector.key.size(), std::size_t{TRIVIUM_KEY_BYTES});
    ASSERT_EQ(vector.iv.size(), std::size_t{TRIVIUM_IV_BYTES});
    ASSERT_EQ(vector.stream.size(), 64u);
    const Octets all = stream(vector.key, vector.iv, vector.offset + 64);
    ASSERT_EQ(Octets(all.end() - 64, all.end()), vector.stream) << vector.id << " at " << vector.offset;
  }
}

TEST(FirmwareTrivium, PiecesOfWholeWordsGiveTheSameStream) {
  const Vector vector = published().front();
  const Octets whole = stream(vector.key, vector.iv, 64);
  trivium state;
  trivium_setup(&state, vector.key.data(), vector.iv.data());
  Octets pieces(64, 0);
  std::size_t at = 0;
  for (const std::size_t length : {4, 8, 20, 32}) {
    trivium_crypt(&state, pieces.data() + at, pieces.data() + at, length);
    at += length;
  }
  EXPECT_EQ(pieces, whole);
}

TEST(FirmwareTrivium, AShortLastWordGivesTheFirstBytesOfTheStream) {
  const Vector vector = published().front();
  const Octets whole = stream(vector.key, vector.iv, 64);
  for (std::size_t length = 0; length < 12; ++length)
    EXPECT_EQ(stream(vector.key, vector.iv, length),
              Octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
}

TEST(FirmwareTrivium, TheCaseEncryptsWithTheStreamOfItsKey) {
  CaseUnderTest tested("trivium/encrypt/rigd");
  const Octets key = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Octets iv = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25};
  for (const std::size_t size : {1, 16, 55, 256, 1024}) {
    const Octets plain(size, 0x5A);
    tested.prepare(plain);
    ASSERT_EQ(tested.run(), 0);
    Octets expected = stream(key, iv, size);
    for (std::uint8_t& byte : expected)
      byte ^= 0x5A;
    EXPECT_EQ(tested.output(), expected) << size;
  }
}

}  // namespace
}  // namespace rigd::test
