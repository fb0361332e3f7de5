#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa triage: the open incidents, one incident, and reports of errors in a text.
. "${0%/*}/functions"
need_python

plain=$hosts/plain-7.3.tar.zst
idle=$hosts/idle-7.3.tar.zst
healthy=$hosts/switch-7.3.tar.zst

# Incidents of the host: the worst first, then what to do about it.
run 1 triage --host "$plain"
silent
says "critical  11  mem2 (0000:0d:00.0, slot 2, serial 0xabc0): 2 link errors, link" \
	"1 uncorrectable media error, row-part, page 0x110040000" "To do about the first: take page 0x110002000 out of use (cxl-spa page offline --hard mem2 0x800)."
run 1 triage --host "$plain" --json
json 'len(a["incidents"]) == 9 and a["incidents"][0]["act"] == "offline-page"'
json 'all(i["id"] == min(i["entries"]) and i["count"] == len(i["entries"]) for i in a["incidents"])'
json '[i["severity"] for i in a["incidents"]] == 6 * ["critical"] + 3 * ["warning"]'
json '{i["kind"] for i in a["incidents"]} >= {"link", "poison", "media-uncorrectable", "media-corrected", "temperature"}'
# That nothing is open is only said where errors are recorded.
run 0 triage --host "$healthy"
says "Errors are not recorded in this capture" "Next: cxl-spa triage on the host"
says_not "Nothing is open"
run 0 triage --host "$healthy" --json
json 'a == {"recorded": False, "incidents": []}'
run 0 triage --host "$plain" mem0
says "Nothing is open."
says_not "recorded"

# Findings about the configuration are incidents, and the act is the command that passed the planner.
run 1 triage --host "$idle"
says "mem0 (0000:df:00.0, slot 4, serial 0xabc2): DPA 0x0-0xfffffff (256 MiB of ram) is mapped by no decoder" \
	"To do about the first: change the configuration." "cxl create-region -t ram -d decoder0.2 -m mem3"
run 1 triage --host "$idle" --json
json 'a["recorded"] is False and len(a["incidents"]) == 4 and {i["kind"] for i in a["incidents"]} == {"configuration"}'
json 'all(i["act"] == "change-configuration" and i["severity"] == "warning" and i["count"] == 1 for i in a["incidents"])'
json 'all(i["finding"]["code"] == "CAPACITY_UNMAPPED" and i["finding"]["object"] == i["memdev"] for i in a["incidents"])'
json 'all(i["entries"] == [] and i["pages_now"] == [] for i in a["incidents"])'
run 1 triage --host "$idle" 1
[ "$(wc -l <"$scratch/out")" -eq 6 ] || fail "not six lines: $out"
says "What:  warning; DPA 0x0-0xfffffff (256 MiB of ram) is mapped by no decoder" "incident 1, open" \
	"Often: it is there now" "Next: map it with" "Sure:  the host's configuration shows it"
run 1 triage --host "$idle" --json mem2
json '[i["memdev"] for i in a["incidents"]] == ["mem2"]'

# One about a region has no device, and is found by the name of the region; a step that is no command is not done blindly.
run 1 triage --host "$hosts/zen5-doc.tar.zst" --json region0
json '[(i["device"], i["finding"]["code"], i["act"]) for i in a["incidents"]] == [(None, "REGION_NO_DAX_DEVICE", "watch")]'
run 0 triage --host "$hosts/zen5-doc.tar.zst" mem0

# Readings of the devices, recorded in the capture: warning and critical level of one value are one incident.
run 1 triage --host "$hosts/mock-7.3.tar.zst" --json mem0
json '{(i["kind"], i["finding"]["code"], i["severity"], i["act"]) for i in a["incidents"]} >= {
	("temperature", "TEMPERATURE_CRITICAL", "critical", "watch"), ("capacity", "ALL_DATA_LOST", "critical", "replace"),
	("maintenance", "REPLACEMENT_NEEDED", "critical", "replace"), ("maintenance", "MAINTENANCE_NEEDED", "warning", "watch")}'

# The first of those that are as bad is not only watched.
run 1 triage --host "$hosts/mock-7.3.tar.zst"
says "To do about the first: replace the device"
run 1 triage --host "$hosts/mock-7.3.tar.zst" --json
json 'all(watched == sorted(watched) for watched in [[i["act"] == "watch" for i in a["incidents"] if i["severity"] == s] for s in ("critical", "warning")])'
json '{i["act"] for i in a["incidents"] if i["severity"] == "critical"} == {"replace", "watch"}'

