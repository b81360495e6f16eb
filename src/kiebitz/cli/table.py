"""A table in the terminal: people and agents take turns, people see only what they may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from kiebitz._core import TERMINAL, Game, State, View
from kiebitz.agents import Agent, AnalysisLike, agent
from kiebitz.agents.advice import study
from kiebitz.arena.play import choose
from kiebitz.cli.common import number, player_name, progress
from kiebitz.cli.tables import ScoreSheet, print_analysis
from kiebitz.errors import IllegalAction
from kiebitz.games.dealing import deal
from kiebitz.games.declaration import Language
from kiebitz.games.doppelkopf.words import word
from kiebitz.games.render import render
from kiebitz.seeds import derive_seed

PERSON = "person"
MOST_SHOWN = 40

HELP = """\
Type a move by its name or its number in the list. Other commands:
  moves   list what you can play
  hint    ask a search what it would play
  undo    take back your last move (not in games with hidden cards)
  board   show the position again
  score   the games of this series so far
  help    this text
  quit    leave the game"""


class Quit(Exception):  # noqa: N818 (not an error: somebody got up)
    """A person leaves the table."""


class Table:
    """One game between the given seats. Seats are agent specs or ``person``.

    ``start`` is the seat that begins, in games that draw it by chance; ``sheet`` has the games before this one.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int,
        console: Console,
        *,
        start: int | None = None,
        sheet: ScoreSheet | None = None,
        language: Language = "en",
    ) -> None:
        self.game = game
        self.seed = seed
        self.console = console
        self.sheet = sheet
        self.language = language
        self.help = HELP
        self.agents: list[Agent | None] = [
            None if spec == PERSON else agent(spec, game, derive_seed(seed, "agent", i)) for i, spec in enumerate(seats)
        ]
        self.seats = [PERSON if a is None else a.spec for a in self.agents]
        self.state = deal(game, seed, start)
        self.people = [i for i, a in enumerate(self.agents) if a is None]
        self.before: list[State] = []
        """The states before each move of a person, for undo."""

    def play(self) -> None:
        """Plays the game to its end; raises Quit if somebody leaves."""
        if self.sheet is None or not self.sheet.games:
            self._greet()
        while self.state.player != TERMINAL:
            player = self.state.player
            who = self.agents[player]
            if who is None:
                self._turn(player)
            else:
                self._agent_turn(player, who)
        self._finish()

    # --- What is shown ----------------------------------------------------------------------------------------------

    @property
    def _you(self) -> int | None:
        """The seat of the only person, who is then called 'you'."""
        return self.people[0] if len(self.people) == 1 else None

    def _who(self, player: int) -> str:
        return player_name(player, self._you)

    def _greet(self) -> None:
        self.console.print(f"[bold]{self.game.info.title}[/bold]")
        for i, spec in enumerate(self.seats):
            name = "you" if i == self._you else spec
            self.console.print(f"  player {i}: {name}", markup=False)
        if self.people:
            self.console.print("Type 'help' for what you can type.\n", style="dim")

    def _show(self, player: int) -> None:
        """The position as the player may see it."""
        self.console.print()
        self.console.print(render(self.state.view(player) if self.game.info.hidden else self.state, player))

    def _announce(self, player: int, name: str) -> None:
        """A move that was made. In hidden games others' moves may be secret: the view tells what is not."""
        if player == self._you:
            return
        if self.game.info.hidden and self.people and player not in self.people:
            self.console.print(f"{self._who(player)} has moved", style="dim")
        else:
            self.console.print(f"{self._who(player)} plays {name}", markup=False)

    def _thinking(self, player: int) -> str:
        """Who is said to be thinking: whose turn it is as far as people can see."""
        if self.game.info.hidden and self.people:
            player = self.state.view(self.people[0]).player
        return f"{self._who(player)} is thinking" if player >= 0 else "the others are thinking"

    # --- Turns ------------------------------------------------------------------------------------------------------

    def _agent_turn(self, player: int, who: Agent) -> None:
        if not self.people:
            self._show(player)
        with progress(self._thinking(player)):
            action = choose(who, self.state)
        self._apply(player, action)

    def _apply(self, player: int, action: int) -> None:
        name = self.state.name(action)
        self.state.apply(action)
        self._announce(player, name)

    def _turn(self, player: int) -> None:
        view = self.state.view(player)
        if self.game.info.hidden and len(self.people) > 1:
            self.console.input(f"\nplayer {player}, press Enter when nobody else looks ")
            self.console.clear()
        self._ask(view)
        while True:
            text = self.console.input(self._prompt(view)).strip()
            command = text.lower()
            if command in ("quit", "exit", "q"):
                raise Quit
            if command == "undo":
                if self._undo():
                    return
            elif not self._answer(command, view):
                try:
                    action = self._read(view, text)
                except IllegalAction as error:
                    self.console.print(str(error), style="red", markup=False)
                    continue
                self.before.append(self.state.copy())
                self._apply(player, action)
                return

    def _ask(self, view: View) -> None:
        """What a person sees when it is his turn."""
        self._show(view.observer)

    def _prompt(self, view: View) -> str:
        return "your move: " if view.observer == self._you else f"player {view.observer}: "

    def _read(self, view: View, text: str) -> int:
        return parse_move(view, text)

    def _moves(self, view: View) -> str:
        return move_list(view)

    def _hint(self, view: View, analysis: AnalysisLike) -> None:
        del view
        print_analysis(analysis, rows=5, console=self.console)

    def _answer(self, command: str, view: View) -> bool:
        """Does what was asked, unless it is a move."""
        if command in ("", "moves"):
            self.console.print(self._moves(view), markup=False)
        elif command in ("help", "?"):
            self.console.print(self.help, markup=False)
        elif command == "board":
            self._show(view.observer)
        elif command == "hint":
            with progress("thinking"):
                analysis = study(view, "quick", self.seed).analysis
            self._hint(view, analysis)
        elif command == "score":
            done = self.sheet is not None and bool(self.sheet.games)
            self.console.print(self.sheet.table() if self.sheet and done else word("no games yet", self.language))
        else:
            return False
        return True

    def _undo(self) -> bool:
        if self.game.info.hidden:
            self.console.print("not in a game with hidden information", style="red")
            return False
        if not self.before:
            self.console.print("there is nothing to take back", style="red")
            return False
        self.state = self.before.pop()
        return True

    # --- The end ----------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self.console.print()
        viewer = self.people[0] if self.people else 0
        alone = self.game.info.hidden and self._you is not None  # cards that were not shown stay hidden
        self.console.print(render(self.state.view(viewer) if alone else self.state, viewer))
        self.console.print()
        self.console.print(verdict(self.state, self._you), style="bold", markup=False)
        details = {k: v for k, v in self.state.result().items() if k not in ("returns", "winner") and v not in ("", [])}
        for key, value in details.items():
            text = ", ".join(f"{x:g}" if isinstance(x, float) else str(x) for x in _listed(value))
            self.console.print(f"{key.replace('_', ' ')}: {text}", style="dim", markup=False)


