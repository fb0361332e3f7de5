#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Clients that hold connections do not keep others out, neither of Redfish nor of /metrics.
. "${0%/*}/functions"
needs_python
[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 4096 ] ||
	skip "the limit of open files is $(ulimit -Hn), 4096 are needed"

# Held connections end by themselves after 30 s: a client that waits for that is not served.
crowd() {
	python3 "$srcdir/tests/http/crowd.py" "$@" >"$scratch/said" 2>&1 ||
		fail "$(tail -n 5 "$scratch/said")"
}

start plain-7.3 --listen http://127.0.0.1:0 --listen https://127.0.0.1:0 --metrics http://127.0.0.1:0 \
	--password-file "$scratch/password"
metrics=$(sed -n 's/^metrics on //p' "$scratch/out")
crowd 600 idle 60 25 "$url/redfish"
crowd 1300 idle 60 25 "$url/redfish"
crowd 1300 slow 60 25 "$url/redfish"
crowd 1300 unread 60 25 "$url/redfish"
crowd 1300 idle 60 25 "$tls/redfish"
crowd 1300 slow 60 25 "$tls/redfish"
crowd 600 unread 60 25 "$tls/redfish"
crowd 40 idle 5 25 "$metrics"
crowd 200 slow 5 25 "$metrics"
stop

# Descriptors do not run out either, however few the process may have.
printf '#!/bin/sh\nulimit -n 300\nexec "%s" "$@"\n' "$daemon" >"$scratch/limited"
chmod +x "$scratch/limited"
daemon=$scratch/limited
start plain-7.3 --listen http://127.0.0.1:0 --password-file "$scratch/password"
crowd 600 idle 60 25 "$url/redfish"
finish
