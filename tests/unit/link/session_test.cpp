#include "link/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "../io/await.hpp"
#include "fake_board.hpp"
#include "io/fd_stream.hpp"

namespace rigd::link {
namespace {

using namespace std::chrono_literals;
using test::FakeBoard;
using testing::HasSubstr;

constexpr std::uint32_t kNonce = 0x600DCAFE;

wire::Response hello_response() {
  wire::Response message;
  wire::Hello& hello = *message.mutable_hello();
  hello.set_protocol(1);
  hello.set_board("microbit");
  hello.set_cpu_hz(16'000'000);
  hello.set_timer_hz(1'000'000);
  hello.set_max_payload(256);
  hello.set_case_count(2);
  return message;
}

wire::Response status_response(wire::Status::Code code, std::string detail = {}) {
  wire::Response message;
  message.mutable_status()->set_code(code);
  message.mutable_status()->set_detail(std::move(detail));
  return message;
}

wire::Response case_response(std::uint32_t index, std::string id) {
  wire::Response message;
  message.mutable_case_info()->set_index(index);
  message.mutable_case_info()->set_id(std::move(id));
  message.mutable_case_info()->set_size_step(1);
  return message;
}

wire::Response check_response() {
  wire::Response message;
  message.mutable_check()->set_passed(true);
  message.mutable_check()->set_vectors(3);
  message.mutable_check()->set_digest(0xABCD);
  return message;
}

wire::Response repetition_response(std::uint32_t index) {
  wire::Response message;
  message.mutable_repetition()->set_index(index);
  message.mutable_repetition()->set_timer_ticks(1000 + index);
  return message;
}

wire::Response done_response(std::uint32_t repetitions) {
  wire::Response message;
  message.mutable_run_done()->set_repetitions(repetitions);
  message.mutable_run_done()->set_stack_bytes(812);
  return message;
}

class SessionTest : public testing::Test {
 protected:
  void connect(FakeBoard::Script script) {
    auto pair = io::make_stream_pair(context_.get_executor()).value();
    session_.emplace(std::move(pair.first), kNonce);
    board_ = std::make_unique<FakeBoard>(std::move(pair.second), std::move(script));
    boost::asio::co_spawn(context_, board_->serve(), boost::asio::detached);
  }

  Result<Hello> hello(Duration patience = 5s) {
    return test::await(context_, session_->hello(Deadline::in(patience)));
  }
  Result<std::vector<CaseInfo>> list(Duration patience = 5s) {
    return test::await(context_, session_->list_cases(Deadline::in(patience)));
  }
  Result<CheckResult> check(Duration patience = 5s) {
    return test::await(context_, session_->check_case({.index = 1, .size = 16}, Deadline::in(patience)));
  }
  Result<RunOutcome> run(std::uint32_t repetitions, Duration patience = 5s, std::uint32_t warmup = 0) {
    const RunRequest request{.index = 1, .size = 16, .repetitions = repetitions, .warmup = warmup};
    const auto take = [this](const Repetition& repetition) { seen_.push_back(repetition.index); };
    return test::await(context_, session_->run_case(request, take, patience, Deadline::in(10s)));
  }

  boost::asio::io_context context_;
  std::optional<Session> session_;
  std::unique_ptr<FakeBoard> board_;
  std::vector<std::uint32_t> seen_;
};

void ignore(FakeBoard&, const wire::Request&) {}

// --- the good days

TEST_F(SessionTest, SaysHello) {
  connect([](FakeBoard& board, const wire::Request& request) {
    EXPECT_TRUE(request.has_hello());
    EXPECT_EQ(request.nonce(), kNonce);
    board.answer(request, hello_response());
  });
  const auto answer = hello();
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->board, "microbit");
  EXPECT_EQ(session_->statistics().good_frames, 1u);
  EXPECT_EQ(session_->statistics().retries, 0u);
}

TEST_F(SessionTest, EachRequestHasItsOwnSequenceNumber) {
  connect([](FakeBoard& board, const wire::Request& request) { board.answer(request, check_response()); });
  ASSERT_TRUE(check());
  ASSERT_TRUE(check());
  ASSERT_EQ(board_->requests.size(), 2u);
  EXPECT_NE(board_->requests[0].sequence(), board_->requests[1].sequence());
}

TEST_F(SessionTest, ListsCases) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, case_response(0, "sha-256/hash/mbedtls"));
    board.answer(request, case_response(1, "trivium/encrypt/rigd"));
    board.answer(request, status_response(wire::Status::OK));
  });
  const auto cases = list();
  ASSERT_TRUE(cases) << cases.error().text();
  ASSERT_EQ(cases->size(), 2u);
  EXPECT_EQ(cases->at(1).id, "trivium/encrypt/rigd");
}

