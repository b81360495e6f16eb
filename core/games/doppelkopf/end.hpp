// What a Doppelkopf state is worth and what makes two of them the same: payoffs, the result with its items, and the
// key.
#pragma once

#include "games/doppelkopf/state.hpp"

namespace kiebitz::doppelkopf {

inline void State::returns(double* out) const {
  if (thrown()) {
    std::fill(out, out + kSeats, 0.0);
    return;
  }
  const Finish finish = table_.finish(re_, rules());
  const int value = value_for_re(finish) * rules().worth;
  for (int seat = 0; seat < kSeats; ++seat) {
    out[seat] = side(seat) == kRe ? (finish.alone ? 3 * value : value) : -value;
  }
}

// A deal that ended before the first card.
inline Fields State::thrown_result() const {
  std::vector<std::string> shown;
  for (const std::uint8_t said : table_.said) shown.push_back(said_word(said));
  const std::vector<std::int64_t> none;
  const std::vector<std::int64_t> zeros(kSeats);
  return {{"type", std::string(contract_name(table_.contract))},
          {"silent_solo", false},
          {"reservations_shown", shown},
          {"wedding", Nothing{}},
          {"re", none},
          {"kontra", none},
          {"solo_scoring", false},
          {"trick_winners", none},
          {"eyes_player", zeros},
          {"eyes_re", std::int64_t{0}},
          {"eyes_kontra", std::int64_t{0}},
          {"tricks_re", std::int64_t{0}},
          {"lowest_re", Nothing{}},
          {"lowest_kontra", Nothing{}},
          {"winner", std::string(party_name(kNobody))},
          {"points", zeros},
          {"points_re", std::int64_t{0}},
          {"points_kontra", std::int64_t{0}},
          {"base", Fields{}},
          {"special", Nothing{}},
          {"items", std::vector<std::string>{}},
          {"items_en", std::vector<std::string>{}},
          {"items_de", std::vector<std::string>{}},
          {"item_points_re", none},
          {"thrown", std::int64_t{table_.declarer}}};
}

inline Fields State::result() const {
  if (thrown()) return thrown_result();
  const Finish finish = table_.finish(re_, rules());
  Fields base;
  Fields special;
  std::vector<std::string> items;
  std::vector<std::string> english;
  std::vector<std::string> german;
  std::vector<std::int64_t> worth;  // to Re
  const int winner = score(finish, [&](Item which, int party, int points) {
    (is_special(which) ? special : base).emplace_back(item_name(which), std::int64_t{points});
    items.push_back(item_name(which));
    english.push_back(item_text(which, false));
    german.push_back(item_text(which, true));
    worth.push_back(party == kRe ? points : -points);
  });
  double payoffs[kSeats];
  returns(payoffs);
  std::vector<std::string> shown;
  std::array<std::vector<std::int64_t>, 2> seats;
  std::vector<std::int64_t> points;
  for (int seat = 0; seat < kSeats; ++seat) {
    const std::uint8_t said = table_.said[static_cast<std::size_t>(seat)];
    shown.emplace_back(said == kSomething ? "hidden" : reservation_name(said));
    seats[static_cast<std::size_t>(side(seat))].push_back(seat);
    points.push_back(static_cast<std::int64_t>(payoffs[seat]));
  }
  const auto lowest = [&](int party) -> Value {
    const int level = finish.level[static_cast<std::size_t>(party)];
    if (level == 0) return Nothing{};
    return std::string(step_name(level));
  };
  std::vector<std::int64_t> takers;
  for (int trick = 0; trick < rules().hand; ++trick) takers.push_back(table_.taker_of(trick));
  Value wedding = Nothing{};
  if (table_.contract == kWedding) {
    wedding = Fields{{"player", std::int64_t{table_.declarer}}, {"solved_trick", std::int64_t{table_.solved}}};
  }
  Fields out = {{"type", std::string(contract_name(table_.contract))},
                {"silent_solo", table_.contract == kNormal && finish.alone},
                {"reservations_shown", shown},
                {"wedding", wedding},
                {"re", seats[kRe]},
                {"kontra", seats[kKontra]},
                {"solo_scoring", finish.alone},
                {"trick_winners", takers},
                {"eyes_player", std::vector<std::int64_t>(table_.eyes.begin(), table_.eyes.end())},
                {"eyes_re", std::int64_t{finish.eyes[kRe]}},
                {"eyes_kontra", std::int64_t{finish.eyes[kKontra]}},
                {"tricks_re", std::int64_t{finish.tricks[kRe]}},
                {"lowest_re", lowest(kRe)},
                {"lowest_kontra", lowest(kKontra)},
                {"winner", std::string(party_name(winner))},
                {"points", points},
                {"points_re", points[static_cast<std::size_t>(seats[kRe][0])]},
                {"points_kontra", points[static_cast<std::size_t>(seats[kKontra][0])]},
                {"base", base},
                {"special", finish.alone ? Value(Nothing{}) : Value(special)},
                {"items", items},
                {"items_en", english},
                {"items_de", german},
                {"item_points_re", worth}};
  if (rules().throw_in || rules().poverty) out.emplace_back("thrown", Nothing{});
  if (rules().bock_hearts) out.emplace_back("heart_tricks", std::int64_t{table_.heart_tricks()});
  if (table_.fixed_re != 0) {
    out.emplace_back("genscher", Fields{{"seat", std::int64_t{table_.king}},
                                        {"partner", std::int64_t{(table_.king + table_.genscher) & 3}}});
  }
  if (rules().worth != 1) out.emplace_back("worth", std::int64_t{rules().worth});
  if (table_.contract == kPoverty) {
    out.emplace_back("exchange", Fields{{"from", std::int64_t{table_.declarer}},
                                        {"to", std::int64_t{table_.partner}},
                                        {"cards", std::int64_t{table_.passed}},
                                        {"trumps_back", std::int64_t{table_.trumps_back}}});
  }
  return out;
}

// What is to come depends on hands, the trick on the table and what has been reached so far; eyes and the like count by
// party once the parties cannot change any more.
inline std::uint64_t State::key() const {
  std::uint64_t k = 0;
  const auto add = [&k](std::uint64_t x) { k = mix64(k ^ x); };
  for (const Hand hand : hands_) add(hand);
  std::uint64_t so_far[2] = {};
  const bool by_party = settled();
  const auto count_in = [&](int seat, std::uint64_t x) {
    if (by_party) {
      so_far[side(seat)] += x;
    } else {
      add(x * kSeats + static_cast<std::uint64_t>(seat));
    }
  };
  for (int seat = 0; seat < kSeats; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    count_in(seat, table_.eyes[s] | std::uint64_t{table_.tricks[s]} << 16 | std::uint64_t{table_.doppelkopf[s]} << 24);
  }
  for (const std::uint8_t fox : table_.foxes) {
    const int by = fox & 3;
    const int taker = fox >> 2 & 3;
    if (fox != 0 && !(by_party && side(by) == side(taker)))
      count_in(taker, std::uint64_t{by_party ? 0U : fox} << 40 | std::uint64_t{1} << 32);
  }
  add(so_far[0]);
  add(so_far[1]);
  const bool in_trick = table_.in_trick() != 0 || phase_ == Phase::over;
  add(in_trick ? std::uint64_t{table_.led} | std::uint64_t{table_.best} << 8 | std::uint64_t{table_.best_card} << 16 |
                     std::uint64_t{table_.taker} << 24 | std::uint64_t{table_.trick_eyes} << 32 |
                     std::uint64_t{table_.trick_foxes} << 40
               : 0);
  add(std::uint64_t{static_cast<std::uint8_t>(table_.turn)} | std::uint64_t{table_.level[0]} << 8 |
      std::uint64_t{table_.level[1]} << 16 | std::uint64_t{table_.contract} << 24 | std::uint64_t{table_.order} << 32 |
      std::uint64_t{re_} << 40 | std::uint64_t{static_cast<std::uint8_t>(phase_)} << 48 | std::uint64_t{asked_} << 52 |
      std::uint64_t{passes_} << 54 | std::uint64_t{table_.cards} << 58);
  const bool unopened = table_.cards == 0 && phase_ != Phase::card && phase_ != Phase::call;
  if (table_.contract == kPoverty) {
    add(std::uint64_t{static_cast<std::uint8_t>(table_.partner)} | std::uint64_t{table_.passed} << 8 |
        std::uint64_t{table_.back} << 16);
  }
  if (unopened || table_.contract == kWedding) {
    add(std::uint64_t{static_cast<std::uint8_t>(table_.start)} | std::uint64_t{names_[0]} << 8 |
        std::uint64_t{names_[1]} << 16 | std::uint64_t{names_[2]} << 24 | std::uint64_t{names_[3]} << 32 |
        std::uint64_t{dealt_} << 40 | std::uint64_t{static_cast<std::uint8_t>(table_.declarer)} << 48 |
        std::uint64_t{static_cast<std::uint8_t>(table_.solved)} << 56);
  }
  if (rules().genscher) {
    add(std::uint64_t{static_cast<std::uint8_t>(table_.king)} |
        std::uint64_t{static_cast<std::uint8_t>(table_.genscher)} << 8);
  }
  if (table_.charlie_matters(rules())) {
    for (int i = rules().deck() - 4; i < table_.cards; ++i) add(table_.played[static_cast<std::size_t>(i)]);
  }
  return k;
}

}  // namespace kiebitz::doppelkopf
