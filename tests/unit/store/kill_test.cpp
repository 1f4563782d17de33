// A writer killed at any moment loses nothing it committed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>
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

// Reads at most `letters`, fewer when the writer is dead.
void listen(int report, int letters, Told& told) {
  char what = 0;
  for (; letters > 0 && read(report, &what, 1) == 1; --letters) {
    told.runs += what == 'r';
    told.events += what == 'e';
    told.measurements += what == 'm';
    told.finished += what == 'f';
  }
}

// When a writer is killed: so long after it reported so many steps (0: after its start).
struct Moment {
  int steps;
  std::chrono::microseconds later;
};

// false when the writer ended by itself.
bool write_and_kill(const std::filesystem::path& file, Moment moment, Told& told) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) write_for_ever(file, ends[1]);
  close(ends[1]);
  listen(ends[0], moment.steps, told);
  std::this_thread::sleep_for(moment.later);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  listen(ends[0], std::numeric_limits<int>::max(), told);
  close(ends[0]);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

class Killed : public testing::InFolder {};

TEST_F(Killed, FiftyTimesAtRandomMomentsNothingCommittedIsLost) {
  std::mt19937 random(20261201);
  std::uniform_int_distribution<int> steps(0, 12);
  std::uniform_int_distribution<int> later_us(0, 3'000);
  Told told;
  std::int64_t interrupted = 0;
  for (int round = 0; round < 50; ++round) {
    const Moment moment{steps(random), std::chrono::microseconds(later_us(random))};
    ASSERT_TRUE(write_and_kill(file(), moment, told)) << "round " << round;

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
    EXPECT_EQ(stored("SELECT count(*) FROM repetition"), 50 * stored("SELECT count(*) FROM measurement"));
    EXPECT_EQ(stored("SELECT count(*) FROM trace_chunk"), stored("SELECT count(*) FROM measurement"));
  }
  EXPECT_GT(told.measurements, 50) << "the writer came to its work";
  EXPECT_GT(interrupted, 10) << "some were killed inside a run";
}

TEST_F(Killed, ARunNobodyFinishedIsInterruptedAtTheNextOpening) {
  const auto abandon_a_run = [&] {
    Store store = value_of(Store::open(file()));
    value_of(store.begin_run(some_run()));
  };
  abandon_a_run();
  const Store store = value_of(Store::open(file()));
  EXPECT_EQ(store.interrupted_runs(), 1);
  const Run run = value_of(store.runs()).at(0);
  EXPECT_EQ(run.state, RunState::interrupted);
  EXPECT_EQ(run.problem->code, "interrupted");
  EXPECT_FALSE(run.ended_utc_ns) << "nobody saw the end";
}

}  // namespace
}  // namespace rigd::store
