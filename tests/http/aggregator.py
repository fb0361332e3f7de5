#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Asks a service as bmcweb asks the satellites that it aggregates, and follows each link that results:
aggregator.py URL PEER STRANGER ID
PEER and STRANGER are addresses to ask from; the service lets the former read. ID is that of the host.

bmcweb reads by http without a login, adds NAME_ to the members of top collections in each property that is a URI by its
name, and removes it from the paths that it is asked for. A property of such a name that is no string, or text that is no
JSON, loses its reply; so does a body of more than 50 MB, or an answer that takes longer than a minute."""
import http.client
import json
import re
import sys
import urllib.parse

from redfish_client import links

PREFIX = "5B247A"
ROOT = "/redfish/v1"
TOP = ("Chassis", "Fabrics", "Managers", "Systems", "StorageServices", "StorageSystems", "Cables", "Facilities",
       "PowerEquipment/RackPDUs", "UpdateService/FirmwareInventory", "UpdateService/SoftwareInventory",
       "AggregationService/Aggregates", "TaskService/Tasks", "TelemetryService/MetricDefinitions",
       "TelemetryService/MetricReportDefinitions", "TelemetryService/MetricReports", "TelemetryService/Triggers",
       "SessionService/Sessions", "EventService/Subscriptions", "CompositionService/ResourceBlocks",
       "CompositionService/ResourceZones", "JobService/Jobs", "LicenseService/Licenses", "KeyService/NVMeoFKeyPolicies",
       "ResourceBlocks", "ThermalEquipment/CDUs")
URI_NAMES = {"@Redfish.ActionInfo", "@odata.id", "Image", "MetricProperty", "TaskMonitor", "target"}
RESOURCES_MAX = 400

service = urllib.parse.urlsplit(sys.argv[1])
problems, hidden, replies = [], [], 0


def ask(path, method="GET", source=sys.argv[2]):
    """Return: status, headers in lower case and body."""
    global replies
    replies += 1
    connection = http.client.HTTPConnection(service.hostname, service.port, timeout=600, source_address=(source, 0))
    connection.request(method, path, headers={"Host": service.netloc, "Accept": "*/*"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {key.lower(): value for key, value in answer.getheaders()}, body


def with_prefix(uri):
    for top in TOP:
        start = f"{ROOT}/{top}/"
        if uri.startswith(start) and len(uri) > len(start):
            return f"{start}{PREFIX}_{uri[len(start):]}"
    return uri


def without_prefix(uri):
    return uri.replace(PREFIX + "_", "", 1)


def is_uri(name):
    return name.lower().endswith("uri") or name in URI_NAMES


def add_prefixes(value, where):
    if isinstance(value, list):
        return [add_prefixes(item, where) for item in value]
    if not isinstance(value, dict):
        return value
    fixed = {}
    for name, item in value.items():
        if is_uri(name):
            if not isinstance(item, str):
                problems.append(f"{where}: {name} is no string: {item!r}")
            elif not re.fullmatch(r"[!-~]*", item):
                problems.append(f"{where}: {name} is no URI: {item!r}")
            else:
                item = with_prefix(item)
            fixed[name] = item
        else:
            fixed[name] = add_prefixes(item, where)
    return fixed


def read(path):
    """Return: the body as bmcweb passes it on."""
    status, headers, body = ask(path)
    if status == 403:  # what a reader without a login may not see
        hidden.append(path)
        return {}
    if status != 200:
        problems.append(f"{path}: status {status}")
        return {}
    if headers["content-type"].split(";")[0] != "application/json":
        return {}
    return add_prefixes(json.loads(body), path)


def walk():
    wanted, seen = [], set()
    for top in TOP:
        status, _, body = ask(f"{ROOT}/{top}")
        if status == 200:
            wanted += [m["@odata.id"] for m in add_prefixes(json.loads(body), top).get("Members", [])]
    members = len(wanted)
    while wanted and len(seen) < RESOURCES_MAX:
        uri = wanted.pop().split("#")[0]
        if uri in seen or f"/{PREFIX}_" not in uri:
            continue  # what is not below a top collection is the aggregator's own
        seen.add(uri)
        wanted += links(read(without_prefix(uri)))
    return members, len(seen)


members, n = walk()
assert members >= 4, members
assert ask(f"{ROOT}/Systems/{sys.argv[4]}")[0] == 200
assert n >= 50, n
assert len(hidden) < 5, hidden

# One peer reads without a login, and nothing is changed by it.
assert ask(ROOT + "/Systems", source=sys.argv[3])[0] != 200
for method in ("POST", "PATCH", "DELETE"):
    assert ask(ROOT + "/Systems/" + sys.argv[4], method)[0] not in (200, 202, 204), method
# NVIDIA's reads the stream of events as well.
connection = http.client.HTTPConnection(service.hostname, service.port, timeout=600, source_address=(sys.argv[2], 0))
connection.request("GET", ROOT + "/EventService/SSE", headers={"Host": service.netloc, "Accept": "text/event-stream"})
answer = connection.getresponse()
assert answer.status == 200 and answer.getheader("Content-Type").startswith("text/event-stream"), answer.read(800)
connection.close()
# A path with the prefix is the aggregator's; here it is unknown, and its reply is JSON that it can pass on.
status, headers, body = ask(f"{ROOT}/Systems/{PREFIX}_{sys.argv[4]}")
assert status == 404 and "error" in json.loads(body), (status, body)
# 502 and 429 mean to bmcweb that it sent nothing; the reply would be lost.
assert ask("/redfish/v1/nothing")[0] == 404
print("\n".join(problems))
print(f"{members} members, {n} resources, {replies} replies")
sys.exit(1 if problems else 0)
