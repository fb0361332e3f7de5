#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The service as the agent of a Sunfish core, whatever that does.

    sunfish.py DAEMON HOST SCRATCH [TEST...]
"""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
from event_peers import SUBSCRIPTIONS, Daemon, run, running, wait_for  # noqa: E402
from redfish_client import links  # noqa: E402
from sunfish_peers import ROOT, SOURCES, Core, NewerCore, ask, exchange, owner_of  # noqa: E402

PROGRAM, HOST, SCRATCH = sys.argv[1:4]
AGENT = "http://192.0.2.1:8000"
OWN = SUBSCRIPTIONS + "/SunfishServer"
METHODS = ROOT + "/AggregationService/ConnectionMethods"
TREES = tuple(ROOT + "/" + name for name in ("Systems", "Fabrics", "Chassis", "Managers"))
COMMON = ["--listen", AGENT, "--push-allow", "192.0.2.0/24", "--password-file", SCRATCH + "/password"]


@contextlib.contextmanager
def service(core, *options):
    directory = tempfile.mkdtemp(dir=SCRATCH)
    d = Daemon(PROGRAM, HOST, directory, *COMMON, "--sunfish", core.url, *options)
    with running(d):
        yield d


@contextlib.contextmanager
def core_of(behave=None):
    core = Core(behave=behave)
    try:
        yield core
    finally:
        core.close()


def retry(d):
    """Has the service try at once."""
    d.process.send_signal(signal.SIGHUP)


def is_serving(d):
    return d.get(OWN)["Status"]["State"] == "Enabled"


def registered(d, core):
    """The id that the core has assigned, once everything is offered."""
    wait_for("all is offered", lambda: is_serving(d))
    context = d.get(OWN)["Context"]
    assert SOURCES + "/" + context in core.stored, context
    return context


def say(d, core, *texts):
    """Events about a device, which arrive."""
    memory = d.get(ROOT + "/Systems/Host/Memory")["Members"][0]["@odata.id"]
    for text in texts:
        d.submit(text, OriginOfCondition=memory)
    wait_for("the events %s" % (texts,), lambda: all(t in core.texts() for t in texts))


def in_order(core):
    numbers = [int(e["EventId"]) for e in core.events() if "EventId" in e]
    assert numbers == sorted(numbers), numbers


# ---- registering and offering


def registers_and_offers():
    with core_of() as core, service(core) as d:
        context = registered(d, core)
        source, = core.sources()
        assert source["Id"] == context and source["HostName"] == AGENT, source
        assert core.contexts == [(context, 200)], core.contexts
        method, = d.get(METHODS)["Members"]
        assert source["Links"]["ConnectionMethod"] == method
        service_of = d.get(ROOT + "/AggregationService")
        assert service_of["ServiceEnabled"] and service_of["ConnectionMethods"]["@odata.id"] == METHODS, service_of
        assert core.offers() == [ROOT + "/Systems/Host", ROOT + "/Fabrics/CXL"], core.offers()
        destination = d.get(OWN)
        assert destination["Destination"] == core.url + "/EventListener" and destination["Protocol"] == "Redfish"
        assert {"@odata.id": OWN} in d.get(SUBSCRIPTIONS)["Members"]
        objects = core.objects()
        assert all(uri.startswith(TREES) for uri in objects), sorted(objects)
        types = {o["@odata.type"].split(".")[0] for o in objects.values()}
        assert not types & {"#LogEntry", "#Certificate", "#Session"}, types
        assert {"#ComputerSystem", "#Memory", "#MemoryDomain", "#Fabric", "#Switch", "#Port", "#Endpoint", "#Chassis",
                "#Manager"} <= types, types
        # Each link of a stored object leads to another one, or to nothing that is offered.
        urls = dict(core.fetched)
        for uri, o in objects.items():
            for link in links({k: v for k, v in o.items() if k != "Oem"}):
                status = urls.get(AGENT + link)
                assert link in objects or status in (200, 403), (uri, link, status)
                assert status != 403 or not link.startswith(TREES) or link.endswith("/Entries") or "/Audit" in link or \
                    "/Certificates" in link, link
        assert not core.untagged, core.untagged
        count = len(objects)
    return "%d objects" % count


def a_core_at_an_address_of_ipv6_is_named_so():
    check(0, "--sunfish", "http://[2001:db8::7]:5000", "--listen", "http://[2001:db8::1]:8000", "--push-allow", "2001:db8::/32")
    check(2, "--sunfish", "http://[2001:db8::7]:5000")


# ---- events


def events_arrive_in_order():
    with core_of() as core, service(core) as d:
        context = registered(d, core)
        say(d, core, *["event %d" % i for i in range(20)])
        in_order(core)
        said = list(dict.fromkeys(t for t in core.texts() if t.startswith("event ")))
        assert said == ["event %d" % i for i in range(20)], said
        assert {e["Context"] for e in core.events()} == {context}


def events_that_the_core_cannot_take_are_not_sent():
    with core_of() as core, service(core) as d:
        registered(d, core)
        d.submit("of a task", OriginOfCondition=ROOT + "/TaskService")
        d.submit("a command", MessageId="Evil.1.0.TriggerEvent")
        d.submit("another", MessageId="Evil.1.0.AggregationSourceDiscovered", MessageArgs=["Redfish", "http://192.0.2.66"])
        d.submit("nothing new", MessageId="ResourceEvent.1.4.ResourceCreated")
        d.submit("without an origin")
        say(d, core, "the last")
        texts = core.texts()
        assert "without an origin" in texts, texts
        assert not {"of a task", "a command", "another", "nothing new"} & set(texts), texts
        assert len(core.sources()) == 1


def an_event_that_is_never_taken_does_not_stop_the_rest():
    def hangs_up(handler, method, body):
        handler.close_connection = bool(body and any(e.get("Message") == "bad" for e in body.get("Events", [])))
        return handler.close_connection

    with core_of() as core, service(core) as d:
        registered(d, core)
        core.behave = hangs_up
        memory = d.get(ROOT + "/Systems/Host/Memory")["Members"][0]["@odata.id"]
        d.submit("bad", OriginOfCondition=memory)
        say(d, core, "good")
        tried = [b["Events"][0] for b in core.seen("POST", "/EventListener") if b["Events"][0]["Message"] == "bad"]
        # The core may not know the origin. An attempt does not count while the core does not answer.
        assert len(tried) >= 3 and "OriginOfCondition" in tried[0] and "OriginOfCondition" not in tried[-1], tried
        assert "did not take event" in d.log()
        in_order(core)


def an_origin_that_the_core_does_not_know_is_left_out():
    with core_of() as core, service(core) as d:
        registered(d, core)
        memory = d.get(ROOT + "/Systems/Host/Memory")["Members"][0]["@odata.id"]
        with core.lock:
            del core.stored[memory]
        d.submit("of an unknown", OriginOfCondition=memory)
        wait_for("the event", lambda: "of an unknown" in core.texts())
        event, = [e for e in core.events() if e.get("Message") == "of an unknown"]
        assert "OriginOfCondition" not in event


# ---- restarts


def the_core_has_forgotten_everything():
    core = Core()
    with service(core) as d:
        first = registered(d, core)
        method = d.get(METHODS)["Members"]
        say(d, core, "before")
        core.close()
        memory = d.get(ROOT + "/Systems/Host/Memory")["Members"][0]["@odata.id"]
        d.submit("meanwhile", OriginOfCondition=memory)
        wait_for("the core is missed", lambda: d.get(OWN)["Status"]["Health"] == "Warning")
        core = Core()
        retry(d)
        wait_for("registered again", lambda: d.get(OWN)["Context"] not in (first, "") and is_serving(d))
        wait_for("the event of the outage", lambda: "meanwhile" in core.texts())
        assert "before" not in core.texts()
        say(d, core, "after")
        in_order(core)
        assert d.get(METHODS)["Members"] != method
        assert len(core.sources()) == 1 and len(core.objects()) > 50
        core.close()


def a_reset_of_the_core_is_noticed_by_an_offer():
    with core_of() as core, service(core) as d:
        first = registered(d, core)
        core.reset()
        # The core refuses what has a Context that it does not know.
        system = ROOT + "/Systems/Host"
        d.submit("created", MessageId="ResourceEvent.1.4.ResourceCreated", OriginOfCondition=system)
        wait_for("registered again", lambda: d.get(OWN)["Context"] not in (first, "") and is_serving(d))
        assert len(core.sources()) == 1


def the_service_keeps_its_id():
    with core_of() as core, service(core) as d:
        context = registered(d, core)
        say(d, core, "before")
        d.stop()
        d.start()
        assert registered(d, core) == context
        assert len(core.sources()) == 1 and len(core.contexts) == 1
        wait_for("offered again", lambda: core.offers().count(ROOT + "/Systems/Host") >= 2)
        say(d, core, "after")
        in_order(core)
        d.kill()
        d.start()
        assert registered(d, core) == context
        say(d, core, "after the crash")
        assert len(core.sources()) == 1


def both_restart():
    core = Core()
    with service(core) as d:
        first = registered(d, core)
        d.stop()
        core.close()
        d.start()
        wait_for("the core is missed", lambda: d.get(OWN)["Status"]["Health"] == "Warning")
        core = Core()
        retry(d)
        wait_for("registered again", lambda: d.get(OWN)["Context"] not in (first, "") and is_serving(d))
        say(d, core, "after")
        core.close()


def the_core_is_there_later():
    core = Core()
    url = core.url
    core.close()
    with service(core) as d:
        wait_for("the core is missed", lambda: d.get(OWN)["Status"]["Health"] == "Warning")
        core = Core()
        assert core.url == url
        retry(d)
        registered(d, core)
        core.close()


def a_method_that_the_core_knows_is_replaced():
    with core_of() as core, service(core) as d:
        context = registered(d, core)
        with core.lock:
            del core.stored[SOURCES + "/" + context]  # the ConnectionMethod stays
        retry(d)
        wait_for("registered again", lambda: d.get(OWN)["Context"] not in (context, "") and is_serving(d))
        assert len(core.sources()) == 1
        d.stop()
        path = d.state + "/state.db"
        # An older copy of the state: its ConnectionMethods are known to the core.
        subprocess.run([sys.executable, "-c", """
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
row = json.loads(db.execute("SELECT body FROM sunfish").fetchone()[0])
row.update(source="", generation=1)
db.execute("UPDATE sunfish SET body = ?", [json.dumps(row)])
db.commit()
""", path], check=True)
        d.start()
        wait_for("registered again", lambda: is_serving(d))
        assert len(core.sources()) == 2


def another_core_gets_all():
    with core_of() as core, service(core) as d:
        registered(d, core)
        second = Core(address="192.0.2.9")
        d.stop()
        d.command[d.command.index(core.url)] = second.url
        d.start()
        registered(d, second)
        assert len(second.sources()) == 1
        second.close()


def reads_of_the_core(core, uri, others):
    """Its answers, unconditionally and with the entity tags of its own body and of the others'."""
    def read(method, **headers):
        return exchange(core.address, method, AGENT + uri, **headers)

    first = read("GET")
    own = first[1]["ETag"]
    return first, [read(method, If_None_Match=own) for method in ("GET", "HEAD")], read("HEAD"), read("GET", If_None_Match=others)


