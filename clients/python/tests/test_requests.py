"""Retries, keys, errors and arguments, without a service."""

import asyncio
import email.utils
import io
import json
import time
import unittest
from typing import Any
from unittest import mock

from local_server import Answer, answering

from runward import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncClient,
    Client,
    PermissionDeniedError,
    RateLimitError,
    RunwardError,
    ServerError,
    ValidationError,
)

key = "sk_live_0123456789"
run = {"id": "r", "publicId": "RUN-1"}
failed = Answer(503, {"message": "busy", "retryAfter": 0})


def client_of(url: str, **options: Any) -> Client:
    return Client(api_key=key, base_url=url, **options)


class Retries(unittest.TestCase):
    def test_a_write_is_repeated_with_the_same_key(self) -> None:
        with answering(failed, Answer(0), Answer(200, run)) as (url, seen), client_of(url) as client:
            with mock.patch("runward._retry.random.uniform", return_value=0):
                self.assertEqual(client.runs.launch({"templateId": "t"}), run)
        keys = {request.headers["idempotency-key"] for request in seen}
        self.assertEqual((len(seen), len(keys)), (3, 1))
        self.assertEqual(json.loads(seen[0].body), {"templateId": "t"})
        self.assertEqual(seen[0].headers["authorization"], f"Bearer {key}")

    def test_the_asynchronous_client_repeats_too(self) -> None:
        async def launch(url: str) -> Any:
            async with AsyncClient(api_key=key, base_url=url) as client:
                return await client.runs.launch({"templateId": "t"})

        with answering(failed, Answer(200, run)) as (url, seen):
            self.assertEqual(asyncio.run(launch(url)), run)
        self.assertEqual(len({request.headers["idempotency-key"] for request in seen}), 1)
        self.assertEqual(len(seen), 2)

    def test_a_write_without_a_key_is_repeated_only_after_429(self) -> None:
        limited = Answer(429, {"message": "slow"}, {"retry-after": "0"})
        with answering(limited, failed) as (url, seen), client_of(url, idempotency_keys=False) as client:
            with self.assertRaises(ServerError):
                client.runs.launch({"templateId": "t"})
        self.assertEqual(len(seen), 2)
        self.assertNotIn("idempotency-key", seen[0].headers)

    def test_reads_and_replacements_have_no_key_and_are_repeated(self) -> None:
        with answering(failed, Answer(200, run), failed, Answer(200, {})) as (url, seen), client_of(url) as client:
            client.runs.get("r")
            client.templates.update("t", {"name": "x"})
        self.assertEqual([request.method for request in seen], ["GET", "GET", "PUT", "PUT"])
        self.assertFalse([request for request in seen if "idempotency-key" in request.headers])

    def test_a_deletion_and_a_conditional_replacement_are_repeated_with_a_key(self) -> None:
        with answering(failed, Answer(204), failed, Answer(200, {})) as (url, seen), client_of(url) as client:
            client.templates.delete("t")
            client.templates.update("t", {"name": "x"}, if_match="3")
        keys = [request.headers["idempotency-key"] for request in seen]
        self.assertEqual((len(keys), keys[0], keys[2], len(set(keys))), (4, keys[1], keys[3], 2))

    def test_a_key_in_the_body_is_made_for_a_completion_only(self) -> None:
        with answering(failed, Answer(200, {})) as (url, seen), client_of(url) as client:
            client.execution.submit_form({"runTaskId": "t", "values": []})
            client.execution.submit_form({"runTaskId": "t", "values": [], "complete": False})
        first, second, third = (json.loads(request.body) for request in seen)
        self.assertEqual(first["idempotencyKey"], second["idempotencyKey"])
        self.assertNotIn("idempotency-key", seen[0].headers)
        self.assertNotIn("idempotencyKey", third)
        self.assertIn("idempotency-key", seen[2].headers)

    def test_the_number_of_retries_ends(self) -> None:
        with answering(failed) as (url, seen), client_of(url, max_retries=3) as client:
            with self.assertRaises(ServerError):
                client.runs.get("r")
            self.assertEqual(len(seen), 4)
            with self.assertRaises(ServerError):
                client.runs.get("r", max_retries=0)
            self.assertEqual(len(seen), 5)

    def test_a_wait_that_is_too_long_is_not_made(self) -> None:
        at = email.utils.formatdate(time.time() + 120, usegmt=True)
        limited = Answer(429, {"message": "slow"}, {"retry-after": at})
        with answering(limited) as (url, seen), client_of(url) as client:
            with self.assertRaises(RateLimitError) as caught:
                client.runs.get("r")
        self.assertEqual(len(seen), 1)
        self.assertAlmostEqual(caught.exception.retry_after or 0, 120, delta=5)

    def test_a_response_that_does_not_come_is_a_timeout(self) -> None:
        with answering(Answer(200, run, delay=5)) as (url, seen), client_of(url, max_retries=0) as client:
            with self.assertRaisesRegex(ApiTimeoutError, "GET /runs/r made no progress for 0.1 s"):
                client.runs.get("r", timeout=0.1)

    def test_a_server_that_is_not_there_is_a_connection_error(self) -> None:
        with answering(Answer(200)) as (url, _):
            pass
        with client_of(url, max_retries=0) as client, self.assertRaisesRegex(ApiConnectionError, "base_url"):
            client.runs.get("r")

    def test_a_connection_that_breaks_is_described_in_sentences(self) -> None:
        with answering(Answer(0)) as (url, _), client_of(url, max_retries=0) as client:
            with self.assertRaisesRegex(ApiConnectionError, r"failed: Server disconnected [^.]+\. Check that"):
                client.runs.get("r")


