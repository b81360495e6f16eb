"""The methods of Kiebitz: one function each, with its options, what it needs and what it promises."""

from __future__ import annotations

from typing import Annotated

from kiebitz import _core
from kiebitz._core import CompiledGame
from kiebitz.errors import ParameterError
from kiebitz.solve.compiled import rules_of
from kiebitz.solve.dynamics import NormalFormSolver
from kiebitz.solve.lemke_howson import lemke_howson as solve_two_players
from kiebitz.solve.method import PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM_FOR_TWO, Solver, register_method
from kiebitz.solve.normal_form import maximin as solve_normal_form
from kiebitz.solve.normal_form import normal_form
from kiebitz.solve.policy import Policy
from kiebitz.solve.sequence_form import equilibrium

CONVERGES = "in two-player zero-sum games the average converges to an equilibrium"

Simultaneous = Annotated[bool, "all players learn at the same time; false: one after the other in every iteration"]
Alpha = Annotated[float, "past positive regrets are kept by t^alpha / (t^alpha + 1)"]
Beta = Annotated[float, "past negative regrets are kept by t^beta / (t^beta + 1)"]
Gamma = Annotated[float, "iteration t counts t^gamma times in the average"]
Step = Annotated[float, "size of a step"]
Seed = Annotated[int, "random numbers", {"low": 0, "high": 2**63 - 1}]


# --- Regret minimisation ----------------------------------------------------------------------------------------------


@register_method("cfr", promise=CONVERGES)
def cfr(compiled: CompiledGame, *, simultaneous: Simultaneous = False) -> Solver:
    """Counterfactual regret minimisation (2007)."""
    return _core.Cfr(compiled, simultaneous=simultaneous)


@register_method("cfr_plus", promise=CONVERGES)
def cfr_plus(compiled: CompiledGame, *, simultaneous: Simultaneous = False) -> Solver:
    """CFR+: regrets never below 0, later iterations count more (2014)."""
    return _core.Cfr(compiled, floor=True, gamma=1.0, simultaneous=simultaneous)


@register_method("lcfr", promise=CONVERGES)
def lcfr(compiled: CompiledGame, *, simultaneous: Simultaneous = False) -> Solver:
    """Linear CFR: iteration t counts t times (2019)."""
    return _core.Cfr(compiled, alpha=1.0, beta=1.0, gamma=1.0, simultaneous=simultaneous)


@register_method("dcfr", promise=CONVERGES)
def dcfr(
    compiled: CompiledGame,
    *,
    alpha: Alpha = 1.5,
    beta: Beta = 0.0,
    gamma: Gamma = 2.0,
    simultaneous: Simultaneous = False,
) -> Solver:
    """Discounted CFR (2019)."""
    return _core.Cfr(compiled, alpha=alpha, beta=beta, gamma=gamma, simultaneous=simultaneous)


@register_method("pcfr_plus", promise=CONVERGES)
def pcfr_plus(compiled: CompiledGame, *, gamma: Gamma = 2.0, simultaneous: Simultaneous = False) -> Solver:
    """Predictive CFR+: the last regret as a guess of the next (2021)."""
    return _core.Cfr(compiled, floor=True, predictive=True, gamma=gamma, simultaneous=simultaneous)


@register_method("mccfr", promise=f"{CONVERGES}, in expectation")
def mccfr(
    compiled: CompiledGame,
    *,
    sampling: Annotated[str, "what is drawn", {"choices": ("chance", "external", "outcome")}] = "external",
    exploration: Annotated[float, "outcome sampling: the share of random choices of the player who learns"] = 0.6,
    seed: Seed = 0,
) -> Solver:
    """Monte Carlo CFR: chance, external or outcome sampling (2009)."""
    return _core.Mccfr(compiled, sampling=sampling, exploration=exploration, seed=seed)


@register_method("xfp", promise=CONVERGES)
def xfp(compiled: CompiledGame) -> Solver:
    """Fictitious play in extensive form (2015)."""
    return _core.FictitiousPlay(compiled)