def what_the_core_reads_is_conditional(core, d, uri):
    """With the entity tag of what is sent, which names the agent and so is not that of others."""
    while True:  # until nothing has changed meanwhile
        others = d.get(uri)["@odata.etag"]
        (status, headers, body), conditional, head, unknown = reads_of_the_core(core, uri, others)
        if d.get(uri)["@odata.etag"] == others:
            break
    tag = headers["ETag"]
    assert status == 200 and tag == body["@odata.etag"] and tag.startswith('"') and tag != others, (status, tag, others)
    assert "GET" in headers["Allow"] and "describedby" in headers["Link"], headers
    for status, headers, content in conditional:
        assert status == 304 and headers["ETag"] == tag and content is None, (status, headers)
    assert head[0] == 200 and head[1]["ETag"] == tag and head[2] is None, head
    assert unknown[0] == 200 and unknown[2]["@odata.etag"] == tag, unknown


def a_newer_core_reads_again_what_has_changed():
    core = NewerCore()
    with service(core) as d:
        context = registered(d, core)
        assert not core.warnings, core.warnings
        memory = d.get(ROOT + "/Systems/Host/Memory")["Members"][0]["@odata.id"]
        before = core.fetched.count((AGENT + memory, 200))
        d.submit("changed", MessageId="ResourceEvent.1.4.ResourceChanged", OriginOfCondition=memory)
        wait_for("it is read again", lambda: core.fetched.count((AGENT + memory, 200)) > before)
        d.submit("without a handler", OriginOfCondition=memory)
        wait_for("the last event", lambda: "without a handler" in [
            b["Events"][0]["Message"] for b in core.seen("POST", "/EventListener")])
        assert owner_of(core.stored[memory]) == SOURCES + "/" + context
        assert "CXLHost" in core.stored[memory]["Oem"], core.stored[memory]["Oem"]
        assert not core.untagged, core.untagged
        what_the_core_reads_is_conditional(core, d, memory)
        # A core that does not know whose a copy is refuses it when it is offered again.
        d.stop()
        d.start()
        assert registered(d, core) == context
        assert "did not take" not in d.log() and len(core.sources()) == 1
    core.close()