TEST_F(SessionTest, RunsACaseAndHandsOverEachRepetition) {
  connect([](FakeBoard& board, const wire::Request& request) {
    for (std::uint32_t i = 0; i < request.run_case().repetitions(); ++i)
      board.answer(request, repetition_response(i));
    board.answer(request, done_response(request.run_case().repetitions()));
  });
  const auto outcome = run(50);
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(seen_.size(), 50u);
  EXPECT_EQ(outcome->received, 50u);
  EXPECT_EQ(outcome->lost, 0u);
  EXPECT_EQ(outcome->done.stack_bytes, 812u);
}

TEST_F(SessionTest, AsksForMemoryAndResets) {
  connect([](FakeBoard& board, const wire::Request& request) {
    wire::Response use;
    use.mutable_memory()->set_stack_bytes(100);
    board.answer(request, request.has_memory() ? use : status_response(wire::Status::OK));
  });
  EXPECT_EQ(test::await(context_, session_->memory(Deadline::in(5s)))->stack_bytes, 100u);
  EXPECT_TRUE(test::await(context_, session_->reset(Deadline::in(5s))));
}

TEST_F(SessionTest, LogLinesGoToTheirOwnEar) {
  connect([](FakeBoard& board, const wire::Request& request) {
    wire::Response line;
    line.mutable_log()->set_text("ready");
    board.send(line);
    board.answer(request, check_response());
  });
  std::string heard;
  session_->on_log([&](const LogLine& line) { heard = line.text; });
  EXPECT_TRUE(check());
  EXPECT_EQ(heard, "ready");
  EXPECT_EQ(session_->statistics().stale_frames, 0u);
}

// --- answers that are not ours

TEST_F(SessionTest, DropsAnswersOfAnotherRunAndLateOnes) {
  connect([](FakeBoard& board, const wire::Request& request) {
    wire::Response other_run = check_response();
    other_run.mutable_check()->set_digest(1);
    other_run.set_sequence(request.sequence());
    other_run.set_nonce(kNonce + 1);
    board.send(other_run);
    wire::Response late = other_run;
    late.set_sequence(request.sequence() - 1);
    late.set_nonce(kNonce);
    board.send(late);
    board.answer(request, check_response());
  });
  const auto result = check();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->digest, 0xABCDu);
  EXPECT_EQ(session_->statistics().stale_frames, 2u);
}

TEST_F(SessionTest, ABoardThatOnlyRepeatsOldAnswersIsSilent) {
  connect([](FakeBoard& board, const wire::Request&) { board.send(check_response()); });
  const auto result = check(100ms);
  EXPECT_EQ(result.error().code(), ErrorCode::board_silent);
  EXPECT_THAT(result.error().text(), HasSubstr("2 answers to other requests"));
}

// --- silence and noise

TEST_F(SessionTest, ABoardThatSendsNothingIsSilentAndTheDeadlineHolds) {
  connect(ignore);
  const auto begin = Clock::now();
  const auto answer = hello(300ms);
  EXPECT_LT(Clock::now() - begin, 2s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::board_silent);
  EXPECT_EQ(answer.error().fault(), Fault::board);
}

TEST_F(SessionTest, NoiseWithoutAValidFrameIsACorruptLink) {
  connect([](FakeBoard& board, const wire::Request&) { board.send(test::bytes("not a frame at all")); });
  EXPECT_EQ(hello(100ms).error().code(), ErrorCode::link_corrupt);
}

TEST_F(SessionTest, BrokenFramesAreACorruptLink) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, check_response());
    board.break_last_frame();
  });
  const auto result = check(200ms);
  EXPECT_EQ(result.error().code(), ErrorCode::link_corrupt);
  EXPECT_EQ(result.error().fault(), Fault::rig);
  EXPECT_EQ(session_->statistics().bad_frames, 2u);
}

TEST_F(SessionTest, AVanishedBoardIsDisconnected) {
  connect([](FakeBoard& board, const wire::Request&) { board.hang_up(); });
  EXPECT_EQ(check().error().code(), ErrorCode::disconnected);
}

// --- the retry rule

TEST_F(SessionTest, HelloIsRepeatedUntilTheBoardIsUp) {
  connect([](FakeBoard& board, const wire::Request& request) {
    if (board.requests.size() >= 2) board.answer(request, hello_response());
  });
  EXPECT_TRUE(hello());
  EXPECT_EQ(session_->statistics().retries, 1u);
}

TEST_F(SessionTest, ACheckWhoseAnswerBrokeIsAskedAgainAtOnce) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, check_response());
    if (board.requests.size() == 1) board.break_last_frame();
  });
  const auto begin = Clock::now();
  EXPECT_TRUE(check(20s));
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(board_->requests.size(), 2u);
}

TEST_F(SessionTest, ALostCheckIsAskedAgainOnce) {
  connect(ignore);
  EXPECT_FALSE(check(100ms));
  EXPECT_EQ(board_->requests.size(), 2u);
}