@register_method(
    "rnr",
    promise="robust exploitation: p = 0 is an equilibrium, p = 1 a best response",
    needs=(ZERO_SUM_FOR_TWO,),
)
def rnr(
    compiled: CompiledGame,
    *,
    opponent: Annotated[Policy, "what the opponent is thought to play"],
    p: Annotated[int | float, "the probability that it does", {"low": 0, "high": 1}],
    player: Annotated[int, "the player who answers", {"low": 0, "high": 1}] = 0,
    simultaneous: Simultaneous = False,
) -> Solver:
    """Restricted Nash response to an opponent who follows a given policy with probability p (2007)."""
    if rules_of(opponent.game) != rules_of(compiled.game):
        raise ParameterError(f"opponent: expected a policy for {compiled.game.to_json()}")
    other = 1 - player
    return _core.Cfr(
        compiled,
        floor=True,
        gamma=1.0,
        simultaneous=simultaneous,
        restricted=other,
        probability=p,
        given=opponent.strategies[other],
    )


# --- Linear programmes ------------------------------------------------------------------------------------------------


@register_method("lp", promise="an equilibrium to the precision of the machine", needs=(ZERO_SUM_FOR_TWO,))
def lp(compiled: CompiledGame) -> Policy:
    """The sequence form as a linear programme (1996), solved by HiGHS."""
    return equilibrium(compiled)


@register_method(
    "maximin",
    promise="an equilibrium to the precision of the machine; the table must be small",
    needs=(ZERO_SUM_FOR_TWO,),
)
def maximin(compiled: CompiledGame) -> Policy:
    """A linear programme over the table of all pure strategies (1928)."""
    form = normal_form(compiled.game)
    return form.policy(solve_normal_form(form).strategies)


# --- Any two-player game ----------------------------------------------------------------------------------------------


@register_method(
    "lemke_howson",
    promise="an equilibrium of any two-player game, whatever the payoffs add up to; the table must be small",
    needs=(TWO_PLAYERS,),
)
def lemke_howson(
    compiled: CompiledGame,
    *,
    label: Annotated[int, "the strategy that the path begins with: other ones may find others", {"low": 0}] = 0,
) -> Policy:
    """Complementary pivoting on the table of all pure strategies, in exact arithmetic (1964)."""
    form = normal_form(compiled.game, reduced=True)
    return form.policy(solve_two_players(form, label).strategies)


# --- Players who adapt to each other ----------------------------------------------------------------------------------


@register_method("regret_matching", promise=CONVERGES, needs=(TWO_PLAYERS,))
def regret_matching(compiled: CompiledGame) -> Solver:
    """Regret matching on the table of all pure strategies (2000)."""
    return NormalFormSolver(compiled, "regret_matching")


@register_method("fictitious_play", promise=CONVERGES, needs=(TWO_PLAYERS,))
def fictitious_play(compiled: CompiledGame) -> Solver:
    """Best responses to the mean so far, on the table of all pure strategies (1951)."""
    return NormalFormSolver(compiled, "fictitious_play")


@register_method(
    "replicator",
    promise="in two-player zero-sum games the average comes close to an equilibrium, the closer the smaller the step",
    needs=(TWO_PLAYERS,),
)
def replicator(compiled: CompiledGame, *, alpha: Step = 0.02) -> Solver:
    """Strategies grow by their payoff, on the table of all pure strategies (1978)."""
    return NormalFormSolver(compiled, "replicator", alpha=alpha)


@register_method("lagging_anchor", promise="proved for matrix games; elsewhere NashConv says how close it came")
def lagging_anchor(
    compiled: CompiledGame,
    *,
    estimate: Annotated[str, "how gradients are found", {"choices": ("exact", "canonical", "truncated")}] = "exact",
    alpha: Step = 0.1,
    eta: Annotated[float, "how hard strategy and anchor pull at each other"] = 0.3,
    games: Annotated[int, "games sampled for each step, unless gradients are exact", {"low": 1, "high": 10**12}] = 10,
    seed: Seed = 0,
) -> Solver:
    """Gradient steps tied to an anchor, in every information set (2002)."""
    return _core.LaggingAnchor(compiled, estimate=estimate, alpha=alpha, eta=eta, games=games, seed=seed)


# --- Perfect information ----------------------------------------------------------------------------------------------


@register_method("backward_induction", promise="a subgame-perfect equilibrium", needs=(PERFECT_INFORMATION,))
def backward_induction(compiled: CompiledGame) -> Policy:
    """Perfect information: best in every subgame."""
    return Policy(compiled, compiled.subgame_perfect())
