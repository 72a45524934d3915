"""Engines that ask an endpoint, or that could."""

from functools import partial

from libskan import Engine
from libskan.aio import AsyncEngine

ENDPOINT = "https://skan.example.com"

new_engine = partial(Engine, endpoint_url=ENDPOINT)
new_async_engine = partial(AsyncEngine, endpoint_url=ENDPOINT)
