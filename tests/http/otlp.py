#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Events reach an OpenTelemetry collector, whatever it does.

    otlp.py DAEMON HOST SCRATCH [TEST...]
"""
import contextlib
import os
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid

sys.dont_write_bytecode = True
from event_peers import Daemon, certificate, run, running, wait_for  # noqa: E402
from otlp_peers import Collector, attributes, break_off, hang_up, never, reply  # noqa: E402

PROGRAM, HOST, SCRATCH = sys.argv[1:4]
ENTRIES = 17  # of the captured host
DEVICES = 4
LOG = "/redfish/v1/Systems/Host/LogServices/CXL/Entries"


@contextlib.contextmanager
def daemon(collector, *lines, signals="logs", host=HOST):
    """A service with a configuration of its own, which `configure` of it replaces."""
    directory = tempfile.mkdtemp(dir=SCRATCH)
    path = directory + "/conf"

    def configure(*lines, to=collector):
        with open(path + ".new", "w", encoding="ascii") as f:
            usual = {"otlp": to.url, "otlp-signals": signals, "otlp-interval": "1"}
            usual.update(line.split(" = ", 1) for line in lines)
            f.write("".join("%s = %s\n" % item for item in usual.items()))
        os.rename(path + ".new", path)

    configure(*lines)
    d = Daemon(PROGRAM, host, directory, "--config", path)
    d.directory, d.configure = directory, configure
    with running(d):
        yield d


def named(collector, text):
    wait_for("'%s' at the collector" % text, lambda: text in collector.texts())


def in_order(collector):
    numbers = collector.numbers()
    assert numbers == sorted(set(numbers)), "not in order, or twice: %s" % numbers
    return numbers


def blocked(d):
    """The condition of a collector that accepts nothing; None without."""
    conditions = d.get("/redfish/v1/Managers/Service")["Status"].get("Conditions", [])
    return next((c for c in conditions if c["MessageId"].endswith(".CollectorBlocked")), None)


def entries_of(collector):
    with collector.lock:
        return [r for r in collector.accepted if "cxl.event.type" in attributes(r)]


def pb_text(number, text):
    return bytes([number << 3 | 2, len(text)]) + text


def entries_arrive_in_both_encodings():
    first, second = Collector(), Collector()
    with daemon(first) as d:
        wait_for("all entries", lambda: len(entries_of(first)) == ENTRIES)
        d.submit("a message")
        named(first, "a message")
        wait_for("incidents", lambda: any(r["eventName"].startswith("CXLHost.Incident") for r in list(first.accepted)))
        state = d.state + "/state.db"
        d.stop()
        with contextlib.closing(sqlite3.connect(state)) as db:
            db.execute("UPDATE otlp SET cursor = 0")
            db.commit()
        d.configure("otlp-encoding = json", to=second)
        d.start()
        named(second, "a message")
        wait_for("all entries again", lambda: len(entries_of(second)) == ENTRIES)
        system = d.get("/redfish/v1/Systems/Host")
        log = d.get(LOG)["Members"]
    assert not first.requests[0].is_json and second.requests[0].is_json
    assert first.requests[0].path == "/v1/logs"
    numbers = in_order(first)
    twins = {attributes(r)["log.record.uid"]: r for r in second.accepted}
    assert in_order(second)[:len(numbers)] == numbers
    for record in first.accepted:
        assert twins[attributes(record)["log.record.uid"]] == record, record
    resources = [c.requests[0].message["resourceLogs"][0]["resource"] for c in (first, second)]
    assert resources[0] == resources[1], resources
    resource = attributes(resources[0])
    assert resource["service.name"] == "cxl-redfishd" and resource["service.version"], resource
    assert len(resource["service.instance.id"]) == 36, resource
    assert resource.get("host.name") == system.get("HostName"), (resource, system)
    assert "schemas/1." in first.requests[0].message["resourceLogs"][0]["schemaUrl"]
    # They say what the log says.
    by_number = {attributes(r)["cxl.event.number"]: r for r in entries_of(first)}
    severities = {"OK": (9,), "Warning": (13,), "Critical": (17, 21)}
    assert len(log) == ENTRIES
    namespace = uuid.UUID(resource["service.instance.id"])
    for entry in log:
        record, own = by_number[int(entry["Id"])], entry["Oem"]["CXLHost"]
        said = attributes(record)
        assert record["body"]["stringValue"] == entry["Message"], record
        assert record["severityText"] == entry["Severity"], record
        assert record["severityNumber"] in severities[entry["Severity"]], record
        assert record["eventName"] == "CXLHost." + entry["MessageId"].split(".")[-1], record
        assert said.get("cxl.dpa") == own.get("DevicePhysicalAddress"), (said, own)
        assert said.get("cxl.spa.first") == own.get("SystemPhysicalAddress"), (said, own)
        assert said["log.record.uid"] == str(uuid.uuid5(namespace, "entry/" + entry["Id"])), said
        assert "traceId" not in record
    incidents = [attributes(r) for r in first.accepted if r["eventName"].startswith("CXLHost.Incident")]
    assert incidents
    for said in incidents:
        name = "incident/%d/%d" % (said["cxl.incident.id"], said["cxl.event.number"])
        assert said["log.record.uid"] == str(uuid.uuid5(namespace, name)), said
    first.close()
    second.close()
    return "%d records in %d and %d requests" % (len(numbers), len(first.requests), len(second.requests))


def faults_of_a_moment_lose_nothing():
    faults = []
    collector = Collector(lambda request: faults.pop(0) if faults else None)
    with daemon(collector) as d:
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
        for i, fault in enumerate([reply(429, headers=[("Retry-After", "1")]), reply(502), reply(503), reply(504),
                                   hang_up, break_off]):
            faults.extend([fault, fault])
            d.submit("event %d" % i)
            named(collector, "event %d" % i)
            assert not faults
            wait_for("its end in the log", lambda: d.log().count("accepts events again") == i + 1)
            assert d.log().count("could not be reached") == i + 1, "each attempt is logged"
    in_order(collector)
    collector.close()


def collector_that_never_answers_is_left():
    faults = [never]
    collector = Collector(lambda request: faults.pop(0) if faults else None)
    with daemon(collector) as d:
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
        assert not faults and "could not be reached" in d.log()
    in_order(collector)
    collector.close()


def a_collector_that_is_slow_delays_nothing_else():
    asked, release = threading.Event(), threading.Event()

    def slow(handler, request):
        asked.set()
        release.wait()
        reply(200)(handler, request)
    slow.accepts = True
    collector = Collector(lambda request: None if release.is_set() else slow)
    with daemon(collector) as d:
        assert asked.wait(180), "no request"
        d.submit("meanwhile")
        assert len(d.get(LOG)["Members"]) == ENTRIES
        release.set()
        named(collector, "meanwhile")
    # On a slow machine the first request was given up, and came again.
    numbers = list(dict.fromkeys(collector.numbers()))
    assert numbers == sorted(numbers), numbers
    collector.close()


def a_long_log_is_sent_in_many_requests():
    collector = Collector(lambda request: reply(503))
    with daemon(collector) as d:
        for i in range(600):
            d.submit("event %d " % i + "x" * 900)
        collector.behave = None
        wait_for("the last one", lambda: any(text.startswith("event 599 ") for text in collector.texts()))
    numbers = in_order(collector)
    texts = [text for text in collector.texts() if text.startswith("event ")]
    assert [int(text.split(" ")[1]) for text in texts] == list(range(600))
    collector.close()
    return "%d records" % len(numbers)


def nothing_is_lost_over_restarts_of_either_side():
    collector = Collector()
    with daemon(collector) as d:
        d.submit("one")
        named(collector, "one")
        port = collector.port
        collector.close()
        d.submit("two")
        d.stop()
        d.start()
        d.submit("three")
        d.kill()
        d.start()
        again = Collector(port=port)
        named(again, "two")
        named(again, "three")
        texts = again.texts()
        assert texts.index("two") < texts.index("three"), texts
        in_order(again)
        assert "one" not in texts, "the cursor is not kept"
    again.close()


def partial_success_is_final():
    # rejected_log_records = 1, error_message
    partial = b"\x08\x01" + pb_text(2, b"too old")
    collector = Collector(lambda request: reply(200, pb_text(1, partial)))
    with daemon(collector) as d:
        for i in range(5):
            d.submit("event %d" % i)
            named(collector, "event %d" % i)
        wait_for("the text", lambda: "too old" in d.log())
        assert d.log().count("too old") == 1, "the text is not logged once"
    in_order(collector)
    collector.close()


def one_bad_record_does_not_stop_the_rest():
    def behave(request):
        if any(r["body"]["stringValue"] == "bad" for r in request.records):
            return reply(400, pb_text(2, b"no such thing"))
        return None
    collector = Collector(lambda request: reply(503))
    with daemon(collector) as d:
        wait_for("the first attempt", lambda: collector.requests)
        for i in range(20):
            d.submit("bad" if i == 11 else "event %d" % i)
        collector.behave = behave
        named(collector, "event 19")
        wait_for("its name", lambda: "no such thing" in d.log())
        assert "refuses event" in d.log()
    texts = collector.texts()
    assert "bad" not in texts and all("event %d" % i in texts for i in range(20) if i != 11), texts
    in_order(collector)
    collector.close()


def too_many_records_are_halved():
    collector = Collector(lambda request: reply(413) if len(request.records) > 3 else None)
    with daemon(collector) as d:
        for i in range(10):
            d.submit("event %d" % i)
        named(collector, "event 9")
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
        assert "refuses event" not in d.log()
    in_order(collector)
    collector.close()


def what_an_administrator_mends_blocks():
    def behave(request):
        return None if request.headers["Authorization"] == "Bearer s3cret" else reply(401)
    collector = Collector(behave)
    with daemon(collector) as d:
        wait_for("the reason", lambda: "otlp-headers-file" in d.log())
        n = len(collector.requests)
        d.submit("while blocked")
        wait_for("the condition", lambda: blocked(d))
        assert "otlp-headers-file" in blocked(d)["Message"]
        headers = d.directory + "/headers"
        with open(headers, "w", encoding="ascii") as f:
            f.write("# of the site\nAuthorization: Bearer s3cret\nX-Rack: 7\n")
        time.sleep(0.3)
        assert len(collector.requests) == n, "a blocked collector is asked again at once"
        d.configure("otlp-headers-file = " + headers)
        d.process.send_signal(signal.SIGHUP)
        named(collector, "while blocked")
        assert collector.requests[-1].headers["X-Rack"] == "7"
        wait_for("its end", lambda: not blocked(d))
        assert "s3cret" not in d.log(), "the value of a header is in the log"
        with open("/proc/%d/cmdline" % d.helper(), "rb") as f:
            assert b"s3cret" not in f.read()
        # A mistake in the file refuses the configuration, and is named without the value.
        with open(headers, "w", encoding="ascii") as f:
            f.write("Authorization: Bearer s3cret\nContent-Length: s3cret\n")
        d.process.send_signal(signal.SIGHUP)
        wait_for("the refusal", lambda: "line 2 of " + headers in d.log())
        assert "s3cret" not in d.log()
        d.submit("with the former configuration")
        named(collector, "with the former configuration")
    wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
    in_order(collector)
    collector.close()


def what_is_mended_at_the_collector_is_tried_after_a_reload():
    """The configuration is the same."""
    mended = threading.Event()
    collector = Collector(lambda request: None if mended.is_set() else reply(404))
    with daemon(collector, signals="logs,metrics") as d:
        for signal_name in ("events", "metrics"):
            wait_for("%s are blocked" % signal_name, lambda name=signal_name: "does not accept " + name in d.log())
        mended.set()
        d.process.send_signal(signal.SIGHUP)
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
        wait_for("metrics", lambda: collector.points)
        wait_for("its end", lambda: not blocked(d))
    in_order(collector)
    collector.close()


def redirections_are_not_followed():
    other = Collector()
    collector = Collector(lambda request: reply(307, headers=[("Location", other.url + request.path)]))
    with daemon(collector) as d:
        wait_for("the reason", lambda: "redirections are not followed" in d.log())
    assert not other.requests
    collector.close()
    other.close()


def an_answer_of_another_server_is_no_success():
    page = b"<html>Welcome to the gateway</html>"
    collector = Collector(lambda request: reply(200, page))
    with daemon(collector, "otlp-encoding = json") as d:
        wait_for("the reason", lambda: "no answer of OTLP" in d.log())
        collector.behave = None
        # Other settings are tried at once.
        d.configure("otlp-encoding = protobuf")
        d.process.send_signal(signal.SIGHUP)
        wait_for("all entries", lambda: len(collector.requests) > 1 and not collector.requests[-1].is_json)
    collector.close()


def what_was_overwritten_is_counted_and_said():
    collector = Collector()
    with daemon(collector, "max-events = 100") as d:
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
        port = collector.port
        collector.close()
        d.stop()
        # As if the log had gone on: its first entries are overwritten, and the collector has none of them.
        with contextlib.closing(sqlite3.connect(d.state + "/state.db")) as db:
            db.execute("UPDATE otlp SET cursor = 1")
            db.commit()
        d.configure("max-events = 5")
        d.start()
        wait_for("5 entries", lambda: d.get(LOG)["Members@odata.count"] <= 5)
        again = Collector(port=port)
        wait_for("the notice", lambda: any(r["eventName"] == "Base.EventBufferExceeded" for r in again.accepted))
        wait_for("the warning", lambda: "were overwritten before the OpenTelemetry collector" in d.log())
        in_order(again)
    again.close()


def metrics_arrive_in_both_encodings():
    for encoding in ("protobuf", "json"):
        collector = Collector()
        with daemon(collector, "otlp-encoding = " + encoding, "otlp-interval = 1", "metrics = http://127.0.0.1:0",
                    signals="metrics") as d:
            # Counters of the log, once it has all entries.
            wait_for("all entries", lambda: sum(int(n) for n in collector.values("cxl_events_total").values()) == ENTRIES)
            # hw.errors comes before them: what follows now was counted later.
            n = len(collector.points)
            wait_for("errors", lambda: any(m["name"] == "hw.errors" for m, _ in collector.points[n:]))
            wait_for("a status", lambda: collector.values("hw.status"))
            errors = collector.values("hw.errors")
            metrics = d.process.stdout.readline().decode().split()[-1]
            text = urllib.request.urlopen(metrics).read().decode()
            known = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")}
            with collector.lock:
                last = {metric["name"]: metric for metric, _ in collector.points}
            for name, metric in last.items():
                if name.startswith("cxl_"):
                    assert name in known or name + "_count" in known, name
            assert len([name for name in last if name.startswith("cxl_")]) > 30, sorted(last)
            for name in ("cxl_events_total", "hw.errors"):
                assert last[name]["sum"]["isMonotonic"] and last[name]["sum"]["aggregationTemporality"] == 2
            assert last["hw.errors"]["unit"] == "{error}"
            assert "isMonotonic" not in last["hw.status"]["sum"]
            # One state of each device is 1, the others are 0.
            states = collector.values("hw.status")
            for device in {dict(labels)["hw.id"] for labels in states}:
                of = {dict(labels)["hw.state"]: int(n) for labels, n in states.items() if dict(labels)["hw.id"] == device}
                assert sorted(of) == ["degraded", "failed", "ok", "predicted_failure"] and sum(of.values()) == 1, of
            for labels in errors:
                labels = dict(labels)
                assert labels["hw.type"] == "memory" and labels["hw.serial_number"].startswith("0x"), labels
                assert labels["error.type"] in ("corrected", "uncorrected", "fatal"), labels
            assert sum(int(n) for n in errors.values()) > 0, errors
            counted = next(i for i in range(n, len(collector.points)) if collector.points[i][0]["name"] == "hw.errors")
            assert not collector.numbers(), "logs are sent, too"
            # The counts survive a restart, and so does the start of each sum.
            d.stop()
            n = len(collector.points)
            d.start()
            wait_for("sums again", lambda: {"hw.errors", "hw.status"} <= {m["name"] for m, _ in collector.points[n:]})
            assert collector.values("hw.errors") == errors, (collector.values("hw.errors"), errors)
            starts = {p["startTimeUnixNano"] for m, p in collector.points[counted:] if m["name"] in ("hw.errors", "hw.status")}
            assert len(starts) == 1, starts
        collector.close()


def a_clock_that_was_ahead_does_not_last():
    """Counting has begun in a time to come, as it does until a clock is set."""
    collector = Collector()
    with daemon(collector, signals="metrics") as d:
        wait_for("sums", lambda: collector.values("hw.errors") and collector.values("hw.status"))
        d.stop()
        with contextlib.closing(sqlite3.connect(d.state + "/state.db")) as db, db:
            db.execute("UPDATE otlp SET since = ?", [time.time_ns() + 10**18])
        begun = time.time_ns()
        d.start()

        def later():
            """Without points of the first run, which the collector may still take."""
            return [(m["name"], p) for m, p in collector.points if int(p["timeUnixNano"]) >= begun]

        wait_for("two exports", lambda: sum(name == "hw.status" for name, _ in later()) >= 2 * DEVICES * 4)
        points = [(name, p) for name, p in later() if "startTimeUnixNano" in p]
        assert all(int(p["startTimeUnixNano"]) <= int(p["timeUnixNano"]) for _, p in points), points
        assert len({p["startTimeUnixNano"] for name, p in points if name in ("hw.errors", "hw.status")}) == 1
    collector.close()


def temperatures_have_a_parent():
    collector = Collector()
    with daemon(collector, "otlp-interval = 1", signals="metrics", host=os.path.dirname(HOST) + "/mock-7.3.tar.zst") as d:
        wait_for("temperatures", lambda: collector.values("hw.temperature"))
        memories = d.get("/redfish/v1/Systems/Host/Memory")["Members"]
        ids = {member["@odata.id"].split("/")[-1] for member in memories}
    for labels in collector.values("hw.temperature"):
        labels = dict(labels)
        assert labels["hw.type"] == "temperature" and labels["hw.parent"] in ids and labels["hw.id"] not in ids, labels
    with collector.lock:
        metric = next(metric for metric, _ in collector.points if metric["name"] == "hw.temperature")
    assert metric["unit"] == "Cel" and "gauge" in metric, metric
    collector.close()


def refused_metrics_are_sent_in_parts_or_left_out():
    alone = []

    def behave(request):
        if any(metric["name"] == "cxl_redfish_info" for metric, _ in request.points):
            if len(request.points) == 1:
                alone.append(request)
            return reply(400)
        return reply(413) if len(request.points) > 40 else None
    collector = Collector(behave)
    with daemon(collector, "otlp-interval = 1", signals="metrics") as d:
        wait_for("the others", lambda: collector.values("hw.status") and collector.values("cxl_device_info"))
        wait_for("its name", lambda: "refuses a value of cxl_redfish_info" in d.log())
        # It is refused again in each interval, and named once.
        wait_for("more intervals", lambda: len(alone) >= 3)
        assert d.log().count("refuses a value of cxl_redfish_info") == 1, d.log()
    assert max(len(r.points) for r in collector.requests) > 40
    collector.close()


def a_blocked_signal_does_not_stop_the_other():
    collector = Collector(lambda request: reply(404) if request.path == "/v1/metrics" else None)
    with daemon(collector, "otlp-interval = 1", signals="logs,metrics") as d:
        wait_for("the reason", lambda: "does not accept metrics" in d.log())
        wait_for("the condition", lambda: blocked(d))
        d.submit("an event")
        named(collector, "an event")
    collector.close()


def collector_is_verified_and_gets_a_certificate():
    directory = tempfile.mkdtemp(dir=SCRATCH)
    server, client = directory + "/server", directory + "/client"
    os.mkdir(server)
    os.mkdir(client)
    context = certificate(server)
    certificate(client)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(client + "/cert.pem")
    collector = Collector(context=context)
    with daemon(collector) as d:
        wait_for("the failure", lambda: "could not be reached" in d.log())
        assert not collector.requests
        d.configure("otlp-ca = %s/cert.pem" % server, "otlp-certificate = %s/cert.pem" % client,
                    "otlp-key = %s/key.pem" % client)
        d.process.send_signal(signal.SIGHUP)
        wait_for("all entries", lambda: len(entries_of(collector)) == ENTRIES)
    collector.close()


def configuration_is_checked():
    empty = SCRATCH + "/empty"
    with open(empty, "w", encoding="ascii"):
        pass

    def check(status, *options):
        out = subprocess.run([PROGRAM, "--check-config", "--config", empty, "--listen", "unix:/x", *options],
                             capture_output=True, text=True, check=False)
        assert out.returncode == status, (options, out.stdout, out.stderr)
        return out.stderr
    state = ["--state", SCRATCH + "/none"]
    at = ["--otlp", "http://192.0.2.1:4318"]
    check(0, *state, *at)
    assert "--state" in check(2, *at)
    assert "push-allow" in check(2, *state, "--otlp", "http://127.0.0.1:4318")
    check(0, *state, "--otlp", "http://127.0.0.1:4318", "--push-allow", "127.0.0.1")
    assert "push-allow" in check(2, *state, *at, "--push-allow", "198.51.100.0/24")
    for url in ("ftp://a/", "http://", "http://u:p@a/", "http://a/?x=1", "http://a/#x", "a:4318", "http://a:0", "http://a:65536/", "http://a:x", "http://a:-1",
                "http://a:123456789/", "http://[::1"):
        check(2, *state, "--otlp", url)
    for url in ("https://a:65535/x", "http://a:/", "http://[2001:db8::1]/", "http://[2001:db8::1]:4318"):
        check(0, *state, "--otlp", url)
    check(2, *state, *at, "--otlp-encoding", "xml")
    check(0, *state, *at, "--otlp-signals", "metrics, logs")
    for text in ("traces", "logs,traces", ",", "log"):
        check(2, *state, *at, "--otlp-signals", text)
    check(2, *state, *at, "--otlp-interval", "0")
    assert "together" in check(2, *state, *at, "--otlp-key", "/dev/null")
    assert "/nowhere" in check(2, *state, *at, "--otlp-headers-file", "/nowhere")
    for text, line in (("A b\n", 1), ("X: y\n\nHost: a\n", 3), ("X: \n", 1), ("X: a\x01b\n", 1)):
        path = SCRATCH + "/wrong"
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        assert "line %d of" % line in check(2, *state, *at, "--otlp-headers-file", path)
    with open(path, "w", encoding="ascii") as f:
        f.write("X: y\n" * 17)
    assert "more than 16" in check(2, *state, *at, "--otlp-headers-file", path)


sys.exit(run([entries_arrive_in_both_encodings, faults_of_a_moment_lose_nothing,
              collector_that_never_answers_is_left, a_collector_that_is_slow_delays_nothing_else,
              a_long_log_is_sent_in_many_requests,
              nothing_is_lost_over_restarts_of_either_side, partial_success_is_final,
              one_bad_record_does_not_stop_the_rest, too_many_records_are_halved, what_an_administrator_mends_blocks,
              what_is_mended_at_the_collector_is_tried_after_a_reload,
              redirections_are_not_followed, an_answer_of_another_server_is_no_success,
              what_was_overwritten_is_counted_and_said, metrics_arrive_in_both_encodings,
              a_clock_that_was_ahead_does_not_last, temperatures_have_a_parent, refused_metrics_are_sent_in_parts_or_left_out,
              a_blocked_signal_does_not_stop_the_other, collector_is_verified_and_gets_a_certificate,
              configuration_is_checked], sys.argv[4:]))
