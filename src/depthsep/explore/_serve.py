"""Serve the page on this machine alone, until it is stopped."""

import socket
from collections.abc import Callable
from secrets import token_urlsafe

from depthsep._errors import HypothesisError
from depthsep._extras import needed


def address(port: int, token: str) -> str:
    """Where the page is."""
    return f"http://127.0.0.1:{port}/?token={token}"


def serve(port: int = 0, *, ready: Callable[[str], None] | None = None) -> None:
    """Answer on 127.0.0.1 until the process is interrupted.

    Args:
        port: 0 for any free one.
        ready: called with the address once the socket is open.

    Raises:
        HypothesisError: the port is taken; starlette or uvicorn is not installed.
    """
    uvicorn = needed("uvicorn", "web")
    server = needed("depthsep.explore._server", "web")
    token = token_urlsafe(24)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind(("127.0.0.1", port))
        except OSError:
            raise HypothesisError(
                f"port {port} cannot be opened, perhaps because another "
                "program uses it; give another port",
                parameter="port",
            ) from None
        opened.listen()
        taken = opened.getsockname()[1]
        app = server.make_server(token, taken)
        config = uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            timeout_graceful_shutdown=1,
            limit_concurrency=64,
            http=needed("depthsep.explore._protocol", "web").TimelyProtocol,
        )
        if ready is not None:
            ready(address(taken, token))
        uvicorn.Server(config).run(sockets=[opened])
