"""A game's back end in FastAPI that keeps SKAdNetwork state for its players.

Run it beside an endpoint of your own, `skan serve --model Sources/SKANModels/mixed.json`:

    pip install fastapi httpx uvicorn
    uvicorn fastapi_service:app --port 8000

The environment may name another endpoint (ENDPOINT_URL), its key (SDK_KEY) and the file of the installs (INSTALLS).
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Optional

import httpx
from fastapi import Depends, FastAPI, Request, Response
from libskan import CallResult, Device, SQLiteStore
from libskan.aio import AsyncEngine
from pydantic import BaseModel


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """One engine serves all requests of a worker. It is made in the worker, after any fork."""
    async with httpx.AsyncClient(timeout=4) as client:

        async def get(url: str) -> bytes:
            return (await client.get(url)).raise_for_status().content

        async with AsyncEngine(
            SQLiteStore(os.environ.get("INSTALLS", "installs.db")),
            transport=get,
            endpoint_url=os.environ.get("ENDPOINT_URL", "http://127.0.0.1:8080"),
            sdk_key=os.environ.get("SDK_KEY", "sdk_key_here"),
            bundle_id="com.example.game",
            app_version="1.2.3",
        ) as app.state.engine:
            yield


app = FastAPI(lifespan=lifespan)


def engine_of(request: Request) -> AsyncEngine:
    """The worker's engine."""
    engine: AsyncEngine = request.app.state.engine
    return engine


AppEngine = Annotated[AsyncEngine, Depends(engine_of)]


class Purchase(BaseModel):
    """What the shop reports, as often as it likes."""

    order: str
    amount: float
    currency: str
    phone: Device


async def waiting(engine: AsyncEngine, player: str, device: Optional[Device] = None) -> Response:
    """What each answer carries to the app: the calls to Apple that wait for it."""
    _, calls = await engine.pending_calls_json(player, device)
    return Response(calls, media_type="application/json")


@app.post("/players/{player}/launches")
async def launch(player: str, phone: Device, engine: AppEngine) -> Response:
    """Every launch of the app is a session; the first one registers the install."""
    await engine.register(player)
    await engine.update_conversion_values(player, device=phone)
    return await waiting(engine, player, phone)


@app.post("/players/{player}/purchases")
async def purchase(player: str, bought: Purchase, engine: AppEngine) -> Response:
    """A purchase, counted once: the order's number is its event id."""
    await engine.update_conversion_values(
        player,
        "purchase",
        event_id=bought.order,
        device=bought.phone,
        amount=bought.amount,
        currency=bought.currency,
    )
    return await waiting(engine, player, bought.phone)


@app.post("/players/{player}/results")
async def made(player: str, results: dict[int, CallResult], engine: AppEngine) -> Response:
    """The app made the calls of a list: their results, by id."""
    await engine.acknowledge_calls(player, results.items())
    return await waiting(engine, player)
