// A ByteStream over a file descriptor that is already open: socket, tty or pipe end.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <utility>

#include "io/fd.hpp"
#include "io/stream.hpp"

namespace rigd::io {

// `name` stands in the stream's error messages. The descriptor is made non-blocking. At most one read and one
// write may be pending at a time, all on the executor's thread. Destroying the stream ends pending calls like
// close().
StreamPtr make_fd_stream(const boost::asio::any_io_executor& executor, UniqueFd fd, std::string name);

// Two connected streams, for a peer in the same process.
Result<std::pair<StreamPtr, StreamPtr>> make_stream_pair(const boost::asio::any_io_executor& executor);

}  // namespace rigd::io
