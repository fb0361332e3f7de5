#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""mapping_hosts.py MAPPING QEMU-HOST MODEL-HOST: the rows of DSP0288's table 2 that MAPPING (docs/mapping.md)
lists are served of a captured switch.

The other arguments are the output of dump_redfish on the host whose switch QEMU emulates, and on the one with the
model's. On the model's, every row is served. On QEMU's, the rows are served whose last column has QEMU; those with
"model" are not, unless the host itself knows the property.
"""

import json
import re
import sys

# Actions are not shown of recorded answers, because they cannot be used.
ACTIONS = (14, 15)
ROWS = 33


def rows(path):
    """(number, resource, property, source, what the mailbox was tested with) of each row of table 2."""
    with open(path, encoding="utf-8") as file:
        part = file.read().split("## Commands of fabric managers", 1)[1]
    for line in re.findall(r"^\| \d.*$", part, re.MULTILINE):
        columns = [column.strip() for column in line.strip("|").split("|")]
        number, _, _, resource, name, source, _, tested = columns
        yield int(number), resource, name, source, tested


def resources(path):
    """The resources of a host, by the name of their schema."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for block in re.split(r"^(?:GET|POST) ", file.read(), flags=re.MULTILINE):
            body = block.partition("\n")[2].strip()
            if body:
                one = json.loads(body)
                kind = one.get("@odata.type", "#").lstrip("#").split(".")[0]
                found.setdefault(kind, []).append(one)
    return found


def has(resource, name):
    """Whether the resource has the property, "CXL/VCS/HDMDecoders"."""
    for part in name.split("/"):
        if isinstance(resource, list):
            resource = dict(enumerate(resource)).get(int(part))
        else:
            resource = resource.get(part) if isinstance(resource, dict) else None
    return resource is not None


def main():
    listed = list(rows(sys.argv[1]))
    qemu, model = (resources(path) for path in sys.argv[2:4])
    failed = 0

    def expect(row, hosts, what, wanted):
        nonlocal failed
        number, resource, name = row[:3]
        found = any(has(one, name) for one in hosts.get(resource, []))
        if found != wanted:
            print(f"FAIL: row {number}: {resource} {name} is {'served' if found else 'absent'} {what}")
            failed = 1

    if sorted({row[0] for row in listed}) != list(range(1, ROWS + 1)):
        print("FAIL: rows are missing")
        failed = 1
    for row in listed:
        number, _, _, source, tested = row
        if number in ACTIONS:
            expect(row, model, "of recorded answers", False)
        elif tested != "-":
            expect(row, model, "on the model's host", True)
        if tested == "QEMU":
            expect(row, qemu, "on QEMU's host", True)
        elif tested == "model" and ";" not in source:
            expect(row, qemu, "on QEMU's host, but only the model is named", False)
    return failed


if __name__ == "__main__":
    sys.exit(main())
