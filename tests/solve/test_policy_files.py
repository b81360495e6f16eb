"""Files of policies: read back as they were written, refused with a named error, or not written at all."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz.errors import Error, LimitError, ParameterError
from kiebitz.solve import Policy, solve
from kiebitz.solve import archive as files
from kiebitz.solve.archive import Archive, write_archive
from kiebitz.solve.policy import FORMAT
from tests.solve.brute_force import random_policy, random_tree

SEEDS = st.integers(0, 10**6)
KUHN = kb.game("kuhn")
UNIFORM = Policy.uniform(KUHN)


# --- Reading ----------------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(SEEDS, SEEDS)
def test_saved_and_loaded_it_is_the_same(tmp_path_factory: pytest.TempPathFactory, tree: int, seed: int) -> None:
    policy = random_policy(random_tree(tree, 3, False), seed)
    file = tmp_path_factory.mktemp("policies") / "one.npz"
    policy.save(file)
    assert Policy.load(file).distance(policy) == 0
    assert Policy.load(file, policy.game).distance(policy) == 0


def test_the_file_is_a_plain_archive(tmp_path: Path) -> None:
    """As documented: any program that reads NumPy's format without pickles can use it."""
    solve(KUHN, "lp").save(file := tmp_path / "kuhn.npz")
    with np.load(file, allow_pickle=False) as archive:
        assert sorted(archive.files) == sorted(
            ["format", "game", "keys"]
            + [f"{part}_{player}" for part in ("actions", "counts", "probabilities") for player in (0, 1)]
        )
        assert str(archive["format"]) == FORMAT
        assert json.loads(str(archive["game"])) == {"name": "kuhn"}
        assert KUHN.deal(["J", "K"], start=0).view(0).key in archive["keys"]
        assert archive["actions_0"].shape == archive["probabilities_0"].shape == (12,)


def test_the_same_rules_under_another_name_of_theirs_fit(tmp_path: Path) -> None:
    Policy.uniform("leduc").save(file := tmp_path / "leduc.npz")
    assert len(Policy.load(file, kb.game("leduc", preset="standard"))) == 936
    with pytest.raises(ParameterError, match=r"expected one for .*thesis"):
        Policy.load(file, kb.game("leduc", preset="thesis"))
    with pytest.raises(ParameterError, match=r"this policy is for .*leduc.*expected one for .*kuhn"):
        Policy.load(file, "kuhn")
    with pytest.raises(ParameterError, match="this policy is for"):
        kb.agent(f'policy(file="{file}")', KUHN)


@pytest.fixture
def good(tmp_path: Path) -> dict[str, Any]:
    """The arrays of a good file."""
    random_policy(KUHN, 1).save(tmp_path / "good.npz")
    return dict(Archive(tmp_path / "good.npz", FORMAT))


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no format": lambda a: a.pop("format"),
    "another format": lambda a: a.update(format=np.array("kiebitz policy 99")),
    "a format of numbers": lambda a: a.update(format=np.arange(3)),
    "no game": lambda a: a.pop("game"),
    "no JSON": lambda a: a.update(game=np.array("kuhn")),
    "deep JSON": lambda a: a.update(game=np.array("[" * 100_000)),
    "JSON of a list": lambda a: a.update(game=np.array("[1, 2]")),
    "an unknown game": lambda a: a.update(game=np.array('{"name": "kuhm"}')),
    "a game with wrong rules": lambda a: a.update(game=np.array('{"name": "kuhn", "params": {"players": 99}}')),
    "a game of strange rules": lambda a: a.update(game=np.array('{"name": "kuhn", "params": {"x": [[1]]}}')),
    "a game from a file": lambda a: a.update(game=np.array('{"name": "tree", "params": {"file": "/dev/zero"}}')),
    "a tree that is none": lambda a: a.update(game=np.array('{"name": "tree", "params": {"tree": {"root": 1}}}')),
    "another game": lambda a: a.update(game=np.array('{"name": "kuhn", "params": {"players": 3}}')),
    "a game of bytes": lambda a: a.update(game=np.array(b'{"name": "kuhn"}')),
    "no keys": lambda a: a.pop("keys"),
    "fewer keys": lambda a: a.update(keys=a["keys"][:-1]),
    "keys in another order": lambda a: a.update(keys=a["keys"][::-1]),
    "keys of numbers": lambda a: a.update(keys=np.arange(12)),
    "keys in a square": lambda a: a.update(keys=a["keys"].reshape(3, 4)),
    "no actions": lambda a: a.pop("actions_1"),
    "other actions": lambda a: a.update(actions_0=a["actions_0"] + 1),
    "actions of texts": lambda a: a.update(actions_0=a["actions_0"].astype(str)),
    "no probabilities": lambda a: a.pop("probabilities_0"),
    "fewer probabilities": lambda a: a.update(probabilities_0=a["probabilities_0"][:-1]),
    "probabilities in a square": lambda a: a.update(probabilities_0=a["probabilities_0"].reshape(3, 4)),
    "one probability": lambda a: a.update(probabilities_0=np.array(1.0)),
    "probabilities of texts": lambda a: a.update(probabilities_0=a["probabilities_0"].astype(str)),
    "complex probabilities": lambda a: a.update(probabilities_0=a["probabilities_0"].astype(complex)),
    "true and false": lambda a: a.update(probabilities_0=a["probabilities_0"] > 0.5),
    "dates": lambda a: a.update(probabilities_0=np.full(12, np.datetime64("2020-01-01"))),
    "NaN": lambda a: a.update(probabilities_0=a["probabilities_0"] * np.nan),
    "infinity": lambda a: a.update(probabilities_0=a["probabilities_0"] + np.inf),
    "negative": lambda a: a.update(probabilities_0=-a["probabilities_0"]),
    "too much": lambda a: a.update(probabilities_0=a["probabilities_0"] * 2),
}


