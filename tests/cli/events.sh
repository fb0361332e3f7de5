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
says "0x1000 0x110004000" "aer_uncorrectable mem2" "Cache Address Parity Error"
says_not "ENTRY" # a captured record has no number
lines 18 # one for each event
run 0 events --wide --host "$plain"
says "next: Do not use the address. The data at the address is lost." "next: Check the link and the device" \
	"next: Check which program or device uses this address. The media has not failed."
[ "$(grep -c 'poison_cleared.*next' "$scratch/out")" -eq 0 ] || fail "$what: advice for poison that was cleared"
# The same records as text have the same next steps.
grep -E ' (general_media|dram|poison) ' "$scratch/out" | sed 's/.*next: //' | sort -u >"$scratch/steps"
unpack plain-7.3
run 0 --host "$copy" translate --this-boot --trace "$copy/events/trace.txt"
sed -n 's/^ *next: //p' "$scratch/out" | grep -v '^cxl-spa' | sort -u | diff "$scratch/steps" - || fail "$what: other next steps"
run 0 events --wide --host "$plain"
says "0xabc0" "cxl-000000000000abc0 0x1000" "kernel region0 1 dax0.0" "0x4000-0x403f"
lines 18
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
run 2 events --json --host "$normalized" --memdev mem99
refused "mem99: no such memory device"
run 2 events --host "$normalized" --region region9
refused "region9: no such region; this host has region1"
run 2 events --host "$normalized" --region 9
refused "write regionN"
run 0 events --json --host "$normalized" --memdev mem0 # it exists, and has no event
lines 0
run 0 events --json --host "$normalized" --region region1
json_lines 'len(a) == 13 and all(e["region"] == "region1" for e in a)'
run 0 events --json --host "$normalized" --severity ok,critical --type poison_cleared,dram
json_lines 'sorted((e["severity"], e["type"]) for e in a) == [("critical", "dram"), ("ok", "poison_cleared")]'
run 0 events --json --host "$normalized" --dpa 0x4010-0x401f
json_lines 'len(a) == 4 and all(e["dpa"] == "0x4000" for e in a)'

# The order is that of the time: the device's here, and behind it those without by the trace clock.
run 0 events --json --host "$normalized"
json_lines '[e["device_time"] for e in a if e["device_time"]] == sorted(e["device_time"] for e in a if e["device_time"])'
json_lines 'len(a) == 17 and [e["device_time"] is None for e in a] == [False] * 6 + [True] * 11'
json_lines '[float(e["trace_time"]) for e in a[6:]] == sorted(float(e["trace_time"]) for e in a[6:])'
cp "$scratch/out" "$scratch/all"
for n in --lines=3 -n3 "-n 3"; do
	# shellcheck disable=SC2086
	run 0 events --json --host "$normalized" $n
	tail -n 3 "$scratch/all" | cmp - "$scratch/out" || fail "$what: not the last three"
done
run 2 events -n 0 --host "$normalized"
refused "--lines"
run 2 events -n --host "$normalized"
run 2 events --host "$normalized" -n
refused "--lines requires an argument"
run 2 list -n 1 --host "$normalized"
refused "list does not support --lines"

# Codes and flags have names beside the numbers.
run 0 events --json --host "$normalized"
json_lines 'a[0]["fields"]["type"] == "0x3" and a[0]["names"]["type"] == "TE State Violation" and a[0]["names"]["transaction_type"] == "reserved (0xc0)"'
json_lines 'a[0]["names"]["descriptor"] == ["uncorrectable event", "threshold event"] and "rank 17" in a[0]["summary"]'
json_lines 'all(e["summary"] for e in a)'
json_lines 'a[0]["summary"].endswith("; %s log" % a[0]["names"]["log"])'
json_lines '{e["summary"] for e in a if e["names"].get("trace_type") == "Inject"} == {"injected on request"}'
json_lines '{e["summary"] for e in a if e["type"] == "poison_cleared"} == {"cleared on request"}'
json_lines 'any("bank group 7, bank 11, row 2, column 77" in (e["summary"] or "") for e in a)'

