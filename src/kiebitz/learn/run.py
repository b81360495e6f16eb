"""A training run: its folder, its log and curve, progress, checkpoints from which it goes on exactly, and its end.

The folder of a run holds

    config.json       game, method, options, version: all that is needed to do it again
    log.jsonl         one line for each measurement
    checkpoint.npz    everything that the method keeps, as arrays; replaced completely or not at all
    net.npz           the net as it was last measured (`kiebitz.nets.NetFile`)
    curve.png         the measurements as a picture
    events.out...     the same for TensorBoard

A run that was killed goes on from its checkpoint and ends with the same net as one that was not, to the last bit on one
thread. No pickle is written or read.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch.utils.tensorboard import SummaryWriter

from kiebitz._core import Game, StopToken
from kiebitz.errors import Error, ParameterError
from kiebitz.files import replacing
from kiebitz.machine import VERSION
from kiebitz.nets import Card, NetFile, encoding_of
from kiebitz.solve.archive import Archive, ArchiveError, write_archive
from kiebitz.solve.compiled import rules_of

FORMAT = "kiebitz training 1"
MOST_BYTES = 2**31

NOT_DRAWN = ("step", "cpu_seconds", "hands", "epsilon")
"""What a curve does not show."""

Arrays = Mapping[str, NDArray[Any]]


class Kept(Protocol):
    """What says itself what it has to remember."""

    def memory(self) -> Arrays:
        """All of it as arrays."""

    def load(self, memory: Any) -> None:
        """Takes what `memory` gave."""


class NotFiniteError(Error):
    """A net whose weights are no numbers any more."""


class Run:
    """One training, in a folder of its own; an existing one goes on where it was."""

    def __init__(
        self,
        game: Game,
        method: str,
        options: Any,
        folder: str | Path,
        *,
        checkpoint_seconds: float = 300.0,
        stop: StopToken | None = None,
        report: Any = None,
    ) -> None:
        torch.set_num_threads(1)  # quicker for small nets, and sums are always in the same order
        self.game = game
        self.method = method
        self.options = options
        self.folder = Path(folder)
        self.stop = stop or StopToken()
        self.checkpoint_seconds = checkpoint_seconds
        self.report = report
        """Called with step, steps and the last measurements, for progress bars; None: nobody looks."""
        self.rows: list[dict[str, Any]] = []
        self.step = 0
        self.seconds = 0.0
        """Of CPU time, over all parts of the run."""
        self._begun = time.process_time()
        self._inside = False  # a step is under way
        self._events: SummaryWriter | None = None
        self._encoding = encoding_of(game)
        self._kept: dict[str, Any] = {}
        self._saved = time.monotonic()

    def _settle(self) -> None:
        """Takes the folder for this run, unless it is that of another one."""
        path = self.folder / "config.json"
        config = {
            "game": rules_of(self.game),
            "method": self.method,
            "options": dataclasses.asdict(self.options),
            "version": VERSION,
        }
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            if any(self.folder.iterdir()):
                raise ParameterError(f"{self.folder}: expected an empty folder or one of a training")
            with replacing(path) as file:
                file.write(json.dumps(config, indent=1).encode())
            return
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            differing = [name for name, value in config.items() if known.get(name) != json.loads(json.dumps(value))]
        except (ValueError, AttributeError):
            raise ArchiveError(f"{path}: expected the configuration of a training, as JSON") from None
        if differing:
            name = differing[0]
            raise ParameterError(
                f"{self.folder}: a training with another {name} is kept there ({known.get(name)}, not {config[name]}); "
                "choose another folder or the same options"
            )

    # --- The loop -----------------------------------------------------------------------------------------------------

    def keep(self, **parts: Any) -> None:
        """What checkpoints remember: modules and optimizers of PyTorch, arrays, generators, and whatever has `memory`
        and `load`. If there is a checkpoint, all of it is now as it was then."""
        self._settle()
        self._kept = parts
        path = self.folder / "checkpoint.npz"
        if path.exists():
            self._load(path)
        self._forget_later_rows()

    def steps(self, last: int) -> Iterator[int]:
        """The numbers of the steps that are left, up to `last`; ends early when somebody asks for it."""
        while self.step < last and not self.stop.requested:
            self._inside = True
            yield self.step + 1
            self._inside = False
            self.step += 1
            if time.monotonic() - self._saved > self.checkpoint_seconds:
                self.checkpoint()
            if self.report is not None:
                self.report(self.step, last, self.rows[-1] if self.rows else {})
        self.checkpoint()
        if self._events is not None:
            self._events.close()
        if self.rows:
            draw_curve(self.rows, self.folder / "curve.png", f"{self.method}, {self.game.info.title}")

    def log(self, net: NetFile | None = None, **numbers: float) -> None:
        """Writes a measurement of the step that is under way; `net` is what was measured."""
        now = time.process_time()
        self.seconds += now - self._begun
        self._begun = now
        row = {"step": self.step + 1, **numbers, "cpu_seconds": round(self.seconds, 3)}
        self.rows.append(row)
        with open(self.folder / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if self._events is None:
            self._events = SummaryWriter(str(self.folder), purge_step=self.step + 1)
        for name, number in numbers.items():
            self._events.add_scalar(name, number, self.step + 1)
        if net is not None:
            net.save(self.folder / "net.npz")

    def card(self, **more: Any) -> Card:
        """What a net of this run has to say of itself."""
        seconds = self.seconds + time.process_time() - self._begun
        return Card(
            game=self.game.to_json(),
            encoding=self._encoding,
            method=self.method,
            config=dataclasses.asdict(self.options),
            seed=getattr(self.options, "seed", 0),
            steps=self.step + 1 if self._inside else self.step,
            hours=round(seconds / 3600, 4),
            **more,
        )

    def check(self, *nets: torch.nn.Module, outputs: NDArray[np.float32] | None = None) -> None:
        """Ends the run if a weight or an output is no finite number; the last good net and checkpoint stay."""
        good = all(bool(torch.isfinite(weights).all()) for net in nets for weights in net.parameters())
        if good and (outputs is None or np.isfinite(outputs).all()):
            return
        raise NotFiniteError(
            f"a net is not finite any more in step {self.step + 1:,}: the last good net and checkpoint are kept in "
            f"{self.folder}; try a smaller learning rate"
        )

    # --- Checkpoints --------------------------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Remembers everything that was kept, unless it went wrong."""
        self.check(*(part for part in self._kept.values() if isinstance(part, torch.nn.Module)))
        arrays: dict[str, Any] = {"format": np.array(FORMAT), "step": np.array(self.step)}
        arrays["seconds"] = np.array(self.seconds + time.process_time() - self._begun)
        arrays["torch"] = torch.get_rng_state().numpy()
        for name, part in self._kept.items():
            arrays |= {f"{name}/{key}": value for key, value in _memory(part).items()}
        write_archive(self.folder / "checkpoint.npz", arrays)
        self._saved = time.monotonic()

    def _load(self, path: Path) -> None:
        archive = Archive(path, FORMAT)
        try:
            for name, part in self._kept.items():
                keys = [key for key in archive if key.startswith(f"{name}/")]
                _load(part, {key.partition("/")[2]: archive.part(key, MOST_BYTES) for key in keys})
            torch.set_rng_state(torch.from_numpy(archive["torch"].copy()))
            self.step = int(archive["step"])
            self.seconds = float(archive["seconds"])
        except (KeyError, ValueError, TypeError, RuntimeError, IndexError) as error:
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"{path}: this checkpoint does not fit the training: {error!s:.200}") from None

    def _forget_later_rows(self) -> None:
        """Measurements after the checkpoint will be made again."""
        path = self.folder / "log.jsonl"
        if not path.exists():
            return
        lines = path.read_text(encoding="utf-8").splitlines()
        self.rows = []
        for line in lines:
            try:
                row = json.loads(line)
            except ValueError:
                break  # the run was killed while it wrote
            if row["step"] <= self.step:
                self.rows.append(row)
        with replacing(path) as file:
            file.write("".join(json.dumps(row) + "\n" for row in self.rows).encode())


