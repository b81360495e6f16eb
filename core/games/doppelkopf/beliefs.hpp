// Which worlds a Doppelkopf view allows: the constraints on the hidden deal, exact counts and draws, and the rule-based
// sampler of the thesis (CAP) as the baseline.
//
// All physical deals that can explain the view are equally likely. What counts is what the rules force: own hand,
// played cards, suits not followed, club queens with weddings and with Re and Kontra in normal games, and (house rule)
// piglets. A hidden name is one of those that the hand allowed, equally likely. Parties of a world come from its hands.
#pragma once

#include "cards/cap.hpp"
#include "cards/deals.hpp"
#include "games/doppelkopf/state.hpp"
#include "games/hand_beliefs.hpp"

namespace kiebitz::doppelkopf {

enum class Belief { exact, cap, cap_random };  // in the order of GameInfo::beliefs

// The seats other than the observer's as the counter numbers them, clockwise.
inline int hidden_seat(int observer, int i) { return (observer + 1 + i) & 3; }

// Cards that a seat has shown not to hold: the categories it did not follow.
inline std::uint32_t shown_void(const Table& table, int seat) {
  std::uint32_t cards = 0;
  const Order& order = table.ranking();
  int led = 0;
  for (int i = 0; i < table.cards; ++i) {
    const auto category = order.category[static_cast<std::size_t>(table.card_at(i))];
    if ((i & 3) == 0) led = category;
    if (table.seat_at(i) == seat && category != led) cards |= order.cards[static_cast<std::size_t>(led)];
  }
  return cards;
}

inline int played_by(const Table& table, int seat, int card) {
  int n = 0;
  for (int i = 0; i < table.cards; ++i) n += table.seat_at(i) == seat && table.card_at(i) == card ? 1 : 0;
  return n;
}

// The party that a seat has called for in a normal game; -1: it has made no call.
inline int called_party(const Table& table, int seat) {
  for (int i = 0; i < table.called; ++i) {
    if (table.calls[static_cast<std::size_t>(i)].seat == seat) return table.calls[static_cast<std::size_t>(i)].party;
  }
  return -1;
}

// Everything from the reservation round on as a problem for the counter. Throws ViewError when a card is seen too
// often.
inline cards::DealProblem deal_problem(const View& view) {
  const Table& table = view.table();
  const Rules& rules = view.game().rules();
  cards::DealProblem problem(kSeats - 1, kTypes);
  for (int card = 0; card < kTypes; ++card) {
    int left = (rules.types() >> card & 1) != 0 ? 2 : 0;
    left -= copies(view.hand(), card);
    for (int seat = 0; seat < kSeats; ++seat) left -= played_by(table, seat, card);
    if (left < 0) throw ViewError("the card " + card_code(card) + " is seen more often than the pack has it");
    problem.copies[static_cast<std::size_t>(card)] = static_cast<std::uint8_t>(left);
  }
  for (int i = 0; i < kSeats - 1; ++i) {
    const int seat = hidden_seat(view.observer(), i);
    const auto s = static_cast<std::size_t>(i);
    problem.slots[s] = static_cast<std::uint8_t>(table.all_spoken() ? table.held(seat, rules) : rules.hand);
    const std::uint32_t missing = shown_void(table, seat);
    for (std::size_t c = 0; c < kTypes; ++c) {
      if ((missing >> c & 1) != 0) problem.allowed[c] = static_cast<std::uint8_t>(problem.allowed[c] & ~(1U << i));
    }
    if (!table.all_spoken()) continue;
    const int queens = played_by(table, seat, kClubQueen);
    if (table.said[static_cast<std::size_t>(seat)] == kWedding) {
      problem.least[kClubQueen][s] = static_cast<std::uint8_t>(std::max(0, 2 - queens));
    } else if (table.contract == kNormal) {
      const int party = called_party(table, seat);
      if (party == kRe && queens == 0) problem.least[kClubQueen][s] = 1;
      if (party == kKontra) problem.most[kClubQueen][s] = 0;
    }
    const bool foxes_shown = rules.piglets && (table.order == 0 || table.order == kPigletOrder);
    if (foxes_shown) {
      const int foxes = played_by(table, seat, kFox);
      if (table.piglets == seat) {
        problem.least[kFox][s] = static_cast<std::uint8_t>(std::max(0, 2 - foxes));
      } else {
        problem.most[kFox][s] = static_cast<std::uint8_t>(std::max(0, 1 - foxes));
      }
    }
  }
  return problem;
}

// Draws worlds from one view.
class Sampler {
 public:
  Sampler(const Game& game, const View& view, Belief belief)
      : game_(&game), view_(view), belief_(belief), problem_(kSeats - 1, kTypes) {
    if (view_.phase_ == Phase::start || view_.phase_ == Phase::deal) return;
    problem_ = deal_problem(view_);
    if (belief_ == Belief::exact) {
      counter_.build(problem_);
      if (counter_.total() == 0) refuse();
    } else {
      cap_.emplace(problem_, belief_ == Belief::cap ? cards::CapVariant::first : cards::CapVariant::random);
    }
  }

