// A table: hands of any game between any players (policies, programs at the other end of a socket), dealt and refereed here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/game/game.h"
#include "deepcfr/protocol/hand_record.h"
#include "deepcfr/protocol/policy_agent.h"

namespace deepcfr {

class TablePlayer {
 public:
  virtual ~TablePlayer() = default;
  virtual const std::string& name() const = 0;
  /// Called for every player at every change of every hand, before act() and after the last action.
  virtual void see(const TableView& view) { (void)view; }
  /// Called when it is the player's turn. An action that is not legal is corrected and counted; nullopt, an answer that is no action, too.
  /// Throws Error{input} to end the match.
  virtual std::optional<TableAction> act(const TableView& view) = 0;
};

/// A policy as a player.
class PolicyPlayer final : public TablePlayer {
 public:
  PolicyPlayer(const Game& game, std::string name, Policy& policy, std::uint64_t seed)
      : name_(std::move(name)), agent_(game, policy, seed) {}
  const std::string& name() const override { return name_; }
  std::optional<TableAction> act(const TableView& view) override { return agent_.act(view); }

 private:
  std::string name_;
  PolicyAgent agent_;
};

/// Told about every hand when it is over.
class TableObserver {
 public:
  virtual ~TableObserver() = default;
  virtual void hand_over(const HandRecord& hand) = 0;
};

struct TableOptions {
  std::uint32_t hands = 1000;  ///< numbered from 0
  std::uint64_t seed = 1;      ///< deals are functions of (seed, hand)
};

struct TableResult {
  std::uint32_t hands = 0;
  std::vector<double> total;             ///< net chips of each player
  std::vector<std::uint64_t> corrected;  ///< actions of each player that were not legal
};

/// Player i sits at position (i − hand) mod players, as the reference dealer has it. What players see of each other's cards: nothing before
/// the end; after a showdown, the cards of all who have not folded.
TableResult play_table(const Game& game, std::span<TablePlayer* const> players, const TableOptions& options,
                       std::span<TableObserver* const> observers);

/// The legal action that the reference dealer makes of another: raise sizes are moved into the legal range, everything else becomes a call.
TableAction corrected_action(const Game& game, const State& state, const TableAction& action);

/// What position sees of a state whose cards are all known.
TableView view_of(const Game& game, std::uint32_t hand, int position, const State& state, const Betting& betting);

}  // namespace deepcfr
