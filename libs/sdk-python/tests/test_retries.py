from __future__ import annotations

import time
import unittest
import uuid

import httpx
from constancia import ApiProblem, PlatformClient, RetryOptions
from constancia.platform import TopupBody

from scripted_server import Answer, Host, host

WAIT_NOT = {"retry-after": "0"}
FOUND = Answer(body={"available": 1, "held": 0})


def _read(server: Host, retries: RetryOptions | None = RetryOptions()) -> int:
    with PlatformClient(server.url, "k", retries=retries) as platform:
        return platform.show_balance().available


def _change(server: Host, key: str | None) -> int:
    """POST. Answers the status."""
    with PlatformClient(server.url, "k") as platform:
        try:
            platform.create_topup(TopupBody(amount_cop=50_000), idempotency_key=key)
        except ApiProblem as problem:
            return problem.status
    raise AssertionError("the answers of these tests are problems")


class Retries(unittest.TestCase):
    def test_waits_as_long_as_retry_after_says_and_sends_the_same_again(self) -> None:
        with host(Answer(429, {}, {"retry-after": "1"}), Answer(404, {})) as server:
            self.assertEqual(_change(server, None), 404)
        self.assertEqual(server.seen[0].body, server.seen[1].body)
        self.assertGreaterEqual(server.seen[1].at - server.seen[0].at, 0.99)

    def test_waits_until_the_reset_when_there_is_no_retry_after(self) -> None:
        reset = int(time.time()) + 1
        with host(Answer(429, {}, {"x-ratelimit-reset": str(reset)}), FOUND) as server:
            self.assertEqual(_read(server), 1)
        self.assertGreaterEqual(server.seen[1].at, reset - 0.002)

    def test_repeats_a_post_after_503_or_a_broken_connection_only_with_a_key(self) -> None:
        failures = [Answer(503, {}, WAIT_NOT), Answer(drop=True), Answer(404, {})]
        with host(*failures) as server:
            self.assertEqual(_change(server, str(uuid.uuid4())), 404)
            self.assertEqual(len(server.seen), 3)
        with host(*failures) as server:
            self.assertEqual(_change(server, None), 503)
            self.assertEqual(len(server.seen), 1)
        with host(Answer(drop=True)) as server, self.assertRaises(httpx.TransportError):
            _change(server, None)
        self.assertEqual(len(server.seen), 1)

    def test_repeats_a_read_after_a_broken_connection(self) -> None:
        with host(Answer(drop=True), FOUND) as server:
            self.assertEqual(_read(server), 1)

    def test_waits_for_a_request_with_the_same_key_but_not_for_other_conflicts(self) -> None:
        with host(Answer(409, {}, WAIT_NOT), Answer(404, {})) as server:
            self.assertEqual(_change(server, str(uuid.uuid4())), 404)
        with host(Answer(409, {})) as server:
            self.assertEqual(_change(server, str(uuid.uuid4())), 409)
            self.assertEqual(len(server.seen), 1)

    def test_gives_up_when_attempts_are_used_up_or_the_wait_is_too_long_or_retries_are_off(self) -> None:
        for wait, retries, requests in (("0", RetryOptions(attempts=3), 3), ("3600", RetryOptions(), 1), ("0", None, 1)):
            with host(Answer(429, {}, {"retry-after": wait})) as server:
                with self.assertRaises(ApiProblem) as raised:
                    _read(server, retries)
            self.assertEqual((raised.exception.status, len(server.seen)), (429, requests))


if __name__ == "__main__":
    unittest.main()
