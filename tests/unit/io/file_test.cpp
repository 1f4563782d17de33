#include "io/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "temp_folder.hpp"

namespace rigd::io {
namespace {

using testing::HasSubstr;

class File : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(folder_.path() / "file") << text;
    return folder_.path() / "file";
  }
  test::TempFolder folder_;
};

TEST_F(File, ReadsWholeFiles) {
  EXPECT_EQ(read_file(write("12345"), 5)->size(), 5u);
  EXPECT_TRUE(read_file(write(""), 5)->empty());
}

TEST_F(File, RefusesFilesOverTheLimit) {
  const auto file = read_file(write("123456"), 5);
  EXPECT_EQ(file.error().code(), ErrorCode::io_failure);
  EXPECT_THAT(file.error().text(), HasSubstr("6 bytes, at most 5"));
}

TEST_F(File, RefusesWhatIsNoRegularFile) {
  EXPECT_THAT(read_file(folder_.path(), 5).error().text(), HasSubstr("not a regular file"));
  EXPECT_THAT(read_file("/dev/zero", 5).error().text(), HasSubstr("not a regular file"));
  EXPECT_THAT(read_file(folder_.path() / "none", 5).error().text(), HasSubstr("No such file"));
}

TEST_F(File, APropertyIsTheFirstLineWithoutSpacesAtItsEnd) {
  EXPECT_EQ(read_property(write("BBC micro:bit  \nmore")), "BBC micro:bit");
  EXPECT_EQ(read_property(write("0d28")), "0d28");
  EXPECT_EQ(read_property(write("   \n")), "");
  EXPECT_EQ(read_property(folder_.path() / "none"), std::nullopt);
  EXPECT_EQ(read_property(write(std::string(513, 'x'))), std::nullopt);
}

}  // namespace
}  // namespace rigd::io
