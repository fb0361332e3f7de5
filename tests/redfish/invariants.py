#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rules that hold on any host, whatever its devices are.

    invariants.py LISTING...

LISTING is what `dump_redfish` printed of a host. Prints each violation; status 0 when there is none.
That resources are valid is tested by tests/http/schemas.sh, that links lead somewhere and back by
tests/http/references.sh. INVARIANTS is the list of the others.
"""
import json
import re
import sys

ROOT = "/redfish/v1/"
SYSTEM = ROOT + "Systems/Host"
SEVERITIES = ["OK", "Warning", "Critical"]
DEVICES = ("PCIeDevice", "CXLLogicalDevice", "MemoryDomain", "MemoryChunks")  # below their Chassis
INVARIANTS = []


def invariant(text):
    """A function that yields what violates it: (URI, text)."""
    def add(function):
        INVARIANTS.append((text, function))
        return function
    return add


def read(path):
    """URI -> body of each resource that is printed with one."""
    bodies, uri, lines = {}, None, []
    with open(path, encoding="utf-8") as listing:
        for line in [*listing, "POST end\n"]:
            request = re.fullmatch(r"(GET|POST) (\S+)\n", line)
            if not request:
                lines.append(line)
                continue
            if lines:
                bodies[uri] = json.loads("".join(lines))
            uri, lines = request[2], []
    return bodies


def walk(value, where=""):
    """Each object in a body, with its place."""
    if isinstance(value, dict):
        yield where, value
        for key, item in value.items():
            yield from walk(item, where + "/" + key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from walk(item, "%s/%d" % (where, i))


class Host:
    def __init__(self, bodies):
        self.bodies = bodies

    def of_type(self, kind, below=ROOT):
        return [(uri, body) for uri, body in self.bodies.items()
                if body["@odata.type"].rpartition(".")[2] == kind and uri.startswith(below)]

    def part(self, memory, chassis):
        """The URI of the logical device of an MLD that a Memory is; None when it is not known."""
        for uri, device in self.of_type("CXLLogicalDevice", chassis):
            if device.get("Oem", {}).get("CXLHost", {}).get("Memory", {}).get("@odata.id") == memory:
                return uri
        return None

    def link(self, value):
        """The resource that a property with a link leads to; empty without the property."""
        return self.bodies.get((value or {}).get("@odata.id"), {})


def number(text):
    return int(text, 16)


@invariant("an Id is the last part of its URI, and no two members of a collection have one")
def ids(host):
    for uri, body in host.bodies.items():
        if "Id" in body and uri != ROOT and uri.rpartition("/")[2] != body["Id"]:
            yield uri, "Id is %s" % body["Id"]
        members = [m["@odata.id"] for m in body.get("Members", [])]
        if len(set(members)) != len(members):
            yield uri, "has a member twice"


@invariant("every array is as long as its @odata.count says")
def counts(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            for key in item:
                array = key.removesuffix("@odata.count")
                if array != key and array in item and item[key] != len(item[array]):
                    yield uri, "%s/%s is %d, not %d" % (where, key, item[key], len(item[array]))


@invariant("what is known by its name has one name: no two devices, regions, windows or endpoints share it")
def names(host):
    for kind in ("Memory", "MemoryDomain", "MemoryChunks", "Endpoint", "CXLLogicalDevice"):
        found = {}
        for uri, body in host.of_type(kind):
            for key in [i["DurableName"] for i in body.get("Identifiers", [])] + \
                    [body["Name"]] * uri.startswith(SYSTEM):
                if key in found:
                    yield uri, "%s is also %s" % (key, found[key])
                found[key] = uri


@invariant("no text is empty, and an enumeration has no value without a name")
def values(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            for key, value in item.items():
                if value == "" or (isinstance(value, str) and re.search(r"\(null\)|\bnan\b|Unknown [0-9]", value)):
                    yield uri, "%s/%s is '%s'" % (where, key, value)


@invariant("no property is an object without members, but the Actions that clients of an UpdateService demand")
def empty_objects(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            for key, value in item.items():
                if value == {} and (uri, key) != (ROOT + "UpdateService", "Actions"):
                    yield uri, "%s/%s is empty" % (where, key)


@invariant("no number stands for a name, and no text for a value that is not known")
def stand_ins(host):
    for uri, body in host.bodies.items():
        for key in ("Manufacturer", "Model", "HostName", "SerialNumber", "PartNumber"):
            if re.search(r"^PCI |^\(|^0x|^unknown$|^none$", body.get(key) or ""):
                yield uri, "%s is %s" % (key, body[key])


@invariant("what has a MessageId has the text of the registry, with its arguments")
def messages(host):
    texts = {}
    for body in host.bodies.values():
        for key, message in body.get("Messages", {}).items() if body.get("RegistryPrefix") else ():
            texts["%s.1.0.%s" % (body["RegistryPrefix"], key)] = message["Message"]
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            text = texts.get(item.get("MessageId"))
            if text is None:
                continue
            if "MessageArgs" not in item:
                yield uri, "%s has no MessageArgs" % where
            for i, arg in enumerate(item.get("MessageArgs", []), 1):
                text = text.replace("%%%d" % i, arg)
            if item["Message"] != text:
                yield uri, "%s/Message is '%s', not '%s'" % (where, item["Message"], text)


@invariant("a memory device has a Chassis with PCIeDevice, PCIeFunction, logical device, MemoryDomain, "
           "port, metrics, log and, with a fabric, its endpoint")
def parts_of_devices(host):
    for uri, memory in host.of_type("Memory"):
        chassis = memory["Links"]["Chassis"]["@odata.id"]
        oem = host.bodies[chassis].get("Oem", {}).get("CXLHost", {})
        if {"@odata.id": uri} not in oem.get("Parts", []) + [oem.get("Memory")]:
            yield uri, "its Chassis is of another one"
        for kind in ("PCIeDevice", "PCIeFunction", "CXLLogicalDevice", "MemoryDomain", "FabricAdapter", "Port"):
            if kind == "PCIeFunction" and "PCIFunction" not in memory["Oem"]["CXLHost"]:
                continue  # A mock device is none.
            if kind in ("PCIeFunction", "CXLLogicalDevice") and not chassis.endswith("/" + memory["Id"]):
                continue  # It may not be known which one of an MLD it is.
            if not host.of_type(kind, chassis + "/"):
                yield uri, "its Chassis has no %s" % kind
        for key in ("Metrics", "EnvironmentMetrics", "Log"):
            if not host.link(memory[key]):
                yield uri, "has no %s" % key
        if ROOT + "Fabrics/CXL" in host.bodies and not memory["Links"].get("Endpoints"):
            yield uri, "has no endpoint"


@invariant("a memory device, its Chassis, PCIeDevice and firmware inventory have one serial number and one version")
def identities(host):
    for uri, memory in host.of_type("Memory"):
        chassis = memory["Links"]["Chassis"]["@odata.id"]
        inventory = host.bodies.get(ROOT + "UpdateService/FirmwareInventory/" + memory["Id"], {})
        device = dict(host.of_type("PCIeDevice", chassis + "/")).get(chassis + "/PCIeDevices/1", {})
        for other in (host.bodies[chassis], device):
            if chassis.endswith("/" + memory["Id"]) and other.get("SerialNumber") != memory.get("SerialNumber"):
                yield uri, "%s has SerialNumber %s" % (other["@odata.id"], other.get("SerialNumber"))
        for version in (device.get("FirmwareVersion"), inventory.get("Version")):
            if version and version != memory.get("FirmwareRevision"):
                yield uri, "FirmwareRevision is %s, elsewhere %s" % (memory.get("FirmwareRevision"), version)


def part_capacities(host, uri, chassis, partitions):
    """A part of an MLD: its logical device and the chunk of that have what it has."""
    domain = host.bodies.get(chassis + "MemoryDomains/1", {})
    if domain.get("MemorySizeMiB", partitions) < partitions:
        yield uri, "MemoryDomain is %s MiB, its partitions are %d" % (domain["MemorySizeMiB"], partitions)
    if not host.part(uri, chassis):
        return
    part = host.bodies[host.part(uri, chassis)]
    chunk = host.bodies.get("%sMemoryDomains/1/MemoryChunks/LD%s" % (chassis, part["Id"]), {})
    regions = host.of_type("MemoryRegion", part["@odata.id"] + "/")
    for what, size in (("its logical device", part.get("MemorySizeMiB")),
                       ("its chunk", chunk.get("MemoryChunkSizeMiB")),
                       ("MemoryRegions", sum(r["RegionSizeMiB"] for _, r in regions))):
        if size != partitions:
            yield uri, "%s is %s MiB, its partitions are %d" % (what, size, partitions)


def dynamic_capacities(host, uri, memory, chassis, static):
    """A device with dynamic or other partitions: its logical device has what is there, the rest is room."""
    by_id = {r["RegionId"]: r["SizeMiB"] for r in memory["Regions"]}
    regions = {r["Id"]: r for _, r in host.of_type("MemoryRegion", chassis)}
    for name, r in regions.items():
        if r["RegionSizeMiB"] != by_id.get(name) or (r["RegionType"] == "Static") != (name in ("ram", "pmem")):
            yield uri, "MemoryRegion %s is not as in Regions" % name
        if "MemoryExtents" in r and sum(x["ExtentSizeMiB"] for x in r["MemoryExtents"]) > r["RegionSizeMiB"]:
            yield uri, "the extents of %s are larger than it" % name
    for what, size in (
            ("CapacityMiB", memory["CapacityMiB"]),
            ("MemoryDomain", sum(d.get("MemorySizeMiB", 0) for _, d in host.of_type("MemoryDomain", chassis)))):
        if size != sum(by_id.values()):
            yield uri, "%s is %d MiB, its partitions are %d" % (what, size, sum(by_id.values()))
    for _, d in host.of_type("CXLLogicalDevice", chassis):
        if not static <= d.get("MemorySizeMiB", static) <= memory["CapacityMiB"]:
            yield uri, "its logical device has %d MiB" % d["MemorySizeMiB"]


@invariant("the capacity of a memory device is the sum of its regions, of its MemoryRegions, the size of its "
           "logical device and of its MemoryDomain")
def capacities(host):
    for uri, memory in host.of_type("Memory"):
        if "Regions" not in memory or "CapacityMiB" not in memory:
            continue
        chassis = memory["Links"]["Chassis"]["@odata.id"] + "/"
        partitions = memory["VolatileSizeMiB"] + memory["NonVolatileSizeMiB"]
        if not chassis.endswith("/%s/" % memory["Id"]):
            yield from part_capacities(host, uri, chassis, partitions)
            continue
        if any(r["RegionId"] not in ("ram", "pmem") for r in memory["Regions"]):
            yield from dynamic_capacities(host, uri, memory, chassis, partitions)
            continue
        sums = {
            "Regions": sum(r["SizeMiB"] for r in memory["Regions"]),
            # Dynamic ones, which only the mailbox of a switch reports, are what the device may give.
            "MemoryRegions": sum(r["RegionSizeMiB"] for _, r in host.of_type("MemoryRegion", chassis)
                                 if r["RegionType"] == "Static"),
            "MemoryDomain": sum(d.get("MemorySizeMiB", 0) for _, d in host.of_type("MemoryDomain", chassis)),
            "its chunks": sum(c["MemoryChunkSizeMiB"] for _, c in host.of_type("MemoryChunks", chassis)),
            "its logical device": sum(d.get("MemorySizeMiB", 0) for _, d in host.of_type("CXLLogicalDevice", chassis)),
        }
        for what, size in sums.items():
            if size != partitions:
                yield uri, "%s is %d MiB, its partitions are %d" % (what, size, partitions)
        if partitions > memory["CapacityMiB"]:
            yield uri, "partitions of %d MiB in %d" % (partitions, memory["CapacityMiB"])


@invariant("each extent is in the region that it links, in whole blocks, and that lists it; extents of a region do not overlap")
def extents(host):
    for uri, extent in host.of_type("MemoryExtent"):
        for link in extent.get("Links", {}).get("MemoryRegions", []):
            listed = [x["ExtentLink"]["@odata.id"] for x in host.bodies[link["@odata.id"]].get("MemoryExtents", [])]
            if listed.count(uri) != 1:
                yield uri, "its region lists it %d times" % listed.count(uri)
    for uri, region in host.of_type("MemoryRegion"):
        linked = [x for x in region.get("MemoryExtents", []) if "ExtentLink" in x]
        if "MemoryExtents" in region and region["ExtentsCount"] != len(region["MemoryExtents"]):
            yield uri, "it lists %d extents of %d" % (len(region["MemoryExtents"]), region["ExtentsCount"])
        base = end = region["RegionBaseOffsetMiB"] if linked else 0
        for x in sorted((host.bodies[x["ExtentLink"]["@odata.id"]] for x in linked), key=lambda x: x["ExtentOffsetMiB"]):
            if x["ExtentOffsetMiB"] < end or (x["ExtentOffsetMiB"] - base | x["ExtentSizeMiB"]) % region["BlockSizeMiB"]:
                yield uri, "the extent at %d MiB overlaps another, or has no whole blocks" % x["ExtentOffsetMiB"]
            end = x["ExtentOffsetMiB"] + x["ExtentSizeMiB"]
        if linked and end > base + region["RegionSizeMiB"]:
            yield uri, "its extents end at %d MiB" % end


@invariant("memory is in one device: each Memory is in a MemorySet of one Chassis, and the logical devices of an MLD "
           "have no more memory than its MemoryDomain")
def devices(host):
    domains = [(uri, d) for uri, d in host.of_type("MemoryDomain") if not uri.startswith(SYSTEM)]
    for uri, memory in host.of_type("Memory"):
        found = [d["@odata.id"] for _, d in domains for s in d.get("InterleavableMemorySets", [])
                 for m in s["MemorySet"] if m["@odata.id"] == uri]
        if found != [memory["Links"]["Chassis"]["@odata.id"] + "/MemoryDomains/1"]:
            yield uri, "is in the sets of %s" % found
    for uri, domain in domains:
        parts = sum(c.get("MemoryChunkSizeMiB", 0) for _, c in host.of_type("MemoryChunks", uri + "/"))
        if parts > domain.get("MemorySizeMiB", parts):
            yield uri, "chunks of %d MiB in %d" % (parts, domain["MemorySizeMiB"])


@invariant("a Port is a physical interface: a switch has as many as its mailbox counts, and none is a vPPB only")
def switch_ports(host):
    for uri, switch in host.of_type("Switch"):
        n = switch.get("Oem", {}).get("CXLHost", {}).get("Mailbox", {}).get("PhysicalPorts")
        found = [p for _, p in host.of_type("Port", uri + "/")]
        if any(c["MessageArgs"][1].startswith("a port of ") for c in switch["Status"].get("Conditions", [])
               if c["MessageId"].endswith(".SwitchDoubt")):
            continue
        if n is not None and len(found) != n:
            yield uri, "%d Ports of %d" % (len(found), n)
        for port in found:
            oem = port["Oem"]["CXLHost"]
            if "VPPB" in oem and "Mailbox" not in oem:
                yield port["@odata.id"], "is a vPPB"


@invariant("memory that is used, reserved and free is the whole, of a window and of a device")
def uses(host):
    for uri, domain in host.of_type("MemoryDomain"):
        oem = domain.get("Oem", {}).get("CXLHost", {})
        if not {"SizeBytes", "UsedBytes", "ReservedBytes", "FreeBytes"} <= set(oem):
            continue
        used = sum(number(oem[k]) for k in ("UsedBytes", "ReservedBytes", "FreeBytes"))
        if used != number(oem["SizeBytes"]):
            yield uri, "%#x of %s bytes" % (used, oem["SizeBytes"])


@invariant("a region lies in its window, regions of a window do not overlap, and its interleave sets, one for each "
           "position that has a device, are equal parts of it")
def regions(host):
    for uri, domain in host.of_type("MemoryDomain", SYSTEM):
        oem, ends = domain["Oem"]["CXLHost"], []
        for _, chunks in host.of_type("MemoryChunks", uri + "/"):
            region = chunks["Oem"]["CXLHost"]
            sets = chunks.get("InterleaveSets", [])
            if "BaseAddress" in region and "SizeBytes" in region and "BaseAddress" in oem:
                first = number(region["BaseAddress"])
                ends.append((first, first + number(region["SizeBytes"])))
                if first < number(oem["BaseAddress"]) or \
                        ends[-1][1] > number(oem["BaseAddress"]) + number(oem["SizeBytes"]):
                    yield chunks["@odata.id"], "is not in its window"
            if "InterleaveWays" in region and \
                    len(sets) + len(region.get("EmptyPositions", [])) != region["InterleaveWays"]:
                yield chunks["@odata.id"], "%d sets of %d ways" % (len(sets), region["InterleaveWays"])
            for part in sets:
                if part.get("SizeMiB", 0) * region.get("InterleaveWays", 0) not in \
                        (0, chunks.get("MemoryChunkSizeMiB")):
                    yield chunks["@odata.id"], "a set has %d MiB" % part["SizeMiB"]
        ends.sort()
        for before, after in zip(ends, ends[1:]):
            if before[1] > after[0]:
                yield uri, "regions overlap at %#x" % after[0]


@invariant("every region of a device is one of its decoders', and the decoder's position is the device's in the region")
def decoders(host):
    for uri, memory in host.of_type("Memory"):
        for decoder in memory.get("Oem", {}).get("CXLHost", {}).get("Decoders", []):
            chunks = host.link(decoder.get("MemoryChunks"))
            if chunks and all(s.get("Memory", {}).get("@odata.id") != uri for s in chunks["InterleaveSets"]):
                yield uri, "%s is in %s, which does not have it" % (decoder["KernelName"], chunks["Id"])
            if chunks and not decoder.get("InterleavePosition", 0) < chunks["Oem"]["CXLHost"]["InterleaveWays"]:
                yield uri, "%s has position %d" % (decoder["KernelName"], decoder["InterleavePosition"])


@invariant("a region that is shown has a Connection, from one initiator or more to each of its devices, and the reverse")
def connections(host):
    if ROOT + "Fabrics/CXL" not in host.bodies:
        return
    connected = {}
    for uri, connection in host.of_type("Connection"):
        for info in connection.get("MemoryChunkInfo", []):
            connected[info["MemoryChunk"]["@odata.id"]] = connection
    for uri, chunks in host.of_type("MemoryChunks", SYSTEM):
        links = connected.get(uri, {}).get("Links", {})
        if {e["@odata.id"] for e in links.get("TargetEndpoints", [])} != \
                {e["@odata.id"] for e in chunks.get("Links", {}).get("Endpoints", [])}:
            yield uri, "the targets of its Connection are other ones"
        if not links.get("InitiatorEndpoints"):
            yield uri, "has no initiator"


def worst(health):
    return max(health, key=SEVERITIES.index, default="OK")


# Their own Health is that of the links, or of the region, that they are made of.
MADE_OF = {"Fabric": ("Port",), "Connection": ("Port", "MemoryChunks"), "Port": ("Port",)}


@invariant("Health is that of the worst Condition of the resource itself, HealthRollup that of all Conditions, and a "
           "Condition of a related resource is as severe as that resource is unhealthy")
def health(host):
    for uri, body in host.bodies.items():
        if body["@odata.type"].rpartition(".")[2] in DEVICES and not uri.startswith(SYSTEM):
            continue
        status, own, all_of = body.get("Status", {}), [], []
        for condition in status.get("Conditions", []):
            all_of.append(condition["Severity"])
            if not condition["MessageId"].endswith(".ConditionInRelatedResource"):
                own.append(condition["Severity"])
                continue
            related = host.link(condition["OriginOfCondition"])
            origin = related.get("Status", {})
            if related["@odata.type"].rpartition(".")[2] in MADE_OF.get(body["@odata.type"].rpartition(".")[2], ()):
                own.append(condition["Severity"])
            if condition["Severity"] != origin.get("Health"):
                yield uri, "a Condition is %s, its origin %s" % (condition["Severity"], origin.get("Health"))
        # The health of a switch is not known, though facts about it are Conditions.
        unknown = body["@odata.type"].endswith(".Switch") and worst(own) == "OK"
        if (own or "Health" in status) and status.get("Health", "OK" if unknown else None) != worst(own):
            yield uri, "Health is %s, its Conditions are %s" % (status.get("Health"), worst(own))
        rollup = status.get("HealthRollup", status.get("Health", "OK"))
        if rollup != worst(all_of):
            yield uri, "HealthRollup is %s, its Conditions are %s" % (rollup, worst(all_of))


@invariant("what a memory device has below its Chassis has its Health, and its Conditions say why")
def health_of_devices(host):
    for uri, memory in host.of_type("Memory"):
        chassis = memory["Links"]["Chassis"]["@odata.id"]
        part = host.part(uri, chassis + "/")
        for kind in DEVICES:
            for other, body in host.of_type(kind, chassis + "/"):
                # Other parts of an MLD have other hosts, and the whole has their rollup.
                if not chassis.endswith("/" + memory["Id"]) and other != part:
                    continue
                if body["Status"].get("Health") != memory["Status"].get("Health"):
                    yield other, "Health is %s, that of %s %s" % (body["Status"].get("Health"), uri,
                                                                  memory["Status"].get("Health"))


@invariant("the rollup of the system and of its chassis is the worst Health below it")
def rollups(host):
    for uri, below in ((SYSTEM, SYSTEM + "/"), (ROOT + "Chassis/Host", SYSTEM + "/")):
        parts = [b["Status"]["Health"] for u, b in host.bodies.items()
                 if u.startswith(below) and "Health" in b.get("Status", {})]
        status = host.bodies.get(uri, {}).get("Status", {})
        if status.get("HealthRollup", "OK") != worst(parts):
            yield uri, "HealthRollup %s, its parts are %s" % (status.get("HealthRollup"), worst(parts))


@invariant("a Condition has a Timestamp, which is when its log entry was created or when the service first saw it")
def timestamps(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            for condition in item.get("Conditions", []):
                if "Timestamp" not in condition:
                    yield uri, "%s/Conditions: %s has no Timestamp" % (where, condition["MessageId"])


@invariant("OriginOfCondition leads to a resource that is not a collection")
def origins(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            origin = item.get("OriginOfCondition")
            if origin and (not host.link(origin) or "Members" in host.link(origin)):
                yield uri, "%s/OriginOfCondition is %s" % (where, origin["@odata.id"])


@invariant("a link is no faster and no wider than its port, and runs only when it is up")
def ports(host):
    for uri, port in host.of_type("Port"):
        for now, most in (("CurrentSpeedGbps", "MaxSpeedGbps"), ("ActiveWidth", "Width")):
            if now in port and most in port and port[now] > port[most]:
                yield uri, "%s is above %s" % (now, most)
        if port.get("CurrentSpeedGbps") and port.get("LinkStatus", "LinkUp") != "LinkUp":
            yield uri, "is %s with a speed" % port["LinkStatus"]


@invariant("an OEM object names its type, and numbers of bytes and addresses are hexadecimal")
def oem_objects(host):
    for uri, body in host.bodies.items():
        for where, item in walk(body):
            if where.endswith("/Oem/CXLHost") and "@odata.type" not in item and "/Actions" not in where:
                yield uri, "%s has no type" % where
            for key, value in item.items():
                if "/Oem/CXLHost" in where and re.search("(Bytes|Address)$", key) and isinstance(value, str) and \
                        not re.fullmatch(r"0x[0-9a-f]+|[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", value):
                    yield uri, "%s/%s is %s" % (where, key, value)


def main():
    failures = checked = 0
    for path in sys.argv[1:]:
        host = Host(read(path))
        checked += len(host.bodies)
        for text, function in INVARIANTS:
            for uri, violation in function(host):
                failures += 1
                print("FAIL: %s: %s: %s\n    (%s)" % (path.rpartition("/")[2], uri, violation, text))
    print("%d resources, %d invariants, %d failures" % (checked, len(INVARIANTS), failures))
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
