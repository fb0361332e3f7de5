#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Slow queries of a log of half a million entries: they delay neither changes nor the end, and
# nothing is done for clients that have gone.
. "${0%/*}/functions"
needs_python
mkdir -m 700 "$scratch/state"
./make_log "$scratch/state/events.db" 500000 || fail "make_log"

cat >"$scratch/clients.py" <<'EOF'
import json, socket, sys, threading, time
from urllib.parse import quote

path, what = sys.argv[1], sys.argv[2]
ENTRIES = "/redfish/v1/Systems/Host/LogServices/CXL/Entries"
TIMEOUT = 600

def connect():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(TIMEOUT)
    s.connect(path)
    return s

def send(s, method, uri, body=""):
    s.sendall((f"{method} {uri} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
               f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())

def receive(s):
    data = b""
    while chunk := s.recv(65536):
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), body

# Each one is another: no count of one is that of another one. Nothing matches, so all is searched.
def slow(i):
    first = 0x850000000 + i * 64
    filter = (f"Oem/CXLHost/SystemPhysicalAddress ge '{first:#x}' and MessageId eq 'CXLHost.1.0.PoisonEvent'"
              f" and Created ge '2025-11-13T02:13:{i % 60:02}Z'")
    s = connect()
    send(s, "GET", f"{ENTRIES}?$top=1&$filter={quote(filter)}")
    return s

def subscribe(i):
    s = connect()
    send(s, "POST", "/redfish/v1/EventService/Subscriptions",
         json.dumps({"Destination": f"http://127.0.0.1:9/{i}", "Protocol": "Redfish"}))
    return s

order, lock = [], threading.Lock()

def wait(s, name):
    status, _ = receive(s)
    with lock:
        order.append((name, status))

def is_beside(first, n):
    order.clear()
    waiting = [threading.Thread(target=wait, args=(slow(first + i), "query")) for i in range(n)]
    for t in waiting:
        t.start()
    change = threading.Thread(target=wait, args=(subscribe(n), "change"))
    change.start()
    for t in waiting + [change]:
        t.join()
    assert all(s in (200, 503) for name, s in order if name == "query"), order
    return order.index(("change", 201)) < n

if what == "beside":
    # Behind all of them each time, if it waited for their end; once, where this script had to wait for a processor.
    assert any(is_beside(1000 * i, 50) for i in range(1, 9)), "changes are answered after all of 50 queries"
elif what == "gone":
    # Others than beside(): the results of those may be remembered.
    begun = time.monotonic()
    receive(slow(100))
    one = time.monotonic() - begun
    for i in range(101, 150):
        slow(i).close()
    begun = time.monotonic()
    status, body = receive(slow(150))
    took = time.monotonic() - begun
    # The deadline, on a machine that is busy.
    assert status in (200, 503), status
    # Not behind the 49 before it; twenty of them leave room for what else the machine does.
    assert took < 20 * one + 60, f"{took} s behind clients that have gone, {one} s alone"
else:
    held = [slow(i) for i in range(50)]
    print("ready", flush=True)
    time.sleep(3600)
EOF
start plain-7.3 --listen "unix:$socket" --state "$scratch/state" --max-events 600000
python3 "$scratch/clients.py" "$socket" beside || fail "changes beside slow queries"
python3 "$scratch/clients.py" "$socket" gone || fail "clients that have gone"

# The count of all is of all, and a query that names less is answered.
request_as_is 200 GET "$system/LogServices/CXL/Entries?\$top=1"
has '"Members@odata.count":5000'
request_as_is 200 GET "$system/LogServices/CXL/Entries?\$top=1&\$filter=Created%20ge%20'2025-11-13T02:15:00Z'%20and%20Created%20lt%20'2025-11-13T02:15:10Z'"
has '"Members@odata.count":10000'

python3 "$scratch/clients.py" "$socket" hold >"$scratch/ready" &
clients=$!
for _ in $tries; do
	! grep -q ready "$scratch/ready" || break
	sleep 0.1
done
begun=$(date +%s%N)
stop
echo "the end took $((($(date +%s%N) - begun) / 1000000)) ms"
kill "$clients" 2>/dev/null
wait "$clients" 2>/dev/null
finish
