#include "run/run_log.hpp"

#include "base/log.hpp"

namespace rigd::run {

RunLog::RunLog(StoreThread& store, Observer& observer, store::Id run_id, std::string slot)
    : store_(store), observer_(observer), run_id_(run_id), slot_(std::move(slot)) {}

io::Awaitable<void> RunLog::note(std::string step, store::EventLevel level, std::string text) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_);
  const store::Event event{since.count(), utc_now_ns(), std::move(step), level, std::move(text)};
  observer_.on_event(slot_, event);
  auto add = [id = run_id_, event](store::Store& store) { return store.add_event(id, event); };
  const Result<void> added = co_await store_.call(std::move(add));
  if (!added) log::warning("{}: event not stored: {}", slot_, added.error().text());
}

io::Awaitable<void> RunLog::info(std::string step, std::string text) {
  co_await note(std::move(step), store::EventLevel::info, std::move(text));
}

io::Awaitable<void> RunLog::error(std::string step, const Error& error) {
  co_await note(std::move(step), store::EventLevel::error, error.text());
}

}  // namespace rigd::run
