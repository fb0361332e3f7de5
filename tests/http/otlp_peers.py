# SPDX-License-Identifier: LGPL-2.1-or-later
"""A collector of OpenTelemetry that injects faults, and OTLP's two encodings read by a table of its own.

The numbers and types of fields are those of opentelemetry-proto; nothing here is shared with the service.
"""
import contextlib
import http.server
import json
import re
import socket
import struct
import sys
import threading
import time

sys.dont_write_bytecode = True
from event_peers import Server  # noqa: E402

# number: (name, type, repeated); a type that is a table is a message
ANY = {1: ("stringValue", "string", False), 2: ("boolValue", "bool", False), 3: ("intValue", "int64", False),
       4: ("doubleValue", "double", False)}
KEY_VALUE = {1: ("key", "string", False), 2: ("value", ANY, False)}
RESOURCE = {1: ("attributes", KEY_VALUE, True)}
SCOPE = {1: ("name", "string", False), 2: ("version", "string", False)}
LOG_RECORD = {1: ("timeUnixNano", "fixed64", False), 2: ("severityNumber", "enum", False),
              3: ("severityText", "string", False), 5: ("body", ANY, False), 6: ("attributes", KEY_VALUE, True),
              11: ("observedTimeUnixNano", "fixed64", False), 12: ("eventName", "string", False)}
SCOPE_LOGS = {1: ("scope", SCOPE, False), 2: ("logRecords", LOG_RECORD, True), 3: ("schemaUrl", "string", False)}
RESOURCE_LOGS = {1: ("resource", RESOURCE, False), 2: ("scopeLogs", SCOPE_LOGS, True), 3: ("schemaUrl", "string", False)}
LOGS = {1: ("resourceLogs", RESOURCE_LOGS, True)}
NUMBER = {2: ("startTimeUnixNano", "fixed64", False), 3: ("timeUnixNano", "fixed64", False), 4: ("asDouble", "double", False),
          6: ("asInt", "sfixed64", False), 7: ("attributes", KEY_VALUE, True)}
BUCKETS = {2: ("startTimeUnixNano", "fixed64", False), 3: ("timeUnixNano", "fixed64", False), 4: ("count", "fixed64", False),
           5: ("sum", "double", False), 6: ("bucketCounts", "fixed64", True), 7: ("explicitBounds", "double", True),
           9: ("attributes", KEY_VALUE, True)}
GAUGE = {1: ("dataPoints", NUMBER, True)}
SUM = {1: ("dataPoints", NUMBER, True), 2: ("aggregationTemporality", "enum", False), 3: ("isMonotonic", "bool", False)}
HISTOGRAM = {1: ("dataPoints", BUCKETS, True), 2: ("aggregationTemporality", "enum", False)}
METRIC = {1: ("name", "string", False), 2: ("description", "string", False), 3: ("unit", "string", False),
          5: ("gauge", GAUGE, False), 7: ("sum", SUM, False), 9: ("histogram", HISTOGRAM, False)}
SCOPE_METRICS = {1: ("scope", SCOPE, False), 2: ("metrics", METRIC, True), 3: ("schemaUrl", "string", False)}
RESOURCE_METRICS = {1: ("resource", RESOURCE, False), 2: ("scopeMetrics", SCOPE_METRICS, True),
                    3: ("schemaUrl", "string", False)}
METRICS = {1: ("resourceMetrics", RESOURCE_METRICS, True)}
TABLES = {"/v1/logs": LOGS, "/v1/metrics": METRICS}

WIRE = {"string": 2, "bool": 0, "enum": 0, "int64": 0, "fixed64": 1, "sfixed64": 1, "double": 1}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def scalar(kind, wire, raw):
    assert wire == WIRE[kind], (kind, wire)
    if kind == "string":
        return raw.decode("utf-8")
    if kind == "bool":
        return bool(raw)
    if kind == "enum":
        return raw
    if kind == "int64":
        return str(raw - (1 << 64) if raw >> 63 else raw)
    return {"fixed64": lambda: str(struct.unpack("<Q", raw)[0]), "sfixed64": lambda: str(struct.unpack("<q", raw)[0]),
            "double": lambda: struct.unpack("<d", raw)[0]}[kind]()


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            size = 8
            if wire == 2:
                size, at = varint(data, at)
            assert wire in (1, 2) and at + size <= len(data), (number, wire, at)
            value = data[at:at + size]
            at += size
        yield number, wire, value


def from_protobuf(data, table):
    """The message as OTLP's JSON has it."""
    message = {}
    for number, wire, value in fields(data):
        name, kind, repeated = table[number]
        if isinstance(kind, dict):
            assert wire == 2, name
            item = from_protobuf(value, kind)
        elif repeated:
            item = [scalar(kind, 1, value[i:i + 8]) for i in range(0, len(value), 8)]
        else:
            item = scalar(kind, wire, value)
        if repeated and isinstance(kind, dict):
            message.setdefault(name, []).append(item)
        else:
            assert name not in message, "%s is there twice" % name
            message[name] = item
    return message


