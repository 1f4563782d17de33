#include "store/store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include "base/clock.hpp"
#include "store/insert.hpp"
#include "store/schema.hpp"
#include "store/store_impl.hpp"

namespace rigd::store {

namespace {

namespace fs = std::filesystem;

// The log is written back when a run ends. This is for runs with long traces: 16 384 pages are 64 MB.
constexpr const char* kWriterSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA "
    "wal_autocheckpoint = 16384;";

Result<void> must_be_writable(const fs::path& file) {
  if (access(file.c_str(), W_OK) == 0) return {};
  return fail(ErrorCode::bad_database, fmt::format("{}: may not be written", file.string()));
}

// The exclusive lock is held: nobody else's run can be running.
Result<int> mark_interrupted(const Connection& connection) {
  const Problem problem = Problem::of(Error(ErrorCode::interrupted, "rigd ended before the run did"));
  RIGD_TRY(Statement statement,
           connection.prepare("UPDATE run SET state = 'interrupted', fault = ?1, error_code = ?2, "
                              "error_text = ?3 WHERE state = 'running'"));
  RIGD_CHECK(statement.run(problem.fault, problem.code, problem.text));
  return static_cast<int>(connection.changed_rows());
}

// Opened for a look at its version: until that is accepted, closing must not move the log into the file.
Result<Connection> open_accepted(const fs::path& file, Connection::Mode mode) {
  RIGD_TRY(Connection connection, Connection::open(file, mode));
  sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  RIGD_CHECK(accept_version(connection));
  sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  return connection;
}

// A reader cannot migrate.
Result<void> must_be_current(const Connection& connection) {
  RIGD_TRY(const std::int64_t version, connection.integer("PRAGMA user_version"));
  if (version == static_cast<std::int64_t>(migrations().size())) return {};
  return fail(ErrorCode::bad_database, fmt::format("{}: has schema version {}, version {} is needed: the "
                                                   "next rigd that writes it brings it up to date",
                                                   connection.file().string(), version, migrations().size()));
}

std::string random_uuid() {
  std::random_device random;
  std::array<std::uint32_t, 4> bits;
  std::ranges::generate(bits, std::ref(random));
  bits[1] = (bits[1] & 0xFFFF0FFFU) | 0x4000U;      // version 4, RFC 9562
  bits[2] = (bits[2] & 0x3FFFFFFFU) | 0x80000000U;  // its variant
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", bits[0], bits[1] >> 16, bits[1] & 0xFFFFU,
                     bits[2] >> 16, bits[2] & 0xFFFFU, bits[3]);
}

// Commits without an fsync while it lives. SQLite takes the setting only outside of transactions.
class WithoutFsync {
 public:
  static Result<WithoutFsync> begin(const Connection& connection) {
    RIGD_CHECK(connection.execute("PRAGMA synchronous = NORMAL"));
    return WithoutFsync(connection);
  }
  WithoutFsync(WithoutFsync&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  WithoutFsync& operator=(WithoutFsync&&) = delete;
  ~WithoutFsync() {
    // Cannot fail: the statement was accepted before, and it does no I/O.
    if (connection_ != nullptr)
      sqlite3_exec(connection_->handle(), "PRAGMA synchronous = FULL", nullptr, nullptr, nullptr);
  }

 private:
  explicit WithoutFsync(const Connection& connection) : connection_(&connection) {}
  const Connection* connection_;
};

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const fs::path& given) {
  std::error_code ignored;
  const fs::path canonical = fs::weakly_canonical(given, ignored);
  const fs::path& file = canonical.empty() ? given : canonical;
  RIGD_TRY(const FileFacts facts, inspect(file));
  if (facts.exists) RIGD_CHECK(must_be_writable(file));
  RIGD_CHECK(accept_version(file, facts.schema_version));
  RIGD_TRY(WriterLock lock, WriterLock::take(file));

  // Migrations come first: a new database has rigd's mark in the file itself before it has a log.
  RIGD_TRY(Connection connection, open_accepted(file, Connection::Mode::create));
  RIGD_CHECK(bring_up_to_date(connection));
  RIGD_CHECK(connection.execute(kWriterSettings));
  RIGD_TRY(const int interrupted, mark_interrupted(connection));
  auto impl = std::make_unique<Impl>(std::move(lock), std::move(connection));
  impl->interrupted_runs = interrupted;
  return Store(std::move(impl));
}

Result<Store> Store::open_read_only(const fs::path& file) {
  RIGD_TRY(const FileFacts facts, inspect(file));
  if (!facts.exists) return fail(ErrorCode::bad_database, fmt::format("{}: does not exist", file.string()));
  RIGD_CHECK(accept_version(file, facts.schema_version));
  RIGD_TRY(Connection connection, open_accepted(file, Connection::Mode::read_only));
  RIGD_CHECK(must_be_current(connection));
  return Store(std::make_unique<Impl>(std::nullopt, std::move(connection)));
}

int Store::interrupted_runs() const {
  return impl_->interrupted_runs;
}

Result<Id> Store::begin_run(const Run& run) {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Transaction transaction, Transaction::begin(impl_->connection));
  RIGD_TRY(const FactIds ids, insert_facts(impl_->statements, {run.board, run.image, run.probe}));
  RIGD_TRY(
      Statement * insert,
      impl_->statements.get(
          "INSERT INTO run (uuid, session, nonce, plan_name, plan_text, bench_name, bench_text, slot, "
          "rigd_version, host_name, host_kernel, host_cpu, started_utc_ns, board_id, image_id, probe_id, "
          "state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 'running') "
          "RETURNING id"));
  const std::string uuid = run.uuid.empty() ? random_uuid() : run.uuid;
  RIGD_TRY(const Id id,
           insert->run_for_id(uuid, run.session, run.nonce, run.plan_name, run.plan_text, run.bench_name,
                              run.bench_text, run.slot, run.rigd_version, run.host.name, run.host.kernel,
                              run.host.cpu, run.started_utc_ns, ids.board, ids.image, ids.probe));
  RIGD_CHECK(transaction.commit());
  return id;
}

