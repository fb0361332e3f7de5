#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa events: a captured host's records, and the log of a service.
. "${0%/*}/functions"

lines() {
	[ "$(wc -l <"$scratch/out")" -eq "$1" ] || fail "$what: not $1 lines: $out"
}

# json_lines EXPRESSION: as json; `a` is the list of the objects of all lines.
json_lines() {
	python3 - "$scratch/out" "$1" <<-'PYTHON' || fail "$what: false: $1"
		import json, sys
		a = [json.loads(line) for line in open(sys.argv[1])]
		sys.exit(0 if eval(sys.argv[2]) else 1)
	PYTHON
}

# ---- a captured host ----
plain=$hosts/plain-7.3.tar.zst
normalized=$hosts/normalized-7.3.tar.zst

run 0 events --host "$plain"
silent
says "ENTRY" "DPA 0x1000 -> SPA 0x110004000 (kernel)" "region0, node 1, dax0.0" "aer_uncorrectable"
run 0 events --json --host "$plain"
lines 17
json_lines 'len(set(tuple(e) for e in a)) == 1'
json_lines 'all(e["exact"] and e["source"] == "kernel" and e["spa"] == e["hpa"] for e in a if e["dpa"])'
json_lines 'sum(e["dpa"] is not None for e in a) == 13'
run 0 events --json --host "$normalized"
json_lines 'all(e["hpa"] is None for e in a)'
json_lines 'any(e["dpa"] == "0x1000" and e["spa"] == "0x210002000" for e in a)'
json_lines 'all(e["source"] in ("recorded", "emulated") for e in a if e["dpa"])'

for memdev in serial:0xabc1 serial:43969 cxl-000000000000abc1 0000:0e:00.0; do
	run 0 events --json --host "$normalized" --memdev "$memdev"
	json_lines 'len(a) > 0 and all(e["serial"] == "0xabc1" for e in a)'
done
run 0 events --json --host "$normalized" --memdev mem99
lines 0
run 0 events --json --host "$normalized" --spa 0x210002000-0x210002fff
json_lines 'len(a) > 0 and all(0x210002000 <= int(e["spa"], 16) <= 0x210002fff for e in a)'
run 0 events --json --host "$normalized" --spa=0x210002000
json_lines 'len(a) > 0 and all(e["spa"] == "0x210002000" for e in a)'
# The time of these events is not known.
run 0 events --json --host "$normalized" --since 2020-01-01
lines 0
run 0 events --host "$hosts/zen5-doc.tar.zst"
lines 0

# Where the kernel's own address is wrong. These SPAs are those at which markers were written (tests/vm).
run 0 events --json --host "$hosts/three-bridges-7.3.tar.zst"
lines 12
cat >"$scratch/markers" <<-'END'
	0xabc0 0x600 0x110002800
	0xabc0 0x10000600 0x1e0002400
	0xabc1 0x600 0x110002500
	0xabc1 0x10000600 0x1e0002700
	0xabc4 0x600 0x110002600
	0xabc4 0x10000600 0x1e0002800
	0xabc5 0x600 0x110002900
	0xabc5 0x10000600 0x1e0002500
	0xabc8 0x600 0x110002400
	0xabc8 0x10000600 0x1e0002600
	0xabc9 0x600 0x110002700
	0xabc9 0x10000600 0x1e0002900
END
markers=$scratch/markers
# The hpa of a region that begins at a multiple of 768 MiB is that of no other region.
json_lines "sorted([e['serial'], e['dpa'], e['spa']] for e in a if e['exact']) == sorted(line.split() for line in open('$markers') if ' 0x1e' in line)"
json_lines 'all(e["hpa_disagrees"] == (e["hpa"] != e["spa"]) for e in a if e["exact"])'
json_lines 'sum(e["hpa_disagrees"] for e in a) == 2'
# Of the other one, a region of three ways has the same; the records have no time, so that the region
# may have been made anew. What it would be now is said.
json_lines "all(e['spa'] is None and any(line.split()[:2] == [e['serial'], e['dpa']] and 'now it would be SPA ' + line.split()[2] in e['reason'] for line in open('$markers')) for e in a if not e['exact'])"
json_lines 'sum(not e["exact"] for e in a) == 6'

