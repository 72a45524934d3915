"""A game's back end in FastAPI that keeps SKAdNetwork state for its players.

Run it beside an endpoint of your own, `skan serve --model Sources/SKANModels/mixed.json`:

    pip install fastapi httpx uvicorn
    uvicorn fastapi_service:app --port 8000

The environment may name another endpoint (ENDPOINT_URL), its key (SDK_KEY) and the file of the installs (INSTALLS).
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import httpx
from fastapi import Depends, FastAPI, Request
from libskan import Device, SQLiteStore
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


class Phone(BaseModel):
    """What the app tells of its device."""

    os_version: str
    idfv: str


class Purchase(BaseModel):
    """What the shop reports, as often as it likes."""

    order: str
    amount: float
    currency: str
    phone: Phone


async def waiting(engine: AsyncEngine, player: str) -> dict[str, Any]:
    """What each answer carries to the app: the update that it passes to Apple, if one waits."""
    update = (await engine.pending_update(player)).update
    return {"update": update and update._asdict()}


@app.post("/players/{player}/launches")
async def launch(player: str, phone: Phone, engine: AppEngine) -> dict[str, Any]:
    """Every launch of the app is a session; the first one registers the install."""
    await engine.register(player)
    await engine.update_conversion_values(player, device=Device(phone.os_version, phone.idfv))
    return await waiting(engine, player)


@app.post("/players/{player}/purchases")
async def purchase(player: str, bought: Purchase, engine: AppEngine) -> dict[str, Any]:
    """A purchase, counted once: the order's number is the event id of both calls."""
    device = Device(bought.phone.os_version, bought.phone.idfv)
    await engine.update_revenue(player, bought.amount, bought.currency, event_id=bought.order)
    await engine.update_conversion_values(player, "purchase", event_id=bought.order, device=device)
    return await waiting(engine, player)


@app.post("/players/{player}/updates/{update_id}")
async def delivered(player: str, update_id: int, engine: AppEngine) -> dict[str, Any]:
    """The app passed an update to Apple."""
    await engine.acknowledge_update(player, update_id)
    return await waiting(engine, player)
