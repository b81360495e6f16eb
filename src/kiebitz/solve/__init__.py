"""Equilibria: solvers, policies and exact measures.

>>> from kiebitz import solve
>>> policy = solve.solve("leduc", "dcfr", iterations=200)
>>> solve.exploitability("leduc", policy) < 0.01
True
"""

from kiebitz.solve import methods as _methods  # noqa: F401 (registers them)
from kiebitz.solve.approximate import LowerBound, approximate_best_response
from kiebitz.solve.compiled import compile_game
from kiebitz.solve.dominance import eliminate, iterated_dominance
from kiebitz.solve.dynamics import dynamics, regret_matching
from kiebitz.solve.lemke_howson import Equilibrium, lemke_howson
from kiebitz.solve.measures import (
    Answer,
    BestResponse,
    Measures,
    answer,
    best_response,
    expected_value,
    exploitability,
    gap,
    head_to_head,
    measure,
    nash_conv,
)
from kiebitz.solve.method import METHODS, Method, register_method
from kiebitz.solve.normal_form import NormalForm, maximin, normal_form, pure_equilibria
from kiebitz.solve.policy import Policy, PolicyEntry
from kiebitz.solve.run import Point, SolverRun, solve

__all__ = [
    "METHODS",
    "Answer",
    "BestResponse",
    "Equilibrium",
    "LowerBound",
    "Measures",
    "Method",
    "NormalForm",
    "Point",
    "Policy",
    "PolicyEntry",
    "SolverRun",
    "answer",
    "approximate_best_response",
    "best_response",
    "compile_game",
    "dynamics",
    "eliminate",
    "expected_value",
    "exploitability",
    "gap",
    "head_to_head",
    "iterated_dominance",
    "lemke_howson",
    "maximin",
    "measure",
    "nash_conv",
    "normal_form",
    "pure_equilibria",
    "register_method",
    "regret_matching",
    "solve",
]
