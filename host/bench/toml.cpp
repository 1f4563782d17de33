#include "bench/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace rigd::bench {

struct TomlTable::File {
  std::string name;
  std::string text;
  ErrorCode code = ErrorCode::bad_bench;
  toml::table root;
  std::optional<Error> error;

  std::string place(const toml::source_region& where) const {
    const auto& at = where.begin;
    return at ? fmt::format("{}:{}:{}", name, at.line, at.column) : name;
  }

  void report(const toml::source_region& where, std::string_view message) {
    if (error) return;
    error = Error(code, fmt::format("{}: {}", place(where), message));
  }
};

namespace {

constexpr std::uintmax_t kMaxFileBytes = 1 << 20;

const toml::node* as_node(const void* node) {
  return static_cast<const toml::node*>(node);
}
const toml::table* as_table(const void* node) {
  return static_cast<const toml::table*>(node);
}

std::string child_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

}  // namespace

TomlTable::TomlTable(TomlTable&& other) noexcept
    : file_(other.file_), node_(other.node_), path_(std::move(other.path_)), known_(std::move(other.known_)) {
  other.node_ = nullptr;
}

TomlTable::~TomlTable() {
  if (!node_) return;
  for (const auto& [key, value] : *as_table(node_)) {
    if (known_.contains(key.str())) continue;
    file_->report(key.source(), fmt::format("unknown key '{}'", child_path(path_, key.str())));
  }
}

const void* TomlTable::find(std::string_view key) {
  known_.emplace(key);
  return node_ ? as_table(node_)->get(key) : nullptr;
}

const void* TomlTable::require(std::string_view key, std::string_view what) {
  const void* value = find(key);
  if (!value && node_)
    file_->report(as_table(node_)->source(),
                  fmt::format("key '{}' is missing ({})", child_path(path_, key), what));
  return value;
}

void TomlTable::wrong(const void* at, std::string_view key, std::string_view expected) {
  file_->report(as_node(at)->source(), fmt::format("'{}' must be {}", child_path(path_, key), expected));
}

void TomlTable::reject(std::string_view key, std::string_view why) {
  if (!node_) return;
  const toml::node* at = as_table(node_)->get(key);
  file_->report(at ? at->source() : as_table(node_)->source(),
                fmt::format("'{}': {}", child_path(path_, key), why));
}

std::string TomlTable::place(std::string_view key) const {
  const toml::node* at = node_ ? as_table(node_)->get(key) : nullptr;
  return at ? file_->place(at->source()) : file_->name;
}

bool TomlTable::has(std::string_view key) {
  return find(key) != nullptr;
}

std::string TomlTable::text(std::string_view key) {
  const void* at = require(key, "a text");
  if (!at) return {};
  if (const auto* value = as_node(at)->as_string(); value && !value->get().empty()) return value->get();
  wrong(at, key, "a text that is not empty");
  return {};
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const void* at = require(key, "a whole number");
  if (!at) return least;
  const auto* value = as_node(at)->as_integer();
  if (value && value->get() >= least && value->get() <= most) return value->get();
  wrong(at, key, fmt::format("a whole number from {} to {}", least, most));
  return least;
}

double TomlTable::number(std::string_view key, double least, double most) {
  const void* at = require(key, "a number");
  if (!at) return least;
  const std::optional<double> value = as_node(at)->is_number() ? as_node(at)->value<double>() : std::nullopt;
  if (value && std::isfinite(*value) && *value >= least && *value <= most) return *value;
  wrong(at, key, fmt::format("a number from {} to {}", least, most));
  return least;
}

TomlTable TomlTable::table(std::string_view key) {
  const void* at = require(key, "a table");
  if (at && !as_node(at)->is_table()) {
    wrong(at, key, "a table");
    at = nullptr;
  }
  return TomlTable(file_, at ? as_node(at)->as_table() : nullptr, child_path(path_, key));
}

TomlTable TomlTable::table_or_absent(std::string_view key) {
  return has(key) ? table(key) : TomlTable(file_, nullptr, child_path(path_, key));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> all;
  const void* at = require(key, "one or more tables");
  if (!at) return all;
  const toml::array* array = as_node(at)->as_array();
  if (!array || array->empty()) {
    wrong(at, key, "one or more tables");
    return all;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::node& item = (*array)[i];
    if (!item.is_table()) {
      wrong(&item, fmt::format("{}[{}]", key, i), "a table");
      return all;
    }
    all.push_back(TomlTable(file_, item.as_table(), fmt::format("{}[{}]", child_path(path_, key), i)));
  }
  return all;
}

