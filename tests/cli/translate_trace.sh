#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate --trace: events as ftrace, rasdaemon and cxl monitor print them.
. "${0%/*}/functions"
need_python

plain=$hosts/plain-7.3.tar.zst
normalized=$hosts/normalized-7.3.tar.zst
none=00000000-0000-0000-0000-000000000000
mem2="memdev=mem2 host=0000:0d:00.0 serial=43968"
unknown=ffffffffffffffff

# trace STATUS HOST ARGUMENT...: translates $scratch/trace, which is of the host's present boot
trace() {
	trace_status=$1
	trace_host=$2
	shift 2
	run "$trace_status" --host "$trace_host" --json translate --this-boot --trace "$scratch/trace" "$@"
}

# The base of each number is that of its form; lines without device or address have no answer.
cat >"$scratch/trace" <<END
# tracer: nop
 irq/48-142 [000] .....    14.714924: cxl_general_media: $mem2 log=Informational : time=1 uuid=$none len=128 flags='A B' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' hpa=$unknown hpa_alias0=$unknown region=region1 region_uuid=$none
   sh-9     [001] .....    15.0: cxl_poison: $mem2 trace_type=List region=region1 region_uuid=$none hpa=0x$unknown dpa=0x800 dpa_length=0x40 source=Injected
cxl_memory_module: $mem2

 <...>-77 [001] 16.0: cxl_dram WARNING 2026-11-21 21:43:41 +0000 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 log type:Warning hdr_uuid:$none hdr_handle:0x1 hdr_related_handle:0x0 hdr_timestamp:2026-11-21 21:43:41 +0000 hdr_length:128 dpa:0x1000 dpa_flags:'X Y' hpa:0x$unknown region:region1 region_uuid:$none
{"event":"cxl_general_media","memdev":"mem2","host":"0000:0d:00.0","serial":43968,"dpa":4096,"hpa":18446744073709551615,"region_name":"region1","region_uuid":"$none"}
END
trace 0 "$normalized"
silent
json "[(x['line'], x['dpa'], x['spa'], x['exact']) for x in a] == [
    (2, '0x1000', '0x210002000', True), (3, '0x800', '0x210001000', True),
    (6, '0x1000', '0x210002000', True), (7, '0x1000', '0x210002000', True)]"
json "a[0]['decoder'] == 'decoder5.0' and a[0]['region'] == 'region1' and a[0]['position'] == 0"
json "list(a[0])[-3:] == ['now', 'provenance', 'line'] and len(a[0]) == 18"
run 0 --host "$normalized" translate --this-boot --trace - <"$scratch/trace"
says "line 3: mem2 DPA 0x800-0x83f  (this host, this boot, this kernel)" \
	"    then and now -> SPA 0x210001000  (exact, emulated PRM handler)"

# Below each answer are its device, and what to do next: a page is taken out of use by the kernel only
# where the kernel uses it, and only when it is exactly known.
cat >"$scratch/trace" <<END
cxl_dram: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' type='ECC Error' hpa=$unknown region=region1 region_uuid=$none
cxl_poison: $mem2 trace_type=List region=region1 hpa=0x$unknown dpa=0x800 dpa_length=0x1000 source=Internal
cxl_dram: $mem2 dpa=7fffffffc0 hpa=$unknown region= region_uuid=$none
cxl_dram: memdev=mem9 host=0000:ff:00.0 serial=1 dpa=1000 hpa=$unknown region=region1
END
page='echo 0x210002000 >/sys/devices/system/memory/soft_offline_page  (as root: '
run 1 --host "$normalized" translate --this-boot --trace "$scratch/trace"
says "    device 0000:0d:00.0, slot 2, serial 0xabc0" "    device 0000:ff:00.0, serial 0x1" \
	"    next: Take the page out of use while its errors are corrected, which loses nothing. If other pages" \
	"    next: Do not use the address. The data at the address is lost." \
	"    then: cxl-spa explain region1  (" "    then: cxl-spa explain mem2  ("
says_not "_offline_page" # all its memory is offline
says "    next: translate the record on its own host"
[ "$(grep -c 'next: ' "$scratch/out")" -eq 4 ] || fail "$what: not four next steps: $out"
unpack normalized-7.3
for block in "$copy"/sys/devices/system/memory/memory[0-9]*; do
	echo online >"$block/state"
