#include "io/unix.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <cstring>
#include <filesystem>

#include "await.hpp"
#include "io/fd.hpp"
#include "io/timer.hpp"
#include "temp_folder.hpp"

namespace rigd::io {
namespace {

using namespace std::chrono_literals;

class Unix : public testing::Test {
 protected:
  void listen() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path_.c_str());
    listener_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(::listen(listener_.get(), 4), 0);
  }

  Result<StreamPtr> open(Duration patience) {
    return test::await(context_, open_unix(path_, Deadline::in(patience)));
  }

  boost::asio::io_context context_;
  test::TempFolder folder_;
  std::filesystem::path path_ = folder_.path() / "uart.sock";
  UniqueFd listener_;
};

TEST_F(Unix, ConnectsToAListeningSocket) {
  listen();
  EXPECT_TRUE(open(1s));
}

TEST_F(Unix, WaitsForTheSocketToAppear) {
  auto listen_soon = [this]() -> Awaitable<void> {
    const auto soon = Deadline::in(30ms);
    co_await sleep_until(soon);
    listen();
  };
  boost::asio::co_spawn(context_, listen_soon(), boost::asio::detached);
  EXPECT_TRUE(open(5s));
}

TEST_F(Unix, NamesTheSocketThatNeverCame) {
  const auto stream = open(20ms);
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().code(), ErrorCode::port_missing);
  EXPECT_TRUE(stream.error().text().contains("uart.sock"));
}

TEST_F(Unix, ASocketNobodyListensOnIsMissing) {
  listen();
  listener_.reset();
  EXPECT_EQ(open(20ms).error().code(), ErrorCode::port_missing);
}

TEST_F(Unix, RefusesAPathTooLongForASocket) {
  path_ = folder_.path() / std::string(120, 'x');
  EXPECT_EQ(open(1s).error().code(), ErrorCode::bad_argument);
}

}  // namespace
}  // namespace rigd::io
