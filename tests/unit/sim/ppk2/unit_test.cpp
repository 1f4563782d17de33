// The simulated unit against published text, EEPROM bytes and sample words; the driver has no part in it.
#include "sim/ppk2/unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace rigd::sim::ppk2 {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string data_file(const std::string& name) {
  std::ifstream file(RIGD_TEST_DATA "/ppk2/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

TEST(Metadata, IsThePublishedTextOfUnitA) {
  EXPECT_EQ(metadata_text(kUnitA, {.hw = 9173, .ia = 56, .vdd_mv = 3000, .mode = 2}, Format::v1_1),
            data_file("metadata_a.txt"));
}

TEST(Metadata, IsThePublishedTextOfTheDamagedUnit) {
  EXPECT_EQ(metadata_text(kUnitB, {.hw = 54350, .ia = 58, .vdd_mv = 3300, .mode = 2}, Format::v1_1),
            data_file("metadata_b.txt"));
}

TEST(Metadata, HasNoIaInTheOldestFormat) {
  const std::string oldest = metadata_text(kUnitA, {}, Format::y2020);
  EXPECT_THAT(oldest, Not(HasSubstr("IA")));
  EXPECT_EQ(lines_of(oldest).size(), 40U);
}

TEST(Metadata, HasTwentyDecimalsInTheNewestFormat) {
  const std::string text = metadata_text(kUnitD, {}, Format::v1_2);
  for (const std::string& line : lines_of(data_file("metadata_d_1.2_lines.txt")))
    EXPECT_THAT(text, HasSubstr(line + "\n"));
  EXPECT_THAT(text, HasSubstr("GS0: 0.00000000000000000000\n"));
  EXPECT_GT(text.size(), 1000U);
}

TEST(UnitD, HasThePublishedEepromBytes) {
  const auto rows = lines_of(data_file("eeprom_d.csv"));
  ASSERT_EQ(rows.size(), 30U);
  for (const std::string& row : rows) {
    const std::string family = row.substr(0, row.find(',') - 1);
    const auto range = static_cast<unsigned>(row[row.find(',') - 1] - '0');
    const PerRange& values = family == "R"    ? kUnitD.r
                             : family == "GS" ? kUnitD.gs
                             : family == "GI" ? kUnitD.gi
                             : family == "O"  ? kUnitD.o
                             : family == "S"  ? kUnitD.s
                                              : kUnitD.i;
    std::array<std::uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &values[range], sizeof bytes);
    char text[12];
    std::snprintf(text, sizeof text, "%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
    EXPECT_EQ(text, row.substr(row.rfind(',') + 1)) << row;
  }
}

TEST(Samples, AreThePublishedBytesForThePublishedCurrents) {
  const auto rows = lines_of(data_file("reference_vectors.csv"));
  ASSERT_EQ(rows.size(), 10U);
  for (const std::string& row : rows) {
    unsigned byte[4];
    Sample sample;
    double current_ua = 0;
    unsigned code = 0;
    ASSERT_EQ(std::sscanf(row.c_str(), "%x %x %x %x,%u,%u,%u,%x,%lf", &byte[0], &byte[1], &byte[2], &byte[3],
                          &sample.range, &code, &sample.counter, &sample.logic, &current_ua),
              9);
    const double exact = exact_code(kUnitA, sample.range, current_ua * 1e-6, 3.0);
    EXPECT_NEAR(exact, code, 0.001) << row;
    sample.code = static_cast<unsigned>(std::lround(exact));
    EXPECT_EQ(word_of(sample), byte[0] | byte[1] << 8 | byte[2] << 16 | byte[3] << 24) << row;
  }
}

TEST(Ranges, AreChosenWithHysteresis) {
  EXPECT_EQ(choose_range(0, 40e-6), 0U);
  EXPECT_EQ(choose_range(0, 60e-6), 1U);
  EXPECT_EQ(choose_range(0, 300e-3), 4U);
  EXPECT_EQ(choose_range(1, 48e-6), 1U) << "not yet";
  EXPECT_EQ(choose_range(1, 44e-6), 0U);
  EXPECT_EQ(choose_range(4, 0), 0U);
  EXPECT_EQ(choose_range(2, -1e-6), 0U);
}

}  // namespace
}  // namespace rigd::sim::ppk2