def parse_move(view: View, text: str) -> int:
    """The action that a person means: its name or, failing that, its number in the list of moves.

    >>> import kiebitz as kb
    >>> view = kb.game("tic_tac_toe").new().view(0)
    >>> parse_move(view, "b2"), parse_move(view, "B2"), parse_move(view, "9")
    (4, 4, 8)
    """
    try:
        return view.parse(text)
    except IllegalAction:
        legal = view.legal()
        if text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= len(legal):
            return legal[int(text) - 1]
        raise IllegalAction(f"'{text[:40]}' is no legal move or command; expected {_some(view)}, or help") from None


def move_list(view: View) -> str:
    """All legal actions with their numbers.

    >>> import kiebitz as kb
    >>> move_list(kb.game("kuhn").new(seed=1).view(0))
    '1 pass   2 bet'
    """
    legal = view.legal()
    names = [f"{i} {view.name(action)}" for i, action in enumerate(legal[:MOST_SHOWN], 1)]
    return "   ".join(names) + (f"   ... {len(legal)} in all" if len(legal) > MOST_SHOWN else "")


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _some(view: View) -> str:
    legal = view.legal()
    names = ", ".join(view.name(action) for action in legal[:10])
    return f"one of {names}{', ...' if len(legal) > 10 else ''}"


def verdict(state: State, you: int | None = None) -> str:
    """The result in words.

    >>> import kiebitz as kb
    >>> verdict(kb.game("tic_tac_toe").load({"board": "xxxoo...."}), you=1)
    'You lose: player 0 wins. Payoffs +1, -1.'
    """
    returns = list(state.returns())
    best = max(returns)
    winners = [player for player, payoff in enumerate(returns) if payoff == best]
    payoffs = f"Payoffs {', '.join(number(value) for value in returns)}."
    if len(winners) == len(returns):
        return "A draw." if best == 0 else f"A draw. {payoffs}"
    if winners == [you]:
        return f"You win. {payoffs}"
    names = " and ".join(player_name(player, you) for player in winners)
    sentence = f"{names} {'wins' if len(winners) == 1 else 'share the win'}"
    return (
        f"You lose: {sentence}. {payoffs}"
        if you is not None and you not in winners
        else f"{sentence.capitalize()}. {payoffs}"
    )
