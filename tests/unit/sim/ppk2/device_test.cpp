#include "sim/ppk2/device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rigd::sim::ppk2 {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kMillisecond = 16'000;  // cycles

class DeviceTest : public testing::Test {
 protected:
  void plug(std::initializer_list<const char*> faults = {},
            std::initializer_list<const char*> settings = {}) {
    Settings set;
    Faults fault;
    for (const char* one : settings)
      ASSERT_TRUE(set.set(one)) << one;
    for (const char* one : faults)
      ASSERT_TRUE(fault.set(one)) << one;
    device_.emplace(set, fault);
    device_->connect();
  }

  void command(std::initializer_list<std::uint8_t> bytes) {
    const std::vector<std::uint8_t> copy(bytes);
    device_->command(std::as_bytes(std::span(copy)), now_);
  }

  std::string read() {
    std::string bytes;
    while (!device_->output().empty()) {
      const auto piece = device_->output();
      writes_.push_back(piece.size());
      for (const std::byte byte : piece)
        bytes += static_cast<char>(byte);
      device_->written(piece.size());
    }
    return bytes;
  }

  // Bytes of the next `span` of real time.
  std::string run(Device::Time span) {
    std::string bytes;
    for (const auto end = now_ + span; now_ < end;) {
      now_ += 1ms;
      device_->advance(now_);
      bytes += read();
    }
    return bytes;
  }
  Words words(Device::Time span) { return words_of(run(span)); }

  static Words words_of(const std::string& bytes) {
    Words words;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      std::uint32_t word = 0;
      for (unsigned b = 4; b-- > 0;)
        word = word << 8 | static_cast<unsigned char>(bytes[i + b]);
      words.push_back(word);
    }
    return words;
  }

  Truth window() {
    device_->edge({.cycles = cycles_, .pin = 0, .level = true});
    const Truth truth = *device_->edge({.cycles = cycles_ += kMillisecond, .pin = 0, .level = false});
    cycles_ += 2 * kMillisecond;
    return truth;
  }

  std::optional<Device> device_;
  Device::Time now_{1s};
  std::uint64_t cycles_ = 99;
  std::vector<std::size_t> writes_;
};

unsigned counter(std::uint32_t word) {
  return word >> 18 & 63;
}
unsigned range(std::uint32_t word) {
  return word >> 14 & 7;
}
bool marker(std::uint32_t word) {
  return (word >> 24 & 1) != 0;
}

std::size_t count_jumps(const Words& words) {
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < words.size(); ++i)
    jumps += counter(words[i]) != (counter(words[i - 1]) + 1) % 64;
  return jumps;
}

TEST_F(DeviceTest, AnswersMetadataWithTheVoltageAndModeSet) {
  plug({}, {"format=1.1"});
  command({0x0D, 0x0C, 0xE4});
  command({0x11, 0x01});
  command({0x19});
  const std::string text = read();
  EXPECT_THAT(text, HasSubstr("VDD: 3300\n"));
  EXPECT_THAT(text, HasSubstr("mode: 1\n"));
  EXPECT_TRUE(text.ends_with("\nEND\n"));
}

TEST_F(DeviceTest, ReadsCommandsHoweverTheyAreCut) {
  plug();
  command({0x0D});
  command({0x0B});
  command({0xB9, 0x19});
  EXPECT_THAT(read(), HasSubstr("VDD: 3001\n"));
}

TEST_F(DeviceTest, KeepsTheVoltageWithinItsLimits) {
  plug();
  command({0x0D, 0xFF, 0xFF, 0x19});
  EXPECT_THAT(read(), HasSubstr("VDD: 5000\n"));
}

TEST_F(DeviceTest, SetsAUserGain) {
  plug({}, {"format=1.1"});
  command({0x25, 0x02, 0x00, 0x00, 0x80, 0x3F, 0x25, 0x03, 0xCD, 0xCC, 0x8C, 0x3F, 0x19});  // 1.0, 1.1
  EXPECT_THAT(read(), HasSubstr("UG2: 1.00\nUG3: 1.10\n"));
}

