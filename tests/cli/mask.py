#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare a captured host with its masked archive: mask.py same|clean SPA HOST MASKED [IDENTITY...]

same	all translations are equal, but for the serial numbers, of which zero stays zero and equal ones
	stay equal
clean	no file of the directory MASKED contains one of the IDENTITYs, which are texts, or numbers
	(serial:0x...), which are also searched as bytes"""
import json
import os
import subprocess
import sys

SAMPLES = 61  # of each device and region; odd, so that the addresses are of all positions
errors = []


def check(condition, message):
    if not condition:
        errors.append(message)


def run(spa, host, *arguments):
    done = subprocess.run([spa, "--host", host, "--json", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{host}: {' '.join(arguments)[:100]}: {done.stderr}")
    return json.loads(done.stdout)


def objects(node, key):
    """All objects in a JSON value that have this key."""
    if isinstance(node, list):
        return [o for item in node for o in objects(item, key)]
    if not isinstance(node, dict):
        return []
    return ([node] if key in node else []) + [o for v in node.values() for o in objects(v, key)]


def samples(first, size):
    step = max(size // SAMPLES, 1)
    return [hex(first + i * step + i * 0x40) for i in range(SAMPLES) if i * (step + 0x40) < size]


def addresses(spa, host):
    """[(device or None, its addresses)] of a host."""
    listed = run(spa, host, "list")
    devices = [(o["name"], o["ram_size"] or 1 << 30) for o in objects(listed, "firmware_version")]
    ranges = {(int(o["start"], 16), o["size"]) for o in objects(listed, "ways")
              if o["start"] and o["size"] and int(o["start"], 16) > 0}
    return [(name, samples(0, size)) for name, size in devices] + \
        [(None, [a for r in sorted(ranges) for a in samples(*r)])]


def same(spa, host, masked):
    serials, n = {}, 0
    for device, inputs in addresses(spa, host):
        operands = ([device] if device else []) + inputs
        if not inputs:
            continue
        before, after = run(spa, host, "translate", *operands), run(spa, masked, "translate", *operands)
        check(len(before) == len(after), f"{device}: {len(before)} and {len(after)} answers")
        for a, b in zip(before, after):
            n += 1
            was, now = a.pop("serial"), b.pop("serial")
            a.pop("cedt", None)
            check(a == b, f"{device}: {a} became {b}")
            check(serials.setdefault(was, now) == now, f"{was} became {serials[was]} and {now}")
    check(serials.get("0x0", "0x0") == "0x0", f"serial number 0 became {serials.get('0x0')}")
    used = [s for s in serials.values() if s]
    check(len(used) == len(set(used)), f"different serial numbers became equal: {serials}")
    check(all(was == now for was, now in serials.items() if was in (None, "0x0")) and
          all(was != now for was, now in serials.items() if was not in (None, "0x0")),
          f"a serial number stayed: {serials}")
    check(n >= 100, f"only {n} addresses were compared")


def patterns(identity):
    if not identity.startswith("serial:"):
        return [identity.encode()]
    value = int(identity[7:], 16)
    raw = value.to_bytes(8, "big")
    texts = [f"{value:x}", f"{value:X}", str(value), raw.hex("-")]
    return [raw, raw[::-1]] + [t.encode() for t in texts]


def clean(top, identities):
    n = 0
    for directory, _, files in os.walk(top):
        for name in files:
            path = os.path.join(directory, name)
            if os.path.islink(path):
                continue
            with open(path, "rb") as f:
                data = f.read()
            n += 1
            for identity in identities:
                for pattern in patterns(identity):
                    check(pattern.lower() not in data.lower(), f"{path}: contains {identity}")
    check(n > 100, f"only {n} files")


if __name__ == "__main__":
    if sys.argv[1] == "same":
        same(*sys.argv[2:5])
    else:
        clean(sys.argv[4], sys.argv[5:])
    for message in errors[:20]:
        print(message)
    sys.exit(1 if errors else 0)
