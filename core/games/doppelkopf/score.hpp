// Which party wins a game of Doppelkopf and what it is worth, item by item (spec sections 2.8 to 2.11, settled by the
// recorded games). score() names every item to its caller; adding them up and listing them for people are two uses of
// one rule.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace kiebitz::doppelkopf {

inline constexpr int kRe = 0;
inline constexpr int kKontra = 1;
inline constexpr int kNobody = 2;

// What the score depends on. Arrays are by party.
struct Finish {
  std::array<int, 2> eyes{};
  std::array<int, 2> tricks{};
  std::array<int, 2> level{};       // steps of the ladder called: 0 none, 1 Re or Kontra, 2 no 90 ... 5 black
  bool alone = false;               // Re is one seat: no special points, three times the points
  std::array<int, 2> doppelkopf{};  // special points won by the party
  std::array<int, 2> fox{};
  std::array<int, 2> charlie{};
  std::array<int, 2> fox_last{};  // house rules
  std::array<int, 2> charlie_caught{};
};

// Items of the score. Those by step (no 90, 60, 30, black) and party follow each other.
enum class Item : std::uint8_t {
  won,
  under,                 // + step: what the losers stayed below
  said = under + 4,      // + party
  denied = said + 2,     // + 4 * party + step: steps that the party called
  against = denied + 8,  // + 4 * party + step: the party reached 120, 90, 60, 30 against the other's call
  held = against + 8,    // + 4 * party + step, neither party won: this one held the other below
  queens = held + 8,     // special points from here
  doppelkopf,            // + party
  fox = doppelkopf + 2,
  charlie = fox + 2,
  fox_last = charlie + 2,
  charlie_caught = fox_last + 2,
  count = charlie_caught + 2,
};

constexpr Item item(Item first, int offset) { return static_cast<Item>(static_cast<int>(first) + offset); }

// Has the party met its target? The tests of the two parties are independent of each other.
inline bool reached_target(const Finish& o, int party) {
  constexpr int kEyesFor[] = {0, 151, 181, 211};
  constexpr int kEyesAgainst[] = {0, 90, 60, 30};
  const auto p = static_cast<std::size_t>(party);
  const std::size_t q = 1 - p;
  const int own = o.level[p] - 1;
  const int other = o.level[q] - 1;
  if (own >= 4) return o.tricks[q] == 0;
  if (own >= 1) return o.eyes[p] >= kEyesFor[own];
  if (other >= 4) return o.tricks[p] > 0;
  if (other >= 1) return o.eyes[p] >= kEyesAgainst[other];
  const bool only_kontra = o.level[kKontra] > 0 && o.level[kRe] == 0;
  return o.eyes[p] >= ((party == kRe) != only_kontra ? 121 : 120);
}

inline int winner_of(const Finish& o) {
  if (reached_target(o, kRe)) return kRe;
  return reached_target(o, kKontra) ? kKontra : kNobody;
}

// Calls add(item, party, points) for every item worth something: the party that gets the points. Returns the winner.
template <class Add>
int score(const Finish& o, Add&& add) {
  constexpr int kBelow[] = {90, 60, 30};
  constexpr int kEnough[] = {120, 90, 60, 30};
  const int winner = winner_of(o);
  const auto against = [&](int party) {
    const auto p = static_cast<std::size_t>(party);
    for (int step = 0; step < 4; ++step) {
      if (o.level[1 - p] >= step + 2 && o.eyes[p] >= kEnough[step])
        add(item(Item::against, 4 * party + step), party, 1);
    }
  };
  if (winner == kNobody) {
    for (int party = 0; party < 2; ++party) {
      for (int step = 0; step < 3; ++step) {
        if (o.eyes[static_cast<std::size_t>(1 - party)] < kBelow[step])
          add(item(Item::held, 4 * party + step), party, 1);
      }
      against(party);
    }
  } else {
    const auto loser = static_cast<std::size_t>(1 - winner);
    add(Item::won, winner, 1);
    for (int step = 0; step < 3; ++step) {
      if (o.eyes[loser] < kBelow[step]) add(item(Item::under, step), winner, 1);
    }
    if (o.tricks[loser] == 0) add(item(Item::under, 3), winner, 1);
    for (int party = 0; party < 2; ++party) {
      const int level = o.level[static_cast<std::size_t>(party)];
      if (level > 0) add(item(Item::said, party), winner, 2);
      for (int step = 0; step + 2 <= level; ++step) add(item(Item::denied, 4 * party + step), winner, 1);
    }
    against(winner);
  }
  if (o.alone) return winner;
  if (winner == kKontra) add(Item::queens, kKontra, 1);
  for (int party = 0; party < 2; ++party) {
    const auto p = static_cast<std::size_t>(party);
    const auto special = [&](Item first, int points) {
      if (points > 0) add(item(first, party), party, points);
    };
    special(Item::doppelkopf, o.doppelkopf[p]);
    special(Item::fox, o.fox[p]);
    special(Item::charlie, o.charlie[p]);
    special(Item::fox_last, o.fox_last[p]);
    special(Item::charlie_caught, o.charlie_caught[p]);
  }
  return winner;
}