std::vector<std::pair<std::string, TomlTable>> TomlTable::table_map_or_empty(std::string_view key) {
  std::vector<std::pair<std::string, TomlTable>> all;
  TomlTable parent = table_or_absent(key);
  if (!parent.present()) return all;
  for (const auto& [name, value] : *as_table(parent.node_)) {
    std::string child(name.str());
    all.emplace_back(child, parent.table(child));
  }
  return all;
}

std::string TomlTable::text_or(std::string_view key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

std::int64_t TomlTable::integer_or(std::string_view key, std::int64_t least, std::int64_t most,
                                   std::int64_t fallback) {
  return has(key) ? integer(key, least, most) : fallback;
}

double TomlTable::number_or(std::string_view key, double least, double most, double fallback) {
  return has(key) ? number(key, least, most) : fallback;
}

bool TomlTable::flag_or(std::string_view key, bool fallback) {
  const void* at = find(key);
  if (!at) return fallback;
  if (const auto* value = as_node(at)->as_boolean()) return value->get();
  wrong(at, key, "true or false");
  return fallback;
}

std::vector<std::string> TomlTable::texts_or_empty(std::string_view key) {
  std::vector<std::string> all;
  const void* at = find(key);
  if (!at) return all;
  const toml::array* array = as_node(at)->as_array();
  if (!array) {
    wrong(at, key, "a list of texts");
    return all;
  }
  for (const toml::node& item : *array) {
    if (!item.is_string()) {
      wrong(&item, key, "a list of texts");
      return {};
    }
    all.push_back(item.as_string()->get());
  }
  return all;
}

std::vector<std::int64_t> TomlTable::integers_or_empty(std::string_view key, std::int64_t least,
                                                       std::int64_t most) {
  std::vector<std::int64_t> all;
  const void* at = find(key);
  if (!at) return all;
  const std::string expected = fmt::format("a list of whole numbers from {} to {}", least, most);
  const toml::array* array = as_node(at)->as_array();
  if (!array) {
    wrong(at, key, expected);
    return all;
  }
  for (const toml::node& item : *array) {
    const auto* value = item.as_integer();
    if (!value || value->get() < least || value->get() > most) {
      wrong(&item, key, expected);
      return {};
    }
    all.push_back(value->get());
  }
  return all;
}

std::map<std::string, std::string> TomlTable::text_map_or_empty(std::string_view key) {
  std::map<std::string, std::string> all;
  TomlTable map = table_or_absent(key);
  if (!map.present()) return all;
  for (const auto& [name, value] : *as_table(map.node_)) {
    std::string child(name.str());
    all[child] = map.text(child);
  }
  return all;
}

std::size_t TomlTable::choice(std::string_view key, std::initializer_list<std::string_view> words,
                              std::optional<std::size_t> fallback) {
  const void* at = fallback ? find(key) : require(key, fmt::format("one of: {}", fmt::join(words, ", ")));
  if (!at) return fallback.value_or(0);
  if (const auto* value = as_node(at)->as_string()) {
    std::size_t index = 0;
    for (std::string_view word : words) {
      if (word == value->get()) return index;
      ++index;
    }
  }
  wrong(at, key, fmt::format("one of: {}", fmt::join(words, ", ")));
  return 0;
}

TomlFile::TomlFile(std::unique_ptr<TomlTable::File> file) : file_(std::move(file)) {}
TomlFile::TomlFile(TomlFile&&) noexcept = default;
TomlFile::~TomlFile() = default;

Result<TomlFile> TomlFile::parse(std::string_view text, std::string name, ErrorCode code) {
  auto file = std::make_unique<TomlTable::File>();
  file->name = std::move(name);
  file->text = text;
  file->code = code;
  try {
    file->root = toml::parse(text);
  } catch (const toml::parse_error& problem) {
    file->report(problem.source(), problem.description());
    return std::unexpected(std::move(*file->error));
  }
  return TomlFile(std::move(file));
}

Result<TomlFile> TomlFile::load(const std::filesystem::path& path, ErrorCode code) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return fail(code, fmt::format("{}: no such file", path.string()));
  if (!std::filesystem::is_regular_file(path, problem))
    return fail(code, fmt::format("{}: not a file", path.string()));
  if (std::filesystem::file_size(path, problem) > kMaxFileBytes || problem)
    return fail(code, fmt::format("{}: larger than 1 MiB, which no such file is", path.string()));
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in || in.bad()) return fail(code, fmt::format("{}: cannot be read", path.string()));
  return parse(content.view(), path.string(), code);
}

TomlTable TomlFile::root() {
  return TomlTable(file_.get(), &file_->root, "");
}

const std::string& TomlFile::text() const {
  return file_->text;
}

Result<void> TomlFile::verdict() const {
  if (file_->error) return std::unexpected(*file_->error);
  return {};
}

}  // namespace rigd::bench
