// rigd-sim-board as its user sees it: sockets, exit status, and nobody left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "programs.hpp"

namespace rigd::sim::board {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string image(const std::string& name) {
  return std::string(RIGD_IMAGES "/") + name;
}

std::vector<std::string> board_command(const std::string& board, const Folder& folder,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> command{RIGD_BIN "/rigd-sim-board", "--board", board, "--slot-dir",
                                   folder / "slot"};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

// QEMU and the hub alone, running an image at once.
std::vector<std::string> bare(const std::string& board, const Folder& folder, const std::string& elf,
                              const std::vector<std::string>& more = {}) {
  auto command =
      board_command(board, folder, {"--without", "adapter", "--without", "ppk2", "--kernel", image(elf)});
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

// All programs of a slot, the board halted and blank.
std::vector<std::string> whole(const std::string& board, const Folder& folder) {
  return board_command(board, folder,
                       {"--usb-dir", folder / "usb", "--adapter-serial", "RIGD0001", "--seed", "1", "--set",
                        "clock_hz=16000000", "--set", "sleep_ua=3", "--set", "run_ua=3000", "--set",
                        "noise_ua=1", "--set", "voltage_mv=3000"});
}

IsLast after(std::size_t edges) {
  return [left = edges](const EdgeRecord&) mutable { return --left == 0; };
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t start = text.rfind('\n', end);
  return text.substr(start == text.npos ? 0 : start + 1, end - (start == text.npos ? 0 : start + 1) + 1);
}

bool all_gone(const std::vector<pid_t>& pids) {
  return std::ranges::all_of(pids, [](pid_t pid) { return wait_gone(pid, Deadline::in(5s)); });
}

TEST(Launcher, TwoSubscribersSeeTheSameEdges) {
  const Folder folder;
  Program board(bare("microbit", folder, "endless.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const io::UniqueFd first = connect_to(folder / "slot/edges.sock");
  const io::UniqueFd second = connect_to(folder / "slot/edges.sock");
  std::vector<EdgeRecord> seen_first = read_edges(first.get(), after(200), Deadline::in(10s));
  std::vector<EdgeRecord> seen_second = read_edges(second.get(), after(200), Deadline::in(10s));
  ASSERT_EQ(seen_first.size(), 200u);
  ASSERT_EQ(seen_second.size(), 200u);
  // Each starts with what came after it connected; from there on they agree.
  const std::uint64_t skipped = seen_second.front().sequence - seen_first.front().sequence;
  ASSERT_LT(skipped, 200u);
  for (std::size_t i = 0; i + skipped < 200; ++i)
    ASSERT_EQ(seen_first[i + skipped], seen_second[i]);
}

TEST(Launcher, EveryWindowOfAFixedLoopCountsTheSame) {
  const Folder folder;
  Program board(bare("microbit", folder, "endless.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const io::UniqueFd subscriber = connect_to(folder / "slot/edges.sock");
  const std::vector<EdgeRecord> edges = read_edges(subscriber.get(), after(101), Deadline::in(10s));
  ASSERT_EQ(edges.size(), 101u);
  for (std::size_t i = edges.front().level == 1 ? 0 : 1; i + 1 < edges.size(); i += 2) {
    EXPECT_EQ(edges[i + 1].instructions - edges[i].instructions, 8001u);  // 4000 x (SUBS, BNE), store
    EXPECT_EQ(edges[i + 1].cycles - edges[i].cycles, 16'000u);            // 4000 x 4 less 2, store 2
  }
}

TEST(Launcher, ASubscriberThatDoesNotReadIsDroppedAndTheBoardRunsOn) {
  const Folder folder;
  Program board(bare("netduinoplus2", folder, "flood.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const io::UniqueFd idle = connect_to(folder / "slot/edges.sock");
  const io::UniqueFd busy = connect_to(folder / "slot/edges.sock");
  constexpr std::size_t more_than_the_hub_keeps = 400'000;
  ASSERT_EQ(read_edges(busy.get(), after(more_than_the_hub_keeps), Deadline::in(60s)).size(),
            more_than_the_hub_keeps);
  const std::vector<EdgeRecord> kept =
      read_edges(idle.get(), after(more_than_the_hub_keeps), Deadline::in(10s));
  EXPECT_LT(kept.size(), more_than_the_hub_keeps);  // then its stream ended
  ::kill(board.pid(), SIGTERM);
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 0);
  EXPECT_THAT(end.errors, HasSubstr("is dropped"));
}

TEST(Launcher, EndsWithZeroWhenAskedToAndNothingSurvives) {
  const Folder folder;
  Program board(bare("microbit", folder, "endless.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const std::vector<pid_t> children = board.children();
  ASSERT_EQ(children.size(), 1u);
  ::kill(board.pid(), SIGTERM);
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 0);
  EXPECT_THAT(end.errors, IsEmpty());
  EXPECT_TRUE(all_gone(children));
}

TEST(Launcher, KilledItselfItTakesQemuAlong) {
  const Folder folder;
  Program board(bare("microbit", folder, "endless.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const std::vector<pid_t> children = board.children();
  ASSERT_EQ(children.size(), 1u);
  kill_and_reap(board.pid());
  EXPECT_TRUE(all_gone(children));
}

TEST(Launcher, AWholeSlotGetsReadyAndEndsTogether) {
  for (const std::string name : {"microbit", "netduinoplus2"}) {
    const Folder folder;
    Program board(whole(name, folder));
    ASSERT_TRUE(board.wait_ready(Deadline::in(20s))) << name;
    for (const std::string socket : {"uart", "gdb", "qtest", "edges", "ppk2", "adapter-control"})
      EXPECT_TRUE(std::filesystem::is_socket(folder / ("slot/" + socket + ".sock"))) << socket;
    EXPECT_TRUE(std::filesystem::is_socket(folder / "usb/sim-slot/hid.sock"));
    const std::vector<pid_t> children = board.children();
    EXPECT_EQ(children.size(), 3u);
    kill_and_reap(board.pid());
    EXPECT_TRUE(all_gone(children)) << name;
  }
}

TEST(Launcher, ADeadCompanionEndsTheSlotNamingIt) {
  const Folder folder;
  Program board(whole("microbit", folder));
  ASSERT_TRUE(board.wait_ready(Deadline::in(20s)));
  const std::vector<pid_t> children = board.children();
  ASSERT_EQ(children.size(), 3u);
  ::kill(children[1], SIGKILL);
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 4);
  EXPECT_THAT(last_line(end.errors), HasSubstr("rigd-sim-adapter: killed by signal 9"));
  EXPECT_TRUE(all_gone(children));
}

TEST(Launcher, AKilledQemuIsTheSimulatorsFault) {
  const Folder folder;
  Program board(bare("microbit", folder, "endless.elf"));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  ::kill(board.children().front(), SIGKILL);
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 4);
  EXPECT_THAT(last_line(end.errors), HasSubstr("QEMU: killed by signal 9"));
}

TEST(Launcher, ALockedUpCoreIsTheBoardsFault) {
  const Folder folder;
  Program board(bare("microbit", folder, "crash.elf"));
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 3);
  EXPECT_THAT(last_line(end.errors), HasSubstr("board crashed: qemu: fatal: Lockup"));
}

TEST(Launcher, CanKillQemuInsideAWindow) {
  const Folder folder;
  Program board(board_command("microbit", folder,
                              {"--without", "adapter", "--without", "ppk2", "--kernel", image("endless.elf"),
                               "--fault", "board:kill_at_window=20000"}));
  ASSERT_TRUE(board.wait_ready(Deadline::in(10s)));
  const io::UniqueFd subscriber = connect_to(folder / "slot/edges.sock");
  const std::vector<EdgeRecord> edges =
      read_edges(subscriber.get(), [](const EdgeRecord&) { return false; }, Deadline::in(30s));
  ASSERT_FALSE(edges.empty());
  EXPECT_EQ(edges.back().level, 1) << "the window is left open";
  EXPECT_EQ(edges.back().sequence, 2u * 19'999);
  EXPECT_EQ(board.wait_end(Deadline::in(10s)).status, 4);
}

TEST(Launcher, AnImageThatIsNotThereIsSaidByName) {
  const Folder folder;
  Program board(bare("microbit", folder, "missing.elf"));
  const Finished end = board.wait_end(Deadline::in(10s));
  EXPECT_EQ(end.status, 4);
  EXPECT_THAT(last_line(end.errors), HasSubstr("missing.elf"));
}

TEST(Launcher, ASlotFolderTooLongForASocketIsRefused) {
  const Folder folder;
  const Finished end =
      run_program({RIGD_BIN "/rigd-sim-board", "--board", "microbit", "--slot-dir",
                   folder / std::string(120, 'x'), "--without", "adapter", "--without", "ppk2"});
  EXPECT_EQ(end.status, 4);
  EXPECT_THAT(last_line(end.errors), HasSubstr("socket path"));
}

TEST(Launcher, AWrongCommandLineIsStatusTwo) {
  const Finished end = run_program({RIGD_BIN "/rigd-sim-board", "--board", "arduino"});
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.errors, HasSubstr("no simulated board is called 'arduino'"));
}

}  // namespace
}  // namespace rigd::sim::board
