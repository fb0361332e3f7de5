# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the Python tests share: a way to ask the service by its Unix socket, and to look at JSON."""
import http.client
import json
import socket


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=20)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        self.sock.connect(self.path)


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate properties: %s" % sorted({k for k in keys if keys.count(k) > 1}))
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=no_duplicates)


class Service:
    def __init__(self, path):
        self.connection = UnixConnection(path)

    def ask(self, method, uri, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, uri, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def ask_json(self, method, uri, body=None):
        status, headers, text = self.ask(method, uri, body)
        return status, headers, parse(text)


def walk(value, where=""):
    """All objects within a body, with their places."""
    if isinstance(value, dict):
        yield where, value
        for key, item in value.items():
            yield from walk(item, "%s/%s" % (where, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, "%s/%d" % (where, i))