# ---- a hostile core


def a_core_that_answers_wrongly_is_tried_again():
    released = threading.Event()
    wrong = {
        "closes": lambda h: setattr(h, "close_connection", True),
        "redirects": lambda h: h.reply(307, "", Location="http://192.0.2.66/EventListener"),
        "no context": lambda h: h.reply(200, []),
        "an array": lambda h: h.reply(200, [[[]]]),
        "refuses": lambda h: h.reply(400, "no"),
        "conflicts": lambda h: h.reply(409, "known"),
        "fails": lambda h: h.reply(500, {}),
        "no HTTP": lambda h: (h.wfile.write(b"SSH-2.0-x\r\n\r\n"), setattr(h, "close_connection", True)),
    }
    names = []

    def behaves(handler, method, body):
        if released.is_set() or method != "POST":
            return False
        name = list(wrong)[len(names) % len(wrong)]
        names.append(name)
        wrong[name](handler)
        return True

    with core_of(behaves) as core, service(core) as d:
        for i in range(len(wrong)):
            wait_for("try %d" % i, lambda n=i: len(names) > n)
            retry(d)
        wait_for("it is noticed", lambda: d.get(OWN)["Status"]["Health"] == "Warning")
        assert not core.sources() and d.get(OWN)["Context"] == ""
        released.set()
        retry(d)
        registered(d, core)
        say(d, core, "after")


