"""The spec grammar: parse and print round-trip, and every mistake is pointed at."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.errors import Error
from kiebitz.spec import MAX_DEPTH, MAX_LENGTH, Spec, SpecError, Value, parse

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in ("true", "false"))
ATOMS = st.one_of(
    st.booleans(),
    st.integers(-(10**30) + 1, 10**30 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
)


def specs_of(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Spec]:
    items = st.dictionaries(NAMES, values, max_size=3).map(lambda d: tuple(d.items()))
    return st.builds(Spec, NAMES, st.lists(values, max_size=3).map(tuple), items)


VALUES = st.recursive(
    ATOMS, lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), specs_of(inner)), max_leaves=8
)
SPECS = specs_of(VALUES)


@given(SPECS)
def test_parse_and_print_round_trip(spec: Spec) -> None:
    again = parse(str(spec))
    assert again == spec
    assert repr(again) == repr(spec)  # equal, and of the same types: 1 is not 1.0 or true
    assert str(again) == str(spec)


def check_spec_or_error(text: str) -> None:
    try:
        spec = parse(text)
    except SpecError:
        with pytest.raises(SpecError, match="expected"):
            parse(text)
    else:
        assert parse(str(spec)) == spec


@given(st.text(max_size=60))
def test_any_text_is_a_spec_or_a_spec_error(text: str) -> None:
    check_spec_or_error(text)


@given(st.text(alphabet="abtrue01_.,=()[]\"'\\u+-e ", max_size=40))
def test_any_text_of_the_grammars_characters_is_a_spec_or_a_spec_error(text: str) -> None:
    check_spec_or_error(text)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        (" random ( ) ", Spec("random")),
        ("uct(iterations=10_000, c=2.5)", Spec.of("uct", iterations=10_000, c=2.5)),
        ("cheat(uct(500))", Spec.of("cheat", Spec.of("uct", 500))),
        ("a(-1, +2, .5, 1., 1e-3, true, false)", Spec.of("a", -1, 2, 0.5, 1.0, 0.001, True, False)),
        ("a([1, [2, b], 'x'],)", Spec.of("a", (1, (2, Spec("b")), "x"))),
        (r"""a("q\"\\\n\u20ac", 'it"s')""", Spec.of("a", 'q"\\\n€', 'it"s')),
        ("a(x=y)", Spec.of("a", x=Spec("y"))),
    ],
)
def test_the_grammar_by_example(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize(
    ("text", "expected", "position"),
    [
        ("", "a name", 0),
        ("7", "a name", 0),
        ("true", "a name", 0),
        ("uct(", "a value", 4),
        ("uct(iterations=)", "a value", 15),
        ("uct(iterations=5", "',' or ')'", 16),
        ("uct(a b)", "',' or ')'", 6),
        ("uct(,)", "a value", 4),
        ("uct() x", "the end of the spec", 6),
        ("uct(a=1, 2)", "name=value", 9),
        ("uct(a=1, a=2)", "each name once", 9),
        ("uct(true=1)", "a name", 4),
        ("uct(1__0)", "the number to end", 5),
        ("uct(5x)", "the number to end", 5),
        ("uct(1.2.3)", "the number to end", 7),
        ("uct(1e999)", "fits into a float", 4),
        ("uct(-)", "a number", 4),
        ("uct('abc)", "at the end of the text", 4),
        (r"uct('\q')", "after a backslash", 6),
        (r"uct('\u12')", "four hexadecimal digits", 7),
        ("uct([1 2])", "',' or ']'", 7),
        ("uct([1", "',' or ']'", 6),
        ("uct(٣)", "a value", 4),
        ("uct" + "(a" * 100, "levels of nesting", None),
        ("x([" + "[" * 5000, "levels of nesting", None),
        ("x(" + "9" * 5000 + ")", "a number of at most", 2),
    ],
)
def test_mistakes_are_pointed_at(text: str, expected: str, position: int | None) -> None:
    with pytest.raises(SpecError, match="expected") as caught:
        parse(text)
    assert expected in str(caught.value)
    if position is not None:
        assert caught.value.position == position
    *_, _shown, caret = str(caught.value).split("\n")
    assert caret.strip() == "^"


def test_the_caret_stands_below_the_mistake() -> None:
    with pytest.raises(SpecError) as caught:
        parse("uct(iterations=500, c==2)")
    assert str(caught.value).split("\n") == ["expected a value, got '='", "  uct(iterations=500, c==2)", " " * 24 + "^"]


def test_the_caret_stands_below_the_mistake_in_long_text() -> None:
    with pytest.raises(SpecError) as caught:
        parse("uct(" + " " * 500 + "$" + " " * 500 + ")")
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^")] == "$"
    assert len(shown) < 100


def test_too_long_a_text_is_refused() -> None:
    with pytest.raises(SpecError, match=f"at most {MAX_LENGTH}"):
        parse("a" * (MAX_LENGTH + 1))


def test_nesting_up_to_the_limit_is_read() -> None:
    deep = Spec("leaf")
    for _ in range(MAX_DEPTH):
        deep = Spec.of("a", deep)
    assert parse(str(deep)) == deep


def test_not_text_is_refused() -> None:
    with pytest.raises(SpecError, match="got int"):
        parse(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**30, None, [1], (1, {})])
def test_values_outside_the_grammar_are_refused(value: object) -> None:
    with pytest.raises(SpecError, match="expected"):
        Spec("a", (value,))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "a b", "1a", "true", "a-b", "ä"])
def test_names_outside_the_grammar_are_refused(name: str) -> None:
    with pytest.raises(SpecError, match="expected a name"):
        Spec(name)


def test_specs_are_values() -> None:
    spec = parse("a(b(1), c=[1, 2])")
    assert hash(spec) == hash(parse(str(spec)))
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_spec_error_is_a_value_error_and_survives_pickling() -> None:
    with pytest.raises(SpecError) as caught:
        parse("a(")
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, Error)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.position == 2
