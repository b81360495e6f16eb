"""The rows of the table: one function per piece of work, each named on the command line by its key in `ROWS`."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

import kiebitz as kb
from bench import bare, drivers, peers
from bench.arena import arena
from bench.connect_four import solver
from bench.equilibria import equilibria
from bench.learning import training
from bench.measure import Row, Settings, Spread, alternate, versus
from bench.native import ROOT
from bench.nets import guided, judged_leaves
from bench.poker import poker
from kiebitz.search import AlphaBeta, Pimc, Uct

SIMULATIONS = 10_000
TABLE_MB = 128


def uct_connect_four(settings: Settings) -> list[Row]:
    """UCT simulations per second, connect four."""
    return _uct(settings, "uct-connect-four", "connect_four", None, target=15)


def uct_oware(settings: Settings) -> list[Row]:
    """UCT simulations per second, oware abapa: the rules of OpenSpiel's oware."""
    return _uct(settings, "uct-oware", "oware", "abapa", target=8)


def _uct(settings: Settings, name: str, game_name: str, preset: str | None, target: float) -> list[Row]:
    game = kb.game(game_name, preset)
    state = game.new()
    seeds = iter(range(10**9))

    def ours() -> float:
        # A fresh search each time, as an agent makes it for every move.
        return Uct(game, iterations=SIMULATIONS, seed=next(seeds)).search(state).iterations

    row = versus(
        settings,
        ours,
        peers.mcts(game_name, SIMULATIONS),
        name=name,
        work=f"UCT, {game_name}{f' {preset}' if preset else ''}, {SIMULATIONS:,} simulations from the start",
        peer=f"{peers.version()} MCTSBot (C++)",
        unit="simulations/s",
        target=target,
    )
    return [row, *bare.bound(settings, row, ours, f"playouts {game_name}")]


def games_oware(settings: Settings) -> list[Row]:
    """Whole random games of oware, move by move from Python."""
    return _games(
        settings, "games-oware", kb.game("oware", preset="abapa"), title="oware abapa", peer_name="oware", count=50
    )


def games_leduc(settings: Settings) -> list[Row]:
    """Whole random games of leduc, move by move from Python: with chance drawn by Kiebitz, and by the caller."""
    game = kb.game("leduc", preset="standard")
    own_chance = versus(
        settings,
        drivers.caller_deals(game, 500),
        peers.random_games("leduc_poker", 500),
        name="games-leduc-root",
        work="whole random games from Python, leduc, chance sampled in Python on both sides: game.root()",
        peer=f"{peers.version()} from Python",
        unit="games/s",
    )
    rows = _games(settings, "games-leduc", game, title="leduc, game.new(seed)", peer_name="leduc_poker", count=500)
    return [*rows, own_chance]


def _games(settings: Settings, name: str, game: kb.Game, *, title: str, peer_name: str, count: int) -> list[Row]:
    peer = f"{peers.version()} from Python"
    # Drawing an action belongs to neither library. random.choice takes longer than all our calls for a move together
    # and would hide the comparison, so the row with a target draws cheaply on both sides; the other is for information.
    row = versus(
        settings,
        drivers.dealt_lean(game, count),
        peers.random_games_lean(peer_name, count),
        name=name,
        work=f"whole random games from Python, {title}",
        peer=peer,
        unit="games/s",
        target=3,
    )
    choice = versus(
        settings,
        drivers.dealt(game, count),
        peers.random_games(peer_name, count),
        name=f"{name}-choice",
        work=f"the same with random.choice on both sides, {title}",
        peer=peer,
        unit="games/s",
    )
    own, alone = alternate(settings, drivers.dealt(game, count), drivers.loop_alone(game, count))
    bound = bare.against(choice, "Python alone: the loop and random.choice", own, alone)
    return [row, choice, bound]


def alphabeta_nodes(settings: Settings) -> list[Row]:
    """Nodes per second of alpha-beta, connect four, depth 9, constant leaf value."""
    depth = 7 if settings.quick else 9
    game = kb.game("connect_four")
    state = game.new()
    plain = AlphaBeta(game, depth=depth, evaluation="zero")
    theirs, nodes = peers.alpha_beta("connect_four", depth)

    def ours() -> float:
        return plain.search(state).nodes

    row = versus(
        settings,
        ours,
        theirs,
        name="alphabeta-nodes",
        work=f"alpha-beta, connect four, depth {depth} from the start, constant leaf value",
        peer=f"{peers.version()} alpha_beta_search (Python)",
        unit="nodes/s",
        target=200,
        note=f"nodes of one search: ours {ours():,}, peer {nodes:,}",
    )
    return [row, *bare.bound(settings, row, ours, "alphabeta connect_four")]