def an_id_that_others_show_is_none():
    """A server that says 200 to everything is no core that knows this service."""
    with core_of() as core, service(core) as d:
        registered(d, core)
        core.behave = lambda h, method, body: method == "GET" and (h.reply(200, {"Id": "another"}) or True)
        retry(d)
        wait_for("it is noticed", lambda: d.get(OWN)["Status"]["Health"] == "Warning")
        core.behave = None
        retry(d)
        wait_for("it is well again", lambda: d.get(OWN)["Status"]["Health"] == "OK")
        assert len(core.sources()) == 1


def a_core_that_is_slow_delays_nothing_else():
    asked, release = threading.Event(), threading.Event()

    def waits(handler, method, body):
        if method == "POST":
            asked.set()
            release.wait()
        return False

    with core_of(waits) as core, service(core) as d:
        assert asked.wait(180), "no registration"
        assert d.get(ROOT + "/Systems/Host")["Id"] == "Host"
        assert d.get(OWN)["Context"] == ""
        release.set()
        registered(d, core)


def a_core_that_never_answers_is_left():
    """After the time that a request may take."""
    asked = threading.Event()

    def hangs(handler, method, body):
        if method != "POST" or asked.is_set():
            return False
        asked.set()
        threading.Event().wait()

    with core_of(hangs) as core, service(core) as d:
        registered(d, core)
        assert asked.is_set() and len(core.sources()) == 1


