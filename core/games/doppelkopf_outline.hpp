// The table of Doppelkopf as players read it off what they see: contract and who plays it, trumps, tricks and their
// takers, parties as far as they are certain, whose turn it is, the sorted hand. Who draws a table or talks about it
// reads this and needs no rules of its own.
#pragma once

#include "games/doppelkopf_belief.hpp"

namespace kiebitz::doppelkopf {

// The party of each seat where all deals that explain the view agree on it; empty where they do not.
inline std::vector<std::string> known_parties(const View& view) {
  const Table& table = view.table();
  constexpr unsigned everybody = (1U << kSeats) - 1;
  unsigned surely_re = 0;
  unsigned maybe_re = everybody;
  if (table.parties_known_late()) {
    surely_re = 1U << table.declarer;
  } else if (table.all_spoken()) {
    surely_re = everybody;
    maybe_re = 0;
    const Sampler sampler(view.game(), view, Belief::exact);
    const auto deals = re_sets(view, sampler.counter());
    for (unsigned re = 0; re < deals.size(); ++re) {
      if (deals[re] == 0) continue;
      surely_re &= re;
      maybe_re |= re;
    }
  }
  std::vector<std::string> parties;
  for (int seat = 0; seat < kSeats; ++seat) {
    parties.emplace_back((surely_re >> seat & 1) != 0  ? party_name(kRe)
                         : (maybe_re >> seat & 1) != 0 ? ""
                                                       : party_name(kKontra));
  }
  return parties;
}

// A sorted hand as players hold it: a text for the trumps and for each side suit, where there are any.
inline std::vector<std::string> hand_groups(Hand hand, const Order& order) {
  std::vector<std::string> groups;
  int last = -1;
  for (const int card : sorted_cards(hand, order)) {
    const int category = order.category[static_cast<std::size_t>(card)];
    if (category != last) {
      groups.emplace_back();
    } else {
      groups.back() += " ";
    }
    groups.back() += card_code(card);
    last = category;
  }
  return groups;
}

inline Fields View::outline() const {
  const Order& order = table_.ranking();
  const bool spoken = table_.all_spoken();
  const bool plays = phase_ != Phase::start && phase_ != Phase::deal && phase_ != Phase::over;
  const auto seat_if = [](bool known, int seat) { return known ? Value(std::int64_t{seat}) : Value(Nothing{}); };

  std::vector<std::string> trumps;
  for (const int card : sorted_cards(Hand{game_->rules().types()}, order)) {
    if (order.category[static_cast<std::size_t>(card)] == kTrump) trumps.push_back(card_code(card));
  }
  std::vector<std::string> tricks;
  std::vector<std::int64_t> leaders;
  std::vector<std::int64_t> takers;
  std::vector<std::int64_t> trick_eyes;
  for (int i = 0; i < table_.cards; ++i) {
    const int card = table_.card_at(i);
    if (i % kSeats == 0) {
      tricks.emplace_back();
      leaders.push_back(table_.seat_at(i));
      takers.push_back(table_.taker_of(i / kSeats));
      trick_eyes.push_back(0);
    }
    tricks.back() += (tricks.back().empty() ? "" : " ") + card_code(card);
    trick_eyes.back() += kEyes[static_cast<std::size_t>(card)];
  }
  return {{"contract", spoken ? Value(std::string(contract_name(table_.contract))) : Value(Nothing{})},
          {"declarer", seat_if(table_.declarer >= 0, table_.declarer)},
          {"partner", seat_if(table_.partner >= 0, table_.partner)},
          {"alone", table_.contract == kWedding && table_.solved >= 0 && table_.partner < 0},
          {"piglets", seat_if(table_.piglets >= 0, table_.piglets)},
          {"parties", known_parties(*this)},
          {"trumps", trumps},
          {"hand", hand_groups(hand_, order)},
          {"turn", seat_if(plays, table_.turn)},
          {"led", table_.in_trick() != 0 ? Value(category_name(table_.led)) : Value(Nothing{})},
          {"tricks", tricks},
          {"leaders", leaders},
          {"takers", takers},
          {"trick_eyes", trick_eyes},
          {"eyes", std::vector<std::int64_t>(table_.eyes.begin(), table_.eyes.end())},
          {"size", std::int64_t{game_->rules().hand}}};
}

}  // namespace kiebitz::doppelkopf
