#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compare what cxl-spa --json and libcxlspa answer about a captured host: agreement.py CXL-SPA SRCDIR ARCHIVE TREE"""
import ctypes
import errno
import json
import os
import subprocess
import sys

SPA, SRCDIR, ARCHIVE, TREE = sys.argv[1:5]
sys.dont_write_bytecode = True
sys.path.insert(0, SRCDIR + "/libcxlspa/examples")
from translate import Answer, check, lib  # noqa: E402

EXACT, HAS_DPA, HAS_SPA, HAS_ALIAS, HAS_SERIAL = (1 << i for i in range(5))
DEVICES, DPAS = 16, 40
OWNERS_END = 1 << 40
lib.cxlspa_spa_to_dpa.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(Answer)]


class Owner(ctypes.Structure):
    """struct cxlspa_owner of cxlspa.h"""
    _fields_ = [("size", ctypes.c_size_t), ("first", ctypes.c_uint64), ("last", ctypes.c_uint64), ("usable", ctypes.c_int32),
                ("releasable", ctypes.c_int32), ("what", ctypes.c_char_p), ("made_by", ctypes.c_char_p),
                ("after_release", ctypes.c_char_p)]


OWNER_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Owner), ctypes.c_void_p)
lib.cxlspa_owner.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, OWNER_CALLBACK, ctypes.c_void_p]


def cxl_spa(*arguments):
    """Return: what it prints; None for an object that the host does not have."""
    # The sanitizers of the library must not come before those of the program.
    environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "ASAN_OPTIONS")}
    out = subprocess.run([SPA, "--host", ARCHIVE, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert out.returncode in (0, 1) or "no such" in out.stderr, (arguments, out.returncode, out.stderr)
    return json.loads(out.stdout) if out.returncode in (0, 1) else None


def hex_if(present, value):
    return hex(value) if present else None


def name(value):
    return value.decode() or None


def expected(a, by_spa):
    """The keys of an answer of cxl-spa translate, but what the library does not have."""
    has_dpa, has_spa, has_alias = a.flags & HAS_DPA, a.flags & HAS_SPA, a.flags & HAS_ALIAS
    keys = {
        "memdev": name(a.memdev), "serial": hex_if(a.flags & HAS_SERIAL, a.serial), "dpa": hex_if(has_dpa, a.dpa),
        "spa": hex_if(has_spa, a.spa), "spa_last": hex_if(has_spa, a.spa_last), "exact": bool(a.flags & EXACT),
        "source": lib.cxlspa_source_name(a.source).decode() if a.source else None, "region": name(a.region), "decoder": name(a.decoder),
        "position": None if a.position < 0 else a.position, "window": name(a.window),
        "numa_node": None if a.numa_node < 0 else a.numa_node, "dax": name(a.dax), "reason": name(a.reason)}
    if has_alias:
        keys["alias"] = {"spa": hex(a.alias), "spa_last": hex(a.alias_last)}
    if by_spa:
        keys.update(dpa_last=hex_if(has_dpa, a.dpa_last), n_candidates=a.n_candidates)
    return keys


def said(answer):
    """The same of what cxl-spa prints. Its mapping tells how the region came about, and cedt which file was used."""
    keys = {k: v for k, v in answer.items() if k not in ("mapping", "cedt", "candidates")}
    if "candidates" in answer:
        keys["n_candidates"] = 1 if answer["memdev"] else len(answer["candidates"])
    return keys


def compare(what, theirs, ours):
    assert theirs == ours, "%s: cxl-spa %s, libcxlspa %s" % (
        what, {k: theirs.get(k) for k in theirs if theirs.get(k) != ours.get(k)},
        {k: ours.get(k) for k in ours if theirs.get(k) != ours.get(k)})


def dpas():
    """All over a device, beyond it, and at the end of all addresses."""
    return [i * 0x2f1c3c0 + i % 3 * 0x40 for i in range(DPAS)] + [1 << 44, (1 << 64) - 1]


def translate(handle, memdev, dpa):
    """Return: the answer, None for a device that is not there."""
    answer = Answer(size=ctypes.sizeof(Answer))
    result = lib.cxlspa_dpa_to_spa(handle, memdev.encode(), dpa, ctypes.byref(answer))
    if result == -errno.ENODEV:
        return None
    check(result)
    return answer


def compare_device(handle, memdev):
    """Return: the system addresses."""
    spas = []
    for dpa, printed in zip(dpas(), cxl_spa("translate", "--json", memdev, *map(hex, dpas()))):
        answer = translate(handle, memdev, dpa)
        compare("%s %#x" % (memdev, dpa), said(printed), expected(answer, False))
        if answer.flags & HAS_SPA:
            spas.append(answer.spa)
    return spas


def compare_spas(handle, spas):
    for spa, printed in zip(spas, cxl_spa("translate", "--json", *map(hex, spas))):
        answer = Answer(size=ctypes.sizeof(Answer))
        check(lib.cxlspa_spa_to_dpa(handle, spa, ctypes.byref(answer)))
        compare("%#x" % spa, said(printed), expected(answer, True))


def truth(value):
    return {1: True, 0: False}.get(value)


def compare_owners(handle):
    """The library does not read who uses the memory, and so does not know whether some of it can be released."""
    ours = []

    def take(owner, _):
        o = owner.contents
        ours.append({"first": hex(o.first), "last": hex(o.last), "what": o.what.decode(), "made_by": o.made_by.decode(),
                     "usable": truth(o.usable), "releasable": truth(o.releasable),
                     "after_release": o.after_release.decode() if o.after_release else None})
        return 0
    check(lib.cxlspa_owner(handle, 0, OWNERS_END, OWNER_CALLBACK(take), None))
    theirs = [{k: o[k] for k in ours[0]} for o in cxl_spa("explain", "--json", "0x0-%#x" % (OWNERS_END - 1))["owners"]]
    for a, b in zip(theirs, ours):
        if b["releasable"] is None:
            a["releasable"] = None
        compare("owner", a, b)
    assert len(theirs) == len(ours)
    return len(ours)


def main():
    handle = ctypes.c_void_p()
    check(lib.cxlspa_open(TREE.encode(), ctypes.byref(handle)))
    names = ["mem%d" % i for i in range(DEVICES)]
    devices = [n for n in names if translate(handle, n, 0)]
    missing = next(n for n in names if n not in devices)
    assert cxl_spa("translate", missing, "0x0") is None, missing
    spas = sorted({spa for n in devices for spa in compare_device(handle, n)} | {0, 0x1000, (1 << 64) - 1})
    compare_spas(handle, spas)
    n_owners = compare_owners(handle)
    lib.cxlspa_close(handle)
    print("%s: %d devices, %d system addresses, %d owners" % (
        os.path.basename(ARCHIVE), len(devices), len(spas), n_owners))


main()
