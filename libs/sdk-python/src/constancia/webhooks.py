"""Checks that a delivery was signed with the webhook secret, and reads its event."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, List, Protocol, Sequence, Tuple, Union

from ._models import Event, parsed
from .events import EVENT_CLASSES

SECRET_PREFIX = "whsec_"
MAX_SIGNATURES = 16

OneOrMore = Union[str, Sequence[Union[str, None]], None]
"""One or, while a rotation is under way, several values. What a variable of the environment lacks is None."""


class WebhookRejected(Exception):
    """A delivery that must not be trusted. Answer it with 400 and do nothing else."""


class MissingSignature(WebhookRejected):
    """A header that a signed delivery carries is missing."""


class MalformedDelivery(WebhookRejected):
    """A header is there but does not have the form of a signature, or the signed body is not an event."""


class SignatureMismatch(WebhookRejected):
    """No signature was made with any of the secrets over this body."""


class TimestampOutOfTolerance(WebhookRejected):
    """Signed too long ago, or in the future: perhaps a recorded delivery sent again by a stranger."""


class DeliveryHeaders(Protocol):
    """The headers of a request: a dict, or what a framework has for them. Names in any case."""

    def items(self) -> Iterable[Tuple[Any, Any]]: ...


def verify_service_signature(raw_body: bytes | str, header: OneOrMore, secret: OneOrMore) -> Event:
    """Verifies `X-Service-Signature`: `sha256=` and the hex HMAC-SHA256 of the raw body, the key being the whole webhook
    secret as UTF-8. Compares in constant time. Answers the event; raises a WebhookRejected otherwise.

    raw_body: the bytes as received, before any JSON parser.
    header: the header's value; during a rotation also that of X-Service-Signature-Previous, as a list.
    secret: the webhook secret, or the new and the former one.
    """
    body = _bytes(raw_body)
    values = _list(header)
    if not values:
        raise MissingSignature("X-Service-Signature is missing.")
    matches = [re.fullmatch("sha256=([0-9a-fA-F]{64})", value.strip()) for value in values]
    given = [bytes.fromhex(match[1]) for match in matches if match]
    if not given:
        raise MalformedDelivery("X-Service-Signature is not sha256=<64 hex digits>.")
    _require_match(given, [hmac.digest(key.encode(), body, hashlib.sha256) for key in _list(secret)])
    return _event_in(body)


def verify_standard_webhook(
    raw_body: bytes | str,
    headers: DeliveryHeaders,
    secret: OneOrMore,
    *,
    tolerance_seconds: float = 300,
    now_seconds: float | None = None,
) -> Event:
    """Verifies a delivery by Standard Webhooks 1.0.0: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, the key
    being the base64 part of the secret, any `v1` signature of the header counting. Also refuses deliveries signed more than
    `tolerance_seconds` ago or ahead, which X-Service-Signature alone cannot. Compares in constant time. Answers the event;
    raises a WebhookRejected otherwise.
    """
    body = _bytes(raw_body)
    delivery_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signature = _header_of(headers, "webhook-signature")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise MalformedDelivery("webhook-timestamp is not a number of seconds.")
    # As text: base64 has several spellings of the same bytes.
    given = [part[3:].encode() for part in signature.split(" ")[:MAX_SIGNATURES] if part.startswith("v1,")]
    if not given:
        raise MalformedDelivery("webhook-signature carries no v1 signature.")
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    made = [base64.b64encode(hmac.digest(_standard_key(key), signed, hashlib.sha256)) for key in _list(secret)]
    _require_match(given, made)

    age = (time.time() if now_seconds is None else now_seconds) - int(timestamp)
    if abs(age) > tolerance_seconds:
        raise TimestampOutOfTolerance(
            f"The delivery was signed {round(age)} s ago; {tolerance_seconds} s are tolerated."
        )
    return _event_in(body)


def _standard_key(secret: str) -> bytes:
    text = secret.removeprefix(SECRET_PREFIX).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("The webhook secret is not whsec_ and base64.") from error


def _require_match(given: List[bytes], made: List[bytes]) -> None:
    """Compares all with all, without stopping at the first match."""
    if not made:
        raise ValueError("The webhook secret is missing: pass the whsec_… value that sign-up or its rotation returned.")
    matched = False
    for one in given:
        for other in made:
            matched = hmac.compare_digest(one, other) or matched
    if not matched:
        raise SignatureMismatch("No signature of this delivery was made with the webhook secret.")


def _event_in(body: bytes) -> Event:
    try:
        value = json.loads(body.decode("utf-8"))
    except ValueError:
        raise MalformedDelivery("The signed body is not JSON.") from None
    if not isinstance(value, dict) or not isinstance(value.get("event_id"), str):
        raise MalformedDelivery("The signed body is not an event.")
    kind = EVENT_CLASSES.get(value.get("event_type", ""), Event)
    try:
        event: Event = parsed(kind, value)
    except ValueError as error:
        raise MalformedDelivery(f"The signed body is not an event as {kind.__name__} describes it: {error}") from None
    return event


def _header_of(headers: DeliveryHeaders, name: str) -> str:
    for key, value in headers.items():
        if _string(key).lower() == name and value:
            return _string(value)
    raise MissingSignature(f"{name} is missing.")


def _string(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _bytes(value: bytes | str) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def _list(value: OneOrMore) -> List[str]:
    every = [value] if isinstance(value, str) else (value or [])
    return [one for one in every if one]
