// A full disk is reported as such and costs only what was being written. The limit on file sizes stands in
// for the disk: the kernel refuses the same write calls.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "fixture.hpp"
#include "store/sqlite.hpp"

namespace rigd::store {
namespace {

using testing::some_measurement;
using testing::some_repetitions;
using testing::some_run;
using testing::some_trace;
using testing::value_of;

// While it lives no file of this process grows beyond `bytes`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

class DiskFull : public testing::InFolder {};

TEST_F(DiskFull, CostsOnlyTheMeasurementThatDidNotFit) {
  std::size_t stored = 0;
  {
    Store store = value_of(Store::open(file()));
    const Id run_id = value_of(store.begin_run(some_run()));
    const Trace trace = some_trace(50'000);
    {
      const FileSizeLimit limit(1'000'000);
      for (;;) {
        const auto committed =
            store.commit_measurement(some_measurement(run_id), some_repetitions(50), &trace);
        if (!committed) {
          EXPECT_EQ(committed.error().code(), ErrorCode::disk_full) << committed.error().text();
          break;
        }
        ASSERT_LT(++stored, 1'000U) << "the limit does not bite";
      }
      EXPECT_GT(stored, 0U);
      EXPECT_EQ(value_of(store.measurements(run_id)).size(), stored) << "still readable";
    }
    // Space again: the same store goes on.
    value_of(store.commit_measurement(some_measurement(run_id), some_repetitions(50), &trace));
    ++stored;
  }
  const Store store = value_of(Store::open(file()));
  EXPECT_EQ(store.interrupted_runs(), 1);
  EXPECT_EQ(value_of(store.measurements(1)).size(), stored);
  const Connection look = value_of(Connection::open(file(), Connection::Mode::read_only));
  EXPECT_EQ(value_of(look.integer("SELECT integrity_check = 'ok' FROM pragma_integrity_check")), 1);
}

TEST_F(DiskFull, AtTheBeginningIsReportedToo) {
  {
    const FileSizeLimit limit(10'000);
    const auto opened = Store::open(file());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), ErrorCode::disk_full) << opened.error().text();
  }
  EXPECT_TRUE(Store::open(file())) << "what is left of the first attempt does not matter";
}

}  // namespace
}  // namespace rigd::store
