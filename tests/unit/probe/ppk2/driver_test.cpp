#include "probe/ppk2/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/detached.hpp>
#include <functional>

#include "../../io/await.hpp"
#include "io/fd_stream.hpp"
#include "io/timer.hpp"
#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Bytes = std::vector<std::uint8_t>;

Options at(PowerMode mode, unsigned voltage_mv) {
  Options options;
  options.mode = mode;
  options.voltage_mv = voltage_mv;
  return options;
}

// A port that remembers each write.
class RecordingPort final : public io::ByteStream {
 public:
  RecordingPort(io::StreamPtr port, std::vector<Bytes>& writes) : port_(std::move(port)), writes_(writes) {}

  io::Awaitable<Result<std::size_t>> read_some(std::span<std::byte> into, Deadline deadline) override {
    return port_->read_some(into, deadline);
  }
  io::Awaitable<Result<void>> write(std::span<const std::byte> bytes, Deadline deadline) override {
    Bytes copy;
    for (const std::byte byte : bytes)
      copy.push_back(std::to_integer<std::uint8_t>(byte));
    writes_.push_back(copy);
    return port_->write(bytes, deadline);
  }
  void close() noexcept override { port_->close(); }

 private:
  io::StreamPtr port_;
  std::vector<Bytes>& writes_;
};

// The instrument at the other end answers as the test says.
class Ppk2Test : public testing::Test {
 protected:
  void connect(Options options = {}) {
    auto pair = io::make_stream_pair(context_.get_executor());
    ASSERT_TRUE(pair);
    device_ = std::move(pair->second);
    probe_ =
        std::make_unique<Ppk2>(std::make_unique<RecordingPort>(std::move(pair->first), writes_), options);
    boost::asio::co_spawn(context_, serve(), boost::asio::detached);
  }

  // Hands each command to the test, as the device reads them: by opcode and number of arguments.
  io::Awaitable<void> serve() {
    std::array<std::byte, 64> buffer;
    Bytes pending;
    for (;;) {
      const auto got = co_await device_->read_some(buffer, Deadline::in(10s));
      if (!got) co_return;
      for (std::size_t i = 0; i < *got; ++i)
        pending.push_back(std::to_integer<std::uint8_t>(buffer[i]));
      while (!pending.empty()) {
        const std::ptrdiff_t arguments = pending[0] == 0x0D                         ? 2
                                         : pending[0] == 0x0C || pending[0] == 0x11 ? 1
                                                                                    : 0;
        if (std::ssize(pending) < 1 + arguments) break;
        const Bytes command(pending.begin(), pending.begin() + 1 + arguments);
        pending.erase(pending.begin(), pending.begin() + 1 + arguments);
        if (answer_) answer_(command);
      }
    }
  }

  void send(std::vector<std::byte> bytes) {
    boost::asio::co_spawn(context_, write(std::move(bytes)), boost::asio::detached);
  }
  io::Awaitable<void> write(std::vector<std::byte> bytes) {
    (void)co_await device_->write(bytes, Deadline::in(5s));
  }

  void answer_metadata(std::string text) {
    answer_ = [this, text](const Bytes& write) {
      if (write == Bytes{0x19}) send(test::bytes_of(text));
    };
  }

  Result<Identity> open(Duration patience = 1s) {
    return rigd::test::await(context_, probe_->open(Deadline::in(patience)));
  }
  Result<void> set_power(bool on) {
    return rigd::test::await(context_, probe_->set_power(on, Deadline::in(1s)));
  }
  Result<void> stream() { return rigd::test::await(context_, probe_->stream(kept_)); }

  // Runs `then` beside stream(), once it has had time to begin.
  void soon(Duration delay, std::function<io::Awaitable<void>()> then) {
    boost::asio::co_spawn(context_, later(delay, std::move(then)), boost::asio::detached);
  }
  static io::Awaitable<void> later(Duration delay, std::function<io::Awaitable<void>()> then) {
    co_await io::sleep_until(Deadline::in(delay));
    co_await then();
  }

  void open_unit_a(Options options = {}) {
    connect(options);
    answer_metadata(test::data_file("metadata_a.txt"));
    const auto identity = open();
    ASSERT_TRUE(identity) << identity.error().text();
    writes_.clear();
  }

  boost::asio::io_context context_;
  io::StreamPtr device_;
  std::unique_ptr<Ppk2> probe_;
  std::vector<Bytes> writes_;
  std::function<void(const Bytes&)> answer_;
  test::Kept kept_;
};

