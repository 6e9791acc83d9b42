from __future__ import annotations

import asyncio
import datetime as dt
import json
import unittest
from urllib.parse import parse_qs, urlsplit

from constancia import (
    ApiProblem,
    AsyncPlatformClient,
    ComplianceClient,
    PlatformClient,
    SigningClient,
    UnexpectedAnswer,
    iterate,
    iterate_async,
    response_of,
)
from constancia.compliance import ScreeningBody, ScreeningBodyPayload
from constancia.platform import RotatedApiKeyView, Subject, SubjectOfPerson
from constancia.signing import CreateSignatureBody
from pydantic import ValidationError

from scripted_server import Answer, Seen, host

KEY = "5f0c2f1e-63a5-4a0e-9b39-1f2d3c4b5a69"
SIGNATURE = {
    "id": "sig_1",
    "template_id": "tpl_1",
    "subject_ref": "order-1",
    "external_ref": None,
    "metadata": {},
    "status": "pending",
    "created_at": "2026-11-27T15:00:00.123Z",
    "credits_debited": 40,
    "blank_placeholders": [],
}
PROBLEM = {"content-type": "application/problem+json"}


class Requests(unittest.TestCase):
    def test_sends_the_key_and_what_was_set_of_a_body_and_reads_the_answer_as_its_model(self) -> None:
        with host(Answer(202, SIGNATURE)) as server, SigningClient(server.url, "test_key") as signing:
            body = CreateSignatureBody(template_id="tpl_1", subject_ref="order-1", merge_data={"name": "Ana Gómez"})
            answer = signing.create_signature(body, idempotency_key=KEY)
        self.assertEqual((answer.id, answer.status, answer.credits_debited), ("sig_1", "pending", 40))
        self.assertEqual(answer.created_at.isoformat(), "2026-11-27T15:00:00.123000+00:00")
        [seen] = server.seen
        self.assertEqual((seen.method, seen.target), ("POST", "/v1/signatures"))
        self.assertEqual(seen.headers["x-api-key"], "test_key")
        self.assertEqual(seen.headers["idempotency-key"], KEY)
        self.assertEqual(seen.headers["content-type"], "application/json")
        expected = {"template_id": "tpl_1", "subject_ref": "order-1", "merge_data": {"name": "Ana Gómez"}}
        self.assertEqual(json.loads(seen.body), expected)

    def test_sends_null_where_none_was_given_dates_as_dates_and_times_in_utc(self) -> None:
        bogota = dt.datetime(2026, 11, 27, 10, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
        payload = ScreeningBodyPayload(birth_date=dt.date(1990, 5, 17), full_name=None, client_since=bogota)
        naive = ScreeningBodyPayload(client_since=bogota.replace(tzinfo=None))
        with host(Answer(404, {}, PROBLEM)) as server, ComplianceClient(server.url, "k") as compliance:
            with self.assertRaises(ApiProblem):
                compliance.create_screening(ScreeningBody(subject_ref="a", subject_type="natural", payload=payload))
            with self.assertRaisesRegex(ValueError, "time zone"):
                compliance.create_screening(ScreeningBody(subject_ref="a", subject_type="natural", payload=naive))
        [seen] = server.seen
        expected = {"birth_date": "1990-05-17", "full_name": None, "client_since": "2026-11-27T15:00:00.000Z"}
        self.assertEqual(json.loads(seen.body)["payload"], expected)

    def test_a_value_stays_one_segment_of_the_path(self) -> None:
        with host(Answer(204)) as server, PlatformClient(server.url, "k") as platform:
            platform.delete_api_key("../a?b")
        self.assertEqual(server.seen[0].target, "/v1/api-keys/..%2Fa%3Fb")

    def test_sends_a_pdf_byte_for_byte_and_headers_in_utf_8(self) -> None:
        pdf = b"%PDF-1.7\n" + bytes([0, 255, 128, 13, 10])
        placeholders = json.dumps([{"key": "año", "page": 1, "x": 1, "y": 2}], ensure_ascii=False)
        with host(Answer(400, {}, PROBLEM)) as server, SigningClient(server.url, "k") as signing:
            with self.assertRaises(ApiProblem):
                signing.upload_template(pdf, code="a b", x_placeholders=placeholders)
        [seen] = server.seen
        self.assertEqual(urlsplit(seen.target).path, "/v1/templates")
        self.assertEqual(parse_qs(urlsplit(seen.target).query), {"code": ["a b"]})
        self.assertEqual(seen.headers["content-type"], "application/pdf")
        self.assertEqual(seen.headers["x-placeholders"].encode("latin-1").decode(), placeholders)
        self.assertEqual(seen.body, pdf)

    def test_needs_no_key_for_public_operations_and_sends_none(self) -> None:
        with host(Answer(body={"status": "ok"})) as server, PlatformClient(server.url) as platform:
            self.assertEqual(platform.check_liveness().status, "ok")
        self.assertNotIn("x-api-key", server.seen[0].headers)
        self.assertNotIn("content-type", server.seen[0].headers)

    def test_sends_a_token_as_a_bearer(self) -> None:
        with host(Answer(204)) as server, PlatformClient(server.url, bearer_token="mbt_1") as platform:
            platform.end_own_session("ses_1")
        self.assertEqual(server.seen[0].headers["authorization"], "Bearer mbt_1")

    def test_refuses_a_member_that_the_service_would_refuse(self) -> None:
        with self.assertRaises(ValidationError):
            CreateSignatureBody(template_id="tpl_1", subject_ref="x", merge_data={}, templat_id="y")

    def test_rounds_no_number(self) -> None:
        payload = ScreeningBodyPayload(amount=9007199254740993, subject_age=35)
        body = ScreeningBody(subject_ref="a", subject_type="natural", payload=payload)
        with host(Answer(402, {}, PROBLEM)) as server, ComplianceClient(server.url, "k") as compliance:
            with self.assertRaises(ApiProblem):
                compliance.create_screening(body)
        self.assertIn(b'"amount":9007199254740993', server.seen[0].body)
        with self.assertRaises(ValidationError):
            ScreeningBodyPayload(subject_age=35.5)


class Answers(unittest.TestCase):
    def test_keeps_values_and_members_that_this_release_does_not_know(self) -> None:
        later = {**SIGNATURE, "status": "paused", "added_later": {"a": 1}}
        with host(Answer(202, later, {"etag": '"7"'})) as server, SigningClient(server.url, "k") as signing:
            answer = signing.create_signature(CreateSignatureBody(template_id="t", subject_ref="x", merge_data={}))
        self.assertEqual(answer.status, "paused")
        self.assertEqual(getattr(answer, "added_later"), {"a": 1})
        self.assertEqual(response_of(answer).headers["etag"], '"7"')

    def test_a_problem_is_raised_with_its_slug(self) -> None:
        problem = {
            "type": "https://api.example/problems/validation-error",
            "title": "Validation failed",
            "status": 400,
            "detail": "One member is wrong.",
            "request_id": "req_12345678",
            "errors": [{"pointer": "/subject_ref", "code": "required", "detail": "It is missing."}],
        }
        with host(Answer(400, problem, PROBLEM)) as server, PlatformClient(server.url, "k") as platform:
            with self.assertRaises(ApiProblem) as raised:
                platform.show_balance()
        error = raised.exception
        self.assertEqual((error.status, error.slug, error.request_id), (400, "validation-error", "req_12345678"))
        self.assertEqual([(one.pointer, one.code) for one in error.errors], [("/subject_ref", "required")])
        self.assertIn("One member is wrong.", str(error))

    def test_what_another_machine_answers_is_a_problem_without_a_slug(self) -> None:
        html = Answer(502, b"<html>", {"content-type": "text/html"})
        with host(html) as server, PlatformClient(server.url, "k") as platform:
            with self.assertRaises(ApiProblem) as raised:
                platform.show_balance()
        self.assertEqual((raised.exception.status, raised.exception.slug), (502, None))

    def test_an_answer_that_cannot_be_read_is_told_from_a_refusal(self) -> None:
        with host(Answer(202, {"id": 1})) as server, SigningClient(server.url, "k") as signing:
            with self.assertRaises(UnexpectedAnswer) as raised:
                signing.create_signature(CreateSignatureBody(template_id="t", subject_ref="x", merge_data={}))
        self.assertEqual(raised.exception.response.status_code, 202)

    def test_a_file_comes_with_its_headers(self) -> None:
        answer = Answer(200, b"%PDF-1.7", {"content-type": "application/pdf", "x-signature": "ab12"})
        with host(answer) as server, SigningClient(server.url, "k") as signing:
            document = signing.download_signed_document("sig_1")
        self.assertEqual((document.content, document.media_type), (b"%PDF-1.7", "application/pdf"))
        self.assertEqual(document.headers["X-Signature"], "ab12")

    def test_a_list_or_its_file_is_asked_for_by_media_type(self) -> None:
        with host(Answer(200, b"a;b", {"content-type": "text/csv; charset=utf-8"})) as server:
            with PlatformClient(server.url, "k") as platform:
                file = platform.show_usage_as("text/csv", by="month")
        self.assertEqual((file.content, file.media_type), (b"a;b", "text/csv"))
        self.assertEqual(server.seen[0].headers["accept"], "text/csv")
        self.assertEqual(server.seen[0].target, "/v1/billing/usage?by=month")

    def test_one_of_several_models_is_recognised_by_its_members(self) -> None:
        subject = {
            "subject_id": "sub_1",
            "kyc_status": "approved",
            "document_type": "CC",
            "document_number_masked": "•••4321",
            "document_country": "CO",
            "full_name": "Ana Gómez",
            "birth_date": "1990-05-17",
            "age_years": 36,
            "verified_at": "2026-11-27T15:00:00.000Z",
        }
        whole = {**subject, "external_ref": "a", "restrictive_list_hits": [], "erased_at": None, "receipt_id": None}
        with host(Answer(body=subject), Answer(body=whole)) as server, PlatformClient(server.url) as platform:
            self.assertIs(type(platform.show_subject("sub_1")), SubjectOfPerson)
            self.assertIs(type(platform.show_subject("sub_1")), Subject)

    def test_secrets_are_not_part_of_what_a_log_would_show(self) -> None:
        rotated = RotatedApiKeyView(
            tenant_id="ten_1",
            api_key="sesame",
            rotated_at="2026-11-27T15:00:00.000Z",
            previous_key_expires_at="2026-11-27T15:00:00.000Z",
        )
        self.assertEqual(rotated.api_key, "sesame")
        self.assertNotIn("sesame", repr(rotated) + str(rotated))


def _page(ids: list[str], next_cursor: str | None) -> Answer:
    session = {
        "method": "passkey",
        "created_at": "2026-11-27T15:00:00.000Z",
        "last_used_at": "2026-11-27T15:00:00.000Z",
        "expires_at": "2026-11-27T15:00:00.000Z",
        "user_agent": "a",
        "ip": "192.0.2.1",
        "current": False,
    }
    return Answer(body={"data": [{"id": one, **session} for one in ids], "next_cursor": next_cursor})


PAGES = [_page(["1", "2"], "c2"), _page([], "c3"), _page(["3"], None)]
TARGETS = ["limit=2", "limit=2&cursor=c2", "limit=2&cursor=c3"]


class Pages(unittest.TestCase):
    def test_are_followed_to_the_last_with_the_same_arguments(self) -> None:
        with host(*PAGES) as server, PlatformClient(server.url, "k") as platform:
            sessions = iterate(platform.list_own_sessions, limit=2)
            self.assertEqual(next(sessions).id, "1")
            self.assertEqual(len(server.seen), 1)
            self.assertEqual([one.id for one in sessions], ["2", "3"])
        self.assertEqual(self._queries(server.seen), TARGETS)

    def test_are_followed_when_awaited(self) -> None:
        async def scenario() -> list[str]:
            async with AsyncPlatformClient(server.url, "k") as platform:
                return [one.id async for one in iterate_async(platform.list_own_sessions, limit=2)]

        with host(*PAGES) as server:
            self.assertEqual(asyncio.run(scenario()), ["1", "2", "3"])
        self.assertEqual(self._queries(server.seen), TARGETS)

    def _queries(self, seen: list[Seen]) -> list[str]:
        """cursor comes last, as the operation does not care."""
        return ["&".join(sorted(one.target.split("?")[1].split("&"), reverse=True)) for one in seen]


class Awaiting(unittest.TestCase):
    def test_has_the_same_operations_errors_and_patience(self) -> None:
        async def scenario(url: str) -> None:
            async with AsyncPlatformClient(url, "k") as platform:
                self.assertEqual((await platform.show_balance()).available, 5)
                with self.assertRaises(ApiProblem):
                    await platform.show_balance()

        busy = Answer(429, {}, {"retry-after": "0"})
        with host(busy, busy, Answer(body={"available": 5, "held": 0}), Answer(404, {}, PROBLEM)) as server:
            asyncio.run(scenario(server.url))
        self.assertEqual(len(server.seen), 4)


if __name__ == "__main__":
    unittest.main()
