"""The machine and the versions, for whoever reads times."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def hardware() -> dict[str, str]:
    """Processor, cores, system and versions.

    >>> sorted(hardware())
    ['cores', 'cpu', 'kiebitz', 'python', 'system']
    """
    import kiebitz

    return {
        "cpu": _cpu(),
        "cores": f"{os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"Python {platform.python_version()}",
        "kiebitz": f"Kiebitz {kiebitz.__version__}",
    }


def hardware_text() -> str:
    """The same in one line.

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