def check_json(message, table, path=""):
    """OTLP's rules for JSON, which parsers of protobuf's JSON do not enforce."""
    assert isinstance(message, dict), path
    kinds = {name: (kind, repeated) for name, kind, repeated in table.values()}
    for name, value in message.items():
        at = path + "/" + name
        assert name in kinds, "%s is no field in lowerCamelCase" % at
        kind, repeated = kinds[name]
        assert isinstance(value, list) == repeated, at
        for item in value if repeated else [value]:
            if isinstance(kind, dict):
                check_json(item, kind, at)
            elif kind in ("int64", "fixed64", "sfixed64"):
                assert isinstance(item, str) and re.fullmatch("0|-?[1-9][0-9]*", item), "%s: %r" % (at, item)
            elif kind == "enum":
                assert isinstance(item, int) and not isinstance(item, bool), "%s: %r" % (at, item)
            else:
                assert isinstance(item, {"string": str, "bool": bool, "double": (int, float)}[kind]), "%s: %r" % (at, item)


def once(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), "a member is there twice: %s" % names
    return dict(pairs)


def attributes(message):
    """Names and values of a record or a resource."""
    found = {}
    for item in message.get("attributes", []):
        (kind, value), = item["value"].items()
        assert item["key"] not in found, "%s is there twice" % item["key"]
        found[item["key"]] = int(value) if kind == "intValue" else value
    return found


def records(message):
    return [record for one in message["resourceLogs"] for scope in one["scopeLogs"] for record in scope["logRecords"]]


def points(message):
    """(metric, data point) of all."""
    found = []
    for one in message["resourceMetrics"]:
        for scope in one["scopeMetrics"]:
            for metric in scope["metrics"]:
                (data,) = [metric[kind] for kind in ("gauge", "sum", "histogram") if kind in metric]
                found.extend((metric, point) for point in data["dataPoints"])
    return found


class Request:
    def __init__(self, path, headers, body):
        table = TABLES[path]
        assert len(body) <= 96 * 1024, "%d bytes" % len(body)
        self.path, self.headers, self.body = path, headers, body
        self.is_json = headers["Content-Type"] == "application/json"
        if self.is_json:
            self.message = json.loads(body.decode("ascii"), object_pairs_hook=once)
            check_json(self.message, table)
        else:
            assert headers["Content-Type"] == "application/x-protobuf", headers["Content-Type"]
            self.message = from_protobuf(body, table)
        self.records = records(self.message) if table is LOGS else []
        self.points = points(self.message) if table is METRICS else []
        assert 0 < len(self.records + self.points) <= 512, len(self.records + self.points)


def reply(status, body=b"", headers=()):
    def send(handler, request):
        handler.send_response(status)
        kind = "application/json" if request and request.is_json else "application/x-protobuf"
        for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), *headers]:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
    send.accepts = status == 200
    return send


def never(handler, request):
    """No answer, until the other side gives up."""
    handler.close_connection = True
    handler.connection.recv(1)


def hang_up(handler, request):
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def break_off(handler, request):
    """A success whose body ends too early."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b"\n")
    handler.wfile.flush()
    hang_up(handler, request)


class Collector:
    """`behave(request)` returns what answers it: of reply(), hang_up, break_off; or None to accept.
    @later: requests are accepted as they are, and kept until take() reads them, so that many senders do not wait for
    this reader."""

    def __init__(self, behave=None, port=0, context=None, address="127.0.0.1", later=False):
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                collector.sockets.append(self.request)
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if later:
                    with collector.lock:
                        if not collector.closed:
                            collector.kept.append((time.monotonic(), self.path, self.headers, body))
                        answer = hang_up if collector.closed else reply(200)
                    answer(self, None)
                    return
                try:
                    request = Request(self.path, self.headers, body)
                except (AssertionError, ValueError, KeyError, IndexError) as problem:
                    collector.problems.append("%s: %r" % (problem, body[:200]))
                    raise
                with collector.lock:
                    answer = collector.behave(request) if collector.behave else None
                    if collector.closed:
                        answer = hang_up
                    collector.requests.append(request)
                    if answer is None or getattr(answer, "accepts", False):
                        collector.accepted.extend(request.records)
                        collector.points.extend(request.points)
                (answer or reply(200, b"{}" if request.is_json else b""))(self, request)

            def log_message(self, *args):
                pass

        self.behave, self.lock, self.closed, self.sockets = behave, threading.Lock(), False, []
        self.requests, self.accepted, self.points, self.problems, self.kept = [], [], [], [], []
        self.server = Server((address, port), Handler)
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = "%s://%s:%d" % ("https" if context else "http", address, self.port)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        """Nothing is accepted any more, on connections that are kept neither."""
        with self.lock:
            self.closed = True
        self.server.shutdown()
        self.server.server_close()
        for sock in self.sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        assert not self.problems, self.problems

    def take(self):
        """The requests that were kept, as (when they arrived, Request), in that order."""
        with self.lock:
            kept, self.kept = self.kept, []
        return [(arrived, Request(*parts)) for arrived, *parts in kept]

    def numbers(self):
        """cxl.event.number of what was accepted, in that order."""
        with self.lock:
            return [attributes(record)["cxl.event.number"] for record in self.accepted]

    def values(self, name):
        """The last value of each series of a metric, by its attributes."""
        with self.lock:
            return {tuple(sorted(attributes(point).items())): point.get("asInt", point.get("asDouble"))
                    for metric, point in self.points if metric["name"] == name}

    def texts(self):
        with self.lock:
            return [record["body"]["stringValue"] for record in self.accepted]
