"""What all models share, on pydantic 1.10 and on pydantic 2."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any, List, Union

import httpx
import pydantic
from pydantic import StrictFloat, StrictInt

_pydantic: Any = pydantic  # its members depend on its version
PYDANTIC_1 = pydantic.VERSION.startswith("1.")

# Never rounded: an integer stays the integer that was sent, whatever its size, and 1.5 is no integer.
Int = StrictInt
Number = Union[StrictInt, StrictFloat]


class Model(pydantic.BaseModel):
    """An object of the API. Keeps members that this release does not know."""

    if PYDANTIC_1:

        class Config:
            extra = "allow"
            allow_population_by_field_name = True

    else:
        model_config = {"extra": "allow", "populate_by_name": True, "protected_namespaces": ()}

    _response: Any = pydantic.PrivateAttr(default=None)


class ClosedModel(Model):
    """An object that the service refuses with members that it does not know: so does this class."""

    if PYDANTIC_1:

        class Config:
            extra = "forbid"

    else:
        model_config = {"extra": "forbid"}


class FieldError(Model):
    """One of the errors of a `validation-error`."""

    pointer: str
    code: str
    detail: str


class Event(Model):
    """An event as it is delivered. Of a type that this release does not know, `payload` is a dict."""

    event_id: str
    event_type: str
    tenant_id: Union[str, None] = None
    module: Union[str, None] = None
    occurred_at: Union[dt.datetime, None] = None
    payload: Any = None


def response_of(answer: Model) -> httpx.Response:
    """The HTTP response that an answer came in: its headers (`ETag`, `X-Request-Id`), and its text as it was sent."""
    response = answer._response
    if response is None:
        raise ValueError("this model did not come as the answer of an operation")
    return response  # type: ignore[no-any-return]


def parsed(kind: Any, value: object) -> Any:
    """`value`, as json.loads read it, as a model or a union of models. Raises ValueError when it does not fit."""
    if PYDANTIC_1:
        return _pydantic.parse_obj_as(kind, value)
    return _pydantic.TypeAdapter(kind).validate_python(value)


def json_of(body: Model) -> bytes:
    """What was set, and nothing else: a member that was left out stays out, None is sent as null."""
    dump = body.dict if PYDANTIC_1 else getattr(body, "model_dump")
    members = dump(by_alias=True, exclude_unset=True)
    return json.dumps(members, default=_text, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _text(value: object) -> str:
    if isinstance(value, dt.datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        return value.astimezone(dt.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")


__all__: List[str] = ["Event", "FieldError", "Model", "response_of"]
