#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A running service whose devices are renamed between two requests of a client: two names change places.

    renamed.py DAEMON HOST SCRATCH

HOST is the directory of a captured host, which is changed.
"""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
from event_peers import SUBSCRIPTIONS, Daemon, Receiver, Stream, running, wait_for  # noqa: E402

PROGRAM, HOST, SCRATCH = sys.argv[1:4]
BOOTS = str(Path(__file__).resolve().parent / "two_boots.py")
SYSTEM = "/redfish/v1/Systems/Host"
AUDIT = "/redfish/v1/Managers/Service/LogServices/Audit"


def two_boots(*args):
    return subprocess.run([sys.executable, "-B", BOOTS, *args], check=True, stdout=subprocess.PIPE).stdout


def reread(d):
    for n in (1, 2):  # the first may have begun before the change
        seen = d.log().count("topology was read again")
        d.process.send_signal(signal.SIGHUP)
        wait_for("topology %d" % n, lambda before=seen: d.log().count("topology was read again") > before)


def is_of_its_time(uri):
    """Entries of the event log; an incident has the names of now."""
    return "/Entries" in uri and "/Incidents/" not in uri


def walk(d, name):
    """All resources but those of the clients' own acts, as a file without entries of the event log. Return: its path, and all."""
    bodies = {uri: body for uri, body in json.loads(two_boots("walk", d.socket)).items()
              if not uri.startswith((SUBSCRIPTIONS, AUDIT))}
    path = os.path.join(SCRATCH, name)
    objects = {uri: body for uri, body in bodies.items() if not is_of_its_time(uri)}
    # Their texts list devices in the order in which the kernel found them.
    objects[SYSTEM] = dict(objects[SYSTEM], Oem={})
    with open(path, "w", encoding="utf-8") as f:
        json.dump(objects, f)
    return path, bodies


def rename(d):
    path = os.path.join(SCRATCH, "names")
    with open(path, "wb") as f:
        f.write(two_boots("rename", HOST))
    reread(d)
    return path


def walk_renamed(d):
    """All resources before and after: each object has its URI. Readings and the health of the log come later than the topology,
    and may be missing in the first walk: then it is done again, with more patience, and the names go back."""
    for tries in (4, 16, 64, 256, 1024):
        first, before = walk(d, "first.json")
        names = rename(d)
        for _ in range(tries):
            second, after = walk(d, "second.json")
            result = subprocess.run([sys.executable, "-B", BOOTS, "compare", first, second, names], check=False,
                                    stdout=subprocess.PIPE)
            if result.returncode == 0:
                return before, after
            time.sleep(0.05)
    raise AssertionError("an object has another URI: " + result.stdout.decode())


def named(bodies):
    """The objects whose name is the kernel's: URI, name."""
    return {uri: body["Oem"]["CXLHost"]["KernelName"] for uri, body in bodies.items()
            if "KernelName" in body.get("Oem", {}).get("CXLHost", {})}


def conditions_of_before(d, before, renamed):
    for uri in renamed:
        tag = before[uri]["@odata.etag"]
        status, headers, _ = d.ask("GET", uri, headers={"If-None-Match": tag})
        assert status == 200 and headers["ETag"] != tag, (uri, status, tag)
        status, _, answer = d.ask("PATCH", uri, {"Nothing": 1}, {"If-Match": tag})
        assert status in (405, 412), (uri, status, answer)


def expansions(d):
    for uri in (SYSTEM + "/Memory", SYSTEM + "/MemoryDomains", "/redfish/v1/Chassis"):
        # A reading may come between the two requests.
        wait_for("members of %s as they are alone" % uri, lambda: all(
            member == d.get(member["@odata.id"]) for member in d.get(uri + "?$expand=.")["Members"]))


def plain(value):
    """An entry of a log without its entity tag, and without the slot of now, which is not known of a device that an address alone names."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in ("@odata.etag", "Slot")}
    return [plain(v) for v in value] if isinstance(value, list) else value


def entries_are_of_their_time(before, after):
    """With the names of then."""
    for uri in before:
        if is_of_its_time(uri):
            assert plain(before[uri]) == plain(after[uri]), (uri, before[uri], after[uri])


def events(d, stream, receiver, memory, other):
    """A subscription is about its object; and no object came or went."""
    for text, origin in (("of it", memory), ("of another", other), ("the last", memory)):
        d.submit(text, OriginOfCondition=origin)
    wait_for("the last event", lambda: "the last" in receiver.texts() and "the last" in stream.texts())
    for record in receiver.records():
        assert record["OriginOfCondition"]["@odata.id"] == memory, record
    assert [t for t in receiver.texts() if t.startswith(("of ", "the "))] == ["of it", "the last"], receiver.texts()
    for _, body, _ in list(stream.events):
        key = body["Events"][0]["MessageId"].rsplit(".", 1)[1]
        assert key not in ("ResourceCreated", "ResourceRemoved"), body


def objects_keep_their_uris(scratch):
    receiver = Receiver()
    d = Daemon(PROGRAM, HOST, scratch, "--poll", "3600")
    with running(d):
        memory, other = sorted(m["@odata.id"] for m in d.get(SYSTEM + "/Memory")["Members"])[:2]
        d.subscribe(receiver.url, OriginResources=[{"@odata.id": memory}])
        stream = Stream(d.socket)
        before, after = walk_renamed(d)
        old, new = named(before), named(after)
        renamed = [uri for uri in old if old[uri] != new.get(uri)]
        assert memory in renamed and sorted(old) == sorted(new), (old, new)
        # Each name that passed on is another object's now.
        assert {old[uri] for uri in renamed} & {new[uri] for uri in renamed}, renamed
        conditions_of_before(d, before, renamed)
        expansions(d)
        entries_are_of_their_time(before, after)
        events(d, stream, receiver, memory, other)
        for uri in renamed:
            assert d.ask("GET", uri.rsplit("/", 1)[0] + "/" + old[uri])[0] == 404, uri
        stream.close()
    receiver.close()


def an_object_that_is_gone(scratch):
    """Its URI is 404, also once its name is another one's."""
    d = Daemon(PROGRAM, HOST, scratch, "--poll", "3600")
    with running(d):
        uris = {d.get(m["@odata.id"])["Name"]: m["@odata.id"] for m in d.get(SYSTEM + "/Memory")["Members"]}
        gone, other = sorted(uris)[:2]
        kept = d.get(uris[gone])
        devices = Path(HOST, "sys/bus/cxl/devices")
        device = devices / gone
        target = os.readlink(device)
        device.unlink()
        reread(d)
        tag = {"If-Match": kept["@odata.etag"]}
        for method, uri, body in (("GET", uris[gone], None), ("HEAD", uris[gone], None), ("PATCH", uris[gone], {"Enabled": False}),
                                  ("DELETE", uris[gone], None), ("GET", uris[gone] + "/MemoryMetrics", None),
                                  ("POST", uris[gone] + "/Actions/Oem/CXLHostMemory.TranslateDPA",
                                   {"DevicePhysicalAddress": "0x0"})):
            status, _, _ = d.ask(method, uri, body, tag)
            assert status == 404, (method, uri, status)
        assert d.get(uris[other])["Name"] == other
        device.symlink_to(target)
        reread(d)
        assert d.get(uris[gone])["Name"] == gone


def main():
    for number, test in enumerate((objects_keep_their_uris, an_object_that_is_gone)):
        scratch = os.path.join(SCRATCH, "service-%d" % number)
        os.mkdir(scratch)
        try:
            test(scratch)
        except AssertionError as problem:
            print("FAIL: %s: %s" % (test.__name__, problem))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
