// Exact best response by one walk of the betting tree with a vector over deals at every node. What goes down is the reach of all
// others (chance included) for each deal, what comes up the responder's value weighted by it. At the responder's node the
// weighted values are summed by infoset before the action is chosen, so hidden cards stay hidden (Zinkevich et al. 2007,
// section 3; the vector form follows Johanson et al., "Accelerating Best Response Calculation in Large Extensive Games", 2011).
#include "deepcfr/eval/best_response.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

enum class Responder { best, policy };

class ResponseWalk {
 public:
  ResponseWalk(const SmallGame& game, std::span<const double> table, int player, Responder responder)
      : game_(game),
        table_(table),
        player_(player),
        responder_(responder),
        actions_(static_cast<std::size_t>(game.game().num_actions())) {
    DEEPCFR_CHECK(table.size() == static_cast<std::size_t>(game.num_infosets()) * actions_);
  }

  double value() {
    const auto deals = static_cast<std::size_t>(game_.num_deals());
    const std::vector<double> reach(deals, 1.0 / static_cast<double>(deals));
    std::vector<double> values(deals);
    walk(0, reach, values);
    return std::accumulate(values.begin(), values.end(), 0.0);
  }

 private:
  void walk(std::int32_t node, const std::vector<double>& others, std::vector<double>& out) {
    const BettingNode& betting = game_.tree().node(node);
    if (betting.decision < 0) {
      terminal(node, others, out);
    } else if (betting.state.actor != player_) {
      other_acts(node, others, out);
    } else if (responder_ == Responder::policy) {
      follow_policy(node, others, out);
    } else {
      respond(node, others, out);
    }
  }

  void terminal(std::int32_t node, const std::vector<double>& others, std::vector<double>& out) const {
    const std::span<const std::int32_t> outcome = game_.outcomes();
    const std::span<const double> values = game_.outcome_values(node, player_);
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = others[d] * values[static_cast<std::size_t>(outcome[d])];
  }

  void other_acts(std::int32_t node, const std::vector<double>& others, std::vector<double>& out) {
    std::vector<double> reach(out.size()), values(out.size());
    std::fill(out.begin(), out.end(), 0.0);
    for_each_child(node, [&](std::size_t action, std::int32_t child) {
      bool reached = false;
      for_each_deal(node, [&](std::size_t d, std::size_t infoset) {
        reach[d] = others[d] * table_[infoset * actions_ + action];
        reached = reached || reach[d] > 0;
      });
      if (!reached) return;
      walk(child, reach, values);
      for (std::size_t d = 0; d < out.size(); ++d) out[d] += values[d];
    });
  }

  void follow_policy(std::int32_t node, const std::vector<double>& others, std::vector<double>& out) {
    std::vector<double> values(out.size());
    std::fill(out.begin(), out.end(), 0.0);
    for_each_child(node, [&](std::size_t action, std::int32_t child) {
      walk(child, others, values);
      for_each_deal(node, [&](std::size_t d, std::size_t infoset) { out[d] += table_[infoset * actions_ + action] * values[d]; });
    });
  }

  void respond(std::int32_t node, const std::vector<double>& others, std::vector<double>& out) {
    const auto classes = static_cast<std::size_t>(game_.num_classes(game_.tree().node(node).state.round));
    const auto offset = static_cast<std::size_t>(game_.infoset_offset(node));
    std::vector<std::vector<double>> values;            // [child][deal]
    std::vector<double> best(classes), total(classes);  // of each class
    std::vector<std::size_t> choice(classes, 0);
    for_each_child(node, [&](std::size_t /*action*/, std::int32_t child) {
      std::vector<double>& of_child = values.emplace_back(out.size());
      walk(child, others, of_child);
      std::fill(total.begin(), total.end(), 0.0);
      for_each_deal(node, [&](std::size_t d, std::size_t infoset) { total[infoset - offset] += of_child[d]; });
      for (std::size_t c = 0; c < classes; ++c) {
        if (values.size() > 1 && total[c] <= best[c]) continue;
        best[c] = total[c];
        choice[c] = values.size() - 1;
      }
    });
    for_each_deal(node, [&](std::size_t d, std::size_t infoset) { out[d] = values[choice[infoset - offset]][d]; });
  }

  template <typename Visit>
  void for_each_child(std::int32_t node, Visit visit) const {
    const BettingNode& betting = game_.tree().node(node);
    std::int32_t child = betting.first_child;
    for (std::size_t action = 0; action < actions_; ++action) {
      if (((betting.legal >> action) & 1) != 0) visit(action, child++);
    }
  }

  template <typename Visit>
  void for_each_deal(std::int32_t node, Visit visit) const {
    const State& state = game_.tree().node(node).state;
    const std::span<const std::int32_t> classes = game_.card_classes(state.actor, state.round);
    const auto offset = static_cast<std::size_t>(game_.infoset_offset(node));
    for (std::size_t d = 0; d < classes.size(); ++d) visit(d, offset + static_cast<std::size_t>(classes[d]));
  }

  const SmallGame& game_;
  std::span<const double> table_;
  int player_;
  Responder responder_;
  std::size_t actions_;
};

}  // namespace

std::vector<double> expected_values(const SmallGame& game, std::span<const double> table) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(game.game().players()));
  for (int p = 0; p < game.game().players(); ++p) values.push_back(ResponseWalk(game, table, p, Responder::policy).value());
  return values;
}

ExploitabilityReport exploitability(const SmallGame& game, std::span<const double> table) {
  ExploitabilityReport report;
  report.value = expected_values(game, table);
  for (int p = 0; p < game.game().players(); ++p) {
    report.best_response.push_back(ResponseWalk(game, table, p, Responder::best).value());
    report.nash_conv += report.best_response.back() - report.value[static_cast<std::size_t>(p)];
  }
  report.exploitability = report.nash_conv / game.game().players();
  return report;
}

ExploitabilityReport exploitability(const SmallGame& game, Policy& policy) {
  return exploitability(game, tabulate(game, policy));
}

}  // namespace deepcfr
