#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare scrapes with the table of families and with the files that use them: metrics.py TABLE SCRAPES SRCDIR

SCRAPES has NAME.txt (text 0.0.4) and NAME.om (OpenMetrics) of the same service. Each sample is of a family of the table, with
its labels and no others; both formats have the same samples. Each name in the alert rules and in the dashboard is
that of a sample in one of the scrapes, and each label there one of it. Prints what is wrong, and exits with 1.
"""
import json
import re
import sys
from pathlib import Path

SAMPLE = re.compile(r"([a-z_]+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')
NAME = re.compile(r"(?<![:\w])cxl_[a-z_]+\b(?!=|~|!)")  # what rules record has a colon before it
# Values of which another scrape of the same moment may have another one.
MOVING = re.compile(r"cxl_event_(store_checking|queue)$")
OPTIONAL = {"serial", "pci", "model", "firmware", "window"}  # of a device or region of which it is not known
UNSEEN = {"cxl_pages_offlined"}  # no page is out of use on a captured host
SERVER = {"job", "instance"}  # added by Prometheus

problems = []


def read_table(path):
    table = {}
    for line in path.read_text().splitlines()[2:]:
        name, kind, labels, _ = [cell.strip(" `") for cell in line.strip("|").split("|")]
        known = set(labels.split(", ")) - {""}
        for suffix in ("_bucket", "_sum", "_count") if kind == "histogram" else ("",):
            table[name + suffix] = known - ({"le"} if suffix in ("_sum", "_count") else set())
    return table


def read_samples(path):
    samples = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        found = SAMPLE.fullmatch(line)
        if not found:
            problems.append(f"{path.name}: {line}")
            continue
        name, labels, value = found.groups()
        samples[(name, labels or "")] = value
    return samples


def check_labels(path, samples, table):
    for name, text in samples:
        labels = {label for label, _ in LABEL.findall(text)}
        if name not in table:
            problems.append(f"{path.name}: {name} is not in the table")
        elif not table[name] - OPTIONAL <= labels <= table[name]:
            problems.append(f"{path.name}: {name} has labels {', '.join(sorted(labels))}")


def check_scrapes(directory, table):
    seen = set()
    for path in sorted(directory.glob("*.txt")):
        text, om = read_samples(path), read_samples(path.with_suffix(".om"))
        check_labels(path, text, table)
        same = {k: v for k, v in text.items() if not MOVING.match(k[0])}
        if same != {k: v for k, v in om.items() if not MOVING.match(k[0])}:
            problems.append(f"{path.stem}: not the same samples in both formats")
        seen |= {name for name, _ in text}
    return seen


def uses(path):
    """Expressions, and the legends beside them, of a dashboard or a file of rules."""
    if path.suffix == ".json":
        dashboard = json.loads(path.read_text())
        for panel in dashboard["panels"]:
            for target in panel.get("targets", []):
                yield target["expr"], target["legendFormat"]
        for variable in dashboard["templating"]["list"]:
            if variable["type"] == "query":
                yield variable["query"]["query"], ""
        return
    # Without a parser of YAML: expressions stand in one line, or indented below "expr: |".
    for block in re.split("- (?:alert|record):", path.read_text())[1:]:
        expression = re.search(r"expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", block)
        yield expression.group(1) or expression.group(2), ""


def check_use(path, seen, table):
    n = 0
    for expression, legend in uses(path):
        bare = re.sub(r'"[^"]*"', '""', expression)
        names = {name for name in NAME.findall(bare) if name not in ("cxl_event_store", "cxl_firmware_state") or
                 re.search(rf"\b{name}\{{", bare)}
        n += len(names)
        for name in names - seen - UNSEEN:
            problems.append(f"{path.name}: {name} is in no scrape")
        known = SERVER.union(*(table.get(name, set()) for name in names))
        for label in re.findall(r"([a-z_]+)(?:=~|!=|!~|=)\"", bare) + re.findall(r"\{\{(\w+)\}\}", legend):
            if names and label not in known:
                problems.append(f"{path.name}: no metric of {expression.strip()} has the label {label}")
    if n < 10:
        problems.append(f"{path.name}: {n} names of metrics only")


def main():
    table, srcdir = read_table(Path(sys.argv[1])), Path(sys.argv[3])
    seen = check_scrapes(Path(sys.argv[2]), table)
    for path in (srcdir / "contrib/prometheus/cxl-redfish.rules.yml", srcdir / "contrib/grafana/cxl-redfish.json",
                 srcdir / "contrib/prometheus/cxl-redfish.fleet.rules.yml"):
        check_use(path, seen, table)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
