#include "analysis/cost.hpp"

#include <gtest/gtest.h>

namespace rigd::analysis {
namespace {

TEST(PerByte, DividesByTheBytesWorkedOn) {
  EXPECT_DOUBLE_EQ(*per_byte(1024, 256), 4);
  EXPECT_FALSE(per_byte(1024, 0)) << "an operation without input has no cost per byte";
}

TEST(Throughput, IsBytesASecond) {
  EXPECT_DOUBLE_EQ(*throughput(256, 1e6), 256'000);
  EXPECT_FALSE(throughput(256, 0));
  EXPECT_FALSE(throughput(0, 1e6));
}

}  // namespace
}  // namespace rigd::analysis
