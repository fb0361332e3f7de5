#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""excerpts.py DMTF QUERY: the properties of excerpts in QUERY (redfish/query/query.c) are those of DMTF's CSDL.

They are the required ones and those with the annotation Excerpt, of all schemas that are served: Sensor alone has any.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "http"))
from csdl import Csdl, annotations  # noqa: E402


def main():
    csdl = Csdl([Path(sys.argv[1]) / "csdl"])
    query = Path(sys.argv[2])
    table = (query.parent.parent / "core/schema_table.c").read_text(encoding="utf-8")
    wanted = {}
    for schema, version in re.findall(r'^\t\{"(\w+)", "(v\w+)",', table, re.MULTILINE):
        if schema.startswith("CXLHost"):
            continue
        properties = csdl.properties("%s.%s.%s" % (schema, version, schema))
        terms = {name: annotations(p).keys() for name, p in properties.items()}
        if any("Redfish.Excerpt" in t for t in terms.values()):
            # Copies alone have what is ExcerptCopyOnly; it is harmless in the list.
            wanted[schema] = {n for n, t in terms.items() if t & {
                "Redfish.Excerpt", "Redfish.Required", "Redfish.ExcerptCopyOnly"} and not n.startswith("@")}
    listed = re.search(r"sensor_excerpt\[\] = \{(.*?)\};", query.read_text(encoding="utf-8"), re.DOTALL)
    found = {"Sensor": set(re.findall(r'"(\w+)"', listed[1]))}
    if found != wanted:
        sys.exit("FAIL: excerpts are %s, not %s" % (wanted, found))


main()
