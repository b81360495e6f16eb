"""A training run: its folder, its log and curve, progress, checkpoints from which it goes on exactly, and its end.

The folder of a run holds

    config.json       game, method, options, version: all that is needed to do it again
    lock              held by the process that trains, so that there is only one
    log.jsonl         one line for each measurement
    checkpoint.npz    everything that the method keeps, as arrays; replaced completely or not at all
    net.npz           the net as it was last measured (`kiebitz.nets.NetFile`)
    net-STEP.npz      nets of earlier steps, where a method is told to keep them
    curve.png         the measurements as a picture
    events.out...     the same for TensorBoard

A run that was killed goes on from its checkpoint and ends with the same net as one that was not, to the last bit on one
thread. So does one that is asked for more steps, unless the method's options say that a step depends on their number
(``STEPS_DECIDE``, such as for a learning rate that falls towards the end). No pickle is written or read.
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

NOT_DRAWN = ("step", "cpu_seconds", "wall_seconds", "hands", "epsilon")
"""What a curve does not show."""
COLOURS = ("#1f6f50", "#c2571a", "#3d5a98")
"""Of the lines of a curve."""

Arrays = Mapping[str, NDArray[Any]]


class Kept(Protocol):
    """What says itself what it has to remember."""

    def memory(self) -> Arrays:
        """All of it as arrays."""

    def load(self, memory: Any) -> None:
        """Takes what `memory` gave."""


class Weighted(Protocol):
    """What has weights, in PyTorch or in the core."""

    def parameters(self) -> Iterable[Any]:
        """All of them."""


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
        """Called with step, steps and the last measurements, for progress bars; None: nobody looks. What comes before
        the first step says so as its ``phase`` and counts for itself."""
        self.drawn: Sequence[str] = ()
        """The measurements that the curve shows; empty: the first one."""
        self.begun: Callable[[], object] | None = None
        """Called once nothing can be refused any more, before the first step."""
        self.rows: list[dict[str, Any]] = []
        self.step = 0
        self.finished = False
        """Whether it came to its end, because of its steps or because of what was found, and was not stopped before."""
        self.seconds = 0.0
        """Of CPU time, over all parts of the run."""
        self.wall_seconds = 0.0
        self._begun = time.process_time()
        self._wall_begun = time.monotonic()
        self._inside = False  # a step is under way
        self._given_up = False
        self._events: SummaryWriter | None = None
        self._encoding = encoding_of(game)
        self._kept: dict[str, Any] = {}
        self._saved = time.monotonic()
        self._lock: int | None = None

    @property
    def _config(self) -> dict[str, Any]:
        """All that is needed to do it again."""
        return {
            "game": rules_of(self.game),
            "encoding": self._encoding,
            "method": self.method,
            "options": dataclasses.asdict(self.options),
            "version": VERSION,
        }

    @property
    def _identity(self) -> str:
        """A fingerprint of what is learned here, for however many steps."""
        options = {name: value for name, value in dataclasses.asdict(self.options).items() if name != "steps"}
        text = json.dumps({**self._config, "options": options}, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _settle(self) -> None:
        """Takes the folder for this run, unless it is that of another one."""
        path = self.folder / "config.json"
        config = self._config
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            if any(self.folder.iterdir()):
                raise ParameterError(f"{self.folder}: expected an empty folder or one of a training")
            self._take_hold()
            with replacing(path) as file:
                file.write(json.dumps(config, indent=1).encode())
            return
        self._take_hold()
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            differing = [name for name, value in config.items() if known.get(name) != json.loads(json.dumps(value))]
        except (ValueError, AttributeError):
            raise ArchiveError(f"{path}: expected the configuration of a training, as JSON") from None
        if differing == ["options"] and self._differs_in_steps(known["options"]):
            if self.options.steps > known["options"]["steps"]:
                with replacing(path) as file:
                    file.write(json.dumps(config, indent=1).encode())
        elif differing:
            name = differing[0]
            old, new = known.get(name), config[name]
            if name == "options" and isinstance(old, dict):
                name = next((each for each in new if json.loads(json.dumps(new[each])) != old.get(each)), name)
                old, new = old.get(name), new.get(name)
            advice = "a new folder" if name in ("encoding", "version") else "another folder, or the same as before"
            raise ParameterError(
                f"{self.folder}: a training with another {name} is kept there ({old!s:.60}, not {new!s:.60}); "
                f"choose {advice}"
            )

    def _take_hold(self) -> None:
        """One training at a time in a folder; whoever holds it lets go when the process ends."""
        if self._lock is not None:
            return
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise Error(f"{self.folder}: a training is going on there") from None
        self._lock = lock

    def let_go(self) -> None:
        """Another training may go on in the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _differs_in_steps(self, known: Any) -> bool:
        """Whether this is the kept training with another number of steps, which only says when it ends."""
        options = json.loads(json.dumps(dataclasses.asdict(self.options)))
        if not isinstance(known, dict) or not isinstance(known.get("steps"), int):
            return False
        if {**options, "steps": known["steps"]} != known:
            return False
        if getattr(type(self.options), "STEPS_DECIDE", False):
            raise ParameterError(
                f"{self.folder}: a training of {known['steps']:,} steps is kept there, and what {self.method} does in "
                "each depends on their number: choose another folder or the same steps"
            )
        return True

    # --- The loop -----------------------------------------------------------------------------------------------------

    def keep(self, **parts: Any) -> None:
        """What checkpoints remember: modules and optimizers of PyTorch, arrays, generators, and whatever has `memory`
        and `load`. If there is a checkpoint, all of it is now as it was then."""
        most = sum(getattr(part, "most_bytes", 0) for part in parts.values())
        if most > MOST_BYTES:
            raise ParameterError(
                f"the memories would hold {most / 1e9:.1f} GB and a checkpoint holds {MOST_BYTES / 1e9:.1f} GB: make "
                "them smaller"
            )
        self._settle()
        self._kept = parts
        path = self.folder / "checkpoint.npz"
        if path.exists():
            self._load(path)
        self._forget_later_rows()
        if self.begun is not None:
            self.begun()

    def steps(self, last: int, enough: Callable[[], bool] = lambda: False) -> Iterator[int]:
        """The numbers of the steps that are left, up to `last`; ends early when somebody asks for it, or when what was
        kept says that it is enough."""
        while not (whole := self.step >= last or enough()) and not self.stop.requested:
            self._inside, self._given_up = True, False
            yield self.step + 1
            self._inside = False
            if self._given_up:
                break
            self.step += 1
            if time.monotonic() - self._saved > self.checkpoint_seconds:
                self.checkpoint()
            if self.report is not None:
                self.report(self.step, last, self.rows[-1] if self.rows else {})
        self.finished = whole
        self.checkpoint()
        if self._events is not None:
            self._events.close()
        if any(_drawn(row) for row in self.rows):
            draw_curve(self.rows, self.folder / "curve.png", f"{self.method}, {self.game.info.title}", self.drawn)

    def give_up(self) -> None:
        """The step that is under way was cut short before it changed anything: it will be done again."""
        self._given_up = True

    def log(self, net: NetFile | None = None, **numbers: float) -> None:
        """Writes a measurement of the step that is under way; `net` is what was measured."""
        self._take_time()
        times = {"cpu_seconds": round(self.seconds, 3), "wall_seconds": round(self.wall_seconds, 3)}
        row = {"step": self.step + 1, **numbers, **times}
        self.rows.append(row)
        with open(self.folder / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if self._events is None:
            self._events = SummaryWriter(str(self.folder), purge_step=self.step + 1)
        for name, number in numbers.items():
            self._events.add_scalar(name, number, self.step + 1)
        if net is not None:
            net.save(self.folder / "net.npz")

    def _take_time(self) -> None:
        now, wall = time.process_time(), time.monotonic()
        self.seconds += now - self._begun
        self.wall_seconds += wall - self._wall_begun
        self._begun, self._wall_begun = now, wall

    def keep_net(self, net: NetFile) -> None:
        """Keeps the net of the step that is under way beside the last one."""
        net.save(self.folder / f"net-{self.step + 1}.npz")

    def card(self, **more: Any) -> Card:
        """What a net of this run has to say of itself."""
        self._take_time()
        return Card(
            game=self.game.to_json(),
            encoding=self._encoding,
            method=self.method,
            config=dataclasses.asdict(self.options),
            seed=getattr(self.options, "seed", 0),
            steps=self.step + 1 if self._inside else self.step,
            hours=round(self.seconds / 3600, 4),
            **more,
        )

    def check(self, *nets: Weighted, outputs: NDArray[Any] | None = None) -> None:
        """Ends the run if a weight or an output is no finite number; the last good net and checkpoint stay."""
        good = all(bool(torch.isfinite(torch.as_tensor(weights)).all()) for net in nets for weights in net.parameters())
        if good and (outputs is None or np.isfinite(outputs).all()):
            return
        there = [name for name in ("net.npz", "checkpoint.npz") if (self.folder / name).exists()]
        kept = f"the last good {' and '.join(there)} are kept in {self.folder}" if there else "nothing was kept before"
        raise NotFiniteError(
            f"a net is not finite any more in step {self.step + 1:,}: {kept}; try a smaller learning rate"
        )

    # --- Checkpoints --------------------------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Remembers everything that was kept, unless it went wrong."""
        self.check(*(part for part in self._kept.values() if hasattr(part, "parameters")))
        arrays: dict[str, Any] = {"format": np.array(FORMAT), "step": np.array(self.step)}
        arrays["training"] = np.array(self._identity)
        self._take_time()
        arrays["seconds"] = np.array([self.seconds, self.wall_seconds])
        arrays["torch"] = torch.get_rng_state().numpy()
        for name, part in self._kept.items():
            arrays |= {f"{name}/{key}": value for key, value in _memory(part).items()}
        write_archive(self.folder / "checkpoint.npz", arrays)
        self._saved = time.monotonic()

    def _load(self, path: Path) -> None:
        archive = Archive(path, FORMAT)
        try:
            if str(archive["training"]) != self._identity:
                raise ArchiveError(f"{path}: this checkpoint is that of another training")
            if not int(archive["step"]) >= 0:
                raise ValueError("expected a step of at least 0")
            for name, part in self._kept.items():
                keys = [key for key in archive if key.startswith(f"{name}/")]
                _load(part, {key.partition("/")[2]: archive.part(key, MOST_BYTES) for key in keys})
            torch.set_rng_state(torch.from_numpy(archive["torch"].copy()))
            self.step = int(archive["step"])
            self.seconds, self.wall_seconds = (float(seconds) for seconds in archive["seconds"])
        except (KeyError, ValueError, TypeError, RuntimeError, IndexError) as error:
            if isinstance(error, ArchiveError):
                raise
            raise ArchiveError(f"{path}: this checkpoint does not fit the training: {error!s:.200}") from None

    def _forget_later_rows(self) -> None:
        """Measurements after the checkpoint will be made again."""
        path = self.folder / "log.jsonl"
        if not path.exists():
            return
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        self.rows = []
        for line in lines:
            try:
                row = json.loads(line)
                if not all(isinstance(value, int | float) for value in row.values()):
                    break
                if row["step"] <= self.step:
                    self.rows.append(row)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                break  # the run was killed while it wrote
        with replacing(path) as file:
            file.write("".join(json.dumps(row) + "\n" for row in self.rows).encode())


def draw_curve(rows: Sequence[Mapping[str, float]], path: Path, title: str, names: Sequence[str] = ()) -> None:
    """Measured numbers over the steps, as a picture; the first one, unless told otherwise."""
    names = names or [next(name for row in rows for name in _drawn(row))]
    figure = Figure(figsize=(6.4, 4))
    axes = figure.add_subplot()
    for name, colour in zip(names, COLOURS, strict=False):
        label = name.replace("_", " ")
        there = [row for row in rows if name in row]
        axes.plot([row["step"] for row in there], [row[name] for row in there], color=colour, label=label)
    axes.set(title=title, xlabel="steps", ylabel=names[0].replace("_", " ") if len(names) == 1 else "")
    if len(names) > 1:
        axes.legend()
    axes.grid(alpha=0.3)
    axes.set_ylim(bottom=min(0.0, *(row[name] for row in rows for name in names if name in row)))
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=120, bbox_inches="tight")


def _drawn(row: Mapping[str, float]) -> list[str]:
    """The measurements of a row that a curve can show."""
    return [name for name in row if name not in NOT_DRAWN]


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
        if memory["array"].shape != part.shape or memory["array"].dtype != part.dtype:
            raise ValueError(f"expected {part.dtype} of shape {part.shape}")
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
