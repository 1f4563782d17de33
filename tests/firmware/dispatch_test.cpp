// Requests and their answers: encoded and decoded by the daemon's own codec, served by the firmware's.
#include <gmock/gmock.h>

#include "case_under_test.hpp"
#include "link.pb.h"

namespace rigd::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// proto/link/link.options bounds every field so that each kind of message fits a frame.
static_assert(rigd_link_Request_size <= RIGD_MOST_PAYLOAD);
static_assert(rigd_link_Response_size <= RIGD_MOST_PAYLOAD);
static_assert(rigd_link_Hello_size <= RIGD_MOST_PAYLOAD);
static_assert(rigd_link_CaseInfo_size <= RIGD_MOST_PAYLOAD);
static_assert(rigd_link_LogLine_size <= RIGD_MOST_PAYLOAD);
static_assert(rigd_link_Status_size <= RIGD_MOST_PAYLOAD);

constexpr std::uint32_t kSequence = 41;
constexpr std::uint32_t kNonce = 0xFEEDFACE;

template <class Body>
link::Request request(Body body) {
  return {kSequence, kNonce, body};
}

// The one answer, which must be of this kind and carry the request's numbers.
template <class Body, class Asked>
Body answer(const Asked& asked) {
  const std::vector<link::Response> answers = serve(asked);
  if (answers.size() != 1) throw std::runtime_error("not one answer");
  EXPECT_EQ(answers[0].sequence, kSequence);
  EXPECT_EQ(answers[0].nonce, kNonce);
  return std::get<Body>(answers[0].body);
}

link::StatusCode refusal(const auto& body) {
  const auto status = answer<link::Status>(request(body));
  EXPECT_EQ(board().windows, 0u);
  EXPECT_FALSE(status.detail.empty());
  return status.code;
}

const std::uint32_t kSha256 = CaseUnderTest::index_of("sha-256/hash/mbedtls");
const std::uint32_t kEcb = CaseUnderTest::index_of("aes-128-ecb/encrypt/mbedtls");

TEST(FirmwareDispatch, HelloSaysWhoAnswers) {
  const auto hello = answer<link::Hello>(request(link::HelloRequest{}));
  EXPECT_EQ(hello.protocol, link::kProtocolVersion);
  EXPECT_EQ(hello.board, "stub");
  EXPECT_EQ(hello.chip_uid, Octets(12, 0x55));
  ASSERT_EQ(hello.build_id.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(hello.build_id[i], kFirstBuildIdByte + i);
  EXPECT_TRUE(hello.toolchain.starts_with("clang "));
  EXPECT_EQ(hello.flags, "-O1");
  EXPECT_EQ(hello.cpu_hz, 48000000u);
  EXPECT_EQ(hello.timer_hz, 1000000u);
  EXPECT_EQ(hello.flash_wait_states, 1u);
  EXPECT_EQ(hello.max_payload, std::uint32_t{RIGD_MOST_PAYLOAD});
  EXPECT_EQ(hello.case_count, rigd_case_count());
  EXPECT_EQ(hello.ram_bytes, 4096u);
  EXPECT_TRUE(hello.cycle_counter);
}

TEST(FirmwareDispatch, ListGivesEveryCaseInOrderAndEnds) {
  const auto answers = serve(request(link::ListRequest{}));
  ASSERT_EQ(answers.size(), rigd_case_count() + 1);
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    const rigd_case_record& record = *rigd_case_record_of(i);
    const link::CaseInfo expected = {
        i, record.id, record.library, record.min_size, record.max_size, record.size_step};
    EXPECT_EQ(std::get<link::CaseInfo>(answers[i].body), expected);
    EXPECT_EQ(answers[i].nonce, kNonce);
  }
  EXPECT_EQ(std::get<link::Status>(answers.back().body).code, link::StatusCode::ok);
}

TEST(FirmwareDispatch, EveryCasePassesItsCheck) {
  for (std::uint32_t i = 0; i < rigd_case_count(); ++i) {
    const auto check = answer<link::CheckResult>(request(link::CheckRequest{i, 256, 2}));
    EXPECT_TRUE(check.passed) << rigd_case_record_of(i)->id;
    EXPECT_EQ(check.vectors, rigd_case_ops_of(i)->vectors);
    EXPECT_EQ(check.failed_vector, 0u);
    std::uint32_t digest = 0;
    ASSERT_TRUE(rigd_digest(rigd_case_ops_of(i), 256, 2, &digest));
    EXPECT_EQ(check.digest, digest);
    EXPECT_THAT(board().events, ElementsAre(Event::send)) << "no window, nothing masked";
  }
}

TEST(FirmwareDispatch, RefusesACaseThatIsNotThere) {
  EXPECT_EQ(refusal(link::CheckRequest{rigd_case_count(), 16, 1}), link::StatusCode::unknown_case);
  EXPECT_EQ(refusal(link::RunRequest{0xFFFFFFFF, 16, 1, 1, 0, 0}), link::StatusCode::unknown_case);
}

