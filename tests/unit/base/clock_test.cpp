#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace rigd {
namespace {

using namespace std::chrono_literals;

TEST(UtcText, ShowsMilliseconds) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utc_text(1'796'087'604'123'456'789), "2026-12-01T01:13:24.123Z");
}

TEST(Deadline, NeverHasNegativeTimeLeft) {
  const Deadline past{Clock::now() - 1s};
  EXPECT_TRUE(past.passed());
  EXPECT_EQ(past.left(), Duration::zero());
}

TEST(Deadline, EarlierOfTwo) {
  const Deadline soon = Deadline::in(1s);
  const Deadline late = Deadline::in(1h);
  EXPECT_EQ(late.earlier(soon).at, soon.at);
}

}  // namespace
}  // namespace rigd
