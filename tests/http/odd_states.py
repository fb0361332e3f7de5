#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""States that no captured host has, put into a copy of one.

    odd_states.py HOST

HOST is what tests/mailbox/make-mailbox-host made of plain-7.3; its mem0 has a staged firmware and a staged partition.
mem1 gets locked memory and mem2 frozen memory. One more page of the trace rings has the kernel's record that the
informational log of mem2 overflowed, after the records that the host has of it.
"""
import re
import struct
import sys
from pathlib import Path

PAGE = 4096
OVERFLOW_NS = 14200000000  # of the trace clock
FIRST_NS, LAST_NS, COUNT = 1795297396200000000, 1795297396300000000, 5  # of the device's clock


def fields(path):
    """A record's ID and the offsets of its fields, by the kernel's description."""
    text = path.read_text(encoding="ascii")
    number = int(re.search(r"^ID: (\d+)$", text, re.MULTILINE).group(1))
    return number, {name: int(offset) for name, offset in re.findall(r"(\w+);\toffset:(\d+);", text)}


def overflow_record(host):
    number, offset = fields(host / "events/formats/cxl_overflow.format")
    bdf = (host / "sys/bus/cxl/devices/mem2").resolve().parent.name
    serial = int((host / "sys/bus/cxl/devices/mem2/serial").read_text(encoding="ascii"), 0)
    end = offset["count"] + 8
    record, texts = bytearray(end), b""
    for name, text in (("memdev", b"mem2\0"), ("host", bdf.encode() + b"\0")):
        struct.pack_into("<I", record, offset[name], len(text) << 16 | (end + len(texts)))
        texts += text
    struct.pack_into("<H", record, offset["common_type"], number)
    for name, value in (("serial", serial), ("first_ts", FIRST_NS), ("last_ts", LAST_NS)):
        struct.pack_into("<Q", record, offset[name], value)
    struct.pack_into("<H", record, offset["count"], COUNT)
    record += texts
    return bytes(record) + bytes(-len(record) % 4)


def ring_page(record):
    """A page of a ring with one record, as its header_event has it."""
    data = struct.pack("<I", len(record) // 4) + record
    return (struct.pack("<QQ", OVERFLOW_NS, len(data)) + data).ljust(PAGE, b"\0")


def main():
    host = Path(sys.argv[1])
    for name, state in (("mem1", "locked"), ("mem2", "frozen")):
        (host / "sys/bus/cxl/devices" / name / "security/state").write_text(state + "\n", encoding="ascii")
    (host / "events/raw.cpu2").write_bytes(ring_page(overflow_record(host)))


if __name__ == "__main__":
    main()
