// The driver against the real rigd-sim-ppk2, over its Unix socket, with a board that exists only as an edge
// stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/detached.hpp>
#include <csignal>
#include <cstring>
#include <fstream>

#include "../../io/await.hpp"
#include "../../io/temp_folder.hpp"
#include "../edge_bytes.hpp"
#include "io/fd.hpp"
#include "io/timer.hpp"
#include "io/unix.hpp"
#include "probe/ppk2/driver.hpp"
#include "support.hpp"

namespace rigd::probe::ppk2 {
namespace {

using namespace std::chrono_literals;
using capture::GapCause;
using testing::IsEmpty;

constexpr std::uint64_t kMillisecond = 16'000;  // cycles

class SimulatedPort : public testing::Test {
 protected:
  void TearDown() override {
    if (simulator_ > 0) {
      ::kill(simulator_, SIGTERM);
      int status = -1;
      ::waitpid(simulator_, &status, 0);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    }
  }

  // Starts the program and connects both ends.
  void start(std::vector<std::string> options) {
    hub_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_of("edges.sock");
    ASSERT_EQ(::bind(hub_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(hub_.get(), 1), 0);
    options.insert(options.begin(), {RIGD_BIN "/rigd-sim-ppk2", "--listen", path("ppk2.sock"), "--edges",
                                     path("edges.sock"), "--truth", path("truth"), "--seed", "5"});
    spawn(options);
    board_.reset(::accept(hub_.get(), nullptr, nullptr));
    send(probe::test::edge_header());
    char ready[6] = {};
    ASSERT_EQ(::read(output_.get(), ready, sizeof ready), 6);
    ASSERT_EQ(std::string_view(ready, 6), "ready\n");
  }

  void spawn(const std::vector<std::string>& command) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    std::vector<char*> arguments;
    for (const auto& argument : command)
      arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    simulator_ = ::fork();
    if (simulator_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(127);
      ::dup2(pipe[1], STDOUT_FILENO);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(pipe[1]);
    output_.reset(pipe[0]);
  }

  Result<Identity> open(Options options = {}) {
    auto port = rigd::test::await(context_, io::open_unix(path("ppk2.sock"), Deadline::in(2s)));
    if (!port) return std::unexpected(port.error());
    probe_ = std::make_unique<Ppk2>(std::move(*port), options);
    return rigd::test::await(context_, probe_->open(Deadline::in(2s)));
  }

  void send(const std::vector<std::byte>& bytes) {
    ASSERT_EQ(::send(board_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void edge(std::uint8_t level, std::uint64_t cycles) {
    send(probe::test::edge_record(
        {.sequence = sequence_++, .instructions = cycles, .cycles = cycles, .pin = 0, .level = level}));
  }
  void window() {
    edge(1, cycles_);
    edge(0, cycles_ += kMillisecond);
    cycles_ += kMillisecond / 2;
  }

  // Streams while the board runs `windows` windows, then checks the rate and stops.
  Result<void> measure(int windows) {
    auto board = [this](int count) -> io::Awaitable<void> {
      co_await io::sleep_until(Deadline::in(50ms));
      for (int i = 0; i < count; ++i) {
        window();
        co_await io::sleep_until(Deadline::in(3ms));
      }
      co_await io::sleep_until(Deadline::in(20ms));
      auto missing = co_await probe_->check_rate(Deadline::in(2s));
      if (missing) deficit_ = *missing;
      (void)co_await probe_->stop(Deadline::in(2s));
    };
    boost::asio::co_spawn(context_, board(windows), boost::asio::detached);
    Result<void> ended = rigd::test::await(context_, probe_->stream(kept_));
    context_.run_for(20ms);
    return ended;
  }

  Result<void> power_and_measure(int windows) {
    RIGD_CHECK(rigd::test::await(context_, probe_->set_power(true, Deadline::in(1s))));
    return measure(windows);
  }

  std::vector<double> charges() const {
    std::vector<double> sums;
    bool high = false;
    for (const auto& [index, logic] : kept_.logic) {
      if ((logic & 1) != 0 && !high) sums.push_back(0);
      high = (logic & 1) != 0;
      if (high) sums.back() += static_cast<double>(kept_.current_a.at(index)) * 10e-6;
    }
    return sums;
  }

  std::size_t truth_lines() const {
    std::ifstream file(path("truth"));
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);)
      ++count;
    return count;
  }

  std::string path(std::string_view name) const { return (folder_.path() / name).string(); }
  sockaddr_un address_of(std::string_view name) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path(name).c_str());
    return address;
  }