Result<void> Store::describe_run(Id run_id, const RunFacts& facts) {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Transaction transaction, Transaction::begin(impl_->connection));
  RIGD_TRY(const FactIds ids, insert_facts(impl_->statements, facts));
  RIGD_TRY(Statement * update,
           impl_->statements.get("UPDATE run SET board_id = coalesce(?2, board_id), image_id = coalesce(?3, "
                                 "image_id), probe_id = coalesce(?4, probe_id) WHERE id = ?1"));
  RIGD_CHECK(update->run(run_id, ids.board, ids.image, ids.probe));
  if (impl_->connection.changed_rows() != 1)
    return fail(ErrorCode::internal, fmt::format("there is no run {}", run_id));
  return transaction.commit();
}

Result<void> Store::add_event(Id run_id, const Event& event) {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(const WithoutFsync cheap, WithoutFsync::begin(impl_->connection));
  RIGD_TRY(Statement * insert,
           impl_->statements.get("INSERT INTO event (run_id, at_ns, utc_ns, step, level, text) "
                                 "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
  return insert->run(run_id, event.at_ns, event.utc_ns, event.step, to_string(event.level), event.text);
}

Result<Id> Store::commit_measurement(const Measurement& measurement, std::span<const Repetition> repetitions,
                                     const Trace* trace) {
  const std::scoped_lock guard(impl_->mutex);
  RIGD_TRY(Transaction transaction, Transaction::begin(impl_->connection));
  RIGD_TRY(const Id id, insert_measurement(impl_->statements, measurement, repetitions));
  if (trace != nullptr) RIGD_CHECK(insert_trace(impl_->statements, id, *trace));
  RIGD_CHECK(transaction.commit());
  return id;
}

Result<void> Store::finish_run(Id run_id, RunState state, const std::optional<Problem>& problem) {
  const std::scoped_lock guard(impl_->mutex);
  // The log goes into the file between runs and before this commit, which then pays the extra fsync of a new
  // log's header instead of the next measurement. If it fails (disk full) nothing is lost; the commit will
  // tell.
  sqlite3_wal_checkpoint_v2(impl_->connection.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  RIGD_TRY(Statement * update,
           impl_->statements.get("UPDATE run SET state = ?2, ended_utc_ns = ?3, fault = ?4, error_code = ?5, "
                                 "error_text = ?6 WHERE id = ?1 AND state = 'running'"));
  const ProblemColumns columns(problem);
  RIGD_CHECK(update->run(run_id, to_string(state), utc_now_ns(), columns.fault, columns.code, columns.text));
  if (impl_->connection.changed_rows() != 1)
    return fail(ErrorCode::internal, fmt::format("run {} is not running", run_id));
  return {};
}

}  // namespace rigd::store
