"""kiebitz serve: the table in the browser."""

from __future__ import annotations

import threading
import webbrowser
from typing import Annotated

import typer

from kiebitz.cli.common import err, fail, out


def serve(  # noqa: PLR0917 (options for Typer)
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets the whole network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65_535)] = 8000,
    db: Annotated[
        str | None, typer.Option("--db", help="Where tables are kept: a path or a URL; default: your own store.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A further name under which people reach this machine; may be repeated."),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(help="Also offer this game: its name, or a file: Python (run), JSON, .efg or .nfg; repeatable."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help="Also offer these bots: a Python file (run) that registers them, or a spec; may be repeated."
        ),
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Believe a proxy on this machine for whom it asks (X-Forwarded-For).")
    ] = False,
) -> None:
    """Serve the table in the browser: play, watch, kibitz."""
    import socket

    import uvicorn

    from kiebitz.server import Settings, create_app
    from kiebitz.server.catalogue import offer
    from kiebitz.server.connections import network
    from kiebitz.server.safety import offer_agents
    from kiebitz.server.sockets import MISSED

    for each in games or ():
        offer(each)
    for each in agents or ():
        offer_agents(each)
    usual = Settings()
    names = [*usual.hosts, host.lower(), *(each.lower() for each in name or ())]
    app = create_app(Settings(db=db, hosts=tuple(dict.fromkeys(names))))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # clients that read nothing are disconnected by the system, too
        patience = round(2000 * MISSED * usual.ping_seconds)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        fail(f"{host}:{port}: {error.strerror or error}; try another --port")
    shown = f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    out.print(f"The table is at {address} (Ctrl-C ends it)", markup=False)
    if host not in ("127.0.0.1", "::1", "localhost"):
        err.print("others in the network can reach it, too", style="yellow")
    if open_page:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    uvicorn.Server(network(app, behind_proxy)).run([listener])
