// The firmware, fed with whatever comes. The first byte chooses: the rest is the serial line's bytes, or one
// request that arrives in a good frame. Whatever it was, the daemon can read each answer, every window that
// opened is closed, and interrupts are not left masked.
#include <pb_decode.h>

#include <algorithm>
#include <cstdlib>

#include "firmware.hpp"
#include "link.pb.h"
#include "stub_board.hpp"

namespace {

using namespace rigd::test;

// A request may ask for hours of work, rightly. Those are left out.
bool is_long(const Octets& payload) {
  constexpr std::uint64_t kMostOperations = 64;
  rigd_link_Request request = {};
  pb_istream_t in = pb_istream_from_buffer(payload.data(), payload.size());
  if (!pb_decode(&in, rigd_link_Request_fields, &request)) return false;
  if (request.which_body == rigd_link_Request_check_case_tag)
    return request.body.check_case.inner > kMostOperations;
  const rigd_link_RunCaseRequest& run = request.body.run_case;
  return request.which_body == rigd_link_Request_run_case_tag &&
         (std::uint64_t{run.repetitions} + run.warmup > kMostOperations || run.inner > kMostOperations);
}

// The request a good frame in the stream may hold.
bool has_long_request(const Octets& stream) {
  rigd_frame_receiver receiver = {};
  return std::ranges::any_of(stream, [&](std::uint8_t byte) {
    const std::size_t length = rigd_frame_take(&receiver, byte);
    return length > 0 && is_long({receiver.bytes, receiver.bytes + length});
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Octets stream(data + 1, data + size);
  if (data[0] % 2 == 1) {
    stream.resize(std::min<std::size_t>(stream.size(), RIGD_MOST_PAYLOAD));
    stream = framed(stream);
  }
  stream.insert(stream.begin(), 0);  // flushes what an earlier input left
  if (has_long_request(stream)) return 0;
  board() = {};
  board().input.assign(stream.begin(), stream.end());
  try {
    rigd_main();
  } catch (const EndOfInput&) {
  } catch (const BoardReset&) {
  }
  take_answers();
  const auto opened = std::ranges::count(board().events, Event::open);
  if (opened != std::ranges::count(board().events, Event::close) || board().masked) std::abort();
  return 0;
}
