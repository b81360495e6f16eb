"""``kiebitz`` with the same random numbers in every run."""

import secrets
from random import Random
from unittest import mock

if __name__ == "__main__":
    with mock.patch.object(secrets, "randbits", Random(1).getrandbits):
        from kiebitz.cli import main

        main()
