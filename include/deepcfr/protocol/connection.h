// Lines over TCP. The only place below the train room that looks at a clock: deadlines of the network are times, and nothing that is
// computed here depends on them but whether an answer came.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace deepcfr {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  ///< nullopt: none
Deadline deadline_after(double seconds);

/// An open connection; movable, closed when destroyed. Not thread-safe. Small messages go out at once (TCP_NODELAY).
class Connection {
 public:
  /// Tries again until `wait_seconds` have passed (reported fault E22), 10 times a second. Error{input} naming address and reason.
  static Connection connect(const std::string& host, std::uint16_t port, double wait_seconds);
  /// Takes over an open socket.
  Connection(int socket, std::string peer);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  const std::string& peer() const noexcept { return peer_; }

  /// Sends all of it. Error{input} if the other side is gone, or takes nothing for a minute.
  void send(std::string_view text);

  /// Tells the other side that nothing more will be sent; reading goes on.
  void finish_sending();

  enum class Got { line, end, timeout };
  /// The next line without its end ("\r\n" or "\n"), however it was cut into packets. What stands after the last line end when the
  /// other side closes is no line. Error{input} for a line of more than a megabyte.
  Got read_line(std::string& line, const Deadline& deadline);

 private:
  int socket_ = -1;
  std::string peer_;
  std::string buffer_;  // received, not yet read: from begin_ on
  std::size_t begin_ = 0;
};

/// A port that takes one connection after another. Movable, closed when destroyed.
class Listener {
 public:
  /// port 0: any free one. Error{input} if it cannot be had, naming address and port.
  Listener(const std::string& address, std::uint16_t port);
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();
  std::uint16_t port() const noexcept { return port_; }
  /// nullopt: nobody came.
  std::optional<Connection> accept(const Deadline& deadline);

 private:
  int socket_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace deepcfr
