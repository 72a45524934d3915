"""The exceptions, one for each error status of skan.h."""

from typing import ClassVar

from ._status import Status

EXCEPTIONS: "dict[Status, type[SkanError]]" = {}


class SkanError(Exception):
    """The base of every exception that a call raises, except for `TypeError` and what is no `Exception`.

    Its text names the argument, field or hook at fault, what was expected and what was found, and never an SDK key. A
    call that raised one has changed nothing, except with `StoreUnknown`; an amount that came with an event stays added
    if the request after it failed.
    """

    status: ClassVar[Status]

    def __init_subclass__(cls) -> None:
        """Makes the first class with a status the one that is raised for it."""
        EXCEPTIONS.setdefault(cls.status, cls)

    @property
    def message(self) -> str:
        """The message, without the type."""
        return str(self.args[0]) if self.args else ""


class InvalidArgument(SkanError, ValueError):
    """An argument does not have the form that its method requires."""

    status = Status.INVALID_ARGUMENT


class Misuse(SkanError, RuntimeError):
    """This engine cannot make this call, or not now.

    The engine is closed or was made without a transport, the call comes from one of its own hooks, or the install's
    record is of the other protocol.
    """

    status = Status.MISUSE


class LimitExceeded(SkanError, ValueError):
    """A limit of libskan was exceeded: the currencies of a table, a total, or the size of an answer or document."""

    status = Status.LIMIT_EXCEEDED


class InvalidDocument(SkanError, ValueError):
    """An imported document, or a conversion model, breaks its rules; the message names the key or the place."""

    status = Status.INVALID_DOCUMENT


class MalformedResponse(SkanError, ValueError):
    """The endpoint's answer is not one JSON object."""

    status = Status.MALFORMED_RESPONSE


class IllegalValue(SkanError, ValueError):
    """A member of the endpoint's answer has the wrong type or is out of range."""

    status = Status.ILLEGAL_VALUE


class Rejected(SkanError):
    """The endpoint gave no value.

    The message is its reason, unchanged, or says that it gave none. If the reason is that an item of the request is
    invalid, "Conversion Management: Invalid parameter app_v given", the message also names the option that sets the
    item.
    """

    status = Status.REJECTED


class StoreError(SkanError):
    """The store failed. Every error of a store or of its records is one of these.

    An error of exactly this type says that certainly nothing was applied. A store's own methods raise it to report
    exactly that. If a store raised something else, that is the `__cause__`.
    """

    status = Status.STORE


class StoreConflict(StoreError):
    """Others changed the record before each attempt in 10 seconds; nothing was applied.

    A store's `save` and `remove` raise it when the stored version is not the expected one.
    """

    status = Status.STORE_CONFLICT


class StoreUnknown(StoreError):
    """It is unknown whether the change was applied. Repeat the call with the same event id."""

    status = Status.STORE_UNKNOWN


class CorruptRecord(StoreError):
    """The record is damaged. It is left unchanged; `Engine.forget` removes it."""

    status = Status.CORRUPT_RECORD


class RecordTooNew(StoreError):
    """The record was written by a newer libskan."""

    status = Status.RECORD_TOO_NEW


class TransportError(SkanError, OSError):
    """The transport got no answer with HTTP status 200.

    If `HTTPTransport` raises it, and not `TransportUnknown`, the endpoint has counted nothing: the request was not
    sent, or was refused. A transport may raise it with words of its own. If it raised something else, that is the
    `__cause__`.
    """

    status = Status.TRANSPORT


class TransportUnknown(TransportError):
    """The request was sent, and no answer with HTTP status 200 came: the endpoint may have counted the event.

    Repeat the call with the same event id. A transport may raise it with words of its own.
    """

    status = Status.TRANSPORT_UNKNOWN


class ModelUnknown(SkanError, LookupError):
    """The install was registered with a conversion model that this engine does not have.

    Or it was registered without a model, and this engine has models.
    """

    status = Status.MODEL_UNKNOWN


class ClockError(SkanError):
    """The clock failed, or gave an invalid time: within the second before 1970, or before the year 1.

    What a clock raised is the `__cause__`.
    """

    status = Status.CLOCK


def write_status(raised: BaseException) -> Status:
    """The status of a store's write that raised this: most exceptions leave open whether it was applied."""
    if isinstance(raised, StoreError) and raised.status in (Status.STORE, Status.STORE_CONFLICT):
        return raised.status
    return Status.STORE_UNKNOWN


def get_status(raised: BaseException) -> Status:
    """The status of a transport's get that raised this."""
    return raised.status if isinstance(raised, (LimitExceeded, TransportUnknown)) else Status.TRANSPORT
