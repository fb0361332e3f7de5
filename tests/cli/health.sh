#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa health: the line and the exit status of a plugin of Nagios; the plugin of
# node-problem-detector.
. "${0%/*}/functions"
need_python

mock=$hosts/mock-7.3.tar.zst
plain=$hosts/plain-7.3.tar.zst
unread=$hosts/idle-7.3.tar.zst # its devices were not read, and it has no events

# one_line TEXT: standard output is one line that begins so.
one_line() {
	[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "$what: not one line: $out"
	case $out in
	"$1"*) ;;
	*) fail "$what: does not begin with '$1': $out" ;;
	esac
}

run 2 health --host "$mock"
silent
one_line "CXL CRITICAL - mem"
says "(and 65 more: --json has all) | devices=11 regions=1 warnings=33 critical=33"
run 1 health --host "$hosts/zen5-doc.tar.zst"
one_line "CXL WARNING - region"
run 3 health --host "$unread"
one_line "CXL UNKNOWN - the devices do not report their health | devices="
run 2 health --json --host "$mock"
json 'a["status"] == "CRITICAL" and a["exit_status"] == 2 and a["devices"] == 11'
json 'len(a["problems"]) == 66 and a["problems"][0]["status"] == "CRITICAL"'
json 'all(p["object"] and p["text"] for p in a["problems"]) and not a["log_read"]'
run 3 health --json --host "$unread"
json 'a["status"] == "UNKNOWN" and a["devices_unknown"] == a["devices"] and a["reason"]'

# The events of a capture count, as those of a log; its entries have no numbers.
run 2 health --host "$plain"
silent
one_line "CXL CRITICAL - mem2 (0000:0d:00.0, slot 2): 3 reports of poison on page 0x110002000, 2 link errors, 1 uncorrectable media error on page 0x110040000, 2 accesses that are not allowed (at least one is fatal) on 2 pages, "
says ", newest 2026-11-21 21:43 UTC (and 6 more: --json has all) | devices=4 regions=1 warnings=5 critical=6"
says_not "entry"
run 2 health --json --host "$plain"
json 'a["log_read"] and a["reason"] is None and all(p["object"] in ("mem2", "mem3") for p in a["problems"])'
# Each incident is one problem, whatever its number of events, as triage has them.
json 'len({p["text"].split("; incident ")[1].split(",")[0] for p in a["problems"] if "; incident " in p["text"]}) == 9'
json 'len([p for p in a["problems"] if "; incident " in p["text"]]) == 9'
for name in plain-7.3 normalized-7.3; do
	order=$("$spa" --host "$hosts/$name.tar.zst" triage --json | python3 -c 'import json, sys; print([str(i["id"]) for i in json.load(sys.stdin)["incidents"]])')
	run 2 health --json --host "$hosts/$name.tar.zst"
	json '[p["text"].split("; incident ")[1].split(",")[0] for p in a["problems"] if "; incident " in p["text"]] == '"$order"
done
run 2 health --json --host "$plain"
# States of the device in records of its incidents are problems of their own.
json '[p["text"] for p in a["problems"] if "; incident " not in p["text"]] == ["the device needs maintenance", "the device'"'"'s performance has degraded"]'
json 'sum(int(p["text"].split()[0]) for p in a["problems"] if "of poison" in p["text"]) == 4'

# All devices report that they are well.
unpack mock-7.3
for file in "$copy"/mbox/mem*/health_info.bin; do
	head -c 18 /dev/zero >"$file"
done
run 0 health --host "$copy"
one_line "CXL OK - 11 memory devices and 1 region are healthy | devices=11"
healthy=$copy

# A host without CXL is a fact; one whose device no driver has bound is not.
mkdir -p "$scratch/bare/sys/devices" "$scratch/bare/proc"
run 0 health --host "$scratch/bare"
one_line "CXL OK - no CXL memory on this host: "
run 0 health --json --host "$scratch/bare"
json 'a["status"] == "OK" and a["exit_status"] == 0 and a["devices"] == 0 and a["reason"] and not a["problems"]'
run 0 explain --host "$scratch/bare"
says "no CXL on this host"
run 1 explain --check --host "$scratch/bare"

