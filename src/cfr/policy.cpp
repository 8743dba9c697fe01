#include "deepcfr/cfr/policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

const std::array<std::string, 5> kNames{"uniform", "always_call", "always_raise", "always_fold", "half_call_raise"};

/// The action of a policy that looks at nothing but what is legal.
Action choose_call(ActionMask /*legal*/) { return kCall; }
Action choose_raise(ActionMask legal) {
  const int highest = std::bit_width(legal) - 1;
  return highest >= kFirstRaise ? static_cast<Action>(highest) : kCall;
}
Action choose_fold(ActionMask legal) { return (legal & 1) != 0 ? kFold : kCall; }

using Row = void (*)(ActionMask legal, std::span<double> row);

template <Action (*choose)(ActionMask)>
void always(ActionMask legal, std::span<double> row) {
  std::fill(row.begin(), row.end(), 0.0);
  row[choose(legal)] = 1;
}

void half_call_raise(ActionMask legal, std::span<double> row) {
  std::fill(row.begin(), row.end(), 0.0);
  row[kCall] += 0.5;
  row[choose_raise(legal)] += 0.5;
}

class FixedPolicy final : public Policy {
 public:
  FixedPolicy(const Game& game, std::string name, Row row) : game_(&game), name_(std::move(name)), row_(row) {}

  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    DEEPCFR_CHECK(out.size() == states.size() * actions);
    for (std::size_t i = 0; i < states.size(); ++i) row_(game_->legal_actions(*states[i]), out.subspan(i * actions, actions));
  }
  bool looks_at_cards() const override { return false; }
  std::string name() const override { return name_; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<FixedPolicy>(*this); }

 private:
  const Game* game_;
  std::string name_;
  Row row_;
};

constexpr std::size_t kHandsAtOnce = 1024;  // states that are made at a time

}  // namespace

void Policy::probabilities_of_hands(std::span<const State* const> states, const HandsOnBoard& hands, std::span<double> out) {
  if (states.empty() || hands.holes.empty()) return;
  const std::size_t actions = out.size() / (states.size() * hands.holes.size());
  DEEPCFR_CHECK(out.size() == states.size() * hands.holes.size() * actions);
  std::vector<State> dealt;
  std::vector<const State*> pointers;
  for (std::size_t done = 0, all = states.size() * hands.holes.size(); done < all; done += dealt.size()) {
    dealt.clear();
    pointers.clear();
    for (std::size_t i = done; i < std::min(all, done + kHandsAtOnce); ++i) {
      State& state = dealt.emplace_back(*states[i / hands.holes.size()]);
      state.deal = Deal{};
      state.deal.hole[state.actor] = hands.holes[i % hands.holes.size()];
      state.deal.board = hands.board;
    }
    for (const State& state : dealt) pointers.push_back(&state);
    probabilities(pointers, out.subspan(done * actions, dealt.size() * actions));
  }
}

std::span<const std::string> fixed_policy_names() { return kNames; }

std::unique_ptr<Policy> make_fixed_policy(const Game& game, const std::string& name) {
  static constexpr std::array<Row, kNames.size()> kRows{uniform_strategy, always<choose_call>, always<choose_raise>, always<choose_fold>,
                                                        half_call_raise};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    const std::string nearest = nearest_word(name, kNames.data(), kNames.data() + kNames.size());
    throw Error(ErrorKind::usage, "policy '" + name + "' is not one of uniform, always_call, always_raise, always_fold, half_call_raise", {},
                nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
  return std::make_unique<FixedPolicy>(game, name, kRows[static_cast<std::size_t>(found - kNames.begin())]);
}

}  // namespace deepcfr
