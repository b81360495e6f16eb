"""Finds experiments by game and name."""

from __future__ import annotations

from kiebitz.errors import UnknownName
from kiebitz.experiments import connect_four, doppelkopf, leduc, oware, tic_tac_toe
from kiebitz.experiments.run import Experiment

GAMES = {
    "connect_four": connect_four.EXPERIMENTS,
    "doppelkopf": doppelkopf.EXPERIMENTS,
    "leduc": leduc.EXPERIMENTS,
    "oware": oware.EXPERIMENTS,
    "tic_tac_toe": tic_tac_toe.EXPERIMENTS,
}


def list_experiments(game: str) -> list[Experiment]:
    """The experiments for a game.

    >>> [experiment.name for experiment in list_experiments("doppelkopf")][:2]
    ['c-study', 'random']
    """
    if game not in GAMES:
        raise UnknownName(f"there are no experiments for '{game}'; expected one of {', '.join(GAMES)}")
    return list(GAMES[game])


def experiment(game: str, name: str) -> Experiment:
    """The experiment of that name.

    >>> experiment("doppelkopf", "ladder").title
    'Doppelkopf: more iterations against fewer'
    """
    found = {item.name: item for item in list_experiments(game)}
    if name not in found:
        raise UnknownName(f"there is no experiment '{name}' for {game}; expected one of {', '.join(found)}")
    return found[name]
