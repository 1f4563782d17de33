// The table of cases, and the published vectors each case carries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "firmware.hpp"

namespace rigd::test {
namespace {

TEST(FirmwareCases, EveryPublishedVectorHolds) {
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    const rigd_case_ops& ops = *rigd_case_ops_of(i);
    EXPECT_GE(ops.vectors, 2u) << rigd_case_record_of(i)->id;
    EXPECT_EQ(rigd_first_failed_vector(&ops), 0u) << rigd_case_record_of(i)->id;
  }
}

TEST(FirmwareCases, AFailedVectorIsNamedByItsNumber) {
  const rigd_case_ops second_fails = {3, [](unsigned vector) { return vector != 1; }, nullptr, nullptr,
                                      nullptr};
  EXPECT_EQ(rigd_first_failed_vector(&second_fails), 2u);
}

TEST(FirmwareCases, TheTableIsSortedByKeyAndWellFormed) {
  ASSERT_GT(rigd_case_count(), 0u);
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    const rigd_case_record& record = *rigd_case_record_of(i);
    const std::string id = record.id;
    EXPECT_EQ(std::ranges::count(id, '/'), 2) << id;
    EXPECT_NE(std::string(record.library), "") << id;
    EXPECT_GT(record.size_step, 0u) << id;
    EXPECT_LE(record.min_size, record.max_size) << id;
    EXPECT_LE(record.max_size, std::uint32_t{RIGD_MOST_INPUT}) << id;
  }
}

// Neighbours in the two tables belong together: the operation of the record's primitive gives its output's
// length.
TEST(FirmwareCases, RecordsAndOperationsAreInTheSameOrder) {
  std::array<std::uint8_t, RIGD_MOST_INPUT + RIGD_MOST_EXTRA> input{};
  std::array<std::uint8_t, RIGD_MOST_INPUT + RIGD_MOST_EXTRA> output{};
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    const std::string id = rigd_case_record_of(i)->id;
    const rigd_case_ops& ops = *rigd_case_ops_of(i);
    const rigd_job job = {input.data(), output.data(), 64};
    const bool tagged = id.contains("ccm/encrypt") || id.contains("gcm/encrypt");
    EXPECT_EQ(ops.prepare(&job), id.starts_with("sha-256") ? 32u : tagged ? 80u : 64u) << id;
    if (ops.finish != nullptr) ops.finish();
  }
}

TEST(FirmwareCases, GiveBackAllTheyTakeFromTheHeap) {
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    std::uint32_t digest = 0;
    EXPECT_EQ(rigd_first_failed_vector(rigd_case_ops_of(i)), 0u);
    EXPECT_TRUE(rigd_digest(rigd_case_ops_of(i), 64, 2, &digest));
    rigd_heap_mark();
    EXPECT_EQ(rigd_heap_peak(), 0u) << rigd_case_record_of(i)->id;
  }
}

}  // namespace
}  // namespace rigd::test
