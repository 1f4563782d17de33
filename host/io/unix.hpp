// Unix stream sockets: how simulated boards and instruments are reached.
#pragma once

#include <string>

#include "io/stream.hpp"

namespace rigd::io {

// Connects to the socket at `path`, waiting until the deadline for it to appear and to be listened on.
// Errors: bad_argument (path longer than a socket name can be), port_missing (nobody listened by the
// deadline), io_failure (any other refusal, at once).
Awaitable<Result<StreamPtr>> open_unix(std::string path, Deadline deadline);

}  // namespace rigd::io
