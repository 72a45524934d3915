"""A proxy between engines and a server that loses, doubles and delays requests and answers."""

import asyncio
import collections
import contextlib
import random
import threading

# What becomes of a request, and how often.
FATES = {
    "answered": 70,
    "dropped": 6,  # it never arrives
    "lost": 8,  # its answer never arrives
    "doubled": 8,  # it arrives twice at once, and one answer comes back
    "delayed": 4,  # its answer comes later than the client waits
    "late": 4,  # it arrives after the client has given up
}


class Proxy:
    """On a port of its own of loopback, and a thread of its own. Where the server is, `upstream` says: its port."""

    def __init__(self, upstream, seed):
        self.upstream = upstream
        self.fates = collections.Counter()
        self._random = random.Random(seed)
        self._under_way = set()
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def settle(self):
        """Waits until everything that is late has arrived."""
        async def settled():
            while self._under_way:
                await asyncio.wait(self._under_way)
        asyncio.run_coroutine_threadsafe(settled(), self._loop).result(60)

    async def _serve(self, reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                answer = await self._answer(head)
                if answer is None:
                    break
                writer.write(answer)
                await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()

    async def _answer(self, head):
        """What the client gets; None where its connection ends without an answer."""
        fate = self._random.choices(list(FATES), FATES.values())[0]
        self.fates[fate] += 1
        if fate == "dropped":
            return None
        if fate == "late":
            self._begin(self._ask(head, after=self._random.uniform(0.4, 1.2)))
            return None
        if fate == "doubled":
            other = self._begin(self._ask(head))
            answer = await self._ask(head)
            await asyncio.wait([other])
            return answer
        answer = await self._begin(self._ask(head))
        if fate == "delayed":
            await asyncio.sleep(self._random.uniform(0.45, 0.7))
        return None if fate == "lost" else answer

    def _begin(self, asking):
        task = self._loop.create_task(asking)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _ask(self, head, after=0.0):
        """The server's answer over a connection of its own; None where there is none."""
        await asyncio.sleep(after)
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            return None
        try:
            writer.write(head)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line.split(b":")[1]) for line in answer.split(b"\r\n")
                          if line.lower().startswith(b"content-length:"))
            return answer + await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError, StopIteration):
            return None
        finally:
            writer.close()
