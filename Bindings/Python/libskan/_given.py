"""Checks the hooks and models that an engine is given. Refuses unsuitable objects, saying what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from os import PathLike
from typing import Any, Callable

from ._arguments import wrong_type
from ._model import ConversionModel
from ._stores import ways_to_open

_STORE = "a store, with callable load, save and remove"
_CLOCK = "a callable without arguments that gives the seconds since 1970, as time.time"
_TRANSPORT = "a callable that takes a URL and gives the answer's body, or an object with such a get"
_MODELS = "a sequence of ConversionModel"
_DOCUMENT = "with the JSON document that a file has"

# The number of arguments of each store function, and the optional functions.
_NEEDED = {"load": 1, "save": 3, "remove": 2}
_OPTIONAL = ("load_many", "save_many", "list", "list_with_prefix")


def store_functions(store: Any) -> dict[str, Callable[..., Any]]:
    """A store's functions by name."""
    if isinstance(store, (str, bytes, PathLike)):
        raise wrong_type(store, "store", _STORE, f": open one, {ways_to_open()}")
    if isinstance(store, type):
        raise wrong_type(store, "store", _STORE, ": call it")
    functions: dict[str, Callable[..., Any]] = {}
    for name, arguments in _NEEDED.items():
        function = getattr(store, name, None)
        if not callable(function):
            raise wrong_type(store, "store", _STORE, f", which has no {'' if function is None else 'callable '}{name}")
        if not _takes(function, arguments):
            raise wrong_type(store, "store", _STORE, f", whose {name} does not take {arguments} arguments")
        functions[name] = function
    for name in _OPTIONAL:
        function = getattr(store, name, None)
        if function is None:
            continue
        if not callable(function):
            raise wrong_type(function, f"a store's {name}", "callable")
        functions[name] = function
    return functions


def clock_function(clock: Any) -> Callable[[], Any]:
    """A clock's function."""
    if not callable(clock) or not _takes(clock, 0):
        raise wrong_type(clock, "clock", _CLOCK)
    function: Callable[[], Any] = clock
    return function


def transport_function(transport: Any) -> Callable[[str], Any]:
    """A transport's function: its `get`, or the transport if it is a function itself."""
    function = getattr(transport, "get", transport)
    if not callable(function) or not _takes(function, 1):
        raise wrong_type(transport, "transport", _TRANSPORT, ", HTTPTransport() for instance")
    given: Callable[[str], Any] = function
    return given


def given_models(models: Iterable[ConversionModel], name: str = "models") -> tuple[ConversionModel, ...]:
    """The models of an engine, either for installs or for re-engagements."""
    if isinstance(models, ConversionModel):
        raise wrong_type(models, name, _MODELS, f": {name}=[model]")
    if isinstance(models, (str, bytes, PathLike, Mapping)) or not isinstance(models, Iterable):
        raise wrong_type(models, name, _MODELS, f": {name}=[ConversionModel(document)], {_DOCUMENT}")
    given = tuple(models)
    for index, model in enumerate(given):
        if not isinstance(model, ConversionModel):
            raise wrong_type(model, f"{name}[{index}]", "ConversionModel", f": ConversionModel(document), {_DOCUMENT}")
    return given


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether an object can be called with so many arguments. True if that is unknown, as for many functions in C."""
    try:
        parameters = signature(function)
    except (TypeError, ValueError):
        return True
    try:
        parameters.bind(*[None] * count)
    except TypeError:
        return False
    return True
