"""The server behind the page: one token, one origin, nothing but files and jobs."""

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files
from multiprocessing.connection import Connection
from secrets import compare_digest
from weakref import finalize

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from depthsep._errors import HypothesisError
from depthsep.explore._jobs import JOBS
from depthsep.explore._state import MOST_BYTES, State, read_state
from depthsep.explore._work import working

PAGE = {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css",
    "draw.js": "text/javascript",
    "views.js": "text/javascript",
    "pad.js": "text/javascript",
    "app.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
MOST_JOBS = 6  # at a time
SPARE = 3  # beyond them, for reading what is typed
PATIENCE = 10  # seconds for a request to come
WAIT = 0.1  # seconds between looks at whether somebody still waits
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Slot:
    """A job that runs, or is about to."""


class Explorer:
    """Who may ask, and what is answered.

    Args:
        token: the secret in the address that was printed.
        port: of this machine's own address.
    """

    def __init__(self, token: str, port: int) -> None:
        self.token, self.cookie = token, f"depthsep-{port}"
        self.slots: set[Slot] = set()
        names = ("127.0.0.1", "localhost")
        self.hosts = {f"{name}:{port}" for name in names}
        self.origins = {f"http://{host}" for host in self.hosts}

    def refused(self, request: Request) -> Response | None:
        """Why a request is not answered; None if it is."""
        if request.headers.get("host", "") not in self.hosts:
            return _no(
                "the request is not addressed to the explorer; open the "
                "address that `depthsep explore` printed"
            )
        origin = request.headers.get("origin")
        if origin is not None and origin not in self.origins:
            return _no(
                "this request comes from another page; only requests "
                "from the page of the explorer are answered"
            )
        given = request.cookies.get(self.cookie, "")
        if not compare_digest(given.encode(), self.token.encode()):
            return _no(
                "the page has no valid token; open the address that "
                "`depthsep explore` printed"
            )
        return None

    async def page(self, request: Request) -> Response:
        """The page's files; the address with the token gets a cookie first."""
        given = request.query_params.get("token")
        name = request.path_params.get("name", "index.html")
        known = request.headers.get("host", "") in self.hosts
        if known and given and compare_digest(given.encode(), self.token.encode()):
            rest = request.url.remove_query_params("token").query
            answer = RedirectResponse("/?" + rest if rest else "/", 303, HEADERS)
            answer.set_cookie(
                self.cookie, self.token, httponly=True, samesite="strict", path="/"
            )
            return answer
        if no := self.refused(request):
            return no
        if name not in PAGE:
            return _no("there is no such file", 404)
        body = files("depthsep.explore").joinpath("page", name).read_bytes()
        return Response(body, 200, HEADERS, PAGE[name])

    async def job(self, request: Request) -> Response:
        """The events of a job, a line each, until it ends or nobody reads them."""
        if no := self.refused(request):
            return no
        name = request.path_params["name"]
        if request.headers.get("content-type") != "application/json":
            return _no("the request is not application/json; send JSON", 415)
        if name not in JOBS:
            return _no("there is no such job", 404)
        if len(self.slots) >= MOST_JOBS + (SPARE if name == "check" else 0):
            return _no(
                "too many computations are running; stop one of them, or wait", 429
            )
        slot = Slot()  # taken before anything is waited for
        self.slots.add(slot)
        events = None
        try:
            state = read_state(await _body(request))
            events = self.events(name, state, request, slot)
            finalize(events, self.slots.discard, slot)  # also where it never began
        except HypothesisError as error:
            return _no(str(error), 400)
        except (ClientDisconnect, TimeoutError):
            return _no("the request is incomplete", 408)
        finally:
            if events is None:
                self.slots.discard(slot)
        assert events is not None
        return StreamingResponse(events, 200, HEADERS, "application/x-ndjson")

    async def events(
        self, name: str, state: State, request: Request, slot: Slot
    ) -> AsyncIterator[bytes]:
        """Lines of JSON from the process that works."""
        try:
            with working(name, state) as (process, out):
                while True:
                    line = await asyncio.to_thread(_next, out)
                    if line is None and await request.is_disconnected():
                        return
                    if line:
                        yield line + b"\n"
                    if line == b"":
                        break
                process.join(WAIT)
                if process.exitcode is not None and process.exitcode < 0:
                    words = (
                        "the computation was stopped, probably because "
                        "it took too much time or memory"
                    )
                    yield msgspec.json.encode({"error": words}) + b"\n"
        finally:
            self.slots.discard(slot)


async def _body(request: Request) -> bytes:
    """What was sent, if it is small and comes soon."""
    body = b""
    async with asyncio.timeout(PATIENCE):
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise HypothesisError(
                    f"the request is too long; at most {MOST_BYTES} bytes are allowed"
                )
    return body


def _next(out: Connection) -> bytes | None:
    """The next event; b"" at the end, None if there is none yet."""
    try:
        return out.recv_bytes() if out.poll(WAIT) else None
    except EOFError:
        return b""


def _no(words: str, status: int = 403) -> Response:
    return PlainTextResponse(words + "\n", status, HEADERS)


def make_server(token: str, port: int) -> Starlette:
    """The application, for one token and the port it is served at."""
    explorer = Explorer(token, port)
    app = Starlette(
        routes=[
            Route("/", explorer.page),
            Route("/{name:str}", explorer.page),
            Route("/api/{name:str}", explorer.job, methods=["POST"]),
        ]
    )
    app.router.redirect_slashes = False
    return app
