// The store on a thread of its own: a commit waits for the disk, and nothing may block the reactor.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <type_traits>
#include <utility>

#include "io/stream.hpp"
#include "store/store.hpp"

namespace rigd::run {

class StoreThread {
 public:
  explicit StoreThread(store::Store& store) : store_(store), thread_(1) {}
  ~StoreThread() { thread_.join(); }

  // Calls `function(store)` on the store's thread, one call after the other in the order asked for.
  template <class Function>
  io::Awaitable<std::invoke_result_t<Function&, store::Store&>> call(Function function) {
    auto job = run_on_thread(std::move(function));
    co_return co_await boost::asio::co_spawn(thread_, std::move(job), boost::asio::use_awaitable);
  }

 private:
  template <class Function>
  io::Awaitable<std::invoke_result_t<Function&, store::Store&>> run_on_thread(Function function) {
    co_return function(store_);
  }

  store::Store& store_;
  boost::asio::thread_pool thread_;
};

}  // namespace rigd::run
