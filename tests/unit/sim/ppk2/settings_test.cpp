#include "sim/ppk2/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigd::sim::ppk2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Settings, TakesTheBoardsConstants) {
  Settings settings;
  for (const char* assignment : {"clock_hz=168000000", "run_ua=40000", "sleep_ua=1.5", "noise_ua=12",
                                 "voltage_mv=3300", "format=2020", "unit=A", "dither=0", "power_off_ms=100"})
    EXPECT_TRUE(settings.set(assignment)) << assignment;
  EXPECT_EQ(settings.clock_hz, 168e6);
  EXPECT_EQ(settings.run_ua, 40'000);
  EXPECT_EQ(settings.sleep_ua, 1.5);
  EXPECT_EQ(settings.noise_ua, 12);
  EXPECT_EQ(settings.state.vdd_mv, 3300U);
  EXPECT_EQ(settings.format, Format::y2020);
  EXPECT_FALSE(settings.dither);
}

TEST(Settings, RefuseWhatTheyDoNotUnderstandNamingIt) {
  for (const char* assignment :
       {"clock_hz=0", "clock_hz=nan", "clock_hz=1e6x", "run_ua=-1", "voltage_mv=799", "voltage_mv=5001",
        "format=3", "unit=C", "dither=2", "colour=red", "run_ua", ""}) {
    Settings settings;
    const auto set = settings.set(assignment);
    ASSERT_FALSE(set) << assignment;
    EXPECT_EQ(set.error().code(), ErrorCode::bad_argument);
  }
  EXPECT_THAT(Settings().set("colour=red").error().message(), HasSubstr("colour"));
}

TEST(Faults, TakePositionsInSamplesAndInWindows) {
  Faults faults;
  for (const char* assignment :
       {"drop_samples=3@100", "drop_block_in_window=7", "disconnect_at=9", "drop_bytes_in_window=5@2"})
    ASSERT_TRUE(faults.set(assignment)) << assignment;
  ASSERT_EQ(faults.incidents.size(), 4U);
  EXPECT_EQ(faults.incidents[0].amount, 3U);
  EXPECT_EQ(faults.incidents[0].at, 100U);
  EXPECT_FALSE(faults.incidents[0].in_window);
  EXPECT_EQ(faults.incidents[1].amount, 512U);
  EXPECT_TRUE(faults.incidents[1].in_window);
  EXPECT_EQ(faults.incidents[3].kind, Incident::Kind::drop_bytes);
}

TEST(Faults, TakeTheRest) {
  Faults faults;
  for (const char* assignment :
       {"chunk=1,7,4095", "stale_prefix=20000", "rate_ppm=-150.5", "counter_stuck=0", "metadata=late"})
    ASSERT_TRUE(faults.set(assignment)) << assignment;
  EXPECT_THAT(faults.chunks, ElementsAre(1, 7, 4095));
  EXPECT_EQ(faults.rate_ppm, -150.5);
  EXPECT_EQ(faults.metadata, MetadataFault::late);
}

TEST(Faults, RefuseWhatTheyDoNotUnderstand) {
  for (const char* assignment :
       {"drop_samples=3", "drop_samples=@3", "drop_samples=0@3", "drop_samples=3@-1", "drop_block=x",
        "chunk=", "chunk=0", "chunk=1,x", "counter_stuck=64", "metadata=odd", "metadata", "typo=1", ""})
    EXPECT_FALSE(Faults().set(assignment)) << assignment;
}

}  // namespace
}  // namespace rigd::sim::ppk2
