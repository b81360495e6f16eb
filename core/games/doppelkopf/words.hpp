// Words of Doppelkopf: cards, reservations and calls as text, in the notation of the recorded games, in symbols, in
// English and in German, and back.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/doppelkopf/table.hpp"

namespace kiebitz::doppelkopf {

inline constexpr int kFirstReservation = 24;
inline constexpr int kFirstCall = 33;
inline constexpr int kPass = 38;
inline constexpr int kActions = 39;
// With house rules that have reservations of their own: 39 poverty, 40 a hand is thrown in, 41 the poor seat's cards
// are taken, 42 they are left.
inline constexpr int kFirstHouse = 39;
inline constexpr int kTake = 41;
inline constexpr int kLeave = 42;
inline constexpr int kHouseActions = 43;
// With Genscher: 43 everything stays, 44 to 46 the partner is the seat to the left, opposite, to the right.
inline constexpr int kKeep = 43;
inline constexpr int kGenscherActions = 47;

constexpr int reservation_action(int name) {
  return name < kReservations ? kFirstReservation + name : kFirstHouse + name - kReservations;
}
constexpr int reservation_of(int action) {
  return action < kFirstCall ? action - kFirstReservation : action - kFirstHouse + kReservations;
}

// "CQ", "HT": suit then rank.
inline std::string card_code(int card) { return {"DHCS"[suit_of(card)], "9TJQKA"[rank_of(card)]}; }

// "♣Q", "♥10".
inline std::string card_name(int card) {
  static const char* const suits[] = {"♦", "♥", "♣", "♠"};
  static const char* const ranks[] = {"9", "10", "J", "Q", "K", "A"};
  return std::string(suits[suit_of(card)]) + ranks[rank_of(card)];
}

// What must be followed: "trump", or the suit as cards write it.
inline std::string category_name(int category) {
  return category == kTrump ? "trump" : std::string(1, "DHCS"[category]);
}

// The same in words.
inline const char* category_word(int category) {
  static const char* const suits[] = {"diamonds", "hearts", "clubs", "spades"};
  return category == kTrump ? "trump" : suits[category];
}

inline const char* reservation_name(int reservation) {
  static const char* const names[] = {"healthy",     "wedding",    "solo-diamonds",  "solo-hearts",
                                      "solo-spades", "solo-clubs", "solo-trumpless", "solo-queens",
                                      "solo-jacks",  "poverty",    "throw-in"};
  return names[reservation];
}

inline constexpr const char* kSwineNames[] = {"piglets", "superpiglets", "hyperpiglets"};

inline const char* contract_name(int contract) { return contract == kNormal ? "normal" : reservation_name(contract); }

inline std::string said_word(int said) {
  return said == kSilent ? "-" : said == kSomething ? "hidden" : reservation_name(said);
}

inline const char* party_name(int party) {
  static const char* const names[] = {"re", "kontra", "none"};
  return names[party];
}

// Steps from 1; the first has no name of its own but the party's.
inline const char* step_name(int step) {
  static const char* const names[] = {"", "re-kontra", "no90", "no60", "no30", "black"};
  return names[step];
}

// A call with its party: "re", "kontra", "re-no90".
inline std::string call_name(int party, int step) {
  return step == 1 ? party_name(party) : std::string(party_name(party)) + "-" + step_name(step);
}

// The cards of a hand as players sort them: trumps from the highest, then clubs, spades, hearts, diamonds.
inline std::vector<int> sorted_cards(Hand hand, const Order& order) {
  std::vector<int> out;
  for (const int category : {kTrump, kClubs, kSpades, kHearts, kDiamonds}) {
    for (int rank = kTypes; rank > 0; --rank) {
      for (int card = 0; card < kTypes; ++card) {
        const auto c = static_cast<std::size_t>(card);
        if (order.category[c] != category || order.rank[c] != rank) continue;
        for (int k = copies(hand, card); k > 0; --k) out.push_back(card);
      }
    }
  }
  return out;
}

inline std::string hand_codes(Hand hand) {
  std::string out;
  for (int card = 0; card < kTypes; ++card) {
    for (int k = copies(hand, card); k > 0; --k) out += (out.empty() ? "" : " ") + card_code(card);
  }
  return out;
}

inline std::string hand_names(Hand hand, const Order& order) {
  std::string out;
  for (const int card : sorted_cards(hand, order)) out += (out.empty() ? "" : " ") + card_name(card);
  return out;
}

// Lower case, without blanks and hyphens, symbols of suits as letters, umlauts written out.
inline std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, const char*> symbols[] = {
      {"♦", "d"}, {"♢", "d"},  {"♥", "h"},  {"♡", "h"},  {"♣", "c"},  {"♧", "c"},          {"♠", "s"},
      {"♤", "s"}, {"ö", "oe"}, {"Ö", "oe"}, {"ü", "ue"}, {"ß", "ss"}, {"\xEF\xB8\x8F", ""}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    bool found = false;
    for (const auto& [symbol, letters] : symbols) {
      if (text.substr(i, symbol.size()) != symbol) continue;
      out += letters;
      i += symbol.size();
      found = true;
      break;
    }
    if (found) continue;
    const char c = text[i++];
    if (c == ' ' || c == '-' || c == '_' || c == '\t') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return out;
}

// A card in any notation: "cq", "♣Q", "kreuz dame", "queen of clubs".
inline std::optional<int> parse_card(std::string_view text) {
  using Word = std::pair<std::string_view, int>;
  static constexpr Word suits[] = {
      {"d", kDiamonds},    {"karo", kDiamonds}, {"diamonds", kDiamonds}, {"diamond", kDiamonds}, {"h", kHearts},
      {"herz", kHearts},   {"hearts", kHearts}, {"heart", kHearts},      {"c", kClubs},          {"kreuz", kClubs},
      {"clubs", kClubs},   {"club", kClubs},    {"treff", kClubs},       {"s", kSpades},         {"pik", kSpades},
      {"spades", kSpades}, {"spade", kSpades}};
  static constexpr Word ranks[] = {
      {"9", kNine},     {"neun", kNine},   {"nine", kNine}, {"t", kTen},       {"10", kTen},     {"zehn", kTen},
      {"ten", kTen},    {"j", kJack},      {"b", kJack},    {"bube", kJack},   {"jack", kJack},  {"q", kQueen},
      {"dame", kQueen}, {"queen", kQueen}, {"k", kKing},    {"koenig", kKing}, {"konig", kKing}, {"king", kKing},
      {"a", kAce},      {"ass", kAce},     {"as", kAce},    {"ace", kAce}};
  if (text.size() > 64) return std::nullopt;
  const std::string word = plain(text);
  const std::string_view letters = word;
  for (const auto& [suit_word, suit] : suits) {
    for (const auto& [rank_word, rank] : ranks) {
      const bool suit_first = letters.starts_with(suit_word) && letters.substr(suit_word.size()) == rank_word;
      const bool rank_first = rank_word.size() > 2 && letters.size() == rank_word.size() + 2 + suit_word.size() &&
                              letters.starts_with(rank_word) && letters.substr(rank_word.size(), 2) == "of" &&
                              letters.ends_with(suit_word);
      if (suit_first || rank_first) return card_of(suit, rank);
    }
  }
  return std::nullopt;
}

inline std::optional<int> parse_reservation(std::string_view text) {
  static constexpr std::pair<std::string_view, int> words[] = {
      {"healthy", 0},      {"gesund", 0},        {"noreservation", 0}, {"wedding", 1},     {"hochzeit", 1},
      {"solodiamonds", 2}, {"solod", 2},         {"karosolo", 2},      {"diamondsolo", 2}, {"solohearts", 3},
      {"soloh", 3},        {"herzsolo", 3},      {"heartsolo", 3},     {"solospades", 4},  {"solos", 4},
      {"piksolo", 4},      {"spadesolo", 4},     {"soloclubs", 5},     {"soloc", 5},       {"kreuzsolo", 5},
      {"clubsolo", 5},     {"solotrumpless", 6}, {"trumpless", 6},     {"notrump", 6},     {"fleischlos", 6},
      {"asssolo", 6},      {"solonotrump", 6},   {"soloqueens", 7},    {"soloq", 7},       {"damensolo", 7},
      {"queensolo", 7},    {"solojacks", 8},     {"soloj", 8},         {"bubensolo", 8},   {"jacksolo", 8},
      {"poverty", 9},      {"armut", 9},         {"throwin", 10},      {"schmeissen", 10}, {"werfen", 10}};
  if (text.size() > 64) return std::nullopt;
  const std::string word = plain(text);
  for (const auto& [name, reservation] : words) {
    if (word == name) return reservation;
  }
  return std::nullopt;
}

// Whether a seat takes the cards of poverty.
inline std::optional<int> parse_answer(std::string_view text) {
  if (text.size() > 64) return std::nullopt;
  const std::string word = plain(text);
  for (const char* const yes : {"take", "yes", "y", "nehmen", "nehme", "ja", "j"}) {
    if (word == yes) return kTake;
  }
  for (const char* const no : {"leave", "no", "n", "weiter", "nein", "liegenlassen"}) {
    if (word == no) return kLeave;
  }
  return std::nullopt;
}

// Genscher: who is the partner from now on.
inline constexpr const char* kAnswers[] = {"keep", "left", "opposite", "right"};
inline std::optional<int> parse_partner(std::string_view text) {
  static constexpr std::pair<std::string_view, int> words[] = {
      {"keep", 0},  {"no", 0},       {"n", 0},          {"nein", 0}, {"bleiben", 0}, {"left", 1},
      {"links", 1}, {"opposite", 2}, {"gegenueber", 2}, {"oben", 2}, {"right", 3},   {"rechts", 3}};
  if (text.size() > 64) return std::nullopt;
  const std::string word = plain(text);
  for (const auto& [name, answer] : words) {
    if (word == name) return kKeep + answer;
  }
  return std::nullopt;
}

// A call by a seat of `party`, as an action; the party may be named, but only the right one.
inline std::optional<int> parse_call(std::string_view text, int party) {
  static constexpr std::pair<std::string_view, int> words[] = {
      {"rekontra", 1}, {"no90", 2},    {"keine90", 2}, {"under90", 2}, {"unter90", 2}, {"k90", 2},   {"90", 2},
      {"no60", 3},     {"keine60", 3}, {"under60", 3}, {"unter60", 3}, {"k60", 3},     {"60", 3},    {"no30", 4},
      {"keine30", 4},  {"under30", 4}, {"unter30", 4}, {"k30", 4},     {"30", 4},      {"black", 5}, {"schwarz", 5}};
  if (text.size() > 64) return std::nullopt;
  std::string word = plain(text);
  for (const char* const pass : {"pass", "nocall", "weiter", "passe", "nichts", "no", "nein"}) {
    if (word == pass) return kPass;
  }
  const std::string own = party_name(party);
  if (word == own || (party == kKontra && word == "contra")) return kFirstCall;
  if (word.starts_with(own) && word != "rekontra") word.erase(0, own.size());
  for (const auto& [name, step] : words) {
    if (word == name) return kFirstCall + step - 1;
  }
  return std::nullopt;
}

}  // namespace kiebitz::doppelkopf
