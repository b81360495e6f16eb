// One tree that is guided by an evaluator (PUCT; Rosin 2011, Silver et al. 2017): a simulation walks down to a position
// that was not judged yet, and what the evaluator thinks of that position goes back up. Priors decide which actions are
// looked at first.
//
// Simulations stop at their leaf until the evaluator has answered. Several can wait at a time: each counts as lost on
// its way as long as it waits (virtual loss), so that the next one looks elsewhere.
//
// In games of two with a constant sum what is certain goes up as well (MCTS-Solver; Winands, Björnsson and Saito 2008):
// an end of the game is proven, and so is a position that leads to the best payoff of all, or all of whose actions are
// proven.
//
// Values can come from playouts instead, with random actions or with those that another evaluator draws, all playouts
// side by side.
//
// `Roots` says where simulations begin: always at one position, or each in a world of its own, as in an information-set
// search (ismcts_stream.hpp). There a node stands for what is known after a sequence of actions, and which of its
// children are open changes from world to world.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"
#include "nets/evaluator.hpp"
#include "search/gumbel.hpp"
#include "search/playout.hpp"

namespace kiebitz::search {

// Simulations begin at one position.
template <GameLike G>
struct OneRoot {
  static constexpr bool kWorlds = false;
  typename G::State state;
  std::vector<std::uint64_t> seen;  // keys before it that could repeat
  const typename G::State& draw(Rng&) const { return state; }
};

// Each simulation begins in another world, in which the observer is to move.
template <class Sampler>
struct WorldRoots {
  static constexpr bool kWorlds = true;
  Sampler sampler;
  int observer;
  std::vector<std::uint64_t> seen{};
  auto draw(Rng& rng) {
    auto world = sampler.draw(rng);
    if (world.player() != observer) throw Error("a world in which somebody else is to move");
    return world;
  }
};

template <GameLike G, class Roots>
class GuidedTree {
 public:
  using State = typename G::State;

  // Children are a linked list in the order of their actions; in worlds, where they become known one by one, the
  // later ones come first.
  struct Node {
    double total = 0;          // payoffs of the player who moved here
    std::uint32_t visits = 0;  // simulations through this node that have come back
    std::uint32_t flying = 0;  // and those that have not
    std::uint32_t first = 0;   // child; 0: none
    std::uint32_t next = 0;    // sibling; 0: none
    std::int32_t action = kNoAction;
    std::int8_t mover = 0;           // the player who moved here; tells siblings apart as well
    std::int8_t player = kTerminal;  // who was to move at the first leaf here
    bool judged = false;
    bool asked = false;  // waits for the evaluator
    float prior = 0;     // in worlds: its logit, because a prior depends on which siblings are open
    float value = 0;     // of the first leaf here, for the player who was to move
    double proven = std::numeric_limits<double>::quiet_NaN();  // the certain payoff of the player who moved here
    bool is_proven() const { return !std::isnan(proven); }
  };

  struct Limits {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;  // 0: none
    bool proofs = false;     // what is certain counts as such, and a certain root ends the search
  };

  struct Counters {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;     // the root not counted
    std::int64_t inner = 0;     // nodes that got children
    std::int64_t playouts = 0;  // simulations that ended with a judgement
    std::int64_t depth_sum = 0;
    std::int64_t depth_squares = 0;
    int deepest = 0;
  };

  template <class Options>
  GuidedTree(const G& game, const Options& options, std::uint64_t bytes)
      : info_(game.info()),
        options_(options),
        // While the array grows, the old and the new one are both in memory.
        most_(static_cast<std::size_t>(std::clamp<std::uint64_t>(
            bytes / sizeof(Node) / 2, static_cast<std::uint64_t>(info_.max_legal) + 1, 0xFFFFFFF0U))),
        playouts_(game, playout_options(options)),
        marks_(Roots::kWorlds ? static_cast<std::size_t>(std::max(info_.actions, 1)) : 0) {
    const double range = info_.max_payoff - info_.min_payoff;
    unit_ = static_cast<float>(options.scale == Scale::unit && range > 0 ? range : 1);
  }

  void start(Roots roots, Rng rng, Limits limits, const RootPolicy& policy = {}) {
    rng_ = rng;
    forget();
    go_on(std::move(roots), limits, policy);
  }

