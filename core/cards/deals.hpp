// Counts the possible hidden deals of any card game exactly, and draws one of them uniformly at random.
//
// Cards come in types with a few copies each; seats have free slots. A dynamic program over the types, whose state is
// the number of slots filled at each seat, counts the ways to deal the remaining cards. Deals are PHYSICAL: two copies
// of a card are two cards, so a pair split between two seats counts twice and a pair kept together counts once (in
// general, the multinomial coefficient of the copies). Counting matchings between cards and slots is #P-complete if
// every card has constraints of its own (Sievers and Helmert 2015), but with few seats there are few states.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace kiebitz::cards {

inline constexpr int kMaxSeats = 4;
inline constexpr int kMaxSlots = 26;
inline constexpr int kMaxTypes = 52;
inline constexpr int kMaxCopies = 8;

// Enough for four seats of 13 (5.4e28 deals), and for any 60 cards.
using Count = unsigned __int128;

using PerSeat = std::array<std::uint8_t, kMaxSeats>;

// What is known about the hidden cards. Initially no cards and no constraints.
struct DealProblem {
  DealProblem(int seat_count, int type_count) : seats(seat_count), types(type_count) {
    allowed.fill((1 << kMaxSeats) - 1);
    for (auto& row : most) row.fill(kMaxCopies);
  }

  int seats;
  int types;
  PerSeat slots{};                                                    // cards that a seat is still to be dealt
  std::array<std::uint8_t, kMaxTypes> copies{};                       // hidden copies of a type
  std::array<std::uint8_t, kMaxTypes> allowed{};                      // bit s: seat s may hold the type
  std::array<PerSeat, kMaxTypes> least{};                             // copies that a seat is known to hold
  std::array<PerSeat, kMaxTypes> most{};                              // most copies that a seat may hold
  std::uint64_t group = 0;                                            // types, as bits, of which together
  PerSeat group_least{};                                              // a seat holds so many cards at least
  PerSeat group_most = {kMaxSlots, kMaxSlots, kMaxSlots, kMaxSlots};  // and at most

  // The most copies of a type that a seat can hold, from the constraints on this type and this seat alone.
  int limit(int type, int seat) const {
    if ((allowed[type] >> seat & 1) == 0) return 0;
    return std::min({copies[type], most[type][seat], slots[seat]});
  }

  // Impossible sizes are errors. A problem that no deal fits is valid; its count is 0.
  void check() const {
    require(seats >= 1 && seats <= kMaxSeats, "seats: expected 1 to 4, got ", seats);
    require(types >= 0 && types <= kMaxTypes, "types: expected 0 to 52, got ", types);
    int free = 0, cards = 0;
    for (int s = 0; s < seats; ++s) {
      require(slots[s] <= kMaxSlots, "slots of a seat: expected 0 to 26, got ", slots[s]);
      free += slots[s];
    }
    for (int t = 0; t < types; ++t) {
      require(copies[t] <= kMaxCopies, "copies of a type: expected 0 to 8, got ", copies[t]);
      cards += copies[t];
    }
    if (free != cards) {
      throw ParameterError("hidden cards: expected one for each of the " + std::to_string(free) + " free slots, got " +
                           std::to_string(cards));
    }
  }

 private:
  static void require(bool holds, const char* text, int got) {
    if (!holds) throw ParameterError(text + std::to_string(got));
  }
};

// A complete deal: the copies of each type at each seat.
struct Deal {
  std::array<std::array<std::uint8_t, kMaxTypes>, kMaxSeats> counts{};

  friend bool operator==(const Deal&, const Deal&) = default;
  friend auto operator<=>(const Deal&, const Deal&) = default;
};

// A deal in one word per seat, for up to 32 types with up to two copies: bit t means that the seat holds type t, bit
// 32 + t that it holds both copies.
using Hands = std::array<std::uint64_t, kMaxSeats>;

