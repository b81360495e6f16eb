// What a view of Leduc hold'em tells: as text, as facts for people, as beliefs, and as numbers for learners.
#pragma once

#include <algorithm>

#include "games/betting.hpp"
#include "games/hand_beliefs.hpp"
#include "games/leduc/state.hpp"

namespace kiebitz::leduc {

inline std::string View::text() const {
  std::string out = "player " + std::to_string(observer_) + " holds " + game_->card_name(card_) +
                    "\npublic: " + game_->card_name(public_) + "\nbetting: " + betting_.text() + "\n";
  if (shown_ != kNone) out += "player " + std::to_string(1 - observer_) + " shows " + game_->card_name(shown_) + "\n";
  return out;
}

inline Fields View::public_facts() const {
  const auto name = [&](int card) { return card == kNone ? Value(Nothing{}) : Value(game_->card_name(card)); };
  const auto stakes = game_->stakes();
  BettingStory story({stakes[0], stakes[1]});
  for (std::size_t r = 0; r <= betting_.index(); ++r) {
    if (r > 0) story.next_round();
    for (int k = 0; k < betting_.length[r]; ++k) {
      (betting_.raised[r] >> k & 1) != 0 ? story.raise(k & 1, game_->bet(r)) : story.call(k & 1);
    }
  }
  if (betting_.folded) story.fold(betting_.actor());
  std::vector<Value> shown(2, Value(Nothing{}));
  if (shown_ != kNone) {
    shown[static_cast<std::size_t>(observer_)] = name(card_);
    shown[static_cast<std::size_t>(1 - observer_)] = name(shown_);
  }
  Fields out = {{"public", name(public_)}, {"betting", betting_.text()}, {"shown", shown}};
  const int next = betting_.folded ? 1 - betting_.actor() : betting_.actor();
  story.append_facts(out, next, game_->bet(betting_.index()));
  return out;
}

inline Fields View::outline() const {
  std::vector<std::string> hand;
  if (card_ != kNone) hand.push_back(game_->card_name(card_));
  return {{"hand", hand}};
}

inline Fields View::beliefs() const {
  std::vector<int> shown(2);
  shown[static_cast<std::size_t>(observer_)] = card_;
  shown[static_cast<std::size_t>(1 - observer_)] = shown_;
  return single_card_beliefs(game_->cards(), 2, dealt_, shown, {public_},
                             [&](int card) { return game_->card_name(card); });
}

inline void View::tensor(float* out) const {
  const int ranks = game_->ranks();
  const int levels = game_->max_raises() + 1;
  std::fill(out, out + 2 * ranks + 8 * levels, 0.0F);
  if (card_ != kNone) out[game_->rank(card_)] = 1;
  if (public_ != kNone) out[ranks + game_->rank(public_)] = 1;
  for (int r = 0; r < 2; ++r) {
    const auto i = static_cast<std::size_t>(r);
    int level = 0;
    for (int k = 0; k < betting_.length[i]; ++k) {
      const int raise = betting_.raised[i] >> k & 1;
      out[2 * ranks + (((k & 1) * 2 + r) * levels + level) * 2 + raise] = 1;
      level += raise;
    }
  }
}

}  // namespace kiebitz::leduc
