#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa triage: the open incidents, one incident, and reports of errors in a text.
. "${0%/*}/functions"
need_python

plain=$hosts/plain-7.3.tar.zst
idle=$hosts/idle-7.3.tar.zst

# Incidents of the host: the worst first, then what to do about it.
run 1 triage --host "$plain"
silent
says "critical  11  mem2 (0000:0d:00.0, slot 2, serial 0xabc0): 2 link errors, link" \
	"1 uncorrectable media error, row-part, page 0x110040000" "To do about the first: check the link"
run 1 triage --host "$plain" --json
json 'len(a["incidents"]) == 9 and a["incidents"][0]["act"] == "check-link"'
json 'all(i["id"] == min(i["entries"]) and i["count"] == len(i["entries"]) for i in a["incidents"])'
json '[i["severity"] for i in a["incidents"]] == 6 * ["critical"] + 3 * ["warning"]'
json '{i["kind"] for i in a["incidents"]} >= {"link", "poison", "media-uncorrectable", "media-corrected", "temperature"}'
run 0 triage --host "$idle"
says "Nothing is open."
run 0 triage --host "$idle" --json
json 'a == {"incidents": []}'

# Operands: an incident, a device, an address.
run 1 triage --host "$plain" 2
[ "$(wc -l <"$scratch/out")" -eq 6 ] || fail "not six lines: $out"
says "What:  critical; 1 uncorrectable media error; incident 2, open" "Host:  this one" \
	"Do:    take page 0x110040000 out of use." "Sure:  the address is exact, by decoder"
run 1 triage --host "$plain" --json 0x110040000-0x110040fff
json '[i["id"] for i in a["incidents"]] == [2]'
run 1 triage --host "$plain" --json mem3
json 'a["incidents"] and all(i["memdev"] == "mem3" for i in a["incidents"])'
run 1 triage --host "$plain" --json serial:0xabc1
json 'a["incidents"] and all(i["serial"] == "0xabc1" for i in a["incidents"])'
run 0 triage --host "$plain" mem0
run 2 triage --host "$plain" 999
warns "there is no incident 999"
run 2 triage --host "$plain" mem99
warns "mem99: no such memory device"

# Texts: a record of the log, reports of system addresses, several, none.
printf '%s\n' "Nov 26 21:44:13 host kernel: Memory failure: 0x110040: recovery action for dirty LRU page: Recovered" >"$scratch/text"
run 1 triage --host "$plain" --this-boot "$scratch/text"
says "incident 2, open" "take page 0x110040000 out of use"
run 1 triage --host "$plain" "$scratch/text"
says "incident 2, open" "Host:  not known" "Do:    watch it."
run 1 triage --host "$plain" --this-boot - <"$scratch/text"
says "incident 2, open"
run 1 triage --host "$plain" --json "Memory failure: 0x999999: recovery action for dirty LRU page: Recovered"
json 'a["incidents"][0]["id"] is None and a["incidents"][0]["device"] is None and a["incidents"][0]["act"] == "watch"'
run 2 triage --host "$plain" "hello world, all is well"
warns "no report of an error is recognised; looked for: "
run 2 triage --host "$plain" --json "hello world, all is well"
json 'a == {"incidents": []}'
run 2 triage --host "$plain" --this-boot
warns "--this-boot is about the reports of a text, which is missing"
run 2 triage --host "$plain" --state "$scratch"
warns "--state requires the log of cxl-redfishd"
run 2 triage a b
: >"$scratch/empty"
run 2 triage --host "$plain" "$scratch/empty"

# The log of the service is read as it is; a state directory without one is an error.
run 2 triage --state "$scratch/none"
warns "the incidents cannot be read"
finish
