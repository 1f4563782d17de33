#include "run/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace rigd::run {
namespace {

namespace fs = std::filesystem;

Result<Plan> load(const std::string& text) {
  const fs::path path = fs::temp_directory_path() / ("rigd-plan-test-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << text;
  Result<Plan> plan = load_plan(path);
  fs::remove(path);
  return plan;
}

constexpr const char* kPlan = R"([plan]
name = "night"
[measure]
repetitions = 7
order = "shuffled"
seed = 42
[[case]]
id = "sha-256/hash/mbedtls"
sizes = [55, 1024]
[[case]]
id = "trivium/encrypt/rigd"
sizes = [256]
)";

TEST(Plan, OneCaseForEachSize) {
  const Result<Plan> plan = load(kPlan);
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->cases.size(), 3u);
  EXPECT_EQ(plan->cases[1].label(), "sha-256/hash/mbedtls/1024");
  EXPECT_NE(plan->cases[1].place.find(":8:6"), std::string::npos) << plan->cases[1].place;
  EXPECT_EQ(plan->repetitions, 7u);
}

TEST(Plan, ShuffledOrderFollowsFromTheSeedAlone) {
  Result<Plan> plan = load(kPlan);
  ASSERT_TRUE(plan);
  for (int i = 0; i < 20; ++i)
    plan->cases.push_back({"x/y/z", static_cast<std::uint32_t>(i), ""});
  const auto labels = [](const std::vector<PlannedCase>& cases) {
    std::vector<std::string> all;
    for (const PlannedCase& planned : cases)
      all.push_back(planned.label());
    return all;
  };
  const std::vector<std::string> first = labels(execution_order(*plan));
  EXPECT_EQ(first, labels(execution_order(*plan)));
  EXPECT_NE(first, labels(plan->cases));
  EXPECT_TRUE(std::ranges::is_permutation(first, labels(plan->cases)));
  plan->seed = 43;
  EXPECT_NE(first, labels(execution_order(*plan)));
}

TEST(Plan, RefusesWhatIsNoCaseId) {
  for (const char* id : {"sha-256", "sha-256/hash", "a//b/c", "/a/b", "a/b/", "a b/c/d"}) {
    const Result<Plan> plan =
        load(std::string("[plan]\nname = 'x'\n[[case]]\nid = '") + id + "'\nsizes = [1]\n");
    ASSERT_FALSE(plan) << id;
    EXPECT_NE(plan.error().text().find(":4:6: 'case[0].id'"), std::string::npos) << plan.error().text();
  }
}

TEST(Plan, RefusesACaseWithoutSizes) {
  EXPECT_FALSE(load("[plan]\nname = 'x'\n[[case]]\nid = 'a/b/c'\n"));
  EXPECT_FALSE(load("[plan]\nname = 'x'\n[[case]]\nid = 'a/b/c'\nsizes = []\n"));
  EXPECT_FALSE(load("[plan]\nname = 'x'\n[[case]]\nid = 'a/b/c'\nsizes = [-1]\n"));
}

TEST(Plan, RefusesAPlanWithoutCases) {
  EXPECT_FALSE(load("[plan]\nname = 'x'\n"));
}

TEST(ShippedPlans, Load) {
  for (const auto& entry : fs::directory_iterator(fs::path(RIGD_RIGS) / "plans")) {
    const Result<Plan> plan = load_plan(entry.path());
    EXPECT_TRUE(plan) << plan.error().text();
  }
}

}  // namespace
}  // namespace rigd::run
