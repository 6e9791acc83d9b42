"""A host on loopback that gives answers in order, the last one for good, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List


@dataclass
class Answer:
    status: int = 200
    body: Any = None
    headers: Dict[str, str] = field(default_factory=dict)
    drop: bool = False


@dataclass
class Seen:
    method: str
    target: str
    headers: Dict[str, str]
    body: bytes
    at: float


@dataclass
class Host:
    url: str
    seen: List[Seen]


@contextmanager
def host(*answers: Answer) -> Iterator[Host]:
    seen: List[Seen] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            answer = answers[min(len(seen), len(answers) - 1)]
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen.append(Seen(self.command, self.path, headers, body, time.time()))
            if answer.drop:
                self.close_connection = True
                return
            raw = isinstance(answer.body, bytes)
            content = answer.body if raw else b"" if answer.body is None else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            if answer.status != 204:
                self.send_header("content-length", str(len(content)))
            self.end_headers()
            if answer.status != 204:
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Host(f"http://127.0.0.1:{server.server_port}/", seen)
    finally:
        server.shutdown()
        server.server_close()
