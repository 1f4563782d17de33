#include "base/result.hpp"

#include <gtest/gtest.h>

namespace rigd {
namespace {

TEST(Error, ReadsFromTheOutsideIn) {
  const Error error = Error(ErrorCode::board_silent, "no answer within 5 s").at("hello").at("slot m0");
  EXPECT_EQ(error.text(), "slot m0: hello: no answer within 5 s");
}

TEST(Error, CodeDecidesWhoIsAtFault) {
  EXPECT_EQ(fault_of(ErrorCode::bad_plan), Fault::usage);
  EXPECT_EQ(fault_of(ErrorCode::verify_mismatch), Fault::rig);
  EXPECT_EQ(fault_of(ErrorCode::board_silent), Fault::board);
  EXPECT_EQ(fault_of(ErrorCode::samples_lost), Fault::invalid);
}

TEST(Error, EveryCodeHasItsOwnName) {
  for (int code = 0; code < static_cast<int>(ErrorCode::internal); ++code)
    EXPECT_NE(to_string(static_cast<ErrorCode>(code)), "internal") << code;
}

TEST(Fault, IsTheExitStatus) {
  EXPECT_EQ(static_cast<int>(Fault::board), 1);
  EXPECT_EQ(static_cast<int>(Fault::usage), 2);
  EXPECT_EQ(static_cast<int>(Fault::internal), 3);
  EXPECT_EQ(static_cast<int>(Fault::rig), 4);
  EXPECT_EQ(static_cast<int>(Fault::regression), 6);
  EXPECT_EQ(static_cast<int>(Fault::invalid), 7);
  EXPECT_EQ(static_cast<int>(Fault::interrupted), 130);
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::bad_argument, "odd");
  return number / 2;
}

Result<int> quarter(int number) {
  RIGD_TRY(const int once, half(number));
  RIGD_TRY(const int twice, half(once));
  return twice;
}

TEST(Try, PassesTheValueOnOrLeavesWithTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().code(), ErrorCode::bad_argument);
}

}  // namespace
}  // namespace rigd
