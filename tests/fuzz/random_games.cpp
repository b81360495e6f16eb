// Random games of every compiled game through the surface that Python sees, meant to run under the sanitizers.
//
//   random_games [--games N | --seconds S] [--seed K] [--threads T] [GAME ...]
//
// Rules vary: defaults, presets, random parameters, random trees. Every game is played to its end; some positions on
// the way get all checks of the contract (names, saving, views, copies, refusals, broken input, a small search). The
// first finding ends the program with the game, its rules and the actions that lead there.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/key_text.hpp"
#include "bind/any.hpp"
#include "fuzz/random_rules.hpp"

namespace kiebitz::fuzz {
namespace {

using bind::AnyGame;
using bind::AnyState;
using bind::AnyView;
using bind::GameKind;
using Clock = std::chrono::steady_clock;

constexpr int kGamesPerRules = 50;           // games with the same rules
constexpr std::uint32_t kCheckOneIn = 24;    // positions that get all checks
constexpr std::uint32_t kSearchOneIn = 250;  // checked positions that are searched, too
constexpr double kRounding = 1e-9;

struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect(bool condition, const char* what) {
  if (!condition) throw Finding(what);
}

// What the contract promises about one kind of error: `work` either does its job or throws a kiebitz::Error.
template <class E, class Work>
void expect_refusal(Work&& work, const char* what) {
  try {
    work();
  } catch (const E&) {
    return;
  }
  throw Finding(what);
}

class Player {
 public:
  Player(std::shared_ptr<const AnyGame> game, Rng& rng) : game_(std::move(game)), rng_(rng) {
    buffer_.resize(static_cast<std::size_t>(info().max_legal));
    tensor_.resize(static_cast<std::size_t>(info().tensor_size));
  }

  void play() {
    // Chance is either drawn by the shell or left to the caller.
    state_ = rng_.below(2) == 0 ? game_->root() : game_->fresh(rng_.next());
    while (state_->player() != kTerminal) {
      const int n = state_->legal(buffer_.data());
      expect(n > 0 && n <= info().max_legal, "legal: none, or more than max_legal");
      if (rng_.below(kCheckOneIn) == 0) check(n);
      state_->apply(buffer_[rng_.below(static_cast<std::uint32_t>(n))]);
      expect(static_cast<int>(state_->history().size()) <= info().max_length, "the game is longer than max_length");
    }
    check_end();
    if (rng_.below(kCheckOneIn) == 0) check_saved();
  }

  std::string history() const {
    std::string out;
    if (state_) {
      for (const Action a : state_->history()) out += " " + std::to_string(a);
    }
    return out;
  }

 private:
  const GameInfo& info() const { return game_->info(); }

  void check(int n) {
    expect(!state_->text().empty(), "text: empty");
    check_actions(n);
    check_chance(n);
    check_saved();
    check_copy(n);
    for (const auto& evaluation : info().evaluations) {
      const double value = state_->evaluate(evaluation, static_cast<int>(rng_.below(players())));
      expect(value >= info().min_payoff - kRounding && value <= info().max_payoff + kRounding,
             "evaluate: out of the range of payoffs");
    }
    if (rng_.below(kSearchOneIn) == 0) search();
  }

  void check_choices(int n) {
    int actions = 0;
    for (const Choice& choice : state_->choices()) {
      actions += choice.count;
      expect(choice.kind.phase == state_->phase(), "choices: of another phase");
      if (choice.has_amount())
        expect(choice.action_for(choice.low) == choice.action, "choices: amount and action differ");
    }
    expect(actions == n, "choices: not the legal actions");
    try {
      const Fields facts = state_->view(0)->public_facts();
      for (int p = 1; p < info().players; ++p) {
        expect(state_->view(p)->public_facts() == facts, "public facts: not the same for all");
      }
    } catch (const UnsuitableGame&) {
    }
  }

  void check_actions(int n) {
    for (int i = 0; i < n; ++i) {
      const Action a = buffer_[static_cast<std::size_t>(i)];
      expect(a >= 0 && a < info().actions, "legal: an action out of range");
      expect(i == 0 || a > buffer_[static_cast<std::size_t>(i) - 1], "legal: not ascending");
      expect(state_->parse(state_->name(a)) == a, "parse does not read what name wrote");
    }
    if (rng_.below(8) == 0) check_choices(n);
    const auto plies = state_->history().size();
    const Action wrong = static_cast<Action>(rng_.below(static_cast<std::uint32_t>(info().actions) + 4)) - 2;
    if (!std::binary_search(buffer_.begin(), buffer_.begin() + n, wrong)) {
      expect_refusal<IllegalAction>([&] { state_->apply(wrong); }, "an illegal action was played");
      expect_refusal<IllegalAction>([&] { (void)state_->name(wrong); }, "an illegal action has a name");
    }
    try {
      (void)state_->parse(random_text(rng_));
    } catch (const IllegalAction&) {
    }
    expect(state_->history().size() == plies, "a refused action changed the history");
  }