# No line is longer than the terminal, no value is cut, and each is below its heading.
run 0 events --json --host "$normalized"
cp "$scratch/out" "$scratch/all"
cat >"$scratch/columns.py" <<-'PYTHON'
	import json, re, sys
	width, table, objects = int(sys.argv[1]), open(sys.argv[2]).read().splitlines(), open(sys.argv[3])
	events = [json.loads(line) for line in objects]
	heading = table[0]
	at = {m.group(): m.start() for m in re.finditer(r"\S+", heading)}
	assert len(table) == len(events) + 1 and all(len(line) <= width for line in table), table
	keys = {"SEVERITY": "severity", "TYPE": "type", "DEVICE": "memdev", "PCI": "host", "DPA": "dpa",
	        "SPA": "spa", "REGION": "region", "NODE": "numa_node", "DAX": "dax", "SOURCE": "source"}
	for line, event in zip(table[1:], events):
	    for name in at:
	        if name in keys:
	            value = event[keys[name]]
	            shown = line[at[name]:].split()[0]
	            assert shown == ("-" if value is None else str(value)), (name, value, line)
	            assert line[at[name] - 1] == " " or not at[name], (name, line)
	print(*at)
PYTHON
columns() {
	COLUMNS=$1 run 0 events --host "$normalized"
	shown=$(python3 "$scratch/columns.py" "$1" "$scratch/out" "$scratch/all") || fail "$what: COLUMNS=$1"
	[ "$shown" = "$2" ] || fail "$what: COLUMNS=$1: the columns are $shown"
}
columns 40 "TIME DEVICE SPA"
columns 60 "TIME TYPE DEVICE SPA"
columns 80 "TIME SEVERITY TYPE DEVICE DPA SPA NODE"
columns 100 "TIME SEVERITY TYPE DEVICE DPA SPA NODE EVENT"
says "general_media     mem1   0x2040   0x210004140 2    Invalid Address,..." "256 bytes; "
columns 140 "TIME SEVERITY TYPE DEVICE PCI DPA SPA REGION NODE EVENT"
columns 240 "TIME SEVERITY TYPE DEVICE PCI DPA SPA SOURCE REGION NODE DAX EVENT"
# Not even on a terminal for which the most important one is too long.
COLUMNS=5 run 0 events --host "$normalized" --type dram
[ "$(sort "$scratch/out" | xargs)" = "0x210020000 0x210040100 SPA" ] || fail "$what: $out"
# A column without a value is left out.
COLUMNS=80 run 0 events --host "$normalized" --type aer_correctable
says "TIME SEVERITY TYPE DEVICE PCI EVENT"

# ---- counts ----
run 0 events --summary --host "$normalized"
says "17 events, 4 without a page" "mem2 0000:0d:00.0 cxl-000000000000abc0 13 10 2 1" "poison 7 7 0 0" \
	"0x210008000-0x210008fff 4 3 0 1"
for width in 55 60 80 95 100 120; do
	COLUMNS=$width run 0 events --summary --host "$normalized"
	awk -v width="$width" 'length > width { exit 1 }' "$scratch/out" || fail "$what: COLUMNS=$width: $out"
	says "0x210008000-0x210008fff 4 3 0 1"