# The words of a finding are whole, its explanation and remedy with it; no next step is promised that is not there.
unpack idle-7.3
rm -f "$copy"/sys/bus/cxl/devices/decoder0.*/create_ram_region
run 1 triage --host "$copy" --json 1
json 'a["incidents"][0]["finding"]["text"].endswith("built with CONFIG_CXL_REGION; boot such a kernel")'
json 'a["incidents"][0]["finding"]["next"] is None and "next step" not in a["incidents"][0]["act_reason"]'
run 1 triage --host "$copy" 1
says "built with CONFIG_CXL_REGION; boot such a kernel; incident 1, open" "Do:    watch it. No one change is advised; the finding says what is known."
says_not "..." "next step" "Next:"
run 1 triage --host "$copy"
says "built with CONFIG_CXL_REGION; boot such a kernel"
says_not "..."
# Where there is a next step, it is printed.
run 1 triage --host "$hosts/zen5-doc.tar.zst" region0
says "Do:    watch it. No one change is advised; the finding says what is known. Next: "

# Operands: an incident, a device, an address.
run 1 triage --host "$plain" 2
[ "$(wc -l <"$scratch/out")" -eq 6 ] || fail "not six lines: $out"
says "What:  critical; 1 uncorrectable media error; incident 2, open" "Host:  this one" \
	"Do:    take page 0x110040000 out of use (cxl-spa page offline --hard mem2 0x10000). Data" "Sure:  the address is exact, by decoder"
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
warns "mem99: no such memory device" "there is no incident of that number and no file of that name"
# An object comes before a file of its name, and a file before a text.
(cd "$scratch" && printf '%s\n' "Memory failure: 0x110040: recovery action for x: Recovered" >mem2 && cp mem2 'Memory failure: 0x999999: x')
here=$PWD
cd "$scratch"
case $spa in /*) ;; *) spa=$here/$spa ;; esac
case $plain in /*) ;; *) plain=$here/$plain ;; esac
run 1 triage --host "$plain" --json mem2
json 'len(a["incidents"]) > 1 and all(i["memdev"] == "mem2" for i in a["incidents"])'
for operand in ./mem2 "Memory failure: 0x999999: x"; do
	run 1 triage --host "$plain" --json --this-boot "$operand"
	json '[i["id"] for i in a["incidents"]] == [2]'
done
cd "$here"

# Texts: a record of the log, reports of system addresses, several, none.
printf '%s\n' "Nov 26 21:44:13 host kernel: Memory failure: 0x110040: recovery action for dirty LRU page: Recovered" >"$scratch/text"
run 1 triage --host "$plain" --this-boot "$scratch/text"
says "incident 2, open" "watch it. Its page is out of use already, until the next restart"
run 1 triage --host "$plain" "$scratch/text"
says "incident 2, open" "Host:  not known" "Do:    watch it."
run 1 triage --host "$plain" --this-boot - <"$scratch/text"
says "incident 2, open"
# The same as the kernel's trace event, whose system depends on the version.
for system in "" ras: memory_failure:; do
	printf '%s\n' "     kworker/1:2-93      [001] .....    12.000000: ${system}memory_failure_event: pfn 0x110040: recovery action for dirty LRU page: Recovered" >"$scratch/text"
	run 1 triage --host "$plain" --this-boot - <"$scratch/text"
	says "incident 2, open" "page 0x110040000" "Its page is out of use already"
done
# Firmware's report of the same error does not hide that the page is out.
printf '%s\n' "{1}[Hardware Error]: event severity: recoverable" "{1}[Hardware Error]:   section_type: memory error" \
	"{1}[Hardware Error]:   physical_address: 0x0000000110040000" "{1}[Hardware Error]:   physical_address_mask: 0x003fffffffffffc0" \
	"Memory failure: 0x110040: recovery action for free buddy page: Recovered" >"$scratch/text"
run 1 triage --host "$plain" --this-boot "$scratch/text"
says "incident 2, open" "Its page is out of use already"
run 1 triage --host "$plain" --this-boot "soft offline: 0x110060: page already poisoned"
says_not "take page"
# A message that is no text, as jq prints it; and a text in another encoding.
python3 -c 'import json, sys; print(json.dumps({"MESSAGE": list(sys.argv[1].encode())}))' "Memory failure: 0x110040: recovery action for x: Ignored" >"$scratch/text"
run 1 triage --host "$plain" --this-boot --json "$scratch/text"
json '[i["id"] for i in a["incidents"]] == [2]'
python3 -c 'import sys; sys.stdout.buffer.write("Memory failure: 0x110040: x".encode("utf-16"))' >"$scratch/text"
run 2 triage --host "$plain" "$scratch/text"
warns "it contains a NUL byte, as text in UTF-16 does: give it as UTF-8"
# The kernel failed to do it, firmware alone has seen it, or the memory is no CXL memory: another act, another command.
run 1 triage --host "$plain" --this-boot "Memory failure: 0x110040: recovery action for reserved kernel page: Ignored"
says "take page 0x110040000 out of use (cxl-spa page offline --hard 0x110040000)."
run 1 triage --host "$plain" --this-boot "EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110008 offset:0x100 grain:64 - APEI location: node:0)"
says "take page 0x110008000 out of use (cxl-spa page offline --hard mem0 0x2000)."
run 1 triage --host "$plain" --this-boot "EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x1000 offset:0x100 grain:64 - APEI location: node:0)"
says "Where: memory of the host that is no CXL memory" "Do:    watch it. The page is no CXL memory"
run 1 triage --host "$plain" --json "Memory failure: 0x999999: recovery action for dirty LRU page: Recovered"
json 'a["incidents"][0]["id"] is None and a["incidents"][0]["device"] is None and a["incidents"][0]["act"] == "watch"'
run 1 triage --host "$plain" --this-boot --json '{"region":"region0","resource":4563402752,"media_errors":[{"offset":"0x8000","length":64,"source":"Internal"}]}'
json 'a["incidents"][0]["kind"] == "poison" and a["incidents"][0]["memdev"] == "mem2" and a["incidents"][0]["pages_now"] == ["0x110008000"]'
json 'a["incidents"][0]["source"] == "decoder"'
run 1 triage --host "$plain" --json "pcieport 0000:0c:00.0: AER: Correctable error message received from 0000:0d:00.0"
json '[i["memdev"] for i in a["incidents"]] == ["mem2"] and a["incidents"][0]["kind"] == "link"'
run 2 triage --host "$plain" "hello world, all is well"
warns "no report of an error is recognised; looked for: "
run 2 triage --host "$plain" --json "hello world, all is well"
json 'a == {"recorded": True, "incidents": []}'
# Errors of other PCIe functions are no incidents of CXL memory; ports above a device and its driver tell.
run 2 triage --host "$plain" "pcieport 0000:00:1c.0: AER: Correctable error message received from 0000:01:00.0"
warns "1 report of PCIe errors is left out: the first one's function 0000:01:00.0 is no CXL device of this host" "no report of an error is recognised"
run 1 triage --host "$plain" "pcieport 0000:0c:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)"
says "1 link error; the log has no incident of it" "Where: the port 0000:0c:00.0 above mem2; link"
run 1 triage --host "$plain" "pcieport 0000:0c:00.0: DPC: containment event, status:0x1f01 source:0x0000"
says "What:  critical; 1 link error; " "Where: the port 0000:0c:00.0 above mem2; link" "Do:    check the link"
run 2 triage --host "$plain" "pcieport 0000:00:1c.0: DPC: containment event, status:0x1f01 source:0x0000"
warns "the first one's function 0000:00:1c.0 is no CXL device of this host"
run 1 triage --host "$plain" "cxl_pci 0000:99:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)"
says "Where: an unknown device (0000:99:00.0); link"
pcie_section() {
	printf '{3}[Hardware Error]: %s\n' "event severity: recoverable" "  section_type: PCIe error" "  device_id: 0000:03:00.0" "  class_code: $2" >"$scratch/text"
	run "$1" triage --host "$plain" "$scratch/text"
}
pcie_section 2 010802
pcie_section 1 050210
run 2 triage --host "$plain" --this-boot
warns "--this-boot is about the reports of a text, which is missing"
run 2 triage --host "$plain" --state "$scratch"
warns "--state requires the log of cxl-redfishd"
run 2 triage a b
: >"$scratch/empty"
run 2 triage --host "$plain" "$scratch/empty"

# The name of the host and the time of a line prove this host and boot; a doubt is said.
unpack plain-7.3
mkdir -p "$copy/proc/sys/kernel"
echo node17 >"$copy/proc/sys/kernel/hostname"
printf 'cpu  1 2 3\nbtime 1795038220\n' >"$copy/proc/stat"
echo "259200.25 9000.10" >"$copy/proc/uptime"
failure="Memory failure: 0x110040: recovery action for dirty LRU page: Recovered"
while read -r this pages line; do
	run 1 triage --host "$copy" --json "$line $failure"
	json "a['incidents'][0]['this_host'] is $this and len(a['incidents'][0]['pages_now']) == $pages"
done <<END
True 1 Nov 20 21:44:13 node17 kernel: [  512.779203]
True 1 2026-11-20T21:44:13.123456+00:00 node17 kernel:
True 1 2026-11-20T21:44:13+0000 node17 kernel:
True 0 Nov  1 21:44:13 node17 kernel:
True 0 Nov 21 21:44:13 node17 kernel:
None 0 Nov 20 21:44:13 node18 kernel:
None 0 [Fri Nov 20 21:44:13 2026]
END
# The same page of two hosts, in either order: the one that is this host counts, and only its page is out of use.
fault="EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110040 offset:0x0 grain:4096 - APEI location: node:0)"
for order in -k1 -rk1; do
	printf '%s\n' "Nov 20 21:44:13 node17 kernel: $fault" "Nov 20 21:44:13 node18 kernel: $failure" | sort $order >"$scratch/text"
	run 1 triage --host "$copy" "$scratch/text"
	says "Host:  this one" "Do:    take page 0x110040000 out of use"
done
run 1 triage --host "$copy" "Nov 21 21:44:13 node17 kernel: $failure"
says "Host:  this one" "Sure:  the address is not known, by " "its time may be one that has not come yet: add the year and the zone"
run 1 triage --host "$copy" --json '{"__REALTIME_TIMESTAMP":"1795210000000000","_HOSTNAME":"node17","MESSAGE":"'"$failure"'"}'
json 'a["incidents"][0]["pages_now"] == ["0x110040000"]'
run 1 triage --host "$copy" "Nov 20 21:44:13 node17 kernel: $failure"
says "Host:  this one" "page 0x110040000" "Its page is out of use already"

# A grain of several pages has no exact page, and one of several devices no device.
edac() {
	run 1 triage --host "$plain" --this-boot --json "EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110008 offset:0x100 grain:$1 - APEI location: node:0)"
}
edac 64
json 'a["incidents"][0]["pages_now"] == ["0x110008000"] and a["incidents"][0]["memdev"] == "mem0"'
edac 4096
json 'a["incidents"][0]["pages_now"] == ["0x110008000"] and a["incidents"][0]["memdev"] is None'
for grain in 8192 10000 1048576 1073741824 9223372036854775807; do
	edac "$grain"
	json 'a["incidents"][0]["certainty"] == "unknown" and a["incidents"][0]["memdev"] is None'
	json 'a["incidents"][0]["pages_now"] == a["incidents"][0]["pages_then"] == [] and a["incidents"][0]["act"] == "watch"'
done
ghes() {
	printf '%s\n' "{1}[Hardware Error]:   section_type: memory error" \
		"{1}[Hardware Error]:   physical_address: $1" \
		"{1}[Hardware Error]:   physical_address_mask: $2" >"$scratch/text"
	run 1 triage --host "$plain" --this-boot --json "$scratch/text"
}
ghes 0x0000000110008100 0x0000fffffffff000
json 'a["incidents"][0]["pages_now"] == ["0x110008000"] and a["incidents"][0]["memdev"] is None'
for mask in 0xffffffffffe00000 0x0000ffffffffe000 0x0000000000000000; do
	ghes 0x0000000110008100 "$mask"
	json 'a["incidents"][0]["certainty"] == "unknown" and a["incidents"][0]["memdev"] is None'
done
ghes 0x0000000000000000 0xfffffffffffff000
json 'a["incidents"][0]["pages_now"] == []'
says_not '"0x0"'

# An address that may be no system address is said to be so.
printf '%s\n' "mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 12: bc80000000100134" \
	"mce: [Hardware Error]: TSC 0 ADDR 110048100 MISC 86" "mce: [Hardware Error]: PROCESSOR 2:a10f11 TIME 1795297421 SOCKET 0" >"$scratch/text"
run 1 triage --host "$plain" --this-boot "$scratch/text"
says "Sure:  the address is not known: on AMD, ADDR of a machine check is an address of the memory controller" "Do:    watch it."

# A severity that nothing says is not that of a corrected error.
run 1 triage --host "$plain" --this-boot "physical_address: 0x0000000110048100"
says "1 media error of unknown severity" "Do:    watch it. Whether data is lost is not known"
says_not "corrected media error"

# An incident of the log at the page of a report never hides the worse of the two.
run 1 triage --host "$plain" --this-boot "Memory failure: 0x110008: recovery action for unknown page: Ignored"
says "uncorrectable media error" "take page 0x110008000 out of use"
says_not "access that is not allowed"

# A page that this host does not have.
run 1 triage --host "$plain" --this-boot --json "Memory failure: 0x999999: recovery action for dirty LRU page: Recovered"
json 'a["incidents"][0]["this_host"] is None and a["incidents"][0]["certainty"] == "unknown" and a["incidents"][0]["pages_now"] == []'
run 1 triage --host "$plain" --this-boot "Memory failure: 0x999999: recovery action for dirty LRU page: Recovered"
says "Host:  this host has no memory at the address"

# A record without a serial number may be of another host.
record="cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=0 trace_type=List region=region0 region_uuid=00000000-0000-0000-0000-000000000000 hpa=0x110002000 hpa_alias0=0xffffffffffffffff dpa=0x800 dpa_length=0x40 source=Internal flags= overflow_time=0"
run 1 triage --host "$plain" --json "$record"
json 'a["incidents"][0]["pages_now"] == [] and a["incidents"][0]["certainty"] == "unknown" and a["incidents"][0]["act"] == "watch"'
run 1 triage --host "$plain" --json --this-boot "$record"
json 'a["incidents"][0]["pages_now"] == ["0x110002000"]'

# A serial number of 0, or of two devices, is no identity: no page of an incident of them is exact.
for serial in 0x0 0xabc1; do
	unpack plain-7.3
	echo $serial >"$copy/sys/bus/cxl/devices/mem2/serial"
	run 1 triage --host "$copy" --json 2
	json 'a["incidents"][0]["kind"] == "media-uncorrectable" and a["incidents"][0]["pages_now"] == []'
	json 'a["incidents"][0]["certainty"] != "exact" and a["incidents"][0]["act"] == "watch"'
done

# The component of a record selects its incidents, also where newer records name none.
mkdir "$scratch/made"
./make_log "$scratch/made/events.db" || fail "make_log"
run 1 triage --state "$scratch/made" --json 000102030405060708090a0b0c0d0e0f
json 'len(a["incidents"]) == 1 and a["incidents"][0]["component"] == "000102030405060708090a0b0c0d0e0f"'
run 1 triage --state "$scratch/made" "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F"
says "; component 000102030405060708090a0b0c0d0e0f"
run 2 triage --state "$scratch/made" "PLDM entity type 66 instance 3 container 1"
warns "no open incident names the component PLDM entity type 66 instance 3 container 1"

# A record whose address cannot be whole is refused with the reason, and not called unknown.
record="kworker-1 [001] .... 12.5: cxl_general_media: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Failure : time=1795297396104757404 uuid=fbcd0a77-c260-417f-85a9-088b1621eba6 len=128 flags='' handle=2 related_handle=0 maint_op_class=0 : dpa=10000 dpa_flags='' descriptor='UNCORRECTABLE_EVENT' type='ECC Error' transaction_type='Host Read' channel=3 rank=17 device=2 comp_id=$(printf '00 %.0s' $(seq 16)) validity_flags='CHANNEL|RANK'"
run 1 triage --host "$plain" --json "$record"
json 'a["incidents"][0]["pages_now"] == ["0x110040000"]'
for width in 80 100 120; do
	echo "$record" | fold -w $width >"$scratch/text"
	run 2 triage --host "$plain" "$scratch/text"
	warns "its fields are in several lines, or some are missing behind its dpa" "give the record as one line"
	case $err in *"looked for"*) fail "called unknown, too: $err" ;; esac
done

# A device that moved is where it is now.
run 1 triage --host "$plain" --json "cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=43969 trace_type=List region=region0 region_uuid=00000000-0000-0000-0000-000000000000 hpa=0x110002000 hpa_alias0=0xffffffffffffffff dpa=0x800 dpa_length=0x40 source=Internal flags= overflow_time=0"
json 'a["incidents"][0]["memdev"] == "mem3" and a["incidents"][0]["host"] == "0000:0e:00.0" and a["incidents"][0]["pages_now"] == []'

# A record that was wrapped at its words keeps its place, also without the blanks at the lines' ends.
record="kworker-1 [001] .... 12.500000: cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Failure : time=1795297396104757404 uuid=601dcbb3-9c06-4eab-b8af-4e9bfb5c9624 len=128 flags='' handle=2 related_handle=0 maint_op_class=0 : dpa=10000 dpa_flags='' descriptor='UNCORRECTABLE_EVENT' type='Media ECC Error' transaction_type='Host Read' channel=3 rank=17 nibble_mask=4 bank_group=7 bank=12 row=2 column=77 cor_mask=01$(printf ' 00%.0s' $(seq 31)) validity_flags='CHANNEL|RANK|NIBBLE|BANK GROUP|BANK|ROW|COLUMN|CORRECTION MASK' hpa=110040000 region=region0 region_uuid=00000000-0000-0000-0000-000000000000"
for width in 40 60 72 80 100 120 132 200; do
	for words in "" -s; do
		echo "$record" | fold $words -w $width | sed 's/ *$//' >"$scratch/text"
		[ -n "$words" ] || echo "$record" | fold -w $width >"$scratch/text"
		run 1 triage --host "$plain" --json "$scratch/text"
		json 'len(a["incidents"]) == 1 and a["incidents"][0]["pages_now"] == ["0x110040000"]'
		json 'a["incidents"][0]["place"] == "cell" and "bank 12, row 0x2, column 0x4d" in a["incidents"][0]["place_evidence"]'
	done
done

# rasdaemon's database: its tables and columns, and files that are none, or hostile.
python3 - "$scratch" <<'PYTHON' || fail "no database was made"
import sqlite3, sys
T, D = "2026-11-21 21:43:17 +0000", ("mem2", "0000:0d:00.0", 0xabc0)
HEAD = "id INTEGER PRIMARY KEY, timestamp TEXT, memdev TEXT, host TEXT, serial INTEGER"
LOG = ", log_type TEXT, hdr_uuid TEXT, hdr_flags INTEGER, hdr_handle INTEGER"
def new(name):
	return sqlite3.connect(sys.argv[1] + "/" + name)
def poison(c, n=1):
	c.execute(f"CREATE TABLE cxl_poison_event ({HEAD}, trace_type TEXT, region TEXT, region_uuid TEXT, hpa INTEGER, dpa INTEGER, dpa_length INTEGER, source TEXT, flags INTEGER)")
	c.executemany("INSERT INTO cxl_poison_event VALUES (NULL, ?, ?, ?, ?, 'List', 'region0', '', ?, ?, 64, 'Internal', 0)", [(T, *D, 0x110002000, 0x800)] * n)
c = new("ras.db")
poison(c)
c.execute(f"CREATE TABLE cxl_dram_event ({HEAD}{LOG}, dpa INTEGER, descriptor INTEGER, type INTEGER, channel INTEGER, rank INTEGER, bank INTEGER, bank_group INTEGER, row INTEGER, \"column\" INTEGER, nibble_mask INTEGER, cor_mask BLOB, new_column TEXT)")
c.execute("INSERT INTO cxl_dram_event VALUES (NULL, ?, ?, ?, ?, 'Failure', 'x', 0, 2, 0x10000, 1, 0, 3, 0, 11, 7, 2, 77, 4, ?, 'x')", (T, *D, bytes(32)))
c.execute(f"CREATE TABLE cxl_memory_module_event ({HEAD}{LOG}, event_type INTEGER, health_status INTEGER, media_status INTEGER, add_status INTEGER)")
c.execute("INSERT INTO cxl_memory_module_event VALUES (NULL, ?, ?, ?, ?, 'Informational', 'x', 0, 2, 2, 4, 3, 2)", (T, *D))
c.execute(f"CREATE TABLE cxl_aer_ce_event ({HEAD}, error_status INTEGER)")
c.execute("INSERT INTO cxl_aer_ce_event VALUES (NULL, ?, 'mem3', '0000:0e:00.0', 0xabc1, 1)", (T,))
c.execute("CREATE TABLE mc_event (id INTEGER PRIMARY KEY, timestamp TEXT, err_count INTEGER, err_type TEXT, err_msg TEXT, label TEXT, address INTEGER, grain INTEGER)")
c.execute("INSERT INTO mc_event VALUES (NULL, ?, 1, 'Corrected', 'x', 'y', ?, 21)", (T, 0x110048100))
c.execute("CREATE TABLE mce_record (id INTEGER PRIMARY KEY, timestamp TEXT, status INTEGER, addr INTEGER, cpuvendor INTEGER, error_msg TEXT)")
c.execute("INSERT INTO mce_record VALUES (NULL, ?, ?, ?, NULL, 'Memory error')", (T, 0xbc80000000100134 - 2**64, 0x110050100))
c.execute("CREATE TABLE memory_failure_event (id INTEGER PRIMARY KEY, timestamp TEXT, pfn TEXT, page_type TEXT, action_result TEXT)")
c.execute("INSERT INTO memory_failure_event VALUES (NULL, ?, '0x110060', 'LRU', 'Recovered')", (T,))
c.commit()
c = new("other.db")
c.execute("CREATE TABLE t (a)")
c.execute("CREATE VIEW cxl_poison_event AS SELECT * FROM t")
c.commit()
c = new("hostile.db")
poison(c)
for value in ("x" * 100, -1, 2**63 - 1, b"\x00" * 100, None, 1e300, "mem2\n{\"event\":1}"):
	c.execute("INSERT INTO cxl_poison_event VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (value,) * 12)
c.commit()
c = new("long.db")
poison(c)
c.execute("INSERT INTO cxl_poison_event (memdev, dpa) VALUES (?, 0)", ("x" * 1000000,))
c.commit()
c = new("many.db")
poison(c, 100001)
c.commit()
with open(sys.argv[1] + "/ras.db", "rb") as f:
	whole = f.read()
with open(sys.argv[1] + "/cut.db", "wb") as f:
	f.write(whole[:4096 + 100])
with open(sys.argv[1] + "/large.db", "wb") as f:
	f.write(b"SQLite format 3\0")
	f.truncate(1 << 30)
PYTHON
run 1 triage --host "$plain" --this-boot --json "$scratch/ras.db"
silent
json 'len(a["incidents"]) == 7'
json 'any(i["kind"] == "media-uncorrectable" and i["pages_now"] == ["0x110040000"] and "bank 11" in i["place_evidence"] for i in a["incidents"])'
json 'any(i["kind"] == "poison" and i["pages_now"] == ["0x110002000"] for i in a["incidents"])'
json 'any(i["place"] == "device" and i["memdev"] == "mem2" and i["severity"] == "critical" and i["act"] == "replace" for i in a["incidents"])'
json 'any(i["kind"] == "link" and i["memdev"] == "mem3" for i in a["incidents"])'
json 'any(i["pages_now"] == ["0x110060000"] and i["act"] == "watch" for i in a["incidents"])'
json 'sum(i["certainty"] == "unknown" and i["kind"].startswith("media") for i in a["incidents"]) == 2'
run 1 triage --host "$plain" "module: cxl_memory_module: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Informational : time=1795297396104757404 uuid=fe927475-dd59-4339-a586-79bab113b774 len=128 flags='' handle=2 related_handle=0 maint_op_class=0 : event_type='Health Status Change' health_status='REPLACEMENT_NEEDED' media_status='Normal' as_life_used=Normal as_dev_temp=Normal as_cor_vol_err_cnt=Normal as_cor_per_err_cnt=Normal life_used=99 device_temp=30 dirty_shutdown_cnt=0 cor_vol_err_cnt=0 cor_per_err_cnt=0"
says "What:  critical; " "Do:    replace the device (0000:0d:00.0, slot 2, serial 0xabc0; no part number is known: its label has the serial number). The device itself asks to be replaced."
# A repair that the device asks for, and how it is made.
dram="cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Warning : time=1795297396104757404 uuid=601dcbb3-9c06-4eab-b8af-4e9bfb5c9624 len=128 flags='MAINTENANCE_NEEDED' handle=1 related_handle=0 maint_op_class=1 : dpa=12340000 dpa_flags='' descriptor='' type='ECC Error' transaction_type='Host Read' channel=3 rank=1 nibble_mask=1 bank_group=7 bank=11 row=2 column=77 cor_mask= validity_flags='CHANNEL|RANK|BANK GROUP|BANK|ROW|COLUMN' hpa=ffffffffffffffff hpa_alias0=ffffffffffffffff region= region_uuid=00000000-0000-0000-0000-000000000000"
run 1 triage --host "$plain" "$dram"
says "Where: mem2 (0000:0d:00.0, slot 2, serial 0xabc0); row (" "the device asks for a repair of the row" \
	"Do:    repair the place (/sys/bus/edac/devices/cxl_mem2/mem_repair*, or without these the tool of the device's vendor). The device asks for maintenance of that place."
# A request of maintenance that comes with a temperature names no place.
run 1 triage --host "$plain" --json 4
json 'a["incidents"][0]["kind"] == "temperature" and a["incidents"][0]["act"] == "watch"'
# An access that is not allowed says nothing about what is to be changed.
run 1 triage --host "$plain" --json 1
json 'a["incidents"][0]["kind"] == "configuration" and a["incidents"][0]["act"] == "watch"'
# The part and its place, where records of the machine's firmware are certainly about the device.
unpack plain-7.3
mkdir -p "$copy/sys/firmware/dmi/tables" "$copy/sys/bus/pci/slots/2"
echo 0000:0d:00 >"$copy/sys/bus/pci/slots/2/address"
echo 0 >"$copy/sys/bus/pci/slots/2/attention"
python3 - "$copy/sys/firmware/dmi/tables/DMI" <<'PYTHON'
import struct, sys
def record(kind, handle, length, fields, *texts):
	body = bytearray(length)
	body[:4] = struct.pack("<BBH", kind, length, handle)
	for at, value in fields.items():
		body[at:at + len(value)] = value
	return bytes(body) + (b"".join(t.encode() + b"\0" for t in texts) or b"\0") + b"\0"
with open(sys.argv[1], "wb") as f:
	f.write(record(9, 0x900, 0x11, {4: b"\1", 0xf: b"\x0d", 0x10: b"\0"}, "PCIE 7 (left)"))
	f.write(record(16, 0x10, 0x17, {4: b"\xa4"}))
	f.write(record(17, 0x11, 0x28, {4: b"\x10\0", 0x10: b"\1", 0x18: b"\2", 0x1a: b"\3"}, "CXL_1", "000000000000ABC0", "MTX-512"))
	f.write(record(127, 0x12, 4, {}))
PYTHON
run 1 triage --host "$copy" "cxl_memory_module: memdev=mem2 host=0000:0d:00.0 serial=43968 log=Informational : time=0 uuid=fe927475-dd59-4339-a586-79bab113b774 len=128 flags='' handle=2 related_handle=0 maint_op_class=0 : event_type='Health Status Change' health_status='REPLACEMENT_NEEDED' media_status='Normal' as_life_used=Normal as_dev_temp=Normal as_cor_vol_err_cnt=Normal as_cor_per_err_cnt=Normal life_used=99 device_temp=30 dirty_shutdown_cnt=0 cor_vol_err_cnt=0 cor_per_err_cnt=0"
says "replace the device (0000:0d:00.0, slot 2, slot label PCIE 7 (left), locator CXL_1, serial 0xabc0, part number MTX-512; its label has both numbers; the light of its slot: LocationIndicatorActive by Redfish, or echo 2 >/sys/bus/pci/slots/2/attention)."
unpack plain-7.3
echo 0x0 >"$copy/sys/bus/cxl/devices/mem2/serial"
run 1 triage --host "$copy" "cxl_memory_module: memdev=mem2 host=0000:0d:00.0 serial=0 log=Informational : time=0 uuid=fe927475-dd59-4339-a586-79bab113b774 len=128 flags='' handle=2 related_handle=0 maint_op_class=0 : event_type='Health Status Change' health_status='REPLACEMENT_NEEDED' media_status='Normal' as_life_used=Normal as_dev_temp=Normal as_cor_vol_err_cnt=Normal as_cor_per_err_cnt=Normal life_used=99 device_temp=30 dirty_shutdown_cnt=0 cor_vol_err_cnt=0 cor_per_err_cnt=0"
says "replace the device (0000:0d:00.0, slot 2; no serial or part number is known: go by the slot)."
run 2 triage --host "$plain" "$scratch/other.db"
warns "the database has no table of rasdaemon"
run 1 triage --host "$plain" --json "$scratch/hostile.db"
json 'any(i["kind"] == "poison" and i["memdev"] == "mem2" for i in a["incidents"])'
for file in long cut large; do
	run 2 triage --host "$plain" "$scratch/$file.db"
	warns "the database"
done
run 1 triage --host "$plain" "$scratch/many.db"
warns "only the newest 100000 rows of each table are read"

# A file of another user, which root reads.
if [ "$(id -u)" -eq 0 ] && cp "$scratch/ras.db" "$scratch/private.db" && chown 65534 "$scratch/private.db"; then
	chmod 600 "$scratch/private.db"
	run 1 triage --host "$plain" --json "$scratch/private.db"
	silent
	json 'len(a["incidents"]) == 7'
fi

# An error of a link has no page, whosever it is.
run 1 triage --host "$plain" "cxl_aer_correctable_error: memdev=mem2 host=0000:0d:00.0 serial=0 status='Memory Data ECC Error'"
says "link error" "Host:  not known"
says_not "page"

# A host whose errors nobody records is not called free of them.
if [ -e /var/lib/cxl-redfish ] || [ -n "$(ls /sys/bus/cxl/devices 2>/dev/null)" ]; then
	echo "not tested: triage of a host without a log, because this machine has one, or CXL devices" >&2
else
	run 2 triage
	says "Errors of this host are not recorded" "Next: systemctl enable --now cxl-redfishd"
	run 1 triage "cxl_aer_correctable_error: memdev=mem2 host=0000:0d:00.0 serial=0 status='Memory Data ECC Error'"
	says "no log of errors is kept"
fi

# The log of the service is read as it is; a state directory without one is an error.
run 2 triage --state "$scratch/none"
warns "the incidents cannot be read"

# A log that was copied from another machine says nothing of this one.
# set_machine EXPRESSION: what the log says of its machine
set_machine() {
	python3 - "$scratch/copied/events.db" "$1" <<-'EOF'
		import sqlite3, sys
		with sqlite3.connect(sys.argv[1]) as db:
		    assert db.execute(f"UPDATE ages SET boot_id = zeroblob(16), machine = {sys.argv[2]}").rowcount == 1
	EOF
}
mkdir "$scratch/copied"
[ -x ./make_log ] && ./make_log "$scratch/copied/events.db" || fail "make_log"
set_machine 0
run 1 triage --state "$scratch/copied"
says "Host:  not known: the log does not say whose it is"
run 1 triage --state "$scratch/copied" --json
json '{i["this_host"] for i in a["incidents"]} == {None} and all(i["pages_now"] == [] for i in a["incidents"])'
first=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["incidents"][0]["id"])' "$scratch/out")
if grep -Eqx '[0-9a-f]{32}' /etc/machine-id; then
	set_machine 1
	run 1 triage --state "$scratch/copied" "$first"
	says "Host:  another one: the log has another machine id"
	says_not "this one"
	run 1 triage --state "$scratch/copied" --json
	json '{i["this_host"] for i in a["incidents"]} == {False}'
else
	echo "not tested: the log of another machine, because this machine has no id" >&2
fi
finish