  State draw(Rng& rng) {
    if (view_.phase_ == Phase::start || view_.phase_ == Phase::deal) return draw_partial(rng);
    for (int tries = 0; tries < 100'000; ++tries) {
      cards::Hands hands;
      if (belief_ == Belief::exact) {
        counter_.draw(rng, hands);
      } else if (!cap_->draw(rng, hands)) {
        refuse();
      }
      State state = world(hands, rng);
      if (!view_.waits_ || ask_another(state, rng)) return state;
    }
    throw ViewError("phase: nobody else can be asked for a call here");
  }

  // The world of given hidden hands (in the order of hidden_seat), hidden names drawn.
  State world(const cards::Hands& hidden, Rng& rng) const {
    State state(game_);
    state.table_ = view_.table_;
    state.dealt_ = view_.dealt_;
    state.phase_ = view_.phase_;
    state.hands_[static_cast<std::size_t>(view_.observer_)] = view_.hand_;
    for (int i = 0; i < kSeats - 1; ++i) {
      state.hands_[static_cast<std::size_t>(hidden_seat(view_.observer_, i))] = hidden[static_cast<std::size_t>(i)];
    }
    for (int seat = 0; seat < kSeats; ++seat) {
      const auto s = static_cast<std::size_t>(seat);
      int said = view_.said(seat);
      if (said == kSomething) {
        // The solos, and during the round also a wedding.
        const bool wedding = !view_.table_.all_spoken() && copies(state.hands_[s], kClubQueen) == 2;
        const auto names = static_cast<std::uint32_t>(kReservations - kFirstSolo + (wedding ? 1 : 0));
        said = kReservations - 1 - static_cast<int>(rng.below(names));
      }
      state.names_[s] = static_cast<std::uint8_t>(said);
    }
    if (view_.table_.all_spoken()) state.find_parties();
    if (view_.phase_ == Phase::call) ask(state, view_.observer_);
    return state;
  }

  const cards::DealCounter& counter() const { return counter_; }
  const View& view() const { return view_; }

 private:
  [[noreturn]] static void refuse() {
    throw ViewError("no deal explains this view: voids, calls and weddings contradict it");
  }

  // The round stands at this seat: passes are counted from its start or from the last call in it.
  void ask(State& state, int seat) const {
    const Table& table = view_.table_;
    int first = table.turn;
    if (table.called > 0) {
      const Call& last = table.calls[static_cast<std::size_t>(table.called - 1)];
      if (last.before == table.cards) first = last.seat + 1;
    }
    state.phase_ = Phase::call;
    state.asked_ = static_cast<std::uint8_t>(seat);
    state.passes_ = static_cast<std::uint8_t>((seat - first) & 3);
  }

  bool ask_another(State& state, Rng& rng) const {
    int seats[kSeats];
    std::uint32_t n = 0;
    for (int i = 0; i < kSeats - 1; ++i) {
      const int seat = hidden_seat(view_.observer_, i);
      if (state.can_speak(seat)) seats[n++] = seat;
    }
    if (n == 0) return false;
    ask(state, seats[rng.below(n)]);
    return true;
  }

