// What happens around a marker window, in order.
#include <gmock/gmock.h>

#include "firmware.hpp"
#include "stub_board.hpp"

namespace rigd::test {
namespace {

using testing::Each;
using testing::ElementsAre;

// An operation that watches the board while it runs.
struct Watch {
  unsigned prepared = 0, ran = 0, finished = 0;
  unsigned ran_unmasked = 0;
  bool prepared_in_window = false;
  int status = 0;
  std::uint32_t stack_bytes = 0;  // what it uses
};
Watch watch;

bool in_window() {
  const auto& events = board().events;
  const auto opened = std::ranges::count(events, Event::open);
  return opened != std::ranges::count(events, Event::close);
}

std::uint32_t prepare(const rigd_job* job) {
  ++watch.prepared;
  watch.prepared_in_window |= in_window();
  job->output[0] = 0;
  return 1;
}
int run(const rigd_job* job) {
  ++watch.ran;
  watch.ran_unmasked += !board().masked;
  job->output[0] = static_cast<std::uint8_t>(job->output[0] + job->input[0]);
  std::fill_n(hal_stack_pointer() - watch.stack_bytes, watch.stack_bytes, std::uint8_t{1});
  return watch.status;
}
void finish() {
  ++watch.finished;
}
const rigd_case_ops kWatched = {0, nullptr, prepare, run, finish};

std::vector<rigd_repetition> repetitions;
void keep(const rigd_repetition* repetition) {
  repetitions.push_back(*repetition);
}

class FirmwareMeasure : public testing::Test {
 protected:
  FirmwareMeasure() {
    board() = {};
    watch = {};
    repetitions.clear();
  }
  bool measure(const rigd_windows& windows) { return rigd_measure(&kWatched, &windows, keep, &stack_bytes_); }

  std::uint32_t stack_bytes_ = 0;
};

TEST_F(FirmwareMeasure, AWindowIsMaskedAndBetweenTwoIdleStretches) {
  ASSERT_TRUE(measure({.size = 8, .repetitions = 2, .inner = 3, .gap_us = 250, .warmup = 0}));
  using enum Event;
  EXPECT_THAT(board().events, ElementsAre(mask, unmask,                           // stack use, no window
                                          idle, mask, open, close, unmask, idle,  //
                                          idle, mask, open, close, unmask, idle));
  EXPECT_THAT(board().idle_us, ElementsAre(250, 250, 250, 250));
}

TEST_F(FirmwareMeasure, TheOperationRunsInnerTimesAndNothingIsPreparedInside) {
  ASSERT_TRUE(measure({.size = 8, .repetitions = 4, .inner = 5, .gap_us = 0, .warmup = 0}));
  EXPECT_EQ(watch.ran, 1 + 4 * 5u) << "one for the stack, then the windows";
  EXPECT_EQ(watch.ran_unmasked, 0u);
  EXPECT_FALSE(watch.prepared_in_window);
  EXPECT_EQ(watch.prepared, 1 + 4u) << "every window starts alike";
  EXPECT_EQ(watch.finished, 1u);
}

TEST_F(FirmwareMeasure, WarmUpsAreWindowsButNoRepetitions) {
  ASSERT_TRUE(measure({.size = 8, .repetitions = 3, .inner = 1, .gap_us = 0, .warmup = 2}));
  EXPECT_EQ(board().windows, 5u);
  ASSERT_EQ(repetitions.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(repetitions[i].index, i);
    EXPECT_EQ(repetitions[i].timer_ticks, StubBoard::ticks_of(i + 3));
    EXPECT_EQ(repetitions[i].cycles, StubBoard::cycles_of(i + 3));
  }
}

TEST_F(FirmwareMeasure, TheDigestIsThatOfTheOutputAfterInnerOperations) {
  ASSERT_TRUE(measure({.size = 8, .repetitions = 2, .inner = 3, .gap_us = 0, .warmup = 1}));
  const std::uint8_t output = 3 * 13;  // the measured input begins with 13
  const std::uint32_t expected = rigd_crc32(&output, 1);
  EXPECT_EQ(repetitions[0].digest, expected);
  EXPECT_EQ(repetitions[1].digest, expected);
  std::uint32_t digest = 0;
  ASSERT_TRUE(rigd_digest(&kWatched, 8, 3, &digest));
  EXPECT_EQ(digest, expected) << "what a check announces";
}

TEST_F(FirmwareMeasure, TheStackFigureIsTheOperationsOwn) {
  for (const std::uint32_t used : {0u, 4u, 40u, 1000u}) {
    watch.stack_bytes = used;
    ASSERT_TRUE(measure({.size = 8, .repetitions = 1, .inner = 1, .gap_us = 0, .warmup = 0}));
    EXPECT_EQ(stack_bytes_, used);
  }
}

TEST_F(FirmwareMeasure, AFailedOperationEndsItUnmaskedAndTidiedUp) {
  watch.status = -1;
  EXPECT_FALSE(measure({.size = 8, .repetitions = 3, .inner = 1, .gap_us = 0, .warmup = 0}));
  EXPECT_EQ(board().windows, 1u);
  EXPECT_FALSE(board().masked);
  EXPECT_FALSE(in_window());
  EXPECT_EQ(watch.finished, 1u);
  EXPECT_TRUE(repetitions.empty());
}

TEST_F(FirmwareMeasure, ACaseThatCannotBePreparedOpensNoWindow) {
  const rigd_case_ops unprepared = {0, nullptr, [](const rigd_job*) -> std::uint32_t { return 0; }, run,
                                    finish};
  const rigd_windows windows = {.size = 8, .repetitions = 1, .inner = 1, .gap_us = 0, .warmup = 0};
  EXPECT_FALSE(rigd_measure(&unprepared, &windows, keep, &stack_bytes_));
  EXPECT_EQ(board().windows, 0u);
  EXPECT_EQ(watch.ran, 0u);
  std::uint32_t digest = 1;
  EXPECT_FALSE(rigd_digest(&unprepared, 8, 1, &digest));
  EXPECT_EQ(digest, 0u);
}

}  // namespace
}  // namespace rigd::test
