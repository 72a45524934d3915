"""Every call on an install."""

from typing import Callable

from libskan import CallResult, Engine

CALLS: list[Callable[[Engine, str], object]] = [
    lambda engine, install: engine.register(install),
    lambda engine, install: engine.update_revenue(install, 1, "USD"),
    lambda engine, install: engine.conversion_request(install),
    lambda engine, install: engine.apply_response(install, 0, b""),
    lambda engine, install: engine.update_conversion_values(install),
    lambda engine, install: engine.pending_calls(install),
    lambda engine, install: engine.pending_calls_json(install),
    lambda engine, install: engine.acknowledge_calls(install, [(1, CallResult.DELIVERED)]),
    lambda engine, install: engine.details(install),
    lambda engine, install: engine.metadata(install),
    lambda engine, install: engine.import_details(install, "{}"),
    lambda engine, install: engine.forget(install),
]
