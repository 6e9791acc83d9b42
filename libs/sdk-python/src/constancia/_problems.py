"""What goes wrong: an answer that reports a problem, and one that is not what the API describes."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Union

import httpx

from ._models import FieldError, parsed
from .problem_slugs import ProblemSlug


class ApiProblem(Exception):
    """The service did not do what it was asked to, and says why (RFC 9457).

    `slug` says which problem it is; docs/reference/problems.md says what to do about each. It is None when something
    between here and the service answered, such as a proxy.
    """

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.status: int = response.status_code
        self.problem: Dict[str, Any] = _problem_in(response)
        """All members of the problem."""
        kind = self.problem.get("type")
        self.slug: Union[ProblemSlug, str, None] = kind.rsplit("/", 1)[-1] if isinstance(kind, str) else None
        self.title: str = str(self.problem.get("title") or response.reason_phrase or "Problem")
        self.detail: str = str(self.problem.get("detail") or "")
        self.request_id: Union[str, None] = self.problem.get("request_id") or response.headers.get("x-request-id")
        self.errors: List[FieldError] = _errors_of(self.problem)
        """Of a `validation-error`: each member that is wrong."""
        super().__init__(f"{self.title}: {self.detail} (status {self.status}, request {self.request_id})")


class UnexpectedAnswer(Exception):
    """A successful answer is not what this release of the client expects. What was asked for has been done."""

    def __init__(self, response: httpx.Response, reason: str) -> None:
        self.response = response
        request_id = response.headers.get("x-request-id")
        super().__init__(f"the answer {response.status_code} (request {request_id}) cannot be read: {reason}")


def _problem_in(response: httpx.Response) -> Dict[str, Any]:
    if not response.headers.get("content-type", "").startswith("application/problem+json"):
        return {}
    try:
        problem = json.loads(response.content)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _errors_of(problem: Dict[str, Any]) -> List[FieldError]:
    try:
        errors: List[FieldError] = parsed(List[FieldError], problem.get("errors", []))
    except ValueError:
        return []
    return errors
