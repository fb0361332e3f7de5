#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two boots of one machine:
two_boots.py rename DIRECTORY	gives the devices of a captured host the names of another boot; prints the names
two_boots.py walk SOCKET		prints all resources, as JSON by their URIs
two_boots.py compare FIRST SECOND NAMES	each URI of the first boot is the same object in the second
"""
import json
import os
import re
import sys

from redfish_client import Service, links

# Names that the kernel counts as it finds devices. Ports and endpoints share their numbers, which decoders have, too; memN has pmemN.
COUNTED_AS = {"mem": "mem", "pmem": "mem", "region": "region", "port": "port", "endpoint": "port"}
NAME = re.compile(r"(?<![A-Za-z0-9])(?:(mem|pmem|region|port|endpoint)(\d+)|(decoder)(\d+)\.(\d+))(?![A-Za-z0-9])")
ANY_NAME = re.compile(NAME.pattern + r"|\bdax\d+\.\d+")
# Properties that each process, and each reading of a clock, has of its own.
OWN = ("@odata.etag", "DateTime", "Timestamp", "Created", "Modified", "LastUpdated", "Updated", "CollectedAt", "StartTime",
       "EventTimestamp", "ServiceEntryPointUUID")


def text_of(path):
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read()
    except (UnicodeDecodeError, OSError):
        return None
    return None if "\0" in text else text


def reversed_numbers(found):
    ordered = sorted(set(found), key=int)
    return dict(zip(ordered, reversed(ordered)))


class Names:
    """The names of the other boot: each kind is counted in the opposite order."""

    def __init__(self, paths):
        found = {"mem": [], "region": [], "port": [], "window": []}
        for path in paths:
            for kind, number, decoder, port, index in NAME.findall(path):
                if decoder and port == "0":
                    found["window"].append(index)
                elif kind:
                    found[COUNTED_AS[kind]].append(number)
        self.other = {kind: reversed_numbers(numbers) for kind, numbers in found.items()}

    def of(self, text):
        def renamed(m):
            kind, number, decoder, port, index = m.groups()
            if not decoder:
                return kind + self.other[COUNTED_AS[kind]].get(number, number)
            if port == "0":
                return "decoder0." + self.other["window"].get(index, index)
            return "decoder%s.%s" % (self.other["port"].get(port, port), index)
        return NAME.sub(renamed, text)


def rename(top):
    # Ports of a switch's own mailbox have its own numbers.
    every = [(d, dirs + files) for d, dirs, files in os.walk(top, topdown=False) if "/mbox/switch-" not in d]
    names = Names(os.path.relpath(os.path.join(d, n), top) for d, entries in every for n in entries)
    for directory, entries in every:
        for entry in entries:
            path = os.path.join(directory, entry)
            if os.path.islink(path):
                target = os.readlink(path)
                os.unlink(path)
                os.symlink(names.of(target), path)
            elif os.path.isfile(path):
                text = text_of(path)
                if text is not None and names.of(text) != text:
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(names.of(text))
        # All at once: two names may change places.
        for entry in entries:
            if names.of(entry) != entry:
                os.rename(os.path.join(directory, entry), os.path.join(directory, "renamed." + names.of(entry)))
        for entry in os.listdir(directory):
            if entry.startswith("renamed."):
                os.rename(os.path.join(directory, entry), os.path.join(directory, entry[len("renamed."):]))
    print(json.dumps(names.other))


def walk(socket):
    service, bodies, todo = Service(socket), {}, ["/redfish/v1/"]
    while todo:
        uri = todo.pop().split("#")[0]
        # Resources that are the same for all hosts, and those of this process.
        if uri in bodies or re.match(r"/redfish/v1/(Registries|schemas|SessionService|TaskService|AccountService|\$metadata)", uri):
            continue
        status, _, body = service.ask("GET", uri)
        if status == 200:
            bodies[uri] = json.loads(body)
            todo += links(bodies[uri])
    print(json.dumps(bodies))


def plain(value, of):
    """The body of an object, with the names of the other boot, and without the order in which the kernel found objects. A text that
    has a name in it may be about the first of several, which is another one then."""
    if isinstance(value, dict):
        return {k: v if k == "@odata.id" else plain(v, of) for k, v in value.items() if k not in OWN}
    if isinstance(value, list):
        return sorted((plain(v, of) for v in value), key=json.dumps)
    if not isinstance(value, str) or value.startswith("/redfish/"):
        return value
    return of(value) if NAME.fullmatch(value) else ANY_NAME.sub("NAME", value)


def differences(a, b, at=""):
    if isinstance(a, dict) and isinstance(b, dict):
        return [d for k in sorted(set(a) | set(b)) for d in differences(a.get(k), b.get(k), "%s/%s" % (at, k))]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, "%s/%d" % (at, i))]
    return [] if a == b else ["%s: %s, and then %s" % (at, a, b)]


def compare(first, second, other):
    names = Names([])
    names.other = other
    failed = 0
    for uri in sorted(set(first) | set(second)):
        if uri not in first or uri not in second:
            lines = ["it is there in one boot only"]
        else:
            # The UUID of a service that shows a capture is made of the bytes of the capture.
            for body in (first[uri], second[uri]):
                if uri in ("/redfish/v1/", "/redfish/v1/Managers/Service"):
                    body.pop("UUID", None)
            lines = differences(plain(first[uri], names.of), plain(second[uri], lambda text: text))
        for line in lines:
            print("FAIL: %s: %s" % (uri, line))
            failed += 1
        if NAME.search(uri):
            print("FAIL: %s has a name that the kernel gave" % uri)
            failed += 1
    print("%d resources compared" % len(first))
    return failed


def loaded(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


if sys.argv[1] == "rename":
    rename(sys.argv[2])
elif sys.argv[1] == "walk":
    walk(sys.argv[2])
else:
    sys.exit(1 if compare(*map(loaded, sys.argv[2:5])) else 0)
