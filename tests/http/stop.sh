#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# SIGTERM ends the daemon, whatever its clients are doing.
. "${0%/*}/functions"
needs_python
start_usual

# Clients that sit in every stage of a request: connected, half a head, half a body, a reply that
# is not read, and an idle kept-alive connection; most of them with a big action in flight.
cat >"$scratch/clients.py" <<'EOF'
import base64, socket, sys, time

path, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
login = b"Authorization: Basic " + base64.b64encode(b"admin:secret") + b"\r\n"
action = b"/redfish/v1/Systems/Host/Actions/Oem/CXLHostComputerSystem.TranslateSPA"
body = b'{"SystemPhysicalAddresses":[' + b",".join([b'"0x210002040"'] * 10000) + b"]}"
post = (b"POST " + action + b" HTTP/1.1\r\nHost: localhost\r\n" + login
        + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
stages = [
    b"",
    b"GET /redfish HTTP/1.1\r\nHos",
    post + body[:1000],
    post + body,
    post + body,
    post + body,
    post + body,
    b"GET /redfish HTTP/1.1\r\nHost: localhost\r\n\r\n",
]
held = []
for stage in stages * 8:
    for tcp in (False, True):
        s = socket.socket(socket.AF_INET if tcp else socket.AF_UNIX)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect((host, port) if tcp else path)
        s.sendall(stage)
        held.append(s)
print("ready", flush=True)
time.sleep(3600)
EOF
address=${url#http://}
python3 "$scratch/clients.py" "$socket" "${address%:*}" "${address##*:}" >"$scratch/ready" &
clients=$!
for _ in $tries; do
	! grep -q ready "$scratch/ready" || break
	sleep 0.1
done
grep -q ready "$scratch/ready" || fail "the clients did not come up"

# They do not keep others from being served.
request 200 GET "$system"
stop
kill "$clients" 2>/dev/null
wait "$clients" 2>/dev/null
[ ! -e "$socket" ] || fail "the socket is left behind"
finish