TEST_F(Ppk2Test, OpensInSourceMode) {
  connect(at(PowerMode::source, 3300));
  answer_metadata(test::data_file("metadata_a.txt"));
  const auto identity = open();
  ASSERT_TRUE(identity) << identity.error().text();
  EXPECT_THAT(writes_, ElementsAre(Bytes{0x07}, Bytes{0x19}, Bytes{0x0D, 0x0C, 0xE4}, Bytes{0x11, 0x02}));
  EXPECT_EQ(identity->driver, "ppk2");
  EXPECT_EQ(identity->serial, "HW 9173");
  EXPECT_EQ(identity->firmware, "metadata format 1.1");
  EXPECT_EQ(identity->calibration_hash, test::unit_a().hash());
  EXPECT_THAT(identity->calibration_text, HasSubstr("R0: 1003.3506\n"));
  EXPECT_EQ(probe_->voltage(), Volt(3.3));
}

TEST_F(Ppk2Test, CutsTheSupplyBeforeItBecomesASource) {
  connect(at(PowerMode::source, 800));
  std::string text = test::data_file("metadata_a.txt");
  text.replace(text.find("mode: 2"), 7, "mode: 1");
  answer_metadata(text);
  ASSERT_TRUE(open());
  EXPECT_THAT(writes_, ElementsAre(Bytes{0x07}, Bytes{0x19}, Bytes{0x0D, 0x03, 0x20}, Bytes{0x0C, 0x00},
                                   Bytes{0x11, 0x02}));
}

TEST_F(Ppk2Test, ClosesTheCurrentPathInAmpereMode) {
  connect(at(PowerMode::ampere, 5000));
  answer_metadata(test::data_file("metadata_a.txt"));
  ASSERT_TRUE(open());
  EXPECT_THAT(writes_, ElementsAre(Bytes{0x07}, Bytes{0x19}, Bytes{0x0D, 0x13, 0x88}, Bytes{0x11, 0x01},
                                   Bytes{0x0C, 0x01}));
  EXPECT_FALSE(probe_->capabilities().sets_voltage);
}

TEST_F(Ppk2Test, RefusesAVoltageTheInstrumentCannotSupplyBeforeWritingAnything) {
  for (const unsigned millivolt : {0U, 799U, 5001U, 65536U + 3000U}) {
    connect(at(PowerMode::source, millivolt));
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), ErrorCode::bad_argument);
    EXPECT_THAT(writes_, IsEmpty());
  }
}

TEST_F(Ppk2Test, OpensBehindTheQueueOfAKilledClient) {
  connect();
  answer_metadata(test::data_file("metadata_a.txt"));
  auto stale = test::bytes_of(test::words(5000));
  for (const std::byte b : test::bytes_of("END"))
    stale.push_back(b);
  send(stale);
  EXPECT_TRUE(open());
}

TEST_F(Ppk2Test, ReadsMetadataThatComeInPieces) {
  connect();
  const std::string text = test::data_file("metadata_a.txt");
  answer_ = [this, text](const Bytes& write) {
    if (write != Bytes{0x19}) return;
    send(test::bytes_of(text.substr(0, 500)));
    soon(60ms, [this, text]() -> io::Awaitable<void> {
      const auto rest = test::bytes_of(text.substr(500));
      (void)co_await device_->write(rest, Deadline::in(1s));
    });
  };
  EXPECT_TRUE(open());
}

TEST_F(Ppk2Test, RefusesADestroyedCalibration) {
  connect();
  answer_metadata(test::data_file("metadata_b.txt"));
  const auto opened = open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::probe_calibration);
  EXPECT_THAT(writes_, ElementsAre(Bytes{0x07}, Bytes{0x19})) << "no voltage is set on such a unit";
}

TEST_F(Ppk2Test, RecognisesThatNobodyOrSomethingElseAnswers) {
  connect();
  const auto silent = open(100ms);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code(), ErrorCode::probe_identity);

  connect();
  answer_metadata("\r\nshell:~$ ");
  const auto shell = open(100ms);
  ASSERT_FALSE(shell);
  EXPECT_EQ(shell.error().code(), ErrorCode::probe_identity);
  EXPECT_THAT(shell.error().message(), HasSubstr("second port"));
}

TEST_F(Ppk2Test, GivesUpOnADeviceThatNeverStops) {
  connect();
  bool stop = false;
  auto flood = [&]() -> io::Awaitable<void> {
    const auto bytes = test::bytes_of(test::words(1000));
    while (!stop) {
      (void)co_await device_->write(bytes, Deadline::in(100ms));
      co_await io::sleep_until(Deadline::in(2ms));
    }
  };
  boost::asio::co_spawn(context_, flood(), boost::asio::detached);
  const TimePoint began = Clock::now();
  const auto opened = open(200ms);
  stop = true;
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::timeout);
  EXPECT_LT(Clock::now() - began, 1s);
}

TEST_F(Ppk2Test, ReportsADeviceThatGoesAwayWhileOpening) {
  connect();
  answer_ = [this](const Bytes&) { device_->close(); };
  const auto opened = open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::probe_lost);
  const auto again = open();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::probe_lost);
}