  // The same with what is known from before: advance() has led here.
  void go_on(Roots roots, Limits limits, const RootPolicy& policy) {
    roots_.emplace(std::move(roots));
    // Visits are 32 bits wide.
    limits_ = limits;
    limits_.iterations = std::min<std::int64_t>(limits.iterations, 4'000'000'000);
    proves_ = limits.proofs && !Roots::kWorlds && info_.players == 2 && info_.min_payoff < info_.max_payoff &&
              (info_.utility == Utility::zero_sum || info_.utility == Utility::constant_sum);
    root_proven_ = false;
    policy_ = policy;
    playouts_under_way_ = 0;
    std::ranges::fill(details_, 0.0);
    counters_ = {};
    full_ = false;
    waiting_.clear();
    trails_.clear();
    playouts_.reset();
    if (nodes_[0].judged) prepare_root();
  }

  // Makes a child the root: what was found below it stays.
  void advance(Action a)
    requires(!Roots::kWorlds)
  {
    std::uint32_t from = nodes_[0].first;
    while (from != 0 && nodes_[from].action != a) from = nodes_[from].next;
    if (from == 0) {
      forget();
      return;
    }
    // Breadth first; the links of a node that was moved still point to the old places of its children.
    kept_.assign(1, nodes_[from]);
    kept_[0].next = 0;
    kept_[0].action = kNoAction;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      std::uint32_t child = std::exchange(kept_[i].first, 0);
      if (child != 0) kept_[i].first = static_cast<std::uint32_t>(kept_.size());
      for (; child != 0; child = nodes_[child].next) {
        kept_.push_back(nodes_[child]);
        kept_.back().next = nodes_[child].next == 0 ? 0 : static_cast<std::uint32_t>(kept_.size());
      }
    }
    std::swap(nodes_, kept_);
    root_children_.clear();
    for (std::uint32_t i = nodes_[0].first; i != 0; i = nodes_[i].next) root_children_.push_back(i);
    details_.assign(root_children_.size() * stride(), 0.0);
  }

  // Simulates until `most` more positions wait for the evaluator, as the last rows of `out`; fewer if the budget ends,
  // if all ways lead to positions that wait already, or after many simulations that needed no judgement. Returns how
  // many wait.
  int collect(nets::Positions& out, int most) {
    int count = 0;
    for (int tries = 0; count < most && tries < kMostAtOnce && !finished(); ++tries) {
      const Leaf leaf = descend(out);
      if (leaf == Leaf::blocked) {
        if (policy_.gumbel && nodes_[0].judged) halving_.take_back();
        break;
      }
      count += leaf == Leaf::asked;
    }
    return count;
  }

  // The answers to everything that collect() has asked since, from this row on.
  void absorb(const nets::Positions& positions, const nets::Judgements& judged, std::size_t row) {
    for (Waiting& waiting : waiting_) {
      const std::span<const std::uint32_t> trail(trails_.data() + waiting.trail, waiting.length);
      const float* values = judged.values.data() + row * positions.players;
      double* const payoffs = waiting.payoffs.data();
      const auto mover = static_cast<std::size_t>(positions.movers[row]);
      if (trail.size() == 1) root_value_ = values[mover];
      if (options_.values == LeafValues::evaluator) {
        for (std::size_t p = 0; p < positions.players; ++p) {
          payoffs[p] = std::clamp<double>(values[p], info_.min_payoff, info_.max_payoff);
        }
      }
      nodes_[trail.back()].asked = false;
      if (waiting.inside) {
        expand(trail.back(), positions, row, judged.logits.data() + row * positions.actions, payoffs[mover]);
      }
      for (const std::uint32_t i : trail) --nodes_[i].flying;
      ++counters_.playouts;
      backpropagate(trail, payoffs);
      ++row;
    }
    waiting_.clear();
    trails_.clear();
    playouts_under_way_ = 0;
  }

