"""Deliveries that the packages for Python and for TypeScript have to judge alike."""

import json
import unittest
from pathlib import Path
from typing import Any, cast

from runward.webhooks import WebhookVerificationError, sign, verify

vectors: list[Any] = json.loads(Path(__file__).with_name("webhook-vectors.json").read_text(encoding="utf-8"))


class Webhooks(unittest.TestCase):
    def test_verify_accepts_and_rejects_the_shared_deliveries(self) -> None:
        for vector in vectors:
            with self.subTest(vector["name"]):
                found = None
                try:
                    event = verify(
                        vector["body"].encode(),
                        vector["headers"],
                        vector["secrets"],
                        tolerance=vector["tolerance"],
                        now=vector["now"],
                    )
                    self.assertEqual(event, json.loads(vector["body"]))
                except WebhookVerificationError as error:
                    found = error.code
                self.assertEqual(found, vector["code"])

    def test_sign_makes_headers_that_verify_accepts_now(self) -> None:
        body = vectors[0]["body"]
        self.assertEqual(verify(body, sign(body, "a secret"), "a secret")["event"], "run.completed")

    def test_sign_agrees_with_openssl(self) -> None:
        # printf '1772359200.{}' | openssl dgst -sha256 -hmac secret
        self.assertEqual(
            sign("{}", "secret", timestamp=1_772_359_200)["x-flow-signature"],
            "265b1787fe7d1131318141a655f4f29be31c669d231a72d573ea9dc0ee8cfa30",
        )

    def test_verify_rejects_a_parsed_body(self) -> None:
        with self.assertRaises(WebhookVerificationError) as caught:
            verify(cast(Any, {"event": "run.completed"}), {}, "a secret")
        self.assertEqual(caught.exception.code, "body_not_raw")

    def test_verify_rejects_options_that_are_no_numbers(self) -> None:
        for tolerance in (-1, float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                verify("{}", {}, "a secret", tolerance=tolerance)
        with self.assertRaises(ValueError):
            verify("{}", {}, "a secret", now=float("nan"))