TEST_F(Ppk2Test, WritesEachCommandAtOnce) {
  open_unit_a();
  ASSERT_TRUE(set_power(true));
  soon(20ms, [this]() -> io::Awaitable<void> { (void)co_await probe_->stop(Deadline::in(1s)); });
  ASSERT_TRUE(stream());
  ASSERT_TRUE(set_power(false));
  EXPECT_THAT(writes_, ElementsAre(Bytes{0x0C, 0x01}, Bytes{0x06}, Bytes{0x07}, Bytes{0x0C, 0x00}));
}

TEST_F(Ppk2Test, StreamsUntilStoppedAndHandsOverTheTail) {
  open_unit_a();
  answer_ = [this](const Bytes& write) {
    if (write == Bytes{0x06}) send(test::bytes_of(test::words(3000)));
    if (write == Bytes{0x07}) {
      const auto all = test::words(4000);
      send(test::bytes_of(std::span(all).subspan(3000)));  // still on its way when stop was asked for
    }
  };
  std::optional<Result<void>> stopped;
  soon(50ms, [&]() -> io::Awaitable<void> {
    Result<void> done = co_await probe_->stop(Deadline::in(1s));
    stopped.emplace(std::move(done));
  });
  EXPECT_TRUE(stream());
  context_.run_for(20ms);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(*stopped);
  EXPECT_EQ(kept_.words.size(), 4000U);
  EXPECT_TRUE(kept_.timeline_true());
  EXPECT_THAT(kept_.gaps, IsEmpty());
}

TEST_F(Ppk2Test, StartsEachStreamAtSampleZero) {
  open_unit_a();
  answer_ = [this](const Bytes& write) {
    if (write == Bytes{0x06}) send(test::bytes_of(test::words(200)));
  };
  for (int round = 0; round < 2; ++round) {
    kept_ = {};
    soon(20ms, [this]() -> io::Awaitable<void> { (void)co_await probe_->stop(Deadline::in(1s)); });
    ASSERT_TRUE(stream());
    EXPECT_EQ(kept_.words.begin()->first, 0U);
    EXPECT_EQ(kept_.words.size(), 200U);
  }
}

TEST_F(Ppk2Test, ReportsALossInTheMiddleOfAWord) {
  open_unit_a();
  answer_ = [this](const Bytes& write) {
    if (write != Bytes{0x06}) return;
    auto bytes = test::bytes_of(test::words(1000));
    bytes.resize(bytes.size() - 2);
    send(bytes);
    soon(20ms, [this]() -> io::Awaitable<void> {
      device_->close();
      co_return;
    });
  };
  const auto ended = stream();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), ErrorCode::probe_lost);
  EXPECT_EQ(kept_.words.size(), 999U);
  EXPECT_THAT(kept_.gaps, ElementsAre(capture::Gap{999, 999, 0, capture::GapCause::disconnect}));
  EXPECT_EQ(set_power(true).error().code(), ErrorCode::probe_lost);
}

TEST_F(Ppk2Test, DoesNotWaitForeverForADeviceThatStreamsOn) {
  open_unit_a();
  bool end = false;
  auto flood = [&]() -> io::Awaitable<void> {
    const auto bytes = test::bytes_of(test::words(64));
    while (!end) {
      (void)co_await device_->write(bytes, Deadline::in(1s));
      co_await io::sleep_until(Deadline::in(1ms));
    }
  };
  boost::asio::co_spawn(context_, flood(), boost::asio::detached);
  std::optional<Result<void>> stopped;
  soon(10ms, [&]() -> io::Awaitable<void> {
    Result<void> done = co_await probe_->stop(Deadline::in(100ms));
    stopped.emplace(std::move(done));
  });
  const auto ended = stream();
  context_.run_for(50ms);
  end = true;
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code(), ErrorCode::timeout);
  ASSERT_TRUE(stopped);
}

TEST_F(Ppk2Test, RefusesCallsOutOfOrder) {
  connect();
  EXPECT_FALSE(stream());
  EXPECT_FALSE(set_power(true));
  EXPECT_FALSE(rigd::test::await(context_, probe_->check_rate(Deadline::in(1s))));
  EXPECT_THAT(writes_, IsEmpty());
}

TEST_F(Ppk2Test, QuotesTheMakersAccuracyForTheRangeInUse) {
  connect();
  struct Row {
    double current_a, gain, resolution_a;
  };
  for (const auto& [current, gain, resolution] :
       {Row{10e-6, 0.10, 0.2e-6}, Row{-10e-6, 0.10, 0.2e-6}, Row{200e-6, 0.10, 0.5e-6}, Row{1e-3, 0.10, 5e-6},
        Row{20e-3, 0.10, 50e-6}, Row{200e-3, 0.15, 1e-3}, Row{2, 0.15, 1e-3}}) {
    const Accuracy accuracy = probe_->accuracy(Ampere(current));
    EXPECT_EQ(accuracy.gain_relative, gain);
    EXPECT_EQ(accuracy.resolution_a, resolution);
    EXPECT_GT(accuracy.voltage_relative, 0);
  }
}

}  // namespace
}  // namespace rigd::probe::ppk2