  // With a default policy: every playout of a waiting simulation that is not over adds the position in which it stands,
  // and then takes an action drawn from what was said of it, from this row on.
  void ask_playouts(nets::Positions& out) {
    for (std::size_t i = 0; i < playouts_under_way_; ++i) {
      Playing& playing = playing_[i];
      while (!playing.over && playing.state.player() == kChance) {
        playing.path.apply(playing.state, random_outcome(playing.state, rng_, playouts_.outcomes()));
      }
      if (playing.over) continue;
      double* const payoffs = waiting_[i].payoffs.data();
      if (playing.state.player() == kTerminal) {
        playouts_.finish(playing.state, payoffs);
        playing.over = true;
      } else if (playouts_.exact(playing.state, payoffs)) {
        playing.over = true;
      } else {
        nets::add_position<G>(playing.state, playouts_.actions(), playing.state.legal(playouts_.actions()), out);
      }
    }
  }
  void advance_playouts(const nets::Positions& positions, const nets::Judgements& judged, std::size_t row) {
    for (std::size_t i = 0; i < playouts_under_way_; ++i) {
      Playing& playing = playing_[i];
      if (playing.over) continue;
      const float* logits = judged.logits.data() + row++ * positions.actions;
      const int count = playing.state.legal(playouts_.actions());
      const std::span<const Action> legal(playouts_.actions(), static_cast<std::size_t>(count));
      float most = -std::numeric_limits<float>::infinity();
      for (const Action a : legal) most = std::max(most, logits[a]);
      double sum = 0;
      for (const Action a : legal) sum += std::exp(logits[a] - most);
      double left = sum * rng_.unit();
      Action chosen = legal.back();
      for (const Action a : legal) {
        left -= std::exp(logits[a] - most);
        if (left >= 0) continue;
        chosen = a;
        break;
      }
      playing.path.apply(playing.state, chosen);
      if (++playing.actions > info_.max_length) {
        throw Error(info_.name + ": a game went on beyond max_length = " + std::to_string(info_.max_length) +
                    " actions");
      }
    }
  }

  // Never before the first simulation.
  bool finished() const {
    return counters_.iterations + static_cast<std::int64_t>(waiting_.size()) >= limits_.iterations ||
           (counters_.iterations > 0 && (root_proven_ || (limits_.nodes > 0 && counters_.nodes >= limits_.nodes)));
  }

  const Counters& counters() const { return counters_; }
  bool full() const { return full_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // Sums over the simulations of this search through a child of the root: squares of the mover's payoff, every player's
  // payoff, and how many they are.
  const double* details(std::uint32_t child) const { return details_.data() + child_rank(child) * stride(); }

  // Where the search of a root is over: the action that Gumbel's way chose, and for every action of the game its
  // probability in the improved policy (Gumbel's, or the shares of visits).
  Action chosen() {
    weigh_root();
    return nodes_[root_children_[halving_.best(values_)]].action;
  }
  void improved(float* out) {
    std::fill_n(out, info_.actions, 0.0F);
    if (policy_.gumbel) {
      weigh_root();
      float most = -std::numeric_limits<float>::infinity();
      for (std::size_t i = 0; i < values_.size(); ++i) most = std::max(most, values_[i] += logits_[i]);
      for (std::size_t i = 0; i < values_.size(); ++i) {
        out[nodes_[root_children_[i]].action] = std::exp(values_[i] - most);
      }
    } else {
      for (const std::uint32_t i : root_children_) out[nodes_[i].action] = static_cast<float>(nodes_[i].visits);
    }
    const float sum = std::accumulate(out, out + info_.actions, 0.0F);
    for (Action a = 0; a < info_.actions; ++a) out[a] /= sum;
  }
  // Every player's expected payoff when the root is played by such a policy, as far as this search knows: what it did
  // not look at is left out.
  void expected(const float* policy, double* out) const {
    std::fill_n(out, info_.players, 0.0);
    double known = 0;
    for (std::size_t rank = 0; rank < root_children_.size(); ++rank) {
      const double* detail = details_.data() + rank * stride();
      const double count = detail[stride() - 1];
      if (count == 0) continue;
      const double share = std::max<double>(policy[nodes_[root_children_[rank]].action], 1e-9);
      known += share;
      for (int p = 0; p < info_.players; ++p) out[p] += share * detail[p + 1] / count;
    }
    for (int p = 0; p < info_.players && known > 0; ++p) out[p] /= known;
  }

  // What the evaluator said of the root: its value for the player to move, and for each of these actions its
  // probability.
  double root_value() const { return root_value_; }
  std::vector<double> root_priors(std::span<const Action> actions) const {
    std::vector<double> out(actions.size());
    double sum = 0;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      for (const std::uint32_t child : root_children_) {
        const double prior = nodes_[child].prior;
        if (nodes_[child].action == actions[i]) out[i] = Roots::kWorlds ? std::exp(prior) : prior;
      }
      sum += out[i];
    }
    for (double& prior : out) prior /= sum > 0 ? sum : 1;
    return out;
  }

