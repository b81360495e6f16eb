"""How heavy the page is and when something can be seen, in Chromium on a real server with an empty cache.

    python bench/page_load.py

Opens the lobby and a table of Doppelkopf several times, each time as a new visitor: once as fast as this machine is,
once as on a middling phone (a processor four times as slow, 1.6 Mbit/s, 150 ms to the server and back: the settings
that Lighthouse uses). Prints the bytes that were sent, and medians and quartiles of the first and the largest paint.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

import kiebitz as kb

SOURCE = str(Path(kb.__file__).parents[1])
PHONE = {"latency": 150, "downloadThroughput": 1_638_400 / 8, "uploadThroughput": 750_000 / 8, "offline": False}
SLOWER = 4
PAINTS = """() => new Promise(done => {
  const found = {};
  new PerformanceObserver(list => {
    for (const each of list.getEntries()) found.largest = each.startTime;
  }).observe({type: "largest-contentful-paint", buffered: true});
  setTimeout(() => {
    found.first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null;
    done(found);
  }, 500);
})"""


@contextmanager
def serving() -> Iterator[str]:
    """A server with a store of its own; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PYTHONPATH": SOURCE, "XDG_CACHE_HOME": folder}
        port = "8719"
        command = [sys.executable, "-m", "kiebitz", "serve", "--no-open", "--port", port, "--db", f"{folder}/t.db"]
        with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as server:
            address = f"http://127.0.0.1:{port}"
            try:
                for _ in range(300):
                    try:
                        httpx.get(f"{address}/api/health").raise_for_status()
                        break
                    except httpx.HTTPError:
                        time.sleep(0.1)
                yield address
            finally:
                server.terminate()


def opened(browser: Browser, address: str, phone: bool) -> dict[str, Any]:
    """One visit with an empty cache: bytes over the wire, and when something was painted."""
    view = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    context = browser.new_context(viewport=view)  # type: ignore[arg-type]
    try:
        page: Page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        if phone:
            wire.send("Network.emulateNetworkConditions", PHONE)
            wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        sent: list[float] = []
        wire.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
        page.goto(address, wait_until="networkidle")
        paints = page.evaluate(PAINTS)
        return {"bytes": sum(sent), "requests": len(sent), **paints}
    finally:
        context.close()


def table_of_bots(address: str) -> str:
    """The address of a table with a long game on it."""
    body = {
        "game": {"name": "doppelkopf"},
        "seats": [{"kind": "bot", "strength": "beginner"}] * 4,
        "options": {"open": True, "games": 1000, "pace_ms": 5000},
    }
    made = httpx.post(f"{address}/api/tables", json=body).raise_for_status().json()
    return f"{address}/#/table/{made['table']}"


def main() -> None:
    """Measures and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=7)
    visits = parser.parse_args().visits
    found: dict[str, Any] = {}
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, where in (("lobby", address), ("table", table_of_bots(address))):
            for phone in (False, True):
                rows = [opened(browser, where, phone) for _ in range(visits)]
                summary: dict[str, Any] = {
                    "kilobytes": round(statistics.median(row["bytes"] for row in rows) / 1000, 1)
                }
                summary["requests"] = statistics.median(row["requests"] for row in rows)
                for paint in ("first", "largest"):
                    low, median, high = statistics.quantiles([row[paint] for row in rows], n=4)
                    summary[f"{paint}_paint_ms"] = [round(value) for value in (median, low, high)]
                found[f"{name}, {'phone' if phone else 'desktop'}"] = summary
        browser.close()
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
