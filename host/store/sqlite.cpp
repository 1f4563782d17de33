#include "store/sqlite.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

namespace rigd::store {

namespace {

bool means_full(int reason) {
  return reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
}

// errno of the last call that failed on the database's file or its log.
bool files_met_full_disk(sqlite3* connection) {
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    int reason = 0;
    if (sqlite3_file_control(connection, nullptr, which, static_cast<void*>(&file)) != SQLITE_OK) continue;
    if (file == nullptr || file->pMethods == nullptr) continue;
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &reason);
    if (means_full(reason)) return true;
  }
  return false;
}

// SQLite says SQLITE_FULL for ENOSPC alone, and forgets the reason when its shared-memory file cannot grow;
// there the file system tells.
bool out_of_space(sqlite3* connection, int code) {
  if ((code & 0xFF) == SQLITE_FULL) return true;
  if ((code & 0xFF) != SQLITE_IOERR && (code & 0xFF) != SQLITE_CANTOPEN) return false;
  if (connection == nullptr) return false;
  if (means_full(sqlite3_system_errno(connection)) || files_met_full_disk(connection)) return true;
  struct statvfs disk{};
  const char* file = sqlite3_db_filename(connection, nullptr);
  return file != nullptr && statvfs(file, &disk) == 0 && (disk.f_bavail == 0 || disk.f_favail == 0);
}

ErrorCode code_of(sqlite3* connection, int code) {
  if (out_of_space(connection, code)) return ErrorCode::disk_full;
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::busy;
    case SQLITE_NOTADB:
      return ErrorCode::bad_database;
    default:
      return ErrorCode::store_failure;
  }
}

}  // namespace

std::unexpected<Error> sqlite_failure(sqlite3* connection, int code) {
  const char* text = connection == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection);
  const char* file = connection == nullptr ? nullptr : sqlite3_db_filename(connection, nullptr);
  const auto what = code_of(connection, code);
  const char* prefix = what == ErrorCode::disk_full ? "no space left: " : "";
  return fail(what, fmt::format("{}{}{} (SQLite {})", file == nullptr ? "" : fmt::format("{}: ", file),
                                prefix, text, code));
}

void Statement::bind(std::string_view value) {
  // An empty view may point nowhere, which SQLite would take for NULL.
  const char* text = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(handle_.get(), ++column_, text, value.size(), lifetime_, SQLITE_UTF8));
}

void Statement::bind(std::span<const std::byte> value) {
  const void* data = value.data() == nullptr ? "" : static_cast<const void*>(value.data());
  note(sqlite3_bind_blob64(handle_.get(), ++column_, data, value.size(), lifetime_));
}

void Statement::get(std::string& value) {
  const unsigned char* text = sqlite3_column_text(handle_.get(), column_);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column_));
  ++column_;
  value.assign(text == nullptr ? "" : reinterpret_cast<const char*>(text),
               text == nullptr ? 0 : size);  // NOLINT
}

void Statement::get(std::vector<std::byte>& value) {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column_));
  ++column_;
  value.clear();
  if (data != nullptr) value.assign(data, data + size);
}

Result<bool> Statement::next() {
  const int code = bind_code_ != SQLITE_OK ? bind_code_ : sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto failure = sqlite_failure(connection(), code);
  sqlite3_reset(handle_.get());
  return failure;
}

void Statement::make_ready() {
  bind_code_ = SQLITE_OK;
  sqlite3_reset(handle_.get());  // repeats the code that next() has already reported
  sqlite3_clear_bindings(handle_.get());
}

Result<void> Statement::run_bound() {
  Result<bool> more = true;
  while (more && *more)
    more = next();
  make_ready();
  if (!more) return std::unexpected(std::move(more.error()));
  return {};
}

Result<std::int64_t> Statement::run_bound_for_id() {
  std::int64_t id = 0;
  Result<bool> more = next();
  if (more && *more) {
    read(id);
    more = next();
  }
  make_ready();
  if (!more) return std::unexpected(std::move(more.error()));
  return id;
}

namespace {

// A log needs files beside the database. Where they cannot be made and none are there, nobody is writing, and
// the file is read as it lies (https://www.sqlite.org/wal.html#read_only_databases).
bool lies_still(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  return access(folder.c_str(), W_OK) != 0 && access((file.string() + "-wal").c_str(), F_OK) != 0;
}

std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char character : file.string()) {
    const bool special = character == '%' || character == '?' || character == '#';
    uri +=
        special ? fmt::format("%{:02x}", static_cast<unsigned char>(character)) : std::string(1, character);
  }
  return uri + "?immutable=1";
}

}  // namespace

Result<Connection> Connection::open(const std::filesystem::path& file, Mode mode) {
  // A reader without the right to write leaves the log's files behind; query_only makes it read only all the
  // same. SQLite opens a write-protected file for reading by itself.
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE;
  std::string name = file.string();
  if (mode == Mode::create) flags |= SQLITE_OPEN_CREATE;
  if (mode == Mode::read_only && lies_still(file)) {
    name = immutable_uri(file);
    flags |= SQLITE_OPEN_URI;
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Connection connection(handle);  // SQLite wants it closed even when it could not be opened
  if (code != SQLITE_OK) return sqlite_failure(handle, code);
  sqlite3_busy_timeout(handle, 2'000);
  if (mode == Mode::read_only) RIGD_CHECK(connection.execute("PRAGMA query_only = ON"));
  return connection;
}

std::filesystem::path Connection::file() const {
  const char* name = sqlite3_db_filename(handle(), nullptr);
  return name == nullptr ? "" : name;
}

Result<void> Connection::execute(const char* sql) const {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return sqlite_failure(handle(), code);
  return {};
}

Result<Statement> Connection::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v3(handle(), sql.data(), static_cast<int>(sql.size()), 0, &statement, nullptr);
  if (code != SQLITE_OK) return sqlite_failure(handle(), code);
  return Statement(statement);
}

Result<std::int64_t> Connection::integer(std::string_view sql) const {
  RIGD_TRY(Statement statement, prepare(sql));
  RIGD_TRY(const bool found, statement.next());
  if (!found) return fail(ErrorCode::store_failure, fmt::format("no answer to: {}", sql));
  std::int64_t value = 0;
  statement.read(value);
  return value;
}

Result<Statement*> Statements::get(std::string_view sql) {
  auto found = prepared_.find(sql);
  if (found == prepared_.end()) {
    RIGD_TRY(Statement statement, connection_.prepare(sql));
    found = prepared_.emplace(sql, std::move(statement)).first;
  }
  return &found->second;
}

Result<Transaction> Transaction::begin(const Connection& connection) {
  RIGD_CHECK(connection.execute("BEGIN IMMEDIATE"));
  return Transaction(connection);
}

Result<void> Transaction::commit() {
  RIGD_CHECK(connection_->execute("COMMIT"));
  connection_ = nullptr;
  return {};
}

Transaction::~Transaction() {
  // SQLite has already rolled back by itself after the graver errors (disk full, I/O). If the rollback fails,
  // the next opening does it from the log.
  if (connection_ != nullptr && connection_->in_transaction()) {
    sqlite3_exec(connection_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

}  // namespace rigd::store