  // The certain payoff of the player who moved to a node; not a number where there is none.
  double proven(std::uint32_t i) const { return nodes_[i].proven; }

  // The child of a node by its action; 0: none that was visited.
  std::uint32_t child(Action a, std::uint32_t at = 0) const {
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      if (nodes_[i].action == a && nodes_[i].visits > 0) return i;
    }
    return 0;
  }

 private:
  static constexpr int kMostAtOnce = 256;  // simulations of one turn, those included that need no judgement
  // How much less than its parent an action is worth before anybody has tried it, in shares of the range of payoffs.
  static constexpr float kUntried = 0.1F;
  // Noise is drawn from a Dirichlet distribution with this sum: 0.3 each at some 35 actions, as for chess.
  static constexpr double kNoise = 10;

  enum class Leaf { valued, asked, blocked };
  struct Waiting {
    std::size_t trail;
    std::size_t length;
    bool inside;  // the judged position is that of the last node
    Payoffs payoffs{};
  };
  // Its playout by a default policy.
  struct Playing {
    State state;
    Path<State> path;
    int actions = 0;
    bool over = false;
  };

  template <class Options>
  static PlayoutOptions playout_options(const Options& options) {
    PlayoutOptions out{
        .calls = options.playout_calls, .solve_last = options.solve_last, .check_range = options.scale == Scale::unit};
    if constexpr (std::is_same_v<Options, UctOptions>) {
      out.kind = options.playout;
      out.noise = options.noise;
    }
    return out;
  }