done
COLUMNS=80 run 0 events --summary --host "$normalized"
says "DEVICE EVENTS CRITICAL WARNING OK LAST" "mem2 cxl-000000000000abc0 13 10 2 1 2026-11-21T21:44:13"
COLUMNS=55 run 0 events --summary --host "$normalized"
says_not "LAST"
run 0 events --summary --json --host "$normalized" --type poison
json 'a["events"] == 7 and [(t["type"], t["events"]) for t in a["types"]] == [("poison", 7)]'
json 'sum(d["events"] for d in a["devices"]) == 7 and [d["memdev"] for d in a["devices"]] == ["mem2", "mem1"]'
json '[(p["page"], p["critical"]) for p in a["pages"]] == [("0x210001000", 3), ("0x210008000", 3), ("0x210200000", 1)]'
run 2 events --summary --follow
refused "--follow and --summary"
run 0 events --json --host "$normalized" --spa 0x210002000-0x210002fff
json_lines 'len(a) > 0 and all(0x210002000 <= int(e["spa"], 16) <= 0x210002fff for e in a)'
run 0 events --json --host "$normalized" --spa=0x210002000
json_lines 'len(a) > 0 and all(e["spa"] == "0x210002000" for e in a)'
# The time of day of these events is not known, but of some the device's.
run 0 events --json --host "$normalized" --since 2020-01-01
lines 6
run 0 events --json --host "$normalized" --since 2026-11-22
lines 0
run 0 events --host "$hosts/zen5-doc.tar.zst"
refused "events: the captured host has no events"
run 0 events --json --host "$hosts/zen5-doc.tar.zst"
silent
run 0 events --host "$normalized" --since 2026-11-22
refused "events: none of the 17 events of the captured host is selected"

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
# The region of three ways has the same records as the other one; the records have no time, so that the region
# may have been made anew. The reason has the present address.
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
run 2 list --until 10m --host "$plain"
refused "list does not support --until"
# The times that it prints.
run 0 events --json --host "$normalized" --since 2020-01-01
time=$(sed -n '$s/.*"device_time": *"\([^"]*\)".*/\1/p' "$scratch/out")
run 0 events --json --host "$normalized" --since "$time"
json_lines "len(a) in range(1, 6) and all(e['device_time'] >= '$time' for e in a) and '.' in '$time'"
for time in ereyesterday 10 m 0x10s 2026-13-01 '' 99999999999d 2026-11-21T21:44:13. 2026-11-21T21:44:13.1234567890Z 2026-11-21.5; do
	run 2 events --host "$plain" --since "$time"
	refused "--since"
	run 2 events --host "$plain" --until "$time"
	refused "--until"
done
# The forms are named. They are UTC, whatever the zone of the machine is.
run 2 events --host "$plain" --until "a while ago"
refused "--until 'a while ago' is not a time from 1970 to 2553: write 2026-11-26, '2026-11-26 21:44', 21:44 or 21:44:13, in UTC or with an offset (+01:00); now, today, yesterday; 2h, -2h, '3 days ago'; or @SECONDS since 1970"
# selects N ARGUMENT...: of the six events of 2026-11-21T21:44:13 that have a time.
selects() {
	n=$1
	shift
	for zone in UTC America/New_York Asia/Kolkata; do
		TZ=$zone run 0 events --json --host "$normalized" "$@"
		lines "$n"
	done
}
selects 6 --since "2026-11-21 21:44" --until "2026-11-21 21:45"
selects 6 --since 2026-11-21T21:44:13 --until 2026-11-21T21:44:13
selects 6 --since "Sat 2026-11-21 22:44:13 +01:00" --until "Sat 2026-11-21 22:44:13 +01:00"
selects 6 --since @1795297453 --until @1795297453
selects 4 --until 2026-11-21T21:44:13.404436035Z
selects 3 --since 2026-11-21T21:44:13.404436035Z
selects 0 --until "2026-11-21 21:44"
selects 0 --until 2026-11-21
selects 0 --since tomorrow
run 0 events --host "$normalized" --since yesterday --until 2hours
refused "is selected: --since is " "T00:00:00.000000000Z, --until is "
for time in "1 hour ago" yesterday today now -2h "3 days ago" 1h30min; do
	run 0 events --host "$normalized" --until "$time" --json
