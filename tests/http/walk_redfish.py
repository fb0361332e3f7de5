#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Follow every reference of a running service.

    walk_redfish.py SOCKET LISTING

SOCKET is the service's Unix socket (no login), LISTING what `dump_redfish` printed of the same
host. Every reference must lead to something, everything there is must be found, and a link must be
known here: either it has its counterpart at the other end, or the schemas have none. Prints each
violation; status 0 when there is none.
"""
import re
import sys
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
from redfish_client import Service, parse, walk  # noqa: E402

ROOT = "/redfish/v1/"
# URIs without a link to them: the entry points of a client.
STARTS = ["/redfish", ROOT + "odata", ROOT + "$metadata", ROOT + "openapi.yaml"]
# Named by a property that is no link, and without an end.
STREAM = ROOT + "EventService/SSE"

# "TYPE PATH|PATH": a link at one of these paths of a type; the other end has one of the other's,
# back to it or to a part of it. Both directions are checked.
PAIRS = [
    ("Chassis Links/Contains", "Chassis Links/ContainedBy"),
    ("Chassis Links/ComputerSystems", "ComputerSystem Links/Chassis"),
    ("Chassis Links/ManagedBy", "Manager Links/ManagerForChassis"),
    ("Chassis Links/ManagersInChassis", "Manager Links/ManagerInChassis"),
    ("Chassis Links/Processors", "Processor Links/Chassis"),
    ("Chassis Oem/CXLHost/Memory|Oem/CXLHost/Parts", "Memory Links/Chassis"),
    ("Manager Links/ManagerForServers", "ComputerSystem Links/ManagedBy"),
    ("Manager Links/ManagerForFabrics", "Fabric Links/ManagedBy"),
    ("Manager Links/ManagerForSwitches", "Switch Links/ManagedBy"),
    ("Memory Links/Processors", "Processor Links/Memory"),
    ("Memory Links/Endpoints", "Endpoint ConnectedEntities/EntityLink"),
    ("Memory Oem/CXLHost/Decoders/MemoryChunks", "MemoryChunks InterleaveSets/Memory"),
    ("MemoryChunks Links/CXLLogicalDevices", "CXLLogicalDevice Links/MemoryChunks"),
    ("MemoryChunks Links/MemoryRegions", "MemoryRegion MemoryChunks/ChunkLink"),
    ("MemoryExtent Links/MemoryRegions", "MemoryRegion MemoryExtents/ExtentLink"),
    ("MemoryChunks Links/Endpoints", "Endpoint ConnectedEntities/EntityLink"),
    ("MemoryDomain Links/CXLLogicalDevices", "CXLLogicalDevice Links/MemoryDomains"),
    ("MemoryDomain Links/PCIeFunctions", "PCIeFunction Links/MemoryDomains"),
    ("MemoryDomain Links/FabricAdapters", "FabricAdapter Links/MemoryDomains"),
    ("CXLLogicalDevice Links/PCIeFunctions", "PCIeFunction Links/CXLLogicalDevice"),
    ("CXLLogicalDevice Links/Endpoints", "Endpoint ConnectedEntities/EntityLink"),
    ("Processor Links/Endpoints", "Endpoint ConnectedEntities/EntityLink"),
    ("FabricAdapter Links/Endpoints", "Endpoint ConnectedEntities/EntityLink|Links/LocalPorts"),
    ("Endpoint Links/Zones", "Zone Links/Endpoints"),
    ("Endpoint Links/Connections", "Connection Links/InitiatorEndpoints|Links/TargetEndpoints"),
    ("Endpoint Links/LocalPorts|Links/ConnectedPorts", "Port Links/AssociatedEndpoints"),
    ("Port Links/ConnectedPorts|Links/ConnectedSwitchPorts",
     "Port Links/ConnectedPorts|Links/ConnectedSwitchPorts"),
    ("Port Oem/CXLHost/VPPB", "VirtualPCI2PCIBridge Oem/CXLHost/HostPort"),
    ("Switch Links/Chassis", "Chassis Links/Switches"),
    ("Switch Links/PCIeDevice", "PCIeDevice Links/Switch"),
]

# For these the schemas have no counterpart, or it is a collection above the resource.
ONE_WAY = [
    ("AccountService PrivilegeMap", "PrivilegeRegistry"),
    ("Chassis EnvironmentMetrics", "EnvironmentMetrics"),
    ("ManagerAccount Links/Role", "Role"),
    ("CertificateLocations Links/Certificates", "Certificate"),
    ("ComputerSystem PCIeDevices", "PCIeDevice"),
    ("ComputerSystem PCIeFunctions", "PCIeFunction"),
    ("ComputerSystem Links/Endpoints", "Endpoint"),
    ("Memory Links/MemoryRegionMediaSources", "MemoryRegion"),
    ("SoftwareInventory RelatedItem", "Memory"),
    ("SoftwareInventory RelatedItem", "PCIeDevice"),
    ("MemoryDomain InterleavableMemorySets/MemorySet", "Memory"),
    ("PCIeDevice Links/Chassis", "Chassis"),
    ("PCIeDevice Links/ConnectedPCIePorts", "Port"),
    ("PCIeFunction Links/PCIeDevice", "PCIeDevice"),
    ("CXLLogicalDevice Log", "LogService"),
    ("CXLLogicalDevice Oem/CXLHost/Memory", "Memory"),
    ("CXLLogicalDevice Oem/CXLHost/VPPB", "VirtualPCI2PCIBridge"),
    ("Endpoint ConnectedEntities/EntityLink", "Switch"),
    ("FabricAdapter Links/PCIeDevices", "PCIeDevice"),
    ("Switch Links/Endpoints", "Endpoint"),
    ("Switch LogServices", "LogServiceCollection"),
    ("Port Links/ConnectedSwitches", "Switch"),
    ("VirtualCXLSwitch Links/Port", "Port"),
    ("VirtualCXLSwitch Links/Endpoints", "Endpoint"),
    ("VirtualPCI2PCIBridge Links/Port", "Port"),
    ("VirtualPCI2PCIBridge Links/Endpoints", "Endpoint"),
    ("Zone Links/InvolvedSwitches", "Switch"),
    ("Connection MemoryChunkInfo/MemoryChunk", "MemoryChunks"),
    ("Connection Oem/CXLHost/VPPB", "VirtualPCI2PCIBridge"),
    ("* Status/Conditions/OriginOfCondition", "Memory"),
    ("* Status/Conditions/OriginOfCondition", "MemoryChunks"),
    ("* Status/Conditions/OriginOfCondition", "Port"),
    ("ComputerSystem Oem/CXLHost/Findings/OriginOfCondition", "ComputerSystem"),
    ("ComputerSystem Oem/CXLHost/Findings/OriginOfCondition", "Memory"),
    ("ComputerSystem Oem/CXLHost/Findings/OriginOfCondition", "MemoryChunks"),
    ("ComputerSystem Oem/CXLHost/Findings/OriginOfCondition", "MemoryDomain"),
    ("ComputerSystem Oem/CXLHost/Findings/OriginOfCondition", "Switch"),
    ("Sensor RelatedItem", "Memory"),
    ("* Status/Conditions/LogEntry", "LogEntry"),
    ("LogEntry Links/OriginOfCondition", "Memory"),
    ("LogEntry Links/OriginOfCondition", "Port"),
    ("LogEntry Links/OriginOfCondition", "Switch"),
    ("LogEntry Links/OriginOfCondition", "VirtualPCI2PCIBridge"),
    ("LogEntry Links/RelatedItem", "MemoryChunks"),
    ("LogEntry Links/RelatedItem", "PCIeDevice"),
    ("LogEntry Links/RelatedLogEntries", "LogEntry"),
    ("LogEntry Oem/CXLHost/MemoryChunks", "MemoryChunks"),
    ("MetricReport MetricReportDefinition", "MetricReportDefinition"),
    ("MetricReport Oem/CXLHost/Memory", "Memory"),
]


def side(text):
    kind, _, paths = text.partition(" ")
    return kind, paths.split("|")


def split_table():
    for left, right in PAIRS:
        yield side(left), side(right)
        if left != right:
            yield side(right), side(left)


class Walker:
    def __init__(self, service):
        self.service = service
        self.found = {}  # URI -> body, None for what is no resource
        self.failures = 0

    def fail(self, uri, text):
        self.failures += 1
        print("FAIL: %s: %s" % (uri, text))

    def references(self, uri, headers, text):
        """The links of a document of any kind."""
        if headers["Content-Type"].startswith("application/xml"):
            for element in ET.fromstring(text).iter():
                target = element.get("Uri", "")
                if element.tag.endswith("}Reference") and target.startswith("/"):
                    yield target
            return
        for where, item in walk(parse(text)):
            for key in ("@odata.id", "@odata.context", "@Redfish.ActionInfo", "v1", "url"):
                if key in item:
                    yield item[key]
            if re.search(r"/Location/\d+$", where) and "Uri" in item:
                yield item["Uri"]

    def targets(self, body):
        for _, item in walk(body.get("Actions", {})):
            if "target" in item:
                yield item["target"]

    def get(self, uri, linked_from):
        status, headers, text = self.service.ask("GET", uri)
        if status != 200:
            self.fail(uri, "status %d, linked from %s" % (status, linked_from))
            return []
        if headers["Content-Type"].startswith("application/json"):
            body = parse(text)
            if "@odata.id" in body:
                self.found[uri] = body
        # A schema refers to schemas, which is not ours to follow; openapi.py looks into the OpenAPI document.
        return [] if "/schemas/" in uri or uri.endswith(".yaml") else list(self.references(uri, headers, text))

    def follow(self):
        todo = [(uri, "nowhere") for uri in STARTS]
        while todo:
            uri, linked_from = todo.pop()
            if uri in self.found:
                continue
            self.found[uri] = None
            todo += [(target, uri) for target in self.get(uri, linked_from)]
            stream = (self.found[uri] or {}).get("ServerSentEventUri")
            if stream:
                self.found[stream] = None  # It has no end that could be waited for.
            for target in self.targets(self.found[uri] or {}):
                self.found[target] = None
                if self.service.ask("GET", target)[1]["Allow"] != "POST":
                    self.fail(uri, "%s is no action" % target)

    def compare(self, listing):
        """All there is was found, and nothing else."""
        expected = set(re.findall(r"^(?:GET|POST) (\S+)$", listing, re.MULTILINE))
        for uri in sorted(expected - set(self.found) - {STREAM}):
            self.fail(uri, "nothing leads to it")
        for uri in sorted(set(self.found) - expected):
            # A member of a store is in no listing, but its collection is.
            if uri.rpartition("/")[0] not in expected or "/Entries/" not in uri:
                self.fail(uri, "is not in the listing")


def type_of(body):
    return body["@odata.type"].rpartition(".")[2]


def links(uri, body):
    """
    (path, target) of the links that lead elsewhere; what lies below a resource is its part, and
    members that stand in a collection whole are looked at alone.
    """
    below = uri.rstrip("/") + "/"
    for where, item in walk(body):
        target = item.get("@odata.id")
        path = re.sub(r"/\d+(?=/|$)", "", where).lstrip("/")
        inline = re.match("Members(/|$)", path)
        if where and target and not inline and not target.startswith(below):
            yield path, target


class Links:
    """All links, and the rules for them."""

    def __init__(self, walker):
        self.fail = walker.fail
        self.bodies = {uri: body for uri, body in walker.found.items() if body}
        self.at = {}  # (URI, path) -> targets
        for uri, body in self.bodies.items():
            for path, target in links(uri, body):
                self.at.setdefault((uri, path), []).append(target)

    def check(self, uri, path, target):
        kinds = type_of(self.bodies[uri]), type_of(self.bodies[target])
        known = False
        for (kind, paths), (other, back) in split_table():
            if kinds != (kind, other) or path not in paths:
                continue
            known = True
            there = [t for p in back for t in self.at.get((target, p), [])]
            if not any(t == uri or t.startswith(uri + "/") for t in there):
                self.fail(uri, "%s leads to %s, which has no way back" % (path, target))
        for left, other in ONE_WAY:
            kind, paths = side(left)
            known |= kind in ("*", kinds[0]) and path in paths and other == kinds[1]
        if not known:
            self.fail(uri, "%s leads to the %s %s: not in the tables" % (path, kinds[1], target))

    def check_all(self):
        for (uri, path), targets in self.at.items():
            if len(set(targets)) != len(targets) and path.startswith("Links/"):
                self.fail(uri, "%s has a link twice" % path)
            for target in targets:
                if target in self.bodies:
                    self.check(uri, path, target)


class Capacities:
    """
    Sums that a client may rely on: what is free of a device is the size of its static MemoryRegions without
    what InterleaveSets of the host's regions take of it, and what is free of a window is its size
    without its MemoryChunks. The OEM figures come from the decoders.
    """

    def __init__(self, walker):
        self.fail = walker.fail
        self.bodies = {uri: body for uri, body in walker.found.items() if body}
        self.checked = 0

    def of_type(self, kind, below):
        return [(uri, body) for uri, body in self.bodies.items()
                if type_of(body) == kind and uri.startswith(below)]

    def static_size(self, below):
        """MiB. Capacity of dynamic regions is known to the mailbox of a switch alone."""
        return sum(region["RegionSizeMiB"] for _, region in self.of_type("MemoryRegion", below)
                   if region["RegionType"] == "Static")

    def compare(self, uri, free, oem):
        """Compares when the host knows both."""
        if "FreeBytes" not in oem:
            return
        self.checked += 1
        expected = int(oem["FreeBytes"], 16) + int(oem.get("ReservedBytes", "0"), 16)
        if free << 20 != expected:
            self.fail(uri, "%d MiB are free by the rule, %d bytes by the decoders" % (free, expected))

    def check_devices(self):
        taken = {}
        for _, chunks in self.of_type("MemoryChunks", ROOT + "Systems/"):
            for part in chunks.get("InterleaveSets", []):
                memory = part.get("Memory", {}).get("@odata.id")
                taken[memory] = taken.get(memory, 0) + part.get("SizeMiB", 0)
        for uri, domain in self.of_type("MemoryDomain", ROOT + "Chassis/"):
            if "InterleavableMemorySets" not in domain:
                continue  # A device that the host does not see has no partitions.
            chassis = uri.partition("/MemoryDomains/")[0] + "/"
            if "Oem" not in domain:
                self.check_parts(chassis, taken)
                continue
            size = self.static_size(chassis)
            if size != domain.get("MemorySizeMiB", size):
                self.fail(uri, "MemorySizeMiB is not that of the MemoryRegions, %d" % size)
            memory = domain["InterleavableMemorySets"][0]["MemorySet"][0]["@odata.id"]
            self.compare(uri, size - taken.get(memory, 0), domain["Oem"]["CXLHost"])

    def check_parts(self, chassis, taken):
        """A logical device of an MLD that the host sees has the figures of its own memory."""
        for uri, device in self.of_type("CXLLogicalDevice", chassis):
            oem = device["Oem"]["CXLHost"]
            if "Memory" not in oem:
                continue
            size = self.static_size(uri + "/")
            if size != device.get("MemorySizeMiB", size):
                self.fail(uri, "MemorySizeMiB is not that of the MemoryRegions, %d" % size)
            self.compare(uri, size - taken.get(oem["Memory"]["@odata.id"], 0), oem)

    def check_windows(self):
        for uri, domain in self.of_type("MemoryDomain", ROOT + "Systems/"):
            if "MemorySizeMiB" in domain:
                self.fail(uri, "an address range has no memory of its own")
            oem = domain["Oem"]["CXLHost"]
            used = sum(chunks.get("MemoryChunkSizeMiB", 0)
                       for _, chunks in self.of_type("MemoryChunks", uri + "/"))
            if "SizeBytes" in oem:
                self.compare(uri, (int(oem["SizeBytes"], 16) >> 20) - used, oem)


def main():
    walker = Walker(Service(sys.argv[1]))
    walker.follow()
    with open(sys.argv[2], encoding="utf-8") as listing:
        walker.compare(listing.read())
    found = Links(walker)
    found.check_all()
    capacities = Capacities(walker)
    capacities.check_devices()
    capacities.check_windows()
    if walker.found.get(ROOT + "Chassis", {}).get("Members@odata.count", 0) > 1 and \
            not capacities.checked:
        walker.fail(ROOT + "Chassis", "no capacity was compared")
    print("%d URIs, %d links, %d failures" %
          (len(walker.found), sum(map(len, found.at.values())), walker.failures))
    return 1 if walker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