  void check_chance(int n) {
    const auto outcomes = state_->outcomes();
    if (state_->player() != kChance) return expect(outcomes.empty(), "outcomes: some, but no chance move");
    double sum = 0;
    for (const auto& outcome : outcomes) sum += outcome.probability;
    expect(static_cast<int>(outcomes.size()) == n, "outcomes: not the legal actions");
    expect(std::abs(sum - 1) < kRounding, "outcomes: probabilities do not add up to 1");
  }

  void check_saved() {
    const Fields saved = state_->save();
    const auto again = game_->load(saved, state_->seen());
    expect(again->save() == saved && again->key() == state_->key(), "load does not read what save wrote");
    expect(again->player() == state_->player() && again->text() == state_->text(), "a loaded state differs");
    try {  // a broken position is refused, or it is a position that can be played
      finish(*game_->load(broken(saved, rng_), {}));
    } catch (const Error&) {
    }
    for (int p = 0; p < info().players; ++p) check_view(p);
  }

  void check_view(int player) {
    const auto view = state_->view(player);
    expect(view->observer() == player, "view: another observer");
    const Fields saved = view->save();
    expect(game_->load_view(saved)->equals(*view), "load_view does not read what save wrote");
    expect(!view->text().empty(), "the text of a view is empty");
    view->tensor(tensor_.data());
    try {
      expect(!view->outline().empty() || !view->public_facts().empty(), "a view tells nothing");
    } catch (const UnsuitableGame&) {  // only some games have one
    }
    const auto world = view->sample(rng_.next());
    expect(world->view(player)->equals(*view), "sample: the world looks different to its observer");
    if (view->player() == player) {
      std::vector<Action> legal(buffer_.size());
      legal.resize(static_cast<std::size_t>(world->legal(legal.data())));
      expect(view->legal() == legal, "the legal actions of a view are not those of its worlds");
    }
    finish(*world);
    try {
      (void)game_->load_view(broken(saved, rng_))->sample(rng_.next());
    } catch (const Error&) {
    }
  }

  void check_copy(int n) {
    const Fields before = state_->save();
    const auto copy = state_->copy();
    copy->apply(buffer_[rng_.below(static_cast<std::uint32_t>(n))]);
    expect(state_->save() == before, "a copy is not independent");
  }

  void check_end() {
    expect(state_->legal(buffer_.data()) == 0, "legal: some at the end");
    expect_refusal<IllegalAction>([&] { state_->apply(0); }, "an action was played after the end");
    double sum = 0;
    for (const double payoff : state_->returns()) {
      expect(payoff >= info().min_payoff - kRounding && payoff <= info().max_payoff + kRounding,
             "returns: out of range");
      sum += payoff;
    }
    if (info().utility == Utility::zero_sum || info().utility == Utility::constant_sum) {
      expect(std::abs(sum - info().payoff_sum) < kRounding, "returns: wrong sum");
    }
    (void)state_->result();
  }

  void finish(AnyState& state) {
    for (int plies = 0; state.player() != kTerminal; ++plies) {
      expect(plies <= info().max_length, "a loaded state does not end");
      const int n = state.legal(buffer_.data());
      expect(n > 0, "a loaded state has no actions");
      state.apply(buffer_[rng_.below(static_cast<std::uint32_t>(n))]);
    }
    (void)state.returns();
    // The buffer belongs to the game that is played: fill it again.
    (void)state_->legal(buffer_.data());
  }

  void search() {
    const Fields before = state_->save();
    search::UctOptions tree;
    tree.budget.iterations = 50;
    tree.streams = 2;
    tree.threads = 2;
    tree.seed = rng_.next();
    search::AlphaBetaOptions exact;
    exact.budget.nodes = 500;
    exact.depth = 4;
    exact.deepen = exact.narrow = true;
    exact.order = search::Order::full;
    exact.table_mb = 1;
    Stop stop;
    try {
      (void)game_->uct(tree)->run(*state_, stop);
      (void)game_->alphabeta(exact, {})->run(*state_, stop);
    } catch (const Error&) {  // at chance moves, or a game it is not made for
    }
    if (info().hidden && state_->player() >= 0) search_view(stop);
    expect(state_->save() == before, "a search changed its input");
  }

  // What the player to move would do, without seeing more than it may.
  void search_view(Stop& stop) {
    const auto view = state_->view(state_->player());
    search::PimcOptions worlds;
    worlds.uct.budget.iterations = 20;
    worlds.worlds = 4;
    worlds.threads = 2;
    worlds.exact_last = 8;
    worlds.seed = rng_.next();
    search::IsmctsOptions one_tree;
    one_tree.budget.iterations = 50;
    one_tree.seed = rng_.next();
    const auto legal = view->legal();
    for (const Action best :
         {game_->pimc(worlds)->run(*view, stop).best, game_->ismcts(one_tree)->run(*view, stop).best}) {
      expect(std::find(legal.begin(), legal.end(), best) != legal.end(), "a search of a view chose an illegal action");
    }
  }

