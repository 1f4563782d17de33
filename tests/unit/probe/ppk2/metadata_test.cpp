#include "probe/ppk2/metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using testing::HasSubstr;

std::string sample_a() {
  return test::data_file("metadata_a.txt");
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("not in the sample");
  return text.replace(at, what.size(), with);
}

std::string without_line(std::string text, std::string_view key) {
  const auto first = text.find("\n" + std::string(key) + ": ") + 1;
  return text.erase(first, text.find('\n', first) + 1 - first);
}

// As printed by firmware 1.2 for unit A: the same constants with 20 decimals.
std::string newest_format() {
  std::string text;
  for (std::size_t at = 0; at < sample_a().size();) {
    const std::string line = sample_a().substr(at, sample_a().find('\n', at) - at);
    at += line.size() + 1;
    const bool decimal = line.contains('.');
    text += line + std::string(decimal ? 20 - (line.size() - line.find('.') - 1) : 0, '0') + '\n';
  }
  return text;
}

Result<Metadata> read(std::string_view text) {
  MetadataParser parser;
  parser.feed(test::bytes_of(text));
  return parser.result();
}

void expect_unit_a(const Result<Metadata>& metadata) {
  ASSERT_TRUE(metadata) << metadata.error().text();
  EXPECT_EQ(metadata->hw, 9173U);
  EXPECT_EQ(metadata->vdd_mv, 3000U);
  EXPECT_EQ(metadata->mode, 2U);
  EXPECT_EQ(metadata->calibration.at(Family::r, 0), 1003.3506);
  EXPECT_EQ(metadata->calibration.at(Family::gs, 1), 112.7890);
  EXPECT_EQ(metadata->calibration.at(Family::o, 4), 87.2177);
  EXPECT_EQ(metadata->calibration.at(Family::s, 0), 0.000000048);
  EXPECT_EQ(metadata->calibration.at(Family::i, 4), -0.009388455);
  for (unsigned range = 0; range < kRanges; ++range)
    EXPECT_TRUE(metadata->calibration.range(range));
}

TEST(Metadata, ReadsAllThreeFormats) {
  const auto middle = read(sample_a());
  expect_unit_a(middle);
  EXPECT_EQ(to_string(middle->format), "1.1");
  EXPECT_EQ(middle->ia, 56U);

  const auto oldest = read(without_line(sample_a(), "IA"));
  expect_unit_a(oldest);
  EXPECT_EQ(to_string(oldest->format), "2020");
  EXPECT_FALSE(oldest->ia);

  const auto newest = read(newest_format());
  expect_unit_a(newest);
  EXPECT_EQ(to_string(newest->format), "1.2");
  EXPECT_EQ(newest->calibration.hash(), middle->calibration.hash());
}

TEST(Metadata, IsTheSameSplitAtEveryByte) {
  for (const std::string& text : {sample_a(), newest_format()}) {
    const auto bytes = test::bytes_of(text);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      MetadataParser parser;
      parser.feed(std::span(bytes).first(cut));
      EXPECT_EQ(parser.complete(), cut >= bytes.size() - 1) << "the last newline is not waited for";
      parser.feed(std::span(bytes).subspan(cut));
      expect_unit_a(parser.result());
    }
  }
}

TEST(Metadata, AcceptsWindowsLineEnds) {
  std::string text;
  for (const char c : sample_a())
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_unit_a(read(text));
}

TEST(Metadata, IsFoundBehindTheRubbishOfAKilledClient) {
  std::mt19937 random(1);
  for (const std::size_t length : {0U, 1U, 3U, 63U, 4095U, 17412U, 20000U}) {
    std::string rubbish;
    for (std::size_t i = 0; i < length; ++i)
      rubbish += static_cast<char>(random());
    expect_unit_a(read(rubbish + sample_a()));
    expect_unit_a(read(rubbish + "END" + rubbish + "\nEND\n" + rubbish + sample_a()));
  }
}

TEST(Metadata, StartsOverAfterTheStumpOfAnEarlierAnswer) {
  const std::string stump = replaced(sample_a(), "R1: 101.5865", "R1: nonsense");
  for (std::size_t cut = 0; cut < stump.size() - 4; ++cut)
    expect_unit_a(read(stump.substr(0, cut) + sample_a()));
}

TEST(Metadata, MissingConstantLeavesItsRangeNotConvertible) {
  for (const std::string_view family : kFamilyNames) {
    const auto metadata = read(without_line(sample_a(), std::string(family) + "3"));
    ASSERT_TRUE(metadata);
    EXPECT_FALSE(metadata->calibration.range(3));
    EXPECT_TRUE(metadata->calibration.range(2));
  }
}

TEST(Metadata, NotANumberIsReadAsSuchAndThenRefused) {
  for (const std::string_view bad : {"nan", "-nan", "inf", "-inf"}) {
    const auto metadata = read(replaced(sample_a(), "R1: 101.5865", "R1: " + std::string(bad)));
    ASSERT_TRUE(metadata) << bad;
    EXPECT_FALSE(std::isfinite(*metadata->calibration.at(Family::r, 1)));
    EXPECT_FALSE(check_plausible(metadata->calibration));
  }
}

TEST(Metadata, RefusesAMalformedOrRepeatedLineNamingItsKey) {
  const auto word = read(replaced(sample_a(), "GI2: 0.9609", "GI2: 0.96o9"));
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().code(), ErrorCode::probe_calibration);
  EXPECT_THAT(word.error().message(), HasSubstr("GI2 is '0.96o9'"));

  const auto twice = read(replaced(sample_a(), "GI2: 0.9609", "GI1: 0.9609"));
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message(), HasSubstr("GI1"));

  EXPECT_FALSE(read(replaced(sample_a(), "VDD: 3000", "VDD: -3")));
  EXPECT_FALSE(read(replaced(sample_a(), "VDD: 3000", "VDD\x01 3000")));
}

TEST(Metadata, TellsHowFarAnIncompleteAnswerGot) {
  const auto nothing = read("");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code(), ErrorCode::probe_identity);
  EXPECT_THAT(nothing.error().message(), HasSubstr("no metadata in 0 bytes"));
  const auto half = read(sample_a().substr(0, sample_a().find("GS3")));
  ASSERT_FALSE(half);
  EXPECT_THAT(half.error().message(), HasSubstr("stopped after GS2"));
}

TEST(Metadata, RecognisesTheShellPort) {
  const auto prompt = read("\r\nshell:~$ \r\nshell:~$ ");
  ASSERT_FALSE(prompt);
  EXPECT_EQ(prompt.error().code(), ErrorCode::probe_identity);
  EXPECT_THAT(prompt.error().message(), HasSubstr("second port"));

  std::string commas = sample_a();
  for (char& c : commas)
    if (c == '\n') c = ',';
  const auto shell = read(commas + "\r\nshell:~$ ");
  ASSERT_FALSE(shell);
  EXPECT_EQ(shell.error().code(), ErrorCode::probe_identity);
}

TEST(Metadata, StaysBoundedOnEndlessText) {
  MetadataParser parser;
  const auto line = test::bytes_of("X9: 1.0000\n");
  parser.feed(test::bytes_of("Calibrated: 0\n"));
  for (int i = 0; i < 100'000; ++i)
    parser.feed(line);
  EXPECT_FALSE(parser.complete());
  EXPECT_FALSE(parser.result());
  parser.feed(test::bytes_of(sample_a()));
  expect_unit_a(parser.result());
}

}  // namespace
}  // namespace rigd::probe::ppk2