class Errors(unittest.TestCase):
    def test_an_error_has_the_details_of_the_response(self) -> None:
        body = {"error": "Bad Request", "code": "validation", "message": ["a: is wrong", "b: is missing"]}
        with answering(Answer(400, body, {"x-request-id": "q1"})) as (url, _), client_of(url) as client:
            with self.assertRaises(ValidationError) as caught:
                client.runs.launch({"templateId": "t"})
        error = caught.exception
        self.assertEqual((error.status, error.code, error.request_id), (400, "validation", "q1"))
        self.assertEqual(error.messages, ("a: is wrong", "b: is missing"))
        self.assertEqual(str(error), "POST /runs: 400 Bad Request: a: is wrong; b: is missing (request q1)")

    def test_the_missing_scope_is_read_from_the_message(self) -> None:
        refused = Answer(403, {"message": "The API key lacks the scope runs:read."})
        with answering(refused) as (url, _), client_of(url) as client:
            with self.assertRaises(PermissionDeniedError) as caught:
                client.runs.get("r")
        self.assertEqual(caught.exception.missing_scope, "runs:read")

    def test_a_page_of_a_proxy_does_not_show_the_key(self) -> None:
        page = Answer(413, f"<html>{key}</html>".encode(), {"content-type": "text/html"})
        with answering(page) as (url, _), client_of(url) as client:
            with self.assertRaisesRegex(ApiError, "<html>.redacted.</html>") as caught:
                client.runs.launch({"templateId": "t"})
        self.assertIsNone(caught.exception.code)

    def test_redirects_and_pages_are_not_taken_for_results(self) -> None:
        moved = Answer(301, {}, {"location": "https://other.example"})
        page = Answer(200, b"<html>", {"content-type": "text/html"})
        with answering(moved, page) as (url, _), client_of(url, max_retries=0) as client:
            with self.assertRaisesRegex(ApiError, "redirects to https://other.example"):
                client.runs.get("r")
            with self.assertRaisesRegex(ApiConnectionError, "not JSON but text/html"):
                client.runs.get("r")
            with self.assertRaisesRegex(ApiConnectionError, "not text/csv but text/html"):
                client.runs.export_csv()