inline bool fits_hands(const DealProblem& p) {
  return p.types <= 32 && std::all_of(p.copies.begin(), p.copies.begin() + p.types, [](int c) { return c <= 2; });
}

inline void require_hands(bool fits) {
  if (!fits) throw ParameterError("packed hands: expected at most 32 types with at most 2 copies");
}

namespace detail {

inline constexpr std::array<std::uint64_t, 3> kHandBits = {0, 1, 1ULL << 32 | 1};

// Sets how many copies of one type each seat holds, replacing earlier values.
inline void put(Deal& deal, int type, const PerSeat& copies) {
  for (int s = 0; s < kMaxSeats; ++s) deal.counts[s][type] = copies[s];
}
inline void put(Hands& hands, int type, const PerSeat& copies) {
  for (int s = 0; s < kMaxSeats; ++s) {
    hands[s] = (hands[s] & ~(kHandBits[2] << type)) | kHandBits[copies[s]] << type;
  }
}

// The number of physical forms of one way to distribute the copies of a type: n! / (k0! k1! k2! k3!).
inline std::uint32_t forms(const PerSeat& k) {
  constexpr std::array<std::uint32_t, kMaxCopies + 1> factorial = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
  return factorial[k[0] + k[1] + k[2] + k[3]] / (factorial[k[0]] * factorial[k[1]] * factorial[k[2]] * factorial[k[3]]);
}

// The number of ways to deal distinct cards into the slots of the seats, or 0 if it needs about 128 bits or more.
inline Count unconstrained(std::span<const std::uint8_t> slots) {
  Count ways = 1;
  unsigned n = 0;
  for (const unsigned free : slots) {
    for (unsigned k = 1; k <= free; ++k) {
      ++n;
      if (ways > std::numeric_limits<Count>::max() / n) return 0;
      ways = ways * n / k;
    }
  }
  return ways;
}

}  // namespace detail

// One way to distribute the copies of a type, and the number of physical deals in which they lie that way.
struct Share {
  PerSeat copies;
  Count deals;
};

struct Marginals {
  std::array<std::array<double, kMaxTypes>, kMaxSeats> expected{};  // expected number of copies
  std::array<std::array<double, kMaxTypes>, kMaxSeats> holds{};     // probability of at least one copy
};

// Counts, numbers and draws the deals of one problem after another; memory is reused between problems. Once built,
// several threads may read it.
class DealCounter {
 public:
  DealCounter() = default;
  explicit DealCounter(const DealProblem& problem) { build(problem); }

  void build(const DealProblem& problem) {
    problem.check();
    total_ = 0;
    seats_ = problem.seats;
    types_ = problem.types;
    fits_hands_ = fits_hands(problem);
    // No partial count exceeds the number of deals without constraints.
    const Count bound = detail::unconstrained(std::span(problem.slots).first(seats_));
    if (bound == 0) throw LimitError("the deals of these cards cannot be counted in 128 bits");
    narrow_ = bound <= std::numeric_limits<std::uint64_t>::max();
    lay_out(problem);
    if (narrow_) {
      count(narrow_ways_);
    } else {
      count(wide_ways_);
    }
  }

  // The number of physical deals; 0 if the constraints contradict each other.
  Count total() const { return total_; }

  // Deal number `rank` (below total()); a deal has one number for each of its physical forms. Form is Deal or Hands.
  template <class Form>
  void unrank(Count rank, Form& deal) const {
    if (rank >= total_) throw ParameterError("rank of a deal: expected less than the number of deals");
    begin(deal);
    if (narrow_) {
      walk(narrow_ways_, static_cast<std::uint64_t>(rank), deal);
    } else {
      walk(wide_ways_, rank, deal);
    }
  }

  // A deal with its true probability.
  template <class Form>
  void draw(Rng& rng, Form& deal) const {
    begin(deal);
    if (narrow_) {
      walk(narrow_ways_, below(rng, static_cast<std::uint64_t>(total_)), deal);
    } else {
      walk(wide_ways_, below(rng, total_), deal);
    }
  }