def alphabeta_depth(settings: Settings) -> list[Row]:
    """Depth that alpha-beta completes in two seconds, with all its features and with none."""
    seconds = 0.2 if settings.quick else 2.0
    game = kb.game("oware", preset="abapa")
    state = game.new()
    full: list[float] = []
    plain: list[float] = []
    for _ in range(settings.repetitions):
        best = AlphaBeta(game, seconds=seconds, deepen=True, narrow=True, order="full", table_mb=TABLE_MB)
        full.append(best.search(state).depth)
        plain.append(AlphaBeta(game, seconds=seconds, deepen=True).search(state).depth)
    deeper = [a - b for a, b in zip(full, plain, strict=True)]
    return [
        Row(
            "alphabeta-depth",
            f"alpha-beta with all features, oware abapa from the start: depth completed in {seconds:g} s",
            "our plain alpha-beta (index order, no table)",
            "plies",
            Spread.of(full),
            Spread.of(plain),
            Spread.of(deeper),
            "plies deeper",
            4,
            note=f"table of {TABLE_MB} MB; wall time",
        )
    ]


def threads(settings: Settings) -> list[Row]:
    """Two threads against one, wall time: the same two streams, the same moves."""
    found = []
    for name, preset, iterations in (("connect_four", None, 1_000_000), ("oware", "abapa", 200_000)):
        game = kb.game(name, preset)
        state = game.new()
        count = iterations // 10 if settings.quick else iterations
        two = Uct(game, iterations=count, streams=2, threads=2)
        one = Uct(game, iterations=count, streams=2, threads=1)
        before = time.process_time(), time.perf_counter()
        two.search(state)
        used = (time.process_time() - before[0]) / (time.perf_counter() - before[1])
        found.append(
            versus(
                settings,
                lambda two=two, state=state: two.search(state).iterations,  # type: ignore[misc]
                lambda one=one, state=state: one.search(state).iterations,  # type: ignore[misc]
                name=f"threads-{name.replace('_', '-')}",
                work=f"UCT, {name}{f' {preset}' if preset else ''}, two threads, {count:,} simulations, wall time",
                peer="one thread",
                unit="simulations/s",
                target=1.7,
                note=f"{used:.2f} cores used by two threads, load {os.getloadavg()[0]:.1f}: needs an idle machine",
                clock=time.perf_counter,
            )
        )
    return found


