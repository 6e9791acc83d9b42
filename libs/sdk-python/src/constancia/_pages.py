"""Lists, item by item, whatever the pages that they come in."""

from __future__ import annotations

from typing import Any, AsyncIterator, Callable, Coroutine, Iterator, ParamSpec, Protocol, Sequence, TypeVar

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)


class Page(Protocol[T_co]):
    @property
    def data(self) -> Sequence[T_co]: ...

    @property
    def next_cursor(self) -> str | None: ...


def iterate(page: Callable[P, Page[T_co]], *args: P.args, **kwargs: P.kwargs) -> Iterator[T_co]:
    """All items of a list: `iterate(client.list_cases, status="open")`. Asks for a page when the one before is used up."""
    more: Any = kwargs
    while True:
        answer = page(*args, **more)
        yield from answer.data
        if answer.next_cursor is None:
            return
        more = {**more, "cursor": answer.next_cursor}


async def iterate_async(
    page: Callable[P, Coroutine[Any, Any, Page[T_co]]], *args: P.args, **kwargs: P.kwargs
) -> AsyncIterator[T_co]:
    """The same of a client that is awaited: `async for case in iterate_async(client.list_cases, status="open")`."""
    more: Any = kwargs
    while True:
        answer = await page(*args, **more)
        for item in answer.data:
            yield item
        if answer.next_cursor is None:
            return
        more = {**more, "cursor": answer.next_cursor}
