#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs of others read the service's OTLP: tests/otlp/judges runs this, with their modules.

    judges.py DAEMON HOSTS VICTORIA_METRICS SCRATCH
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../http")
from event_peers import Daemon, run, running, wait_for  # noqa: E402
from google.protobuf import json_format  # noqa: E402
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest  # noqa: E402
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest  # noqa: E402
from otlp_peers import Collector  # noqa: E402

PROGRAM, HOSTS, VICTORIA, SCRATCH = sys.argv[1:5]
MESSAGES = {"/v1/logs": ExportLogsServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


def daemon(host, *options):
    return running(Daemon(PROGRAM, "%s/%s.tar.zst" % (HOSTS, host), tempfile.mkdtemp(dir=SCRATCH), *options))


def judge(request):
    """The message, as OpenTelemetry's own definition reads it. It has no field that is unknown there."""
    kind = MESSAGES[request.path]
    if request.is_json:
        return json_format.Parse(request.body.decode(), kind())
    message = kind.FromString(request.body)
    # Bytes that are not canonical would be others.
    assert len(message.SerializeToString()) == len(request.body), "%s: %d bytes" % (request.path, len(request.body))
    known = json_format.Parse(json_format.MessageToJson(message), kind())
    assert known == message, "an unknown field in %s" % request.path
    return message


def both_encodings_are_the_same_messages():
    n = 0
    for host in ("plain-7.3", "mock-7.3", "switch-7.3"):
        for encoding in ("protobuf", "json"):
            collector = Collector()
            with daemon(host, "--otlp", collector.url, "--otlp-encoding", encoding, "--otlp-interval", "1") as d:
                d.submit("a message \u00e4 \u20ac \U0001f600")
                wait_for("the message", lambda: any("a message" in text for text in collector.texts()))
                wait_for("metrics", lambda: collector.values("cxl_device_info"))
            for request in list(collector.requests):
                message = judge(request)
                # Our own table, which the other tests use, reads the same.
                assert json_format.ParseDict(request.message, type(message)()) == message, request.path
                n += 1
            collector.close()
    return "%d messages" % n


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def victoria_metrics_has_the_series():
    url = "http://127.0.0.1:%d" % free_port()
    data = tempfile.mkdtemp(dir=SCRATCH)
    with open(data + "/log", "wb") as log:
        victoria = subprocess.Popen([VICTORIA, "-storageDataPath=" + data + "/data", "-httpListenAddr=" + url[7:],
                                     "-search.latencyOffset=0s"], stdout=log, stderr=log)

    def ask(path, **parameters):
        try:
            with urllib.request.urlopen(url + path + "?" + urllib.parse.urlencode(parameters), timeout=30) as answer:
                return json.load(answer)["data"]
        except OSError:
            return None

    def series(name):
        return ask("/api/v1/series", **{"match[]": '{__name__="%s"}' % name})

    try:
        wait_for("VictoriaMetrics", lambda: series("none") is not None)
        # It takes no logs and no JSON.
        with daemon("mock-7.3", "--otlp", url + "/opentelemetry", "--otlp-signals", "metrics", "--otlp-interval", "1"):
            for name in ("hw.status", "hw.temperature", "cxl_device_info", "cxl_service_fault"):
                wait_for(name, lambda: series(name))
            for one in series("hw.status"):
                assert one["hw.type"] == "memory" and one["service.name"] == "cxl-redfishd", one
            states = {one["hw.state"] for one in series("hw.status")}
            assert states == {"ok", "degraded", "failed", "predicted_failure"}, states
        with daemon("plain-7.3", "--otlp", url + "/opentelemetry", "--otlp-signals", "metrics", "--otlp-interval", "1"):
            wait_for("hw.errors", lambda: series("hw.errors"))
            for one in series("hw.errors"):
                assert one["error.type"] in ("corrected", "uncorrected", "fatal") and one["hw.serial_number"], one
            wait_for("cxl_events_total", lambda: series("cxl_events_total"))
        return "%d names" % len(ask("/api/v1/label/__name__/values"))
    except BaseException:
        with open(data + "/log", encoding="utf-8", errors="replace") as log:
            print(log.read()[-3000:])
        raise
    finally:
        victoria.terminate()
        victoria.wait()


sys.exit(run([both_encodings_are_the_same_messages, victoria_metrics_has_the_series], []))
