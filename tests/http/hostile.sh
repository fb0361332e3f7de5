#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Malformed and malicious requests: they are rejected, and the next client is served.
. "${0%/*}/functions"
needs_python
start normalized-7.3 --listen "unix:$socket" --listen https://127.0.0.1:0 \
	--password-file "$scratch/password"

# Each line: the statuses allowed ("-" is a connection closed without any), and the bytes.
cat >"$scratch/raw.py" <<'EOF'
import socket, ssl, sys

def connect(where):
    """A socket file, or the port of a TLS listener."""
    s = socket.socket(socket.AF_INET if where.isdigit() else socket.AF_UNIX)
    s.settimeout(180)
    s.connect(("127.0.0.1", int(where)) if where.isdigit() else where)
    if not where.isdigit():
        return s
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(s)

def ask(where, data):
    s = connect(where)
    try:
        s.sendall(data)
        answer = s.recv(65536)
    except OSError:
        answer = b""
    s.close()
    return answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/1.1 ") else "-"

H = b"Host: x\r\n"
# The user of the socket would be a login, but a credential in the request wins.
REFUSED = H + b"Authorization: none\r\n"
LOGIN = H + b"Authorization: Basic YWRtaW46c2VjcmV0\r\n"
OPEN = b"GET /redfish HTTP/1.1\r\n"
CHUNKED = (b"POST /redfish/v1/EventService/Actions/EventService.SubmitTestEvent HTTP/1.1\r\n" + H
           + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
SECOND = OPEN + H + b"\r\n"
cases = [
    ("200", OPEN + H + b"\r\n"),
    ("200", b"GET http://x/redfish HTTP/1.1\r\n" + H + b"\r\n"),
    ("200", b"GET /redfish HTTP/1.0\r\n\r\n"),
    ("400", OPEN + b"\r\n"),
    ("400", OPEN + H + H + b"\r\n"),
    ("400", OPEN + b"Host : x\r\n" + H + b"\r\n"),
    ("400", OPEN + H + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
    ("400", OPEN + H + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"),
    ("400", b"POST /redfish HTTP/1.1\r\n" + H + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n"),
    ("400", b"POST /redfish HTTP/1.1\r\n" + H
     + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("400", OPEN + H + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("400 -", b"POST /redfish HTTP/1.1\r\n" + H + b"Transfer-Encoding: gzip\r\n\r\n"),
    ("400 -", b"POST /redfish HTTP/1.1\r\n" + H + b"Content-Length: -1\r\n\r\n"),
    ("400 -", b"POST /redfish HTTP/1.1\r\n" + H + b"Content-Length: 0x10\r\n\r\n"),
    ("400 413 -", b"POST /redfish HTTP/1.1\r\n" + H
     + b"Content-Length: 99999999999999999999999\r\n\r\n"),
    ("401 413", b"POST /redfish HTTP/1.1\r\n" + REFUSED + b"Content-Length: 18446744073709551615\r\n\r\n"),
    ("400 -", b"POST /redfish HTTP/1.1\r\n" + H + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    # By the library itself; its connection is closed.
    ("400 413 500 -", CHUNKED + b"2;" + b"x" * 2000000 + b"\r\n{}\r\n0\r\n\r\n"),
    # Lines of chunks that end with LF, and long ones.
    ("400", CHUNKED + b"2\n{}\r\n0\r\n\r\n" + SECOND),
    ("400", CHUNKED + b"2\r\n{}\n0\r\n\r\n" + SECOND),
    ("400", CHUNKED + b"2\r\n{}\r\n0\n\r\n" + SECOND),
    ("400", CHUNKED + b"2\r\n{}\r\n0\n\n" + SECOND),
    ("400", CHUNKED + b"1\r\n{\r\n1\n}\r\n0\r\n\r\n" + SECOND),
    ("400", CHUNKED + b"2;" + b"x" * 300 + b"\r\n{}\r\n0\r\n\r\n" + SECOND),
    ("400", OPEN + H + b"Authorization: Basic a\r\nAuthorization: Basic b\r\n\r\n"),
    ("400", b"GET /redfish/v1/%00 HTTP/1.1\r\n" + H + b"\r\n"),
    ("401", b"GET /redfish/../redfish HTTP/1.1\r\n" + REFUSED + b"\r\n"),
    ("400", b"GET /redfish/../redfish HTTP/1.1\r\n" + LOGIN + b"\r\n"),
    ("400", b"GET redfish HTTP/1.1\r\n" + LOGIN + b"\r\n"),
    ("401 400", b"OPTIONS * HTTP/1.1\r\n" + REFUSED + b"\r\n"),
    ("401", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + REFUSED + b"\r\n"),
    ("414", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + LOGIN + b"\r\n"),
    # More than fits into the memory of a connection: libmicrohttpd responds and closes it, and a client that is
    # still sending by then has a reset instead.
    ("414 431 -", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + H + b"\r\n"),
    ("413 431 -", OPEN + H + b"X: " + b"a" * 100000 + b"\r\n\r\n"),
    ("413 431 -", OPEN + H + b"X: a\r\n" * 20000 + b"\r\n"),
    ("400 -", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64 + b"\r\n\r\n"),
    ("400 -", b"\r\n\r\n\r\n\r\n"),
    ("400 -", b"GET\r\n\r\n"),
    ("400 505 -", b"GET /redfish HTTP/9.9\r\n" + H + b"\r\n"),
    ("401", b"G" * 300 + b" /redfish HTTP/1.1\r\n" + REFUSED + b"\r\n"),
    # A client that sends much more than it may before it reads gets its response, not a reset.
    ("413", b"GET /redfish/v1/Systems HTTP/1.1\r\n" + LOGIN + b"Content-Length: 20000000\r\n\r\n"
     + b"a" * 20000000),
    ("413", b"POST /redfish/v1/EventService/Actions/EventService.SubmitTestEvent HTTP/1.1\r\n"
     + LOGIN + b"Content-Type: application/json\r\nContent-Length: 20000000\r\n\r\n"
     + b"a" * 20000000),
    # Each part of a head has the length that was received: nothing behind a NUL byte, no folded line.
    ("200", OPEN + H + b"X:  y \t\r\nEmpty:\r\nBlank: \r\nAccept:*/*\r\n\r\n"),
    ("200", b"\r\n" + OPEN + H + b"\r\n"),
    ("200", OPEN + H + b"Cookie: a=b; c=d\r\n\r\n"),
    ("200", (OPEN + H + b"X: y\r\n\r\n").replace(b"\r", b"")),
    ("200", b"GET /redfish?a=b%20c&d&e=%41+ HTTP/1.1\r\n" + H + b"\r\n"),
    ("200", b"GET http://x/redfish?%61 HTTP/1.1\r\n" + H + b"\r\n"),
    ("400", OPEN + b"Host: x\0y\r\n\r\n"),
    ("400", OPEN + b"Host: x\0\r\n\r\n"),
    ("400", OPEN + b"Host: x\0y\r\nX: y\r\n\r\n"),
    ("400", OPEN + H + b"Accept: */*\0, text/html\r\nX: y\r\n\r\n"),
    ("400", OPEN + H + b"X:a\0bcdef\r\nY:\r\nZ:\r\n\r\n"),
    ("400", b"GET /redfish HTTP/1.1\n" + b"Host: x\0ab\nX: y\r\nY: z\n\r\n"),
    ("400", b"GET /redfish\0/v1/Systems HTTP/1.1\r\n" + H + b"\r\n"),
    ("400", b"GET /redfish?a\0b HTTP/1.1\r\n" + H + b"\r\n"),
    ("400", b"GET\0POST /redfish HTTP/1.1\r\n" + H + b"\r\n"),
    ("400", b"GET   /redfish   HTTP/1.1\r\n" + H + b"\r\n"),
    ("400", OPEN + H + b"X: a\r\n folded\r\n\r\n"),
    ("400", OPEN + H + b"X: a\r\n\tfolded\r\nY: z\r\n\r\n"),
    ("400", OPEN + H + b"X: a\r\n \r\nY: z\r\n\r\n"),
    ("400", OPEN + b"Host: x\r\n y\r\n\r\n"),
    ("400", OPEN + b" Host: x\r\n" + H + b"\r\n"),
    ("400", b"POST /redfish HTTP/1.1\r\n" + H + b"Content-Length:\r\n 3\r\n\r\nabc"),
    ("400", b"POST /redfish HTTP/1.1\r\n" + H + b"Transfer-Encoding: chun\r\n ked\r\n\r\n"),
    ("400", OPEN + H + b"X: a\rY: b\r\n\r\n"),
    ("400", OPEN + H + b"X: a\x1b[2J\r\n\r\n"),
    ("401", b"GET /redfish/v1/\xff\xfe HTTP/1.1\r\n" + REFUSED + b"\r\n"),
]
failed = 0
for allowed, data in cases:
    got = ask(sys.argv[1], data)
    if got not in allowed.split():
        print("FAIL: %r...: %s instead of %s" % (data[:70], got, allowed))
        failed += 1

# Bytes behind a chunked body are no request: another parser may have another end of it.
for body in (b"2\r\n{}\r\n0\r\n\r\n", b"2\r\n{}\r\n0\n\n", b"0\n\n", b"0\r\n\n"):
    s = connect(sys.argv[1])
    answer = b""
    try:
        s.sendall(CHUNKED + body + SECOND)
        while more := s.recv(65536):
            answer += more
    except OSError:
        pass
    if answer.count(b"HTTP/1.1 ") != 1:
        print("FAIL: %r has several answers: %r" % (body, answer))
        failed += 1

# Two requests in one segment, the first with a body that is not used.
s = connect(sys.argv[1])
s.sendall(OPEN + H + b"Content-Length: 5\r\n\r\nhello" + OPEN + H + b"\r\n")
answer = b""
while answer.count(b'{"v1"') < 2:
    more = s.recv(65536)
    if not more:
        break
    answer += more
if answer.count(b"HTTP/1.1 200") != 2:
    print("FAIL: pipelined requests: %r" % answer)
    failed += 1
sys.exit(failed > 0)
EOF
python3 "$scratch/raw.py" "$socket" || n_failed=$((n_failed + 1))
python3 "$scratch/raw.py" "${tls##*:}" >"$scratch/said" ||
	fail "over TLS: $(cat "$scratch/said")"
request 200 GET "$system"

# A response is one of ours however strange the names in the URI are.
request 404 GET "$system/Memory/%22%3Cscript%3Ex"
request 404 GET "$system/Memory/%ff%fe"
has ResourceMissingAtURI
finish
