// Reading TOML files with errors a technician can act on: file:line:column, the key, what was expected. The
// only user of toml++.
//
//   RIGD_TRY(TomlFile file, TomlFile::load(path, ErrorCode::bad_bench));
//   Out out;
//   {
//     TomlTable root = file.root();
//     TomlTable bench = root.table("bench");
//     out.name = bench.text("name");
//   }                      // a table leaving scope reports its unknown keys
//   RIGD_CHECK(file.verdict());   // the first thing that was wrong, if any
//
// Readers never fail one by one: after the first error they return empty values and the verdict carries the
// error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace rigd::bench {

class TomlFile;

class TomlTable {
 public:
  TomlTable(TomlTable&& other) noexcept;
  TomlTable& operator=(TomlTable&&) = delete;
  ~TomlTable();

  bool present() const { return node_ != nullptr; }  // false for an optional table that is not there
  bool has(std::string_view key);

  // Required values.
  std::string text(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most);
  double number(std::string_view key, double least, double most);
  TomlTable table(std::string_view key);
  std::vector<TomlTable> tables(std::string_view key);  // array of tables, at least one

  // Optional values.
  std::string text_or(std::string_view key, std::string fallback);
  std::int64_t integer_or(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t fallback);
  double number_or(std::string_view key, double least, double most, double fallback);
  bool flag_or(std::string_view key, bool fallback);
  std::vector<std::string> texts_or_empty(std::string_view key);
  std::vector<std::int64_t> integers_or_empty(std::string_view key, std::int64_t least, std::int64_t most);
  std::map<std::string, std::string> text_map_or_empty(std::string_view key);
  TomlTable table_or_absent(std::string_view key);
  std::vector<std::pair<std::string, TomlTable>> table_map_or_empty(std::string_view key);

  // One of the words given, by index; `fallback` where the key is absent.
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                     std::optional<std::size_t> fallback = std::nullopt);

  // Where the value of `key` stands ("file:line:column"), for errors found after the file was read.
  std::string place(std::string_view key) const;

  // Reports something wrong with the value of `key` that the reader itself cannot know.
  void reject(std::string_view key, std::string_view why);

 private:
  friend class TomlFile;
  struct File;
  TomlTable(File* file, const void* node, std::string path)
      : file_(file), node_(node), path_(std::move(path)) {}

  const void* find(std::string_view key);
  const void* require(std::string_view key, std::string_view what);
  void wrong(const void* at, std::string_view key, std::string_view expected);

  File* file_ = nullptr;
  const void* node_ = nullptr;  // toml::table
  std::string path_;            // "slot[1].probe", for messages
  std::set<std::string, std::less<>> known_;
};

class TomlFile {
 public:
  // At most 1 MiB is read. Syntax errors become `code`, as do all later ones.
  static Result<TomlFile> load(const std::filesystem::path& path, ErrorCode code);
  static Result<TomlFile> parse(std::string_view text, std::string name, ErrorCode code);

  TomlFile(TomlFile&&) noexcept;
  ~TomlFile();

  TomlTable root();
  const std::string& text() const;
  Result<void> verdict() const;

 private:
  explicit TomlFile(std::unique_ptr<TomlTable::File> file);
  std::unique_ptr<TomlTable::File> file_;
};

}  // namespace rigd::bench
