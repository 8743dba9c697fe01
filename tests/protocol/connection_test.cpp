#include "deepcfr/protocol/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// A connection and the bare socket at its other end.
struct Pair {
  Pair() {
    int sockets[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    other = sockets[1];
    connection.emplace(sockets[0], "peer");
  }
  ~Pair() { close(); }
  void close() {
    if (other >= 0) ::close(other);
    other = -1;
  }
  void write(const std::string& text) { EXPECT_EQ(::write(other, text.data(), text.size()), static_cast<ssize_t>(text.size())); }
  std::optional<Connection> connection;
  int other = -1;
};

TEST(Connection, LinesHoweverTheyAreCut) {
  Pair pair;
  pair.write("one\r\ntwo\n\r\nth");
  std::string line;
  const auto next = [&] { return pair.connection->read_line(line, deadline_after(0.02)); };
  EXPECT_EQ(next(), Connection::Got::line);
  EXPECT_EQ(line, "one");
  EXPECT_EQ(next(), Connection::Got::line);
  EXPECT_EQ(line, "two");
  EXPECT_EQ(next(), Connection::Got::line);
  EXPECT_EQ(line, "");
  EXPECT_EQ(next(), Connection::Got::timeout);
  pair.write("ree\r");
  EXPECT_EQ(next(), Connection::Got::timeout);
  pair.write("\nrest");
  EXPECT_EQ(next(), Connection::Got::line);
  EXPECT_EQ(line, "three");
  pair.close();
  EXPECT_EQ(next(), Connection::Got::end) << "what has no end is no line";
}

TEST(Connection, ALineWithoutEndIsRefused) {
  Pair pair;
  std::thread writer([&] {
    const std::string text(std::size_t{1} << 21, 'x');
    (void)!::write(pair.other, text.data(), text.size());
  });
  std::string line;
  EXPECT_THROW(pair.connection->read_line(line, deadline_after(10)), Error);
  pair.connection.reset();
  writer.join();
}

TEST(Connection, SendingToNobodyIsAnError) {
  Pair pair;
  pair.close();
  EXPECT_THROW(pair.connection->send("hello\r\n"), Error) << "and no signal";
}

TEST(Listener, OverLoopback) {
  Listener listener("127.0.0.1", 0);
  ASSERT_NE(listener.port(), 0);
  EXPECT_FALSE(listener.accept(deadline_after(0.02)));
  Connection client = Connection::connect("127.0.0.1", listener.port(), 5);
  std::optional<Connection> server = listener.accept(deadline_after(5));
  ASSERT_TRUE(server);
  client.send("VERSION:2.0.0\r\n");
  std::string line;
  EXPECT_EQ(server->read_line(line, deadline_after(5)), Connection::Got::line);
  EXPECT_EQ(line, "VERSION:2.0.0");
  EXPECT_THROW(Listener("127.0.0.1", listener.port()), Error) << "taken";
  EXPECT_THROW(Listener("not an address", 0), Error);
}

TEST(Connection, E22_NobodyListens) {
  std::uint16_t port = 0;
  {
    Listener listener("127.0.0.1", 0);
    port = listener.port();
  }
  EXPECT_THROW(Connection::connect("127.0.0.1", port, 0.15), Error);
}

}  // namespace
}  // namespace deepcfr