class Arguments(unittest.TestCase):
    def test_query_and_path_are_encoded(self) -> None:
        with (
            answering(Answer(200, {"data": [], "nextCursor": None})) as (url, seen),
            client_of(f"{url}/api/") as client,
        ):
            client.runs.list(statuses=["RUNNING", "OVERDUE"], archived=True, search="a&b", limit=5).first()
            client.runs.get("a/b c")
            client.analytics.summary(from_="2026-01-01")
        self.assertEqual(seen[0].path, "/api/runs?statuses=RUNNING%2COVERDUE&search=a%26b&archived=true&limit=5")
        self.assertEqual(seen[1].path, "/api/runs/a%2Fb%20c")
        self.assertRegex(seen[2].path, r"\?from=2026-01-01$")

    def test_versions_and_ages_are_sent_in_headers(self) -> None:
        with answering(Answer(200, run)) as (url, seen), client_of(url) as client:
            client.runs.cancel("r", if_match="v7", headers={"X-Trace": "1"})
            client.runs.list(max_stale=5).first()
        self.assertEqual(seen[1].headers["cache-control"], "max-stale=5")
        self.assertEqual((seen[0].headers["if-match"], seen[0].headers["x-trace"]), ('"v7"', "1"))

    def test_wrong_arguments_and_options_are_rejected_before_a_request(self) -> None:
        with answering(Answer(200)) as (url, seen), client_of(url) as client:
            for wrong in ("", ".", ".."):
                with self.assertRaisesRegex(RunwardError, "runs.get: `runId` must be"):
                    client.runs.get(wrong)
            with self.assertRaisesRegex(RunwardError, "if_match"):
                client.runs.cancel("r", if_match="a b")
            with self.assertRaisesRegex(RunwardError, "idempotency_key"):
                client.runs.cancel("r", idempotency_key="ü")
            with self.assertRaisesRegex(RunwardError, "limit"):
                client.runs.list().to_list(limit=0)
            with self.assertRaisesRegex(RunwardError, "slash"):
                client.request("GET", "runs")
            untyped: Any = client
            with self.assertRaisesRegex(TypeError, r"runs.list\(\) got an unexpected keyword argument 'templateId'"):
                untyped.runs.list(templateId="t").to_list(limit=1)
        self.assertEqual(seen, [])
        options: list[dict[str, Any]] = [
            {"base_url": "ftp://x"},
            {"base_url": "http://u:p@x"},
            {"timeout": 0},
            {"max_retries": -1},
        ]
        for option in options:
            with self.assertRaisesRegex(RunwardError, next(iter(option))):
                Client(**option)

    def test_a_file_that_is_neither_bytes_nor_a_path_is_rejected_before_a_request(self) -> None:
        wrong: list[Any] = ["contract.pdf", "ab", io.BytesIO(b"one line"), io.BytesIO(b"two\nlines"), bytearray(b"ab")]
        wrong += [("a.pdf", "text"), ("a.pdf", io.BytesIO(b"content")), None]
        with answering(Answer(200)) as (url, seen), client_of(url) as client:
            for file in wrong:
                with self.subTest(file=file), self.assertRaisesRegex(RunwardError, "`file` must be bytes, a Path"):
                    client.files.upload("e", "f", file)
        self.assertEqual(seen, [])

    def test_no_error_and_no_text_of_a_client_shows_the_key(self) -> None:
        with self.assertRaises(RunwardError) as caught:
            Client(api_key="secret-of-another-system")
        self.assertNotIn("secret-of", str(caught.exception))
        with client_of("http://127.0.0.1:9") as client:
            self.assertNotIn(key, repr(client) + repr(vars(client._caller)))

    def test_a_call_without_a_key_says_where_to_set_it(self) -> None:
        with mock.patch.dict("os.environ", {"RUNWARD_API_KEY": ""}), Client() as client:
            with self.assertRaisesRegex(RunwardError, "RUNWARD_API_KEY"):
                client.runs.get("r")

    def test_public_endpoints_and_other_paths_need_no_key(self) -> None:
        with mock.patch.dict("os.environ", {"RUNWARD_API_KEY": ""}), answering(Answer(200, {})) as (url, seen):
            with Client(base_url=url) as client:
                client.health.live()
                client.request("POST", "/auth/login", body={})
                with self.assertRaisesRegex(RunwardError, "GET request has no body"):
                    client.request("GET", "/runs", body={})
        self.assertEqual(len(seen), 2)
        for request in seen:
            self.assertFalse({"authorization", "idempotency-key"} & request.headers.keys())

    def test_a_cursor_that_does_not_move_ends_the_list(self) -> None:
        page = Answer(200, {"data": [run], "nextCursor": "c"})
        with answering(page) as (url, seen), client_of(url) as client:
            with self.assertRaisesRegex(RunwardError, "same cursor"):
                list(client.runs.list())
            self.assertEqual(len(seen), 2)
            self.assertEqual(client.runs.list().to_list(limit=1), [run])
            self.assertEqual(len(seen), 3)
