"""When a request is sent again: the rules of libs/sdk's retryingFetch, as a function that sends nothing."""

from __future__ import annotations

import datetime as dt
import random
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
FIRST_BACKOFF_SECONDS = 0.25


@dataclass(frozen=True)
class RetryOptions:
    """How often, and how long, to wait when the service asks for it."""

    attempts: int = 4
    """Requests in all, the first included."""
    max_wait_seconds: float = 65.0
    """The longest single wait that is accepted; a longer one is left to the caller, who gets the answer."""


NO_RETRIES = RetryOptions(attempts=1)


def wait_before_next(
    options: RetryOptions, attempt: int, request: httpx.Request, outcome: httpx.Response | httpx.TransportError
) -> float | None:
    """Seconds to wait before the request is sent again; None: its outcome is final.

    - 429: always, because a refused request did nothing;
    - 503, 409 with Retry-After (the same Idempotency-Key is still at work) and a broken connection: only where a repetition
      is harmless, that is any method but POST and PATCH, or a request that carries an Idempotency-Key.
    """
    if attempt >= options.attempts:
        return None
    backoff = FIRST_BACKOFF_SECONDS * 2**attempt * (0.5 + random.random() / 2)
    if isinstance(outcome, httpx.TransportError):
        return min(options.max_wait_seconds, backoff) if _harmless(request) else None
    if not _worth_repeating(request, outcome):
        return None
    asked = _wait_asked_for(outcome)
    wait = min(options.max_wait_seconds, backoff) if asked is None else asked
    return wait if wait <= options.max_wait_seconds else None


def _harmless(request: httpx.Request) -> bool:
    return request.method in REPEATABLE or "idempotency-key" in request.headers


def _worth_repeating(request: httpx.Request, response: httpx.Response) -> bool:
    if response.status_code == 429:
        return True
    if response.status_code == 503:
        return _harmless(request)
    return response.status_code == 409 and "retry-after" in response.headers and _harmless(request)


def _wait_asked_for(response: httpx.Response) -> float | None:
    """Seconds to wait, as the answer says; None when it says nothing that can be read."""
    after = response.headers.get("retry-after")
    if after is not None:
        if re.fullmatch("[0-9]{1,9}", after):
            return float(after)
        moment = _http_date(after)
        if moment is not None:
            return max(0.0, moment - time.time())
    reset = response.headers.get("x-ratelimit-reset")
    if response.status_code == 429 and reset is not None and re.fullmatch("[0-9]{1,12}", reset):
        return max(0.0, int(reset) - time.time())
    return None


def _http_date(text: str) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.timezone.utc)).timestamp()
