// What Store is made of; for store.cpp and store_read.cpp only.
#pragma once

#include <mutex>
#include <optional>

#include "store/database_file.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"

namespace rigd::store {

struct Store::Impl {
  Impl(std::optional<WriterLock> writer_lock, Connection database)
      : lock(std::move(writer_lock)), connection(std::move(database)) {}

  std::optional<WriterLock> lock;  // released last
  Connection connection;
  Statements statements{connection};
  int interrupted_runs = 0;
  std::mutex mutex;
};

}  // namespace rigd::store
