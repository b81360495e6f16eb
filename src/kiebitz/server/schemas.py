"""The bodies of requests and answers, with examples; FastAPI describes them in OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from kiebitz.server.chat import LONGEST
from kiebitz.server.wishes import Wish

Name = Annotated[str, Field(min_length=1, max_length=40)]
Effort = Literal["quick", "normal", "deep"]
Version = Annotated[StrictInt, Field(ge=0, le=2**53)]
Ply = Annotated[StrictInt, Field(ge=0, le=10**6)]
Plain = dict[str, Any]
LONGEST_ID = 40
TableId = Annotated[str, Path(max_length=LONGEST_ID, examples=["k3JxT0a9ZQpB"])]


class RequestBody(BaseModel):
    """The body of a request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class GameChoice(RequestBody):
    """A game with its rules."""

    name: Annotated[str, Field(max_length=40, examples=["doppelkopf"])]
    preset: Annotated[str, Field(max_length=40)] | None = None
    params: Annotated[dict[str, Any], Field(max_length=20)] = {}


class SeatChoice(RequestBody):
    """Who takes the seat: you, somebody who joins later, or a bot by strength or spec."""

    kind: Literal["person", "open", "bot"]
    name: Name | None = None
    me: bool = False
    strength: Annotated[str, Field(max_length=200)] | None = None
    spec: Annotated[str, Field(max_length=500)] | None = None


class OptionChoice(RequestBody):
    """The options of a table: no kibitz panel while a game runs (fair), spectators see everything (open; in a game with
    hidden cards or dice for at most one person, and not at a fair table), games in the series (null: no end), the least
    time between two shown actions, whether two players change seats after each game (alternate), whether
    persons can write to each other (chat), seconds to think for each person in a game (clock_seconds; null: no clock)
    and those that every action adds (increment_seconds)."""

    fair: bool = False
    open: bool = False
    games: Annotated[int, Field(ge=1, le=1000)] | None = 1
    pace_ms: Annotated[int, Field(ge=0, le=5000)] = 600
    language: Literal["en", "de"] | None = None
    alternate: bool = False
    chat: bool = True
    clock_seconds: Annotated[int, Field(ge=10, le=3 * 3600)] | None = None
    increment_seconds: Annotated[int, Field(ge=0, le=300)] = 0


class Opening(RequestBody):
    """Who sits where at a new table, and what was agreed on."""

    seats: Annotated[list[SeatChoice], Field(min_length=1, max_length=10)]
    options: OptionChoice = OptionChoice()


class NewTable(Opening):
    """A table to open."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "game": {"name": "doppelkopf"},
                    "seats": [
                        {"kind": "person", "name": "Ada", "me": True},
                        {"kind": "bot", "strength": "strong"},
                        {"kind": "bot", "strength": "casual"},
                        {"kind": "bot", "spec": "pimc(uct(iterations=500), worlds=20)"},
                    ],
                    "options": {"games": 4, "pace_ms": 600},
                }
            ]
        },
    )
    game: GameChoice
    lesson: bool = Field(False, description="Deal the game's prepared first game, for one person against bots.")


class PlayOn(Opening):
    """A table that goes on from a position of a recorded game: the one before action ``ply``."""

    ply: Ply


class Opened(BaseModel):
    """A new table: your seat and its token, or without a seat the token that lets you start the next game."""

    table: str = Field(examples=["k3JxT0a9ZQpB"])
    seat: int | None = Field(examples=[0])
    token: str | None = Field(examples=["mX0q..."])
    owner: str | None = None


class Claim(RequestBody):
    """A person who takes an open seat."""

    name: Name = Field(examples=["Grace"])


class Claimed(BaseModel):
    """The seat and its token."""

    seat: int = Field(examples=[1])
    token: str = Field(examples=["mX0q..."])


class Action(RequestBody):
    """An action by number or name, or by its kind and amount, chosen at this version of the table. With an amount, an
    action names a choice by its lowest one."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"version": 17, "action": 34},
                {"version": 17, "kind": "raise", "amount": 40},
                {"version": 17, "action": "2:1", "amount": 3},
            ]
        },
    )
    version: Version
    action: Annotated[StrictInt, Field(ge=0, le=2**31)] | Annotated[StrictStr, Field(max_length=80)] | None = None
    kind: Annotated[StrictStr, Field(max_length=40)] | None = None
    amount: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.action is None) == (self.kind is None):
            raise ValueError("expected either an action or a kind, with an amount or without")
        return self

    def wish(self) -> int | str | Wish:
        """The action in the form that a table takes."""
        if self.action is not None:
            return self.action if self.amount is None else Wish(amount=self.amount, choice=self.action)
        assert self.kind is not None, "checked above"
        return Wish(self.kind, self.amount)


