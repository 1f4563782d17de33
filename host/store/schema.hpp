// The schema is the sequence of db/migrations/NNNN_name.sql, built into the library. PRAGMA user_version of a
// database is the number of the last one applied to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite.hpp"

namespace rigd::store {

std::span<const std::string_view> migrations();  // [0] is 0001; generated from db/migrations

// ErrorCode::schema_too_new when a newer rigd made the database; both versions are named.
Result<void> accept_version(const std::filesystem::path& file, std::int64_t version,
                            std::span<const std::string_view> known = migrations());
Result<void> accept_version(const Connection& connection,
                            std::span<const std::string_view> known = migrations());

// Applies what is missing of the `known` migrations, each in one transaction, and marks the database as
// rigd's.
Result<void> bring_up_to_date(const Connection& connection,
                              std::span<const std::string_view> known = migrations());

}  // namespace rigd::store
