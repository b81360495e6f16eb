"""``kiebitz`` with the same chance in every run: the tables' random numbers come from a seed."""

import runpy
import secrets
from random import Random
from unittest import mock

with mock.patch.object(secrets, "randbits", Random(1).getrandbits):
    runpy.run_module("kiebitz", run_name="__main__", alter_sys=True)