  std::uint32_t players() const { return static_cast<std::uint32_t>(info().players); }

  std::shared_ptr<const AnyGame> game_;
  Rng& rng_;
  std::unique_ptr<AnyState> state_;
  std::vector<Action> buffer_;
  std::vector<float> tensor_;
};

struct Job {
  const GameKind* kind;
  std::int64_t games;
  std::uint64_t stream;
};

struct Plan {
  std::int64_t games = 1000;
  double seconds = 0;
  std::uint64_t seed = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> names;
};

std::int64_t run(const Job& job, std::uint64_t seed) {
  Rng rng(seed, job.stream);
  for (std::int64_t done = 0; done < job.games;) {
    const Fields rules = random_rules(*job.kind, rng);
    Player player(job.kind->make(rules), rng);
    try {
      for (int i = 0; i < kGamesPerRules && done < job.games; ++i, ++done) player.play();
    } catch (const std::exception& finding) {
      throw Finding(job.kind->name + ": " + finding.what() + "\n  seed " + std::to_string(seed) + ", stream " +
                    std::to_string(job.stream) + "\n  rules: " + key_text(rules) + "\n  actions:" + player.history());
    }
  }
  return job.games;
}

int fuzz(const Plan& plan) {
  std::vector<GameKind> kinds = bind::all_games();
  if (!plan.names.empty()) {
    std::erase_if(kinds, [&](const GameKind& kind) {
      return std::find(plan.names.begin(), plan.names.end(), kind.name) == plan.names.end();
    });
  }
  if (kinds.empty()) {
    std::fprintf(stderr, "no such game\n");
    return 2;
  }
  // Portions small enough that the threads end together.
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  constexpr std::int64_t kPortion = 5000;
  const std::int64_t portions = plan.seconds > 0 ? INT64_MAX : (plan.games + kPortion - 1) / kPortion;
  const auto count = static_cast<std::int64_t>(kinds.size());
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex printing;
  std::vector<std::int64_t> done(kinds.size());
  const auto work = [&] {
    while (!failed) {
      const std::int64_t number = next++;
      if (number / count >= portions || (plan.seconds > 0 && elapsed() >= plan.seconds)) return;
      const auto kind = static_cast<std::size_t>(number % count);
      const std::int64_t games = plan.seconds > 0 ? 1000 : std::min(kPortion, plan.games - number / count * kPortion);
      try {
        const std::int64_t played = run({&kinds[kind], games, static_cast<std::uint64_t>(number)}, plan.seed);
        const std::scoped_lock lock(printing);
        done[kind] += played;
        if (plan.seconds <= 0 && done[kind] == plan.games) {
          std::printf("  %-20s %9lld games, %6.1f s\n", kinds[kind].name.c_str(), static_cast<long long>(done[kind]),
                      elapsed());
          std::fflush(stdout);
        }
      } catch (const std::exception& finding) {
        const std::scoped_lock lock(printing);
        failed = true;
        std::fprintf(stderr, "FINDING: %s\n", finding.what());
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < plan.threads; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  if (failed) return 1;
  std::int64_t all = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    all += done[kind];
    if (plan.seconds > 0) {
      std::printf("  %-20s %9lld games\n", kinds[kind].name.c_str(), static_cast<long long>(done[kind]));
    }
  }
  std::printf("%lld random games of %zu games without a finding, seed %llu, %.1f s\n", static_cast<long long>(all),
              kinds.size(), static_cast<unsigned long long>(plan.seed), elapsed());
  return 0;
}

}  // namespace
}  // namespace kiebitz::fuzz

int main(int argc, char** argv) {
  kiebitz::fuzz::Plan plan;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (more && std::strcmp(argv[i], "--games") == 0) {
      plan.games = std::atoll(argv[++i]);
    } else if (more && std::strcmp(argv[i], "--seconds") == 0) {
      plan.seconds = std::atof(argv[++i]);
    } else if (more && std::strcmp(argv[i], "--seed") == 0) {
      plan.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (more && std::strcmp(argv[i], "--threads") == 0) {
      plan.threads = static_cast<unsigned>(std::clamp(std::atoi(argv[++i]), 1, 256));
    } else if (argv[i][0] != '-') {
      plan.names.emplace_back(argv[i]);
    } else {
      std::fprintf(stderr, "usage: random_games [--games N | --seconds S] [--seed K] [--threads T] [GAME ...]\n");
      return 2;
    }
  }
  return kiebitz::fuzz::fuzz(plan);
}