TEST_F(DeviceTest, SendsAHundredThousandSamplesASecond) {
  plug();
  command({0x06});
  const Words sent = words(1000ms);
  EXPECT_EQ(sent.size(), 100'000U);
  EXPECT_EQ(count_jumps(sent), 0U);
  command({0x07});
  EXPECT_TRUE(run(10ms).empty());
}

TEST_F(DeviceTest, SuppliesNothingUntilPowered) {
  plug({}, {"unit=A", "run_ua=5000", "dither=0"});
  command({0x06});
  for (const std::uint32_t word : words(5ms))
    EXPECT_EQ(range(word), 0U);
  command({0x0C, 0x01});
  window();
  const Words on = words(20ms);
  EXPECT_TRUE(std::ranges::any_of(on, [](auto word) { return marker(word) && range(word) == 2; }));
}

TEST_F(DeviceTest, ShowsAWindowAndKnowsItsCharge) {
  plug({}, {"run_ua=5000", "sleep_ua=10"});
  command({0x0C, 0x01, 0x06});
  run(5ms);
  const Truth truth = window();
  EXPECT_EQ(truth.window, 0U);
  EXPECT_DOUBLE_EQ(truth.duration_s, 1e-3);
  EXPECT_DOUBLE_EQ(truth.charge_c, 5e-6);
  EXPECT_EQ(std::ranges::count_if(words(20ms), marker), 100);
}

TEST_F(DeviceTest, InventsNothingWhileAWindowIsOpenAndThenCatchesUp) {
  plug();
  command({0x0C, 0x01, 0x06});
  std::size_t sent = words(10ms).size();
  device_->edge({.cycles = 0, .pin = 0, .level = true});
  sent += words(50ms).size();
  EXPECT_LE(sent, 1'001U);
  device_->edge({.cycles = kMillisecond, .pin = 0, .level = false});
  sent += words(40ms).size();
  EXPECT_EQ(sent, 10'000U);
}

TEST_F(DeviceTest, SamplesQueuedWindowsInRealTime) {
  plug();
  command({0x0C, 0x01, 0x06});
  for (int i = 0; i < 100; ++i)
    window();  // 300 ms of the board, at once
  EXPECT_LT(std::ranges::count_if(words(100ms), marker), 4'000);
  run(150ms);
  EXPECT_GT(std::ranges::count_if(words(100ms), marker), 1'000);
}

TEST_F(DeviceTest, CutsTheSupplySomeTimeAfterTheClientLeft) {
  plug({}, {"run_ua=5000", "sleep_ua=1000", "power_off_ms=500"});
  command({0x0C, 0x01});
  for (const auto& [away, range_after] : {std::pair{100ms, 2U}, std::pair{600ms, 0U}}) {
    device_->hang_up(now_);
    run(away);
    device_->connect();
    command({0x06});
    EXPECT_EQ(range(words(5ms).back()), range_after);
    command({0x07});
  }
}

TEST_F(DeviceTest, NoiseAndSeedRepeat) {
  const auto noisy = [&](const char* noise) {
    plug({}, {noise, "sleep_ua=300"});
    now_ = 1s;
    command({0x0C, 0x01, 0x06});
    return words(20ms);
  };
  const Words first = noisy("noise_ua=20");
  EXPECT_EQ(first, noisy("noise_ua=20"));
  EXPECT_NE(first, noisy("noise_ua=0"));
}

TEST_F(DeviceTest, DropsSamplesButNotTheirCount) {
  plug({"drop_samples=5@100"});
  command({0x06});
  const Words sent = words(10ms);
  EXPECT_EQ(sent.size(), 995U);
  EXPECT_EQ(count_jumps(sent), 1U);
  EXPECT_EQ((counter(sent[100]) - counter(sent[99])) & 63, 6U);
}

TEST_F(DeviceTest, DropsABlockInvisibly) {
  plug({"drop_block=100"});
  command({0x06});
  const Words sent = words(20ms);
  EXPECT_EQ(sent.size(), 2'000U - 512);
  EXPECT_EQ(count_jumps(sent), 0U);
}

TEST_F(DeviceTest, DropsBytes) {
  plug({"drop_bytes=3@100"});
  command({0x06});
  EXPECT_EQ(run(10ms).size(), 4'000U - 3);
}

TEST_F(DeviceTest, LeavesInTheMiddleOfAWord) {
  plug({"disconnect_at=100"});
  command({0x06});
  EXPECT_EQ(run(10ms).size(), 402U);
  EXPECT_TRUE(device_->gone());
  EXPECT_TRUE(device_->unplugged());
}

TEST_F(DeviceTest, DropsInsideTheWindowAskedFor) {
  plug({"drop_in_window=7@1"});
  command({0x0C, 0x01, 0x06});
  run(5ms);
  for (int i = 0; i < 3; ++i)
    window();
  std::vector<std::size_t> lengths;
  bool high = false;
  for (const std::uint32_t word : words(30ms)) {
    if (marker(word) && !high) lengths.push_back(0);
    high = marker(word);
    if (high) ++lengths.back();
  }
  EXPECT_THAT(lengths, testing::ElementsAre(100, 93, 100));
}

TEST_F(DeviceTest, SendsInvalidRangesAndAStuckCounter) {
  plug({"range_invalid=3@10", "counter_stuck=0"});
  command({0x06});
  const Words sent = words(5ms);
  EXPECT_EQ(std::ranges::count_if(sent, [](auto word) { return range(word) > 4; }), 3);
  EXPECT_TRUE(std::ranges::all_of(sent, [](auto word) { return counter(word) == 0; }));
}

TEST_F(DeviceTest, RunsAtAWrongRate) {
  plug({"rate_ppm=-1000"});
  command({0x06});
  EXPECT_EQ(words(1000ms).size(), 99'900U);
}

TEST_F(DeviceTest, WritesInThePiecesAskedFor) {
  plug({"chunk=1,7,4095"}, {"format=1.1"});
  command({0x19});
  read();
  ASSERT_GE(writes_.size(), 3U);
  EXPECT_EQ(writes_[0], 1U);
  EXPECT_EQ(writes_[1], 7U);
}

TEST_F(DeviceTest, HasRubbishWaitingForTheClient) {
  plug({"stale_prefix=20000"});
  const std::string rubbish = read();
  EXPECT_EQ(rubbish.size(), 20'000U);
  EXPECT_THAT(rubbish, HasSubstr("END"));
}

TEST_F(DeviceTest, SpoilsItsMetadata) {
  plug({"metadata=nan"});
  command({0x19});
  EXPECT_THAT(read(), HasSubstr("\nR1: nan\n"));

  plug({"metadata=truncated"});
  command({0x19});
  EXPECT_THAT(read(), testing::Not(HasSubstr("END")));

  plug({"metadata=late"});
  command({0x19});
  EXPECT_THAT(read(), testing::Not(HasSubstr("END")));
  EXPECT_THAT(run(500ms), HasSubstr("END\n"));
}

TEST_F(DeviceTest, WaitsForASlowReaderInsteadOfLosing) {
  plug();
  command({0x06});
  for (int i = 0; i < 10; ++i)
    device_->advance(now_ += 1s);
  std::size_t bytes = read().size();
  EXPECT_LT(bytes, 2U << 20);
  bytes += run(1000ms).size();
  EXPECT_EQ(bytes, 11 * 400'000U);
}

}  // namespace
}  // namespace rigd::sim::ppk2
