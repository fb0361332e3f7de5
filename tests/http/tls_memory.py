#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Memory of the daemon with 64 TLS connections that stay open: tls_memory.py URL PID

The figure is printed; it is no limit, because it depends on how the daemon was built."""
import re
import socket
import ssl
import sys
from urllib.parse import urlsplit

url, pid = urlsplit(sys.argv[1]), sys.argv[2]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE


def resident():
    with open("/proc/%s/status" % pid, encoding="ascii") as f:
        return int(re.search(r"VmRSS:\s+(\d+) kB", f.read()).group(1))


before = resident()
connections = []
for _ in range(64):
    s = context.wrap_socket(socket.create_connection((url.hostname, url.port), timeout=180))
    connections.append(s)
for _ in range(2):
    for s in connections:
        s.sendall(b"GET /redfish HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for s in connections:
        answer = b""
        while b"\r\n\r\n" not in answer or b"}" not in answer:
            more = s.recv(65536)
            if not more:
                sys.exit("a connection was closed: %r" % answer)
            answer += more
        if not answer.startswith(b"HTTP/1.1 200 "):
            sys.exit("%r" % answer[:60])
print("resident: %d KiB, with 64 TLS connections %d KiB" % (before, resident()))
