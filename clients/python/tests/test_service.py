"""Calls of the service that RUNWARD_BASE_URL and RUNWARD_API_KEY name. Its organization should be empty."""

import asyncio
import os
import tempfile
import unittest
from pathlib import Path

from runward import AsyncClient, Client, NotFoundError, PreconditionFailedError, ValidationError


@unittest.skipUnless(os.environ.get("RUNWARD_API_KEY"), "RUNWARD_API_KEY is not set")
class Service(unittest.TestCase):
    client: Client
    template_id: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = Client()
        template = cls.client.templates.create({"name": "Contract"})
        cls.template_id = template["id"]
        task = cls.client.templates.tasks.create(cls.template_id, {"title": "Sign"})
        cls.client.templates.fields.create(
            cls.template_id, task["id"], {"key": "signed_on", "label": "Signed on", "type": "DATE"}
        )
        cls.client.templates.fields.create(
            cls.template_id, task["id"], {"key": "contract", "label": "Contract", "type": "FILE_UPLOAD"}
        )
        cls.client.templates.publish(cls.template_id)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()

    def field_id(self, key: str) -> str:
        fields = self.client.templates.published_fields(self.template_id)
        return next(field["runTaskFieldId"] for field in fields if field["key"] == key)

    def launch(self, title: str) -> str:
        return self.client.runs.launch({"templateId": self.template_id, "title": title})["id"]

    def test_a_key_is_described(self) -> None:
        caller = self.client.me.get()
        assert caller["type"] == "API_KEY"
        self.assertIn("runs:execute", caller["apiKey"]["scopes"])

    def test_a_form_completes_a_run(self) -> None:
        run_id = self.launch("Größe")
        (task,) = self.client.runs.get(run_id)["tasks"]
        with self.assertRaises(ValidationError) as caught:
            self.client.execution.submit_form(
                {
                    "runTaskId": task["runTaskId"],
                    "values": [{"runTaskFieldId": self.field_id("signed_on"), "value": "soon"}],
                }
            )
        self.assertIsNotNone(caught.exception.code)
        self.client.execution.submit_form(
            {
                "runTaskId": task["runTaskId"],
                "values": [{"runTaskFieldId": self.field_id("signed_on"), "value": "2027-01-04"}],
            }
        )
        self.assertEqual(self.client.runs.get(run_id)["status"], "COMPLETED")

    def test_a_list_is_iterated_over_all_pages(self) -> None:
        ids = [self.launch(f"Paged {number}") for number in range(5)]
        runs = self.client.runs.list(search="paged", limit=2)
        self.assertEqual([run["id"] for run in runs], ids[::-1])
        self.assertEqual([len(page["data"]) for page in runs.pages()], [2, 2, 1])
        self.assertEqual(runs.first()["total"], 5)
        self.assertEqual(len(runs.to_list(limit=3)), 3)

    def test_a_run_that_does_not_exist_is_not_found(self) -> None:
        with self.assertRaises(NotFoundError):
            self.client.runs.get("01900000-0000-7000-8000-000000000001")

    def test_a_write_with_an_old_version_changes_nothing(self) -> None:
        run_id = self.launch("Versioned")
        version = self.client.runs.get(run_id)["version"]
        self.client.runs.update(run_id, {"title": "Changed"}, if_match=version)
        with self.assertRaises(PreconditionFailedError):
            self.client.runs.update(run_id, {"title": "Changed again"}, if_match=version)
        self.assertEqual(self.client.runs.get(run_id)["title"], "Changed")

    def test_a_repeated_key_launches_one_run(self) -> None:
        first, second = (
            self.client.runs.launch({"templateId": self.template_id}, idempotency_key="python-1") for _ in range(2)
        )
        self.assertEqual(first["id"], second["id"])

    def test_an_export_is_downloaded(self) -> None:
        self.launch("Exported")
        with self.client.runs.export_csv(search="exported") as download:
            self.assertRegex(download.file_name, r"^\S+\.csv$")
            lines = download.read().decode("utf-8-sig").strip().split("\r\n")
        self.assertEqual(len(lines), 2)

    def test_files_of_any_size_are_uploaded_and_downloaded(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            # The name says another type than the content has.
            large = Path(folder, "large.pdf")
            large.write_bytes(b"0123456789abcde\n" * 600_000)
            for name, file, size in (("a b.txt", ("a b.txt", b"hello"), 5), ("large.pdf", large, 9_600_000)):
                (task,) = self.client.runs.get(self.launch(name))["tasks"]
                entry = self.client.execution.open({"runTaskId": task["runTaskId"]})
                attached = self.client.files.upload(entry["id"], self.field_id("contract"), file)
                self.assertEqual((attached["fileName"], attached["size"]), (name, size))
                copy = Path(folder, f"copy of {name}")
                download = self.client.files.download(attached["id"])
                self.assertEqual((download.file_name, download.size), (name, size))
                download.save(copy)
                self.assertEqual(copy.stat().st_size, size)
                with self.assertRaises(FileExistsError):
                    self.client.files.download(attached["id"]).save(copy)

    def test_any_path_can_be_requested(self) -> None:
        page = self.client.request("GET", "/templates", query={"limit": 1})
        self.assertEqual(len(page["data"]), 1)
        self.assertIsNone(
            self.client.request("DELETE", f"/templates/{self.client.templates.create({'name': 'X'})['id']}")
        )

    def test_the_asynchronous_client_does_the_same(self) -> None:
        ids = [self.launch(f"Async {number}") for number in range(3)]

        async def read() -> None:
            async with AsyncClient() as client:
                runs = client.runs.list(search="async", limit=2)
                self.assertEqual([run["id"] async for run in runs], ids[::-1])
                details = await asyncio.gather(*(client.runs.get(each) for each in ids))
                self.assertEqual([run["title"] for run in details], ["Async 0", "Async 1", "Async 2"])
                export = await client.runs.export_csv(search="async")
                self.assertEqual((await export.read()).count(b"\r\n"), 4)
                entry = await client.execution.open({"runTaskId": details[0]["tasks"][0]["runTaskId"]})
                attached = await client.files.upload(entry["id"], self.field_id("contract"), ("a.txt", b"hello"))
                self.assertEqual(await (await client.files.download(attached["id"])).read(), b"hello")

        asyncio.run(read())
