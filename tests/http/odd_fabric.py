#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Make a captured host with a layout that no bundled host has:
odd_fabric.py GENERATE-HOST DIRECTORY

Two sockets. Below the first one a switch with mem0, and below that another switch with mem1; below
the second one mem2, and a root port with nothing; a host bridge of restricted devices with mem3 and
one of an ordinary mem4, whose socket is unknown; and mem5 without an endpoint. region0 is
mem1 and an empty position, region1 the restricted device.
"""
import importlib.machinery
import importlib.util
import os
import sys

SIZE = 256 << 20
BASE = 0x1000000000
ROOT = "sys/devices/platform/ACPI0017:00/root0"


def load(path):
    loader = importlib.machinery.SourceFileLoader("generate_host", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate_host", loader))
    loader.exec_module(module)
    return module


class Host:
    def __init__(self, make, top):
        os.makedirs(top)
        self.make = make
        self.t = make.Tree(top)
        self.ports = 0
        self.memdevs = 0

    def directory(self, path):
        os.makedirs(os.path.join(self.t.top, path))
        return path

    def function(self, path, class_code, node=-1, **more):
        self.make.pci(self.t, path, class_code, "0x8086", "0x7075")
        self.t.files(path, numa_node=node, **more)
        for kind, total in ("correctable", "COR"), ("nonfatal", "NONFATAL"), ("fatal", "FATAL"):
            self.t.file(f"{path}/aer_dev_{kind}", f"BadTLP 2\nTOTAL_ERR_{total} 2")
        return path

    def port(self, kind, parent, parent_dport, uport):
        """A port and its one decoder, which is idle."""
        self.ports += 1
        path = f"{parent}/{kind}{self.ports}"
        self.make.port(self.t, path, parent_dport, uport)
        self.decoder(path, 0, "endpoint" if kind == "endpoint" else "switch")
        return path

    def decoder(self, port, index, kind, **more):
        number = os.path.basename(port).lstrip("abcdefghijklmnopqrstuvwxyz")
        path = f"{port}/decoder{number}.{index}"
        known = {"start": 0, "size": 0, "ways": 1, "granularity": 256, "locked": 0}
        if kind != "root":
            known |= {"target_type": "expander", "region": ""}
        if kind == "endpoint":
            known |= {"mode": "none", "dpa_resource": "0xffffffffffffffff", "dpa_size": "0x0"}
        else:
            known |= {"target_list": "0"}
        self.make.decoder(self.t, path, kind, **(known | more))
        return path

    def bridge(self, number, node=-1):
        """A host bridge with a root port. Returns its port and the root port."""
        domain = self.directory(f"sys/devices/pci{number:04x}:00")
        self.t.link(f"{ROOT}/dport{number}", domain)
        port = self.port("port", ROOT, domain, domain)
        root_port = self.function(f"{domain}/{number:04x}:00:01.0", "0x060400", node)
        self.t.link(f"{port}/dport0", root_port)
        return port, root_port

    def memdev(self, above, name, class_code="0x050210"):
        function = self.function(f"{above}/{name}", class_code)
        self.memdevs += 1
        return self.make.memdev(self.t, self.memdevs - 1, function)

    def switch(self, parent, parent_dport, bus):
        """A switch with two downstream ports. Returns its port and their directories."""
        domain = os.path.basename(parent_dport)[:4]
        up = self.function(f"{parent_dport}/{domain}:{bus:02x}:00.0", "0x060400")
        port = self.port("port", parent, parent_dport, up)
        down = [self.function(f"{up}/{domain}:{bus + 1:02x}:0{i}.0", "0x060400")
                for i in range(2)]
        for i, path in enumerate(down):
            self.t.link(f"{port}/dport{i}", path)
        return port, down

    def region(self, window, number, base, ways, targets):
        path = f"{window}/region{number}"
        self.t.device(path, "cxl", "cxl_region")
        self.t.files(path, devtype="cxl_region", modalias="cxl:t6", uuid="", commit=1, locked=0,
                     uevent="DEVTYPE=cxl_region\nDRIVER=cxl_region\nMODALIAS=cxl:t6",
                     interleave_ways=ways, interleave_granularity=256, resource=hex(base),
                     size=hex(ways * SIZE), mode="ram",
                     **{f"target{i}": targets.get(i, "") for i in range(ways)})

    def sockets(self):
        nodes = "sys/devices/system/node"
        self.t.files(nodes, has_cpu="0-1", online="0-1", possible="0-1")
        for i in range(2):
            self.t.files(f"{nodes}/node{i}", cpulist=i)
            self.t.file(f"sys/devices/system/cpu/cpu{i}/topology/physical_package_id", str(i))

    def root(self):
        self.t.device(ROOT, "cxl")
        self.t.files(ROOT, devtype="cxl_port", modalias="cxl:t3", decoders_committed=0,
                     uevent="DEVTYPE=cxl_port\nMODALIAS=cxl:t3")
        self.t.link(f"{ROOT}/uport", "sys/devices/platform/ACPI0017:00")
        self.t.file("sys/bus/cxl/flush")
        self.t.file("proc/version", "Linux version 7.3.4-generated (generated host)")


def in_region(number, base, ways):
    return {"region": f"region{number}", "mode": "ram", "dpa_resource": "0x0", "start": base,
            "dpa_size": hex(SIZE), "size": ways * SIZE, "ways": ways}


def main():
    h = Host(load(sys.argv[1]), sys.argv[2])
    h.root()
    h.sockets()
    port, root_port = h.bridge(0, node=0)
    upper, down = h.switch(port, root_port, 1)
    mem = h.memdev(down[0], "0000:03:00.0")
    h.port("endpoint", upper, down[0], mem)
    lower, down = h.switch(upper, down[1], 4)
    h.decoder(lower, 1, "switch")
    mem = h.memdev(down[1], "0000:06:00.0")
    deep = h.port("endpoint", lower, down[1], mem)
    h.decoder(deep, 1, "endpoint", **in_region(0, BASE, 2))

    port, root_port = h.bridge(1, node=1)
    h.port("endpoint", port, root_port, h.memdev(root_port, "0001:01:00.0"))
    empty = h.function("sys/devices/pci0001:00/0001:00:02.0", "0x060400", 1,
                       current_link_speed="Unknown", current_link_width=0)
    h.t.link(f"{port}/dport1", empty)

    domain = h.directory("sys/devices/pci0002:00")
    h.t.link(f"{ROOT}/dport2", domain)
    restricted = h.port("endpoint", ROOT, domain, h.memdev(domain, "0002:00:00.0"))
    h.decoder(restricted, 1, "endpoint", **in_region(1, BASE + 8 * SIZE, 1))

    port, root_port = h.bridge(3)
    h.port("endpoint", port, root_port, h.memdev(root_port, "0003:01:00.0"))
    h.memdev(h.directory("sys/devices/pci0004:00"), "0004:00:00.0", "0x050200")

    caps = {"cap_ram": 1, "cap_pmem": 1, "cap_type2": 1, "cap_type3": 1, "qos_class": 0}
    window = h.decoder(ROOT, 0, "root", start=BASE, size=8 * SIZE, **caps)
    h.region(window, 0, BASE, 2, {1: f"decoder{os.path.basename(deep)[8:]}.1"})
    window = h.decoder(ROOT, 1, "root", start=BASE + 8 * SIZE, size=8 * SIZE, target_list="2",
                       **caps)
    h.region(window, 1, BASE + 8 * SIZE, 1, {0: f"decoder{os.path.basename(restricted)[8:]}.1"})


if __name__ == "__main__":
    main()