done
mkdir -p "$copy/sys/bus/pci/slots/12"
echo 0000:0d:00 >"$copy/sys/bus/pci/slots/12/address"
run 1 --host "$copy" translate --this-boot --trace "$scratch/trace"
says "    device 0000:0d:00.0, slot 12, serial 0xabc0" "    then: $page"
[ "$(grep -c '_offline_page' "$scratch/out")" -eq 1 ] || fail "$what: not one page: $out"
# Memory is taken out of use for errors of the media only, while they are corrected and too many; offlining that ends
# processes is no command to paste.
offlining() {
	run 0 --host "$copy" translate --this-boot --trace "$scratch/way"
	[ "$(sed -n 's/.*\([a-z]\{4\}\)_offline_page.*/\1/p' "$scratch/out")" = "$1" ] || fail "$what: not $1: $out"
}
ras=$(echo "$mem2" | tr = : | sed 's/43968/0xabc0/')
region="region=region1 region_uuid=$none"
raw_unknown=18446744073709551615
while read -r way fields; do
	echo "$fields" >"$scratch/way"
	offlining "${way#none}"
done <<END
soft cxl_general_media: $mem2 log=Warning : time=1 uuid=$none len=128 flags='' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' descriptor='THRESHOLD_EVENT' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
soft cxl_general_media: $mem2 dpa=1000 descriptor='' type='Scrub Media ECC Error' hpa=$unknown hpa_alias0=$unknown $region cme_threshold_ev_flags='Exceeded Programmable Threshold'
none cxl_general_media: $mem2 log=Informational : time=1 uuid=$none len=128 flags='' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' descriptor='' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 log=Fatal : time=1 uuid=$none len=128 flags='' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' descriptor='THRESHOLD_EVENT' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 log=Failure : time=1 uuid=$none len=128 flags='' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='' descriptor='THRESHOLD_EVENT' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' type='Invalid Address' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' type='Data Path Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' type='TE State Violation' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' type='ECC Error' sub_type='Media Link CRC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='THRESHOLD_EVENT' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 descriptor='UNCORRECTABLE_EVENT|THRESHOLD_EVENT' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_general_media: $mem2 dpa=1000 dpa_flags='' hpa=$unknown hpa_alias0=$unknown $region
none cxl_poison: $mem2 trace_type=Inject $region dpa=0x1000 dpa_length=0x40 source=Injected
none cxl_poison: $mem2 trace_type=Clear $region dpa=0x1000 dpa_length=0x40 source=Unknown
soft x-1 [000] 1.500000: cxl_dram 2026-11-21 21:43:41 $ras dpa:0x1000 descriptor:'THRESHOLD EVENT' memory_event_type:ECC Error hpa:0x$unknown hpa_alias0:0x$unknown region:region1 rank:1
none x-1 [000] 1.500000: cxl_dram 2026-11-21 21:43:41 $ras dpa:0x1000 descriptor:'UNCORRECTABLE EVENT' 'THRESHOLD EVENT' memory_event_type:ECC Error hpa:0x$unknown hpa_alias0:0x$unknown region:region1 rank:1
none cxl_dram: [FAILED TO PARSE] memdev=mem2 host=0000:0d:00.0 log=0 hdr_uuid=0 serial=43968 hdr_flags=1 hdr_handle=1 hdr_related_handle=0 hdr_timestamp=1 hdr_length=128 hdr_maint_op_class=0 dpa=4096 descriptor=3 type=0 hpa=$raw_unknown region_name=region1
soft cxl_dram: [FAILED TO PARSE] memdev=mem2 host=0000:0d:00.0 log=0 hdr_uuid=0 serial=43968 hdr_flags=1 hdr_handle=1 hdr_related_handle=0 hdr_timestamp=1 hdr_length=128 hdr_maint_op_class=0 dpa=4096 descriptor=2 type=1 hpa=$raw_unknown region_name=region1
none cxl_dram: [FAILED TO PARSE] memdev=mem2 host=0000:0d:00.0 log=0 hdr_uuid=0 serial=43968 hdr_flags=1 hdr_handle=1 hdr_related_handle=0 hdr_timestamp=1 hdr_length=128 hdr_maint_op_class=0 dpa=4096 descriptor=2 type=2 hpa=$raw_unknown region_name=region1
none cxl_dram: $mem2 dpa=1000 descriptor='Not yet known' type='ECC Error' hpa=$unknown hpa_alias0=$unknown $region
none cxl_poison: $mem2 $region dpa=0x1000 dpa_length=0x40 source=Unknown
none {"event":"cxl_dram","memdev":"mem2","host":"0000:0d:00.0","serial":43968,"dpa":4096,"descriptor":["x"],"hpa":18446744073709551615,"region_name":"region1"}
soft {"event":"cxl_dram","memdev":"mem2","host":"0000:0d:00.0","log":1,"serial":43968,"dpa":4096,"descriptor":2,"type":0,"hpa":18446744073709551615,"region_name":"region1"}
none {"event":"cxl_dram","memdev":"mem2","host":"0000:0d:00.0","log":3,"serial":43968,"dpa":4096,"descriptor":2,"type":0,"hpa":18446744073709551615,"region_name":"region1"}
END
echo "cxl_poison: $mem2 region=region1 hpa=0x$unknown dpa=0x800 dpa_length=0x4000000000" >"$scratch/interval"
run 1 --host "$copy" translate --this-boot --trace "$scratch/interval"
says " bytes of the record have no address" "then: cxl-spa explain region1"
says_not "_offline_page"
# A block that is offline has no page that the kernel uses.
for block in "$copy"/sys/devices/system/memory/memory[0-9]*; do
	[ $((${block##*/memory})) -ne $((0x210000000 / 0x8000000)) ] || echo offline >"$block/state"
done
run 1 --host "$copy" translate --this-boot --trace "$scratch/trace"
says_not "_offline_page"
run 1 --host "$copy" --json translate --this-boot --trace "$scratch/trace"
json "all('next' not in x for x in a)"

# The record's hpa and region decide, as in the log of events.
cat >"$scratch/trace" <<END
cxl_dram: $mem2 dpa=1000 hpa=110004000 region=region0 region_uuid=$none
cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region0 region_uuid=$none
cxl_dram: $mem2 dpa=1000 hpa=110004000 region=region7 region_uuid=$none
cxl_dram: $mem2 dpa=1000 hpa=$unknown region= region_uuid=$none
cxl_dram: memdev=mem9 host=0000:ff:00.0 serial=1 dpa=1000 hpa=$unknown region=region0 region_uuid=$none
cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region0 region_uuid=00112233-4455-6677-8899-aabbccddeeff
cxl_dram: $mem2 dpa=1000
END
trace 1 "$plain"
json "[x['exact'] for x in a] == [True, False, True, False, False, False, False]"
json "a[0]['source'] == 'kernel' and a[0]['decoder'] == 'decoder4.0' and a[0]['spa'] == '0x110004000'"
json "a[1]['spa'] is None and '0x110004000' in a[1]['reason'] and 'may be older' in a[1]['reason']"
json "a[2]['source'] == 'kernel' and a[2]['region'] is None and 'region7' in a[2]['reason']"
json "'names no region' in a[3]['reason'] and 'mem9' in a[4]['reason'] and 'UUID' in a[5]['reason']"
json "a[4]['memdev'] is None and a[4]['dpa'] == '0x1000' and 'may be older' in a[6]['reason']"

# A record that is longer than a chunk has its parts and pages.
echo "cxl_poison: $mem2 region=region1 hpa=0x$unknown dpa=0x800 dpa_length=0x200" >"$scratch/trace"
trace 0 "$normalized"
json "a[0]['exact'] and [(x['dpa'], x['spa'], x['spa_last']) for x in a[0]['extents']] == [
    ('0x800', '0x210001000', '0x2100010ff'), ('0x900', '0x210001200', '0x2100012ff')]"
json "a[0]['page_ranges'] == [{'first': '0x210001000', 'last': '0x210001fff'}]"
json "a[0]['bytes_beyond_extents'] == 0 and a[0]['dpa_last'] == '0x9ff'"
# 256 GiB of a device that has 256 MiB.
echo "cxl_poison: $mem2 region=region1 hpa=0x$unknown dpa=0x0 dpa_length=0x4000000000" >"$scratch/trace"
trace 1 "$normalized"
json "not a[0]['exact'] and len(a[0]['extents']) <= 32"
json "a[0]['bytes_beyond_extents'] == 0x4000000000 - 0x10000000"

# Malformed lines have a reason with their number, the others are answered, and the status is 2.
{
	echo "cxl_dram: $mem2 dpa=zz region=region1"
	echo "cxl_dram: $mem2 dpa=1000 dpa=2000 region=region1"
	head -c 20000 /dev/zero | tr '\0' x
	echo
	printf 'cxl_dram: \000\n'
	echo "cxl_dram: memdev:mem2 dpa:1000"
	echo "cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region1"
} >"$scratch/trace"
trace 2 "$normalized"
case $err in
*"5 malformed lines, the first one is line 1"*) ;;
*) fail "malformed lines are not counted: $err" ;;
esac
json "[x['line'] for x in a] == [1, 2, 3, 4, 5, 6] and [x['exact'] for x in a] == [False] * 5 + [True]"
json "'dpa' in a[0]['reason'] and '16384' in a[2]['reason'] and 'NUL' in a[3]['reason']"
json "all(v is None for k, v in a[1].items() if k not in ('exact', 'reason', 'line'))"

# Text from terminals, mails and files of other systems is the same event.
line=" irq/48-142 [000] .....    14.714924: cxl_general_media: $mem2 log=Informational : time=1 uuid=$none len=128 flags='A | B' handle=1 related_handle=0 maint_op_class=0 : dpa=1000 dpa_flags='X' hpa=$unknown hpa_alias0=$unknown region=region1 region_uuid=$none cme_count=0"
other="          <idle>-0       [003] d..2.  15.000000: sched_switch: prev_comm=swapper/3 type=1"
same() {
	trace 0 "$normalized"
	silent
	json "[(x['dpa'], x['spa'], x['region'], x['exact']) for x in a] == [('0x1000', '0x210002000', 'region1', True)] * $1"
}
{
	printf '%s\r\n' "$line" "$other"
	printf '%s\n' "$line" | sed "s/memdev/$(printf '\033[01;31m\033[K')&$(printf '\033[m\033[K')/; s/dpa=1000/dpa=$(printf '\033[1m')1000$(printf '\033[0m')/"
	printf 'сб 21 ноя 2026 21:43:41 MSK узел: 2026年11月21日 21:43:41 %s\n' "${line#*: }"
	printf 'Sam. 21 nov. 2026 à 21h43:41,5 kernel:%s\n' "${line#*: }"
} >"$scratch/trace"
same 4
# The fields of rasdaemon, with a time that looks like one.
echo "x-77 [001] 16.0: cxl_dram WARNING 21.Nov.2026 21:43:41 uhr:5 memdev:mem2 host:0000:0d:00.0 serial:0xabc0 dpa:0x1000 hpa:0x$unknown region:region1" >"$scratch/trace"
same 1
# Wherever a terminal wraps it: its hpa confirms that nothing is missing.
whole=$(echo "$line" | sed 's/hpa=f*/hpa=110004000/; s/region1/region0/')
wrapped() {
	trace 0 "$plain"
	json "[(x['dpa'], x['spa'], x['region'], x['exact']) for x in a] == [('0x1000', '0x110004000', 'region0', True)] * $1"
}
for width in 33 44 61 72 79 80 100 132 200; do
	{
		echo "$other"
		echo "$whole" | fold -w "$width"
		echo "$whole" | fold -w "$width" | sed 's/ *$//'
		echo "$other"
	} >"$scratch/trace"
	wrapped 2
done
for width in 60 72 100; do
	echo "$whole" | fold -s -w "$width" >"$scratch/trace"
	wrapped 1
	echo "$whole" | fmt -w "$width" >"$scratch/trace"
	wrapped 1
done
echo "{\"event\":\"cxl_general_media\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\",\"serial\":43968,\"dpa\":4096,\"hpa\":4563419136,\"region_name\":\"region0\",\"region_uuid\":\"$none\"}" |
	fold -w 50 >"$scratch/trace"
wrapped 1
# No hpa confirms it where the addressing is Normalized, nor one that is another device's.
echo "$line" | fold -w 80 >"$scratch/trace"
trace 2 "$normalized"
json "len(a) == 1 and a[0]['spa'] is None and 'give the record as one line' in a[0]['reason']"
echo "$whole" | sed 's/110004000/110004200/' | fold -w 80 >"$scratch/trace"
trace 1 "$plain"
json "len(a) == 1 and a[0]['spa'] is None and 'give the record as one line' in a[0]['reason']"
# The rest of a record, and two of them in one, are refused with the reason.
while IFS='|' read -r text why; do
	echo "$text" >"$scratch/trace"
	trace 2 "$normalized"
	json "len(a) == 1 and a[0]['spa'] is None and '$why' in a[0]['reason']"
done <<END
cxl_dram: $mem2 dpa=204 ank=17 hpa=$unknown $region|ank
cxl_dram: $mem2 dpa=204 rank=17 hpa=$unknown $region|multiple of 64
cxl_dram: $mem2 rank=17 dpa=1000 hpa=$unknown $region|dpa
cxl_dram: $mem2 dpa=1000 dpa_length=0x40 hpa=$unknown $region|dpa_length
cxl_dram: $mem2 dpa:0x1000 hpa=$unknown $region|dpa
cxl_dram: $mem2 dpa=0x1000, hpa=$unknown $region|dpa
x-1 [000] 1.5: cxl_dram 2026-11-21 21:43:41 $ras dpa=1000 hpa=$unknown $region|dpa
msg="CXL poison" memdev=mem2 dpa=4096|memdev
memdev=mem2 dpa=4096|base
END

# No-break spaces of a web page, and the end of colours as terminals send it.
printf '%s\n' "$line" | sed "s/ /$(printf '\302\240')/g" >"$scratch/trace"
same 1
printf '%s\n' "$line" | sed "s/dpa=1000/dpa=1000$(printf '\033(B\033[m\017')/" >"$scratch/trace"
same 1
# Nothing that may have moved the cursor within a number, no word and no end is digits of it.
for number in "$(printf '10\033[2b')" "$(printf '1009\033[1D0')" '10 00' '10 | 00' '10'; do
	printf '%s\n' "$line" | sed "s/dpa=1000/dpa=$number/" >"$scratch/trace"
	[ "$number" != 10 ] || printf '%s\n' "${line%%00 dpa_flags*}" >"$scratch/trace"
	trace 2 "$normalized"
	json "len(a) == 1 and a[0]['spa'] is None and 'dpa' in a[0]['reason']"
done
# The line behind an event that has fields of the same names, and one that cannot be read, are not
# parts of it, however slowly they come.
printf '%s\ntime=2026-11-21T21:43:41Z level=info host=web1 region=west\n' "$line" >"$scratch/trace"
same 1
{
	printf '#%s\ncxl_dram: %s dpa=40\n' "$line" "$mem2"
	sleep 0.05
	printf 'x\000y\n'
	sleep 0.05
	printf '00 region=region1\n'
} | "$spa" --host "$normalized" --json translate --this-boot --trace - >"$scratch/out" 2>"$scratch/err"
json "[(x['line'], x['dpa']) for x in a][-2:] == [(2, '0x40'), (3, None)]"
# A record that its own device contradicts has no address, whatever hpa it has.
echo "cxl_dram: $mem2 dpa=1ffffffc0 hpa=1ffffffc0 region=region9" >"$scratch/trace"
trace 1 "$plain"
json "a[0]['spa'] is None and 'beyond the capacity' in a[0]['reason']"
# The device has another name than then.
echo "$line" | sed 's/mem2/mem1/' >"$scratch/trace"
trace 1 "$normalized"
json "a[0]['spa'] is None and a[0]['memdev'] == 'mem2'"
json "'mem1 of the record is mem2 now' in a[0]['reason'] and '0x210002000' in a[0]['reason']"
# Two events do not become one.
printf '%s\n%s\n' "$line" "$line" >"$scratch/trace"
same 2

# Nothing to answer is said; what cannot be read is an error.
echo "no event" >"$scratch/trace"
trace 1 "$normalized"
json "a == []"
case $err in *"no line of --trace"*EDAC*) ;; *) fail "$what: $err" ;; esac
run 2 --host "$normalized" translate --trace "$scratch/none"
refused "$scratch/none"
run 2 --host "$normalized" translate --trace "$scratch/trace" 0x1000
refused "--trace takes none"
# The operand of --trace is the text itself where it has white space and no file has that name.
line=" irq/48-142 [000] .....    14.714924: cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region1"
for text in "$line" "$(printf '%s\n%s\n' "# tracer" "$line")" "$(printf 'x%.0s' $(seq 300)) $line"; do
	run 0 --host "$normalized" --json translate --this-boot --trace "$text"
	silent
	json "[(x['dpa'], x['spa']) for x in a] == [('0x1000', '0x210002000')]"
