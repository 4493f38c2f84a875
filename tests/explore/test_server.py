"""The server answers its own page on this machine and nobody else."""

import http.client
import json
import socket
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from depthsep import HypothesisError
from depthsep.explore import JOBS
from depthsep.explore._state import MOST_BYTES, State, read_state


class Client:
    """Requests to an explorer, with its cookie."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.port = parts.port
        self.token = parse_qs(parts.query)["token"][0]
        self.own = {"Cookie": f"depthsep-{self.port}={self.token}"}

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def job(self, name, **state):
        sent = {"Content-Type": "application/json", **self.own}
        code, _, body = self.ask("POST", f"/api/{name}", json.dumps(state), **sent)
        assert code == 200, body
        return [json.loads(line) for line in body.splitlines()]


@pytest.fixture(scope="module")
def client(explorer):
    return Client(explorer)


def test_the_address_gives_a_cookie_that_other_sites_cannot_use(client):
    code, headers, _ = client.ask("GET", f"/?view=kernel&token={client.token}")
    assert code == 303 and headers["location"] == "/?view=kernel"
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


@pytest.mark.parametrize("path", ["/", "/app.js", "/?token=", "/?token=x"])
def test_nothing_is_shown_without_the_token(client, path):
    code, _, body = client.ask("GET", path)
    assert code == 403 and b"printed" in body


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Host": "example.org"},
        {"Host": "127.0.0.1.example.org"},
    ],
)
def test_other_origins_and_names_are_refused(client, headers):
    sent = {"Content-Type": "application/json", **client.own, **headers}
    assert client.ask("POST", "/api/check", "{}", **sent)[0] == 403
    assert client.ask("GET", "/", **client.own, **headers)[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../_server.py",
        "/%2e%2e%2f_server.py",
        "/..%2f..%2fpyproject.toml",
        "//etc/passwd",
        "/index.html/",
        "/page",
    ],
)
def test_only_the_files_of_the_page_are_served(client, path):
    assert client.ask("GET", path, **client.own)[0] in (307, 404)


def test_a_request_is_json_and_small(client):
    sent = {"Content-Type": "application/json", **client.own}
    text = {"Content-Type": "text/plain", **client.own}
    assert client.ask("POST", "/api/check", "{}", **text)[0] == 415
    assert client.ask("POST", "/api/eval", "{}", **sent)[0] == 404
    long = json.dumps({"target": "x" * MOST_BYTES})
    assert client.ask("POST", "/api/check", long, **sent)[0] == 400
    assert client.ask("GET", "/api/check", **client.own)[0] in (404, 405)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"target": "expr:__import__('os').system('true')"}, "is not"),
        ({"target": "expr:x" + "+x" * 5000}, "8000 characters"),
        ({"target": "expr:1/x"}, "defined"),
        ({"target": "expr:x**x**x**x", "on": "2,3"}, ""),
        ({"accuracy": "-1"}, "accuracy"),
        ({"accuracy": "1e-99999999"}, ""),
        ({"norm": "l7"}, "norm"),
    ],
)
def test_what_cannot_be_read_is_one_line(client, state, words):
    *_, last = client.job("table", **state)
    assert words in last["error"] and "\n" not in last["error"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"dept": 3}',
        b'{"depth": 1e9}',
        b'{"depth": 99}',
        b'{"depths": [2, 99]}',
        b'{"depths": [5, 3]}',
        b'{"width": 5000}',
        b'{"seconds": 3600}',
        b'{"at": 2}',
    ],
)
def test_states_are_read_strictly(body):
    with pytest.raises(HypothesisError):
        read_state(body)


def test_rows_come_as_they_are_made_and_are_those_of_separate(client):
    from depthsep import Problem, separate

    first, *rows, last = client.job("table", accuracy="1e-4", depths=[2, 4])
    assert "1e-4" in first["words"] and last == {"done": True}
    table = separate(Problem("square", accuracy="1e-4"), depths=range(2, 5))
    assert [r["row"] for r in rows] == table.to_json()["rows"]


@pytest.mark.slow
def test_a_job_that_nobody_waits_for_is_ended(client):
    state = json.dumps({"target": "expr:sin(300*x)", "accuracy": "1e-6"})
    sent = {"Content-Type": "application/json", **client.own}
    for _ in range(7):  # more than may run at a time
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
        connection.request("POST", "/api/table", state, sent)
        answer = connection.getresponse()
        assert answer.status == 200
        answer.close()
        connection.close()
        time.sleep(0.3)
    assert client.job("check")[0]["words"].startswith("x^2")


def test_too_many_jobs_are_refused(client):
    state = json.dumps({"target": "expr:sin(300*x)", "accuracy": "1e-6"})
    sent = {"Content-Type": "application/json", **client.own}
    waiting = []
    for _ in range(6):
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
        connection.request("POST", "/api/table", state, sent)
        waiting.append((connection, connection.getresponse()))
    assert client.ask("POST", "/api/table", "{}", **sent)[0] == 429
    assert client.ask("POST", "/api/check", "{}", **sent)[0] == 200
    for connection, answer in waiting:
        answer.close()
        connection.close()
    until = time.monotonic() + 20
    while client.ask("POST", "/api/table", "{}", **sent)[0] == 429:
        assert time.monotonic() < until
        time.sleep(0.2)


def test_the_headers_forbid_everything_from_elsewhere(client):
    code, headers, body = client.ask("GET", "/", **client.own)
    rules = headers["content-security-policy"]
    assert code == 200 and "default-src 'none'" in rules and "unsafe" not in rules
    assert b"http://" not in body and b"https://" not in body


def test_every_job_exists_and_commands_are_quoted():
    from depthsep.explore._jobs import job_named

    assert all(callable(job_named(name)) for name in JOBS)
    state = State(target="expr:sin(x); rm -rf /", on="-1,1")
    assert (
        "'expr:sin(x); rm -rf /'" in state.command() and "--on=-1,1" in state.command()
    )


def half_sent(client):
    opened = socket.create_connection(("127.0.0.1", client.port), timeout=60)
    opened.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    return opened


def test_half_sent_requests_make_room_for_whole_ones(client):
    slow = [half_sent(client) for _ in range(100)]
    try:
        for _ in range(3):
            assert client.ask("GET", "/", **client.own)[0] == 200
            assert client.job("check", target="square")[0]["words"]
    finally:
        for opened in slow:
            opened.close()


@pytest.mark.slow
def test_headers_come_soon_or_the_connection_ends(client):
    opened = half_sent(client)
    try:
        started = time.monotonic()
        opened.settimeout(60)
        try:
            rest = opened.recv(100)
        except ConnectionResetError:
            rest = b""
        assert rest == b"" and time.monotonic() - started < 30
    finally:
        opened.close()
