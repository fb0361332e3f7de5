#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""deprecated.py MAPPING DMTF OWN DUMP...: the list of MAPPING (docs/mapping.md) of deprecated properties that are
served is complete and true.

DMTF has the newest CSDL of DMTF in csdl/, OWN is our own; each DUMP is the output of dump_redfish on a host. A row
agrees with the CSDL's version, with the row of DSP0288 that it names, and with a host, which has both the property and
what stands for it; hosts have no other deprecated property.
"""

import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "http"))
from csdl import EDM, Csdl, CsdlCheck, annotations  # noqa: E402

n_failed = 0


def fail(text):
    global n_failed
    n_failed += 1
    print("FAIL: " + text)


def table(text, heading):
    """The rows of the first table behind a heading, in columns."""
    part = text.split("\n## %s\n" % heading, 1)[1].split("\n## ", 1)[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")]
    return [[c.strip() for c in line.strip("|").split("|")] for line in rows[1:]]


def bodies(path):
    for block in re.split(r"^(?:GET|POST) ", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
        text = block.partition("\n")[2].strip()
        body = json.loads(text) if text else {}
        if "@odata.type" in body:
            yield body


def version(element):
    for record in annotations(element)["Redfish.Revisions"].iter(EDM + "Record"):
        values = {v.get("Property"): v for v in record.findall(EDM + "PropertyValue")}
        if values["Kind"].get("EnumMember").endswith("/Deprecated"):
            return values["Version"].get("String")
    return None


def at(body, path):
    for name in path.split("/"):
        body = body.get(name) if isinstance(body, dict) else None
    return body


def served(csdl, dumps):
    """{(schema, path): (element, the bodies that have it)} of the deprecated properties."""
    found = {}
    for body in (b for dump in dumps for b in bodies(dump)):
        check = CsdlCheck(csdl, body)
        for where, element in check.deprecated:
            key = check.namespace.split(".")[0], re.sub(r"/\d+(?=/|$)", "", where).lstrip("/")
            found.setdefault(key, (element, []))[1].append(body)
    return found


def check_row(row, found, demanded):
    schema, path, since, instead, number, reason = row
    element, having = found.get((schema, path), (None, []))
    if element is None:
        fail("no captured host has %s of %s, or it is not deprecated" % (path, schema))
        return
    if version(element) != since:
        fail("%s of %s is deprecated since %s, not %s" % (path, schema, version(element), since))
    if not any(d[0] == number and d[3] == schema and (d[4] + "/").startswith(path + "/") for d in demanded):
        fail("row %s of DSP0288 does not demand %s of %s" % (number, path, schema))
    if not any(at(body, instead) is not None for body in having):
        fail("no captured host has %s next to %s" % (instead, path))
    if not reason:
        fail("%s of %s has no reason" % (path, schema))


def main():
    mapping, dmtf, own = map(Path, sys.argv[1:4])
    text = mapping.read_text(encoding="utf-8")
    listed = table(text, "Deprecated, and served")
    found = served(Csdl([dmtf / "csdl", own]), [Path(p) for p in sys.argv[4:]])
    for row in listed:
        check_row(row, found, table(text, "Commands of fabric managers"))
    for schema, path in sorted(found.keys() - {(r[0], r[1]) for r in listed}):
        fail("%s of %s is deprecated and served, but not listed in %s" % (path, schema, mapping))
    sys.exit(n_failed > 0)


main()
