"""An operation as it is described once, for clients that block and for clients that await."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Generic, List, Mapping, Tuple, TypeVar, Union
from urllib.parse import quote

import httpx

from ._models import Model, json_of, parsed
from ._problems import ApiProblem, UnexpectedAnswer

T = TypeVar("T")


@dataclass(frozen=True)
class Download:
    """A file that was answered, byte for byte, and the headers that came with it."""

    content: bytes = field(repr=False)
    headers: httpx.Headers = field(repr=False)
    media_type: str


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how its answer is read: as a model, a Download, or nothing."""

    method: str
    path: str
    answer: Any
    query: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, object] = field(default_factory=dict)
    body: Union[Model, bytes, None] = None
    content_type: str = "application/json"

    def request(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        content = json_of(self.body) if isinstance(self.body, Model) else self.body
        headers: List[Tuple[bytes, bytes]] = _encoded(self.headers)
        if content is not None:
            headers.append((b"Content-Type", self.content_type.encode()))
        query: Dict[str, str] = {name: _text(value) for name, value in self.query.items() if value is not None}
        return http.build_request(self.method, self.path, params=query, headers=headers, content=content)

    def read(self, response: httpx.Response) -> T:
        """The answer. Raises ApiProblem, or UnexpectedAnswer."""
        if not response.is_success:
            raise ApiProblem(response)
        if self.answer is None or response.status_code == 204:
            return None  # type: ignore[return-value]
        if self.answer is Download:
            media_type = response.headers.get("content-type", "").split(";")[0]
            return Download(response.content, response.headers, media_type)  # type: ignore[return-value]
        try:
            answer = parsed(self.answer, json.loads(response.content))
        except ValueError as error:
            raise UnexpectedAnswer(response, str(error)) from error
        answer._response = response
        return answer  # type: ignore[no-any-return]


def segment(value: str) -> str:
    """A value as one segment of a path."""
    return quote(value, safe="")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _encoded(headers: Mapping[str, object]) -> List[Tuple[bytes, bytes]]:
    """UTF-8, which X-Actor and X-Placeholders take."""
    return [(name.encode(), _text(value).encode()) for name, value in headers.items() if value is not None]
