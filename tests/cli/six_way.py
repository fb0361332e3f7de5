#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Make a captured host with a 6-way region over three bridges of two devices each:
six_way.py GENERATE-HOST DIRECTORY MEMDEV... (the number of the memdev at each position; memdevs 0 and
1 are below the first bridge)"""
import importlib.machinery
import importlib.util
import os
import sys

SIZE = 256 << 20
BASE = 0x1800000000  # a multiple of 3 times 256 MiB


def load(path):
    loader = importlib.machinery.SourceFileLoader("generate_host", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("generate_host", loader))
    loader.exec_module(module)
    return module


def bridge(make, t, root, b):
    domain = f"sys/devices/pci{b:04x}:00"
    directory = f"{root}/port{b + 1}"
    os.makedirs(os.path.join(t.top, domain))
    t.link(f"{root}/dport{b}", domain)
    make.port(t, directory, domain, domain)
    make.decoder(t, f"{directory}/decoder{b + 1}.0", "switch", BASE, 6 * SIZE, 2, 256, locked=0,
                 target_type="expander", target_list="0,1", region="region0")
    for p in range(2):
        number = 2 * b + p
        root_port = f"{domain}/{b:04x}:00:{p + 1:02x}.0"
        function = f"{root_port}/{b:04x}:{p + 1:02x}:00.0"
        make.pci(t, root_port, "0x060400", "0x8086", "0x7075")
        make.pci(t, function, "0x050210", "0x8086", "0x0d93")
        t.link(f"{directory}/dport{p}", root_port)
        endpoint = f"{directory}/endpoint{number + 4}"
        make.port(t, endpoint, root_port, make.memdev(t, number, function))
        make.decoder(t, f"{endpoint}/decoder{number + 4}.0", "endpoint", BASE, 6 * SIZE, 6, 256,
                     locked=0, target_type="expander", mode="ram", dpa_resource="0x0",
                     dpa_size=hex(SIZE), region="region0")


def main():
    make = load(sys.argv[1])
    t = make.Tree(sys.argv[2])
    root = "sys/devices/platform/ACPI0017:00/root0"
    os.makedirs(sys.argv[2])
    t.device(root, "cxl")
    t.files(root, devtype="cxl_port", modalias="cxl:t3",
            uevent="DEVTYPE=cxl_port\nMODALIAS=cxl:t3", decoders_committed=0)
    t.link(f"{root}/uport", "sys/devices/platform/ACPI0017:00")
    t.file("sys/bus/cxl/flush")
    t.link("sys/dev/char/0:0/subsystem", "sys/bus/dax")
    t.file("proc/version", "Linux version 7.3.4-generated (generated host, no real machine)")
    window = f"{root}/decoder0.0"
    make.decoder(t, window, "root", BASE, 6 * SIZE, 3, 256, locked=0, target_list="0,1,2",
                 cap_ram=1, cap_pmem=1, cap_type2=1, cap_type3=1, qos_class=0)
    for b in range(3):
        bridge(make, t, root, b)
    region = f"{window}/region0"
    t.device(region, "cxl", "cxl_region")
    t.files(region, devtype="cxl_region", modalias="cxl:t6", uuid="", commit=1, locked=0,
            uevent="DEVTYPE=cxl_region\nDRIVER=cxl_region\nMODALIAS=cxl:t6", interleave_ways=6,
            interleave_granularity=256, resource=hex(BASE), size=hex(6 * SIZE), mode="ram",
            **{f"target{i}": f"decoder{int(m) + 4}.0" for i, m in enumerate(sys.argv[3:])})


if __name__ == "__main__":
    main()
