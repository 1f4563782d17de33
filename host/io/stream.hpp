// A byte stream to a device: serial port, Unix socket or TCP behind one interface.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <span>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace rigd::io {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Reads at least one byte. Errors: timeout (nothing came; the stream stays usable), disconnected (end of
  // file, ENODEV, EIO, hang-up: final), io_failure.
  virtual Awaitable<Result<std::size_t>> read_some(std::span<std::byte> into, Deadline deadline) = 0;

  // Writes all bytes, in one write(2) where the kernel takes them at once. Errors as above.
  virtual Awaitable<Result<void>> write(std::span<const std::byte> bytes, Deadline deadline) = 0;

  // Ends pending calls with `disconnected`. May be called more than once.
  virtual void close() noexcept = 0;
};

using StreamPtr = std::unique_ptr<ByteStream>;

}  // namespace rigd::io
