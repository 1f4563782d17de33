// A writer killed at any moment loses nothing it committed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "fixture.hpp"
#include "store/sqlite.hpp"

namespace rigd::store {
namespace {

using testing::some_measurement;
using testing::some_repetitions;
using testing::some_run;
using testing::some_trace;
using testing::value_of;

// What the writer has told us is stored, through a pipe: one letter each.
struct Told {
  std::int64_t runs = 0;
  std::int64_t events = 0;
  std::int64_t measurements = 0;
  std::int64_t finished = 0;
};

[[noreturn]] void write_for_ever(const std::filesystem::path& file, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto tell = [report](char what) {
    if (write(report, &what, 1) != 1) _exit(1);
  };
  auto store = Store::open(file);
  if (!store) _exit(1);
  const Trace trace = some_trace(5'000);
  for (;;) {
    const auto run_id = store->begin_run(some_run());
    if (!run_id) _exit(1);
    tell('r');
    for (int i = 0; i < 4; ++i) {
      if (!store->add_event(*run_id, {0, 0, "measure", EventLevel::info, "next"})) _exit(1);
      tell('e');
      if (!store->commit_measurement(some_measurement(*run_id), some_repetitions(50), &trace)) _exit(1);
      tell('m');
    }
    if (!store->finish_run(*run_id, RunState::finished, {})) _exit(1);
    tell('f');
  }
}

void listen(int report, Told& told) {
  char what = 0;
  while (read(report, &what, 1) == 1) {
    told.runs += what == 'r';
    told.events += what == 'e';
    told.measurements += what == 'm';
    told.finished += what == 'f';
  }
}

// A writer that lives for `life` from the moment it starts; false when it ended by itself.
bool write_and_kill(const std::filesystem::path& file, std::chrono::microseconds life, Told& told) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) write_for_ever(file, ends[1]);
  close(ends[1]);
  std::this_thread::sleep_for(life);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  listen(ends[0], told);
  close(ends[0]);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

class Killed : public testing::InFolder {};

TEST_F(Killed, FiftyTimesAtRandomMomentsNothingCommittedIsLost) {
  std::mt19937 random(20261201);
  std::uniform_int_distribution<int> life_us(500, 30'000);
  Told told;
  std::int64_t interrupted = 0;
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(write_and_kill(file(), std::chrono::microseconds(life_us(random)), told))
        << "round " << round;

    const Store store = value_of(Store::open(file()));
    interrupted += store.interrupted_runs();
    EXPECT_LE(store.interrupted_runs(), 1);
    EXPECT_TRUE(value_of(store.runs({.state = RunState::running})).empty());
    EXPECT_EQ(static_cast<std::int64_t>(value_of(store.runs({.state = RunState::interrupted})).size()),
              interrupted);

    const Connection look = value_of(Connection::open(file(), Connection::Mode::read_only));
    EXPECT_EQ(value_of(look.integer("SELECT integrity_check = 'ok' FROM pragma_integrity_check")), 1);
    EXPECT_EQ(value_of(look.integer("SELECT count(*) FROM pragma_foreign_key_check")), 0);
    // What was told is there; at most what was under way and not yet told comes on top.
    const auto stored = [&](const char* sql) { return value_of(look.integer(sql)); };
    EXPECT_GE(stored("SELECT count(*) FROM run"), told.runs);
    EXPECT_GE(stored("SELECT count(*) FROM event"), told.events);
    EXPECT_GE(stored("SELECT count(*) FROM measurement"), told.measurements);
    EXPECT_LE(stored("SELECT count(*) FROM measurement"), told.measurements + round + 1);
    EXPECT_GE(stored("SELECT count(*) FROM run WHERE state = 'finished'"), told.finished);
    EXPECT_EQ(stored("SELECT count(*) FROM measurement WHERE 50 <> (SELECT count(*) FROM repetition WHERE "
                     "measurement_id = "
                     "measurement.id) OR 1 <> (SELECT count(*) FROM trace_chunk WHERE measurement_id = "
                     "measurement.id)"),
              0);
  }
  EXPECT_GT(told.measurements, 50) << "the writer came to its work";
  EXPECT_GT(interrupted, 10) << "some were killed inside a run";
}

TEST_F(Killed, AnInterruptedRunSaysSo) {
  Told told;
  for (int life_ms = 20; told.measurements == 0 && life_ms < 5'000; life_ms *= 2) {
    ASSERT_TRUE(write_and_kill(file(), std::chrono::milliseconds(life_ms), told));
  }
  const Store store = value_of(Store::open(file()));
  for (const Run& run : value_of(store.runs({.state = RunState::interrupted}))) {
    EXPECT_EQ(run.problem->code, "interrupted");
    EXPECT_FALSE(run.ended_utc_ns) << "nobody saw the end";
  }
}

}  // namespace
}  // namespace rigd::store
