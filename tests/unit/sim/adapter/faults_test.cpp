#include "sim/adapter/faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigd::sim::adapter {
namespace {

TEST(FaultsTest, SwitchesAndNumbers) {
  Faults faults;
  EXPECT_TRUE(faults.set("missing=1"));
  EXPECT_TRUE(faults.missing);
  EXPECT_TRUE(faults.set("missing=0"));
  EXPECT_FALSE(faults.missing);
  EXPECT_TRUE(faults.set("hang_after=12"));
  EXPECT_EQ(faults.hang_after, 12u);
  EXPECT_TRUE(faults.set("stuck_bit=0x40"));
  EXPECT_EQ(faults.stuck_bit, 0x40u);
}

TEST(FaultsTest, ErrorsNameTheKnob) {
  for (const char* bad : {"missing", "missing=2", "missing=yes", "hang_after=", "stuck_bit=0x100000000",
                          "wobbly=1", "disconnect_after=-1", ""}) {
    Faults faults;
    const auto set = faults.set(bad);
    ASSERT_FALSE(set) << bad;
    EXPECT_EQ(set.error().code(), ErrorCode::bad_argument);
    EXPECT_THAT(set.error().text(),
                testing::HasSubstr(std::string_view(bad).substr(0, std::string_view(bad).find('='))));
  }
}

}  // namespace
}  // namespace rigd::sim::adapter
