// The command path without system calls: message, frame, and back.
#include <benchmark/benchmark.h>

#include <vector>

#include "link/codec.hpp"
#include "link/frame.hpp"
#include "link/wire.pb.h"

namespace rigd::link {
namespace {

// The frame of a board's answer: one repetition, or a case of about 64 bytes.
std::vector<std::byte> frame_of(const wire::Response& response) {
  const std::string payload = response.SerializeAsString();
  FrameBuffer buffer;
  const auto frame = encode_frame(std::as_bytes(std::span(payload)), buffer);
  return {frame.begin(), frame.end()};
}

wire::Response repetition() {
  wire::Response response;
  response.set_sequence(7);
  response.set_nonce(0x600DCAFE);
  response.mutable_repetition()->set_index(49);
  response.mutable_repetition()->set_timer_ticks(16'123);
  response.mutable_repetition()->set_cycles(16'000'123);
  response.mutable_repetition()->set_digest(0xABCDEF01);
  return response;
}

wire::Response case_info() {
  wire::Response response;
  response.set_sequence(7);
  response.set_nonce(0x600DCAFE);
  response.mutable_case_info()->set_index(1);
  response.mutable_case_info()->set_id("aes-128-cbc/encrypt/mbedtls");
  response.mutable_case_info()->set_library("mbedtls 2.28.3");
  response.mutable_case_info()->set_min_size(16);
  response.mutable_case_info()->set_max_size(1024);
  response.mutable_case_info()->set_size_step(16);
  return response;
}

// One command: build, serialise and frame the request; find, check, parse and validate the answer.
void command_path(benchmark::State& state, const wire::Response& response) {
  const std::vector<std::byte> answer = frame_of(response);
  const Request request{7, 0x600DCAFE, CheckRequest{.index = 3, .size = 256, .inner = 40}};
  FrameDecoder decoder;
  for (auto _ : state) {
    PayloadBuffer payload;
    FrameBuffer frame;
    benchmark::DoNotOptimize(encode_frame(encode_request(request, payload), frame));
    std::span<const std::byte> input = answer;
    auto decoded = decode_response(*decoder.next(input));
    benchmark::DoNotOptimize(decoded);
  }
  state.counters["frame_bytes"] = static_cast<double>(answer.size());
}
BENCHMARK_CAPTURE(command_path, repetition, repetition());
BENCHMARK_CAPTURE(command_path, case, case_info());

// Frames found and checked in a stream of 64-byte payloads that arrives `chunk` bytes at a time.
void frames_in_a_stream(benchmark::State& state) {
  constexpr std::size_t frames = 4096;
  const auto chunk = static_cast<std::size_t>(state.range(0));
  std::vector<std::byte> payload(64);
  std::vector<std::byte> stream;
  for (std::size_t i = 0; i < frames; ++i) {
    for (std::size_t k = 0; k < payload.size(); ++k)
      payload[k] = static_cast<std::byte>(i * 31 + k * (i | 1));
    FrameBuffer buffer;
    const auto frame = encode_frame(payload, buffer);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  std::uint64_t found = 0;
  for (auto _ : state) {
    FrameDecoder decoder;
    for (std::size_t at = 0; at < stream.size(); at += chunk) {
      std::span<const std::byte> input = std::span(stream).subspan(at, std::min(chunk, stream.size() - at));
      while (auto frame = decoder.next(input))
        benchmark::DoNotOptimize(frame->data());
    }
    if (decoder.good() != frames) state.SkipWithError("frames were lost");
    found += decoder.good();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(found));
}
BENCHMARK(frames_in_a_stream)->Arg(64)->Arg(4096);

}  // namespace
}  // namespace rigd::link
