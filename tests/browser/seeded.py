"""``kiebitz`` with the same chance in every run: the tables' random numbers come from a seed."""

import secrets
from random import Random
from unittest import mock

if __name__ == "__main__":
    with mock.patch.object(secrets, "randbits", Random(1).getrandbits):
        from kiebitz.cli import main

        main()
