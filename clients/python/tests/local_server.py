"""A server that answers with what a test prepared."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A response. A status of 0 breaks the connection."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0


@dataclass(frozen=True)
class Seen:
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@contextmanager
def answering(*answers: Answer) -> Iterator[tuple[str, list[Seen]]]:
    """Serves answers in their order, and repeats the last one. Yields the address and the requests so far."""
    seen: list[Seen] = []
    stopped = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen.append(Seen(self.command, self.path, headers, content))
            answer = answers[min(len(seen), len(answers)) - 1]
            if answer.delay > 0:
                # The client has gone by then.
                stopped.wait(answer.delay)
            if answer.status == 0 or answer.delay > 0:
                self.close_connection = True
                return
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

        def log_message(self, format: str, *args: object) -> None:
            """Prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
