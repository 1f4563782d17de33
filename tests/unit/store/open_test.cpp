// Opening: what is accepted, what is refused, and that a refusal leaves the folder as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "fixture.hpp"
#include "store/schema.hpp"

namespace rigd::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::some_run;
using testing::value_of;

class Opening : public testing::InFolder {
 protected:
  void write(std::string_view content) const { std::ofstream(file(), std::ios::binary) << content; }
  std::string content() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Both ways of opening fail with `code`, and nothing in the folder changes.
  void expect_untouched_refusal(ErrorCode code) const {
    const auto names_before = names();
    const std::string content_before = content();
    for (auto* open : {&Store::open, &Store::open_read_only}) {
      const auto opened = open(file());
      ASSERT_FALSE(opened);
      EXPECT_EQ(opened.error().code(), code) << opened.error().text();
      EXPECT_THAT(opened.error().text(), HasSubstr(file().string()));
    }
    EXPECT_EQ(names(), names_before);
    EXPECT_EQ(content(), content_before);
  }
};

TEST_F(Opening, MakesANewDatabaseAndLeavesOneFile) {
  {
    const Store store = value_of(Store::open(file()));
  }
  EXPECT_THAT(names(), ElementsAre("bench.db"));
  {
    const Store store = value_of(Store::open(file()));
  }
  {
    const Store store = value_of(Store::open_read_only(file()));
  }
  EXPECT_THAT(names(), ElementsAre("bench.db"));
}

TEST_F(Opening, TakesAnEmptyFileAsNew) {
  write("");
  EXPECT_EQ(Store::open_read_only(file()).error().code(), ErrorCode::bad_database);
  EXPECT_TRUE(Store::open(file()));
}

TEST_F(Opening, RefusesAFileThatIsNoDatabase) {
  write("[slot.m0]\nboard = \"microbit\"\n");
  expect_untouched_refusal(ErrorCode::bad_database);
  write(std::string(8'192, 'x'));
  expect_untouched_refusal(ErrorCode::bad_database);
}

TEST_F(Opening, RefusesAnotherProgramsDatabase) {
  {
    const Connection other = value_of(Connection::open(file(), Connection::Mode::create));
    value_of(other.execute("CREATE TABLE bookmarks (url TEXT)"));
  }
  expect_untouched_refusal(ErrorCode::bad_database);
}

TEST_F(Opening, RefusesANewerSchemaNamingBothVersions) {
  {
    const Store store = value_of(Store::open(file()));
    const Connection newer = value_of(Connection::open(file(), Connection::Mode::read_write));
    value_of(newer.execute("PRAGMA user_version = 999"));
  }
  expect_untouched_refusal(ErrorCode::schema_too_new);
  EXPECT_THAT(Store::open(file()).error().text(), HasSubstr("999"));
  EXPECT_THAT(Store::open(file()).error().text(), HasSubstr(std::to_string(migrations().size())));
}

TEST_F(Opening, RefusesANewerSchemaThatIsStillInTheLog) {
  {
    const Store store = value_of(Store::open(file()));
    const Connection newer = value_of(Connection::open(file(), Connection::Mode::read_write));
    value_of(newer.execute("PRAGMA user_version = 999"));
    // What a killed process leaves: the file and its log, without the last checkpoint.
    std::filesystem::copy(file(), folder_ / "killed.db");
    std::filesystem::copy(file().string() + "-wal", folder_ / "killed.db-wal");
  }
  const auto refused = Store::open(folder_ / "killed.db");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::schema_too_new);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "killed.db-wal"));
}

TEST_F(Opening, RefusesAFolderAndAMissingFolder) {
  EXPECT_EQ(Store::open(folder_).error().code(), ErrorCode::bad_database);
  const auto missing = Store::open(folder_ / "no" / "bench.db");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::bad_database);
  EXPECT_TRUE(names().empty());
}

TEST_F(Opening, ReadingWantsAnExistingFile) {
  const auto missing = Store::open_read_only(file());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::bad_database);
  EXPECT_TRUE(names().empty());
}

TEST_F(Opening, ASecondWriterIsToldWhoIsThere) {
  const Store first = value_of(Store::open(file()));
  const auto second = Store::open(file());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::busy);
  EXPECT_THAT(second.error().text(),
              HasSubstr("in use by another rigd (pid " + std::to_string(getpid()) + ")"));
  // Under another name it is the same file.
  std::filesystem::create_symlink(file(), folder_ / "alias.db");
  EXPECT_EQ(Store::open(folder_ / "alias.db").error().code(), ErrorCode::busy);
}

TEST_F(Opening, ReadersWorkBesideTheWriter) {
  Store writer = value_of(Store::open(file()));
  const Store reader = value_of(Store::open_read_only(file()));
  EXPECT_TRUE(value_of(reader.runs()).empty());
  value_of(writer.begin_run(some_run()));
  EXPECT_EQ(value_of(reader.runs()).size(), 1U);
}

TEST_F(Opening, ALockLeftByADeadProcessDoesNotMatter) {
  std::ofstream(file().string() + "-lock") << "999999";
  EXPECT_TRUE(Store::open(file()));
}

// Runs `check` in a process that may write nowhere here, not even if we are root; its answer is the result.
template <class Check>
bool without_rights(const std::filesystem::path& folder, const Check& check) {
  chmod(folder.c_str(), 0555);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65'534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0) _exit(2);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  chmod(folder.c_str(), 0755);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(Opening, AReaderNeedsNoRightToWrite) {
  {
    Store store = value_of(Store::open(file()));
    value_of(store.begin_run(some_run()));
  }
  EXPECT_TRUE(without_rights(folder_, [this] {
    const auto reader = Store::open_read_only(file());
    return reader && value_of(reader->runs()).size() == 1;
  }));
  EXPECT_TRUE(without_rights(folder_, [this] {
    const auto writer = Store::open(file());
    return !writer && writer.error().code() == ErrorCode::bad_database;
  }));
  EXPECT_THAT(names(), ElementsAre("bench.db"));
}

TEST_F(Opening, ReadOnlyStoresCannotBeWritten) {
  {
    const Store store = value_of(Store::open(file()));
  }
  Store reader = value_of(Store::open_read_only(file()));
  EXPECT_FALSE(reader.begin_run(some_run()));
}

}  // namespace
}  // namespace rigd::store