done
run 2 events --host "$normalized" --since now --until yesterday
refused "--since is a later time than --until"
run 2 events --follow --until now
refused "--follow and --until"
run 2 events --host "$plain" --memdev 5
refused "--memdev" "memN"
run 2 events --host "$plain" --spa 1000
refused "'1000' is not an address"
run 2 events --host "$plain" --spa
refused "--spa requires an argument"
run 2 events --spa 0x1 --spa=0x2
refused "--spa is given twice"
run 2 events --state "$scratch/none"
refused "there is no event log in $scratch/none: start the service (systemctl start cxl-redfishd, or "
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
run 0 events --wide --state "$scratch/made"
says "permanent condition" "maintenance needed; " "next: Perform the maintenance" \
	"performance degraded; " "hardware replacement needed; "
says "log overflowed, " "cleared on request" ", which the kernel does not decode" \
	"spare resources available " "Failure log"
run 0 events --json --state "$scratch/made"
# Each that is of a device says what happened; of the link, if its status is known.
json_lines 'all(e["summary"] for e in a if e["type"] in ("overflow", "generic", "dram", "memory_sparing") and e["fields"].get("log"))'
json_lines 'any(e["type"] == "generic" and e["record_flags"] == ["permanent condition", "maintenance needed", "performance degraded", "hardware replacement needed"] for e in a)'

# ---- the log of a service ----
daemon=${CXL_REDFISHD:-./cxl-redfishd}
state=$scratch/state
"$daemon" --host "$normalized" --listen "unix:$scratch/socket" --state "$state" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1800); do
	[ "$("$spa" events --json --state "$state" 2>/dev/null | wc -l)" -lt 17 ] || break
	sleep 0.1
done
run 0 events --state "$state"
says "ENTRY" "0x1000 0x210002000 region1"
run 0 events --json --state "$state" -n 4
json_lines '[e["entry"] for e in a] == list(range(14, 18))'
run 0 events --state "$state" --region region1 --memdev cxl-000000000000abc1
run 0 events --state "$state" --since 10s
refused "events: none of the 17 events of the log is selected"
run 2 events --state "$state" --memdev mem77
refused "mem77: no such memory device; " "; the log has mem1, mem2"
run 2 events --state "$state" --region region7
refused "region7: no such region; " "; the log has region1"
run 0 events --json --state "$state"
json_lines 'sorted(e["entry"] for e in a) == list(range(1, 18))'
json_lines '[e["time"] or e["device_time"] for e in a if e["time"] or e["device_time"]] == sorted(e["time"] or e["device_time"] for e in a if e["time"] or e["device_time"])'
# Entries without any time follow the one before them by the trace clock, although the rings of the CPUs
# were read one after the other.
json_lines '[float(e["trace_time"]) for e in a] == sorted(float(e["trace_time"]) for e in a)'
json_lines '[e["entry"] for e in a] != list(range(1, 18))'
run 0 events --json --state "$state" --memdev serial:0xabc1 --spa 0x210000000-0x21fffffff
json_lines 'len(a) > 0 and all(e["serial"] == "0xabc1" and e["spa"] for e in a)'

# --follow ends with status 0 when it is interrupted.
"$spa" events --json --follow --state "$state" >"$scratch/out" 2>"$scratch/err" &
follower=$!
for _ in $(seq 1800); do
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
# There the widths do not depend on the entries that were there at the beginning.
COLUMNS=100 "$spa" events --follow --type dram --state "$state" >"$scratch/out" 2>"$scratch/err" &
follower=$!
for _ in $(seq 1800); do
	[ "$(wc -l <"$scratch/out")" -lt 3 ] || break
	sleep 0.1
done
kill -TERM "$follower"
wait "$follower"
[ "$(head -n 1 "$scratch/out" | tr -d '\n')" = "TIME                 SEVERITY TYPE                   DEVICE DPA          SPA          NODE" ] ||
	fail "$what: $(cat "$scratch/out")"
kill "$pid"
wait "$pid"

# The log can be read without the service.
run 0 events --json --state "$state"
lines 17
finish
