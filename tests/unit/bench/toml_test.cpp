#include "bench/toml.hpp"

#include <gtest/gtest.h>

namespace rigd::bench {
namespace {

// Reads a file whose root table has the keys `name` and `count`, and says what was wrong with it.
std::string complaint(std::string_view text) {
  Result<TomlFile> file = TomlFile::parse(text, "x.toml", ErrorCode::bad_bench);
  if (!file) return file.error().text();
  {
    TomlTable root = file->root();
    root.text("name");
    root.integer("count", 1, 10);
  }
  const Result<void> verdict = file->verdict();
  return verdict ? "" : verdict.error().text();
}

TEST(Toml, AcceptsWhatIsAskedFor) {
  EXPECT_EQ(complaint("name = 'a'\ncount = 3\n"), "");
}

TEST(Toml, NamesFileLineAndColumnOfASyntaxError) {
  EXPECT_TRUE(complaint("name = 'a'\ncount = = 3\n").starts_with("x.toml:2:9: "));
}

TEST(Toml, UnknownKeysAreErrors) {
  EXPECT_EQ(complaint("name = 'a'\ncount = 3\ncolour = 1\n"), "x.toml:3:1: unknown key 'colour'");
}

TEST(Toml, MissingKeysAreNamed) {
  EXPECT_NE(complaint("name = 'a'\n").find("key 'count' is missing"), std::string::npos);
}

TEST(Toml, ValuesOutsideTheirRangeAreRefusedWithTheRange) {
  EXPECT_EQ(complaint("name = 'a'\ncount = 11\n"), "x.toml:2:9: 'count' must be a whole number from 1 to 10");
  EXPECT_EQ(complaint("name = 'a'\ncount = '3'\n"),
            "x.toml:2:9: 'count' must be a whole number from 1 to 10");
  EXPECT_EQ(complaint("name = ''\ncount = 3\n"), "x.toml:1:8: 'name' must be a text that is not empty");
}

TEST(Toml, TheFirstErrorIsTheOneReported) {
  EXPECT_TRUE(complaint("name = 1\ncount = 99\n").starts_with("x.toml:1:8: "));
}

TEST(Toml, MissingFileIsNamed) {
  const Result<TomlFile> file = TomlFile::load("/nowhere/x.toml", ErrorCode::bad_plan);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::bad_plan);
  EXPECT_EQ(file.error().text(), "/nowhere/x.toml: no such file");
}

TEST(Toml, NestedTablesShowTheirPath) {
  Result<TomlFile> file =
      TomlFile::parse("[[slot]]\n[slot.probe]\nrate = -1\n", "x.toml", ErrorCode::bad_bench);
  ASSERT_TRUE(file);
  {
    TomlTable root = file->root();
    for (TomlTable& slot : root.tables("slot"))
      slot.table("probe").number("rate", 0, 1);
  }
  EXPECT_EQ(file->verdict().error().text(), "x.toml:3:8: 'slot[0].probe.rate' must be a number from 0 to 1");
}

}  // namespace
}  // namespace rigd::bench
