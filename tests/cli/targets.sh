#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The targets for Prometheus.
. "${0%/*}/functions"
need_python

# refused STATUS TEXT ARGUMENT...: nothing is printed, and the text is in the one line of the error.
refused() {
	expected=$1 text=$2
	shift 2
	status=0
	"$spa" targets "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq "$expected" ] || fail "targets $*: status $status"
	[ ! -s "$scratch/out" ] || fail "targets $*: printed $(cat "$scratch/out")"
	grep -qF -- "$text" "$scratch/err" || fail "targets $*: $(cat "$scratch/err")"
}

"$spa" targets node1:9464 192.0.2.7:80 '[2001:db8::1]:9464' >"$scratch/out" || fail "a list: status $?"
cat >"$scratch/expected" <<'END'
[
 {"targets": ["node1:9464", "192.0.2.7:80", "[2001:db8::1]:9464"]}
]
END
cmp -s "$scratch/expected" "$scratch/out" || fail "a list: $(cat "$scratch/out")"

seq -f 'node%g.example:9464' 10000 | "$spa" targets - >"$scratch/out" || fail "10,000 hosts: status $?"
python3 -c 'import json, sys
[group] = json.load(sys.stdin)
assert group == {"targets": [f"node{i}.example:9464" for i in range(1, 10001)]}' <"$scratch/out" || fail "10,000 hosts"
: | "$spa" targets - >"$scratch/out" || fail "an empty list: status $?"

for wrong in node1 node1: :9464 node1:0 node1:65536 node1:99999999999999999999 http://node1:9464 'a b:1' '[node1]:1' '[::1:1' \
	'[]:1' '[fe80::1%eth0]:1' ::1:9464 'a":1' 'node1:9464/metrics'; do
	refused 2 "is no target" "$wrong"
done
printf 'a:1\n\nb\n' | refused 2 "line 3: 'b' is no target" -
printf 'a:1\n%0300d\n' 0 | refused 2 "line 2: the line is too long" -

# configured LINE...: the targets of a host with this configuration, in a namespace with an /etc of its own.
configured() {
	printf '%s\n' "$@" >"$scratch/conf"
	unshare -rm sh -ec 'mount -t tmpfs none /etc && mkdir /etc/cxl-redfish &&
		cat >/etc/cxl-redfish/cxl-redfishd.conf && exec "$0" targets' "$spa" <"$scratch/conf" >"$scratch/out" 2>"$scratch/err"
}

# of_host INSTANCE-PORT TARGET LINE...: what is printed for this configuration.
of_host() {
	port=$1 target=$2
	shift 2
	configured "$@" || fail "$*: $(cat "$scratch/err")"
	printf '[\n {"targets": ["%s"], "labels": {"instance": "%s:%s"}}\n]\n' "$target" "$(hostname)" "$port" >"$scratch/expected"
	cmp -s "$scratch/expected" "$scratch/out" || fail "$*: $(cat "$scratch/out")"
}

of_host 9464 127.0.0.1:9464 'metrics = http://127.0.0.1:9464' 'log-level = warning'
grep -q 'only a Prometheus on this host reaches 127.0.0.1:9464' "$scratch/err" || fail "loopback: $(cat "$scratch/err")"
of_host 9465 "$(hostname):9465" 'metrics = http://0.0.0.0:9465'
of_host 9466 "$(hostname):9466" 'metrics = http://[::]:9466'
of_host 9467 '[2001:db8::7]:9467' 'metrics = http://[2001:db8::7]:9467'
[ ! -s "$scratch/err" ] || fail "$(cat "$scratch/err")"

# wrong STATUS TEXT LINE...: nothing is printed for this configuration, and the reason is said.
wrong() {
	expected=$1 text=$2 status=0
	shift 2
	configured "$@" || status=$?
	[ "$status" -eq "$expected" ] || fail "$*: status $status"
	[ ! -s "$scratch/out" ] || fail "$*: printed $(cat "$scratch/out")"
	grep -qF -- "$text" "$scratch/err" || fail "$*: $(cat "$scratch/err")"
}
wrong 1 "has no metrics" 'log-level = warning'
wrong 2 "unix:/run/metrics, and Prometheus cannot" 'metrics = unix:/run/metrics'
wrong 2 "127.0.0.1:0, and Prometheus cannot" 'metrics = http://127.0.0.1:0'
wrong 2 "gopher" 'metrics = gopher://127.0.0.1:9464'
wrong 2 "cxl-redfishd.conf" 'metrics = http://127.0.0.1:9464' 'metrics = http://127.0.0.1:9465'
finish
