#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host with another Id (system-id): its resources, what was stored under another one, and its clients.

    system_id.py DAEMON HOSTS SCRATCH [TEST...]

HOSTS is the directory of the captured hosts; SCRATCH has some of odd_hosts. URIs are turned here by regular expressions of
their own, so that the service's rule is compared with another one.
"""
import contextlib
import difflib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from event_peers import Daemon, Receiver, Stream, run, running, wait_for  # noqa: E402
from redfish_client import Service, links  # noqa: E402

PROGRAM, HOSTS, SCRATCH = sys.argv[1:4]
ROOT = "/redfish/v1/"
LOG = ROOT + "Systems/Host/LogServices/CXL/Entries"
INCIDENTS = ROOT + "Systems/Host/LogServices/Incidents/Entries"
SERIAL = re.compile(r"(^|-)(cxl|dev|switch)-[0-9a-f]{16}(-|$)")
OWN = re.compile(r"(/redfish/v1/)(Systems/Host|Chassis/Host|Managers/Service|Fabrics/CXL)(?=$|[/?#])")
MEMBER = re.compile(r"(/redfish/v1/(?:Chassis|Systems/Host/Memory|Systems/Host/FabricAdapters|UpdateService/FirmwareInventory|"
                    r"TelemetryService/MetricReports|Fabrics/CXL/(?:Switches|Endpoints|Zones|Connections))/)([^/?#{][^/?#]*)")
DEFAULT_ID = re.compile(r"/redfish/v1/(Systems/Host|Chassis/Host|Managers/Service|Fabrics/CXL)\b")
# Incidents are numbered in the order in which entries and events come: two services may have other numbers.
INCIDENT = re.compile(r"(/LogServices/Incidents/Entries/)[0-9]+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)")


def host(name):
    path = SCRATCH + "/" + name
    return path if os.path.isdir(path) else "%s/%s.tar.zst" % (HOSTS, name)


@contextlib.contextmanager
def daemon(name, *options, directory=None):
    with running(Daemon(PROGRAM, host(name), directory or tempfile.mkdtemp(dir=SCRATCH), *options)) as d:
        yield d


def shown(uri, name):
    """A URI with the default Ids, as clients of a host of that name see it; None: of the default one."""
    if name is None:
        return uri
    m = MEMBER.match(uri)
    if m and m[1] + m[2] != ROOT + "Chassis/Host" and not SERIAL.search(m[2]):
        uri = m[1] + name + "-" + uri[len(m[1]):]
    return OWN.sub(lambda m: m[1] + m[2].split("/")[0] + "/" + name, uri, count=1)


def turned(value, name):
    """A body, as shown(); without what differs between two services anyway."""
    if isinstance(value, dict):
        body = {key: turned(item, name) for key, item in value.items()}
        own = value.get("@odata.id", "")
        if "Id" in value and own.endswith("/" + value["Id"]):
            body["Id"] = INCIDENT.sub(r"\1N", shown(own, name)).rsplit("/", 1)[1]
        body.pop("@odata.etag", None)
        return body
    if isinstance(value, list):
        return [turned(item, name) for item in value]
    if isinstance(value, str):
        return TIME.sub("TIME", INCIDENT.sub(r"\1N", shown(value, name)))
    return value


def same(uri, wanted, got):
    """Fails with the first lines that differ."""
    lines = [json.dumps(body, indent=1, sort_keys=True).splitlines() for body in (wanted, got)]
    differ = [line for line in difflib.unified_diff(*lines, lineterm="", n=0) if not line.startswith("@@")]
    assert not differ, "%s:\n%s" % (uri, "\n".join(differ[2:10]))


def alike(usual, named, name, uri):
    """Return: the resource of both services; nothing while they differ, as before all readings are the same."""
    body, answer = usual.get(uri), named.get(shown(uri, name))
    wanted, got = turned(body, name), turned(answer, None)
    if uri == INCIDENTS:
        for entries in (wanted, got):
            entries["Members"].sort(key=lambda entry: json.dumps(entry, sort_keys=True))
    if uri == ROOT + "TelemetryService/MetricReportDefinitions/Day":
        for device in wanted["Wildcards"]:
            device["Values"] = [v if SERIAL.search(v) else name + "-" + v for v in device["Values"]]
    # Each login is recorded, and they are asked as often as it takes.
    return (body, answer) if "/LogServices/Audit/" in uri or wanted == got else None


def compare(usual, named, name):
    """All resources of two services on the same host. Return: how many, and how many have another URI."""
    todo, seen, differ = [ROOT], set(), 0
    while todo:
        uri = todo.pop().split("#")[0]
        if uri in seen or uri.endswith("/SSE"):
            continue
        seen.add(uri)
        if INCIDENT.fullmatch(uri, len(ROOT + "Systems/Host")):
            assert usual.get(uri)["@odata.id"] == uri
            continue
        body, answer = wait_for(uri, lambda u=uri: alike(usual, named, name, u))
        if uri == INCIDENTS:
            for entry in answer["Members"]:
                same(entry["@odata.id"], turned(named.get(entry["@odata.id"]), None), turned(entry, None))
        assert not DEFAULT_ID.search(json.dumps(answer)), (uri, answer)
        if shown(uri, name) != uri:
            differ += 1
            code, _, error = named.ask("GET", uri)
            assert code == 404 and uri in json.dumps(error), (uri, code, error)
        todo += links(body)
    return len(seen), differ


def all_resources_have_the_id():
    counts = []
    for name in ("switch-mailbox-7.3", "switch-model-7.3", "serials", "names", "near"):
        with daemon(name) as usual, daemon(name, "--system-id", "name:Rack7-n1") as named:
            counts.append("%s %d of %d" % ((name,) + compare(usual, named, "Rack7-n1")[::-1]))
    with daemon("serials", "--system-id", "name:n") as d:
        ids = [d.get(m["@odata.id"])["Id"] for m in d.get(ROOT + "Systems/n/Memory")["Members"]]
    assert ids and all(re.fullmatch(r"n-[0-9a-f]{4}-[0-9a-f]{2}-[0-9a-f]{2}\.[0-7]", i) for i in ids), ids
    return ", ".join(counts)


def machine_ids():
    try:
        with open("/etc/machine-id", encoding="ascii") as f:
            machine = f.read().strip()
    except OSError:
        machine = ""
    if not re.fullmatch("[0-9a-f]{32}", machine):
        out = subprocess.run([PROGRAM, "--check-config", "--config", "/dev/null", "--listen", "unix:" + SCRATCH + "/x",
                              "--system-id", "machine"], capture_output=True, text=True, check=False)
        assert out.returncode == 2 and "no machine id" in out.stderr, out
        return "this machine has no machine id"
    import hashlib
    import hmac
    key = hmac.new(bytes.fromhex(machine), bytes.fromhex("6d1b9e553c0f4a6297d40e5b21c8fa73"), hashlib.sha256)
    own = key.hexdigest()[:16]
    with daemon("normalized-7.3", "--system-id", "machine") as d:
        assert d.get(ROOT + "Systems")["Members"] == [{"@odata.id": ROOT + "Systems/" + own}]
        assert d.get(ROOT + "Managers/" + own)["Id"] == own
        assert machine not in json.dumps(d.get(ROOT + "Systems/" + own))
    return own


def parts(entry):
    """Its URIs, and what never changes."""
    return {key: entry[key] for key in ("@odata.id", "Id", "Links", "Message")}


def stream_of(d, n):
    """The first @n events of the service, from the beginning on."""
    stream = Stream(d.socket, last_id=0)
    wait_for("%d events" % n, lambda: len(stream.events) >= n)
    bodies = [body for _, body, _ in list(stream.events)]
    stream.close()
    return bodies


def what_is_stored_has_the_new_id():
    directory = tempfile.mkdtemp(dir=SCRATCH)
    receiver = Receiver()
    with daemon("plain-7.3", directory=directory) as d:
        wait_for("all entries", lambda: d.get(LOG)["Members@odata.count"] == 17)
        device = d.get(ROOT + "Systems/Host/Memory")["Members"][0]["@odata.id"]
        subscription = d.subscribe(receiver.url, OriginResources=[{"@odata.id": device}], SubordinateResources=True,
                                   RegistryPrefixes=["Test"])
        d.submit("before", OriginOfCondition=device, MessageArgs=[device])
        wait_for("the event", lambda: receiver.texts() == ["before"])
        d.expect(200, "PATCH", LOG + "/5", {"Resolved": True})
        wait_for("an incident", lambda: d.get(INCIDENTS)["Members"])
        wait_for("news of the status", lambda: any("ResourceStatusChanged" in json.dumps(b) for b in stream_of(d, 17)))
        before, incident = d.get(LOG)["Members"], d.get(INCIDENTS)["Members"][0]
        n_events = len(stream_of(d, 17))
    with daemon("plain-7.3", "--system-id", "name:node7", directory=directory) as d:
        for entry, old in zip(d.get(shown(LOG, "node7"))["Members"], before, strict=True):
            same(entry["@odata.id"], turned(parts(old), "node7"), turned(parts(entry), None))
        # It may have more entries meanwhile.
        own = d.get(shown(incident["@odata.id"], "node7"))["Links"]
        assert own["OriginOfCondition"] == turned(incident["Links"]["OriginOfCondition"], "node7"), own
        bodies = stream_of(d, n_events)
        said = [b["Events"][0] for b in bodies]
        # The text of a client is its own, also when it is a URI.
        own = [e for e in said if e["Message"] == "before"]
        assert own[0].pop("MessageArgs") == [device] and own[0]["OriginOfCondition"]["@odata.id"] == shown(device, "node7"), own
        assert not DEFAULT_ID.search(json.dumps(said)), [e for e in said if DEFAULT_ID.search(json.dumps(e))]
        changed = [e for e in said if "StatusChanged" in e["MessageId"]]
        assert changed
        for e in changed:
            assert e["MessageArgs"][0] == e["OriginOfCondition"]["@odata.id"], e
            assert "'%s'" % e["MessageArgs"][0] in e["Message"], e
        # The subscription goes on, and is shown with the URI of now.
        assert d.get(subscription)["OriginResources"] == [{"@odata.id": shown(device, "node7")}]
        d.submit("after", OriginOfCondition=shown(device, "node7"))
        d.submit("of another", OriginOfCondition=ROOT + "Chassis/node7")
        d.submit("below", OriginOfCondition=shown(device, "node7") + "/MemoryMetrics")
        wait_for("the events", lambda: receiver.texts() == ["before", "after", "below"])
        assert receiver.records()[1]["OriginOfCondition"]["@odata.id"] == shown(device, "node7")
        audit = d.get(ROOT + "Managers/node7/LogServices/Audit/Entries")["Members"]
        patched = [e for e in audit if "PATCH" in e.get("MessageArgs", [])]
        assert patched[0]["MessageArgs"][1] == shown(LOG, "node7") + "/5", patched
        assert patched[0]["Links"]["OriginOfCondition"]["@odata.id"] == shown(LOG, "node7") + "/5", patched
        assert not DEFAULT_ID.search(json.dumps(audit)), audit
    with daemon("plain-7.3", directory=directory) as d:
        assert d.get(subscription)["OriginResources"] == [{"@odata.id": device}]
        for entry, old in zip(d.get(LOG)["Members"], before, strict=True):
            same(entry["@odata.id"], turned(parts(old), None), turned(parts(entry), None))
    receiver.close()
    return "%d events, %d of a status" % (len(said), len(changed))


def requests_have_the_id():
    metrics = tempfile.mkdtemp(dir=SCRATCH) + "/metrics"
    with daemon("plain-7.3", "--system-id", "name:node7", "--metrics", "unix:" + metrics) as d:
        assert b'\ncxl_redfish_system_info{system="node7"} 1\n' in Service(metrics).ask("GET", "/metrics")[2]
        log = shown(LOG, "node7")
        wait_for("all entries", lambda: d.get(log)["Members@odata.count"] == 17)
        assert d.get(log + "?$top=2")["Members@odata.nextLink"].startswith(log + "?")
        # As a client of several hosts, which starts at the root.
        out = subprocess.run(["./cxl-spa", "events", "--socket", d.socket, "--resolve", "5"], capture_output=True, text=True,
                             check=False)
        assert out.returncode == 0 and "entry 5 is resolved" in out.stdout, out
        assert d.get(log + "/5")["Resolved"] is True
        out = subprocess.run(["./cxl-spa", "events", "--socket", d.socket, "--resolve", "99"], capture_output=True, text=True,
                             check=False)
        assert out.returncode == 1 and "there is no entry 99" in out.stderr, out
        d.expect(404, "PATCH", LOG + "/6", {"Resolved": True})
        assert d.get(log + "/6")["Resolved"] is False
        captures = ROOT + "Systems/node7/LogServices/Captures"
        headers, _ = d.expect(202, "POST", captures + "/Actions/LogService.CollectDiagnosticData", {"DiagnosticDataType": "OS"})
        task = headers["Location"].replace("TaskMonitors", "Tasks")
        wait_for("the archive", lambda: d.get(task)["TaskState"] == "Completed")
        body = d.get(task)
        assert body["Payload"]["TargetUri"].startswith(captures + "/Actions/"), body
        entry = d.get(captures + "/Entries")["Members"][0]
        assert body["Links"]["CreatedResources"] == [{"@odata.id": entry["@odata.id"]}], (body, entry)
        assert entry["AdditionalDataURI"].startswith(entry["@odata.id"] + "/"), entry
        stream = Stream(d.socket, last_id=0, query="?$filter=OriginResource%20eq%20'" +
                        d.get(ROOT + "Systems/node7/Memory")["Members"][0]["@odata.id"] + "'")
        assert stream.status == 200
        stream.close()


def names_and_a_reload():
    def check(*options):
        return subprocess.run([PROGRAM, "--check-config", "--listen", "unix:" + SCRATCH + "/x", *options], capture_output=True,
                              text=True, check=False)

    config = SCRATCH + "/conf"
    for bad in ("node7", "name:", "name:a b", "name:" + "x" * 65, "name:cxl-00000000deadbeef"):
        with open(config, "w", encoding="ascii") as f:
            f.write("log-level = info\nsystem-id = %s\n" % bad)
        out = check("--config", config)
        assert out.returncode == 2 and config + ":2" in out.stderr and "system-id" in out.stderr, (bad, out)
        out = check("--config", "/dev/null", "--system-id", bad)
        assert out.returncode == 2 and "system-id" in out.stderr, (bad, out)

    def configure(text):
        with open(config + ".new", "w", encoding="ascii") as f:
            f.write(text)
        os.rename(config + ".new", config)

    configure("system-id = name:one\n")
    with daemon("normalized-7.3", "--config", config) as d:
        assert "this host is /redfish/v1/Systems/one" in d.log(), d.log()
        configure("system-id = name:two\n")
        d.process.send_signal(signal.SIGHUP)
        wait_for("the reload", lambda: "the new value of system-id is used after a restart" in d.log())
        assert d.get(ROOT + "Systems/one")["Id"] == "one"
        assert d.ask("GET", ROOT + "Systems/two")[0] == 404
        d.stop()
        d.start()
        assert d.get(ROOT + "Systems/two")["Id"] == "two"


TESTS = [all_resources_have_the_id, machine_ids, what_is_stored_has_the_new_id, requests_have_the_id, names_and_a_reload]

if __name__ == "__main__":
    sys.exit(run(TESTS, sys.argv[4:]))
