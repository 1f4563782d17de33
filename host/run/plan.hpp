// What to measure: which cases, on which slots, how many repetitions. One TOML file, rigs/plans/NAME.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace rigd::run {

// One case at one size: "aes-128-ctr/encrypt/mbedtls" with 256 bytes of input.
struct PlannedCase {
  std::string id;
  std::uint32_t size_bytes = 0;
  std::string place;  // "plan.toml:12:3", for errors found later

  std::string label() const { return id + "/" + std::to_string(size_bytes); }
};

enum class FlashPolicy {
  always,
  if_needed,  // keep the image if the board already answers with its build-id
};

struct Plan {
  std::string name;
  std::filesystem::path path;
  std::string text;  // the file as read, kept with each run

  std::vector<std::string> slots;  // empty: all of the bench
  std::vector<PlannedCase> cases;

  std::uint32_t repetitions = 50;
  std::uint32_t warmup = 2;     // windows run and thrown away before the repetitions
  std::uint32_t gap_us = 1000;  // idle stretch on each side of a window; the baseline is taken there
  std::uint32_t min_window_us = 1000;
  std::uint32_t inner = 0;  // operations in one window; 0: as many as min_window_us needs
  bool shuffle = false;
  std::uint32_t seed = 1;
  FlashPolicy flash = FlashPolicy::if_needed;

  // Deadlines of the steps.
  Duration start_within = std::chrono::seconds(20);  // simulators up, ports open
  Duration flash_within = std::chrono::seconds(60);
  Duration answer_within = std::chrono::seconds(5);  // any single answer of the board
  Duration case_within = std::chrono::seconds(120);  // all windows of one case
};

// Errors: bad_plan with file:line:column.
Result<Plan> load_plan(const std::filesystem::path& path);
Result<Plan> parse_plan(std::string_view text, const std::filesystem::path& path);

// The cases in the order of execution: as listed, or shuffled by the plan's seed.
std::vector<PlannedCase> execution_order(const Plan& plan);

}  // namespace rigd::run