TEST(FirmwareDispatch, RefusesASizeTheCaseDoesNotTake) {
  EXPECT_EQ(refusal(link::CheckRequest{kSha256, RIGD_MOST_INPUT + 1, 1}), link::StatusCode::bad_size);
  EXPECT_EQ(refusal(link::CheckRequest{kSha256, 0xFFFFFFFF, 1}), link::StatusCode::bad_size);
  EXPECT_EQ(refusal(link::RunRequest{kEcb, 0, 1, 1, 0, 0}), link::StatusCode::bad_size);
  EXPECT_EQ(refusal(link::RunRequest{kEcb, 55, 1, 1, 0, 0}), link::StatusCode::bad_size);
}

TEST(FirmwareDispatch, RefusesCountsOutOfBounds) {
  const link::RunRequest good = {kSha256, 16, 1, 1, 0, 0};
  const auto with = [&](std::uint32_t link::RunRequest::* field, std::uint32_t value) {
    link::RunRequest bad = good;
    bad.*field = value;
    return refusal(bad);
  };
  using enum link::StatusCode;
  EXPECT_EQ(with(&link::RunRequest::inner, 0), bad_count);
  EXPECT_EQ(with(&link::RunRequest::inner, 1000001), bad_count);
  EXPECT_EQ(with(&link::RunRequest::repetitions, 0), bad_count);
  EXPECT_EQ(with(&link::RunRequest::repetitions, 100001), bad_count);
  EXPECT_EQ(with(&link::RunRequest::warmup, 1001), bad_count);
  EXPECT_EQ(with(&link::RunRequest::gap_us, 60000001), bad_count);
  EXPECT_EQ(refusal(link::CheckRequest{kSha256, 16, 0}), bad_count);
  EXPECT_EQ(refusal(link::CheckRequest{kSha256, 16, 0xFFFFFFFF}), bad_count);
}

TEST(FirmwareDispatch, TooLittleHeapIsNotAWrongAnswer) {
  const std::uint32_t ccm = CaseUnderTest::index_of("aes-128-ccm/encrypt/mbedtls");
  void* taken = rigd_heap_calloc(1, rigd_heap_size() - 16);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(refusal(link::CheckRequest{ccm, 16, 1}), link::StatusCode::out_of_memory);
  EXPECT_EQ(refusal(link::RunRequest{ccm, 16, 1, 1, 0, 0}), link::StatusCode::out_of_memory);
  rigd_heap_free(taken);
  EXPECT_TRUE(answer<link::CheckResult>(request(link::CheckRequest{ccm, 16, 1})).passed);
}

// A request written by hand: sequence and nonce, then what the test adds.
Octets by_hand(const Octets& rest) {
  Octets bytes = {0x08, kSequence, 0x15, 0xCE, 0xFA, 0xED, 0xFE};
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

TEST(FirmwareDispatch, AnswersABodyItDoesNotKnow) {
  EXPECT_EQ(answer<link::Status>(by_hand({})).code, link::StatusCode::bad_request);
  // Field 99, length-delimited, empty: a request of a later protocol.
  EXPECT_EQ(answer<link::Status>(by_hand({0x9A, 0x06, 0x00})).code, link::StatusCode::bad_request);
}

TEST(FirmwareDispatch, AnswersWhatIsNoMessage) {
  // A body longer than what is there; a wire type that does not exist; a varint without an end.
  for (const Octets& rest : {Octets{0x1A, 0x20, 0x00}, Octets{0x1F}, Octets(12, 0xFF)}) {
    const auto answers = serve(by_hand(rest));
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(std::get<link::Status>(answers[0].body).code, link::StatusCode::bad_request);
  }
}

TEST(FirmwareDispatch, AFieldItDoesNotKnowIsNoHindrance) {
  EXPECT_EQ(answer<link::Hello>(by_hand({0x1A, 0x00, 0x98, 0x06, 0x07})).board, "stub");
}

TEST(FirmwareDispatch, MemoryIsWhatWasUsedSinceReset) {
  const std::uint32_t ccm = CaseUnderTest::index_of("aes-128-ccm/encrypt/mbedtls");
  answer<link::CheckResult>(request(link::CheckRequest{ccm, 16, 1}));  // takes from the heap
  const auto peak = rigd_heap_peak_ever();
  EXPECT_GT(peak, 0u);
  serve(request(link::RunRequest{kSha256, 16, 1, 1, 0, 0}));  // takes nothing
  const auto memory = answer<link::MemoryUse>(request(link::MemoryRequest{}));
  EXPECT_EQ(memory.heap_bytes, peak);
  EXPECT_EQ(memory.heap_size_bytes, rigd_heap_size());
  EXPECT_EQ(memory.stack_size_bytes, 4096u);
  EXPECT_GT(memory.stack_bytes, 0u);
  EXPECT_LE(memory.stack_bytes, 4096u);
}

TEST(FirmwareDispatch, ResetIsAnsweredThenDone) {
  board() = {};
  const Octets asked = wire(request(link::ResetRequest{}));
  EXPECT_THROW(rigd_serve(asked.data(), asked.size(), hal_uart_write), BoardReset);
  const auto answers = take_answers();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(std::get<link::Status>(answers[0].body).code, link::StatusCode::ok);
}

}  // namespace
}  // namespace rigd::test
