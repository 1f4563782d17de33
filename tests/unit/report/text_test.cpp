#include "report/text.hpp"

#include <gtest/gtest.h>

namespace rigd::report {
namespace {

TEST(Quantity, HasFourDigitsAndAPrefix) {
  EXPECT_EQ(quantity(104.03125e-6, "s"), "104.0 us");
  EXPECT_EQ(quantity(104.03125e-6, "s", Glyphs::unicode), "104.0 µs");
  EXPECT_EQ(quantity(1.5, "V"), "1.500 V");
  EXPECT_EQ(quantity(-2.6e-6, "A"), "-2.600 uA");
  EXPECT_EQ(quantity(0, "J"), "0 J");
  EXPECT_EQ(quantity(12'345, "Hz"), "12.35 kHz");
}

TEST(Quantity, ChangesPrefixWhereRoundingDoes) {
  EXPECT_EQ(quantity(999.96e-9, "J"), "1.000 uJ");
  EXPECT_EQ(quantity(999.4e-9, "J"), "999.4 nJ");
}

TEST(Quantity, IsCutToItsUncertainty) {
  EXPECT_EQ(quantity(12.9645e-6, 0.2413e-6, "J"), "12.96 +- 0.24 uJ");
  EXPECT_EQ(quantity(561.9e-9, 186.9e-9, "J"), "562 +- 187 nJ");
  EXPECT_EQ(quantity(0.1e-9, 3e-9, "C"), "0.1 +- 3.0 nC")
      << "an uncertainty larger than the value sets the prefix";
  EXPECT_EQ(quantity(1e-6, 0, "J"), "1.000 uJ");
}

TEST(Rounded, HasTwoDigitsAtLeast) {
  EXPECT_EQ(rounded(159.6e-9, "J"), "160 nJ");
  EXPECT_EQ(rounded(2.26e-6, "J"), "2.3 uJ");
}

TEST(IntervalText, KeepsItsEndsApart) {
  EXPECT_EQ(interval(101.9e-6, 103.1e-6, "s"), "101.9 .. 103.1 us");
  EXPECT_EQ(interval(1.000001e-3, 1.000002e-3, "s"), "1.000001 .. 1.000002 ms");
}

TEST(Count, HasNoNeedlessDecimals) {
  EXPECT_EQ(count(18500), "18500");
  EXPECT_EQ(count(1541.6667), "1541.67");
  EXPECT_EQ(count(0.5), "0.5");
}

TEST(Ratio, HasThreeDigitsAtLeast) {
  EXPECT_EQ(ratio(6.501953), "6.50");
  EXPECT_EQ(ratio(1234.5), "1234");
  EXPECT_EQ(ratio(0.01234), "0.0123");
}

TEST(Clean, ReplacesBrokenBytesAndControls) {
  EXPECT_EQ(clean("µs\tand\n±"), "µs\tand\n±");
  EXPECT_EQ(clean("a\x1b[31m"), "a\xEF\xBF\xBD[31m");
  EXPECT_EQ(clean("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(clean("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "overlong";
  EXPECT_EQ(clean("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD") << "surrogate";
  EXPECT_EQ(clean("\xC2"), "\xEF\xBF\xBD") << "cut off";
  EXPECT_EQ(clean("\xC2\x9B"), "\xEF\xBF\xBD") << "C1 control: starts an escape sequence on some terminals";
}

TEST(Escaped, LeavesNothingThatMarksUp) {
  EXPECT_EQ(escaped("<a href='x' title=\"&\">"), "&lt;a href=&#39;x&#39; title=&quot;&amp;&quot;&gt;");
}

TEST(InWords, ABrokenRigIsNeverTheCodesFault) {
  EXPECT_EQ(in_words(store::Problem::of(Error(ErrorCode::flash_failed, "OpenOCD says no"))),
            "the rig is broken: OpenOCD says no");
  EXPECT_EQ(in_words(store::Problem::of(Error(ErrorCode::wrong_answer, "vector 1"))),
            "the board failed: vector 1");
  EXPECT_EQ(in_words("something new"), "something new");
}

}  // namespace
}  // namespace rigd::report
