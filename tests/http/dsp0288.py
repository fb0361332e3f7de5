#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The 70 rows of DSP0288's tables, each looked at where a running service shows it.

    dsp0288.py keep SOCKET FILE		keeps all resources of a service, and what it says to a PATCH of row 8
    dsp0288.py judge MAPPING FILE...	holds them against docs/mapping.md

Each row that MAPPING shows must be a property of a resource of that type, on one of the hosts at least, with the value
that EXPECTED has; a row that is absent must be absent of each device that the host sees.
"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from redfish_client import PatientService, links  # noqa: E402

ROWS = {1: 37, 2: 33}
ROOT = "/redfish/v1/"
# (table, row) -> values of which each must be seen somewhere. Without one, any value will do.
EXPECTED = {
    (1, 2): [True, False],
    (1, 3): [5],
    (1, 6): ["1.5.0-rc1"],
    (1, 15): [None],
    (1, 18): [512],
    (1, 19): [512],
    (1, 31): [{"MasterPassphraseAttemptCountReached": False, "UserPassphraseAttemptCountReached": False}],
    (2, 5): ["USP", "DSP"],
    (2, 7): ["Type3SLD", "Type3MLD"],
    (2, 19): [True],
}
# Beside the rows: states that belong to them.
STATES = [("Memory", "SecurityState", "Enabled"), ("Memory", "SecurityState", "Locked"),
          ("Memory", "SecurityState", "Frozen"), ("LogEntry", "CXLEntryType", "Warning")]


def rows(path):
    """(table, row, resource, property, whether it is absent) of each row of the document."""
    text = Path(path).read_text(encoding="utf-8")
    first, second = text.split("## Commands of fabric managers", 1)
    shown, absent = first.split("\n## Absent", 1)
    for table, part, is_absent in ((1, shown, False), (1, absent, True), (2, second, False)):
        for line in re.findall(r"^\| \d.*$", part, re.MULTILINE):
            number, _, _, resource, name = [column.strip() for column in line.strip("|").split("|")][:5]
            yield table, int(number), resource, name, is_absent


def keep(path, file):
    service, found, todo = PatientService(path), {}, [ROOT]
    while todo:
        uri = todo.pop().split("#")[0]
        if uri in found or not uri.startswith(ROOT):
            continue
        status, headers, text = service.ask("GET", uri)
        is_json = status == 200 and headers["Content-Type"].startswith("application/json")
        found[uri] = json.loads(text) if is_json else None
        todo += links(found[uri])
    devices = sorted(uri for uri, body in found.items() if (body or {}).get("CXLDevice", {}).get("Timestamp"))
    set_timestamp = [service.ask_json("PATCH", uri, {"CXLDevice": {"Timestamp": "2026-01-01T00:00:00Z"}}, {"If-Match": "*"})[0]
                     for uri in devices]
    Path(file).write_text(json.dumps({"found": found, "set_timestamp": set_timestamp}), encoding="utf-8")


ABSENT = object()


def value_of(resource, name):
    """The property "CXL/VCS/HDMDecoders" of it, which may be null; ABSENT without."""
    for part in name.split("/"):
        if isinstance(resource, list):
            resource = resource[int(part)] if int(part) < len(resource) else ABSENT
        else:
            resource = resource.get(part, ABSENT) if isinstance(resource, dict) else ABSENT
    return resource


class Hosts:
    def __init__(self, files):
        kept = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
        self.bodies = [body for one in kept for body in one["found"].values() if body]
        self.set_timestamp = [status for one in kept for status in one["set_timestamp"]]

    def values(self, resource, name):
        return [value for body in self.bodies if body.get("@odata.type", "").startswith("#%s." % resource)
                for value in [value_of(body, name)] if value is not ABSENT]


def wrong(listed, hosts):
    """Sentences."""
    for table, n in ROWS.items():
        missing = set(range(1, n + 1)) - {row for t, row, *_ in listed if t == table}
        if missing:
            yield "table %d: rows %s are not in the document" % (table, sorted(missing))
    elsewhere = {(resource, name) for _, _, resource, name, is_absent in listed if not is_absent}
    for table, row, resource, name, is_absent in listed:
        values = hosts.values(resource, name)
        what = "table %d, row %d: %s %s" % (table, row, resource, name)
        if is_absent and (resource, name) not in elsewhere and values:
            yield "%s is shown" % what
        if not is_absent and not values:
            yield "%s is on no host" % what
        for value in EXPECTED.get((table, row), []):
            if value not in values:
                yield "%s is %s on no host, but %s" % (what, value, values[:5])
    for resource, name, value in STATES:
        if value not in hosts.values(resource, name):
            yield "%s %s is %s on no host" % (resource, name, value)
    if not hosts.set_timestamp or set(hosts.set_timestamp) - {400, 405}:
        yield "table 1, row 8: PATCH of the timestamp gives %s" % hosts.set_timestamp


def main():
    if sys.argv[1] == "keep":
        keep(*sys.argv[2:])
        return 0
    listed, hosts = list(rows(sys.argv[2])), Hosts(sys.argv[3:])
    failures = list(wrong(listed, hosts))
    for failure in failures:
        print("FAIL: " + failure)
    print("%d rows of %d resources, %d failures" % (len(listed), len(hosts.bodies), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
