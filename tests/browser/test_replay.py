"""After the game: replay, review, share, download and upload, in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kiebitz as kb
from kiebitz.records import Record, load, record_of, replay, save

from .conftest import QUICK, Visit, setup


def played(game: str, agents: list[str], seed: int) -> Record:
    """A game between bots, made without a server; random players announce nothing."""
    state = kb.game(game).new(seed=seed)
    players = [kb.agent(spec, state.game, seed=seed + i) for i, spec in enumerate(agents)]
    while state.player >= 0:
        names = {state.name(action): action for action in state.legal()}
        quiet = names.get("healthy", names.get("pass"))
        chosen = players[state.player].act(state.view(state.player))
        state.apply(chosen if quiet is None or agents[state.player] != "random" else quiet)
    return record_of(state, agents, seed=seed)


def upload(page: Page, path: Path) -> None:
    """Choose a file in the lobby."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(path)


def position(page: Page) -> tuple[int, int]:
    slider = page.get_by_role("slider", name="Position")
    found = re.fullmatch(r"Position (\d+) of (\d+)", slider.get_attribute("aria-valuetext") or "")
    assert found
    return int(found[1]), int(found[2])


def test_slider_and_keys_and_review_of_an_uploaded_doppelkopf_game(visit: Visit, tmp_path: Path) -> None:
    record = played("doppelkopf", ["random", "rule_of_thumb", "rule_of_thumb", "rule_of_thumb"], 3)
    save(tmp_path / "game.json", [record])
    ada = visit()
    page = ada.page
    ada.enter()
    upload(page, tmp_path / "game.json")
    slider = page.get_by_role("slider", name="Position")
    expect(slider).to_be_visible()
    at, last = position(page)
    assert at == 1
    assert 48 < last < 60  # cards, reservations and calls: nobody steps through "no call"
    page.keyboard.press("ArrowRight")
    assert position(page)[0] == 2
    page.keyboard.press("End")
    assert position(page)[0] == last
    expect(page.get_by_text(re.compile(r"(Re|Kontra) wins")).first).to_be_visible()
    ada.button("One step back").click()
    assert position(page)[0] == last - 1
    slider.fill("30")
    assert position(page)[0] == 31
    # All hands lie open.
    expect(page.get_by_role("list", name=re.compile("^Cards of "))).to_have_count(3)
    page.get_by_role("combobox", name="Viewpoint").select_option(index=1)
    page.keyboard.press("Home")

    ada.button("Review the game").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("heading", name="Worst mistakes")).to_be_visible(timeout=180_000)
    jumps = page.get_by_role("button", name="Show the position")
    if jumps.count() == 0:
        expect(page.get_by_text("No decision cost anything worth mentioning.")).to_be_visible()
    else:
        assert jumps.count() <= 3
        page.keyboard.press("End")
        jumps.first.click()
        assert position(page)[0] < last
        expect(page.locator("[data-mark=mistake]")).not_to_have_count(0)
        expect(page.locator("[data-mark=best]")).not_to_have_count(0)
    expect(page.get_by_role("heading", name="Mistakes by player")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Curve of the expected result"))).to_be_visible()
    ada.shot("replay-doppelkopf", whole=True)


def test_a_review_finds_the_mistake_and_says_what_was_better(visit: Visit, tmp_path: Path) -> None:
    """In Nim the loss is exact: a player who gives a won game away is told so."""
    state = kb.game("nim", heaps=[3, 4]).new()
    for name in ("2:4", "1:3"):
        state.apply(state.parse(name))
    save(tmp_path / "nim.json", [record_of(state, ["Ada", "Bob"])])
    ada = visit()
    page = ada.page
    ada.enter()
    upload(page, tmp_path / "nim.json")
    ada.button("Review the game").click()
    expect(page.get_by_role("heading", name="Worst mistakes")).to_be_visible(timeout=180_000)
    worst = page.get_by_role("listitem").filter(has=ada.button("Show the position"))
    expect(worst).to_have_count(1)
    expect(worst).to_contain_text("Ada")
    page.keyboard.press("End")
    worst.get_by_role("button", name="Show the position").click()
    assert position(page) == (1, 3)
    decisions = page.get_by_role("region", name="Decisions")
    expect(decisions.get_by_role("button").first).to_have_text(re.compile(r"costs the win.*better: 1 from heap 2$"))
    page.get_by_role("checkbox", name="Mistakes only").check()
    expect(decisions.get_by_role("button")).to_have_count(1)

    # The review is there at once after the page was left.
    page.reload()
    expect(page.get_by_role("heading", name="Worst mistakes")).to_be_visible()
    worst.get_by_role("button", name="Try again").click()
    panel = page.get_by_role("region", name="Try again")
    panel.get_by_role("button", name="2 from heap 2", exact=True).click()
    expect(panel).to_contain_text("2 from heap 2 costs the win. Try another one.")
    ada.button("Take back").click()
    page.get_by_role("button", name="Heap 2: take 1 of 4").click()
    expect(panel).to_contain_text("found, nothing is better")
    ada.button("Done").click()

    # From here against a bot: whoever plays well from here wins.
    ada.button("Play on from here").click()
    expect(page.get_by_role("heading", name="Nim")).to_be_attached()
    expect(page.get_by_role("group", name="Heap 2: 4 left")).to_be_visible()


def test_share_and_download_after_a_game(visit: Visit, tmp_path: Path) -> None:
    ada = visit({"setups": {**QUICK, "kuhn": setup(2, "beginner")}}, permissions=["clipboard-read", "clipboard-write"])
    page = ada.page
    ada.sit_down("Kuhn Poker")
    ada.play(ada.first_of("Check", "Call", "Fold"))
    over = ada.snapshot["over"]

    files = [downloaded(page, "Download the record", tmp_path / "table.json")]
    ada.button("Review this game").click()
    expect(page.get_by_role("slider", name="Position")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the table")).to_be_visible()
    files.append(downloaded(page, "Download", tmp_path / "replay.jsonl"))
    for path in files:
        (record,) = load(path)
        assert list(replay(record).returns()) == over["returns"]
        assert record.seats[0] == "Ada"

    ada.button("Copy link").click()
    expect(ada.button("Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(ada.address) + r"#/record/[\w-]{12,}", link)
    friend = visit()
    friend.enter(link.removeprefix(ada.address))
    expect(friend.page.get_by_role("slider", name="Position")).to_be_visible()
    assert position(friend.page)[1] == position(page)[1]
    friend.page.keyboard.press("End")
    expect(friend.page.get_by_text(over["words"]["en"][0], exact=True)).to_be_visible()
    # The players have the same names as at the table, in the game that was shared and in the file that was saved.
    expect(friend.page.get_by_label("Viewpoint").get_by_role("option")).to_have_text(["Ada", "Bot 2"])
    friend.enter()
    upload(friend.page, files[0])
    expect(friend.page.get_by_label("Viewpoint").get_by_role("option")).to_have_text(["Ada", "Bot 2"])


def downloaded(page: Page, button: str, path: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    download.value.save_as(path)
    return path


def test_a_downloaded_record_is_the_stored_one(visit: Visit, tmp_path: Path) -> None:
    """With its seed, which has more digits than a browser's number can hold."""
    ada = visit()
    page = ada.page
    ada.sit_down("Kuhn Poker")
    ada.play(ada.first_of("Check", "Call", "Fold"))
    seed = int(ada.snapshot["over"]["seed"])
    (record,) = load(downloaded(page, "Download the record", tmp_path / "table.json"))
    assert record.seed == seed
    ada.button("Review this game").click()
    (record,) = load(downloaded(page, "Download", tmp_path / "replay.jsonl"))
    assert record.seed == seed


@pytest.mark.parametrize(
    "text", ["no json", '{"schema": 1}', '{"schema":1,"game":{"name":"nim"},"actions":[[99,"1:1"]]}']
)
def test_a_bad_file_is_refused_in_words(visit: Visit, tmp_path: Path, text: str) -> None:
    ada = visit()
    ada.forgiven.append(re.compile("status of 4\\d\\d"))
    (tmp_path / "bad.json").write_text(text)
    ada.enter()
    upload(ada.page, tmp_path / "bad.json")
    alert = ada.page.get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"\w{3}"))
    assert not re.search(r"undefined|\[object|Traceback|NaN", alert.inner_text())
    expect(ada.button("Play Doppelkopf")).to_be_visible()


def test_a_refusal_in_german(visit: Visit, tmp_path: Path) -> None:
    ada = visit({"language": "de"})
    ada.forgiven.append(re.compile("status of 4\\d\\d"))
    (tmp_path / "bad.json").write_text('{"schema": 1}')
    ada.enter()
    with ada.page.expect_file_chooser() as chooser:
        ada.button("Datei wählen").click()
    chooser.value.set_files(tmp_path / "bad.json")
    words = "Die Datei lässt sich nicht öffnen: Das ist keine gültige Aufzeichnung"
    expect(ada.page.get_by_role("alert")).to_contain_text(words)
    expect(ada.page.get_by_role("alert")).not_to_contain_text("expected")


def test_the_next_record_from_the_replay_page(visit: Visit, tmp_path: Path) -> None:
    records: list[Any] = [played("oware", ["random", "random"], 5), played("tic_tac_toe", ["random", "random"], 6)]
    for i, record in enumerate(records):
        (tmp_path / f"{i}.json").write_text(json.dumps(record.to_json(), indent=1))
    ada = visit()
    page = ada.page
    ada.enter()
    upload(page, tmp_path / "0.json")
    expect(page.get_by_role("heading", name="Replay: Oware")).to_be_attached()
    ada.shot("replay-oware")
    with page.expect_file_chooser() as chooser:
        ada.button("Open another …").click()
    chooser.value.set_files(tmp_path / "1.json")
    expect(page.get_by_role("heading", name="Replay: Tic-Tac-Toe")).to_be_attached()
    assert position(page)[1] == len(records[1].actions) + 1
