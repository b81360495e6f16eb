"""The peer: OpenSpiel, used the way its users use it."""

from __future__ import annotations

import importlib.util
import math
import random
from collections.abc import Callable
from typing import Any

from bench.measure import Work
from kiebitz.solve import Policy

AVAILABLE = importlib.util.find_spec("pyspiel") is not None

TERMINAL = -4
CHANCE = -1

# Ours explores with c * sqrt(ln N / n) on payoffs scaled to [0, 1]; OpenSpiel takes payoffs as they are, in [-1, 1].
UCT_C = 2 * math.sqrt(2)


def version() -> str:
    """Name and version of the installed OpenSpiel."""
    from importlib.metadata import version as installed

    return f"OpenSpiel {installed('open_spiel')}"


def mcts(game_name: str, simulations: int) -> Work:
    """OpenSpiel's C++ MCTSBot from the start: one random rollout per simulation, no solver."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), UCT_C, simulations, 1000, False, 1, False)
    state = game.new_initial_state()

    def work() -> float:
        root = bot.mcts_search(state)
        return float(root.explore_count)

    return work


def random_games(game_name: str, count: int) -> Work:
    """Whole random games, move by move from Python; the caller samples chance. Compare bench/drivers.py."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    generator = random.Random(1)

    def without_chance() -> float:
        choice, terminal = generator.choice, TERMINAL
        for _ in range(count):
            state = game.new_initial_state()
            while state.current_player() != terminal:
                state.apply_action(choice(state.legal_actions()))
            state.returns()
        return count

    def with_chance() -> float:
        choice, choices = generator.choice, generator.choices
        terminal, chance = TERMINAL, CHANCE
        for _ in range(count):
            state = game.new_initial_state()
            while (player := state.current_player()) != terminal:
                if player == chance:
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices(actions, weights)[0])
                else:
                    state.apply_action(choice(state.legal_actions()))
            state.returns()
        return count

    return without_chance if game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC else with_chance


def random_games_lean(game_name: str, count: int) -> Work:
    """The same with a cheaper way to draw; all outcomes of a chance move must be equally likely, as in leduc."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    uniform = random.Random(1).random

    def work() -> float:
        draw, terminal = uniform, TERMINAL
        for _ in range(count):
            state = game.new_initial_state()
            while state.current_player() != terminal:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
            state.returns()
        return count

    return work


def alpha_beta(game_name: str, depth: int) -> tuple[Work, int]:
    """OpenSpiel's alpha-beta in Python with a constant leaf value, and the nodes of one search including the root.

    A separate search counts the nodes, with a counter in front of the recursive function. The search is deterministic,
    so the timed ones need no counter.
    """
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(game_name)

    def search() -> None:
        minimax.alpha_beta_search(game, value_function=lambda _: 0.0, maximum_depth=depth)

    nodes = 0
    recursive: Callable[..., Any] = minimax._alpha_beta

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal nodes
        nodes += 1
        return recursive(*args, **kwargs)

    minimax._alpha_beta = counted
    try:
        search()
    finally:
        minimax._alpha_beta = recursive

    def work() -> float:
        search()
        return nodes

    return work, nodes


def regret_minimisation(solver: str) -> Work:
    """Iterations of one of OpenSpiel's C++ solvers on Leduc."""
    import pyspiel

    running = getattr(pyspiel, solver)(pyspiel.load_game("leduc_poker"))

    def work() -> float:
        running.evaluate_and_update_policy()
        return 1

    return work


def external_sampling() -> Work:
    """Iterations of OpenSpiel's C++ external-sampling MCCFR on Leduc."""
    import pyspiel

    running = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"))

    def work() -> float:
        for _ in range(100):
            running.run_iteration()
        return 100

    return work


def nash_conv(policy: Policy) -> Work:
    """OpenSpiel's exact NashConv of the same policy."""
    import pyspiel
    from tests.openspiel.test_equilibria import theirs_of

    game = pyspiel.load_game("leduc_poker")
    theirs = theirs_of(policy, game)

    def work() -> float:
        pyspiel.nash_conv(game, theirs)
        return 1

    return work


def race(target: float, check: int) -> Callable[[], float]:
    """OpenSpiel's CFR+ on Leduc, from scratch to a given NashConv."""
    import pyspiel

    def work() -> float:
        game = pyspiel.load_game("leduc_poker")
        solver = pyspiel.CFRPlusSolver(game)
        for done in range(1, 1_000_000):
            solver.evaluate_and_update_policy()
            if done % check == 0 and pyspiel.nash_conv(game, solver.average_policy()) <= target:
                return done
        raise RuntimeError(f"OpenSpiel's CFR+ did not reach a NashConv of {target}")

    return work


def nfsp(*, hidden: int, batch: int, rl_memory: int, sl_memory: int, start: int, hands: int) -> tuple[Work, Work]:
    """OpenSpiel's NFSP in PyTorch on Leduc, which goes on learning from call to call, as in its own example; and the
    updates of a net in one game step."""
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import nfsp as theirs

    environment = rl_environment.Environment("leduc_poker", players=2)
    size = environment.observation_spec()["info_state"][0]
    agents = [
        theirs.NFSP(
            seat,
            size,
            environment.action_spec()["num_actions"],
            [hidden],
            reservoir_buffer_capacity=sl_memory,
            anticipatory_param=0.1,
            batch_size=batch,
            min_buffer_size_to_learn=start,
            learn_every=LEARN_EVERY,
            replay_buffer_capacity=rl_memory,
            epsilon_start=0.06,
            epsilon_end=0.001,
            update_target_network_every=19_200,
            discount_factor=1.0,
        )
        for seat in range(2)
    ]
    steps = 0

    def work() -> float:
        nonlocal steps
        before = steps
        for _ in range(hands):
            moment = environment.reset()
            while not moment.last():
                moment = environment.step([agents[moment.observations["current_player"]].step(moment).action])
                steps += 1
            for agent in agents:
                agent.step(moment)
        return steps - before

    while min(len(agent._reservoir_buffer or ()) for agent in agents) <= start:
        work()
    return work, lambda: sum(agent.step_counter for agent in agents) / len(agents) / LEARN_EVERY / steps


LEARN_EVERY = 46
"""Steps of an agent between two updates of its nets: with it both sides do two updates in 128 game steps."""