  rigd::test::TempFolder folder_;
  boost::asio::io_context context_;
  io::UniqueFd hub_, board_, output_;
  pid_t simulator_ = -1;
  std::unique_ptr<Ppk2> probe_;
  std::uint64_t sequence_ = 0, cycles_ = 1000;
  std::uint64_t deficit_ = 0;
  test::Kept kept_;
};

TEST_F(SimulatedPort, MeasuresTheTrueCharge) {
  start({"--set", "run_ua=4300", "--set", "sleep_ua=3"});
  ASSERT_TRUE(open());
  const auto measured = power_and_measure(50);
  ASSERT_TRUE(measured) << measured.error().text();
  EXPECT_EQ(deficit_, 0U);
  EXPECT_THAT(kept_.gaps, IsEmpty());
  EXPECT_EQ(truth_lines(), 50U);
  const auto sums = charges();
  ASSERT_EQ(sums.size(), 50U);
  double mean = 0;
  for (const double charge : sums)
    mean += charge / 50;
  EXPECT_NEAR(mean / 4.3e-6, 1, 0.005);
}

class EachFormat : public SimulatedPort, public testing::WithParamInterface<std::string> {};

TEST_P(EachFormat, IsUnderstood) {
  start({"--set", "format=" + GetParam()});
  const auto identity = open();
  ASSERT_TRUE(identity) << identity.error().text();
  EXPECT_EQ(identity->firmware, "metadata format " + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Firmware, EachFormat, testing::Values("2020", "1.1", "1.2"));

TEST_F(SimulatedPort, OpensBehindStaleBytesAndOddReads) {
  start({"--fault", "stale_prefix=17412", "--fault", "chunk=1,7,4095", "--fault", "metadata=late"});
  ASSERT_TRUE(open());
  ASSERT_TRUE(power_and_measure(5));
  EXPECT_THAT(kept_.gaps, IsEmpty());
  EXPECT_EQ(charges().size(), 5U);
}

class BadMetadata : public SimulatedPort,
                    public testing::WithParamInterface<std::pair<std::string, ErrorCode>> {};

TEST_P(BadMetadata, IsRefused) {
  const auto& [fault, code] = GetParam();
  start({"--fault", "metadata=" + fault});
  const auto opened = open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), code) << opened.error().text();
}

INSTANTIATE_TEST_SUITE_P(Faults, BadMetadata,
                         testing::Values(std::pair{"implausible", ErrorCode::probe_calibration},
                                         std::pair{"nan", ErrorCode::probe_calibration},
                                         std::pair{"truncated", ErrorCode::probe_identity}));

TEST_F(SimulatedPort, SeesSamplesLostInAWindow) {
  start({"--fault", "drop_in_window=5@2"});
  ASSERT_TRUE(open());
  ASSERT_TRUE(power_and_measure(5));
  ASSERT_EQ(kept_.gaps.size(), 1U);
  EXPECT_EQ(kept_.gaps[0].cause, GapCause::counter);
  EXPECT_EQ(kept_.gaps[0].missing, 5U);
  EXPECT_EQ(deficit_, 0U);
}

TEST_F(SimulatedPort, SeesALostBlockOnlyByItsRate) {
  start({"--fault", "drop_block_in_window=2"});
  ASSERT_TRUE(open());
  ASSERT_TRUE(power_and_measure(5));
  ASSERT_EQ(kept_.gaps.size(), 1U);
  EXPECT_EQ(kept_.gaps[0].cause, GapCause::rate);
  EXPECT_EQ(kept_.gaps[0].first, 0U);
  EXPECT_NEAR(static_cast<double>(deficit_), 512, 128) << "an estimate, as good as the reads are punctual";
}

TEST_F(SimulatedPort, FindsItsFootingAfterLostBytes) {
  start({"--fault", "drop_bytes_in_window=3@2"});
  ASSERT_TRUE(open());
  ASSERT_TRUE(power_and_measure(5));
  ASSERT_EQ(kept_.gaps.size(), 1U);
  EXPECT_EQ(kept_.gaps[0].cause, GapCause::resync);
  EXPECT_EQ(deficit_, 0U);
}

TEST_F(SimulatedPort, ReportsAnUnpluggedProbe) {
  start({"--fault", "disconnect_in_window=2"});
  ASSERT_TRUE(open());
  const auto measured = power_and_measure(5);
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().code(), ErrorCode::probe_lost);
  ASSERT_FALSE(kept_.gaps.empty());
  EXPECT_EQ(kept_.gaps.back().cause, GapCause::disconnect);
  EXPECT_FALSE(open()) << "it does not come back";
}

TEST_F(SimulatedPort, WorksWithoutSampleCounter) {
  start({"--fault", "counter_stuck=0"});
  ASSERT_TRUE(open());
  ASSERT_TRUE(power_and_measure(5));
  EXPECT_THAT(kept_.gaps, IsEmpty());
  EXPECT_EQ(charges().size(), 5U);
}

TEST_F(SimulatedPort, ServesOneClientAfterTheOther) {
  start({});
  for (int round = 0; round < 3; ++round) {
    kept_ = {};
    ASSERT_TRUE(open());
    ASSERT_TRUE(power_and_measure(3));
    EXPECT_EQ(charges().size(), 3U);
    EXPECT_EQ(kept_.words.begin()->first, 0U);
    probe_.reset();
  }
  EXPECT_EQ(truth_lines(), 9U);
}

}  // namespace
}  // namespace rigd::probe::ppk2
