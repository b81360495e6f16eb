"""No agent decides differently in states that its player cannot tell apart, over 10,000 pairs of states.

A pair is a state and a twin that differs in hidden cards, hidden names and passes; states are taken from all phases of
random games. Searches are small: what matters is what they see, not how well they play.
"""

from __future__ import annotations

from random import Random

import pytest

import kiebitz as kb

PAIRS = 10_000
PER_STATE = 4
AGENTS = (
    "rule_of_thumb",
    "random",
    "random(calls=false)",
    "pimc(uct(iterations=4), worlds=2)",
    "pimc(uct(iterations=4, class_share=0.5), worlds=2, fusion=value, care=1, calls=last, exact_last=4)",
    "pimc(uct(iterations=4), worlds=2, fusion=rank, belief=cap)",
    "ismcts(iterations=8)",
    "best(iterations=4, worlds=2)",
)


@pytest.mark.requirement("DK-21", "DK-62")
def test_agents_decide_alike_where_states_look_alike() -> None:
    game = kb.game("doppelkopf")
    agents = [kb.agent(spec, game, seed=3) for spec in AGENTS]
    others = {"cheat", "net", "policy", "process"}  # one sees the state; the others need a file or a program
    assert {spec.split("(")[0] for spec in AGENTS} == set(kb.list_agents(game)) - others
    pairs, differ, phases = 0, 0, set()
    seed = 0
    while pairs < PAIRS:
        seed += 1
        random = Random(seed)
        state = game.new(seed=seed)
        quiet = random.random() < 0.7  # else everybody calls at random, mostly up to black
        while state.player >= 0 and pairs < PAIRS:
            view = state.view(state.player)
            if len(state.legal()) > 1 and random.random() < 0.5:
                agent = agents[pairs // PER_STATE % len(agents)]
                action = agent.act(view)
                assert action in state.legal()
                phases.add(view.fields()["phase"])
                for number in range(PER_STATE):
                    twin = view.sample(seed + number)
                    differ += twin.position()["hands"] != state.position()["hands"]
                    assert agent.act(twin.view(state.player)) == action, agent
                    pairs += 1
            calls = view.fields()["phase"] == "call"
            state.apply(38 if calls and quiet and random.random() < 0.95 else random.choice(state.legal()))
    assert phases == {"reservation", "call", "card"}
    assert differ > 0.9 * pairs
