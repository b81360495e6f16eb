// The player by rules of thumb as searches and bindings know it: a decision from a view, and a playout.
#include "players/doppelkopf/thumb.hpp"

namespace kiebitz::doppelkopf {

Action thumb_action(const View& view) {
  const Table& table = view.table();
  const Rules& rules = view.game().rules();
  const int seat = view.observer();
  if (view.player() != seat) return kNoAction;
  if (!table.all_spoken()) return reservation_action(thumb_says(view.hand(), seat, table.start, rules));
  if (view.stage() == Phase::poverty) return thumb_takes(view.hand(), table.passed, rules) ? kTake : kLeave;
  if (view.stage() == Phase::exchange) return thumb_gives(view.hand());
  const Parties parties = known_parties(table, view.hand(), seat);
  if (view.stage() == Phase::genscher) return thumb_regroups(table, parties.mates);
  if (view.asked()) {
    if (!thumb_calls(table, view.hand(), seat, rules)) return kPass;
    return kFirstCall + table.level[parties.re ? kRe : kKontra];
  }
  const std::uint32_t playable = following(types(view.hand()), table);
  return thumb_card(table, Memory::of(table), view.hand(), playable, parties.mates, parties.foes, rules);
}

// Plays a world to its end without calls; a share `random` of the cards is drawn from the legal ones instead.
void thumb_play_out(State& state, Rng& rng, double random) {
  const Rules& rules = state.game().rules();
  state.restrict_calls(Calls::none);
  Outcome outcomes[kTypes];
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
  while (state.phase() == Phase::reservation) {
    const int seat = state.player();
    state.apply(reservation_action(thumb_says(state.hand(seat), seat, state.table().start, rules)));
  }
  while (state.phase() == Phase::poverty) {
    state.apply(thumb_takes(state.hand(state.player()), state.table().passed, rules) ? kTake : kLeave);
  }
  while (state.phase() == Phase::exchange) state.apply(thumb_gives(state.hand(state.player())));
  Memory memory = Memory::of(state.table());
  while (state.phase() != Phase::over) {
    const Table& table = state.table();
    if (state.phase() == Phase::genscher) {
      state.apply(thumb_regroups(table, parties_of(state.re(), table.king).mates));
      continue;
    }
    const int seat = table.turn;
    const bool draw = random > 0 && rng.unit() < random;
    const Action card = draw ? state.random_legal(rng) : thumb_card_of(state, memory, rules);
    const Order& order = table.ranking();
    memory.add(order, table.in_trick() == 0 ? order.category[static_cast<std::size_t>(card)] : table.led, card, seat);
    state.apply(card);
  }
}

}  // namespace kiebitz::doppelkopf
