// Which worlds a Doppelkopf view allows: the constraints on the hidden deal, exact counts and draws, and the rule-based
// sampler of the thesis (CAP) as the baseline.
//
// All physical deals that can explain the view are equally likely. What counts is what the rules force: own hand,
// played cards, suits not followed, club queens with weddings and with Re and Kontra in normal games, and by house
// rules piglets, the trumps of poor hands and hands that were thrown in. After an exchange of cards the deals are those
// that it left behind. A hidden name is one of those that the hand allowed, equally likely, and so are cards that
// others exchanged. Parties of a world come from its hands.
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

// The party that a seat has called for in a normal game, or chosen a partner for; -1: neither. Calls after a change of
// partners do not tell who has a club queen.
inline int called_party(const Table& table, int seat) {
  if (table.fixed_re != 0 && seat == table.king) return table.fixed_party(seat);
  for (int i = 0; i < table.called; ++i) {
    if (table.fixed_re != 0 && table.calls[static_cast<std::size_t>(i)].before >= table.regrouped) break;
    if (table.calls[static_cast<std::size_t>(i)].seat == seat) return table.calls[static_cast<std::size_t>(i)].party;
  }
  return -1;
}

inline int trumps_played(const Table& table, int seat) {
  int n = 0;
  for (int i = 0; i < table.cards; ++i) {
    if (table.seat_at(i) == seat) n += static_cast<int>(kTrumps >> table.card_at(i) & 1);
  }
  return n;
}

// Poverty: the fewest and the most trumps that a seat had before the first card.
struct TrumpRange {
  int least = 0;
  int most = cards::kMaxSlots;
};

inline TrumpRange trumps_held(const Table& table, int seat) {
  if (table.contract == kPoverty && seat == table.declarer) {
    if (table.partner < 0) return {table.passed, table.passed};
    if (table.solved < 0) return {0, table.back};
    return {table.trumps_back, table.trumps_back};
  }
  if (table.exchange_partner() == seat) {
    const int own = table.wedding_exchanged() ? 2 : 0;  // the club queens, before the exchange
    return {own + table.passed - (table.solved < 0 ? table.back : table.trumps_back), cards::kMaxSlots};
  }
  if (table.said[static_cast<std::size_t>(seat)] == kPoverty) return {0, kMostPassed};
  return {};
}