class UndoChoice(RequestBody):
    """The state of the table in which somebody wants an action to be taken back, or not."""

    version: Version


class Resignation(RequestBody):
    """The number of the game that somebody gives up."""

    game: Annotated[StrictInt, Field(ge=1, le=10**6)]


class Said(RequestBody):
    """A line of the chat, as plain text."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST, examples=["well played"])]


class Consent(RequestBody):
    """Whether you want what needs the consent of all persons."""

    wanted: bool


class PaceChoice(RequestBody):
    """How fast bots move: the least time between two shown actions, whether they wait, and one action while they do."""

    pace_ms: Annotated[StrictInt, Field(ge=0, le=5000)] | None = None
    paused: bool | None = None
    step: bool = False


class AnalysisChoice(RequestBody):
    """What to analyse, and how thoroughly."""

    seat: Annotated[StrictInt, Field(ge=0, le=20)] | None = None
    version: Version | None = None
    effort: Effort = "quick"


class ReplayChoice(RequestBody):
    """A position of a recorded game, the one before action ``ply``; over whose shoulder to look, and how thoroughly."""

    ply: Ply
    seat: Annotated[StrictInt, Field(ge=0, le=20)] | None = None
    effort: Effort = "quick"


class Try(RequestBody):
    """Another action in a position of a recorded game."""

    ply: Ply
    action: Annotated[StrictInt, Field(ge=0, le=2**31)] | Annotated[StrictStr, Field(max_length=80)]


class ReviewChoice(RequestBody):
    """How thoroughly to judge each decision."""

    effort: Effort = "quick"


class Ref(BaseModel):
    """The id of a shared record."""

    record: str = Field(examples=["b7Qe2LmW0aXz"])


class JobRef(BaseModel):
    """The id of a job that was started."""

    job: str = Field(examples=["Zt8uYx1Ww2Kc"])


class Job(BaseModel):
    """The progress of a job."""

    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: float = Field(ge=0, le=1, examples=[0.4])
    result: Plain | None = None


class Problem(BaseModel):
    """A refusal: a code for programs, plain words for people."""

    code: str = Field(examples=["stale_version"])
    message: str = Field(examples=["the table has changed: expected version 18, got 17; look again"])


class ProblemAnswer(BaseModel):
    """The body of every answer that is not a success."""

    error: Problem


class Health(BaseModel):
    """The state of the server."""

    status: str = Field(examples=["ok"])
    version: str = Field(examples=["0.1.0"])


class Snapshot(BaseModel):
    """A table as the caller may see it; docs/server.md explains every field."""

    model_config = ConfigDict(extra="forbid")
    table: str
    version: int
    game: Plain
    options: Plain
    number: int
    role: Literal["seat", "public", "all"]
    you: int | None
    seats: list[Plain]
    turn: int | None
    phase: str
    public: Plain
    views: dict[str, Plain]
    prompt: Plain | None
    log: list[Plain]
    history: list[str]
    over: Plain | None
    score: Plain
    control: Plain
    clock: Plain | None
    chat: Plain | None