# A log that cannot be read may have anything.
mkdir "$scratch/bad"
head -c 8192 /dev/zero | tr '\0' x >"$scratch/bad/events.db"
run 3 health --state "$scratch/bad"
one_line "CXL UNKNOWN - the log of events cannot be read: "
says "events.db"
run 3 health --json --state "$scratch/bad"
json 'a["status"] == "UNKNOWN" and "events.db" in a["reason"] and not a["log_read"]'
run 3 health --state "$scratch/none"
one_line "CXL UNKNOWN - the log of events cannot be read: "
unpack plain-7.3
head -c 100 "$copy/events/raw.cpu0" >"$scratch/part"
cp "$scratch/part" "$copy/events/raw.cpu0"
run 2 health --host "$copy" # another CPU's are critical, but these are not all
says ", newest " "; the log of events cannot be read: "
rm -r "$copy/events"
run 3 health --host "$copy"
one_line "CXL UNKNOWN - the devices do not report their health | devices=4"

# A missing answer is no CRITICAL, and a plugin reports it on standard output.
run 3 health extra
one_line "CXL UNKNOWN - health: unexpected operand 'extra'"
run 3 health --no-such-option
one_line "CXL UNKNOWN - unknown option '--no-such-option'"
run 3 --no-such-option health
one_line "CXL UNKNOWN - unknown option '--no-such-option'"
run 3 health --state "$scratch" --host "$mock"
one_line "CXL UNKNOWN - --state requires the log of cxl-redfishd"
run 3 health --host "$scratch/none"
one_line "CXL UNKNOWN - the host cannot be read"
run 3 health --json --host "$scratch/none"
json 'a["exit_status"] == 3 and a["reason"] == "the host cannot be read" and a["problems"] == []'
run 3 health --json extra
json 'a["exit_status"] == 3 and "extra" in a["reason"]'
status=0
"$spa" health --host "$mock" >/dev/full 2>"$scratch/err" || status=$?
[ "$status" -eq 3 ] || fail "health: status $status instead of 3 for output that cannot be written"

# ---- node-problem-detector ----
plugin=$srcdir/cli/node-problem-detector/cxl-memory-health
export CXL_SPA="$spa"

# plugin STATUS TEXT ARGUMENT...
plugin() {
	wanted=$1
	text=$2
	shift 2
	status=0
	message=$("$plugin" "$@") || status=$?
	[ "$status" -eq "$wanted" ] || fail "plugin: status $status instead of $wanted: $message"
	[ "${#message}" -le 80 ] || fail "plugin: ${#message} characters: $message"
	case $message in
	"$text"*) ;;
	*) fail "plugin: not '$text': $message" ;;
	esac
}

plugin 0 "CXL OK - 11 memory devices and 1 region are healthy" --host "$healthy"
plugin 1 "CXL CRITICAL - mem" --host "$mock"
plugin 1 "CXL WARNING - region" --host "$hosts/zen5-doc.tar.zst"
plugin 2 "CXL UNKNOWN" --host "$unread"
plugin 2 "CXL UNKNOWN" --host "$scratch/none"
# plugin_cuts LINE MESSAGE: what becomes of a line of health.
plugin_cuts() {
	printf '#!/bin/sh\necho "%s | devices=4"\nexit 1\n' "$1" >"$scratch/health"
	chmod +x "$scratch/health"
	CXL_SPA=$scratch/health plugin 1 "$2"
	[ "$message" = "$2" ] || fail "plugin: '$message' instead of '$2'"
}

exactly="CXL WARNING - region0: it has no dax device through which anything can reach it."
plugin_cuts "$exactly" "$exactly"
plugin_cuts "$exactly Really." "CXL WARNING - region0: it has no dax device through which anything can reach..."
plugin_cuts "CXL WARNING - region0: it has no dax device through which someone could reach it all" \
	"CXL WARNING - region0: it has no dax device through which someone could reach..."
CXL_SPA=$scratch/none plugin 2 "CXL UNKNOWN - cxl-spa health cannot be run"
python3 - "$srcdir/cli/node-problem-detector/cxl-memory-monitor.json" <<-'PYTHON' || fail "example of a configuration"
	import json, sys
	c = json.load(open(sys.argv[1]))
	assert c["plugin"] == "custom" and c["pluginConfig"]["max_output_length"] == 80
	types = {condition["type"] for condition in c["conditions"]}
	assert all(rule["condition"] in types for rule in c["rules"])
PYTHON
finish
