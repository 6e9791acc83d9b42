"""Typed clients of Constancia's three API hosts, and what a receiver of webhooks or of a sealed document checks."""

from ._call import Download
from ._models import Event, FieldError, Model, response_of
from ._pages import Page, iterate, iterate_async
from ._problems import ApiProblem, UnexpectedAnswer
from ._retries import RetryOptions
from .compliance import AsyncComplianceClient, ComplianceClient
from .platform import AsyncPlatformClient, PlatformClient
from .problem_slugs import ProblemSlug
from .sealed_document import SealedDocument, verify_sealed_document
from .signing import AsyncSigningClient, SigningClient
from .webhooks import (
    MalformedDelivery,
    MissingSignature,
    SignatureMismatch,
    TimestampOutOfTolerance,
    WebhookRejected,
    verify_service_signature,
    verify_standard_webhook,
)

__all__ = [
    "ApiProblem",
    "AsyncComplianceClient",
    "AsyncPlatformClient",
    "AsyncSigningClient",
    "ComplianceClient",
    "Download",
    "Event",
    "FieldError",
    "MalformedDelivery",
    "MissingSignature",
    "Model",
    "Page",
    "PlatformClient",
    "ProblemSlug",
    "RetryOptions",
    "SealedDocument",
    "SignatureMismatch",
    "SigningClient",
    "TimestampOutOfTolerance",
    "UnexpectedAnswer",
    "WebhookRejected",
    "iterate",
    "iterate_async",
    "response_of",
    "verify_sealed_document",
    "verify_service_signature",
    "verify_standard_webhook",
]
