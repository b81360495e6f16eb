"""A table in the terminal: people and agents take turns, and people see only what they may see.

What a game looks like and what is said there comes from its declaration.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from kiebitz._core import TERMINAL, Game, State, View
from kiebitz.agents import Agent, agent
from kiebitz.agents.advice import study
from kiebitz.arena.play import choose
from kiebitz.cli.choosing import declining, listed, read
from kiebitz.cli.common import progress
from kiebitz.cli.tables import ScoreSheet, advice_table
from kiebitz.cli.words import COMMANDS, word
from kiebitz.errors import IllegalAction
from kiebitz.games import declaration_of
from kiebitz.games.dealing import deal
from kiebitz.games.declaration import Language
from kiebitz.games.declaration.words import signed, written
from kiebitz.games.scene import Scene
from kiebitz.seeds import derive_seed

PERSON = "person"


class Quit(Exception):  # noqa: N818 (not an error: somebody got up)
    """A person leaves the table."""


class TerminalTable:
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
        self.terminal = declaration_of(game).terminal
        self.seed = seed
        self.console = console
        self.sheet = sheet
        self.language = language
        self.agents: list[Agent | None] = [
            None if spec == PERSON else agent(spec, game, derive_seed(seed, "agent", i)) for i, spec in enumerate(seats)
        ]
        self.seats = [PERSON if a is None else a.spec for a in self.agents]
        self.state = deal(game, seed, start)
        self.people = [i for i, a in enumerate(self.agents) if a is None]
        self.before: list[State] = []
        """The states before each move of a person, for undo."""
        self.drawn: View | None = None
        """The view that was drawn last."""
        self.quiet: int | None = None
        """Announcements made when the person asked not to be asked again."""
        self.observer = self.people[0] if self.people else 0
        self.seen = self.state.view(self.observer)
        """The observer's view when the last news was told."""

    def play(self) -> None:
        """Plays the game to its end; raises Quit if somebody leaves."""
        if self.sheet is None or not self.sheet.games:
            self._greet()
        if not self.people:
            self._show(self.state.player)
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
        return self.terminal.seat(player, self._you, self.language)

    def _greet(self) -> None:
        self.console.print(f"[bold]{self.game.info.title}[/bold]")
        for i, spec in enumerate(self.seats):
            self.console.print(f"  {self.terminal.greeting(i, spec, self._you, self.language)}", markup=False)
        if self.people:
            self.console.print(f"{word('help note', self.language)}\n", style="dim")

    def _show(self, player: int) -> None:
        """The position as the player may see it; if only agents play, all of it."""
        hidden = self.game.info.hidden
        position = self.state.view(player) if hidden and self.people else self.state
        self.console.print()
        self.console.print(self.terminal.draw(position, self._you if hidden else player, self.language))
        self.drawn = position if isinstance(position, View) else None

    def _announce(self, before: State) -> None:
        """Tells what the observer saw happen; in games without such news, what everybody saw of a move."""
        now = self.state.view(self.observer)
        news = self.terminal.news(self.seen, now, self._you, self.language)
        self.seen = now
        for line in news or ():
            self.console.print(line)
        if news is not None:
            return
        names = [self._who(seat) for seat in range(self.game.info.players)]
        for told in declaration_of(self.game).words.events(Scene(before), Scene(self.state)):
            if told.seat is None or told.seat != self._you:
                self.console.print(written(told.text[self.language], names, self.language), markup=False)
        if not self.people and self.state.player != TERMINAL:
            self._show(self.state.player)

    def _thinking(self, player: int) -> str:
        """Says who is thinking, without telling whose turn it is if that is hidden."""
        if self.game.info.hidden and self.people:
            player = self.state.view(self.people[0]).player
        name = self._who(player) if player >= 0 else ""
        return word("is thinking", self.language, name) if name else word("others think", self.language)

    # --- Turns ------------------------------------------------------------------------------------------------------

    def _agent_turn(self, player: int, who: Agent) -> None:
        with progress(self._thinking(player)):
            action = choose(who, self.state)
        self._apply(action)

    def _apply(self, action: int) -> None:
        before = self.state.copy()
        self.state.apply(action)
        self._announce(before)

    def _turn(self, player: int) -> None:
        view = self.state.view(player)
        refusal = declining(view)
        if refusal is not None and player == self._you and self.quiet == self.terminal.announced(view):
            self._apply(refusal)
            return
        if self.game.info.hidden and len(self.people) > 1:
            self.console.input("\n" + word("nobody looks", self.language, self._who(player)))
            self.console.clear()
        self._ask(view)
        while True:
            text = self.console.input(f"{self.terminal.prompt(view, self._you, self.language)}: ").strip()
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
                self._apply(action)
                return

    def _ask(self, view: View) -> None:
        """What a person sees at their turn."""
        if len(self.people) > 1 or self.terminal.redraws(self.drawn, view):
            self._show(view.observer)
        question = self.terminal.question(view, self.language)
        if question is not None:
            self.console.print(question, style="bold", markup=False)
        if self.terminal.lists(view):
            self._list(view)

    def _list(self, view: View) -> None:
        self.console.print(listed(view, self.console.width, self.language), markup=False)

    def _read(self, view: View, text: str) -> int:
        """The action that a person means; ``quiet`` declines, now and until something is announced."""
        refusal = declining(view)
        if refusal is not None and text.lower() == "quiet":
            self.quiet = self.terminal.announced(view)
            return refusal
        if refusal is not None:
            self.quiet = None
        return read(view, text, self.language)

    def _answer(self, command: str, view: View) -> bool:
        """Does what was asked, unless it is a move."""
        if command == "moves" or (command == "" and declining(view) is None):
            self._list(view)
        elif command in ("help", "?"):
            self.console.print(self.help(), markup=False)
        elif command == "board":
            self._show(view.observer)
        elif command == "hint":
            self._hint(view)
        elif command == "score":
            done = self.sheet is not None and bool(self.sheet.games)
            self.console.print(self.sheet.table() if self.sheet and done else word("no games yet", self.language))
        else:
            return False
        return True

    def help(self) -> str:
        """What can be typed: moves, and the commands that make sense in this game."""
        needless = {"undo"} if self.game.info.hidden else set()
        if self.game.info.decline is None:
            needless.add("quiet")
        lines = [f"{self.terminal.how_to_type(self.language)} {word('other commands', self.language)}"]
        lines += [f"  {name:<7} {word(name, self.language)}" for name in COMMANDS if name not in needless]
        return "\n".join(lines)

    def _hint(self, view: View) -> None:
        with progress(word("thinking", self.language)):
            analysis = study(view, "quick", self.seed).analysis
        lines = self.terminal.hint(view, analysis, self._you, self.language)
        if lines is None:
            self.console.print(advice_table(view, analysis, self.language))
        for line in lines or ():
            self.console.print(line)

    def _undo(self) -> bool:
        if self.game.info.hidden:
            self.console.print(word("no undo", self.language), style="red")
            return False
        if not self.before:
            self.console.print(word("nothing to undo", self.language), style="red")
            return False
        self.state = self.before.pop()
        self.seen = self.state.view(self.observer)
        return True

    # --- The end ----------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self.console.print()
        lines = self.terminal.result(self.state, self._you, self.language)
        if lines is not None:
            for line in lines:
                self.console.print(line)
            return
        alone = self.game.info.hidden and self._you is not None  # cards that were not shown stay hidden
        last = self.state.view(self.observer) if alone else self.state
        self.console.print(self.terminal.draw(last, self.observer, self.language))
        self.console.print()
        self.console.print(verdict(self.state, self._you, self.language), style="bold", markup=False)
        for line in self.terminal.details(self.state, self.language):
            self.console.print(line, style="dim", markup=False)


