#include "deepcfr/protocol/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <utility>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr double kSendSeconds = 60;
constexpr int kRetryMilliseconds = 100;

std::string reason(int error) { return std::strerror(error); }

/// For poll(): −1 for no deadline; rounded up, so that a wait that ends has reached its deadline.
int milliseconds_left(const Deadline& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, INT_MAX));
}

/// Whether the socket became ready before the deadline.
bool wait_for(int socket, short events, const Deadline& deadline) {
  while (true) {
    pollfd entry{socket, events, 0};
    const int ready = ::poll(&entry, 1, milliseconds_left(deadline));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw Error(ErrorKind::input, "poll: " + reason(errno));
    if (ready == 0 && (!deadline || Clock::now() >= *deadline)) return false;
  }
}

void pause_until(const Deadline& deadline) {
  Deadline end = Clock::now() + std::chrono::milliseconds(kRetryMilliseconds);
  if (deadline) end = std::min(*end, *deadline);
  while (Clock::now() < *end) ::poll(nullptr, 0, milliseconds_left(end));
}

struct Addresses {
  explicit Addresses(const std::string& host, std::uint16_t port, int flags) {
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags;
    addrinfo* found = nullptr;
    status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (status == 0) first.reset(found);
  }
  struct Free {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
  };
  int status = 0;
  std::unique_ptr<addrinfo, Free> first;
};

void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/// An open socket, or −1 and errno.
int try_connect(const addrinfo& address, const Deadline& deadline) {
  const int socket = ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (socket < 0) return -1;
  int error = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    socklen_t size = sizeof(error);
    if (!wait_for(socket, POLLOUT, deadline)) {
      error = ETIMEDOUT;
    } else if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
      error = errno;
    }
  }
  if (error != 0) {
    ::close(socket);
    errno = error;
    return -1;
  }
  return socket;
}

}  // namespace

Deadline deadline_after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e8)));
}

Connection Connection::connect(const std::string& host, std::uint16_t port, double wait_seconds) {
  const std::string peer = host + ":" + std::to_string(port);
  const Deadline deadline = deadline_after(wait_seconds);
  const Addresses addresses(host, port, 0);
  if (addresses.status != 0) {
    throw Error(ErrorKind::input, std::string("the address is not known: ") + ::gai_strerror(addresses.status), peer);
  }
  while (true) {
    for (const addrinfo* address = addresses.first.get(); address != nullptr; address = address->ai_next) {
      const int socket = try_connect(*address, deadline);
      if (socket < 0) continue;
      send_at_once(socket);
      return Connection(socket, peer);
    }
    const int error = errno;
    if (Clock::now() >= *deadline) {
      throw Error(ErrorKind::input, "cannot connect: " + reason(error), peer, "is the dealer running there? --wait SECONDS waits longer");
    }
    pause_until(deadline);
  }
}

Connection::Connection(int socket, std::string peer) : socket_(socket), peer_(std::move(peer)) {
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), peer_(std::move(other.peer_)), buffer_(std::move(other.buffer_)), begin_(other.begin_) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(peer_, other.peer_);
  std::swap(buffer_, other.buffer_);
  std::swap(begin_, other.begin_);
  return *this;
}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

void Connection::send(std::string_view text) {
  const Deadline deadline = deadline_after(kSendSeconds);
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(socket_, POLLOUT, deadline)) throw Error(ErrorKind::input, "takes no more data", peer_);
    } else if (errno != EINTR) {
      throw Error(ErrorKind::input, "the connection is closed: " + reason(errno), peer_);
    }
  }
}

void Connection::finish_sending() { ::shutdown(socket_, SHUT_WR); }

Connection::Got Connection::read_line(std::string& line, const Deadline& deadline) {
  std::size_t searched = begin_;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      const std::size_t length = end - begin_ - (end > begin_ && buffer_[end - 1] == '\r' ? 1 : 0);
      line.assign(buffer_, begin_, length);
      begin_ = end + 1;
      return Got::line;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    if (buffer_.size() > kLongestLine) throw Error(ErrorKind::input, "a line of more than a megabyte", peer_);
    std::array<char, 65536> packet;
    const ssize_t got = ::recv(socket_, packet.data(), packet.size(), 0);
    if (got > 0) {
      buffer_.append(packet.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
      return Got::end;  // a reset is an end too
    } else if (errno != EINTR && !wait_for(socket_, POLLIN, deadline)) {
      return Got::timeout;
    }
  }
}

Listener::Listener(const std::string& address, std::uint16_t port) {
  const std::string where = address + ":" + std::to_string(port);
  const Addresses addresses(address, port, AI_PASSIVE | AI_NUMERICHOST);
  if (addresses.status != 0) {
    throw Error(ErrorKind::usage, std::string("no address to listen on: ") + ::gai_strerror(addresses.status), where,
                "127.0.0.1 for this machine, 0.0.0.0 for all");
  }
  const addrinfo& info = *addresses.first;
  socket_ = ::socket(info.ai_family, info.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, info.ai_protocol);
  const int on = 1;
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  if (socket_ < 0 || ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(socket_, info.ai_addr, info.ai_addrlen) != 0 || ::listen(socket_, 4) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    throw Error(ErrorKind::input, "cannot listen: " + reason(error), where, "0 takes any free port");
  }
  port_ = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                            : reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

Listener::Listener(Listener&& other) noexcept : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

Listener::~Listener() {
  if (socket_ >= 0) ::close(socket_);
}

std::optional<Connection> Listener::accept(const Deadline& deadline) {
  while (wait_for(socket_, POLLIN, deadline)) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
      send_at_once(socket);
      return Connection(socket, "port " + std::to_string(port_));
    }
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) throw Error(ErrorKind::input, "accept: " + reason(errno));
  }
  return std::nullopt;
}

}  // namespace deepcfr
