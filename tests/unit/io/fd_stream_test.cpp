#include "io/fd_stream.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/socket.h>
#include <termios.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <numeric>
#include <vector>

#include "await.hpp"
#include "io/timer.hpp"

namespace rigd::io {
namespace {

using namespace std::chrono_literals;

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char c : text)
    bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

class FdStream : public testing::Test {
 protected:
  FdStream() {
    auto pair = make_stream_pair(context_.get_executor()).value();
    left_ = std::move(pair.first);
    right_ = std::move(pair.second);
  }

  Result<std::size_t> read(ByteStream& stream, Duration patience = 5s) {
    return test::await(context_, stream.read_some(buffer_, Deadline::in(patience)));
  }
  Result<void> write(ByteStream& stream, std::span<const std::byte> bytes, Duration patience = 5s) {
    return test::await(context_, stream.write(bytes, Deadline::in(patience)));
  }

  boost::asio::io_context context_;
  StreamPtr left_;
  StreamPtr right_;
  std::array<std::byte, 256> buffer_{};
};

TEST_F(FdStream, CarriesBytes) {
  const auto sent = bytes_of("hello");
  ASSERT_TRUE(write(*left_, sent));
  const auto count = read(*right_);
  ASSERT_TRUE(count);
  EXPECT_EQ(std::vector(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(*count)), sent);
}

TEST_F(FdStream, TimesOutAndStaysUsable) {
  const auto begin = Clock::now();
  const auto silent = read(*right_, 20ms);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code(), ErrorCode::timeout);
  EXPECT_LT(Clock::now() - begin, 2s);
  const auto sent = bytes_of("x");
  ASSERT_TRUE(write(*left_, sent));
  EXPECT_EQ(read(*right_).value(), 1u);
}

TEST_F(FdStream, GivesWhatIsThereEvenAfterTheDeadline) {
  const auto sent = bytes_of("x");
  ASSERT_TRUE(write(*left_, sent));
  EXPECT_EQ(read(*right_, -1s).value(), 1u);
}

TEST_F(FdStream, ReportsTheEndOfThePeer) {
  left_.reset();
  EXPECT_EQ(read(*right_).error().code(), ErrorCode::disconnected);
  const auto sent = bytes_of("x");
  EXPECT_EQ(write(*right_, sent).error().code(), ErrorCode::disconnected);  // and no SIGPIPE
}

TEST_F(FdStream, WriteToAPeerThatDoesNotReadTimesOut) {
  const std::vector<std::byte> much(8u << 20);
  const auto result = write(*left_, much, 20ms);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::timeout);
}

Awaitable<std::size_t> read_all(ByteStream& stream, std::size_t wanted) {
  std::vector<std::byte> chunk(65536);
  std::size_t total = 0;
  while (total < wanted) {
    const auto count = co_await stream.read_some(chunk, Deadline::in(5s));
    if (!count) break;
    total += *count;
  }
  co_return total;
}

TEST_F(FdStream, WritesMoreThanTheKernelTakesAtOnce) {
  using namespace boost::asio::experimental::awaitable_operators;
  const std::vector<std::byte> much(8u << 20);
  auto writing = left_->write(much, Deadline::in(10s));
  auto reading = read_all(*right_, much.size());
  auto both = [&]() -> Awaitable<std::size_t> {
    auto [written, count] = co_await (std::move(writing) && std::move(reading));
    co_return written ? count : 0;
  };
  EXPECT_EQ(test::await(context_, both()), much.size());
}

TEST_F(FdStream, CloseEndsAPendingRead) {
  auto close_soon = [&]() -> Awaitable<void> {
    const auto soon = Deadline::in(10ms);
    co_await sleep_until(soon);
    right_->close();
    right_->close();
  };
  boost::asio::co_spawn(context_, close_soon(), boost::asio::detached);
  EXPECT_EQ(read(*right_, 10s).error().code(), ErrorCode::disconnected);
  EXPECT_EQ(read(*right_, 10s).error().code(), ErrorCode::disconnected);
}

TEST_F(FdStream, DestructionEndsAPendingRead) {
  auto destroy_soon = [&]() -> Awaitable<void> {
    const auto soon = Deadline::in(10ms);
    co_await sleep_until(soon);
    right_.reset();
  };
  boost::asio::co_spawn(context_, destroy_soon(), boost::asio::detached);
  EXPECT_EQ(read(*right_, 10s).error().code(), ErrorCode::disconnected);
}

TEST_F(FdStream, CancellingTheCoroutineEndsItsRead) {
  using namespace boost::asio::experimental::awaitable_operators;
  const auto begin = Clock::now();
  auto race = [&]() -> Awaitable<std::size_t> {
    auto reading = right_->read_some(buffer_, Deadline::in(10s));
    const auto soon = Deadline::in(10ms);
    auto sleeping = sleep_until(soon);
    const auto first = co_await (std::move(reading) || std::move(sleeping));
    co_return first.index();
  };
  EXPECT_EQ(test::await(context_, race()), 1u);
  EXPECT_LT(Clock::now() - begin, 5s);
}

class Tty : public FdStream {
 protected:
  Tty() {
    int master = -1;
    int slave = -1;
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    termios settings{};
    ::tcgetattr(slave, &settings);
    ::cfmakeraw(&settings);
    ::tcsetattr(slave, TCSANOW, &settings);
    device_ = make_fd_stream(context_.get_executor(), UniqueFd(master), "device");
    host_ = make_fd_stream(context_.get_executor(), UniqueFd(slave), "tty");
  }
  StreamPtr device_;
  StreamPtr host_;
};

TEST_F(Tty, CarriesAllByteValues) {
  std::vector<std::byte> all(256);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::byte>(i);
  ASSERT_TRUE(write(*device_, all));
  std::vector<std::byte> got;
  while (got.size() < all.size()) {
    const auto count = read(*host_);
    ASSERT_TRUE(count);
    got.insert(got.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  EXPECT_EQ(got, all);
}

TEST_F(Tty, AHungUpTtyIsDisconnected) {
  device_.reset();
  EXPECT_EQ(read(*host_).error().code(), ErrorCode::disconnected);
}

}  // namespace
}  // namespace rigd::io
