// A conversation with one board: requests and their answers, matched by sequence number and the run's nonce,
// never by time. Everything else that arrives (answers to an earlier run, late answers, broken frames) is
// dropped and counted.
//
// Errors of every call, by what the line showed while an answer was awaited:
//   board_silent   no byte at all, or nothing but old answers
//   link_corrupt   bytes came, but no valid frame
//   link_protocol  a valid frame with a message this protocol version does not allow here
//   board_refused  the board answered with a status other than OK
//   disconnected, io_failure   from the stream
//
// The one retry rule: hello, list_cases, check_case and memory may be asked twice without harm. They are sent
// again, under a new sequence number, when a broken frame arrives (list, check, memory) or no answer comes in
// time: hello every quarter second at first, since a board may still be starting, the others once, after half
// of the time they have. run_case and reset are sent once, whatever happens.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "io/stream.hpp"
#include "link/messages.hpp"

namespace rigd::link {

struct Statistics {
  std::uint64_t good_frames = 0;
  std::uint64_t bad_frames = 0;    // broken on the line
  std::uint64_t stale_frames = 0;  // valid, but not an answer to the request at hand
  std::uint64_t bytes = 0;
  std::uint64_t retries = 0;
};

// What a run brought. A repetition whose frame was broken is missing from it, and counted.
struct RunOutcome {
  RunDone done;
  std::uint32_t received = 0;
  std::uint32_t lost = 0;  // repetitions asked for minus received
};

using OnRepetition = std::function<void(const Repetition&)>;
using OnLog = std::function<void(const LogLine&)>;

class Session {
 public:
  // `nonce` marks this run's messages: take a new one each time, e.g. from std::random_device.
  Session(io::StreamPtr stream, std::uint32_t nonce);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Refuses a board that speaks another protocol version (link_protocol).
  io::Awaitable<Result<Hello>> hello(Deadline deadline);

  // In order of index, which is their position.
  io::Awaitable<Result<std::vector<CaseInfo>>> list_cases(Deadline deadline);

  io::Awaitable<Result<CheckResult>> check_case(CheckRequest request, Deadline deadline);

  // Hands over each repetition as it arrives, in order. Each answer must come within `patience` of the one
  // before; the first has that time once more for every warm-up window. All must end by the deadline.
  io::Awaitable<Result<RunOutcome>> run_case(RunRequest request, OnRepetition on_repetition,
                                             Duration patience, Deadline deadline);

  io::Awaitable<Result<MemoryUse>> memory(Deadline deadline);
  // Returns when the board has said it will restart.
  io::Awaitable<Result<void>> reset(Deadline deadline);

  void on_log(OnLog callback);  // log lines of the board; without one they go to the daemon's log
  const Statistics& statistics() const noexcept;
  void close() noexcept;  // ends a pending call with `disconnected`

 private:
  class Line;
  std::unique_ptr<Line> line_;
};

}  // namespace rigd::link