TEST_F(SessionTest, AListWithABrokenFrameIsAskedAgain) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, case_response(0, "sha-256/hash/mbedtls"));
    if (board.requests.size() == 1) board.break_last_frame();
    board.answer(request, case_response(1, "trivium/encrypt/rigd"));
    board.answer(request, status_response(wire::Status::OK));
  });
  const auto cases = list(20s);
  ASSERT_TRUE(cases) << cases.error().text();
  EXPECT_EQ(cases->size(), 2u);
  EXPECT_EQ(session_->statistics().retries, 1u);
}

TEST_F(SessionTest, ARunIsNeverAskedAgain) {
  connect(ignore);
  const auto outcome = run(3, 50ms);
  EXPECT_EQ(outcome.error().code(), ErrorCode::board_silent);
  EXPECT_EQ(board_->requests.size(), 1u);
}

// --- runs that go wrong

TEST_F(SessionTest, ABrokenRepetitionIsLostAndCounted) {
  connect([](FakeBoard& board, const wire::Request& request) {
    for (std::uint32_t i = 0; i < 5; ++i) {
      board.answer(request, repetition_response(i));
      if (i == 2) board.break_last_frame();
    }
    board.answer(request, done_response(5));
  });
  const auto outcome = run(5);
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(seen_, (std::vector<std::uint32_t>{0, 1, 3, 4}));
  EXPECT_EQ(outcome->lost, 1u);
  EXPECT_EQ(session_->statistics().bad_frames, 1u);
}

TEST_F(SessionTest, ABoardThatStopsMidRunIsSilent) {
  connect(
      [](FakeBoard& board, const wire::Request& request) { board.answer(request, repetition_response(0)); });
  const auto outcome = run(5, 50ms);
  EXPECT_EQ(outcome.error().code(), ErrorCode::board_silent);
  EXPECT_THAT(outcome.error().text(), HasSubstr("after 1 of 5 repetitions"));
}

TEST_F(SessionTest, ARunWhoseEndBrokeIsACorruptLink) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, repetition_response(0));
    board.answer(request, done_response(1));
    board.break_last_frame();
  });
  EXPECT_EQ(run(1, 50ms).error().code(), ErrorCode::link_corrupt);
}

TEST_F(SessionTest, WarmUpsGiveTheFirstAnswerMoreTime) {
  connect(ignore);
  const auto begin = Clock::now();
  EXPECT_FALSE(run(1, 30ms, 3));
  EXPECT_GE(Clock::now() - begin, 120ms);
}

TEST_F(SessionTest, RepetitionsMustBeInOrderAndInRange) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, repetition_response(1));
    board.answer(request, repetition_response(1));
  });
  EXPECT_EQ(run(5).error().code(), ErrorCode::link_protocol);
  connect(
      [](FakeBoard& board, const wire::Request& request) { board.answer(request, repetition_response(5)); });
  EXPECT_EQ(run(5).error().code(), ErrorCode::link_protocol);
}

TEST_F(SessionTest, ARunMustEndWithTheCountAskedFor) {
  connect([](FakeBoard& board, const wire::Request& request) { board.answer(request, done_response(4)); });
  EXPECT_EQ(run(5).error().code(), ErrorCode::link_protocol);
}

// --- boards that object, or speak differently

TEST_F(SessionTest, ARefusalIsPassedOnWithItsReason) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, status_response(wire::Status::BAD_SIZE, "15"));
  });
  for (const Error& error : {check().error(), run(1).error(), list().error(), hello().error()}) {
    EXPECT_EQ(error.code(), ErrorCode::board_refused) << error.text();
    EXPECT_THAT(error.text(), HasSubstr("BAD_SIZE: 15"));
  }
}

TEST_F(SessionTest, AnotherProtocolVersionIsRefusedNamingBoth) {
  connect([](FakeBoard& board, const wire::Request& request) {
    wire::Response message = hello_response();
    message.mutable_hello()->set_protocol(7);
    board.answer(request, message);
  });
  const auto answer = hello();
  EXPECT_EQ(answer.error().code(), ErrorCode::link_protocol);
  EXPECT_THAT(answer.error().text(), HasSubstr("protocol version 7, this rigd 1"));
}

TEST_F(SessionTest, AnAnswerOfTheWrongKindIsAProtocolError) {
  connect([](FakeBoard& board, const wire::Request& request) { board.answer(request, hello_response()); });
  EXPECT_EQ(check().error().code(), ErrorCode::link_protocol);
}

TEST_F(SessionTest, CasesMustComeInOrder) {
  connect([](FakeBoard& board, const wire::Request& request) {
    board.answer(request, case_response(1, "a/b/c"));
  });
  EXPECT_EQ(list().error().code(), ErrorCode::link_protocol);
}

}  // namespace
}  // namespace rigd::link
