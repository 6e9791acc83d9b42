"""The two kinds of clients: one blocks, one awaits. Each operation is described once, and both have it."""

from __future__ import annotations

import asyncio
import functools
import time
from itertools import count
from types import TracebackType
from typing import Any, Callable, Concatenate, Coroutine, Generic, ParamSpec, Type, TypeVar, Union, overload

import httpx

from ._call import Call
from ._retries import NO_RETRIES, RetryOptions, wait_before_next

P = ParamSpec("P")
T = TypeVar("T")
Self = TypeVar("Self", bound="SyncClient")
AsyncSelf = TypeVar("AsyncSelf", bound="AsyncClient")

TIMEOUT_SECONDS = 60.0


def _headers(api_key: str | None, bearer_token: str | None) -> dict[str, str]:
    given = {"X-API-Key": api_key, "Authorization": bearer_token and f"Bearer {bearer_token}"}
    return {name: value for name, value in given.items() if value}


class SyncClient:
    """A client whose operations block until the answer is there. A context manager; safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        bearer_token: str | None = None,
        retries: RetryOptions | None = RetryOptions(),
        timeout: float = TIMEOUT_SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """
        base_url: address of the host, for example https://api.sandbox.example.
        api_key: the tenant's key; without it only public operations answer.
        bearer_token: instead of a key, the token of a member, of a session or of a person.
        retries: how often, and how long, to wait when the service asks for it; None: never.
        timeout: seconds without a byte after which a request counts as broken.
        transport: does the sending; default the network.
        """
        self._retries = retries or NO_RETRIES
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"),
            headers=_headers(api_key, bearer_token),
            timeout=timeout,
            transport=transport,
        )

    def perform(self, call: Call[T]) -> T:
        request = call.request(self._http)
        for attempt in count(1):
            outcome: Union[httpx.Response, httpx.TransportError]
            try:
                outcome = self._http.send(request)
            except httpx.TransportError as error:
                outcome = error
            wait = wait_before_next(self._retries, attempt, request, outcome)
            if wait is None:
                return call.read(_response(outcome))
            time.sleep(wait)
        raise AssertionError

    def close(self) -> None:
        self._http.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: Type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient:
    """A client whose operations are awaited. An async context manager. Takes what SyncClient takes."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        bearer_token: str | None = None,
        retries: RetryOptions | None = RetryOptions(),
        timeout: float = TIMEOUT_SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._retries = retries or NO_RETRIES
        self._http = httpx.AsyncClient(
            base_url=base_url.rstrip("/"),
            headers=_headers(api_key, bearer_token),
            timeout=timeout,
            transport=transport,
        )

    async def perform(self, call: Call[T]) -> T:
        request = call.request(self._http)
        for attempt in count(1):
            outcome: Union[httpx.Response, httpx.TransportError]
            try:
                outcome = await self._http.send(request)
            except httpx.TransportError as error:
                outcome = error
            wait = wait_before_next(self._retries, attempt, request, outcome)
            if wait is None:
                return call.read(_response(outcome))
            await asyncio.sleep(wait)
        raise AssertionError

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self: AsyncSelf) -> AsyncSelf:
        return self

    async def __aexit__(
        self, kind: Type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _response(outcome: httpx.Response | httpx.TransportError) -> httpx.Response:
    if isinstance(outcome, httpx.TransportError):
        raise outcome
    return outcome


class operation(Generic[P, T]):
    """Makes a method of both kinds of clients from a function that describes the call."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Call[T]]) -> None:
        self._describe = describe
        functools.update_wrapper(self, describe)

    @overload
    def __get__(self, client: None, owner: type) -> operation[P, T]: ...
    @overload
    def __get__(self, client: SyncClient, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        if client is None:
            return self

        @functools.wraps(self._describe)
        def perform(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client.perform(self._describe(client, *args, **kwargs))

        return perform
