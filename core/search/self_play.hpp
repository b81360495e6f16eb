// Games that an evaluator plays against itself with a tree search, for learning from them (AlphaZero; Silver et al.
// 2018): many games side by side, all positions that their trees ask about in one batch. Each decision that got a full
// search becomes a row: what the mover saw, the improved policy of the search, and how the game ended.
//
// Some searches may be small ones that only choose the move (playout cap randomisation; Wu 2019). Game number n depends
// on the seed, on n and on the evaluator alone: neither batches nor threads nor other games change it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "nets/evaluator.hpp"
#include "search/guided_tree.hpp"
#include "search/options.hpp"
#include "search/played_games.hpp"
#include "search/workers.hpp"

namespace kiebitz::search {

template <GameLike G>
class SelfPlay {
 public:
  using State = typename G::State;
  using Tree = GuidedTree<G, OneRoot<G>>;

  // `game` must outlive it.
  SelfPlay(const G& game, const SelfPlayOptions& options) : game_(game), info_(game.info()), options_(options) {
    check_options(options);
    if (info_.hidden) throw UnsuitableGame("self_play: expected a game without hidden information, got " + info_.name);
    if (options.full_share < 1 && options.fast_simulations > options.simulations) {
      throw ParameterError("fast_simulations: expected at most as many as simulations, " +
                           std::to_string(options.simulations));
    }
    tree_options_.c = options.c;
  }

  PlayedGames run(const nets::Evaluator& evaluator, std::uint64_t seed, int games, Stop& stop) {
    evaluator.check(info_);
    std::vector<Record> records(static_cast<std::size_t>(games));
    std::atomic<int> next{0};
    std::atomic<std::int64_t> simulations{0};
    std::atomic<std::int64_t> judged{0};
    const int workers = NeedsInterpreter<G> ? 1 : options_.threads;
    share_jobs(workers, workers, stop, [&](int worker, int) {
      Table table(*this, evaluator, seed, games, next, records);
      table.play(stop, worker);
      simulations += table.simulations;
      judged += table.judged;
    });
    PlayedGames out;
    out.simulations = simulations;
    out.judged = judged;
    out.stopped = std::ranges::any_of(records, [](const Record& record) { return !record.over; });
    if (!out.stopped) {
      for (std::size_t n = 0; n < records.size(); ++n) append(out, records[n], static_cast<int>(n));
    }
    return out;
  }

 private:
  // One game as it was played.
  struct Record {
    std::vector<float> tensors;
    std::vector<std::uint8_t> legal;
    std::vector<float> policy;
    std::vector<double> expected;
    std::vector<std::uint8_t> full;
    std::vector<std::int32_t> movers;
    std::vector<std::int32_t> plies;
    std::array<double, kMaxPlayers> returns{};
    int length = 0;
    bool over = false;
  };

  struct Slot {
    Slot(const SelfPlay& play, std::uint64_t bytes)
        : tree(play.game_, play.tree_options_, bytes), state(play.game_.root()) {}
    Tree tree;
    State state;
    Path<State> path;
    Rng rng;
    int game = -1;  // none
    int length = 0;
    bool full = false;
    bool known = false;  // the tree has led here
  };

  // The games of one thread.
  class Table {
   public:
    Table(SelfPlay& play, const nets::Evaluator& evaluator, std::uint64_t seed, int games, std::atomic<int>& next,
          std::vector<Record>& records)
        : play_(play),
          info_(play.info_),
          evaluator_(evaluator),
          seed_(seed),
          games_(games),
          next_(next),
          records_(records),
          row_(info_),
          positions_(info_),
          actions_(static_cast<std::size_t>(std::max(info_.max_legal, 1))),
          outcomes_(actions_.size()) {
      const int slots = std::min(play.options_.slots, games);
      for (int s = 0; s < slots; ++s) slots_.emplace_back(play, kTreeBytes);
    }

    void play(Stop& stop, int worker) {
      for (Slot& slot : slots_) begin(slot);
      nets::Judgements judgements;
      std::vector<std::pair<Slot*, std::size_t>> asked;
      for (;;) {
        positions_.clear();
        asked.clear();
        for (Slot& slot : slots_) {
          if (slot.game < 0) continue;
          asked.emplace_back(&slot, positions_.count);
          slot.tree.collect(positions_, 1);
        }
        if (asked.empty()) return;
        if (positions_.count > 0) {
          judgements.resize(positions_);
          evaluator_.judge(positions_, judgements);
          nets::check_judgements(positions_, judgements);
          judged += static_cast<std::int64_t>(positions_.count);
        }
        for (const auto& [slot, row] : asked) {
          slot->tree.absorb(positions_, judgements, row);
          if (slot->tree.finished()) decide(*slot);
        }
        if (should_stop(stop, worker)) return;
      }
    }

    std::int64_t simulations = 0;
    std::int64_t judged = 0;

   private:
    static constexpr std::uint64_t kTreeBytes = std::uint64_t{64} << 20;  // taken as it is needed

