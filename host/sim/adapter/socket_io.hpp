// The client side of QEMU's sockets, and sending and receiving with a deadline.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "io/fd.hpp"

namespace rigd::sim::adapter {

// Tries again until the deadline while nobody listens yet. Errors: bad_argument (too long a path),
// io_failure.
Result<io::UniqueFd> connect_unix(const std::string& path, Deadline deadline);

// True when `fd` can be read (or has ended) before the deadline.
bool wait_readable(int fd, Deadline deadline);
bool send_all(int fd, std::string_view data, Deadline deadline);
// Appends what has arrived, at least one byte unless the deadline passes or the peer is gone (false).
bool receive_some(int fd, std::string& buffer, Deadline deadline);

}  // namespace rigd::sim::adapter
