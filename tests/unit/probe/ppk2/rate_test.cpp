#include "probe/ppk2/rate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rigd::probe::ppk2 {
namespace {

constexpr double kSampleS = 10e-6;

// A device whose clock runs wrong by `ppm`, read every millisecond or so by a host that is late at random.
class Reader {
 public:
  explicit Reader(double ppm = 0) : rate_(1 + ppm * 1e-6) {}

  void lose(std::uint64_t samples) { lost_ += samples; }
  // The host does not read for so long; the bytes wait.
  void stall(double seconds) { time_s_ += seconds; }

  void run(double seconds) {
    for (const double end = time_s_ + seconds; time_s_ < end;) {
      time_s_ += 1e-3 + jitter_s_(random_);
      const double late_s = delay_s_(random_);  // between being sampled and being seen
      const auto sampled =
          static_cast<std::uint64_t>((time_s_ - std::min(time_s_, late_s)) * rate_ / kSampleS);
      monitor.observe(now(), sampled - std::min(sampled, lost_));
    }
  }

  TimePoint now() const {
    return TimePoint{} + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(time_s_));
  }
  std::uint64_t sampled() const { return static_cast<std::uint64_t>(time_s_ * rate_ / kSampleS); }
  std::uint64_t deficit() const { return monitor.deficit(now()).value_or(0); }

  RateMonitor monitor;

 private:
  double rate_;
  double time_s_ = 0;
  std::uint64_t lost_ = 0;
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> jitter_s_{0, 0.5e-3};
  std::exponential_distribution<double> delay_s_{1 / 0.4e-3};
};

TEST(RateMonitor, IsContentWithASteadyStream) {
  Reader reader;
  for (int second = 0; second < 60; ++second) {
    reader.run(1);
    EXPECT_EQ(reader.deficit(), 0U);
  }
}

TEST(RateMonitor, AllowsForTheDriftOfTwoClocks) {
  for (const double ppm : {-100.0, -20.0, 20.0, 100.0}) {
    Reader reader(ppm);
    for (int second = 0; second < 300; ++second) {
      reader.run(1);
      ASSERT_EQ(reader.deficit(), 0U) << ppm << " ppm, second " << second;
    }
  }
}

TEST(RateMonitor, ForgivesWhatIsLateAndCatchesUp) {
  Reader reader;
  reader.run(1);
  for (const double stall_s : {0.005, 0.05, 0.2, 3.0}) {
    reader.stall(stall_s);
    reader.run(0.2);
    EXPECT_EQ(reader.deficit(), 0U) << stall_s;
    EXPECT_GT(reader.monitor.good_until(), reader.sampled() - 1000) << stall_s;
  }
}

// Whole turns of the 6-bit counter, which the counter cannot show; 512 is one block of the firmware.
class LostTurns : public testing::TestWithParam<std::uint64_t> {};

TEST_P(LostTurns, AreADeficit) {
  Reader reader;
  reader.run(5);
  const auto before = reader.sampled();
  reader.lose(GetParam());
  reader.run(0.2);
  EXPECT_LE(reader.monitor.good_until(), before) << "nothing after the loss is called good";
  EXPECT_EQ(reader.deficit(), 0U) << "it may still come";
  reader.run(0.5);
  EXPECT_NEAR(static_cast<double>(reader.deficit()), static_cast<double>(GetParam()), 20);
}

INSTANTIATE_TEST_SUITE_P(Oracle, LostTurns, testing::Values(64, 512, 5 * 512));

TEST(RateMonitor, DoesNotForgetADeficitNobodyAskedFor) {
  for (const double ppm : {-50.0, 0.0, 50.0}) {
    Reader reader(ppm);
    reader.run(5);
    reader.lose(512);
    reader.run(10);
    EXPECT_GT(reader.deficit(), 400U) << ppm;
  }
}

TEST(RateMonitor, SeesABlockLostDuringAStall) {
  Reader reader;
  reader.run(1);
  reader.stall(1);
  reader.lose(512);
  reader.run(0.7);
  EXPECT_GT(reader.deficit(), 480U);
}

TEST(RateMonitor, SeesFiveOfSixBlocksLost) {
  Reader reader;
  reader.run(0.5);
  for (int block = 0; block < 100; ++block) {
    reader.run(6 * 512 * kSampleS);
    reader.lose(5 * 512);
  }
  EXPECT_GT(reader.deficit(), 0U);
}

TEST(RateMonitor, SeesAWrongSampleClock) {
  Reader reader(-1000);
  reader.run(10);
  EXPECT_GT(reader.deficit(), 0U);
}

TEST(RateMonitor, SeesSilence) {
  Reader reader;
  reader.run(1);
  const TimePoint later = reader.now() + std::chrono::seconds(1);
  for (int i = 0; i <= 1000; ++i)
    reader.monitor.observe(reader.now() + std::chrono::milliseconds(i), 100'000);
  EXPECT_GT(reader.monitor.deficit(later).value_or(0), 0U);
}

TEST(RateMonitor, StartsAfreshOnceADeficitWasReported) {
  Reader reader;
  reader.run(2);
  reader.lose(512);
  reader.run(1);
  ASSERT_NE(reader.deficit(), 0U);
  reader.monitor.accept();
  reader.run(1);
  EXPECT_EQ(reader.deficit(), 0U);
  reader.lose(1024);
  reader.run(1);
  EXPECT_NEAR(static_cast<double>(reader.deficit()), 1024, 20);
}

}  // namespace
}  // namespace rigd::probe::ppk2