// What poverty says about the other seats: trumps of poor hands, and to those who exchanged cards, which ones.
inline void limit_trumps(const View& view, cards::DealProblem& problem) {
  const Table& table = view.table();
  for (int i = 0; i < kSeats - 1; ++i) {
    const int seat = hidden_seat(view.observer(), i);
    const auto s = static_cast<std::size_t>(i);
    TrumpRange range = trumps_held(table, seat);
    if (view.exchanged() && seat == table.declarer) range.least = range.most = count_of(view.passed().back, kTrumps);
    const int played = trumps_played(table, seat);
    if (range.least > 0 || range.most < cards::kMaxSlots) problem.group = kTrumps;
    problem.group_least[s] = static_cast<std::uint8_t>(std::max(0, range.least - played));
    problem.group_most[s] = static_cast<std::uint8_t>(std::max(0, range.most - played));
    const bool taker = seat == table.exchange_partner();
    const bool poor = seat == table.declarer && table.exchange_partner() >= 0;
    const Passed& passed = view.passed();
    for (int card = 0; card < kTypes; ++card) {
      const auto c = static_cast<std::size_t>(card);
      if (problem.group_most[s] == 0 && (kTrumps >> card & 1) != 0)
        problem.allowed[c] = static_cast<std::uint8_t>(problem.allowed[c] & ~(1U << i));
      const int kept = copies(passed.down, card) - copies(passed.back, card);
      const int known = view.exchanged() ? (taker ? kept : poor ? copies(passed.back, card) : 0) : 0;
      const int left = known - played_by(table, seat, card);
      if (left > problem.least[c][s]) problem.least[c][s] = static_cast<std::uint8_t>(left);
    }
    // Both club queens of a wedding that took the cards are with one of the two.
    if (table.wedding_exchanged() && !taker && !poor) problem.most[kClubQueen][s] = 0;
  }
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
    problem.slots[s] = static_cast<std::uint8_t>(table.named() ? table.holds(seat, rules) : rules.hand);
    const std::uint32_t missing = shown_void(table, seat);
    for (std::size_t c = 0; c < kTypes; ++c) {
      if ((missing >> c & 1) != 0) problem.allowed[c] = static_cast<std::uint8_t>(problem.allowed[c] & ~(1U << i));
    }
    if (view.shown() != 0 && seat == table.declarer) {
      for (int card = 0; card < kTypes; ++card) {
        problem.least[static_cast<std::size_t>(card)][s] = problem.most[static_cast<std::size_t>(card)][s] =
            static_cast<std::uint8_t>(copies(view.shown(), card));
      }
    }
    if (!table.named()) continue;
    const int queens = played_by(table, seat, kClubQueen);
    if (table.said[static_cast<std::size_t>(seat)] == kWedding && seat != table.exchange_partner()) {
      problem.least[kClubQueen][s] = static_cast<std::uint8_t>(std::max(0, 2 - queens));
    } else if (table.contract == kNormal) {
      const int party = called_party(table, seat);
      if (party == kRe && queens == 0) problem.least[kClubQueen][s] = 1;
      if (party == kKontra) problem.most[kClubQueen][s] = 0;
    }
    for (int kind = 0; kind < table.swine_asked(rules); ++kind) {
      const int card = swine_card(kind, rules.nines());
      const auto c = static_cast<std::size_t>(card);
      const int played = played_by(table, seat, card);
      if (table.swine[static_cast<std::size_t>(kind)] == seat) {
        problem.least[c][s] = static_cast<std::uint8_t>(std::max(0, 2 - played));
      } else {
        problem.most[c][s] = static_cast<std::uint8_t>(std::max(0, 1 - played));
      }
    }
  }
  if (rules.poverty && table.named()) limit_trumps(view, problem);
  return problem;
}

// Draws worlds from one view.
class Sampler {
 public:
  Sampler(const Game& game, const View& view, Belief belief)
      : game_(&game), view_(view), belief_(belief), problem_(kSeats - 1, kTypes) {
    if (view_.phase_ == Phase::start || view_.phase_ == Phase::deal) return;
    problem_ = deal_problem(view_);
    if (problem_.group != 0) belief_ = Belief::exact;  // CAP cannot count the trumps of a hand
    if (belief_ == Belief::exact) {
      counter_.build(problem_);
      if (counter_.total() == 0) refuse();
    } else {
      cap_.emplace(problem_, belief_ == Belief::cap ? cards::CapVariant::first : cards::CapVariant::random);
    }
  }

  // For worlds of given hands alone.
  Sampler(const Game& game, const View& view)
      : game_(&game), view_(view), belief_(Belief::exact), problem_(kSeats - 1, kTypes) {}

  State draw(Rng& rng) {
    if (view_.phase_ == Phase::start || view_.phase_ == Phase::deal) return draw_partial(rng);
    for (int tries = 0; tries < 100'000; ++tries) {
      cards::Hands hands;
      if (belief_ == Belief::exact) {
        counter_.draw(rng, hands);
      } else if (!cap_->draw(rng, hands)) {
        refuse();
      }
      if (const auto state = whole_world(hands, rng)) return *state;
    }
    throw ViewError(kNobodyAsked);
  }

