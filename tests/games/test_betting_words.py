"""What is said of bets: by kind, with the amount where players choose it, and of kinds that nobody foresaw."""

from __future__ import annotations

import pytest

import kiebitz as kb
from kiebitz.games import declaration_of, registry
from kiebitz.games.betting import BettingWords
from kiebitz.games.scene import Scene
from tests.contract.no_limit import NoLimit, NoLimitState


def test_a_raise_to_any_amount_is_told_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._python_games, "any_bet", NoLimit)
    game = kb.game("any_bet", stack=300)
    words, state = declaration_of(game).words, game.new()
    forty = next(choice for choice in state.choices() if choice.kind == "raise").action_for(40)
    assert words.deed(Scene(state), forty) == {"en": "raises to 40", "de": "erhöht auf 40"}
    assert words.action(state.view(0), forty, "en") == "raise to 40"
    assert words.action(state.view(0), forty, "de") == "auf 40 erhöhen"
    assert words.deed(Scene(state), 0) == {"en": "folds", "de": "steigt aus"}
    assert words.action(state.view(0), 0, "de") == "aussteigen"


def test_fixed_bets_are_told_without_amounts() -> None:
    state = kb.game("leduc").new(seed=3)
    words = declaration_of(state.game).words
    said = []
    for name in ("bet", "raise", "call"):
        action = state.parse(name)
        said.append((words.deed(Scene(state), action)["de"], words.action(state.view(state.player), action, "de")))
        state.apply(action)
    assert said == [("setzt", "setzen"), ("erhöht", "erhöhen"), ("geht mit", "mitgehen")]


def test_an_unforeseen_kind_is_told_by_its_name() -> None:
    class PostingState(NoLimitState):
        def kind(self, action: int) -> str:
            return "post" if action == 0 else super().kind(action)

        def name(self, action: int) -> str:
            return "post 1" if action == 0 else super().name(action)

    class Posting(NoLimit):
        name = "posting"
        kinds = (kb.ActionKind("post", "move"), *NoLimit.kinds)

        def root(self) -> kb.PythonState:
            return PostingState()

    state = Posting.make().root()
    assert BettingWords(amounts=True).deed(Scene(state), 0) == {"en": "plays post 1", "de": "spielt post 1"}
    assert BettingWords().action(state.view(0), 0, "de") == "post 1"