def a_resource_that_is_never_taken_does_not_stop_the_rest():
    def refuses(handler, method, body):
        event = (body or {}).get("Events", [{}])[0]
        if not event.get("MessageId", "").endswith(".ResourceCreated"):
            return False
        if event["OriginOfCondition"]["@odata.id"] != ROOT + "/Systems/Host":
            return False
        handler.reply(400, "no")
        return True

    with core_of(refuses) as core, service(core) as d:
        registered(d, core)
        assert core.offers().count(ROOT + "/Systems/Host") >= 3, core.offers()
        assert "did not take resource 1" in d.log()
        assert ROOT + "/Fabrics/CXL" in core.objects()


# ---- rights


def only_the_core_may_write_and_only_its_context():
    with core_of() as core, service(core, "--read-only-peer", "192.0.2.9") as d:
        context = registered(d, core)
        other = {"Context": "00000000-0000-4000-8000-000000000000"}
        for address in ("192.0.2.8", "192.0.2.9", "192.0.2.1"):
            assert ask(address, "PATCH", AGENT + OWN, other)[0] == 403, address
        assert ask("192.0.2.9", "GET", AGENT + ROOT + "/Systems/Host")[0] == 200
        assert ask("192.0.2.8", "GET", AGENT + ROOT + "/Systems/Host")[0] == 403
        status, _, answer = d.ask("PATCH", OWN, other)
        assert status == 405, (status, answer)
        assert d.ask("DELETE", OWN)[0] == 405
        assert d.ask("POST", OWN + "/Actions/EventDestination.SuspendSubscription", {})[0] in (404, 405)
        system, log = ROOT + "/Systems/Host", ROOT + "/Systems/Host/LogServices/CXL"
        refused = [
            ("DELETE", OWN, None), ("POST", SUBSCRIPTIONS, {"Destination": "http://192.0.2.7/", "Protocol": "Redfish"}),
            ("POST", ROOT + "/SessionService/Sessions", {"UserName": "admin", "Password": "secret"}),
            ("PATCH", system, {"AssetTag": "x"}), ("POST", log + "/Actions/LogService.ClearLog", {}),
            ("POST", system + "/MemoryDomains", {}), ("GET", log + "/Entries", None), ("GET", ROOT + "/SessionService", None),
            ("GET", ROOT + "/Managers/Service/LogServices/Audit/Entries", None), ("GET", ROOT + "/AccountService", None),
            ("GET", system + "?$expand=.($levels=6)", None), ("GET", ROOT + "/EventService/SSE", None),
            ("POST", system + "/Actions/Oem/CXLHostComputerSystem.TranslateSPA", {"SPA": "0x0"}),
        ]
        for method, uri, body in refused:
            assert ask(core.address, method, AGENT + uri, body)[0] == 403, (method, uri)
        for value in ("", "x", 7, None, "../../../../etc/passwd", context + "0", context.replace("-", "/"), {}, [context]):
            status, answer = ask(core.address, "PATCH", AGENT + OWN, {"Context": value})
            assert status == 400, (value, status, answer)
        assert ask(core.address, "PATCH", AGENT + OWN, {"Context": context, "Protocol": "Redfish"})[0] == 400
        assert d.get(OWN)["Context"] == context
        # Two slashes are one, and nobody else's.
        assert ask(core.address, "PATCH", AGENT + "/" + OWN, {"Context": context})[0] == 200
        assert ask("192.0.2.8", "PATCH", AGENT + "/" + OWN, other)[0] == 403


