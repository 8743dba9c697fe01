#include "deepcfr/cfr/policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

const std::array<std::string, 4> kNames{"uniform", "always_call", "always_raise", "always_fold"};

/// The action of a policy that looks at nothing but what is legal.
Action choose_call(ActionMask /*legal*/) { return kCall; }
Action choose_raise(ActionMask legal) {
  const int highest = std::bit_width(legal) - 1;
  return highest >= kFirstRaise ? static_cast<Action>(highest) : kCall;
}
Action choose_fold(ActionMask legal) { return (legal & 1) != 0 ? kFold : kCall; }

/// `choose` null: uniform.
class FixedPolicy final : public Policy {
 public:
  FixedPolicy(const Game& game, std::string name, Action (*choose)(ActionMask))
      : game_(&game), name_(std::move(name)), choose_(choose) {}

  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    DEEPCFR_CHECK(out.size() == states.size() * actions);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const ActionMask legal = game_->legal_actions(*states[i]);
      const std::span<double> row = out.subspan(i * actions, actions);
      if (choose_ == nullptr) {
        uniform_strategy(legal, row);
      } else {
        std::fill(row.begin(), row.end(), 0.0);
        row[choose_(legal)] = 1;
      }
    }
  }
  std::string name() const override { return name_; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<FixedPolicy>(*this); }

 private:
  const Game* game_;
  std::string name_;
  Action (*choose_)(ActionMask);
};

}  // namespace

std::span<const std::string> fixed_policy_names() { return kNames; }

std::unique_ptr<Policy> make_fixed_policy(const Game& game, const std::string& name) {
  static constexpr std::array<Action (*)(ActionMask), kNames.size()> kChoices{nullptr, choose_call, choose_raise, choose_fold};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    const std::string nearest = nearest_word(name, kNames.data(), kNames.data() + kNames.size());
    throw Error(ErrorKind::usage, "policy '" + name + "' is not one of uniform, always_call, always_raise, always_fold", {},
                nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
  return std::make_unique<FixedPolicy>(game, name, kChoices[static_cast<std::size_t>(found - kNames.begin())]);
}

}  // namespace deepcfr
