#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Translate an address by libcxlspa: translate.py MEMDEV DPA [CAPTURED-HOST]

Prints "0xSPA SOURCE" and exits with 0 for an exact answer; otherwise prints the reason and exits with 1.
"""
import ctypes
import sys


class Answer(ctypes.Structure):
    """struct cxlspa_answer of cxlspa.h"""
    _fields_ = ([("size", ctypes.c_size_t), ("flags", ctypes.c_uint32), ("source", ctypes.c_int32)] +
                [(name, ctypes.c_uint64) for name in ("dpa", "dpa_last", "spa", "spa_last", "alias", "alias_last", "serial")] +
                [("numa_node", ctypes.c_int32), ("position", ctypes.c_int32),
                 ("n_candidates", ctypes.c_uint32), ("reserved", ctypes.c_uint32)] +
                [(name, ctypes.c_char * 64) for name in ("memdev", "region", "decoder", "window", "dax")] +
                [("reason", ctypes.c_char * 320)])


EXACT = 1

lib = ctypes.CDLL("libcxlspa.so.1")
lib.cxlspa_strerror.restype = lib.cxlspa_source_name.restype = ctypes.c_char_p
lib.cxlspa_close.argtypes = [ctypes.c_void_p]
lib.cxlspa_dpa_to_spa.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(Answer)]


def check(result):
    if result < 0:
        sys.exit("translate.py: " + lib.cxlspa_strerror(result).decode())


def main():
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__.splitlines()[0])
    host = sys.argv[3].encode() if len(sys.argv) > 3 else None
    handle, answer = ctypes.c_void_p(), Answer(size=ctypes.sizeof(Answer))
    check(lib.cxlspa_open(host, ctypes.byref(handle)))
    check(lib.cxlspa_dpa_to_spa(handle, sys.argv[1].encode(), int(sys.argv[2], 0), ctypes.byref(answer)))
    lib.cxlspa_close(handle)
    if not answer.flags & EXACT:
        print(answer.reason.decode())
        sys.exit(1)
    print(f"{answer.spa:#x} {lib.cxlspa_source_name(answer.source).decode()}")


if __name__ == "__main__":
    main()
