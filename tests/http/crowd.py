#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients that hold connections, beside one that asks.

    crowd.py HOLD HOW REQUESTS SECONDS http[s]://ADDRESS:PORT/PATH

HOLD connections are opened that never send a whole request: "idle" ones send nothing, "slow" ones
a byte of a head, or of a handshake, now and then, "unread" ones send requests and do not read the replies. Then REQUESTS
requests are made, each on its own connection; all must be answered with 200 within SECONDS each.
"""
import resource
import socket
import ssl
import sys
import threading
import time
from urllib.parse import urlsplit

hold, how, requests, seconds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
url = urlsplit(sys.argv[5])
address = (url.hostname, url.port)
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
held = []
done = threading.Event()


def open_one():
    s = socket.socket()
    s.settimeout(5)
    try:
        s.connect(address)
        if how == "slow":
            s.sendall(HELLO if url.scheme == "https" else b"GET / HTTP/1.1\r\n")
        elif how == "unread":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            if url.scheme == "https":
                s = context.wrap_socket(s)
            s.setblocking(False)
            for _ in range(500):
                s.send(GET % (url.path.encode(), b"") * 20)
    except OSError:
        pass
    return s


def trickle():
    while not done.wait(0.2):
        for i, s in enumerate(held):
            try:
                s.settimeout(0)
                s.send(b"X")
            except OSError:
                # As a client would that was sent away: it comes again.
                s.close()
                held[i] = open_one()


def ask():
    begun = time.monotonic()
    s = socket.socket()
    s.settimeout(seconds)
    try:
        s.connect(address)
        if url.scheme == "https":
            s = context.wrap_socket(s)
        s.sendall(GET % (url.path.encode(), b"Connection: close\r\n"))
        answer = s.recv(65536)
    except OSError as e:
        answer = repr(e).encode()
    s.close()
    took = time.monotonic() - begun
    if answer.startswith(b"HTTP/1.1 200 ") and took < seconds:
        return True
    print("no answer after %.1f s: %r" % (took, answer[:60]))
    return False


for _ in range(hold):
    held.append(open_one())
if how == "slow":
    threading.Thread(target=trickle, daemon=True).start()
answered = sum(ask() for _ in range(requests))
done.set()
print("%d of %d answered beside %d %s connections" % (answered, requests, hold, how))
sys.exit(answered != requests)