// Points of one seat of Re in a game of two against two; a lone Re seat gets three times as much.
inline int value_for_re(const Finish& o) {
  int value = 0;
  score(o, [&](Item, int party, int points) { value += party == kRe ? points : -points; });
  return value;
}

// The item's name in the recorded games.
inline std::string item_name(Item which) {
  static const char* const steps[] = {"no90", "no60", "no30", "black"};
  static const char* const below[] = {"under90", "under60", "under30", "black"};
  static const char* const parties[] = {"re", "kontra"};
  static const char* const reached[] = {"120", "90", "60", "30"};
  const int i = static_cast<int>(which);
  const auto within = [&](Item first, int size) {
    const int offset = i - static_cast<int>(first);
    return offset >= 0 && offset < size ? offset : -1;
  };
  if (which == Item::won) return "won";
  if (const int k = within(Item::under, 4); k >= 0) return below[k];
  if (const int k = within(Item::said, 2); k >= 0) return std::string("said_") + parties[k];
  if (const int k = within(Item::denied, 8); k >= 0) return std::string(parties[k / 4]) + "_said_" + steps[k % 4];
  if (const int k = within(Item::against, 8); k >= 0) {
    return std::string(parties[k / 4]) + "_" + reached[k % 4] + "_vs_" + steps[k % 4];
  }
  if (const int k = within(Item::held, 8); k >= 0) return std::string(parties[k / 4]) + "_" + below[k % 4];
  if (which == Item::queens) return "against_club_queens";
  if (const int k = within(Item::doppelkopf, 2); k >= 0) return std::string("doppelkopf_") + parties[k];
  if (const int k = within(Item::fox, 2); k >= 0) return std::string("fox_") + parties[k];
  if (const int k = within(Item::charlie, 2); k >= 0) return std::string("charlie_") + parties[k];
  if (const int k = within(Item::fox_last, 2); k >= 0) return std::string("fox_last_") + parties[k];
  return std::string("charlie_caught_") + parties[within(Item::charlie_caught, 2)];
}

inline bool is_special(Item which) { return which >= Item::queens; }

// The item for people.
inline std::string item_text(Item which, bool german) {
  static const char* const parties[] = {"Re", "Kontra"};
  static const char* const reached[] = {"120", "90", "60", "30"};
  static const char* const limit_en[] = {"no 90", "no 60", "no 30", "black"};
  static const char* const limit_de[] = {"keine 90", "keine 60", "keine 30", "schwarz"};
  const int i = static_cast<int>(which);
  const auto within = [&](Item first, int size) {
    const int offset = i - static_cast<int>(first);
    return offset >= 0 && offset < size ? offset : -1;
  };
  const auto* const limit = german ? limit_de : limit_en;
  const auto for_party = [&](const char* de, const char* en, int party) {
    return std::string(german ? de : en) + " (" + parties[party] + ")";
  };
  if (which == Item::won) return german ? "gewonnen" : "game won";
  if (const int k = within(Item::under, 4); k >= 0) return limit[k];
  if (const int k = within(Item::said, 2); k >= 0) return std::string(parties[k]) + (german ? " angesagt" : " called");
  if (const int k = within(Item::denied, 8); k >= 0) {
    return std::string(parties[k / 4]) + (german ? " sagte " : " called ") + limit[k % 4];
  }
  if (const int k = within(Item::against, 8); k >= 0) {
    return std::string(parties[k / 4]) + (german ? " erreichte " : " reached ") + reached[k % 4] +
           (german ? " gegen " : " against ") + limit[k % 4];
  }
  if (const int k = within(Item::held, 8); k >= 0) {
    return std::string(parties[k / 4]) + (german ? " ließ " : " held the others to ") + limit[k % 4] +
           (german ? " zu" : "");
  }
  if (which == Item::queens) return german ? "gegen die Alten" : "against the queens";
  if (const int k = within(Item::doppelkopf, 2); k >= 0) return for_party("Doppelkopf", "Doppelkopf", k);
  if (const int k = within(Item::fox, 2); k >= 0) return for_party("Fuchs gefangen", "fox caught", k);
  if (const int k = within(Item::charlie, 2); k >= 0) return for_party("Karlchen", "Charlie", k);
  if (const int k = within(Item::fox_last, 2); k >= 0) return for_party("Fuchs am End", "fox in the last trick", k);
  return for_party("Karlchen gefangen", "Charlie caught", within(Item::charlie_caught, 2));
}

}  // namespace kiebitz::doppelkopf