    // The next game of the set, if there is one.
    void begin(Slot& slot) {
      for (;;) {
        const int number = next_++;
        slot.game = number < games_ ? number : -1;
        if (slot.game < 0) return;
        slot.rng = Rng(mix64(seed_) + static_cast<std::uint64_t>(number));
        slot.state = play_.game_.root();
        slot.path.reset(slot.state, {});
        slot.length = 0;
        slot.known = false;
        Record& record = records_[static_cast<std::size_t>(number)];
        int random = static_cast<int>(slot.rng.below(static_cast<std::uint32_t>(play_.options_.random_plies) + 1));
        while (resolve_chance(slot), random > 0 && slot.state.player() >= 0) {
          slot.path.apply(slot.state, random_action(slot.state, slot.rng, actions_.data()));
          ++slot.length;
          --random;
        }
        if (next_search(slot)) return;
        finish(slot, record);
      }
    }

    // Up to the next decision that needs a search; false if the game is over.
    bool next_search(Slot& slot) {
      for (;;) {
        resolve_chance(slot);
        if (slot.state.player() == kTerminal) return false;
        if (slot.state.legal(actions_.data()) > 1) break;
        apply(slot, actions_[0]);
      }
      const SelfPlayOptions& options = play_.options_;
      slot.full = slot.rng.unit() < options.full_share;
      RootPolicy policy;
      policy.gumbel = options.root == Root::gumbel;
      policy.considered = options.considered;
      policy.scale = options.scale;
      policy.noise = slot.full ? options.noise : 0;
      const typename Tree::Limits limits{slot.full ? options.simulations : options.fast_simulations, 0};
      OneRoot<G> root{slot.state, slot.path.seen()};
      if (slot.known) {
        slot.tree.go_on(std::move(root), limits, policy);
      } else {
        slot.tree.start(std::move(root), Rng(slot.rng.next()), limits, policy);
      }
      slot.known = options.reuse;
      return true;
    }

    // The search is over: writes down what it found and plays on.
    void decide(Slot& slot) {
      Record& record = records_[static_cast<std::size_t>(slot.game)];
      simulations += slot.tree.counters().iterations;
      const auto actions = static_cast<std::size_t>(info_.actions);
      const int mover = slot.state.player();
      const int count = slot.state.legal(actions_.data());
      row_.clear();
      nets::add_position<G>(slot.state, actions_.data(), count, row_);
      record.tensors.insert(record.tensors.end(), row_.tensor(0), row_.tensor(0) + row_.tensor_size);
      record.legal.insert(record.legal.end(), row_.allowed(0), row_.allowed(0) + actions);
      record.policy.resize(record.policy.size() + actions);
      float* const policy = record.policy.data() + record.policy.size() - actions;
      slot.tree.improved(policy);
      double expected[kMaxPlayers];
      slot.tree.expected(policy, expected);
      record.expected.insert(record.expected.end(), expected, expected + info_.players);
      record.full.push_back(slot.full);
      record.movers.push_back(mover);
      record.plies.push_back(slot.length);
      apply(slot, choice(slot, policy));
      if (next_search(slot)) return;
      finish(slot, record);
      begin(slot);
    }

    Action choice(Slot& slot, const float* policy) {
      if (play_.options_.root == Root::gumbel) return slot.tree.chosen();
      if (slot.length < play_.options_.drawn_plies) {
        double left = slot.rng.unit();
        Action last = 0;
        for (Action a = 0; a < info_.actions; ++a) {
          if (policy[a] <= 0) continue;
          last = a;
          if ((left -= policy[a]) < 0) break;
        }
        return last;
      }
      return static_cast<Action>(std::max_element(policy, policy + info_.actions) - policy);
    }

    void apply(Slot& slot, Action a) {
      slot.path.apply(slot.state, a);
      if (slot.known) slot.tree.advance(a);
      ++slot.length;
    }

    void resolve_chance(Slot& slot) {
      while (slot.state.player() == kChance) {
        const Action a = random_outcome(slot.state, slot.rng, outcomes_.data());
        slot.path.apply(slot.state, a);
        if (slot.known) slot.tree.advance(a);
      }
    }

    void finish(Slot& slot, Record& record) {
      slot.state.returns(record.returns.data());
      record.length = slot.length;
      record.over = true;
    }

    SelfPlay& play_;
    const GameInfo& info_;
    const nets::Evaluator& evaluator_;
    const std::uint64_t seed_;
    const int games_;
    std::atomic<int>& next_;
    std::vector<Record>& records_;
    std::deque<Slot> slots_;
    nets::Positions row_;
    nets::Positions positions_;
    std::vector<Action> actions_;
    std::vector<Outcome> outcomes_;
  };

  void append(PlayedGames& out, const Record& record, int number) const {
    const auto players = static_cast<std::size_t>(info_.players);
    const auto copy = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    copy(out.tensors, record.tensors);
    copy(out.legal, record.legal);
    copy(out.policy, record.policy);
    copy(out.full, record.full);
    copy(out.movers, record.movers);
    copy(out.plies, record.plies);
    for (std::size_t row = 0; row < record.movers.size(); ++row) {
      for (std::size_t k = 0; k < players; ++k) {
        const std::size_t p = (static_cast<std::size_t>(record.movers[row]) + k) % players;
        out.outcome.push_back(static_cast<float>(record.returns[p]));
        out.expected.push_back(static_cast<float>(record.expected[row * players + p]));
      }
      out.games.push_back(number);
    }
    out.returns.insert(out.returns.end(), record.returns.begin(), record.returns.begin() + info_.players);
    out.lengths.push_back(record.length);
  }

  const G& game_;
  const GameInfo& info_;
  SelfPlayOptions options_;
  TreeOptions tree_options_;
};

}  // namespace kiebitz::search
