from __future__ import annotations

import datetime as dt
import unittest
from email.message import Message
from typing import Any, Callable

from constancia import Event, WebhookRejected, verify_service_signature, verify_standard_webhook
from constancia.events import SubjectVerified

from vectors import vectors

DELIVERIES = vectors("webhooks.json")


def _outcome(verify: Callable[[], Event]) -> str:
    try:
        verify()
    except WebhookRejected as error:
        return type(error).__name__
    return "accepted"


def _standard(one: dict[str, Any], headers: Any = None) -> Event:
    given = one["headers"] if headers is None else headers
    return verify_standard_webhook(one["body"].encode(), given, one["secret"], now_seconds=one["now_seconds"])


def _service(one: dict[str, Any]) -> Event:
    names = ("X-Service-Signature", "X-Service-Signature-Previous")
    return verify_service_signature(one["body"], [one["headers"].get(name) for name in names], one["secret"])


class Webhooks(unittest.TestCase):
    def test_the_vectors_of_both_clients(self) -> None:
        self.assertGreater(len(DELIVERIES), 15)
        for one in DELIVERIES:
            with self.subTest(one["name"]):
                self.assertEqual(_outcome(lambda: _standard(one)), one["standard"])
                self.assertEqual(_outcome(lambda: _service(one)), one["service"])

    def test_an_event_is_of_the_class_of_its_type(self) -> None:
        known, unknown = _standard(DELIVERIES[0]), _standard(DELIVERIES[1])
        match known:
            case SubjectVerified():
                self.assertEqual(known.payload.external_ref, "Peña → 417")
                self.assertEqual(known.payload.subject_age_years, 35)
            case _:
                self.fail(f"{type(known)}")
        self.assertEqual(known.occurred_at, dt.datetime(2026, 11, 27, 12, tzinfo=dt.timezone.utc))
        self.assertEqual((type(unknown), unknown.event_type), (Event, "subject.celebrated"))
        self.assertEqual(unknown.payload, {"cake": True})

    def test_headers_may_be_those_of_the_standard_library_or_of_asgi(self) -> None:
        message = Message()
        for name, value in DELIVERIES[0]["headers"].items():
            message[name.upper()] = value
        asgi = {name.lower().encode(): value.encode() for name, value in DELIVERIES[0]["headers"].items()}
        for headers in (message, asgi):
            self.assertEqual(_standard(DELIVERIES[0], headers).event_type, "subject.verified")

    def test_without_a_secret_nothing_is_accepted_and_the_receiver_learns_why(self) -> None:
        for secret in (None, "", [None]):
            with self.assertRaisesRegex(ValueError, "secret is missing"):
                _standard({**DELIVERIES[0], "secret": secret})

    def test_a_tolerance_can_be_given(self) -> None:
        late = next(one for one in DELIVERIES if one["standard"] == "TimestampOutOfTolerance")
        now, body = late["now_seconds"], late["body"]
        event = verify_standard_webhook(body, late["headers"], late["secret"], tolerance_seconds=600, now_seconds=now)
        self.assertEqual(event.event_id, late["headers"]["webhook-id"])


if __name__ == "__main__":
    unittest.main()
