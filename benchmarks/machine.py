"""Says on what kind of machine a benchmark ran, because its times depend on that."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Return what kind of machine this is: its processor, and how many of its cores this process
    may use.
    """
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        model = next(
            (
                line.partition(":")[2].strip()
                for line in cpuinfo.read_text().splitlines()
                if line.startswith("model name")
            ),
            model,
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{platform.system()} {platform.machine()}, {model}, {cores} cores"
