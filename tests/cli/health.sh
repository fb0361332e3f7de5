#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa health: the line and the exit status of a plugin of Nagios; the plugin of
# node-problem-detector.
. "${0%/*}/functions"
need_python

mock=$hosts/mock-7.3.tar.zst
plain=$hosts/plain-7.3.tar.zst

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
run 3 health --host "$plain"
one_line "CXL UNKNOWN - the devices do not report their health | devices=4"
run 2 health --json --host "$mock"
json 'a["status"] == "CRITICAL" and a["exit_status"] == 2 and a["devices"] == 11'
json 'len(a["problems"]) == 66 and a["problems"][0]["status"] == "CRITICAL"'
json 'all(p["object"] and p["text"] for p in a["problems"]) and not a["log_read"]'
run 3 health --json --host "$plain"
json 'a["status"] == "UNKNOWN" and a["devices_unknown"] == 4 and a["reason"]'

# All devices report that they are well.
unpack mock-7.3
for file in "$copy"/mbox/mem*/health_info.bin; do
	head -c 18 /dev/zero >"$file"
done
run 0 health --host "$copy"
one_line "CXL OK - 11 memory devices and 1 region are healthy | devices=11"

# What is no answer is no CRITICAL.
run 3 health extra
refused "extra"
run 3 health --no-such-option
refused "--no-such-option"
run 3 health --host "$scratch/none"
one_line "CXL UNKNOWN - the host cannot be read"

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

plugin 0 "CXL OK - 11 memory devices and 1 region are healthy" --host "$copy"
plugin 1 "CXL CRITICAL - mem" --host "$mock"
plugin 1 "CXL WARNING - region" --host "$hosts/zen5-doc.tar.zst"
plugin 2 "CXL UNKNOWN" --host "$plain"
plugin 2 "CXL UNKNOWN" --host "$scratch/none"
CXL_SPA=$scratch/none plugin 2 "CXL UNKNOWN - cxl-spa health cannot be run"
python3 - "$srcdir/cli/node-problem-detector/cxl-memory-monitor.json" <<-'PYTHON' || fail "example of a configuration"
	import json, sys
	c = json.load(open(sys.argv[1]))
	assert c["plugin"] == "custom" and c["pluginConfig"]["max_output_length"] == 80
	types = {condition["type"] for condition in c["conditions"]}
	assert all(rule["condition"] in types for rule in c["rules"])
PYTHON
finish
