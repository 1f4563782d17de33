#include "store/sqlite.hpp"

#include <gtest/gtest.h>

#include "fixture.hpp"

namespace rigd::store {
namespace {

using testing::value_of;

class Sqlite : public testing::InFolder {
 protected:
  Connection connection_ = value_of(Connection::open(file(), Connection::Mode::create));
};

TEST_F(Sqlite, ValuesComeBackAsTheyWent) {
  value_of(connection_.execute("CREATE TABLE t (i INTEGER, d REAL, s TEXT, b BLOB, n INTEGER) STRICT"));
  Statement insert = value_of(connection_.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)"));
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{255}};
  value_of(insert.run(std::int64_t{-5}, 0.1, std::string("a\0b", 3), std::span(bytes), std::nullopt));
  value_of(insert.run(std::uint32_t{0xFFFFFFFF}, 2.0, std::string_view(), std::span<const std::byte>(),
                      std::optional<int>(3)));

  Statement rows = value_of(connection_.prepare("SELECT * FROM t ORDER BY rowid"));
  rows.start();
  std::int64_t i = 0;
  double d = 0;
  std::string s;
  std::vector<std::byte> b;
  std::optional<std::int64_t> n;
  ASSERT_TRUE(value_of(rows.next()));
  rows.read(i, d, s, b, n);
  EXPECT_EQ(i, -5);
  EXPECT_EQ(d, 0.1);
  EXPECT_EQ(s, std::string("a\0b", 3));
  EXPECT_EQ(b, bytes);
  EXPECT_FALSE(n);
  ASSERT_TRUE(value_of(rows.next()));
  rows.read(i, d, s, b, n);
  EXPECT_EQ(i, 0xFFFFFFFF);
  EXPECT_EQ(s, "");
  EXPECT_TRUE(b.empty());
  EXPECT_EQ(n, 3);
  EXPECT_FALSE(value_of(rows.next()));
}

TEST_F(Sqlite, AFailedStatementCanRunAgain) {
  value_of(connection_.execute("CREATE TABLE t (i INTEGER UNIQUE) STRICT"));
  Statement insert = value_of(connection_.prepare("INSERT INTO t VALUES (?1)"));
  value_of(insert.run(1));
  EXPECT_EQ(insert.run(1).error().code(), ErrorCode::store_failure);
  value_of(insert.run(2));
  EXPECT_EQ(value_of(connection_.integer("SELECT count(*) FROM t")), 2);
}

TEST_F(Sqlite, ATransactionThatIsNotCommittedLeavesNothing) {
  value_of(connection_.execute("CREATE TABLE t (i INTEGER) STRICT"));
  {
    const Transaction transaction = value_of(Transaction::begin(connection_));
    value_of(connection_.execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_FALSE(connection_.in_transaction());
  EXPECT_EQ(value_of(connection_.integer("SELECT count(*) FROM t")), 0);
  Transaction transaction = value_of(Transaction::begin(connection_));
  value_of(connection_.execute("INSERT INTO t VALUES (1)"));
  value_of(transaction.commit());
  EXPECT_EQ(value_of(connection_.integer("SELECT count(*) FROM t")), 1);
}

TEST_F(Sqlite, ErrorsNameTheFile) {
  const auto failed = connection_.execute("SELECT * FROM nothing");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::store_failure);
  EXPECT_NE(failed.error().text().find(file().string()), std::string::npos);
}

TEST_F(Sqlite, ALockedDatabaseIsBusy) {
  value_of(connection_.execute("CREATE TABLE t (i INTEGER) STRICT"));
  const Transaction held = value_of(Transaction::begin(connection_));
  const Connection other = value_of(Connection::open(file(), Connection::Mode::read_write));
  sqlite3_busy_timeout(other.handle(), 1);
  EXPECT_EQ(Transaction::begin(other).error().code(), ErrorCode::busy);
}

}  // namespace
}  // namespace rigd::store