def numbers_as_text(*codes: int) -> Any:
    return np.array(codes, dtype=np.uint32).view(f"<U{len(codes)}")


CHANGES |= {
    "a format of no characters": lambda a: a.update(format=numbers_as_text(0x110000, 7)),
    "a game of half characters": lambda a: a.update(game=numbers_as_text(0xD800)),
    "keys of no characters": lambda a: a.update(keys=np.repeat(numbers_as_text(2**32 - 1), 12)),
    "keys of characters the other way round": lambda a: a.update(keys=a["keys"].view(a["keys"].dtype.newbyteorder())),
}


@pytest.mark.parametrize("change", CHANGES)
def test_broken_parts_are_refused(change: str, good: dict[str, Any], tmp_path: Path) -> None:
    CHANGES[change](good)
    write_archive(tmp_path / "bad.npz", good)
    with pytest.raises(ParameterError, match=r"bad\.npz: "):
        Policy.load(tmp_path / "bad.npz")
    with pytest.raises(ParameterError, match=r"bad\.npz: "):
        Policy.load(tmp_path / "bad.npz", KUHN)


def test_a_pickle_inside_is_refused_and_not_run(good: dict[str, Any], tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "sprung",)

    good["game"] = np.array(Trap(), dtype=object)
    np.savez(tmp_path / "bad.npz", allow_pickle=True, **good)
    with pytest.raises(ParameterError, match="Python objects"):
        Policy.load(tmp_path / "bad.npz")
    assert not (tmp_path / "sprung").exists()