# ---- errors ----
run 2 events extra
refused "extra"
run 2 events --host "$plain" --follow
refused "--follow requires the log"
run 2 events --host "$plain" --state "$scratch"
refused "--state requires the log"
run 2 list --since 10m --host "$plain"
refused "list does not support --since"
for since in yesterday 10 m 0x10s 2026-13-01 '' 99999999999d; do
	run 2 events --host "$plain" --since "$since"
	refused "--since"
done
run 2 events --host "$plain" --memdev 5
refused "--memdev" "memN"
run 2 events --host "$plain" --spa 1000
refused "'1000' is not an address"
run 2 events --host "$plain" --spa
refused "--spa requires an argument"
run 2 events --spa 0x1 --spa=0x2
refused "--spa is given twice"
run 2 events --state "$scratch/none"
refused "there is no event log in $scratch/none"
mkdir "$scratch/bad"
head -c 8192 /dev/zero | tr '\0' x >"$scratch/bad/events.db"
run 2 events --state "$scratch/bad"
refused "events.db"

# ---- states in the header of a record, in words ----
run 0 events --json --host "$plain"
json_lines 'a[0]["fields"]["log"] == "0x0" and a[0]["record_severity"] == "Warning" and a[0]["record_flags"] == []'
json_lines 'a[0]["severity"] == "critical"' # it is marked as uncorrectable
json_lines 'all((e["record_flags"] is None) == (e["record_severity"] is None) for e in a)'
json_lines 'sum(e["type"] == "poison_cleared" for e in a) == 1'
mkdir "$scratch/made"
[ -x ./make_log ] && ./make_log "$scratch/made/events.db" || fail "make_log"
run 0 events --state "$scratch/made"
says "permanent condition" "maintenance needed: Perform the maintenance" \
	"performance degraded: " "hardware replacement needed: Move data away"
run 0 events --json --state "$scratch/made"
json_lines 'any(e["type"] == "generic" and e["record_flags"] == ["permanent condition", "maintenance needed", "performance degraded", "hardware replacement needed"] for e in a)'

# ---- the log of a service ----
daemon=${CXL_REDFISHD:-./cxl-redfishd}
state=$scratch/state
"$daemon" --host "$normalized" --listen "unix:$scratch/socket" --state "$state" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 100); do
	[ "$("$spa" events --json --state "$state" 2>/dev/null | wc -l)" -lt 17 ] || break
	sleep 0.1
done
run 0 events --state "$state"
says "DPA 0x1000 -> SPA 0x210002000 (recorded)"
run 0 events --json --state "$state"
json_lines '[e["entry"] for e in a] == list(range(1, 18))'
run 0 events --json --state "$state" --memdev serial:0xabc1 --spa 0x210000000-0x21fffffff
json_lines 'len(a) > 0 and all(e["serial"] == "0xabc1" and e["spa"] for e in a)'

# --follow ends with status 0 when it is interrupted.
"$spa" events --json --follow --state "$state" >"$scratch/out" 2>"$scratch/err" &
follower=$!
for _ in $(seq 100); do
	[ "$(wc -l <"$scratch/out")" -lt 17 ] || break
	sleep 0.1
done
# A shell's background job ignores SIGINT.
kill -TERM "$follower"
status=0
wait "$follower" || status=$?
what="events --follow"
[ "$status" -eq 0 ] || fail "$what: status $status: $(cat "$scratch/err")"
lines 17
kill "$pid"
wait "$pid"

# The log can be read without the service.
run 0 events --json --state "$state"
lines 17
finish
