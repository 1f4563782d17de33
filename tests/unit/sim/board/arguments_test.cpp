#include "sim/board/plugin/arguments.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rigd::sim::board {
namespace {

std::expected<PluginArguments, std::string> parse(std::vector<std::string_view> arguments) {
  return parse_arguments(arguments);
}

TEST(PluginArguments, AreReadInAnyOrder) {
  const auto arguments =
      parse({"mul=32", "out=/tmp/a=b", "pins=2", "core=cortex-m0plus", "port=0x20003FF0", "hold=7"});
  ASSERT_TRUE(arguments) << arguments.error();
  EXPECT_EQ(arguments->model.core, Core::cortex_m0plus);
  EXPECT_EQ(arguments->model.multiply_cycles, 32u);
  EXPECT_EQ(arguments->port, 0x20003FF0u);
  EXPECT_EQ(arguments->pins, 2u);
  EXPECT_EQ(arguments->out, "/tmp/a=b");
  EXPECT_EQ(arguments->hold, 7u);
}

TEST(PluginArguments, AWrongOneIsNamed) {
  for (const std::string_view wrong : {"core=cortex-m3", "port=0x2000000Z", "port=4", "pins=0", "pins=33",
                                       "mul=2", "out=", "speed=1", "pins", "hold=-1"}) {
    const auto arguments = parse({"core=none", "port=0x20003FF0", "pins=2", "out=/tmp/x", wrong});
    ASSERT_FALSE(arguments) << wrong;
    EXPECT_NE(arguments.error().find(wrong), std::string::npos) << arguments.error();
  }
}

TEST(PluginArguments, PinsAndOutAreNeeded) {
  EXPECT_FALSE(parse({"core=none", "port=8", "pins=2"}));
  EXPECT_FALSE(parse({"core=none", "port=8", "out=/tmp/x"}));
}

}  // namespace
}  // namespace rigd::sim::board
