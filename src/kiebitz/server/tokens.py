"""Tokens: what proves a seat. Only their SHA-256, the proof, is kept and compared."""

from __future__ import annotations

import hashlib

LONGEST = 200
"""Most characters of a token."""


def digest(token: str) -> str:
    """The proof: what is stored of a token.

    >>> len(digest("secret"))
    64
    """
    written = token.encode("utf-8", "surrogatepass")  # JSON can express lone surrogates
    return hashlib.sha256(written).hexdigest()


def bearer(header: str) -> str | None:
    """The bearer token in the header Authorization; None if there is none.

    >>> bearer("Bearer secret"), bearer("Basic secret")
    ('secret', None)
    """
    scheme, _, token = header.partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and 0 < len(token) <= LONGEST else None
