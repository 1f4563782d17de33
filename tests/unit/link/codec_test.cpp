// The daemon's codec against the generated classes, field by field.
#include "link/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bytes.hpp"
#include "link/wire.pb.h"

namespace rigd::link {
namespace {

using test::bytes;
using testing::HasSubstr;

wire::Request as_wire(decltype(Request::body) body) {
  const Request request{7, 0xDEADBEEF, std::move(body)};
  PayloadBuffer buffer;
  const auto encoded = encode_request(request, buffer);
  EXPECT_LE(encoded.size(), 128u);
  wire::Request message;
  EXPECT_TRUE(message.ParseFromArray(encoded.data(), static_cast<int>(encoded.size())));
  EXPECT_EQ(message.sequence(), 7u);
  EXPECT_EQ(message.nonce(), 0xDEADBEEFu);
  return message;
}

Result<Response> from_wire(const wire::Response& message) {
  const std::string bytes = message.SerializeAsString();
  return decode_response(std::as_bytes(std::span(bytes)));
}

TEST(Codec, EncodesEachRequest) {
  EXPECT_TRUE(as_wire(HelloRequest{}).has_hello());
  EXPECT_TRUE(as_wire(ListRequest{}).has_list_cases());
  EXPECT_TRUE(as_wire(MemoryRequest{}).has_memory());
  EXPECT_TRUE(as_wire(ResetRequest{}).has_reset());

  const auto check = as_wire(CheckRequest{.index = 1, .size = 2, .inner = 3});
  EXPECT_EQ(check.check_case().index(), 1u);
  EXPECT_EQ(check.check_case().size(), 2u);
  EXPECT_EQ(check.check_case().inner(), 3u);

  const RunRequest request{.index = 1, .size = 2, .repetitions = 3, .inner = 4, .gap_us = 5, .warmup = 6};
  const auto run = as_wire(request);
  EXPECT_EQ(run.run_case().index(), 1u);
  EXPECT_EQ(run.run_case().size(), 2u);
  EXPECT_EQ(run.run_case().repetitions(), 3u);
  EXPECT_EQ(run.run_case().inner(), 4u);
  EXPECT_EQ(run.run_case().gap_us(), 5u);
  EXPECT_EQ(run.run_case().warmup(), 6u);
}

TEST(Codec, TheLongestRequestFitsTheSmallestBoard) {
  constexpr std::uint32_t most = 0xFFFFFFFF;
  PayloadBuffer buffer;
  const Request longest{most, most, RunRequest{most, most, most, most, most, most}};
  EXPECT_LE(encode_request(longest, buffer).size(), 128u);
}

// The same bytes as any other implementation of the format: field 1 varint 1, field 2 fixed32, field 3 empty
// message.
TEST(Codec, EncodesTheBytesOfTheFormat) {
  PayloadBuffer buffer;
  const Request request{1, 0x04030201, HelloRequest{}};
  EXPECT_EQ(bytes(encode_request(request, buffer)), bytes({0x08, 1, 0x15, 1, 2, 3, 4, 0x1A, 0}));
}

wire::Response good_hello() {
  wire::Response message;
  message.set_sequence(3);
  message.set_nonce(4);
  wire::Hello& hello = *message.mutable_hello();
  hello.set_protocol(1);
  hello.set_board("microbit");
  hello.set_chip_uid("\x01\x02");
  hello.set_build_id(std::string(20, '\x7f'));
  hello.set_toolchain("arm-none-eabi-gcc 12.2.1");
  hello.set_flags("-O2 -mcpu=cortex-m0");
  hello.set_cpu_hz(16'000'000);
  hello.set_timer_hz(1'000'000);
  hello.set_flash_wait_states(1);
  hello.set_max_payload(256);
  hello.set_case_count(10);
  hello.set_ram_bytes(16384);
  hello.set_cycle_counter(true);
  return message;
}

TEST(Codec, DecodesHello) {
  const auto response = from_wire(good_hello());
  ASSERT_TRUE(response);
  EXPECT_EQ(response->sequence, 3u);
  EXPECT_EQ(response->nonce, 4u);
  const Hello expected{.protocol = 1,
                       .board = "microbit",
                       .chip_uid = {1, 2},
                       .build_id = std::vector<std::uint8_t>(20, 0x7f),
                       .toolchain = "arm-none-eabi-gcc 12.2.1",
                       .flags = "-O2 -mcpu=cortex-m0",
                       .cpu_hz = 16'000'000,
                       .timer_hz = 1'000'000,
                       .flash_wait_states = 1,
                       .max_payload = 256,
                       .case_count = 10,
                       .ram_bytes = 16384,
                       .cycle_counter = true};
  EXPECT_EQ(std::get<Hello>(response->body), expected);
}

TEST(Codec, DecodesTheOtherAnswers) {
  wire::Response message;
  wire::CaseInfo& info = *message.mutable_case_info();
  info.set_index(2);
  info.set_id("aes-128-cbc/encrypt/mbedtls");
  info.set_library("mbedtls 2.28.3");
  info.set_min_size(16);
  info.set_max_size(1024);
  info.set_size_step(16);
  const CaseInfo aes{2, "aes-128-cbc/encrypt/mbedtls", "mbedtls 2.28.3", 16, 1024, 16};
  EXPECT_EQ(std::get<CaseInfo>(from_wire(message)->body), aes);

  wire::CheckResult& check = *message.mutable_check();
  check.set_passed(false);
  check.set_vectors(4);
  check.set_failed_vector(2);
  check.set_digest(0xFFFFFFFF);
  EXPECT_EQ(std::get<CheckResult>(from_wire(message)->body), (CheckResult{false, 4, 2, 0xFFFFFFFF}));

  wire::Repetition& repetition = *message.mutable_repetition();
  repetition.set_index(1);
  repetition.set_timer_ticks(2);
  repetition.set_cycles(3);
  repetition.set_digest(4);
  EXPECT_EQ(std::get<Repetition>(from_wire(message)->body), (Repetition{1, 2, 3, 4}));

  wire::RunDone& done = *message.mutable_run_done();
  done.set_repetitions(50);
  done.set_stack_bytes(812);
  done.set_heap_bytes(100);
  EXPECT_EQ(std::get<RunDone>(from_wire(message)->body), (RunDone{50, 812, 100}));

  wire::MemoryUse& use = *message.mutable_memory();
  use.set_stack_bytes(1);
  use.set_stack_size_bytes(2);
  use.set_heap_bytes(3);
  use.set_heap_size_bytes(4);
  EXPECT_EQ(std::get<MemoryUse>(from_wire(message)->body), (MemoryUse{1, 2, 3, 4}));

  message.mutable_log()->set_level(2);
  message.mutable_log()->set_text("hot\x1b[2J");
  EXPECT_EQ(std::get<LogLine>(from_wire(message)->body), (LogLine{2, "hot.[2J"}));

  message.mutable_status()->set_code(wire::Status::BAD_SIZE);
  message.mutable_status()->set_detail("15 is no multiple of 16");
  EXPECT_EQ(std::get<Status>(from_wire(message)->body),
            (Status{StatusCode::bad_size, "15 is no multiple of 16"}));
}

void expect_refused(const wire::Response& message, const char* field) {
  const auto response = from_wire(message);
  ASSERT_FALSE(response) << field;
  EXPECT_EQ(response.error().code(), ErrorCode::link_protocol);
  EXPECT_THAT(response.error().text(), HasSubstr(field));
}

TEST(Codec, RefusesAHelloOutOfBounds) {
  const auto refuse = [](const char* field, auto change) {
    wire::Response message = good_hello();
    change(*message.mutable_hello());
    expect_refused(message, field);
  };
  refuse("board", [](wire::Hello& hello) { hello.set_board(std::string(24, 'x')); });
  refuse("board", [](wire::Hello& hello) { hello.set_board("micro\nbit"); });
  refuse("chip_uid", [](wire::Hello& hello) { hello.set_chip_uid(std::string(17, 'x')); });
  refuse("build_id", [](wire::Hello& hello) { hello.set_build_id(std::string(21, 'x')); });
  refuse("toolchain", [](wire::Hello& hello) { hello.set_toolchain(std::string(40, 'x')); });
  refuse("flags", [](wire::Hello& hello) { hello.set_flags(std::string(64, 'x')); });
  refuse("cpu_hz", [](wire::Hello& hello) { hello.set_cpu_hz(0); });
  refuse("timer_hz", [](wire::Hello& hello) { hello.set_timer_hz(0); });
  refuse("max_payload", [](wire::Hello& hello) { hello.set_max_payload(257); });
  refuse("case_count", [](wire::Hello& hello) { hello.set_case_count(1'000'000); });
}

TEST(Codec, RefusesACaseOutOfBounds) {
  const auto refuse = [](const char* field, auto change) {
    wire::Response message;
    message.mutable_case_info()->set_id("sha-256/hash/mbedtls");
    message.mutable_case_info()->set_size_step(1);
    ASSERT_TRUE(from_wire(message));
    change(*message.mutable_case_info());
    expect_refused(message, field);
  };
  refuse("id", [](wire::CaseInfo& info) { info.clear_id(); });
  refuse("id", [](wire::CaseInfo& info) { info.set_id("sha 256"); });
  refuse("index", [](wire::CaseInfo& info) { info.set_index(0xFFFFFFFF); });
  refuse("min_size", [](wire::CaseInfo& info) { info.set_min_size(2); });
  refuse("size_step", [](wire::CaseInfo& info) { info.set_size_step(0); });
}

TEST(Codec, RefusesContradictions) {
  wire::Response message;
  message.mutable_check()->set_passed(true);
  message.mutable_check()->set_vectors(3);
  message.mutable_check()->set_failed_vector(1);
  expect_refused(message, "passed");
  message.mutable_check()->set_passed(false);
  message.mutable_check()->set_failed_vector(4);
  expect_refused(message, "failed_vector");
  message.mutable_status()->set_code(static_cast<wire::Status_Code>(99));
  expect_refused(message, "code");
}

TEST(Codec, RefusesWhatIsNoMessage) {
  EXPECT_EQ(decode_response(bytes({0xFF, 0xFF, 0xFF})).error().code(), ErrorCode::link_protocol);
  EXPECT_EQ(decode_response({}).error().code(), ErrorCode::link_protocol);
  const test::Bytes unknown_body = bytes({0x08, 1, 0xA2, 0x06, 0});  // field 100
  EXPECT_EQ(decode_response(unknown_body).error().code(), ErrorCode::link_protocol);
}

TEST(Codec, ACaseKnowsTheSizesItTakes) {
  const CaseInfo aes{0, "aes-128-cbc/encrypt/mbedtls", "mbedtls", 16, 256, 16};
  EXPECT_TRUE(aes.takes(16));
  EXPECT_TRUE(aes.takes(256));
  EXPECT_FALSE(aes.takes(0));
  EXPECT_FALSE(aes.takes(17));
  EXPECT_FALSE(aes.takes(272));
}

}  // namespace
}  // namespace rigd::link
