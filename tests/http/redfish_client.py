# SPDX-License-Identifier: LGPL-2.1-or-later
"""The common part of the Python tests: a way to ask the service by its Unix socket, and to look at JSON."""
import base64
import http.client
import json
import re
import socket
import time

WAIT_SECONDS = 180  # s, of a wait for what must happen: no machine is too slow for it
IDLE_SECONDS = 15  # s, after which a connection is not used again: the service closes it after 30


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=WAIT_SECONDS)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(WAIT_SECONDS)
        self.sock.connect(self.path)


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate properties: %s" % sorted({k for k in keys if keys.count(k) > 1}))
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=no_duplicates)


def links(value):
    """All "@odata.id" of a body."""
    if isinstance(value, dict):
        if isinstance(value.get("@odata.id"), str):
            yield value["@odata.id"]
        for item in value.values():
            yield from links(item)
    elif isinstance(value, list):
        for item in value:
            yield from links(item)


def basic(user, password):
    """The headers of a login by HTTP Basic."""
    token = base64.b64encode(("%s:%s" % (user, password)).encode()).decode()
    return {"Authorization": "Basic " + token}


class Service:
    """@path: of the Unix socket, or a connection; @headers: of every request"""

    def __init__(self, path, headers=None):
        self.connection = UnixConnection(path) if isinstance(path, str) else path
        self.headers = headers or {}
        self.answered = time.monotonic()

    def ask(self, method, uri, body=None, headers=None):
        headers = dict(self.headers, **(headers or {}))
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        if time.monotonic() - self.answered > IDLE_SECONDS:
            self.connection.close()
        self.connection.request(method, uri, body, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        self.answered = time.monotonic()
        return answer.status, answer.headers, text

    def ask_json(self, method, uri, body=None, headers=None):
        status, headers, text = self.ask(method, uri, body, headers)
        return status, headers, parse(text)


class PatientService(Service):
    """Reads again what a slow machine has no time for at present, as clients do."""

    def ask(self, method, uri, body=None, headers=None):
        end = time.monotonic() + WAIT_SECONDS
        while True:
            answer = super().ask(method, uri, body, headers)
            if method != "GET" or answer[0] != 503 or time.monotonic() > end:
                return answer
            time.sleep(1)


class Checks:
    """Counts what is not as it should be, and prints it."""

    def __init__(self):
        self.failures = 0

    def check(self, condition, what):
        if not condition:
            self.failures += 1
            print("FAIL: %s" % what)

    def expect(self, service, wanted, method, uri, body=None, message=None, headers=None):
        """Asks. @message: the key of a message that the answer must have. Return: headers,
        body"""
        status, got, text = service.ask(method, uri, body, headers)
        answer = parse(text) if text else {}
        shown = re.sub(rb"\s+", b" ", text)[:600]
        self.check(status == wanted, "%s %s %s: status %d instead of %d: %s" %
                   (method, uri, str(body)[:200], status, wanted, shown))
        if message:
            self.check(message in messages(answer), "%s %s %s: no %s in %s" %
                       (method, uri, str(body)[:200], message, shown))
        return got, answer

    def done(self):
        print("%d failures" % self.failures)
        return 1 if self.failures else 0


def messages(answer):
    """The messages of an answer by their keys, without the registry: their related properties."""
    found = {}
    for item in answer.get("error", answer).get("@Message.ExtendedInfo", []):
        key = item["MessageId"].rpartition(".")[2]
        found.setdefault(key, []).extend(item.get("RelatedProperties", []))
    return found


def walk(value, where=""):
    """All objects within a body, with their places."""
    if isinstance(value, dict):
        yield where, value
        for key, item in value.items():
            yield from walk(item, "%s/%s" % (where, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, "%s/%d" % (where, i))