def verdict(state: State, you: int | None = None, language: Language = "en") -> str:
    """The result in words, with what everybody has won or lost unless that says no more.

    >>> import kiebitz as kb
    >>> verdict(kb.game("tic_tac_toe").load({"board": "xxxoo...."}), you=1)
    'You lose: player 1 wins.'
    >>> lost = kb.game("kuhn").new(seed=3)
    >>> for action in ("bet", "fold"):
    ...     lost.apply(lost.legal()[action == "bet"])
    >>> verdict(lost, you=1, language="de")
    'Du verlierst: Spieler 1 gewinnt. Chips: Spieler 1 +1, du −1'
    """
    declared = declaration_of(state.game)
    returns = list(state.returns())
    names = [declared.terminal.seat(seat, you, language) for seat in range(len(returns))]
    best = max(returns)
    winners = [seat for seat, payoff in enumerate(returns) if payoff == best]
    unit = declared.words.unit(state.game)
    paid = ""
    if {abs(value) for value in returns} - {0.0, 1.0} or unit.zero == 0 != best:
        title = unit.name[language] or word("payoffs", language)
        told = [f"{name} {signed(value, language)}" for name, value in zip(names, returns, strict=True)]
        paid = f" {title.capitalize()}: {', '.join(told)}"
    if len(winners) == len(returns):
        return word("draw", language) + paid
    if winners == [you]:
        return word("you win", language) + paid
    said = f" {word('and', language)} ".join(names[seat] for seat in winners)
    sentence = word("wins" if len(winners) == 1 else "share", language, said)
    if you is not None and you not in winners:
        return word("you lose", language, sentence) + paid
    return f"{sentence[0].upper()}{sentence[1:]}.{paid}"
