// Messages to and from their wire form (proto/link/link.proto). Whatever a board sends is checked here
// against the bounds of proto/link/link.options before anybody sees it.
#pragma once

#include <span>

#include "base/result.hpp"
#include "link/frame.hpp"
#include "link/messages.hpp"

namespace rigd::link {

using PayloadBuffer = std::array<std::byte, kMaxPayload>;

// The wire form within `into`. A request always fits the smallest payload a board may have (128 bytes).
std::span<const std::byte> encode_request(const Request& request, PayloadBuffer& into);

// Error: link_protocol, naming what is wrong.
Result<Response> decode_response(std::span<const std::byte> payload);

}  // namespace rigd::link