  // The world of given hidden hands with another seat that is asked for a call, if the view waits for one; nothing if
  // none can be.
  std::optional<State> whole_world(const cards::Hands& hidden, Rng& rng) const {
    State state = world(hidden, rng);
    if (view_.waits_ && !ask_another(state, rng)) return std::nullopt;
    return state;
  }
  static constexpr const char* kNobodyAsked = "phase: nobody else can be asked for a call here";

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
      if (said == kSomething) said = hidden_name(seat, state.hands_[s], rng);
      state.names_[s] = static_cast<std::uint8_t>(said);
    }
    if (view_.table_.named()) state.find_parties();
    if (view_.table_.exchange_partner() >= 0) exchange(state, rng);
    if (view_.phase_ == Phase::call) ask(state, view_.observer_);
    return state;
  }

  const cards::DealCounter& counter() const { return counter_; }
  const View& view() const { return view_; }

 private:
  [[noreturn]] static void refuse() {
    throw ViewError("no deal explains this view: voids, calls and weddings contradict it");
  }

  // The solos that the one which is played may have overruled; during the round all, and what the hand allows beside.
  int hidden_name(int seat, Hand hand, Rng& rng) const {
    const Table& table = view_.table_;
    const Rules& rules = game_->rules();
    int names[kNames];
    std::uint32_t n = 0;
    for (int solo = kReservations - 1; solo >= kFirstSolo; --solo) {
      if (!table.named() || table.hides(seat, solo, rules)) names[n++] = solo;
    }
    if (!table.named() && rules.forced != seat) {
      if (copies(hand, kClubQueen) == 2) names[n++] = kWedding;
      if (rules.poverty && is_poor(hand)) names[n++] = kPoverty;
    }
    if (n == 0) throw ViewError("reservations: what stays hidden is a solo that goes behind the one that is played");
    return names[rng.below(n)];
  }

  // The cards that went over the table: as the observer knows them, else any that the hands allow.
  void exchange(State& state, Rng& rng) const {
    const Table& table = view_.table_;
    Passed passed = view_.passed_;
    if (!view_.exchanged()) {
      passed = {};
      Hand poor = state.hands_[static_cast<std::size_t>(table.declarer)];
      Hand rich = state.hands_[static_cast<std::size_t>(table.partner)];
      for (int i = 0; i < table.cards; ++i) {
        if (table.seat_at(i) == table.declarer) poor = with(poor, table.card_at(i));
        if (table.seat_at(i) == table.partner) rich = with(rich, table.card_at(i));
      }
      constexpr Hand trumps = kTrumps | Hand{kTrumps} << 32;
      // Trumps of the poor hand came back, and other cards make up the number.
      Hand others = 0;
      for (int card = 0; card < kTypes; ++card) {
        for (int k = copies(poor, card); k > 0; --k) {
          Hand& pile = (kTrumps >> card & 1) != 0 ? passed.back : others;
          pile = with(pile, card);
        }
      }
      while (count(passed.back) < table.back && others != 0) move_card(others, passed.back, rng);
      Hand from = joined(rich & trumps, passed.back & trumps);
      // Both club queens of a wedding were the taker's own.
      if (table.wedding_exchanged()) from = without(without(from, kClubQueen), kClubQueen);
      while (count(passed.down) < table.passed && from != 0) move_card(from, passed.down, rng);
    }
    write(passed.down, state.down_);
    write(passed.back, state.back_);
  }

  // Hands that the view does not allow can have more than three.
  static void write(Hand cards, std::array<std::uint8_t, kMostPassed>& out) {
    std::size_t n = 0;
    for (int card = 0; card < kTypes; ++card) {
      for (int k = copies(cards, card); k > 0 && n < out.size(); --k) out[n++] = static_cast<std::uint8_t>(card);
    }
  }

  // Any of the physical cards.
  static void move_card(Hand& from, Hand& to, Rng& rng) {
    Hand left = from;
    for (std::uint32_t k = rng.below(static_cast<std::uint32_t>(count(from))); k > 0; --k) left &= left - 1;
    const int card = std::countr_zero(left) & 31;
    from = without(from, card);
    to = with(to, card);
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
  if (table.contract == kThrowIn) return deals;
  if (table.fixed_re != 0) {
    deals[table.fixed_re] = counter.total();
    return deals;
  }
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
