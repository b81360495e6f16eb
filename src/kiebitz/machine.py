"""The version of Kiebitz and the machine it runs on: what has to be recorded with every measured time."""

from __future__ import annotations

import os
import platform
from pathlib import Path

VERSION = "0.1.0"
"""Version of Kiebitz."""


def hardware() -> dict[str, str]:
    """Processor, cores, system and versions.

    >>> sorted(hardware())
    ['cores', 'cpu', 'kiebitz', 'python', 'system']
    """
    return {
        "cpu": _cpu(),
        "cores": f"{os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"Python {platform.python_version()}",
        "kiebitz": f"Kiebitz {VERSION}",
    }


def hardware_text() -> str:
    """Processor, cores, system and versions in one line.

    >>> "Python" in hardware_text()
    True
    """
    return ", ".join(hardware().values())


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
