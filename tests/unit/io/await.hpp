// Runs one coroutine to its end on a reactor of a test.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>

namespace rigd::test {

template <class T>
T await(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr thrown;
  auto on_end = [&](std::exception_ptr error, T value) {
    thrown = error;
    result.emplace(std::move(value));
  };
  boost::asio::co_spawn(context, std::move(work), on_end);
  context.restart();
  while (!result && context.run_one() > 0) {
  }
  if (thrown) std::rethrow_exception(thrown);
  return std::move(result.value());
}

inline void await(boost::asio::io_context& context, boost::asio::awaitable<void> work) {
  bool done = false;
  auto on_end = [&](std::exception_ptr) { done = true; };
  boost::asio::co_spawn(context, std::move(work), on_end);
  context.restart();
  while (!done && context.run_one() > 0) {
  }
}

}  // namespace rigd::test