  // The best proven payoff among the actions of a node; minus infinity: none is proven.
  double surest(std::uint32_t at) const {
    double best = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      if (nodes_[i].is_proven()) best = std::max(best, nodes_[i].proven);
    }
    return best;
  }
  // Whether there is no need to look at an action of an unproven node, with the best proven payoff there: it certainly
  // loses, another one is certainly better, or it is the root's and certain anyway.
  bool is_settled(std::uint32_t at, const Node& child, double surest) const {
    return child.is_proven() && (at == 0 || child.proven < surest || child.proven <= info_.min_payoff);
  }
  // Whether the value of a node follows from those of its children.
  bool follows(std::uint32_t at) const {
    bool all = true;
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      if (nodes_[i].mover < 0) return false;  // chance
      if (nodes_[i].is_proven() && nodes_[i].proven >= info_.max_payoff) return true;
      all = all && nodes_[i].is_proven();
    }
    return all;
  }
  // Every player's payoff, if this is that of one of the two.
  void tell(double worth, int player, double* out) const {
    out[player] = worth;
    out[1 - player] = info_.payoff_sum - worth;
  }
  // The last node of a way ends with certain payoffs: what follows for those before it.
  void prove(std::span<const std::uint32_t> trail, const double* payoffs) {
    for (std::size_t k = trail.size() - 1; k > 0; --k) {
      Node& node = nodes_[trail[k]];
      if (node.mover < 0) return;
      double worth[2];
      if (k == trail.size() - 1) {
        std::copy_n(payoffs, 2, worth);
      } else {
        tell(surest(trail[k]), nodes_[node.first].mover, worth);
      }
      node.proven = worth[node.mover];
      if (!follows(trail[k - 1])) return;
    }
    root_proven_ = true;
  }

  // One simulation down to its leaf. Where chance leads beyond the memory, the last node stands for what follows.
  Leaf descend(nets::Positions& out) {
    State state = roots_->draw(rng_);
    path_.reset(state, roots_->seen);
    const std::size_t begin = trails_.size();
    std::uint32_t at = 0;
    bool inside = true;
    trails_.push_back(0);
    for (;;) {
      const int player = state.player();
      double payoffs[kMaxPlayers];
      if (inside && at != 0 && nodes_[at].is_proven()) {
        tell(nodes_[at].proven, nodes_[at].mover, payoffs);
        return arrive(begin, payoffs);
      }
      if (player == kTerminal) {
        playouts_.finish(state, payoffs);
        if (proves_ && inside) prove(std::span<const std::uint32_t>(trails_).subspan(begin), payoffs);
        return arrive(begin, payoffs);
      }
      if (player == kChance) {
        const Action a = random_outcome(state, rng_, playouts_.outcomes());
        path_.apply(state, a);
        if (inside) inside = follow(at, a);
        continue;
      }
      if (at != 0 && playouts_.exact(state, payoffs)) return arrive(begin, payoffs);
      const int count = state.legal(playouts_.actions());
      const std::uint32_t next = inside && nodes_[at].judged ? choose(at, state, count) : 0;
      if (next == 0) return ask(state, count, begin, inside, out);
      path_.apply(state, nodes_[next].action);
      if constexpr (HasCalls<State>) {
        if (at == 0 && options_.tree_calls != Calls::all) state.restrict_calls(options_.tree_calls);
      }
      trails_.push_back(next);
      at = next;
    }
  }

  // A leaf whose payoffs are known.
  Leaf arrive(std::size_t begin, const double* payoffs) {
    backpropagate(std::span<const std::uint32_t>(trails_).subspan(begin), payoffs);
    trails_.resize(begin);
    return Leaf::valued;
  }

  // A leaf for the evaluator.
  Leaf ask(const State& state, int count, std::size_t begin, bool inside, nets::Positions& out) {
    Node& leaf = nodes_[trails_.back()];
    if (leaf.asked) {
      trails_.resize(begin);
      return Leaf::blocked;
    }
    leaf.asked = true;
    for (std::size_t i = begin; i < trails_.size(); ++i) ++nodes_[trails_[i]].flying;
    waiting_.push_back({begin, trails_.size() - begin, inside});
    nets::add_position<G>(state, playouts_.actions(), count, out);
    if (options_.values == LeafValues::playout) play_out(state);
    return Leaf::asked;
  }

  // Of the simulation that waits last: at once with random actions, otherwise step by step (ask_playouts).
  void play_out(const State& state) {
    if (!options_.default_policy) {
      State end = state;
      playouts_.run(end, path_, rng_, waiting_.back().payoffs.data());
      return;
    }
    if (playing_.size() <= playouts_under_way_) {
      playing_.push_back({state, path_});
    } else {
      playing_[playouts_under_way_] = {state, path_};
    }
    ++playouts_under_way_;
  }

  // Nothing but an unknown root.
  void forget() {
    nodes_.clear();
    nodes_.emplace_back();
    root_children_.clear();
    details_.clear();
  }

  // Once the children of the root are known.
  void prepare_root() {
    if (policy_.gumbel) {
      logits_.clear();
      for (const std::uint32_t i : root_children_) logits_.push_back(std::log(std::max(nodes_[i].prior, 1e-30F)));
      halving_.start(logits_, limits_.iterations, policy_.considered, rng_);
    } else if (policy_.noise > 0) {
      values_.clear();
      double sum = 0;
      for (std::size_t i = 0; i < root_children_.size(); ++i) {
        values_.push_back(static_cast<float>(draw_gamma(kNoise / static_cast<double>(root_children_.size()), rng_)));
        sum += values_.back();
      }
      for (std::size_t i = 0; i < root_children_.size() && sum > 0; ++i) {
        float& prior = nodes_[root_children_[i]].prior;
        prior = static_cast<float>((1 - policy_.noise) * prior + policy_.noise * values_[i] / sum);
      }
    }
  }

  // Logits of what the actions of the root are worth; those without a visit count as what the visited ones and the
  // evaluator say of the root together.
  void weigh_root() {
    const double low = info_.min_payoff;
    const double range = std::max(info_.max_payoff - low, 1e-9);
    double visits = 0;
    double priors = 0;
    double mean = 0;
    std::uint32_t most = 0;
    for (const std::uint32_t i : root_children_) {
      const Node& child = nodes_[i];
      if (child.visits == 0) continue;
      visits += child.visits;
      priors += child.prior;
      mean += child.prior * child.total / child.visits;
      most = std::max(most, child.visits);
    }
    double mixed = nodes_[0].value;
    if (priors > 0) mixed = (mixed + visits * mean / priors) / (1 + visits);
    values_.clear();
    for (const std::uint32_t i : root_children_) {
      const Node& child = nodes_[i];
      const double value = child.visits > 0 ? child.total / child.visits : mixed;
      values_.push_back(value_logit((value - low) / range, most, policy_.scale));
    }
  }

  // The child with the largest bound among those that are open here; 0: an open action has no child yet.
  std::uint32_t choose(std::uint32_t at, const State& state, int count) {
    const int player = state.player();
    if constexpr (!Roots::kWorlds) {
      if (at == 0 && policy_.gumbel) {
        check(state, 0, static_cast<int>(root_children_.size()), count);
        return root_children_[halving_.next([this]() -> std::span<const float> {
          weigh_root();
          return values_;
        })];
      }
    }
    if constexpr (Roots::kWorlds) {
      // A new stamp for this world and node.
      ++stamp_;
      for (int i = 0; i < count; ++i) marks_[static_cast<std::size_t>(playouts_.actions()[i])] = stamp_;
    }
    const auto open = [&](const Node& child) {
      if constexpr (!Roots::kWorlds) return true;
      return child.mover == player && marks_[static_cast<std::size_t>(child.action)] == stamp_;
    };
    const bool same = nodes_[at].player == player;  // in other worlds another player may be to move here
    int found = 0;
    double total = same ? nodes_[at].value : 0;
    std::uint32_t visits = same ? 1 : 0;
    std::uint32_t tried = 0;
    float largest = -std::numeric_limits<float>::infinity();
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      const Node& child = nodes_[i];
      if (!open(child)) continue;
      ++found;
      total += child.total;
      visits += child.visits;
      tried += child.visits + child.flying;
      largest = std::max(largest, child.prior);
    }
    check(state, at, found, count);
    if (found < count) return 0;
    const double middle = (info_.min_payoff + info_.max_payoff) / 2;
    const float untried = static_cast<float>(visits > 0 ? total / visits : middle) - kUntried * unit_;
    float weight = static_cast<float>(options_.c) * unit_ * std::sqrt(static_cast<float>(std::max(tried, 1U)));
    if constexpr (Roots::kWorlds) {
      float sum = 0;
      for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
        if (open(nodes_[i])) sum += std::exp(nodes_[i].prior - largest);
      }
      weight /= sum;
    }
    const double sure = proves_ ? surest(at) : 0;
    const auto prior = [&](const Node& child) {
      return Roots::kWorlds ? std::exp(child.prior - largest) : child.prior;
    };
    std::uint32_t best = 0;
    float most = -std::numeric_limits<float>::infinity();
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      const Node& child = nodes_[i];
      if (!open(child) || (proves_ && is_settled(at, child, sure))) continue;
      const std::uint32_t n = child.visits + child.flying;
      const float mean =
          n == 0 ? untried
                 : static_cast<float>((child.total + child.flying * info_.min_payoff) / static_cast<double>(n));
      const float bound = child.is_proven() ? static_cast<float>(child.proven)
                                            : mean + weight * prior(child) / static_cast<float>(1 + n);
      if (best == 0 || bound > most || (bound == most && child.action < nodes_[best].action)) {
        most = bound;
        best = i;
      }
    }
    return best;
  }

  // The tree trusts that the same actions lead to the same position. Compiled rules are tested for that; a game written
  // in Python may do anything.
  void check(const State& state, std::uint32_t at, int found, int count) const {
    if constexpr (NeedsInterpreter<G> && !Roots::kWorlds) {
      if (found == count && nodes_[nodes_[at].first].mover == state.player()) return;
      throw Error(info_.name +
                  ": the same actions led to another position; expected an apply() that always does the same "
                  "and a copy() that shares nothing");
    } else {
      (void)state;
      (void)at;
      (void)found;
      (void)count;
    }
  }

  // Walks on to the child of a chance move; false if memory is used up.
  bool follow(std::uint32_t& at, Action a) {
    std::uint32_t next = nodes_[at].first;
    while (next != 0 && (nodes_[next].action != a || nodes_[next].mover != kChance)) next = nodes_[next].next;
    if (next == 0) next = add(at, a, kChance, 1);
    if (next == 0) return false;
    trails_.push_back(next);
    at = next;
    return true;
  }

  // A new first child; 0 if memory is used up.
  std::uint32_t add(std::uint32_t at, Action a, int mover, float prior) {
    if (nodes_.size() >= most_) {
      full_ = true;
      return 0;
    }
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    Node node;
    node.action = a;
    node.mover = static_cast<std::int8_t>(mover);
    node.prior = prior;
    node.next = nodes_[at].first;
    if (node.next == 0) ++counters_.inner;
    ++counters_.nodes;
    if (nodes_.size() == nodes_.capacity()) nodes_.reserve(std::min(2 * nodes_.size(), most_));
    nodes_.push_back(node);
    nodes_[at].first = fresh;
    if (at == 0) {
      root_children_.push_back(fresh);
      details_.resize(details_.size() + stride(), 0.0);
    }
    return fresh;
  }

  // Gives a judged node a child for each legal action that has none, all or none of them.
  void expand(std::uint32_t at, const nets::Positions& positions, std::size_t row, const float* logits, double value) {
    const std::uint8_t* legal = positions.allowed(row);
    const int mover = positions.movers[row];
    const auto actions = static_cast<Action>(positions.actions);
    float most = -std::numeric_limits<float>::infinity();
    std::size_t count = 0;
    for (Action a = 0; a < actions; ++a) {
      if (legal[a] == 0) continue;
      most = std::max(most, logits[a]);
      ++count;
    }
    float sum = 0;
    for (Action a = 0; a < actions; ++a) {
      if (legal[a] != 0) sum += std::exp(logits[a] - most);
    }
    if (nodes_.size() + count > most_) {
      full_ = true;
      return;
    }
    if (!nodes_[at].judged) {
      nodes_[at].value = static_cast<float>(value);
      nodes_[at].player = static_cast<std::int8_t>(mover);
    }
    nodes_[at].judged = true;
    if constexpr (Roots::kWorlds) {
      ++stamp_;
      for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
        if (nodes_[i].mover == mover) marks_[static_cast<std::size_t>(nodes_[i].action)] = stamp_;
      }
    }
    for (Action a = actions - 1; a >= 0; --a) {
      if (legal[a] == 0) continue;
      if constexpr (Roots::kWorlds) {
        if (marks_[static_cast<std::size_t>(a)] == stamp_) continue;
      }
      add(at, a, mover, Roots::kWorlds ? logits[a] : std::exp(logits[a] - most) / sum);
    }
    if constexpr (!Roots::kWorlds) {
      if (at == 0) prepare_root();
    }
  }

  void backpropagate(std::span<const std::uint32_t> trail, const double* payoffs) {
    for (const std::uint32_t i : trail) {
      Node& node = nodes_[i];
      ++node.visits;
      node.total += payoffs[std::max<int>(node.mover, 0)];
    }
    if (trail.size() > 1) {
      double* const detail = details_.data() + child_rank(trail[1]) * stride();
      const double own = payoffs[std::max<int>(nodes_[trail[1]].mover, 0)];
      detail[0] += own * own;
      for (int p = 0; p < info_.players; ++p) detail[p + 1] += payoffs[p];
      ++detail[stride() - 1];
    }
    const auto depth = static_cast<std::int64_t>(trail.size()) - 1;
    if (depth == 0) return;  // to judge the root is no simulation yet
    ++counters_.iterations;
    counters_.depth_sum += depth;
    counters_.depth_squares += depth * depth;
    counters_.deepest = std::max(counters_.deepest, static_cast<int>(depth));
  }

  std::size_t stride() const { return static_cast<std::size_t>(info_.players) + 2; }
  std::size_t child_rank(std::uint32_t child) const {
    return static_cast<std::size_t>(std::ranges::find(root_children_, child) - root_children_.begin());
  }

  const GameInfo& info_;
  const TreeOptions& options_;
  const std::size_t most_;
  float unit_ = 1;
  Playouts<G> playouts_;
  std::optional<Roots> roots_;
  Path<State> path_;
  Rng rng_;
  Limits limits_;
  Counters counters_;
  bool full_ = false;
  bool proves_ = false;
  bool root_proven_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> root_children_;  // in the order of `details_`
  std::vector<double> details_;
  std::vector<Waiting> waiting_;       // simulations that wait for the evaluator, in the order of their questions
  std::vector<std::uint32_t> trails_;  // their nodes, one after the other
  std::vector<Playing> playing_;       // and their playouts
  std::size_t playouts_under_way_ = 0;
  double root_value_ = 0;
  std::vector<std::uint64_t> marks_;  // by action
  std::uint64_t stamp_ = 0;
  RootPolicy policy_;
  SequentialHalving halving_;
  std::vector<float> logits_;  // of the priors of the root's children
  std::vector<float> values_;
  std::vector<Node> kept_;  // room for advance()
};

}  // namespace kiebitz::search