def writes_come_back_only_when_they_may():
    """A captured host refuses them later; check_sunfish_writes has those that are made."""
    body = {"MemoryChunkSizeMiB": 512}
    for options, refusal in (((), 403), (("--sunfish-writes", "--allow", "regions"), 405)):
        with core_of() as core, service(core, *options) as d:
            registered(d, core)
            domain = d.get(ROOT + "/Systems/Host/MemoryDomains")["Members"][0]["@odata.id"]
            chunk = d.get(domain + "/MemoryChunks")["Members"][0]["@odata.id"]
            for method, uri, sent in (("POST", domain + "/MemoryChunks", body), ("DELETE", chunk, None)):
                core.answers.clear()
                assert ask("192.0.2.20", method, core.url + uri, sent)[0] == 500, (method, uri)
                (asked, status, answer), = core.answers
                assert status == refusal, (asked, status, answer)
                assert asked.startswith(AGENT + "/" + uri) and (method == "DELETE" or asked != AGENT + "/" + uri), asked
            # Nobody else, and nothing but that.
            assert ask("192.0.2.8", "DELETE", AGENT + chunk)[0] == 403
            assert ask(core.address, "POST", AGENT + ROOT + "/SessionService/Sessions",
                       {"UserName": "admin", "Password": "secret"})[0] == 403


def without_a_core_there_is_none():
    with core_of() as core, service(core) as d:
        registered(d, core)
        at = d.command.index("--sunfish")
        del d.command[at:at + 2]
        d.command += ["--read-only-peer", core.address]
        d.stop()
        d.start()
        assert d.ask("GET", OWN)[0] == 404
        assert not d.get(METHODS)["Members"] and not d.get(ROOT + "/AggregationService")["ServiceEnabled"]
        assert ask(core.address, "PATCH", AGENT + OWN, {"Context": "00000000-0000-4000-8000-000000000000"})[0] == 403
        assert ask(core.address, "GET", AGENT + ROOT + "/Systems/Host")[0] == 200


# ---- the configuration


def check(status, *options):
    """--check-config with the options, and what it says."""
    with open(SCRATCH + "/empty", "w", encoding="ascii"):
        pass
    os.makedirs(SCRATCH + "/checked", exist_ok=True)
    out = subprocess.run([PROGRAM, "--check-config", "--config", SCRATCH + "/empty", "--password-file", SCRATCH + "/password",
                          "--state", SCRATCH + "/checked", *options], capture_output=True, text=True, check=False)
    assert out.returncode == status, (options, out.returncode, out.stderr)
    return out.stderr


def configuration_is_checked():
    at, listen = ["--sunfish", "http://192.0.2.7:5000/"], ["--listen", AGENT]
    check(0, *at, *listen)
    assert "listen" in check(2, *at, "--listen", "unix:" + SCRATCH + "/x")
    assert "listen" in check(2, *at, "--listen", "http://0.0.0.0:8000")
    assert "listen" in check(2, *at, "--listen", "http://127.0.0.1:8000")
    assert "push-allow" in check(2, *at, *listen, "--push-allow", "198.51.100.0/24")
    assert "address" in check(2, "--sunfish", "http://core.example.org:5000", *listen)
    for url in ("ftp://192.0.2.7/", "192.0.2.7:5000", "http://", "http://u@192.0.2.7/", "http://192.0.2.7/?x",
                "http://[192.0.2.7]x/", "http://192.0.2.7/" + "x" * 300):
        check(2, "--sunfish", url, *listen)


sys.exit(run([registers_and_offers, a_core_at_an_address_of_ipv6_is_named_so, events_arrive_in_order,
              events_that_the_core_cannot_take_are_not_sent, an_event_that_is_never_taken_does_not_stop_the_rest,
              an_origin_that_the_core_does_not_know_is_left_out, the_core_has_forgotten_everything,
              a_reset_of_the_core_is_noticed_by_an_offer, the_service_keeps_its_id, both_restart, the_core_is_there_later,
              a_method_that_the_core_knows_is_replaced, another_core_gets_all,
              a_newer_core_reads_again_what_has_changed, a_core_that_answers_wrongly_is_tried_again,
              an_id_that_others_show_is_none, a_core_that_is_slow_delays_nothing_else,
              a_core_that_never_answers_is_left,
              a_resource_that_is_never_taken_does_not_stop_the_rest, only_the_core_may_write_and_only_its_context,
              writes_come_back_only_when_they_may, without_a_core_there_is_none, configuration_is_checked], sys.argv[4:]))
