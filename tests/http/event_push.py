#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Subscriptions and their delivery: receivers of all manners, and what ends in the middle.

    event_push.py DAEMON HOST SCRATCH [TEST...]
"""
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from event_peers import (OWN_ADDRESS, SUBSCRIPTIONS, Daemon, Receiver, Stream, certificate,  # noqa: E402
                         run, running, wait_for)

PROGRAM, HOST, SCRATCH = sys.argv[1:4]
FAST = ("--push-interval", "1", "--push-attempts", "2")


@contextlib.contextmanager
def daemon(*options, host=HOST):
    directory = tempfile.mkdtemp(dir=SCRATCH)
    with running(Daemon(PROGRAM, host, directory, *(options or FAST))) as d:
        yield d
    shutil.rmtree(directory)


def status(d, uri):
    return d.get(uri)["Status"]


def wait_for_warning(d, uri):
    wait_for("Health Warning of " + uri, lambda: status(d, uri)["Health"] == "Warning")


def in_order_with_context_and_headers():
    receiver = Receiver()
    with daemon() as d:
        uri = d.subscribe(receiver.url, Context="one", HttpHeaders=[{"X-Secret": "s3cret"}])
        assert d.get(uri)["HttpHeaders"] == [], "headers are shown"
        for i in range(50):
            d.submit("event %d" % i)
        wait_for("50 events", lambda: len(receiver.bodies) >= 50)
        assert receiver.texts() == ["event %d" % i for i in range(50)], receiver.texts()
        assert all(body["Context"] == "one" for body in receiver.bodies)
        assert all(h["X-Secret"] == "s3cret" for h in receiver.headers)
        assert "s3cret" not in d.log()
        d.expect(200, "PATCH", uri, {"Context": "two", "HttpHeaders": [{"X-Secret": "other"}]})
        d.submit("after")
        wait_for("the changed one", lambda: len(receiver.bodies) >= 51)
        assert receiver.bodies[-1]["Context"] == "two"
        assert receiver.headers[-1]["X-Secret"] == "other"
        d.expect(204, "DELETE", uri)
        d.expect(404, "GET", uri)
        d.submit("after removal")
        time.sleep(0.3)
        assert len(receiver.bodies) == 51
    receiver.close()


def filters():
    cases = [
        ({}, "abcd"),
        ({"RegistryPrefixes": ["Test"]}, "ab"),
        ({"RegistryPrefixes": ["Test"], "MessageIds": ["Other.1.0.Key"]}, "abc"),
        ({"MessageIds": ["Other.Key"]}, "c"),
        ({"ExcludeRegistryPrefixes": ["Test"]}, "cd"),
        ({"ExcludeMessageIds": ["Test.9.9.Event"]}, "bcd"),
        ({"Severities": ["Critical", "Warning"]}, "bc"),
        ({"OriginResources": [{"@odata.id": "/redfish/v1/Systems/Host"}]}, "b"),
        ({"OriginResources": [{"@odata.id": "/redfish/v1/Systems"}],
          "SubordinateResources": True}, "bd"),
        ({"ResourceTypes": ["ComputerSystem"]}, "b"),
        ({"EventTypes": ["Alert"]}, "c"),
    ]
    with daemon() as d:
        receivers = []
        for properties, _ in cases:
            receivers.append(Receiver())
            d.subscribe(receivers[-1].url, **properties)
        d.submit("a", MessageSeverity="OK")
        d.submit("b", MessageId="Test.1.0.Else", MessageSeverity="Critical",
                 OriginOfCondition="/redfish/v1/Systems/Host")
        d.submit("c", MessageId="Other.2.5.Key", MessageSeverity="Warning", EventType="Alert")
        d.submit("d", MessageId="Third.1.0.X", OriginOfCondition="/redfish/v1/Systems/Host/Memory")
        d.submit("end", MessageId="Other.1.0.Key", MessageSeverity="Critical", EventType="Alert",
                 OriginOfCondition="/redfish/v1/Systems/Host")
        wait_for("the last", lambda: "end" in receivers[0].texts())

        def got(receiver):
            return "".join(text for text in receiver.texts() if text != "end")

        for (properties, wanted), receiver in zip(cases, receivers):
            wait_for(properties, lambda r=receiver, n=len(wanted): len(got(r)) >= n)
        time.sleep(0.3)
        for (properties, wanted), receiver in zip(cases, receivers):
            assert got(receiver) == wanted, "%s: %s instead of %s" % (properties, got(receiver), wanted)
            receiver.close()


def the_origin_is_included():
    receiver = Receiver()
    with daemon() as d:
        d.subscribe(receiver.url, IncludeOriginOfCondition=True)
        d.submit("x", OriginOfCondition="/redfish/v1/Systems/Host")
        wait_for("it", lambda: receiver.bodies)
        origin = receiver.records()[0]["OriginOfCondition"]
        assert origin == d.get("/redfish/v1/Systems/Host"), origin
    receiver.close()


def bad_receivers_do_not_delay_others():
    def never(handler):
        time.sleep(3600)

    def slowly(handler):
        time.sleep(1.5)
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"done")
        handler.close_connection = True

    def redirect(handler):
        handler.send_response(307)
        handler.send_header("Location", target.url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def garbage(handler):
        handler.wfile.write(b"\0\1\2 nothing that anybody knows\n" * 100)
        handler.close_connection = True

    def endless(handler):
        handler.send_response(500)
        handler.end_headers()
        with contextlib.suppress(OSError):
            while True:
                handler.wfile.write(b"x" * 65536)

    def hangs_up(handler):
        handler.close_connection = True

    target, good, slow = Receiver(), Receiver(), Receiver(slowly)
    bad = {behave.__name__: Receiver(behave) for behave in
           (never, redirect, garbage, endless, hangs_up)}
    with daemon() as d:
        uris = {name: d.subscribe(receiver.url) for name, receiver in bad.items()}
        uris["refused"] = d.subscribe("http://127.0.0.1:9/")
        uris["no name"] = d.subscribe("http://no-such-host.invalid/")
        many = [d.subscribe(bad["never"].url) for _ in range(150)]
        slow_uri, good_uri = d.subscribe(slow.url), d.subscribe(good.url)
        for i in range(5):
            d.submit("event %d" % i)
        begun = time.monotonic()
        wait_for("the good one", lambda: len(set(good.texts())) == 5)
        took = time.monotonic() - begun
        wait_for("the slow one", lambda: len(set(slow.texts())) == 5)
        for name, uri in uris.items():
            if name not in ("never",):
                wait_for_warning(d, uri)
        wait_for("health", lambda: status(d, good_uri)["Health"] == status(d, slow_uri)["Health"] == "OK")
        assert target.bodies == [], "the redirection was followed"
        assert "redirections are not followed" in d.log()
        for uri in many:
            d.expect(204, "DELETE", uri)
    for receiver in (target, good, slow, *bad.values()):
        receiver.server.shutdown()
    return "the good one had its five events after %.1f s" % took


def certificates():
    if not shutil.which("openssl"):
        return "openssl is missing"
    context = certificate(SCRATCH)
    receiver = Receiver(context=context)
    with daemon() as d:
        uri = d.subscribe(receiver.url)
        assert d.get(uri)["VerifyCertificate"] is True
        d.submit("unverified")
        wait_for_warning(d, uri)
        assert receiver.bodies == [], "the certificate was not verified"
        assert "ertificate" in d.log(), d.log()
        d.expect(200, "PATCH", uri, {"VerifyCertificate": False})
        wait_for("the event", lambda: receiver.texts() == ["unverified"])
    with daemon(*FAST, "--push-ca", SCRATCH + "/cert.pem") as d:
        d.subscribe(receiver.url)
        d.submit("verified")
        wait_for("the event", lambda: receiver.texts() == ["unverified", "verified"])
        # The name is verified, too.
        uri = d.subscribe(receiver.url.replace("127.0.0.1", "localhost"))
        d.submit("again")
        wait_for_warning(d, uri)
    receiver.close()
    return None


def down_and_up():
    receiver = Receiver(address=OWN_ADDRESS)
    port = receiver.port
    with daemon() as d:
        uri = d.subscribe(receiver.url)
        d.submit("first")
        wait_for("the first", lambda: len(receiver.bodies) == 1)
        receiver.close()
        for i in range(40):
            d.submit("event %d" % i)
        wait_for_warning(d, uri)
        d.stop()
        d.start()
        time.sleep(1)
        receiver = Receiver(port=port, address=OWN_ADDRESS)
        wait_for("all", lambda: len(set(receiver.texts())) >= 40)
        texts = [t for t in receiver.texts() if t != "first"]
        assert texts == ["event %d" % i for i in range(40)], texts
        wait_for("health", lambda: status(d, uri)["Health"] == "OK")
        assert "can be reached again" in d.log() or "could not be reached" in d.log()
    receiver.close()


def policies():
    with daemon() as d:
        terminated = d.subscribe("http://127.0.0.1:9/", DeliveryRetryPolicy="TerminateAfterRetries")
        suspended = d.subscribe("http://127.0.0.1:9/", DeliveryRetryPolicy="SuspendRetries")
        forever = d.subscribe("http://127.0.0.1:9/", DeliveryRetryPolicy="RetryForever")
        d.submit("not accepted")
        wait_for("termination", lambda: d.ask("GET", terminated)[0] == 404)
        wait_for("suspension", lambda: status(d, suspended)["State"] == "Disabled")
        assert status(d, forever)["State"] == "Enabled"
        d.stop()
        d.start()
        assert d.ask("GET", terminated)[0] == 404
        assert status(d, suspended)["State"] == "Disabled"
        assert d.n_subscriptions() == 2


def suspend_and_resume():
    receiver = Receiver()
    with daemon() as d:
        uri = d.subscribe(receiver.url)
        actions = d.get(uri)["Actions"]
        suspend = actions["#EventDestination.SuspendSubscription"]["target"]
        resume = actions["#EventDestination.ResumeSubscription"]["target"]
        d.expect(204, "POST", suspend)
        assert status(d, uri)["State"] == "Disabled"
        d.submit("buffered")
        time.sleep(0.3)
        assert receiver.bodies == []
        d.expect(204, "POST", resume)
        wait_for("what was buffered", lambda: receiver.texts() == ["buffered"])
        d.expect(204, "POST", suspend, {})
        d.submit("dropped")
        for bad in ({"DeliverBufferedEventDuration": 5}, {"DeliverBufferedEventDuration": "5 s"},
                    {"DeliverBufferedEventDuration": "PT"}, {"Other": 1},
                    {"DeliverBufferedEventDuration": "P1S"}):
            d.expect(400, "POST", resume, bad)
        d.expect(204, "POST", resume, {"DeliverBufferedEventDuration": "PT0S"})
        d.submit("new")
        wait_for("the new one", lambda: receiver.texts() == ["buffered", "new"])
        assert status(d, uri)["State"] == "Enabled"
    receiver.close()


def the_helper_is_started_again():
    receiver = Receiver()
    with daemon() as d:
        d.subscribe(receiver.url)
        d.submit("one")
        wait_for("one", lambda: receiver.texts() == ["one"])
        helper = wait_for("a helper", d.helper)
        os.kill(helper, signal.SIGKILL)
        d.submit("two")
        wait_for("two", lambda: receiver.texts()[-1] == "two")
        assert d.helper() not in (None, helper)
        helper = d.helper()
        d.kill()
        wait_for("its end", lambda: not os.path.exists("/proc/%d" % helper))
        d.start()
    receiver.close()


def cursors(d):
    """The lowest and the highest of all subscriptions, as they are stored."""
    state = sqlite3.connect("file:%s/state.db?mode=ro" % d.state, uri=True)
    with contextlib.closing(state):
        return state.execute("SELECT min(cursor), max(cursor) FROM subscriptions").fetchone()


def posts(receiver):
    """The path and the text of each. A post that a busy machine answers too late comes twice."""
    return [(path, body["Events"][0]["Message"]) for path, body in list(receiver.posts)]


def a_thousand_subscriptions():
    receiver = Receiver()
    with daemon() as d:
        uris, created = [], [time.monotonic()]
        for i in range(1000):
            uris.append(d.subscribe(receiver.url + "/%d" % i, MessageIds=["Test.1.0.Event"]))
            created.append(time.monotonic())
        _, body = d.expect(403, "POST", SUBSCRIPTIONS,
                              {"Destination": receiver.url, "Protocol": "Redfish"})
        assert "EventSubscriptionLimitExceeded" in body["error"]["code"]
        _, newest = cursors(d)
        begun = time.monotonic()
        for i in range(3):
            d.submit("event %d" % i)
        wait_for("3,000 posts", lambda: len(set(posts(receiver))) >= 3000)
        took = time.monotonic() - begun
        assert sorted(text for _, text in set(posts(receiver))) == ["event %d" % i for i in range(3) for _ in range(1000)]
        # A post whose answer the service has not stored yet is sent again, and that is right.
        wait_for("all answers", lambda: cursors(d) == (newest + 3, newest + 3))
        d.stop()
        n = len(receiver.bodies)
        d.start()
        assert d.n_subscriptions() == 1000
        time.sleep(1)
        assert len(receiver.bodies) == n, "%d were sent again" % (len(receiver.bodies) - n)
        for uri in uris[:5]:
            d.expect(204, "DELETE", uri)
        d.subscribe(receiver.url)
    receiver.close()
    return "made in %.1f s, 3,000 posts in %.1f s, compared %.1f ms, %.1f ms" % (
        created[1000] - created[0], took, (created[1000] - created[900]) * 1000, (created[100] - created[0]) * 1000)


def killed_again_and_again():
    """Nothing is lost, nothing comes out of order, what comes twice has the same EventId."""
    rounds = int(os.environ.get("EVENT_KILLS", "200"))
    receiver = Receiver()
    seen, sent = [], 0
    directory = tempfile.mkdtemp(dir=SCRATCH)
    d = Daemon(PROGRAM, HOST, directory, *FAST).start()
    try:
        d.subscribe(receiver.url, MessageIds=["Test.1.0.Event"])
        last = None
        for i in range(rounds):
            stream = Stream(d.socket, last_id=last)
            for _ in range(5 + i % 7):
                d.submit("event %d" % sent)
                sent += 1
            time.sleep(0.01 * (i % 5))
            d.kill()
            wait_for("the stream's end", lambda s=stream: s.ended)
            stream.close()
            seen += [e for e in stream.events if e[1]["Events"][0]["MessageId"] == "Test.1.0.Event"]
            if stream.events:
                last = stream.events[-1][0]
            elif last is None:
                last = 0
            d.start()
        stream = Stream(d.socket, last_id=last)
        d.submit("end")
        wait_for("the end, pushed", lambda: "end" in receiver.texts())
        wait_for("the end, streamed", lambda: "end" in stream.texts())
        seen += [e for e in stream.events if e[1]["Events"][0]["MessageId"] == "Test.1.0.Event"]
        stream.close()
        d.stop()
    except BaseException:
        print(d.log()[-4000:])
        d.process.kill()
        raise
    wanted = ["event %d" % i for i in range(sent)] + ["end"]
    streamed = [body["Events"][0]["Message"] for _, body, _ in seen]
    assert streamed == wanted, "streamed: %s" % [t for t in wanted if t not in streamed][:5]
    ids = [number for number, _, _ in seen]
    assert ids == sorted(set(ids)), "a stream showed one twice, or out of order"
    by_id, order = {}, []
    for record in receiver.records():
        if record["EventId"] not in by_id:
            order.append(record["Message"])
        assert by_id.setdefault(record["EventId"], record["Message"]) == record["Message"]
    assert order == wanted, "pushed: %s" % [t for t in wanted if t not in order][:5]
    receiver.close()
    shutil.rmtree(directory)
    return "%d events, %d times killed, %d posts" % (sent, rounds, len(receiver.bodies))


def long_subscriptions_cost_what_is_used_of_them():
    """Also after a restart with ones that an earlier version has stored whole."""
    n = 200
    junk = {"Junk": ["x" * 100 for _ in range(600)]}
    origin = "/redfish/v1/Systems/Host"
    with daemon("--push-interval", "60") as d:
        before = d.rss_kib()
        for _ in range(n):
            d.subscribe("http://127.0.0.1:9/", OriginResources=[{"@odata.id": origin, **junk}])
        made = d.rss_kib() - before
        assert made < 24 * 1024, "%d KiB" % made
        kept = d.get(SUBSCRIPTIONS + "/1")["OriginResources"]
        assert kept == [{"@odata.id": origin}], kept
        d.stop()
        state = sqlite3.connect(d.state + "/state.db")
        (length,) = state.execute("SELECT max(length(body)) FROM subscriptions").fetchone()
        assert length < 1024, length
        (body,) = state.execute("SELECT body FROM subscriptions WHERE id = 1").fetchone()
        body = json.loads(body)
        body["Properties"]["OriginResources"][0].update(junk)
        state.execute("UPDATE subscriptions SET body = ?", (json.dumps(body, separators=(",", ":")),))
        state.commit()
        state.close()
        d.start()
        assert d.n_subscriptions() == n
        again = d.rss_kib() - before
        assert again < 40 * 1024, "%d KiB after the restart" % again
    return "%d KiB, %d KiB after a restart" % (made, again)


def test_event_is_answered_with_the_result():
    def refuse(handler):
        handler.send_response(503)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    good, bad, silent = Receiver(), Receiver(refuse), Receiver(lambda handler: time.sleep(3600))
    with daemon("--push-interval", "60") as d:
        assert d.test(204) is None
        d.subscribe(good.url, RegistryPrefixes=["ResourceEvent"])
        d.test(204)
        assert good.texts() == ["Test message."]
        # The filter excludes it, and a suspended one is not a destination.
        d.subscribe(bad.url, RegistryPrefixes=["CXLHost"])
        suspended = d.subscribe(bad.url)
        d.expect(204, "POST", suspended + "/Actions/EventDestination.SuspendSubscription", {})
        d.test(204)
        d.expect(204, "DELETE", suspended)
        uri = d.subscribe(bad.url)
        error = d.test(500)
        assert error["MessageArgs"] == ["1", uri.rsplit("/", 1)[1], "HTTP status 503"], error
        # It is tried again at once, not after the interval.
        assert d.test(500)["MessageArgs"][2] == "HTTP status 503"
        assert len(bad.bodies) == 2, len(bad.bodies)
        d.expect(204, "DELETE", uri)
        d.subscribe(silent.url)
        assert "in time" in d.test(500)["MessageArgs"][2]
        assert good.texts() == ["Test message."] * 5, good.texts()
    for receiver in good, bad, silent:
        receiver.close()


def all_subscriptions_together_have_a_limit():
    lists = ("RegistryPrefixes", "MessageIds", "ResourceTypes")
    properties = {name: ["%0500d" % i for i in range(16)] for name in lists}
    with daemon("--push-interval", "60") as d:
        for i in range(200):
            code, _, answer = d.ask("POST", SUBSCRIPTIONS, {
                "Destination": "http://127.0.0.1:9/", "Protocol": "Redfish", **properties})
            if code != 201:
                break
        assert code == 403 and i > 150, (code, i)
        error = answer["error"]["@Message.ExtendedInfo"][0]
        assert error["MessageId"].endswith(".SubscriptionsTooLong"), error
        # A change is refused likewise, one that makes it shorter is not, and then there is room.
        code, _, answer = d.ask("PATCH", SUBSCRIPTIONS + "/1",
                                {"HttpHeaders": [{"X-%d" % k: "%0900d" % k} for k in range(8)]})
        assert code in (200, 403), code
        d.expect(204, "DELETE", SUBSCRIPTIONS + "/2")
        d.expect(200, "PATCH", SUBSCRIPTIONS + "/1", {"Context": "short"})
        d.subscribe("http://127.0.0.1:9/")
        d.stop()
        d.start()
        assert d.n_subscriptions() == i, d.n_subscriptions()
    return "%d subscriptions" % i


TESTS = [in_order_with_context_and_headers, filters, the_origin_is_included,
         bad_receivers_do_not_delay_others, certificates, down_and_up, policies,
         suspend_and_resume, the_helper_is_started_again, a_thousand_subscriptions,
         test_event_is_answered_with_the_result,
         long_subscriptions_cost_what_is_used_of_them, all_subscriptions_together_have_a_limit,
         killed_again_and_again]

if __name__ == "__main__":
    sys.exit(run(TESTS, sys.argv[4:]))
