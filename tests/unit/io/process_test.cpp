#include "io/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "await.hpp"
#include "io/fd.hpp"
#include "io/timer.hpp"

namespace rigd::io {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

ProcessOptions shell(std::string script) {
  ProcessOptions options;
  options.argv = {"sh", "-c", std::move(script)};
  return options;
}

// Gone, or not ours any more: a process number is not reused within a test.
bool exists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

bool has_no_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

class ProcessTest : public testing::Test {
 protected:
  Result<Process> spawn(ProcessOptions options) {
    return Process::spawn(context_.get_executor(), std::move(options));
  }
  Result<ExitStatus> wait(Process& process, Duration patience = 10s) {
    return test::await(context_, process.wait(Deadline::in(patience)));
  }
  Result<void> wait_for_line(Process& process, std::string line, Duration patience = 10s) {
    return test::await(context_, process.wait_for_line(std::move(line), Deadline::in(patience)));
  }
  void let_run(Duration span) { test::await(context_, sleep_until(Deadline::in(span))); }

  boost::asio::io_context context_;
};

TEST_F(ProcessTest, ReportsExitStatusAndOutput) {
  auto process = spawn(shell("echo one; echo two >&2; exit 3")).value();
  const auto status = wait(process).value();
  EXPECT_EQ(status.code, 3);
  EXPECT_EQ(status.text(), "exit status 3");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(process.output(), HasSubstr("one\n"));
  EXPECT_THAT(process.output(), HasSubstr("two\n"));
}

TEST_F(ProcessTest, ReportsTheSignalThatKilledIt) {
  auto process = spawn(shell("kill -SEGV $$")).value();
  const auto status = wait(process).value();
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_EQ(status.text(), "killed by signal 11 (Segmentation fault)");
}

TEST_F(ProcessTest, PassesEnvironmentAndFolder) {
  auto options = shell("echo $RIGD_TEST $(pwd)");
  options.env = {{"RIGD_TEST", "first"}, {"PATH", std::getenv("PATH")}};
  options.cwd = "/";
  auto process = spawn(options).value();
  ASSERT_TRUE(wait(process));
  EXPECT_EQ(process.last_line(), "first /");
}

TEST_F(ProcessTest, SaysWhyAProgramCannotStart) {
  ProcessOptions options;
  options.argv = {"no-such-program-of-rigd"};
  auto missing = spawn(options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::spawn_failed);
  EXPECT_THAT(missing.error().text(), HasSubstr("no-such-program-of-rigd"));
  options.argv = {"/dev/null"};
  EXPECT_THAT(spawn(options).error().text(), HasSubstr("/dev/null: Permission denied"));
  options = shell("true");
  options.cwd = "/no/such/folder";
  EXPECT_THAT(spawn(options).error().text(), HasSubstr("No such file"));
  EXPECT_TRUE(has_no_children());
}

TEST_F(ProcessTest, RefusesToForkOffTheMainThread) {
  std::optional<ErrorCode> code;
  std::thread other([&] { code = spawn(shell("true")).error().code(); });
  other.join();
  EXPECT_EQ(code, ErrorCode::internal);
}

TEST_F(ProcessTest, WaitEndsAtItsDeadlineAndTheProcessRunsOn) {
  auto process = spawn(shell("sleep 30")).value();
  EXPECT_EQ(wait(process, 20ms).error().code(), ErrorCode::timeout);
  EXPECT_FALSE(process.status());
  process.kill_group();
  EXPECT_EQ(wait(process).value().signal, SIGKILL);
  EXPECT_EQ(wait(process).value().signal, SIGKILL);  // asked again
}

TEST_F(ProcessTest, WaitsForALineOfStandardOutput) {
  auto process =
      spawn(shell("echo not yet; echo ready >&2; sleep 0.02; printf rea; sleep 0.02; echo dy; sleep 30"))
          .value();
  const auto begin = Clock::now();
  ASSERT_TRUE(wait_for_line(process, "ready"));
  EXPECT_GE(Clock::now() - begin, 40ms);  // standard error does not count
  EXPECT_FALSE(process.status());
}

TEST_F(ProcessTest, WaitForLineEndsWhenTheProcessDies) {
  auto process = spawn(shell("echo 'cannot listen' >&2; exit 1")).value();
  const auto result = wait_for_line(process, "ready");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::child_died);
  EXPECT_THAT(result.error().text(), HasSubstr("cannot listen"));
  EXPECT_THAT(result.error().text(), HasSubstr("exit status 1"));
}

TEST_F(ProcessTest, ALineSaidJustBeforeTheEndCounts) {
  auto process = spawn(shell("echo ready")).value();
  ASSERT_TRUE(wait(process));
  EXPECT_TRUE(wait_for_line(process, "ready"));
}

TEST_F(ProcessTest, WaitForLineEndsAtItsDeadline) {
  auto process = spawn(shell("sleep 30")).value();
  EXPECT_EQ(wait_for_line(process, "ready", 20ms).error().code(), ErrorCode::timeout);
}

TEST_F(ProcessTest, KillsAChildThatIgnoresSigterm) {
  auto process = spawn(shell("trap '' TERM; echo ready; while :; do sleep 0.1; done")).value();
  ASSERT_TRUE(wait_for_line(process, "ready"));
  const auto status = test::await(context_, process.terminate(100ms)).value();
  EXPECT_EQ(status.signal, SIGKILL);
  EXPECT_TRUE(has_no_children());
}

