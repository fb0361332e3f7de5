#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Expectations of identity.sh: a captured host with one switch.

    identity.py LISTING MIB PORTS CHASSIS [REASON...]

LISTING is what `dump_redfish` printed. Status 0 when the sizes of all devices add up to MIB, the
switch has PORTS Ports, mem0 is in CHASSIS and no other, and the Switch doubts for these reasons.
"""
import sys

from invariants import ROOT, SYSTEM, Host, read


def differences(host, mib, ports, chassis, reasons):
    sizes = [d.get("MemorySizeMiB", 0) for uri, d in host.of_type("MemoryDomain") if not uri.startswith(SYSTEM)]
    if sum(sizes) != mib:
        yield "the devices have %s MiB, not %d" % (" + ".join(map(str, sizes)), mib)
    n = len(host.of_type("Port", ROOT + "Fabrics/CXL/Switches/"))
    if n != ports:
        yield "the switch has %d Ports, not %d" % (n, ports)
    uri, memory = next((u, m) for u, m in host.of_type("Memory") if m["Name"] == "mem0")
    if memory["Links"]["Chassis"]["@odata.id"] != ROOT + "Chassis/" + chassis:
        yield "mem0 is in %s" % memory["Links"]["Chassis"]["@odata.id"]
    if chassis != memory["Id"] and ROOT + "Chassis/" + memory["Id"] in host.bodies:
        yield "mem0 has a second Chassis"
    if chassis == memory["Id"] and ROOT + "Chassis/dev-3d10000000000001" not in host.bodies:
        yield "the MLD has no Chassis"
    switch = host.of_type("Switch")[0][1]
    found = {c["MessageArgs"][2] for c in switch["Status"].get("Conditions", [])
             if c["MessageId"].endswith(".SwitchDoubt")}
    if found != reasons:
        yield "it doubts because %s" % sorted(found)


def main():
    listing, mib, ports, chassis = sys.argv[1:5]
    found = list(differences(Host(read(listing)), int(mib), int(ports), chassis, set(sys.argv[5:])))
    for text in found:
        print("%s: %s" % (listing.rpartition("/")[2], text))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
