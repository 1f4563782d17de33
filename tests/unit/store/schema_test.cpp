#include "store/schema.hpp"

#include <gtest/gtest.h>

#include <array>

#include "fixture.hpp"
#include "store/database_file.hpp"

namespace rigd::store {
namespace {

using testing::value_of;

class Schema : public testing::InFolder {
 protected:
  Connection connection_ = value_of(Connection::open(file(), Connection::Mode::create));
};

TEST_F(Schema, EveryTableIsStrict) {
  value_of(bring_up_to_date(connection_));
  EXPECT_GE(value_of(connection_.integer(
                "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite%'")),
            11);
  EXPECT_EQ(value_of(connection_.integer(
                "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite%' AND strict = 0")),
            0);
}

TEST_F(Schema, MigrationsRunInOrderAndOnlyOnce) {
  constexpr std::array<std::string_view, 2> two = {"CREATE TABLE a (x INTEGER) STRICT;",
                                                   "ALTER TABLE a ADD COLUMN y INTEGER;"};
  value_of(bring_up_to_date(connection_, std::span(two).first(1)));
  EXPECT_EQ(value_of(connection_.integer("PRAGMA user_version")), 1);
  value_of(bring_up_to_date(connection_, two));
  value_of(bring_up_to_date(connection_, two));
  EXPECT_EQ(value_of(connection_.integer("PRAGMA user_version")), 2);
  EXPECT_EQ(value_of(connection_.integer("PRAGMA application_id")), kApplicationId);
  value_of(connection_.execute("INSERT INTO a (x, y) VALUES (1, 2)"));
}

TEST_F(Schema, AMigrationThatFailsLeavesNothing) {
  constexpr std::array<std::string_view, 2> bad = {"CREATE TABLE a (x INTEGER) STRICT;",
                                                   "CREATE TABLE b (x INTEGER) STRICT; oops;"};
  const auto failed = bring_up_to_date(connection_, bad);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().text().find("migration 0002"), std::string::npos);
  EXPECT_EQ(value_of(connection_.integer("PRAGMA user_version")), 1);
  EXPECT_EQ(value_of(connection_.integer("SELECT count(*) FROM sqlite_schema")), 1);
}

TEST_F(Schema, ANewerOneIsRefusedWithBothVersions) {
  value_of(connection_.execute("PRAGMA user_version = 7"));
  const auto refused = accept_version(connection_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::schema_too_new);
  EXPECT_NE(refused.error().text().find("version 7"), std::string::npos);
  EXPECT_NE(refused.error().text().find("up to " + std::to_string(migrations().size())), std::string::npos);
}

TEST_F(Schema, OnlyTheFourProvenancesExist) {
  value_of(bring_up_to_date(connection_));
  const auto refused = connection_.execute(
      "INSERT INTO statistic (measurement_id, metric, provenance, n) VALUES (1, 'edge_ns', 'guessed', 0)");
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace rigd::store
