// Two ends of a connection over loopback.
#pragma once

#include "deepcfr/protocol/connection.h"

namespace deepcfr {

struct TcpPair {
  Connection left, right;
};

inline TcpPair tcp_pair() {
  Listener listener("127.0.0.1", 0);
  Connection left = Connection::connect("127.0.0.1", listener.port(), 10);
  return {std::move(left), std::move(*listener.accept(deadline_after(10)))};
}

}  // namespace deepcfr
