#include "sim/board/launcher/hub.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "sim/common/unix_socket.hpp"

namespace rigd::sim::board {

namespace {

std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<EdgeHub> EdgeHub::open(const std::string& feed_path, const std::string& subscriber_path) {
  EdgeHub hub;
  RIGD_TRY(hub.feed_listener_, listen_unix(feed_path));
  RIGD_TRY(hub.subscriber_listener_, listen_unix(subscriber_path));
  return hub;
}

void EdgeHub::watch(PollLoop& loop) {
  std::erase_if(subscribers_, [](const Subscriber& subscriber) { return !subscriber.fd; });
  loop.watch(subscriber_listener_.get(), POLLIN, [this] { accept_subscriber(); });
  if (feed_listener_) loop.watch(feed_listener_.get(), POLLIN, [this] { accept_producer(); });
  if (producer_) loop.watch(producer_.get(), POLLIN, [this] { read_producer(); });
  for (Subscriber& subscriber : subscribers_) {
    loop.watch(subscriber.fd.get(), POLLIN, [this, &subscriber] { check_alive(subscriber); });
    if (subscriber.unsent() > 0)
      loop.watch(subscriber.fd.get(), POLLOUT, [this, &subscriber] { flush(subscriber); });
  }
}

void EdgeHub::accept_producer() {
  producer_ = accept_unix(feed_listener_.get());
  if (producer_) feed_listener_.reset();  // one QEMU, one feed
}

void EdgeHub::accept_subscriber() {
  io::UniqueFd fd = accept_unix(subscriber_listener_.get());
  if (!fd) return;
  subscribers_.push_back({std::move(fd), std::string(as_text(edge_header())), 0});
  flush(subscribers_.back());
}

void EdgeHub::read_producer() {
  std::array<std::uint8_t, 65536> bytes;
  const ssize_t count = ::recv(producer_.get(), bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    producer_.reset();  // QEMU has ended; its exit status tells more
    return;
  }
  received_.insert(received_.end(), bytes.begin(), bytes.begin() + count);
  std::size_t taken = 0;
  if (!header_seen_) {
    if (!take_header()) return;
    taken = kEdgeHeaderSize;
  }
  const std::size_t first = taken;
  while (failure_.empty() && received_.size() - taken >= kEdgeRecordSize && take_record(taken))
    taken += kEdgeRecordSize;
  publish(as_text({&received_[first], taken - first}));
  received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(taken));
}

bool EdgeHub::take_header() {
  if (received_.size() < kEdgeHeaderSize) return false;
  header_seen_ = is_edge_header(std::span(received_).first<kEdgeHeaderSize>());
  if (!header_seen_) failure_ = "the edge stream does not start with its header";
  return header_seen_;
}

bool EdgeHub::take_record(std::size_t at) {
  const auto record = decode_edge(std::span(received_).subspan(at).first<kEdgeRecordSize>());
  if (!record || record->sequence != next_sequence_) {
    failure_ = fmt::format("the edge stream is out of step at record {}", next_sequence_);
    return false;
  }
  ++next_sequence_;
  if (record->pin == kMarkerPin && record->level == 1) ++windows_;
  return true;
}

void EdgeHub::publish(std::string_view bytes) {
  if (bytes.empty()) return;
  for (Subscriber& subscriber : subscribers_) {
    if (!subscriber.fd) continue;
    subscriber.waiting += bytes;
    flush(subscriber);
    if (subscriber.unsent() <= kMostWaiting) continue;
    log::warning("edges: a subscriber left {} bytes unread and is dropped", subscriber.unsent());
    subscriber.fd.reset();
  }
}

void EdgeHub::flush(Subscriber& subscriber) {
  while (subscriber.fd && subscriber.unsent() > 0) {
    const char* next = subscriber.waiting.data() + subscriber.sent;
    const ssize_t count = ::send(subscriber.fd.get(), next, subscriber.unsent(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0)
      subscriber.fd.reset();  // it has gone, which is its right
    else
      subscriber.sent += static_cast<std::size_t>(count);
  }
  if (subscriber.sent < subscriber.unsent()) return;  // moving the rest pays only when it is the smaller part
  subscriber.waiting.erase(0, std::exchange(subscriber.sent, 0));
}

// Subscribers have nothing to say; what they send is read only to see their end.
void EdgeHub::check_alive(Subscriber& subscriber) {
  std::array<char, 256> ignored;
  if (!subscriber.fd) return;
  const ssize_t count = ::recv(subscriber.fd.get(), ignored.data(), ignored.size(), 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) subscriber.fd.reset();
}

}  // namespace rigd::sim::board
