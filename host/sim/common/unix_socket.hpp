// Listening Unix sockets of a simulator that runs a poll() loop.
#pragma once

#include <sys/socket.h>

#include <string>

#include "base/result.hpp"
#include "io/fd.hpp"

namespace rigd::sim {

// Non-blocking, of `type` SOCK_STREAM or SOCK_SEQPACKET. A socket file that is already there is replaced: it
// is what a killed program left behind. Errors: bad_argument (the path is longer than a socket's name can
// be), io_failure.
Result<io::UniqueFd> listen_unix(const std::string& path, int type = SOCK_STREAM);

// The next waiting client, non-blocking; an empty descriptor when nobody waits.
io::UniqueFd accept_unix(int listener);

// True when a socket file is at `path`.
bool is_socket(const std::string& path);

}  // namespace rigd::sim
