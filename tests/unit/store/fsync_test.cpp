// Durability is counted: the test takes the place of the C library's fsync and fdatasync, which SQLite calls.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "fixture.hpp"

namespace {
std::atomic<int> syncs = 0;
}

extern "C" int fdatasync(int descriptor) {
  ++syncs;
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}
extern "C" int fsync(int descriptor) {
  ++syncs;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace rigd::store {
namespace {

using testing::some_measurement;
using testing::some_repetitions;
using testing::some_run;
using testing::some_trace;
using testing::value_of;

class Fsync : public testing::InFolder {
 protected:
  template <class Action>
  static int syncs_of(const Action& action) {
    const int before = syncs;
    action();
    return syncs - before;
  }
  Store store_ = value_of(Store::open(file()));
};

TEST_F(Fsync, AMeasurementCostsExactlyOne) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  const Trace trace = some_trace(100'000);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(syncs_of([&] {
                value_of(store_.commit_measurement(some_measurement(run_id), some_repetitions(50), &trace));
              }),
              1);
  }
}

TEST_F(Fsync, AnEventCostsNone) {
  const Id run_id = value_of(store_.begin_run(some_run()));
  EXPECT_EQ(syncs_of([&] {
              for (int i = 0; i < 100; ++i)
                value_of(store_.add_event(run_id, {0, 0, "step", EventLevel::info, "text"}));
            }),
            0);
  EXPECT_EQ(syncs_of([&] { value_of(store_.describe_run(run_id, {.board = Board{.type = "microbit"}})); }), 1)

      << "what comes after it is durable again";
}

TEST_F(Fsync, TheEndOfOneRunDoesNotBurdenTheMeasurementsOfAnother) {
  const Id first = value_of(store_.begin_run(some_run()));
  const Id second = value_of(store_.begin_run(some_run()));
  value_of(store_.commit_measurement(some_measurement(first), some_repetitions(50), nullptr));
  value_of(store_.finish_run(first, RunState::finished, {}));
  EXPECT_EQ(syncs_of([&] {
              value_of(store_.commit_measurement(some_measurement(second), some_repetitions(50), nullptr));
            }),
            1);
}

}  // namespace
}  // namespace rigd::store