def draw_curve(rows: Sequence[Mapping[str, float]], path: Path, title: str) -> None:
    """The first measured number over the steps, as a picture."""
    name = next(name for name in rows[0] if name not in NOT_DRAWN)
    figure = Figure(figsize=(6.4, 4))
    axes = figure.add_subplot()
    axes.plot([row["step"] for row in rows], [row[name] for row in rows], color="#1f6f50")
    axes.set(title=title, xlabel="steps", ylabel=name.replace("_", " "))
    axes.grid(alpha=0.3)
    axes.set_ylim(bottom=min(0.0, *(row[name] for row in rows)))
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=120, bbox_inches="tight")


def _memory(part: Any) -> Arrays:
    if isinstance(part, np.ndarray):
        return {"array": part}
    if isinstance(part, np.random.Generator):
        return {"state": np.array(json.dumps(part.bit_generator.state))}
    if isinstance(part, torch.nn.Module):
        return {name: tensor.detach().numpy() for name, tensor in part.state_dict().items()}
    if isinstance(part, torch.optim.Optimizer):
        state = part.state_dict()["state"]
        return {f"{i}.{name}": np.asarray(value) for i, each in state.items() for name, value in each.items()}
    memory: Arrays = part.memory()
    return memory


def _load(part: Any, memory: Arrays) -> None:
    if isinstance(part, np.ndarray):
        part[...] = memory["array"]
    elif isinstance(part, np.random.Generator):
        part.bit_generator.state = json.loads(str(memory["state"]))
    elif isinstance(part, torch.nn.Module):
        part.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in memory.items()})
    elif isinstance(part, torch.optim.Optimizer):
        whole = part.state_dict()
        state: dict[int, dict[str, Any]] = {}
        for key, value in memory.items():
            number, _, name = key.partition(".")
            state.setdefault(int(number), {})[name] = torch.from_numpy(np.array(value))
        part.load_state_dict({**whole, "state": state})
    else:
        part.load(memory)