  // Calls visit(deal, number of its physical forms) for every distinguishable deal.
  template <class Form = Deal, class Visitor>
  void for_each(Visitor&& visit) const {
    if (total_ == 0) return;
    Form deal;
    begin(deal);
    if (narrow_) {
      descend(narrow_ways_, 0, 0, Count{1}, deal, visit);
    } else {
      descend(wide_ways_, 0, 0, Count{1}, deal, visit);
    }
  }

  // The possible ways to distribute the copies of one type over the seats, with the number of deals for each.
  std::vector<Share> joint(int type) const {
    if (type < 0 || type >= types_) throw ParameterError("type: expected 0 to " + std::to_string(types_ - 1));
    std::vector<Share> shares;
    bool hidden = false;
    forward([&](const Stage& stage, const Move& move, Count deals) {
      if (stage.type != type) return;
      hidden = true;
      if (deals > 0) shares.push_back({move.copies, deals});
    });
    if (!hidden && total_ > 0) shares.push_back({PerSeat{}, total_});
    return shares;
  }

  Marginals marginals() const {
    require_deals();
    Marginals out;
    forward([&](const Stage& stage, const Move& move, Count deals) {
      const double p = static_cast<double>(deals) / static_cast<double>(total_);
      for (int s = 0; s < seats_; ++s) {
        out.expected[s][stage.type] += p * move.copies[s];
        if (move.copies[s] > 0) out.holds[s][stage.type] += p;
      }
    });
    return out;
  }

 private:
  // One way to distribute the copies of a type; `step` is the change of the state's index.
  struct Move {
    PerSeat copies;
    std::uint32_t weight;  // physical forms
    std::int32_t step;
  };

  // A type with hidden copies, in the order of the dynamic program.
  struct Stage {
    int type;
    std::uint32_t first, last;  // its moves
  };

  // The states before a stage: slots filled at each seat, within bounds, `dealt` in all. Seat 0 has whatever the others
  // do not have, so the index of a state is a number with one digit for each of the seats 1 to 3.
  struct Layer {
    std::array<int, kMaxSeats> low{}, high{};
    int dealt = 0;
  };

  std::span<const Move> moves_of(const Stage& stage) const {
    return std::span(moves_).subspan(stage.first, stage.last - stage.first);
  }

  void lay_out(const DealProblem& p) {
    stages_.clear();
    moves_.clear();
    // A digit has room for the fullest state plus one move, so a move that overfills a seat leads to an index that is
    // not a state (and counts 0), instead of carrying into the next digit.
    const int room = 1 + *std::max_element(p.copies.begin(), p.copies.begin() + std::max(types_, 1));
    stride_ = {};
    layer_size_ = 1;
    for (int s = 1; s < seats_; ++s) {
      stride_[s] = layer_size_;
      layer_size_ *= p.slots[s] + room;
    }

    // Types of the group come first: after them, what is filled at a seat is what it holds of the group.
    Layer layer;
    layers_.assign(1, layer);
    contradiction_ = false;
    std::size_t grouped = 0;
    for (int i = 0; i < 2 * types_; ++i) {
      const int t = i % types_;
      if (i == types_) grouped = layers_.size() - 1;
      if ((p.group >> t & 1) != (i < types_ ? 1U : 0U)) continue;
      PerSeat least{}, most{};
      for (int s = 0; s < seats_; ++s) {
        least[s] = p.least[t][s];
        most[s] = static_cast<std::uint8_t>(p.limit(t, s));
        if (least[s] > most[s]) contradiction_ = true;
      }
      if (contradiction_) return;
      if (p.copies[t] == 0) continue;
      Stage stage{t, static_cast<std::uint32_t>(moves_.size()), 0};
      add_moves(least, most, p.copies[t]);
      stage.last = static_cast<std::uint32_t>(moves_.size());
      stages_.push_back(stage);
      for (int s = 0; s < seats_; ++s) {
        layer.low[s] += least[s];
        layer.high[s] += most[s];
      }
      layer.dealt += p.copies[t];
      layers_.push_back(layer);
    }
    // So far the bounds follow from the types before a stage; now also from what those after it need and can give.
    const Layer end = layers_.back();
    for (Layer& l : layers_) {
      for (int s = 0; s < seats_; ++s) {
        const int low_rest = end.low[s] - l.low[s], high_rest = end.high[s] - l.high[s];
        l.low[s] = std::max(l.low[s], p.slots[s] - high_rest);
        l.high[s] = std::min(l.high[s], p.slots[s] - low_rest);
        if (l.low[s] > l.high[s]) contradiction_ = true;
      }
    }
    if (p.group == 0) return;
    Layer& l = layers_[grouped];
    for (int s = 0; s < seats_; ++s) {
      l.low[s] = std::max<int>(l.low[s], p.group_least[s]);
      l.high[s] = std::min<int>(l.high[s], p.group_most[s]);
      if (l.low[s] > l.high[s]) contradiction_ = true;
    }
  }

