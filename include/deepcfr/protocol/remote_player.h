// A program at the other end of a connection, as the dealer sees it (ACPC protocol 2.0.0).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "deepcfr/protocol/connection.h"
#include "deepcfr/protocol/table.h"

namespace deepcfr {

class RemotePlayer final : public TablePlayer {
 public:
  using Log = std::function<void(const std::string&)>;
  /// `answer_seconds`: for one answer. `log` gets a line for every action that had to be corrected and every line that was passed over.
  RemotePlayer(const Game& game, std::string name, Connection connection, double answer_seconds, Log log);

  /// Reads the version line, which has to come by the deadline. Error{input} if it does not, or is not "VERSION:2.0.x".
  void read_version(const Deadline& deadline);

  const std::string& name() const override { return name_; }
  /// Error{input} if the program is gone.
  void see(const TableView& view) override;
  /// Error{input} if the program is gone or does not answer in time. nullopt: what stands behind the state is no action.
  std::optional<TableAction> act(const TableView& view) override;

 private:
  std::string next_line(const Deadline& deadline, const std::string& wanted);
  /// What stands behind the state that was sent; nullopt if the line answers something else.
  std::optional<std::string> answer_to(const TableView& view, const std::string& line) const;

  const Game* game_;
  std::string name_;
  Connection connection_;
  double answer_seconds_;
  Log log_;
  std::string sent_;  // the last state, without its line end
};

}  // namespace deepcfr
