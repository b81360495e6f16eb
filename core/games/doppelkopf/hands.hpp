// Hands of a Doppelkopf world as owners of cards, for beliefs from elsewhere: the pack has each card twice, in the
// order of the types; played cards belong to nobody (kiebitz::kNobody: the score has a party of that name).
#pragma once

#include "games/doppelkopf/beliefs.hpp"
#include "games/doppelkopf/consistent.hpp"

namespace kiebitz::doppelkopf {

inline std::vector<std::string> Game::pack() const {
  std::vector<std::string> names;
  for (int card = 0; card < kTypes; ++card) {
    if ((rules_.types() >> card & 1) != 0) names.insert(names.end(), 2, card_code(card));
  }
  return names;
}

inline void State::owners(std::int8_t* out) const {
  for (int card = 0; card < kTypes; ++card) {
    if ((rules().types() >> card & 1) == 0) continue;
    std::int8_t* const end = out + 2;
    for (int seat = 0; seat < kSeats; ++seat) {
      for (int k = copies(hand(seat), card); k > 0 && out < end; --k) *out++ = static_cast<std::int8_t>(seat);
    }
    out = std::fill_n(out, end - out, kiebitz::kNobody);
  }
}

inline State Game::world(const View& view, const std::int8_t* owners, Rng& rng) const {
  std::array<Hand, kSeats> held{};
  for (int card = 0; card < kTypes; ++card) {
    if ((rules_.types() >> card & 1) == 0) continue;
    for (int k = 0; k < 2; ++k, ++owners) {
      if (*owners == kiebitz::kNobody) continue;
      Hand& hand = held[static_cast<std::size_t>(*owners)];
      hand = with(hand, card);
    }
  }
  if (held[static_cast<std::size_t>(view.observer())] != view.hand())
    throw ViewError("the observer's own hand is another one");
  cards::Hands hidden{};
  for (int i = 0; i < kSeats - 1; ++i) {
    hidden[static_cast<std::size_t>(i)] = held[static_cast<std::size_t>(hidden_seat(view.observer(), i))];
  }
  const auto state = Sampler(*this, view).whole_world(hidden, rng);
  if (!state) throw ViewError(Sampler::kNobodyAsked);
  if (const std::string broken = inconsistency(view, *state); !broken.empty()) throw ViewError(broken);
  return *state;
}

}  // namespace kiebitz::doppelkopf
