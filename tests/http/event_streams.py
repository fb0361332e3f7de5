#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Streams of server-sent events: contents, receivers, and the cost of an idle or dead client.

    event_streams.py DAEMON HOST SCRATCH [TEST...]
"""
import json
import os
import socket
import subprocess
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
from event_peers import OWN_ADDRESS, SSE, SUBSCRIPTIONS, Receiver, Stream, run, wait_for  # noqa: E402
from event_push import FAST, SCRATCH, daemon  # noqa: E402

HOSTS = os.path.dirname(sys.argv[2])


def many(d, n, text="event %d"):
    for i in range(n):
        d.submit(text % i)


def shown_once_in_order_and_again_from_where_one_was():
    with daemon() as d:
        first = Stream(d.socket)
        many(d, 30)
        wait_for("30", lambda: len(first.events) == 30)
        assert first.texts() == ["event %d" % i for i in range(30)]
        ids = first.ids()
        assert ids == sorted(set(ids))
        for number, body, _ in first.events:
            assert body["Events"][0]["EventId"] == body["Id"] == str(number)
        middle = Stream(d.socket, last_id=ids[9])
        everything = Stream(d.socket, last_id=0)
        nonsense = Stream(d.socket, last_id="me")
        future = Stream(d.socket, last_id=10**15)
        d.submit("last")
        wait_for("the rest", lambda: middle.texts()[-1:] == ["last"])
        assert middle.ids() == ids[10:] + [middle.ids()[-1]]
        wait_for("all", lambda: everything.texts()[-1:] == ["last"])
        assert everything.ids()[-31:-1] == ids
        for stream in (nonsense, future):
            wait_for("the new one", lambda s=stream: s.texts() == ["last"])
        for stream in (first, middle, everything, nonsense, future):
            stream.close()


def entries_have_their_address():
    with daemon(*FAST, host=HOSTS + "/normalized-7.3.tar.zst") as d:
        entries = "/redfish/v1/Systems/Host/LogServices/CXL/Entries"
        wait_for("17 entries", lambda: d.get(entries)["Members@odata.count"] == 17)
        stream = Stream(d.socket, last_id=0)

        def logged():
            return [(number, b["Events"][0]) for number, b, _ in stream.events
                    if b["Events"][0].get("LogEntry", {}).get("@odata.id", "").startswith(entries + "/")]
        wait_for("them", lambda: len(logged()) == 17)
        for number, record in logged():
            entry = d.get(record["LogEntry"]["@odata.id"])
            assert entry["Id"] == str(number)
            for name in ("Message", "MessageId", "MessageArgs"):
                assert entry.get(name) == record.get(name), name
        text = json.dumps([b for _, b, _ in stream.events])
        assert "0x210002000" in text and "cxl-000000000000abc0" in text
        stream.close()


def filters():
    cases = [
        ("RegistryPrefix eq 'Test'", "ab"),
        ("RegistryPrefix eq Test or MessageId eq 'Other.1.0.Key'", "abc"),
        ("MessageId eq 'Test.7.7.Event'", "a"),
        ("not (RegistryPrefix eq 'Test')", "c"),
        ("RegistryPrefix ne 'Test'", "c"),
        ("RegistryPrefix eq 'Test' and MessageSeverity eq 'Critical'", "b"),
        ("(ResourceType eq 'ComputerSystem') or (ResourceType eq 'Memory')", "b"),
        ("OriginResource eq '/redfish/v1/Systems/Host'", "b"),
        ("EventFormatType eq 'Event'", "abc"),
        ("EventFormatType eq 'MetricReport'", ""),
    ]
    with daemon() as d:
        streams = [Stream(d.socket, query="?$filter=" + urllib.parse.quote(f)) for f, _ in cases]
        d.submit("a")
        d.submit("b", MessageId="Test.1.0.Else", MessageSeverity="Critical",
                 OriginOfCondition="/redfish/v1/Systems/Host")
        d.submit("c", MessageId="Other.3.0.Key")
        for (text, wanted), stream in zip(cases, streams):
            assert stream.status == 200, text
            wait_for(text, lambda s=stream, w=wanted: "".join(s.texts()) == w)
        time.sleep(0.3)
        for (text, wanted), stream in zip(cases, streams):
            assert "".join(stream.texts()) == wanted, text
            stream.close()


def the_origin_is_included():
    with daemon() as d:
        streams = [Stream(d.socket, query=q) for q in ("?includeoriginofcondition", "")]
        d.submit("x", OriginOfCondition="/redfish/v1/Systems/Host")
        for stream, wanted in zip(streams, (d.get("/redfish/v1/Systems/Host"),
                                            {"@odata.id": "/redfish/v1/Systems/Host"})):
            wait_for("it", lambda s=stream: s.events)
            origin = stream.events[0][1]["Events"][0]["OriginOfCondition"]
            assert origin == wanted, origin
            stream.close()


def each_is_a_destination_while_it_lasts():
    with daemon() as d:
        stream = Stream(d.socket)
        wait_for("it", lambda: d.n_subscriptions() == 1)
        uri = d.get(SUBSCRIPTIONS)["Members"][0]["@odata.id"]
        shown = d.get(uri)
        assert shown["SubscriptionType"] == "SSE" and shown["Context"], shown
        d.expect(405, "PATCH", uri, {"Context": "x"})
        d.expect(204, "DELETE", uri)
        wait_for("the connection's end", lambda: stream.ended)
        wait_for("its end", lambda: d.n_subscriptions() == 0)
        stream = Stream(d.socket)
        wait_for("another", lambda: d.n_subscriptions() == 1)
        stream.close()
        wait_for("its end", lambda: d.n_subscriptions() == 0)


def new_login(d, name):
    """Return: the login of a new account."""
    d.expect(201, "POST", "/redfish/v1/AccountService/Accounts",
             {"UserName": name, "Password": "password of " + name, "RoleId": "ReadOnly"})
    return name + ":password of " + name


def so_many_and_no_more():
    with daemon() as d:
        streams = [Stream(d.socket) for _ in range(32)]
        assert all(s.status == 200 for s in streams)
        # The limit of one client. It does not take the streams of the others.
        status, _, body = d.ask("GET", SSE)
        assert status == 503 and "EventSubscriptionLimitExceeded" in body["error"]["code"], body
        other, third = new_login(d, "other"), new_login(d, "third")
        streams += [Stream(d.socket, login=other) for _ in range(32)]
        assert all(s.status == 200 for s in streams)
        assert Stream(d.socket, login=third).status == 503
        d.submit("to all")
        wait_for("all", lambda: all(s.texts() == ["to all"] for s in streams))
        streams[0].close()
        wait_for("room", lambda: Stream(d.socket).status == 200)
        d.stop()
        wait_for("the end of all", lambda: all(s.ended for s in streams[1:]))
        d.start()


def who_stops_reading_costs_nothing_and_is_ended():
    ring = os.path.abspath("make_ring")
    if not os.path.exists(ring):
        return "make_ring was not built"
    host = SCRATCH + "/storm"
    os.mkdir(host)
    subprocess.run("zstd -dc %s | tar -x -C %s && chmod -R u+w %s && %s %s 30000"
                   % (HOSTS + "/plain-7.3.tar.zst", host, host, ring, host),
                   shell=True, check=True)
    with daemon(*FAST, host=host) as d:
        entries = "/redfish/v1/Systems/Host/LogServices/CXL/Entries?$top=1"
        wait_for("30,000 entries", lambda: d.get(entries)["Members@odata.count"] >= 30000)
        login = new_login(d, "reader")
        before, grown = d.rss_kib(), [0]
        streams = [Stream(d.socket, last_id=0, read=False) for _ in range(32)]
        assert all(s.status == 200 for s in streams)
        reader = Stream(d.socket, last_id=0, login=login)

        def watched(condition):  # for as long as the service has them
            grown.append(d.rss_kib() - before)
            return condition

        wait_for("a reader's 30,000 beside them", lambda: watched(len(reader.events) >= 30000))
        ids = reader.ids()
        assert ids == sorted(set(ids))
        reader.close()
        wait_for("the end of who does not read", lambda: watched(d.n_subscriptions() == 0))
        # The memory of the connections themselves: far below a copy of the log for each.
        assert max(grown) < 60000, "%d KiB for 32 clients that do not read" % max(grown)
        for stream in streams:
            stream.close()
    return "%d KiB for 32 of them" % max(grown)


def what_was_overwritten_is_told():
    ring = os.path.abspath("make_ring")
    if not os.path.exists(ring):
        return "make_ring was not built"
    host = SCRATCH + "/small-storm"
    os.mkdir(host)
    subprocess.run("zstd -dc %s | tar -x -C %s && chmod -R u+w %s && %s %s 500"
                   % (HOSTS + "/plain-7.3.tar.zst", host, host, ring, host),
                   shell=True, check=True)
    receiver = Receiver(address=OWN_ADDRESS)
    with daemon(*FAST, "--max-events", "100") as d:
        d.subscribe(receiver.url)
        d.submit("before")
        wait_for("one", lambda: receiver.bodies)
        last = int(receiver.ids()[0])
        port = receiver.port
        receiver.close()
        d.stop()
        # The same store, as if it had been a day of storms.
        d.command[d.command.index("--host") + 1] = host
        d.start()
        entries = "/redfish/v1/Systems/Host/LogServices/CXL/Entries"
        wait_for("the storm", lambda: max([int(m["Id"]) for m in d.get(entries)["Members"]],
                                          default=0) >= last + 500)
        receiver = Receiver(port=port, address=OWN_ADDRESS)
        wait_for("what is left", lambda: len(receiver.bodies) >= 100)
        time.sleep(0.5)
        ids = [int(i) for i in receiver.ids() if int(i) > last]
        order = list(dict.fromkeys(ids))
        assert order == sorted(order), order
        gaps = [r for r in receiver.records() if r["MessageId"].endswith(".EventBufferExceeded")]
        assert gaps, receiver.records()[:3]
        stream = Stream(d.socket, last_id=last)
        wait_for("the stream", lambda: len(stream.events) >= 100)
        # Other events, which are kept apart, may come before it.
        records = [b["Events"][0] for _, b, _ in stream.events]
        gap = [r["MessageId"].endswith(".EventBufferExceeded") for r in records].index(True)
        assert not any("LogEntry" in r for r in records[:gap]), records[:gap]
        stream.close()
    receiver.close()


def latency():
    """From SubmitTestEvent's commit to the stream, seen by one client; scripts/bench prints it."""
    with daemon() as d:
        stream = Stream(d.socket)
        times, requests = [], []
        for i in range(int(os.environ.get("EVENT_LATENCY", "100"))):
            begun = time.monotonic()
            d.submit("event %d" % i)
            requests.append((time.monotonic() - begun) * 1000)
            wait_for("it", lambda n=i: len(stream.events) > n)
            times.append((stream.events[i][2] - begun) * 1000)
        stream.close()
    times.sort()
    requests.sort()
    return "p99 %.1f ms, compared %.1f ms, %.1f ms" % (
        times[len(times) * 99 // 100], times[len(times) // 2], requests[len(requests) // 2])


TESTS = [shown_once_in_order_and_again_from_where_one_was, entries_have_their_address, filters,
         the_origin_is_included, each_is_a_destination_while_it_lasts, so_many_and_no_more,
         who_stops_reading_costs_nothing_and_is_ended, what_was_overwritten_is_told, latency]

if __name__ == "__main__":
    sys.exit(run(TESTS, sys.argv[4:]))