  // In the middle of the deal: the cards not seen are in any order.
  State draw_partial(Rng& rng) const {
    State state(game_);
    state.table_ = view_.table_;
    state.dealt_ = view_.dealt_;
    state.phase_ = view_.phase_;
    std::array<std::uint8_t, kMostCards> unseen{};
    std::uint32_t n = 0;
    const Rules& rules = game_->rules();
    for (int card = 0; card < kTypes; ++card) {
      const int left = (rules.types() >> card & 1) != 0 ? 2 - copies(view_.hand_, card) : 0;
      for (int k = 0; k < left; ++k) unseen[n++] = static_cast<std::uint8_t>(card);
    }
    for (int i = 0; i < view_.dealt_; ++i) {
      const int seat = i / rules.hand;
      if (seat == view_.observer_) continue;
      std::swap(unseen[rng.below(n)], unseen[n - 1]);
      Hand& hand = state.hands_[static_cast<std::size_t>(seat)];
      hand = with(hand, unseen[--n]);
    }
    state.hands_[static_cast<std::size_t>(view_.observer_)] = view_.hand_;
    return state;
  }

  const Game* game_;
  View view_;
  Belief belief_;
  cards::DealProblem problem_;
  cards::DealCounter counter_;
  std::optional<cards::CapSampler> cap_;
};

inline std::string decimal(cards::Count n) {
  std::string out;
  do {
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(n % 10)));
    n /= 10;
  } while (n > 0);
  return out;
}

// For each set of seats that can be Re (as bits), the number of deals that make it so. None while a wedding looks for
// its partner.
inline std::array<cards::Count, 1 << kSeats> re_sets(const View& view, const cards::DealCounter& counter) {
  std::array<cards::Count, 1 << kSeats> deals{};
  const Table& table = view.table();
  if (table.contract != kNormal) {
    unsigned re = 1U << table.declarer;
    if (table.partner >= 0) re |= 1U << table.partner;
    if (!table.parties_known_late()) deals[re] = counter.total();
    return deals;
  }
  // The two club queens, on the table and in the hands.
  unsigned known = copies(view.hand(), kClubQueen) > 0 ? 1U << view.observer() : 0;
  for (int i = 0; i < table.cards; ++i) {
    if (table.card_at(i) == kClubQueen) known |= 1U << table.seat_at(i);
  }
  for (const cards::Share& share : counter.joint(kClubQueen)) {
    unsigned re = known;
    for (int i = 0; i < kSeats - 1; ++i) {
      if (share.copies[static_cast<std::size_t>(i)] > 0) re |= 1U << hidden_seat(view.observer(), i);
    }
    deals[re] += share.deals;
  }
  return deals;
}

inline Fields View::beliefs() const {
  if (phase_ == Phase::start || phase_ == Phase::deal) throw ViewError("beliefs: expected a view after the deal");
  const Sampler sampler(*game_, *this, Belief::exact);
  const cards::DealCounter& counter = sampler.counter();
  const cards::Marginals marginals = counter.marginals();
  HandBeliefs hands;
  for (int card = 0; card < kTypes; ++card) {
    std::vector<double> holds(kSeats);
    std::vector<double> expected(kSeats);
    holds[static_cast<std::size_t>(observer_)] = copies(hand_, card) > 0 ? 1 : 0;
    expected[static_cast<std::size_t>(observer_)] = copies(hand_, card);
    for (int i = 0; i < kSeats - 1; ++i) {
      const auto seat = static_cast<std::size_t>(hidden_seat(observer_, i));
      holds[seat] = marginals.holds[static_cast<std::size_t>(i)][static_cast<std::size_t>(card)];
      expected[seat] = marginals.expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(card)];
    }
    hands.add(card_name(card), std::move(holds), std::move(expected));
  }
  const auto deals = re_sets(*this, counter);
  std::vector<double> re(kSeats);
  Fields parties;
  for (unsigned seats = 1; seats < deals.size(); ++seats) {
    if (deals[seats] == 0) continue;
    const double probability = static_cast<double>(deals[seats]) / static_cast<double>(counter.total());
    std::string name;
    for (int seat = 0; seat < kSeats; ++seat) {
      if ((seats >> seat & 1) == 0) continue;
      name += (name.empty() ? "" : "+") + std::to_string(seat);
      re[static_cast<std::size_t>(seat)] += probability;
    }
    parties.emplace_back(name, probability);
  }
  if (parties.empty()) re.clear();
  Fields out = hands.fields(decimal(counter.total()));
  out.emplace_back("re", std::move(re));
  out.emplace_back("parties", std::move(parties));
  return out;
}

inline State Game::sample(const View& view, Rng& rng) const { return Sampler(*this, view, Belief::exact).draw(rng); }

inline Sampler Game::sampler(const View& view, int belief) const {
  return Sampler(*this, view, static_cast<Belief>(belief));
}

}  // namespace kiebitz::doppelkopf
