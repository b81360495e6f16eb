"""Reasons to refuse a request: a code for programs, plain words for people, a status for HTTP."""

from __future__ import annotations

from typing import Any

from kiebitz.errors import Error


class TableError(Error):
    """A request that a table refuses; its state is unchanged.

    >>> error = TableError("wrong_turn", "it is not your turn")
    >>> error.code, error.status, str(error)
    ('wrong_turn', 409, 'it is not your turn')
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        self.status = STATUS[code]
        super().__init__(message)


def refusal(code: str, message: str) -> dict[str, Any]:
    """A refusal as it is sent over HTTP and sockets. Messages may quote the request: lone surrogates, which JSON can
    express but UTF-8 cannot, are replaced.

    >>> refusal("invalid", "unknown field '\\ud800'")
    {'error': {'code': 'invalid', 'message': "unknown field '?'"}}
    """
    return {"error": {"code": code, "message": message.encode("utf-8", "replace").decode()}}


STATUS = {
    "bad_request": 400,
    "no_token": 401,
    "foreign_token": 403,
    "foreign_origin": 403,
    "fair_table": 403,
    "not_shown": 403,
    "no_chat": 403,
    "not_found": 404,
    "unknown_table": 404,
    "unknown_game": 404,
    "unknown_record": 404,
    "unknown_job": 404,
    "wrong_turn": 409,
    "stale_version": 409,
    "game_over": 409,
    "game_runs": 409,
    "series_over": 409,
    "seat_taken": 409,
    "cancelled": 409,
    "too_large": 413,
    "wrong_host": 421,
    "illegal_action": 422,
    "invalid": 422,
    "bad_agent": 422,
    "bad_game": 422,
    "bad_record": 422,
    "too_many": 429,
    "too_many_tables": 429,
    "internal": 500,
    "busy": 503,
    "store": 503,
}
"""The HTTP status of every code."""
