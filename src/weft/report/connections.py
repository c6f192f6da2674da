"""Connections that nobody can hold open for long: what uvicorn's protocol lacks.

uvicorn waits for a request as long as its sender likes, and answers nobody once a limit of connections is reached: a
few hundred half-sent requests, from any program on the machine, silence the explorer. Here a connection on which no
whole request head has come is closed after some seconds, and where there are too many, the one that has waited
longest makes room for the newest.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from weft.report import server


class BoundedProtocol(H11Protocol):
    """A connection whose requests come in time, of which there are only so many at once."""

    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room, and wait for a request."""
        waiting = [one for one in self.connections if isinstance(one, BoundedProtocol) and one.waits]
        if len(self.connections) >= server.MOST_CONNECTIONS and waiting:
            min(waiting, key=BoundedProtocol.waits_until).hang_up()
        super().connection_made(transport)
        self._begin_to_wait()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; the first part of the next one starts the clock anew, the others do not."""
        super().data_received(data)
        if not self.waits:
            self._stop_waiting()
        elif self._closing is None:
            self._begin_to_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        return cycle is None or cycle.response_complete is True

    def waits_until(self) -> float:
        """When it is closed at the latest, if nothing comes; of one that is kept open after an answer, soon."""
        timers = [timer.when() for timer in (self._closing, self.timeout_keep_alive_task) if timer is not None]
        return min(timers, default=0.0)

    def hang_up(self) -> None:
        """Close the connection now, whatever was about to be sent."""
        self.connections.discard(self)
        self.transport.abort()

    def _begin_to_wait(self) -> None:
        self._closing = self.loop.call_later(server.READING, self.hang_up)

    def _stop_waiting(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
