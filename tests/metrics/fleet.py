#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prometheus' records of many services, compared with what each of them says:
fleet.py HOSTS-FILE [N-GONE]
The first N of the file do not answer; then the alert about them is looked for in the Alertmanager."""
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter

PROMETHEUS, ALERTMANAGER = "http://127.0.0.1:9090", "http://127.0.0.1:9093"
NOT_RECORDED = ("events_not_recorded", "events_not_in_kernel", "events_partly_recorded", "events_not_stored")


def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode()


def query(expression):
    """Return: the samples by their labels without the name."""
    answer = json.loads(get(f"{PROMETHEUS}/api/v1/query?" + urllib.parse.urlencode({"query": expression})))
    rows = {}
    for row in answer["data"]["result"]:
        row["metric"].pop("__name__", None)
        rows[tuple(sorted(row["metric"].items()))] = float(row["value"][1])
    return rows


def labels(**items):
    return tuple(sorted({"job": "cxl-redfish", **items}.items()))


def samples(text, name):
    for match in re.finditer(rf"^{name}{{(.*)}} (\S+)$", text, re.M):
        yield dict(re.findall(r'(\w+)="([^"]*)"', match[1])), float(match[2])


def worst(text):
    open_ = {row["severity"] for row, n in samples(text, "cxl_incident_open") if n}
    for severity in ("critical", "warning", "ok"):
        if severity in open_:
            return severity
    return "none"


def expected(hosts, gone):
    """Return: the samples that the rules are to record, by what the services say now."""
    texts = [get(f"http://{host}/metrics") for host in hosts[gone:]]
    by_worst = Counter(map(worst, texts))
    by_worst["unknown"] = gone
    rows = {"job:cxl_hosts:count": {labels(worst=name): by_worst[name]
                                    for name in ("critical", "warning", "ok", "none", "unknown")}}
    devices, bad = Counter(), Counter()
    for text in texts:
        sick = {row["device"] for row, n in samples(text, "cxl_incident_open") if n and row["severity"] != "ok"}
        for row, _ in samples(text, "cxl_device_info"):
            key = labels(**{name: row[name] for name in ("model", "firmware") if name in row})
            devices[key] += 1
            bad[key] += row["device"] in sick
    rows["job:cxl_devices:count"] = dict(devices)
    rows["job:cxl_devices_with_incident:count"] = {key: bad[key] for key in devices}
    rows["job:cxl_hosts_not_recorded:count"] = {labels(): sum(
        any(row["fault"] in NOT_RECORDED and n for row, n in samples(text, "cxl_service_fault")) for text in texts)}
    return rows


def main():
    hosts, gone = open(sys.argv[1]).read().split(), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    until = time.monotonic() + 600
    while True:
        problems = []
        try:
            rows = expected(hosts, gone)
            for name, wanted in rows.items():
                if (found := query(name)) != wanted:
                    problems.append(f"{name}: {found}, not {wanted}")
            if gone:
                alerts = {a["labels"]["alertname"] for a in json.loads(get(f"{ALERTMANAGER}/api/v2/alerts"))}
                if "CXLFleetHostsUnknown" not in alerts:
                    problems.append(f"alerts: {alerts}")
        except (urllib.error.URLError, ConnectionError) as e:  # not up yet
            problems.append(str(e))
        if not problems:
            break
        if time.monotonic() > until:
            print("\n".join(problems))
            sys.exit(1)
        time.sleep(0.5)
    # It would find something.
    total = sum(rows["job:cxl_hosts:count"].values())
    assert total == len(hosts) and rows["job:cxl_hosts:count"][labels(worst="critical")] > 0, rows
    assert sum(rows["job:cxl_devices:count"].values()) > 0, rows


main()
