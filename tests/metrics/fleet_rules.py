#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A test of the rules for many hosts, as promtool reads it: for each alert series with which it does not fire, and series
with which it does.
fleet_rules.py RULES-FILE"""
import json
import sys

JOB = "cxl-redfish"


def series(name, value, **labels):
    text = ", ".join(f'{key}="{text}"' for key, text in {"job": JOB, **labels}.items())
    return {"series": f"{name}{{{text}}}", "values": value if " " in value else value + "x200"}


def incident(instance, kind, severity):
    return series("cxl_incident_open", "2", instance=instance, device="d", kind=kind, severity=severity)


def hosts(n, critical=0, not_recorded=0, down=0):
    """The first ones went down, the next are critical; the first ones do not record."""
    rows = []
    for i in range(n):
        host = f"h{i}"
        rows += [series("up", str(int(i >= down)), instance=host),
                 series("cxl_redfish_info", "1" if i >= down else "1 1 stale", instance=host),
                 series("cxl_service_fault", str(int(i < not_recorded)), instance=host, fault="events_not_recorded"),
                 series("cxl_service_fault", "1", instance=host, fault="helper")]
        if down <= i < down + critical:
            rows.append(incident(host, "poison", "critical"))
    return rows


def devices(n, firmware, bad):
    rows = []
    for i in range(n):
        host = f"{firmware}-{i}"
        rows.append(series("cxl_device_info", "1", instance=host, device="d", model="1e98:0d93", firmware=firmware))
        if i < bad:
            rows.append(incident(host, "media-corrected", "warning"))
    return rows


def translations(exact, interval):
    return [series("cxl_event_translations_total", f"0+{n}", instance="h", source=source)
            for source, n in (("prm", exact), ("estimate", interval))]


def pages(out, failed):
    return [series("cxl_pages_offlined", str(n), instance="h", device="d", outcome=outcome)
            for outcome, n in (("out", out), ("failed", failed))]


def systems(*ids):
    return [series("cxl_redfish_system_info", "1", instance=f"h{i}", system=name) for i, name in enumerate(ids)]


ALERTS = (
    ("CXLFleetManyHostsCritical", hosts(20, critical=1), hosts(20, critical=2), {"severity": "critical", "worst": "critical"},
     "2 hosts have critical incidents of CXL memory",
     f"These are more than 5 % of the hosts of {JOB}: look for what they share, as a new firmware."),
    ("CXLFleetFirmwareSuspect", devices(30, "1.0", 4) + devices(30, "1.1", 4), devices(60, "1.0", 1) + devices(20, "1.1", 5),
     {"severity": "warning", "model": "1e98:0d93", "firmware": "1.1"},
     "5 devices 1e98:0d93 with firmware 1.1 have open incidents",
     f"Their part is more than 10 %, and three times that of all devices of {JOB}: stop its roll-out."),
    ("CXLFleetEventsNotRecorded", hosts(20), hosts(20, not_recorded=1), {"severity": "warning"},
     "1 of the hosts do not record CXL events, or not all",
     f"These are more than 1 % of the hosts of {JOB}: cxl_service_fault has the reason of each."),
    ("CXLFleetHostsUnknown", hosts(20, down=1), hosts(20, down=2), {"severity": "warning", "worst": "unknown"},
     "2 hosts do not answer",
     f"These are more than 5 % of the hosts of {JOB}: the health of their CXL memory is not known."),
    ("CXLFleetAddressesInexact", translations(99, 1), translations(80, 20), {"severity": "warning"},
     "20% of the addresses of a day are not exact",
     "Their pages cannot be taken out of use. instance:cxl_event_translations_inexact:ratio_1d names the hosts of "
     f"{JOB}."),
    ("CXLFleetPagesFailed", pages(95, 5), pages(80, 20), {"severity": "warning", "outcome": "failed"},
     "20 bad pages could not be taken out of use (failed)",
     f"These are more than 10 % of the pages that {JOB} is to keep out: `cxl-spa page list` on a host has the reasons."),
)
# Alerts that several hosts have at once.
EACH = (
    ("CXLFleetSystemIdTwice", systems("a", "b", "c"), systems("a", "b", "a"), ("h0", "h2"),
     {"severity": "warning", "system": "a"}, "has the Id a, as 2 hosts have",
     "Clients of many hosts take one for the other: set another system-id, or make a new machine id on a clone."),
)
SUMS = (
    ("hosts by their worst incident", hosts(4, critical=1, down=1) + [incident("h2", "wear", "warning")],
     "job:cxl_hosts:count",
     {f'job:cxl_hosts:count{{job="{JOB}", worst="{worst}"}}': n
      for worst, n in (("critical", 1), ("warning", 1), ("ok", 0), ("none", 1), ("unknown", 1))}),
    ("pages by outcome", pages(7, 2), "job:cxl_pages_offlined:sum",
     {f'job:cxl_pages_offlined:sum{{job="{JOB}", outcome="{outcome}"}}': n for outcome, n in (("out", 7), ("failed", 2))}),
    ("devices by model and firmware", devices(3, "1.0", 1), "job:cxl_devices_with_incident:count",
     {f'job:cxl_devices_with_incident:count{{job="{JOB}", model="1e98:0d93", firmware="1.0"}}': 1}),
)


def expected(labels, summary, description):
    return {"exp_labels": {"job": JOB, **labels}, "exp_annotations": {"summary": summary, "description": description}}


def alert_test(name, alert, rows, fired):
    return {"name": f"{alert} {name}", "interval": "1m", "input_series": rows,
            "alert_rule_test": [{"eval_time": "150m", "alertname": alert, "exp_alerts": fired}]}


def sum_test(name, rows, query, samples):
    return {"name": name, "interval": "1m", "input_series": rows,
            "promql_expr_test": [{"expr": query, "eval_time": "10m",
                                  "exp_samples": [{"labels": key, "value": value} for key, value in samples.items()]}]}


tests = [sum_test(*row) for row in SUMS]
for alert, quiet, loud, labels, summary, description in ALERTS:
    tests += [alert_test("does not fire", alert, quiet, []),
              alert_test("fires", alert, loud, [expected(labels, summary, description)])]
for alert, quiet, loud, instances, labels, summary, description in EACH:
    tests += [alert_test("does not fire", alert, quiet, []),
              alert_test("fires", alert, loud, [expected({"instance": host, **labels}, f"{host} {summary}", description)
                                                for host in instances])]
# JSON is YAML.
print(json.dumps({"rule_files": sys.argv[1:], "evaluation_interval": "1m", "tests": tests}))
