// SQLite's C interface as values: Connection, Statement, Transaction. Every return code is looked at and
// becomes an Error: disk_full, busy, bad_database (not a database) or store_failure.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace rigd::store {

// A prepared statement. Its connection must outlive it.
class Statement {
 public:
  // Binds `values` to ?1, ?2 ..., runs the statement to its end and makes it ready for the next run.
  template <class... Values>
  Result<void> run(const Values&... values) {
    bind_all(SQLITE_STATIC, values...);
    return run_bound();
  }

  // The same for a statement that ends in RETURNING id.
  template <class... Values>
  Result<std::int64_t> run_for_id(const Values&... values) {
    bind_all(SQLITE_STATIC, values...);
    return run_bound_for_id();
  }

  // Binds `values` (copied) and stands before the first row.
  template <class... Values>
  void start(const Values&... values) {
    bind_all(SQLITE_TRANSIENT, values...);
  }
  // Steps to the next row; false: there is none.
  Result<bool> next();
  // The columns of the row, in order.
  template <class... Values>
  void read(Values&... values) {
    column_ = 0;
    (get(values), ...);
  }

  sqlite3* connection() const { return sqlite3_db_handle(handle_.get()); }

 private:
  friend class Connection;
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };

  template <class... Values>
  void bind_all(sqlite3_destructor_type lifetime, const Values&... values) {
    column_ = 0;
    lifetime_ = lifetime;
    (bind(values), ...);
  }
  Result<void> run_bound();
  Result<std::int64_t> run_bound_for_id();
  void make_ready();
  void note(int code) {
    if (bind_code_ == SQLITE_OK) bind_code_ = code;
  }

  void bind(std::int64_t value) { note(sqlite3_bind_int64(handle_.get(), ++column_, value)); }
  void bind(std::uint32_t value) { bind(std::int64_t{value}); }
  void bind(int value) { bind(std::int64_t{value}); }
  void bind(bool value) { bind(std::int64_t{value}); }
  void bind(double value) { note(sqlite3_bind_double(handle_.get(), ++column_, value)); }
  void bind(std::string_view value);
  void bind(std::span<const std::byte> value);
  void bind(std::nullopt_t) { note(sqlite3_bind_null(handle_.get(), ++column_)); }
  template <class T>
  void bind(const std::optional<T>& value) {
    if (value) {
      bind(*value);
    } else {
      bind(std::nullopt);
    }
  }

  void get(std::int64_t& value) { value = sqlite3_column_int64(handle_.get(), column_++); }
  void get(std::uint32_t& value) {
    value = static_cast<std::uint32_t>(sqlite3_column_int64(handle_.get(), column_++));
  }
  void get(std::uint8_t& value) {
    value = static_cast<std::uint8_t>(sqlite3_column_int64(handle_.get(), column_++));
  }
  void get(double& value) { value = sqlite3_column_double(handle_.get(), column_++); }
  void get(std::string& value);
  void get(std::vector<std::byte>& value);
  template <class T>
  void get(std::optional<T>& value) {
    if (sqlite3_column_type(handle_.get(), column_) == SQLITE_NULL) {
      value.reset();
      ++column_;
    } else {
      get(value.emplace());
    }
  }

  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int column_ = 0;
  int bind_code_ = SQLITE_OK;
  sqlite3_destructor_type lifetime_ = SQLITE_STATIC;
};

class Connection {
 public:
  enum class Mode { read_only, read_write, create };
  static Result<Connection> open(const std::filesystem::path& file, Mode mode);

  Result<void> execute(const char* sql) const;  // any number of statements; rows are dropped
  Result<Statement> prepare(std::string_view sql) const;
  Result<std::int64_t> integer(std::string_view sql) const;  // first column of the first row

  std::int64_t last_insert_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  std::int64_t changed_rows() const { return sqlite3_changes64(handle_.get()); }
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  std::filesystem::path file() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  explicit Connection(sqlite3* handle) : handle_(handle) {}

  std::unique_ptr<sqlite3, Close> handle_;
};

// Statements prepared once. The connection must outlive them.
class Statements {
 public:
  explicit Statements(const Connection& connection) : connection_(connection) {}
  // `sql` is a literal: it is kept as the key.
  Result<Statement*> get(std::string_view sql);

 private:
  const Connection& connection_;
  std::map<std::string_view, Statement> prepared_;
};

// All until commit(), or nothing. The connection must outlive it.
class Transaction {
 public:
  static Result<Transaction> begin(const Connection& connection);  // takes the write lock at once
  Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

 private:
  explicit Transaction(const Connection& connection) : connection_(&connection) {}
  const Connection* connection_;
};

// The error of the last call on `connection`, whose return code was `code`.
std::unexpected<Error> sqlite_failure(sqlite3* connection, int code);

}  // namespace rigd::store
