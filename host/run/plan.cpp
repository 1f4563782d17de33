#include "run/plan.hpp"

#include <algorithm>
#include <random>

#include "bench/toml.hpp"

namespace rigd::run {

namespace {

using bench::TomlFile;
using bench::TomlTable;

constexpr std::int64_t kMostRepetitions = 100'000;
constexpr std::int64_t kMostSizeBytes = 1 << 20;
constexpr std::int64_t kLongestUs = 60'000'000;

std::uint32_t read_u32(TomlTable& table, std::string_view key, std::int64_t least, std::int64_t most,
                       std::uint32_t fallback) {
  return static_cast<std::uint32_t>(table.integer_or(key, least, most, fallback));
}

Duration read_seconds(TomlTable& table, std::string_view key, Duration fallback) {
  const double fallback_s = std::chrono::duration<double>(fallback).count();
  const double seconds = table.number_or(key, 0.05, 86'400, fallback_s);
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

void read_measure(TomlTable table, Plan& plan) {
  plan.repetitions = read_u32(table, "repetitions", 1, kMostRepetitions, plan.repetitions);
  plan.warmup = read_u32(table, "warmup", 0, 1000, plan.warmup);
  plan.gap_us = read_u32(table, "gap_us", 200, kLongestUs, plan.gap_us);
  plan.min_window_us = read_u32(table, "min_window_us", 1, kLongestUs, plan.min_window_us);
  plan.inner = read_u32(table, "inner", 0, 1'000'000, plan.inner);
  plan.shuffle = table.choice("order", {"listed", "shuffled"}, 0) == 1;
  plan.seed = read_u32(table, "seed", 0, UINT32_MAX, plan.seed);
  plan.flash =
      table.choice("flash", {"always", "if-needed"}, 1) == 0 ? FlashPolicy::always : FlashPolicy::if_needed;
}

void read_deadlines(TomlTable table, Plan& plan) {
  plan.start_within = read_seconds(table, "start_s", plan.start_within);
  plan.flash_within = read_seconds(table, "flash_s", plan.flash_within);
  plan.answer_within = read_seconds(table, "answer_s", plan.answer_within);
  plan.case_within = read_seconds(table, "case_s", plan.case_within);
}

bool is_case_id(std::string_view id) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '/';
  };
  return id.size() <= 64 && std::ranges::count(id, '/') == 2 && id.find("//") == std::string_view::npos &&
         id.front() != '/' && id.back() != '/' && std::ranges::all_of(id, allowed);
}

void read_case(TomlTable& table, Plan& plan) {
  const std::string id = table.text("id");
  if (!id.empty() && !is_case_id(id))
    table.reject("id", "a case is primitive/operation/implementation, e.g. 'sha-256/hash/mbedtls'");
  const std::vector<std::int64_t> sizes = table.integers_or_empty("sizes", 0, kMostSizeBytes);
  if (sizes.empty()) table.reject("sizes", "give at least one size in bytes");
  for (const std::int64_t size : sizes)
    plan.cases.push_back({id, static_cast<std::uint32_t>(size), table.place("id")});
}

Result<Plan> read_plan(TomlFile file, const std::filesystem::path& path) {
  Plan plan;
  plan.path = path;
  plan.text = file.text();
  {
    TomlTable root = file.root();
    TomlTable head = root.table("plan");
    plan.name = head.text("name");
    head.text_or("title", "");
    plan.slots = head.texts_or_empty("slots");
    read_measure(root.table_or_absent("measure"), plan);
    read_deadlines(root.table_or_absent("deadlines"), plan);
    for (TomlTable& entry : root.tables("case"))
      read_case(entry, plan);
  }
  RIGD_CHECK(file.verdict());
  return plan;
}

}  // namespace

Result<Plan> load_plan(const std::filesystem::path& path) {
  RIGD_TRY(TomlFile file, TomlFile::load(path, ErrorCode::bad_plan));
  return read_plan(std::move(file), path);
}

Result<Plan> parse_plan(std::string_view text, const std::filesystem::path& path) {
  RIGD_TRY(TomlFile file, TomlFile::parse(text, path.string(), ErrorCode::bad_plan));
  return read_plan(std::move(file), path);
}

std::vector<PlannedCase> execution_order(const Plan& plan) {
  std::vector<PlannedCase> order = plan.cases;
  if (!plan.shuffle) return order;
  // Fisher-Yates on mt19937: the standard fixes the generator, not std::shuffle, and a recorded seed must
  // mean the same order everywhere.
  std::mt19937 random(plan.seed);
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[random() % left]);
  return order;
}

}  // namespace rigd::run