  // All ways to deal `copies` within the bounds of each seat.
  void add_moves(const PerSeat& least, const PerSeat& most, int copies) {
    PerSeat k{};
    for (k[3] = least[3]; k[3] <= most[3]; ++k[3]) {
      for (k[2] = least[2]; k[2] <= most[2]; ++k[2]) {
        for (k[1] = least[1]; k[1] <= most[1]; ++k[1]) {
          const int rest = copies - k[1] - k[2] - k[3];
          if (rest < least[0] || rest > most[0]) continue;
          k[0] = static_cast<std::uint8_t>(rest);
          moves_.push_back({k, detail::forms(k), k[1] * stride_[1] + k[2] * stride_[2] + k[3] * stride_[3]});
        }
      }
    }
  }

  // Calls run(first, end) for each range of states before stage i from which the move leads to a state.
  template <class Run>
  void each_run(std::size_t i, const Move& move, Run&& run) const {
    const Layer& here = layers_[i];
    const Layer& next = layers_[i + 1];
    std::array<int, kMaxSeats> low, high;
    for (int s = 0; s < kMaxSeats; ++s) {
      low[s] = std::max(here.low[s], next.low[s] - move.copies[s]);
      high[s] = std::min(here.high[s], next.high[s] - move.copies[s]);
    }
    for (int f3 = low[3]; f3 <= high[3]; ++f3) {
      for (int f2 = low[2]; f2 <= high[2]; ++f2) {
        const int rest = here.dealt - f2 - f3;
        const int from = std::max(low[1], rest - high[0]), to = std::min(high[1], rest - low[0]);
        const int row = f2 * stride_[2] + f3 * stride_[3];
        if (from <= to) run(row + from, row + to + 1);
      }
    }
  }

  // ways[i * layer_size_ + state] is the number of physical deals of the types from stage i on that complete the state.
  template <class T>
  void count(std::vector<T>& ways) {
    if (contradiction_) return;
    ways.assign(layers_.size() * layer_size_, 0);
    T* here = ways.data() + stages_.size() * layer_size_;
    const Layer& full = layers_.back();
    here[full.low[1] * stride_[1] + full.low[2] * stride_[2] + full.low[3] * stride_[3]] = 1;
    for (std::size_t i = stages_.size(); i-- > 0;) {
      const T* next = here;
      here -= layer_size_;
      for (const Move& move : moves_of(stages_[i])) {
        const T weight = move.weight;
        each_run(i, move, [&](int first, int end) {
          for (int j = first; j < end; ++j) here[j] += weight * next[j + move.step];
        });
      }
    }
    total_ = ways[0];
  }

