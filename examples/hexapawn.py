"""Hexapawn (Martin Gardner, Scientific American, March 1962): a whole game written in Python.

Each side has three pawns on a three-by-three board. A pawn steps forward to an empty cell or captures diagonally
forward. A player wins by reaching the far row or by leaving the opponent without a move. With best play the second
player wins.

    python examples/hexapawn.py
"""

from typing import Any

import kiebitz as kb


class HexapawnState(kb.PythonState):
    """White (player 0, at the bottom) moves up the board, black (player 1) moves down."""

    def __init__(self) -> None:
        self.board = "bbb...www"
        self.mover = 0

    def player(self) -> int:
        return kb.TERMINAL if self._reached() or not self._moves() else self.mover

    def legal(self) -> list[int]:
        return [] if self._reached() else self._moves()

    def apply(self, action: int) -> None:
        start, end = divmod(action, 9)
        cells = list(self.board)
        cells[end], cells[start] = cells[start], "."
        self.board = "".join(cells)
        self.mover = 1 - self.mover

    def returns(self) -> list[float]:
        # The player to move has lost: the opponent reached the far row or left no move.
        return [-1.0, 1.0] if self.mover == 0 else [1.0, -1.0]

    def name(self, action: int) -> str:
        return "".join("abc"[cell % 3] + "321"[cell // 3] for cell in divmod(action, 9))

    def __str__(self) -> str:
        rows = [f"{3 - row} {' '.join(self.board[3 * row : 3 * row + 3])}" for row in range(3)]
        return "\n".join([*rows, "  a b c"]) + "\n"

    def evaluate(self, evaluation: str, player: int) -> float:
        balance = (self.board.count("w") - self.board.count("b")) / 4
        return balance if player == 0 else -balance

    def _reached(self) -> bool:
        return "w" in self.board[:3] or "b" in self.board[6:]

    def _moves(self) -> list[int]:
        own, other, step = ("w", "b", -3) if self.mover == 0 else ("b", "w", 3)
        moves = []
        for start in (cell for cell in range(9) if self.board[cell] == own):
            for side in (-1, 0, 1):
                end = start + step + side
                on_board = 0 <= end < 9 and 0 <= start % 3 + side < 3
                if on_board and self.board[end] == ("." if side == 0 else other):
                    moves.append(start * 9 + end)
        return sorted(moves)


@kb.register
class Hexapawn(kb.PythonGame):
    """The descriptor: what an algorithm needs to know before it starts."""

    name = "hexapawn"
    title = "Hexapawn"
    state = HexapawnState
    actions = 81
    max_legal = 9
    max_length = 9
    evaluations = ("pawns",)
    tensor_size = 19

    def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
        """For nets: the cells with pawns of the player to move, those with the other's, and who is to move."""
        pawns = "wb" if view["mover"] == 0 else "bw"
        return [*(float(cell == pawn) for pawn in pawns for cell in view["board"]), float(view["mover"])]


if __name__ == "__main__":
    state = kb.game("hexapawn").new()
    while state.player != kb.TERMINAL:
        analysis = kb.agent("alphabeta(depth=9)", state.game).analyse(state.view(state.player))
        print(f"{state}{analysis.best_name} (value {analysis.value:+.0f} for player {state.player})\n")
        state.apply(analysis.best)
    print(f"{state}player {state.result()['winner']} wins")
