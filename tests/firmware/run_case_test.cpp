// RunCase as the daemon sees it: windows, silence, repetitions, the end.
#include <gmock/gmock.h>

#include <map>

#include "case_under_test.hpp"

namespace rigd::test {
namespace {

using testing::Each;
using testing::ElementsAreArray;

constexpr link::RunRequest kRun = {
    .index = 0, .size = 256, .repetitions = 3, .inner = 2, .gap_us = 400, .warmup = 2};

std::vector<link::Response> run(std::uint32_t index) {
  link::RunRequest body = kRun;
  body.index = index;
  return serve(link::Request{7, 9, body});
}

std::uint32_t digest_of(std::uint32_t index) {
  std::uint32_t digest = 0;
  EXPECT_TRUE(rigd_digest(rigd_case_ops_of(index), kRun.size, kRun.inner, &digest));
  return digest;
}

class FirmwareRun : public testing::TestWithParam<std::uint32_t> {};

TEST_P(FirmwareRun, StreamsOneAnswerARepetitionAndEnds) {
  const auto answers = run(GetParam());
  ASSERT_EQ(answers.size(), kRun.repetitions + 1);
  for (std::uint32_t i = 0; i < kRun.repetitions; ++i) {
    const std::uint32_t window = kRun.warmup + i + 1;
    const link::Repetition expected = {i, StubBoard::ticks_of(window), StubBoard::cycles_of(window),
                                       digest_of(GetParam())};
    EXPECT_EQ(std::get<link::Repetition>(answers[i].body), expected);
    EXPECT_EQ(answers[i].sequence, 7u);
    EXPECT_EQ(answers[i].nonce, 9u);
  }
  EXPECT_EQ(std::get<link::RunDone>(answers.back().body).repetitions, kRun.repetitions);
}

TEST_P(FirmwareRun, TheLinkIsSilentFromTheGapBeforeToTheGapAfter) {
  run(GetParam());
  using enum Event;
  const std::vector<Event> window = {idle, mask, open, close, unmask, idle};
  std::vector<Event> expected = {mask, unmask};  // the stack's look at the operation
  for (std::uint32_t i = 0; i < kRun.warmup + kRun.repetitions; ++i) {
    expected.insert(expected.end(), window.begin(), window.end());
    if (i >= kRun.warmup) expected.push_back(send);
  }
  EXPECT_THAT(board().events, ElementsAreArray(expected));
  EXPECT_THAT(board().idle_us, Each(kRun.gap_us));
  EXPECT_FALSE(board().masked);
}

std::vector<std::uint32_t> all_cases() {
  std::vector<std::uint32_t> indices(rigd_case_count());
  for (std::uint32_t i = 0; i < indices.size(); ++i)
    indices[i] = i;
  return indices;
}
INSTANTIATE_TEST_SUITE_P(Cases, FirmwareRun, testing::ValuesIn(all_cases()), [](const auto& tested) {
  std::string name = rigd_case_record_of(tested.param)->id;
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

TEST(FirmwareRunDone, TellsTheHeapOfThisCaseAlone) {
  std::map<std::string, std::uint32_t> heap;
  for (const char* id :
       {"aes-128-ccm/encrypt/mbedtls", "sha-256/hash/mbedtls", "aes-128-gcm/decrypt/mbedtls"})
    heap[id] = std::get<link::RunDone>(run(CaseUnderTest::index_of(id)).back().body).heap_bytes;
  EXPECT_GT(heap["aes-128-ccm/encrypt/mbedtls"], 200u) << "an AES context";
  EXPECT_EQ(heap["sha-256/hash/mbedtls"], 0u);
  EXPECT_EQ(heap["aes-128-gcm/decrypt/mbedtls"], heap["aes-128-ccm/encrypt/mbedtls"]);
}

TEST(FirmwareRunDone, WithoutACycleCounterThereAreNoCycles) {
  board() = {};
  board().cycle_counter = false;
  const Octets asked = wire(link::Request{1, 1, kRun});
  rigd_serve(asked.data(), asked.size(), hal_uart_write);
  EXPECT_EQ(std::get<link::Repetition>(take_answers().front().body).cycles, 0u);
}

}  // namespace
}  // namespace rigd::test