def test_a_huge_array_in_a_small_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros pack well. The limit is lowered here so that the file is made quickly."""
    file = tmp_path / "bomb.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("format.npy", bytes(2**24))
    assert file.stat().st_size < 2**16
    monkeypatch.setattr(files, "MOST_BYTES", 2**20)
    with pytest.raises(LimitError, match="expected at most 1,048,576 bytes of arrays, got 16,777,216"):
        Policy.load(file)


def test_no_part_is_unpacked_that_is_larger_than_the_game_allows(good: dict[str, Any], tmp_path: Path) -> None:
    """A file of 128 KB that would take a quarter of a gigabyte."""
    write_archive(tmp_path / "good.npz", good)
    with zipfile.ZipFile(tmp_path / "good.npz") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    claimed = 2**27
    header = io.BytesIO()
    fields = {"descr": "<f8", "fortran_order": False, "shape": (claimed // 8,)}
    np.lib.format.write_array_header_1_0(header, fields)
    for name in ("probabilities_0.npy", "game.npy"):
        with zipfile.ZipFile(file := tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            for part, content in parts.items():
                if part != name:
                    archive.writestr(part, content)
            with archive.open(name, "w") as large:
                large.write(header.getvalue())
                for _ in range(claimed >> 20):
                    large.write(bytes(2**20))
        tracemalloc.start()
        with pytest.raises(ParameterError, match=rf"bomb.npz: {name[:-4]}: expected at most .* bytes, got 134,217,728"):
            Policy.load(file)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 2**24


def test_an_archive_that_numpy_does_not_write_is_refused(tmp_path: Path) -> None:
    for kind in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        with zipfile.ZipFile(tmp_path / "bad.npz", "w", kind) as archive:
            archive.writestr("format.npy", _npy())
        with pytest.raises(ParameterError, match="not compressed the way NumPy does it"):
            Policy.load(tmp_path / "bad.npz")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,)}",
        "{'descr': '<U0', 'fortran_order': False, 'shape': (1099511627776,)}",
        "{'descr': '|V0', 'fortran_order': False, 'shape': (2, 2, 1099511627776,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,)}",
        "__import__('os').abort()",
        "{" * 200,
    ],
)
def test_a_header_that_lies(header: str, tmp_path: Path) -> None:
    text = header.encode() + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(16)
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        archive.writestr("format.npy", data)
    with pytest.raises(ParameterError, match="expected a file written by Kiebitz"):
        Policy.load(tmp_path / "bad.npz")


def _npy() -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(3.0))
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"player 0 always bets\n", b"PK\x05\x06" + bytes(18), _npy(), bytes(1000), pickle.dumps([1, 2])],
    ids=["empty", "cut", "text", "empty archive", "one array", "zeros", "pickle"],
)
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(ParameterError, match=r"bad\.npz: expected"):
        Policy.load(tmp_path / "bad.npz")


def test_names_that_are_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, message in (
        (tmp_path / "nowhere.npz", "there is no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "pipe", "this is not a plain file"),
        ("x" * 5000, "cannot be read"),
        ("a\0b", "there is no such file"),
        (7, "file: expected its name, got int"),
        (None, "file: expected its name, got NoneType"),
    ):
        with pytest.raises(ParameterError, match=message):
            Policy.load(name)  # type: ignore[arg-type]


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    UNIFORM.save(file := tmp_path / "kuhn.npz")

    def refuse(*_: Any) -> None:  # root may read everything, so no mode of the file would do
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("zipfile.ZipFile", refuse)
    with pytest.raises(ParameterError, match="Permission denied"):
        Policy.load(file)


def damaged(data: st.DataObject, content: bytes) -> bytes:
    """Some bytes changed, perhaps the end cut off."""
    out = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        out[data.draw(st.integers(0, len(out) - 1))] ^= data.draw(st.integers(1, 255))
    return bytes(out[: data.draw(st.one_of(st.just(len(out)), st.integers(0, len(out))))])


def refused_or_valid(file: Path) -> None:
    refused = file.name
    try:
        policy = Policy.load(file)
        assert all(sum(choice.probabilities.values()) == pytest.approx(1) for choice in policy)
    except Error as error:
        refused = str(error)
    assert file.name in refused


@settings(max_examples=300)
@given(st.data())
def test_fuzz_a_damaged_file_gives_a_named_error_or_a_valid_policy(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "fuzzed.npz"
    UNIFORM.save(file)
    file.write_bytes(damaged(data, file.read_bytes()))
    refused_or_valid(file)


@settings(max_examples=300)
@given(st.data())
def test_fuzz_a_damaged_array_gives_a_named_error_or_a_valid_policy(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """The checksum of the archive is right, so that the damage gets through to the arrays."""
    file = tmp_path_factory.getbasetemp() / "fuzzed.npz"
    UNIFORM.save(file)
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = data.draw(st.sampled_from(sorted(members)))
    members[name] = damaged(data, members[name])
    with zipfile.ZipFile(file, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    refused_or_valid(file)


# --- Writing ----------------------------------------------------------------------------------------------------------


class Interrupted(BaseException):
    """As Ctrl-C would."""


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), Interrupted()])
def test_a_write_that_fails_keeps_the_older_file(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    UNIFORM.save(file := tmp_path / "kuhn.npz")
    before = file.read_bytes()

    def fail(target: Any, array: Any, **rest: Any) -> None:
        del array, rest
        target.write(b"half of it")
        raise failure

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    expected = ParameterError if isinstance(failure, OSError) else Interrupted
    with pytest.raises(expected):
        solve(KUHN, "lp").save(file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    UNIFORM.save(tmp_path / "real.npz")
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    solved = solve(KUHN, "lp")
    solved.save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    assert Policy.load(tmp_path / "real.npz").distance(solved) == 0


def test_names_that_cannot_be_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path, tmp_path / "pipe", tmp_path / "no" / "where.npz", "x" * 5000, "a\0b", 7):
        with pytest.raises(ParameterError):
            UNIFORM.save(name)  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_policy_that_could_not_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    with pytest.raises(LimitError, match="expected at most 1,000 bytes"):
        UNIFORM.save(tmp_path / "kuhn.npz")
    assert list(tmp_path.iterdir()) == []