TEST_F(ProcessTest, TerminateLetsAChildFinish) {
  auto process = spawn(shell("trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done")).value();
  ASSERT_TRUE(wait_for_line(process, "ready"));
  EXPECT_TRUE(test::await(context_, process.terminate(5s)).value().ok());
}

TEST_F(ProcessTest, GoingAwayKillsAndReaps) {
  pid_t pid = -1;
  {
    auto process = spawn(shell("sleep 30")).value();
    pid = process.pid();
    EXPECT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
  EXPECT_TRUE(has_no_children());
}

TEST_F(ProcessTest, TheGroupEndsWithItsLeader) {
  auto process = spawn(shell("sleep 30 & echo $!; exit 0")).value();
  ASSERT_TRUE(wait(process).value().ok());
  const pid_t grandchild = static_cast<pid_t>(std::stol(process.last_line()));
  for (int i = 0; i < 200 && exists(grandchild); ++i)
    let_run(10ms);
  // Where nobody reaps orphans its zombie may stay; it must not run.
  std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
  std::string word, state;
  if (stat >> word >> word >> state) EXPECT_EQ(state, "Z");
}

TEST_F(ProcessTest, ABackgroundWriterDoesNotHoldUpTheEnd) {
  auto process =
      spawn(shell("setsid sh -c 'while :; do echo x; sleep 0.01; done' & sleep 0.05; echo $!")).value();
  const auto begin = Clock::now();
  ASSERT_TRUE(wait(process));
  EXPECT_LT(Clock::now() - begin, 5s);
}

TEST_F(ProcessTest, CapsTheOutputOfAFlood) {
  auto options = shell(
      "echo begin; i=0; while [ $i -lt 20000 ]; do echo Error: error writing data; i=$((i+1)); done; echo "
      "end");
  options.keep_first = 1000;
  options.keep_last = 1000;
  auto process = spawn(options).value();
  ASSERT_TRUE(wait(process, 60s).value().ok());
  EXPECT_LT(process.output().size(), 2100u);
  EXPECT_TRUE(process.output().starts_with("begin\n"));
  EXPECT_TRUE(process.output().ends_with("\nend\n"));
  EXPECT_EQ(process.last_line(), "end");
}

TEST_F(ProcessTest, OutputIsWholeAndInOrderWhenTheEndComesAtOnce) {
  std::string expected;
  for (int i = 1; i <= 5000; ++i)
    expected += std::to_string(i) + "\n";
  for (int round = 0; round < 50; ++round) {
    auto process = spawn(shell("seq 1 5000")).value();
    ASSERT_TRUE(wait(process));
    ASSERT_EQ(process.output(), expected) << "round " << round;
  }
}

TEST_F(ProcessTest, WritesItsLogUpToTheCap) {
  const std::string path = "/tmp/rigd-process-test-" + std::to_string(::getpid()) + ".log";
  auto options = shell("printf 0123456789; printf abcdefghij");
  options.log_file = path;
  options.log_cap = 15;
  auto process = spawn(options).value();
  ASSERT_TRUE(wait(process));
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  EXPECT_EQ(text, "0123456789abcde");
  std::filesystem::remove(path);
}

TEST_F(ProcessTest, InheritsNoDescriptors) {
  const UniqueFd leaky(::open("/dev/null", O_RDONLY));  // no O_CLOEXEC, as a library might
  ProcessOptions options;
  options.argv = {"ls", "/proc/self/fd"};
  auto process = spawn(options).value();
  ASSERT_TRUE(wait(process).value().ok());
  EXPECT_EQ(process.output(), "0\n1\n2\n3\n");  // 3 is ls reading the folder
}

TEST_F(ProcessTest, StartsWithDefaultSignals) {
  ::signal(SIGPIPE, SIG_IGN);
  auto process = spawn(shell("kill -PIPE $$; exit 0")).value();
  EXPECT_EQ(wait(process).value().signal, SIGPIPE);
  ::signal(SIGPIPE, SIG_DFL);
}

// The middle process of the next test: starts a child, tells its number, and waits to be killed.
[[noreturn]] void be_a_parent(int report) {
  boost::asio::io_context context;
  auto child = Process::spawn(context.get_executor(), shell("trap '' TERM HUP INT; exec sleep 60")).value();
  const pid_t pid = child.pid();
  if (::write(report, &pid, sizeof(pid)) != sizeof(pid)) ::_exit(1);
  for (;;)
    ::pause();
}

TEST_F(ProcessTest, DiesWithAParentThatIsKilled) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // so that the orphan is ours to wait for
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) be_a_parent(ends[1]);
  const UniqueFd read_end(ends[0]);
  UniqueFd(ends[1]).reset();
  pid_t child = -1;
  ASSERT_EQ(::read(read_end.get(), &child, sizeof(child)), static_cast<ssize_t>(sizeof(child)));
  EXPECT_TRUE(exists(child));
  ::kill(parent, SIGKILL);
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_F(ProcessTest, LeavesNoDescriptorsOrZombiesBehind) {
  const auto open_descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  {
    auto warm_up = spawn(shell("true")).value();
  }
  const auto before = open_descriptors();
  for (int i = 0; i < 20; ++i) {
    auto process = spawn(shell("true")).value();
    ASSERT_TRUE(wait(process));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(has_no_children());
}

}  // namespace
}  // namespace rigd::io