def time_limit(settings: Settings) -> list[Row]:
    """Iterative deepening never exceeds its time limit by more than 5 % (DL-11)."""
    limits = (0.1, 0.25) if settings.quick else (0.1, 0.5, 2.0)
    found = []
    for limit in limits:
        over: list[float] = []
        took: list[float] = []
        for name, preset in (("connect_four", None), ("oware", "abapa"), ("oware", "thesis")):
            game = kb.game(name, preset)
            agent = kb.agent(f"alphabeta(seconds={limit:g})", game)
            state = game.new()
            for _ in range(max(2, settings.repetitions // 2)):
                if state.player == kb.TERMINAL:
                    break
                view = state.view(state.player)
                start = time.perf_counter()
                action = agent.act(view)
                took.append(time.perf_counter() - start)
                over.append(100 * (took[-1] / limit - 1))
                state.apply(action)  # refuses an illegal move
        found.append(
            Row(
                f"time-limit-{limit:g}",
                f"alphabeta(seconds={limit:g}), time beyond the limit (worst move)",
                "its limit",
                "s",
                Spread.of(took),
                Spread(limit, limit, limit, 1),
                Spread(max(over), min(over), max(over), len(over)),
                "%",
                5,
                at_most=True,
            )
        )
    return found


def python_game(settings: Settings) -> list[Row]:
    """Simulations per second of a game written in Python: examples/hexapawn.py."""
    path = ROOT / "examples" / "hexapawn.py"
    spec = importlib.util.spec_from_file_location("hexapawn", path)
    if spec is None or spec.loader is None:
        return []
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game = kb.game("hexapawn")
    state = game.new()
    search = Uct(game, iterations=100)
    (rates,) = alternate(settings, lambda: search.search(state).iterations)
    figure = Spread.of(rates)
    return [
        Row("python-game", "UCT on a game written in Python, hexapawn", "", "simulations/s", figure, None, figure, "")
    ]


THESIS_TREE: dict[str, Any] = {"c": 2.5, "scale": "raw", "expand": "all", "tree_calls": "none", "playout_calls": "none"}
"""The tree search of the Doppelkopf thesis: no calls below the root and in playouts."""


def doppelkopf(settings: Settings) -> list[Row]:
    """Doppelkopf from the first card (DK-17, the times of DK-51): playouts, tree search, worlds, hidden deals."""
    game = kb.game("doppelkopf", preset="thesis")
    state = game.new(seed=1)
    for _ in range(4):
        state.apply(state.parse("healthy"))
    while "pass" in {state.name(action) for action in state.legal()}:
        state.apply(state.parse("pass"))
    iterations = 10_000 if settings.quick else 100_000
    found = [*_doppelkopf_loops(settings), *_doppelkopf_tree(settings, game, state, iterations)]
    worlds = Pimc(Uct(game, iterations=iterations // 10, **THESIS_TREE), worlds=25, threads=2)
    view = state.view(state.player)
    worlds.search(view)
    took = [_seconds(lambda: worlds.search(view)) for _ in range(settings.repetitions)]
    limit = 0.35
    found.append(
        Row(
            "doppelkopf-worlds",
            f"25 worlds x {iterations // 10:,} iterations at the first card, two threads, wall time",
            "the limit",
            "s",
            Spread.of(took),
            Spread(limit, limit, limit, 1),
            Spread.of([limit / seconds for seconds in took]),
            target=1,
            note=f"load {os.getloadavg()[0]:.1f}: needs an idle machine",
        )
    )
    return found


def _doppelkopf_loops(settings: Settings) -> list[Row]:
    """Loops that run in C++ alone: playouts against the bare loop, hidden deals against their limits."""
    kernel = bare.rates(settings, settings.repetitions, "kernel doppelkopf").get("kernel doppelkopf")
    if kernel is None:
        return []
    playouts = bare.rates(settings, settings.repetitions, "playouts doppelkopf")["playouts doppelkopf"]
    found = [
        Row(
            "doppelkopf-playouts",
            "random playouts of a normal game from the first card to the points, no calls",
            "bare loop: random card, trick, eyes",
            "games/s",
            Spread.of(playouts),
            Spread.of(kernel),
            Spread.of([a / b for a, b in zip(playouts, kernel, strict=True)]),
            target=0.5,
        )
    ]
    for belief, limit in (("exact", 5e-6), ("cap", 50e-6)):
        loop = f"deals doppelkopf {belief}"
        deals = bare.rates(settings, settings.repetitions, loop)[loop]
        work = f"hidden deals drawn at the first card, belief {belief}"
        least = 1 / limit
        found.append(
            Row(
                f"doppelkopf-deals-{belief}",
                work,
                f"the limit of {1e6 * limit:g} us per deal",
                "deals/s",
                Spread.of(deals),
                Spread(least, least, least, 1),
                Spread.of([rate / least for rate in deals]),
                target=1,
            )
        )
    return found


def _doppelkopf_tree(settings: Settings, game: kb.Game, state: kb.State, iterations: int) -> list[Row]:
    """UCT with open cards at the first card decision, against the bare loop."""
    seeds = iter(range(10**9))

    def ours() -> float:
        return Uct(game, iterations=iterations, seed=next(seeds), **THESIS_TREE).search(state).iterations

    row = Row(
        "doppelkopf-uct",
        f"UCT at the first card, {iterations:,} iterations, no calls below the root",
        "",
        "iterations/s",
        Spread(0, 0, 0, 1),
        None,
        Spread(0, 0, 0, 1),
    )
    return [
        dataclasses.replace(found, name="doppelkopf-uct", target=0.22)
        for found in bare.bound(settings, row, ours, "kernel doppelkopf")
    ]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare_loops(settings: Settings) -> list[Row]:
    """The bare loops themselves."""
    found = []
    for name, values in bare.rates(settings, settings.repetitions).items():
        spread = Spread.of(values)
        unit = {"playouts": "games/s", "kernel": "games/s", "deals": "deals/s"}.get(name.split()[0], "nodes/s")
        found.append(Row(f"bare-{name.replace(' ', '-')}", f"bare loop: {name}", "", unit, spread, None, spread, ""))
    return found


ROWS: dict[str, Callable[[Settings], list[Row]]] = {
    "uct-connect-four": uct_connect_four,
    "uct-oware": uct_oware,
    "games-oware": games_oware,
    "games-leduc": games_leduc,
    "alphabeta-nodes": alphabeta_nodes,
    "alphabeta-depth": alphabeta_depth,
    "connect-four-solver": solver,
    "threads": threads,
    "time-limit": time_limit,
    "python-game": python_game,
    "doppelkopf": doppelkopf,
    "equilibria": equilibria,
    "poker": poker,
    "guided": guided,
    "judged": judged_leaves,
    "nfsp": training,
    "arena": arena,
    "bare": bare_loops,
}

NEEDS_PEER = {"uct-connect-four", "uct-oware", "games-oware", "games-leduc", "alphabeta-nodes", "equilibria", "poker"}
