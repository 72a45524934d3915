"""A journey of README, "Python" and "Endpoint": the FastAPI example beside README's own endpoint, with the defaults of
both."""

import asyncio
import importlib.util
import os
import time
from contextlib import asynccontextmanager
from unittest import mock

import httpx
from libskan import CallResult
from server_tools import MIXED, ServeCase
from tools import TOP

EXAMPLE = TOP / "Bindings" / "Python" / "Examples" / "fastapi_service.py"
PHONE = {"os_version": "17.2", "idfv": "21DB6612-09B3-4ECC-84AC-B353B0AF1334"}


def loaded():
    spec = importlib.util.spec_from_file_location("fastapi_service", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.app


class FastAPI(ServeCase):
    @asynccontextmanager
    async def service(self):
        """The service while it runs, for requests to it."""
        server = self.serve("--model", MIXED, now=int(time.time()))
        settings = {"ENDPOINT_URL": server.url, "INSTALLS": str(self.file("installs.db"))}
        with mock.patch.dict(os.environ, settings):
            app = loaded()
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://game") as client,
            ):
                yield client

    async def told(self, client, path, **body):
        answer = await client.post(path, json=body)
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()["calls"]

    def test_a_player_from_first_launch_to_a_delivered_value(self):
        async def day():
            async with self.service() as client:
                first = await self.told(client, "/players/one/launches", **PHONE)
                order = {"order": "order-1", "amount": 4.99, "currency": "USD", "phone": PHONE}
                bought = await self.told(client, "/players/one/purchases", **order)
                again = await self.told(client, "/players/one/purchases", **order)
                left = await self.told(client, "/players/one/results", **{str(bought[0]["id"]): CallResult.DELIVERED})
            return first, bought, again, left

        first, bought, again, left = asyncio.run(day())
        self.assertEqual([call["framework"] for call in bought], ["SKAdNetwork"])
        self.assertEqual((first[0]["fine_value"], first[0]["coarse_value"]), (0, 0))
        self.assertEqual((bought[0]["fine_value"], bought[0]["coarse_value"]), (16, 1))
        self.assertEqual(again, bought)
        self.assertEqual(left, [])

    def test_300_purchases_at_once(self):
        async def all_at_once():
            async with self.service() as client:

                async def one(number):
                    player = f"player-{number}"
                    phone = {**PHONE, "idfv": player}
                    await self.told(client, f"/players/{player}/launches", **phone)
                    order = {"order": player, "amount": 4.99, "currency": "USD", "phone": phone}
                    return (await self.told(client, f"/players/{player}/purchases", **order))[0]["fine_value"]

                return await asyncio.gather(*map(one, range(300)))

        self.assertEqual(asyncio.run(all_at_once()), [16] * 300)
