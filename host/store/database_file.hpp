// The file of the store before SQLite sees it: whose it is, and that only one process writes it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.hpp"

namespace rigd::store {

// PRAGMA application_id of rigd's databases: "RIGD".
inline constexpr std::uint32_t kApplicationId = 0x52494744;

struct FileFacts {
  bool exists = false;
  // 0 while absent, and while empty: newly made, or its maker died before the first write. Newer migrations
  // may still lie in the write-ahead log.
  std::uint32_t schema_version = 0;
};

// Looks at the first page's header (https://www.sqlite.org/fileformat2.html, 1.3) without opening the
// database, which would already create files beside it. ErrorCode::bad_database when the file is another
// program's or no database.
Result<FileFacts> inspect(const std::filesystem::path& file);

// Held by the process that writes FILE: an exclusive flock on FILE-lock, which contains its pid. It goes with
// the process, however that ends.
class WriterLock {
 public:
  // ErrorCode::busy names the holder; bad_database when the folder cannot be written.
  static Result<WriterLock> take(const std::filesystem::path& file);

  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();

 private:
  WriterLock(std::filesystem::path name, int descriptor);
  std::filesystem::path name_;
  int descriptor_;
};

}  // namespace rigd::store
