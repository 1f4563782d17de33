// Every case of a library against OpenSSL: for the input it is measured with, and for random input.
#include "oracle.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>

#include "case_under_test.hpp"

namespace rigd::test {
namespace {

// core/measure.c: the same input on every board.
Octets measured_pattern(std::uint32_t size) {
  Octets pattern(size);
  for (std::uint32_t i = 0; i < size; ++i)
    pattern[i] = static_cast<std::uint8_t>(i * 167 + 13);
  return pattern;
}

class FirmwareOracle : public testing::TestWithParam<Oracle> {
 protected:
  FirmwareOracle() : tested_(oracle_.id) {}

  bool takes(std::uint32_t size) const {
    const rigd_case_record& record = *rigd_case_record_of(tested_.index());
    return size >= record.min_size && size <= record.max_size && size % record.size_step == 0;
  }

  const Oracle oracle_ = GetParam();
  CaseUnderTest tested_;
};

TEST_P(FirmwareOracle, TheDigestOfAMeasurementIsThatOfTheOraclesOutput) {
  for (const std::uint32_t size : oracle_.sizes)
    for (const unsigned inner : {1u, 3u}) {
      const Octets expected = oracle_.output(measured_pattern(size), inner);
      std::uint32_t digest = 0;
      ASSERT_TRUE(rigd_digest(&tested_.ops(), size, inner, &digest));
      EXPECT_EQ(digest, rigd_crc32(expected.data(), expected.size())) << size << " bytes, inner " << inner;
    }
}

TEST_P(FirmwareOracle, RandomInputGivesTheOraclesOutput) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 200; ++round) {
    Octets pattern(oracle_.sizes[random() % oracle_.sizes.size()]);
    std::ranges::generate(pattern, [&] { return static_cast<std::uint8_t>(random()); });
    Octets prepared = tested_.prepare(pattern);
    const Octets expected_input = oracle_.prepared(pattern);
    prepared.resize(expected_input.size());
    ASSERT_EQ(prepared, expected_input);
    ASSERT_EQ(tested_.run(), 0);
    ASSERT_EQ(tested_.output(), oracle_.output(pattern, 1)) << "round " << round;
  }
}

TEST_P(FirmwareOracle, TheOperationLeavesItsInputAlone) {
  const Octets before = tested_.prepare(measured_pattern(oracle_.sizes.back()));
  ASSERT_EQ(tested_.run(), 0);
  for (std::size_t i = 0; i < before.size(); ++i)
    ASSERT_EQ(tested_.input_byte(i), before[i]);
}

TEST_P(FirmwareOracle, TheCaseTakesTheSizesItIsTestedWith) {
  for (const std::uint32_t size : oracle_.sizes)
    EXPECT_TRUE(takes(size)) << size;
}

INSTANTIATE_TEST_SUITE_P(Cases, FirmwareOracle, testing::ValuesIn(oracles()), [](const auto& tested) {
  std::string name = tested.param.id;
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

TEST(FirmwareCases, EachHasAnOracleOrPublishedVectorsOfItsOwn) {
  std::set<std::string> known = {"trivium/encrypt/rigd"};  // trivium_test.cpp
  for (const Oracle& oracle : oracles())
    known.insert(oracle.id);
  std::set<std::string> present;
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i)
    present.insert(rigd_case_record_of(i)->id);
  EXPECT_EQ(present, known);
  EXPECT_EQ(present.size(), rigd_case_count()) << "an id is there twice";
}

class FirmwareCipher : public testing::TestWithParam<const char*> {
 protected:
  CaseUnderTest encrypting_{std::string(GetParam()) + "/encrypt/mbedtls"};
};

TEST_P(FirmwareCipher, DecryptionGivesBackWhatWasEncrypted) {
  CaseUnderTest decrypting(std::string(GetParam()) + "/decrypt/mbedtls");
  const Octets plain = measured_pattern(256);
  encrypting_.prepare(plain);
  ASSERT_EQ(encrypting_.run(), 0);
  const Octets cipher = encrypting_.output();
  ASSERT_NE(Octets(cipher.begin(), cipher.begin() + 256), plain);
  decrypting.prepare(plain);  // the key; what it put into the input is replaced
  for (std::size_t i = 0; i < cipher.size(); ++i)
    decrypting.input_byte(i) = cipher[i];
  ASSERT_EQ(decrypting.run(), 0);
  EXPECT_EQ(decrypting.output(), plain);
}

INSTANTIATE_TEST_SUITE_P(Modes, FirmwareCipher,
                         testing::Values("aes-128-ecb", "aes-128-cbc", "aes-128-ctr", "aes-128-ccm",
                                         "aes-128-gcm"),
                         [](const auto& mode) {
                           std::string name = mode.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

class FirmwareAead : public testing::TestWithParam<const char*> {};

TEST_P(FirmwareAead, AnyTurnedBitOfTextOrTagIsRefused) {
  CaseUnderTest decrypting(GetParam());
  constexpr std::size_t kText = 16;
  decrypting.prepare(measured_pattern(kText));
  for (std::size_t bit = 0; bit < 8 * (kText + 16); ++bit) {
    std::uint8_t& byte = decrypting.input_byte(bit / 8);
    byte = static_cast<std::uint8_t>(byte ^ 1u << bit % 8);
    EXPECT_NE(decrypting.run(), 0) << "bit " << bit;
    byte = static_cast<std::uint8_t>(byte ^ 1u << bit % 8);
  }
  EXPECT_EQ(decrypting.run(), 0);
}

INSTANTIATE_TEST_SUITE_P(Modes, FirmwareAead,
                         testing::Values("aes-128-ccm/decrypt/mbedtls", "aes-128-gcm/decrypt/mbedtls"),
                         [](const auto& tested) { return std::string(tested.param, 8, 3); });

}  // namespace
}  // namespace rigd::test
