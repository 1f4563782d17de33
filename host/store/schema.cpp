#include "store/schema.hpp"

#include <fmt/format.h>

#include "store/database_file.hpp"

namespace rigd::store {

namespace {

Result<void> apply(const Connection& connection, std::string_view sql, std::size_t version) {
  RIGD_TRY(Transaction transaction, Transaction::begin(connection));
  RIGD_CHECK(connection.execute(std::string(sql).c_str()));
  RIGD_CHECK(connection.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str()));
  RIGD_CHECK(connection.execute(fmt::format("PRAGMA user_version = {}", version).c_str()));
  return transaction.commit();
}

}  // namespace

Result<void> accept_version(const std::filesystem::path& file, std::int64_t version,
                            std::span<const std::string_view> known) {
  if (version >= 0 && version <= static_cast<std::int64_t>(known.size())) return {};
  return fail(ErrorCode::schema_too_new,
              fmt::format("{}: has schema version {}, this rigd knows versions up to {}", file.string(),
                          version, known.size()));
}

Result<void> accept_version(const Connection& connection, std::span<const std::string_view> known) {
  RIGD_TRY(const std::int64_t version, connection.integer("PRAGMA user_version"));
  return accept_version(connection.file(), version, known);
}

Result<void> bring_up_to_date(const Connection& connection, std::span<const std::string_view> known) {
  RIGD_CHECK(accept_version(connection, known));
  RIGD_TRY(const std::int64_t version, connection.integer("PRAGMA user_version"));
  for (auto next = static_cast<std::size_t>(version); next < known.size(); ++next) {
    if (auto done = apply(connection, known[next], next + 1); !done) {
      return fail(done, fmt::format("migration {:04}", next + 1));
    }
  }
  return {};
}

}  // namespace rigd::store