done
run 1 --host "$normalized" translate --trace "no event"
[ -z "$out" ] || fail "$what: $out"
run 2 --host "$normalized" translate --trace "cxl_dram: $mem2 dpa=xyz"
case $err in *"--trace TEXT has 1 malformed line"*) ;; *) fail "$what: $err" ;; esac
echo "$line" >"$scratch/a trace"
run 0 --host "$normalized" translate --this-boot --trace "$scratch/a trace"
mkdir "$scratch/a directory"
run 2 --host "$normalized" translate --trace "$scratch/a directory"
run 2 --host "$normalized" translate --trace "$scratch/none"
refused "$scratch/none"
# A line that was pasted as an operand is not an address; with or without quotes.
line="cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region1"
run 2 --host "$normalized" translate "$line"
refused "the operands are an event of the kernel" "cxl-spa translate --trace -"
# shellcheck disable=SC2086 # the words are separate arguments
run 2 --host "$normalized" translate $line
refused "the operands are an event of the kernel" "cxl-spa translate --trace -"

# Reports of the host name a system address or a page: whose it is, by the present mapping.
cat >"$scratch/trace" <<'END'
[  512.779203] Memory failure: 0x110008: recovery action for unknown page: Ignored
[  633.402206] EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110008 offset:0x100 grain:1 - APEI location: node:0)
mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 12: bc80000000100134
mce: [Hardware Error]: TSC 0 ADDR 110008100 MISC 86
cxl_pci 0000:0d:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
Memory failure: 0x1100
END
run 2 --host "$plain" --json translate --trace "$scratch/trace"
json "[(x['memdev'], x['dpa'], x['spa'], x['exact'], x['line']) for x in a] == [(None, '0x2000', '0x110008000', False, 1), ('mem0', '0x2000', '0x110008100', False, 2), ('mem0', '0x2000', '0x110008100', False, 3), (None, None, None, False, 6)]"
json "len(a[0]['candidates']) == 4 and a[1]['now']['spa'] == '0x110008100' and a[1]['provenance']['host'] == 'unknown'"
json "'AMD' in a[2]['reason'] and 'digits may be missing' in a[3]['reason']"
# The same in a boot that is said to be this one; firmware's bytes are a record of the function.
head -n 2 "$scratch/trace" >"$scratch/two"
run 1 --host "$plain" --json translate --this-boot --trace "$scratch/two"
json "[x['exact'] for x in a] == [False, True]"
cat >"$scratch/trace" <<'END'
{1}[Hardware Error]:   section type: unknown, fbcd0a77-c260-417f-85a9-088b1621eba6
{1}[Hardware Error]:   section length: 0x90
{1}[Hardware Error]:   00000000: 00000090 00000007 00000000 0d938086  ................
{1}[Hardware Error]:   00000010: 000e0000 00000000 0000abc1 00000000  ................
{1}[Hardware Error]:   00000020: 00000080 00000000 2b1c4d00 17b3b158  ................
{1}[Hardware Error]:   00000030: 00000000 00000000 00000000 00000000  ................
{1}[Hardware Error]:   00000040: 00002040 00000000 03010001 02010300  ................
END
run 1 --host "$plain" --json translate --trace "$scratch/trace"
json "[(x['memdev'], x['dpa'], x['now']['spa'], x['now']['exact'], x['provenance']['host']) for x in a] == [('mem3', '0x2040', '0x110008240', True, 'this')]"
sed 's/0000abc1/00000005/' "$scratch/trace" >"$scratch/serial"
run 1 --host "$plain" --json translate --trace "$scratch/serial"
json "[(x['memdev'], x['now']['exact'], x['provenance']['host']) for x in a] == [('mem3', False, 'unknown')]"

# A terminal as standard input is named, and no other input.
for operand in "--trace -" "mem2 -"; do
	what="translate $operand on a terminal"
	# shellcheck disable=SC2016,SC2086
	python3 - "$spa" --host "$normalized" translate $operand >"$scratch/out" 2>"$scratch/err" <<-'PYTHON' || fail "$what"
		import os, pty, subprocess, sys
		terminal, end = pty.openpty()
		os.write(terminal, b"\4")
		status = subprocess.run(sys.argv[1:], stdin=end, timeout=60).returncode
		sys.exit(status != (1 if sys.argv[-2] == "--trace" else 0))
	PYTHON
	grep -q "from standard input, one a line; Ctrl-D ends it" "$scratch/err" || fail "$what: $(cat "$scratch/err")"
done
run 1 --host "$normalized" translate --trace - </dev/null
case $err in *Ctrl-D*) fail "$what: $err" ;; esac
finish
