"""HTTP for one machine: who is slow to send a request makes room for others."""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds for the headers of a request to come
MOST_WAITING = 16  # connections without a whole request; the oldest ones go first


class TimelyProtocol(H11Protocol):
    """Closes connections that do not send the headers of a request soon.

    Uvicorn bounds how long a connection rests between requests, but not how long the
    first bytes of one may wait for the others.
    """

    waiting: ClassVar[dict["TimelyProtocol", asyncio.TimerHandle]] = {}  # oldest first

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Headers are expected from now on."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """The headers, or a part of them."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect()
        else:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """It expects nothing more."""
        self._forget()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self in self.waiting:
            return
        for slow in list(self.waiting)[: len(self.waiting) + 1 - MOST_WAITING]:
            slow._close()
        self.waiting[self] = self.loop.call_later(PATIENCE, self._close)

    def _forget(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _close(self) -> None:
        self._forget()
        self.transport.abort()