  template <class T, class Form>
  void walk(const std::vector<T>& ways, T rank, Form& deal) const {
    const T* next = ways.data();
    for (const Stage& stage : stages_) {
      next += layer_size_;
      for (const Move& move : moves_of(stage)) {
        const T each = next[move.step];
        const T all = each * move.weight;
        if (rank < all) {
          if (move.weight == 2) {  // the common case, without the division
            if (rank >= each) rank -= each;
          } else if (move.weight > 2) {
            rank %= each;
          }
          next += move.step;
          detail::put(deal, stage.type, move.copies);
          break;
        }
        rank -= all;
      }
    }
  }

  template <class T, class Form, class Visitor>
  void descend(const std::vector<T>& ways, std::size_t i, std::size_t state, Count weight, Form& deal,
               Visitor& visit) const {
    if (i == stages_.size()) {
      visit(std::as_const(deal), weight);
      return;
    }
    for (const Move& move : moves_of(stages_[i])) {
      if (ways[(i + 1) * layer_size_ + state + move.step] == 0) continue;
      detail::put(deal, stages_[i].type, move.copies);
      descend(ways, i + 1, state + move.step, weight * move.weight, deal, visit);
    }
  }

  // Calls report(stage, move, deals) with the number of deals in which the move distributes the type.
  template <class Report>
  void forward(Report&& report) const {
    if (total_ == 0) return;
    if (narrow_) {
      forward(narrow_ways_, report);
    } else {
      forward(wide_ways_, report);
    }
  }
  template <class T, class Report>
  void forward(const std::vector<T>& ways, Report& report) const {
    std::vector<T> here(layer_size_), next(layer_size_);  // deals of the types before a stage that lead to a state
    here[0] = 1;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const T* after = ways.data() + (i + 1) * layer_size_;
      std::fill(next.begin(), next.end(), 0);
      for (const Move& move : moves_of(stages_[i])) {
        const T weight = move.weight;
        T deals = 0;
        each_run(i, move, [&](int first, int end) {
          for (int j = first; j < end; ++j) {
            const T reached = weight * here[j];
            next[j + move.step] += reached;
            deals += reached * after[j + move.step];
          }
        });
        report(stages_[i], move, Count{deals});
      }
      here.swap(next);
    }
  }

  template <class Form>
  void begin(Form& deal) const {
    require_deals();
    if constexpr (std::is_same_v<Form, Hands>) require_hands(fits_hands_);
    deal = Form{};
  }

  void require_deals() const {
    if (total_ == 0) throw ParameterError("no deal fits the constraints: expected a total() above 0");
  }

  // Uniform below n, without bias: draws as many bits as n - 1 has until the number is below n.
  static std::uint64_t below(Rng& rng, std::uint64_t n) {
    const int shift = std::countl_zero((n - 1) | 1);
    for (;;) {
      const std::uint64_t x = rng.next() >> shift;
      if (x < n) return x;
    }
  }
  static Count below(Rng& rng, Count n) {
    const auto top = static_cast<std::uint64_t>((n - 1) >> 64);
    if (top == 0) return n > std::numeric_limits<std::uint64_t>::max() ? rng.next() : below(rng, std::uint64_t(n));
    const int shift = std::countl_zero(top);
    for (;;) {
      const Count x = Count{rng.next() >> shift} << 64 | rng.next();
      if (x < n) return x;
    }
  }

  int seats_ = 0, types_ = 0;
  bool fits_hands_ = false;
  bool contradiction_ = false;
  bool narrow_ = true;  // all counts fit into 64 bits: draws take about two thirds of the time, marginals half
  Count total_ = 0;
  int layer_size_ = 0;
  std::array<int, kMaxSeats> stride_{};
  std::vector<Stage> stages_;
  std::vector<Move> moves_;
  std::vector<Layer> layers_;  // one more than stages
  std::vector<std::uint64_t> narrow_ways_;
  std::vector<Count> wide_ways_;
};

}  // namespace kiebitz::cards
