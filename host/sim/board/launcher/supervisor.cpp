#include "sim/board/launcher/supervisor.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <utility>

#include "sim/common/unix_socket.hpp"

namespace rigd::sim::board {

namespace {

using namespace std::chrono_literals;

constexpr auto kStartTime = 10s;   // for each program
constexpr auto kGrace = 2s;        // between SIGTERM and SIGKILL
constexpr auto kLookAgain = 20ms;  // for what no descriptor tells: socket files of QEMU
constexpr auto kQemuFirst = 250ms;

// The line of QEMU's standard error that says the core locked up; empty when there is none.
std::string lockup_line(const std::string& errors) {
  const std::size_t found = errors.find("Lockup");
  if (found == errors.npos) return {};
  const std::size_t line = errors.rfind('\n', found);
  const std::size_t start = line == errors.npos ? 0 : line + 1;
  return errors.substr(start, errors.find('\n', found) - start);
}

std::string how_it_ended(const Child& child, const io::ExitStatus& status) {
  const std::string last = child.last_error_line();
  return fmt::format("{}: {}{}{}", child.name(), status.text(), last.empty() ? "" : ": ", last);
}

}  // namespace

Supervisor::Supervisor(Options options, io::UniqueFd end_signal)
    : options_(std::move(options)), paths_(options_.slot_dir), end_signal_(std::move(end_signal)) {}

Verdict Supervisor::run(const std::function<void()>& when_ready) {
  const auto start = [this]() -> Result<void> {
    RIGD_CHECK(start_hub());
    RIGD_CHECK(start_qemu());
    return start_companions();
  };
  if (const auto started = start(); !started && !verdict_)
    verdict_ = Verdict{kSimulatorFailed, started.error().text()};
  if (!verdict_) when_ready();
  while (!verdict_)
    turn(Deadline::in(1h));
  stop();
  return *verdict_;
}

Result<void> Supervisor::start_hub() {
  std::error_code error;
  tools_ = std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
  if (!error) std::filesystem::create_directories(options_.slot_dir, error);
  if (error) return fail(ErrorCode::io_failure, fmt::format("{}: {}", options_.slot_dir, error.message()));
  RIGD_TRY(hub_, EdgeHub::open(paths_.edge_feed, paths_.edges));
  return {};
}

Result<void> Supervisor::start_qemu() {
  const std::array<std::string, 3> sockets{paths_.uart, paths_.gdb, paths_.qtest};
  for (const std::string& socket : sockets)
    if (is_socket(socket)) std::filesystem::remove(socket);
  RIGD_TRY(Child child, Child::start("QEMU", qemu_command(options_, paths_, tools_), paths_.qemu_log));
  qemu_.emplace(std::move(child));
  const auto up = [&] { return hub_->connected() && std::ranges::all_of(sockets, is_socket); };
  return wait_until(up, "QEMU");
}

Result<void> Supervisor::start_companions() {
  if (options_.with_adapter) {
    RIGD_TRY(Child child,
             Child::start("rigd-sim-adapter", adapter_command(options_, paths_, tools_), paths_.adapter_log));
    adapter_.emplace(std::move(child));
  }
  if (options_.with_ppk2) {
    RIGD_TRY(Child child,
             Child::start("rigd-sim-ppk2", ppk2_command(options_, paths_, tools_), paths_.ppk2_log));
    ppk2_.emplace(std::move(child));
  }
  RIGD_CHECK(wait_until([this] { return !adapter_ || adapter_->ready(); }, "rigd-sim-adapter"));
  return wait_until([this] { return !ppk2_ || ppk2_->ready(); }, "rigd-sim-ppk2");
}

Result<void> Supervisor::wait_until(const std::function<bool()>& condition, const std::string& what) {
  const Deadline deadline = Deadline::in(kStartTime);
  while (!condition()) {
    if (verdict_) return fail(ErrorCode::child_died, verdict_->reason);
    if (deadline.passed())
      return fail(ErrorCode::timeout, fmt::format("{} was not ready after {} s", what, kStartTime.count()));
    turn(Deadline::in(kLookAgain).earlier(deadline));
  }
  return {};
}

void Supervisor::turn(Deadline deadline) {
  if (!end_asked_) loop_.watch(end_signal_.get(), POLLIN, [this] { end_asked_ = true; });
  if (hub_) hub_->watch(loop_);
  for (std::optional<Child>* child : {&qemu_, &adapter_, &ppk2_})
    if (*child) (*child)->watch(loop_);
  loop_.turn(deadline);
  if (!verdict_) judge();
}

void Supervisor::judge() {
  if (end_asked_) verdict_ = Verdict{};
  if (qemu_) judge_qemu(*qemu_);
  if (hub_) judge_hub(*hub_);
  judge_companion(adapter_);
  judge_companion(ppk2_);
}

void Supervisor::judge_qemu(const Child& qemu) {
  const auto status = qemu.ended();
  if (verdict_ || !status) return;
  if (const std::string line = lockup_line(qemu.errors()); !line.empty())
    verdict_ = Verdict{kBoardCrashed, "board crashed: " + line};
  else
    verdict_ = Verdict{kSimulatorFailed, how_it_ended(qemu, *status)};
}

void Supervisor::judge_hub(const EdgeHub& hub) {
  if (verdict_) return;
  if (!hub.failure().empty()) verdict_ = Verdict{kSimulatorFailed, hub.failure()};
  // The fault asked for; QEMU's end is then judged like any other.
  if (qemu_ && options_.kill_at_window > 0 && hub.windows() >= options_.kill_at_window)
    qemu_->signal(SIGKILL);
}

// When QEMU dies its companions may be seen to die before it, so it gets a moment to be the reason.
void Supervisor::judge_companion(std::optional<Child>& companion) {
  if (verdict_ || !companion) return;
  const auto status = companion->ended();
  if (!status) return;
  const std::string reason = how_it_ended(*companion, *status);
  companion.reset();
  const Deadline deadline = Deadline::in(kQemuFirst);
  while (!verdict_ && !deadline.passed())
    turn(deadline);
  if (!verdict_) verdict_ = Verdict{kSimulatorFailed, reason};
}

bool Supervisor::any_child_runs() const {
  return std::ranges::any_of(std::array{&qemu_, &adapter_, &ppk2_},
                             [](const auto* child) { return *child && !(*child)->ended(); });
}

void Supervisor::stop() {
  for (std::optional<Child>* child : {&adapter_, &ppk2_, &qemu_})
    if (*child) (*child)->signal(SIGTERM);
  const Deadline deadline = Deadline::in(kGrace);
  while (any_child_runs() && !deadline.passed())
    turn(deadline);
  for (std::optional<Child>* child : {&adapter_, &ppk2_, &qemu_})
    child->reset();  // SIGKILL to what is left
}

}  // namespace rigd::sim::board
