#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate --trace: text of another host, boot or kernel is not exact then; now is the present mapping.
. "${0%/*}/functions"
need_python

mem2="memdev=mem2 host=0000:0d:00.0 serial=43968"
unknown=ffffffffffffffff
none=00000000-0000-0000-0000-000000000000

# trace STATUS HOST ARGUMENT...: translates $scratch/trace
trace() {
	trace_status=$1
	trace_host=$2
	shift 2
	run "$trace_status" --host "$trace_host" --json translate --trace "$scratch/trace" "$@"
}
whose="[(x['provenance']['host'], x['provenance']['boot'], x['provenance']['kernel']) for x in a]"

# Lines of each host are its own, and all of its events have an exact address now.
for name in normalized-7.3 plain-7.3 plain-6.12; do
	tar -xOf "$hosts/$name.tar.zst" ./events/trace.txt >"$scratch/trace"
	"$spa" --host "$hosts/$name.tar.zst" --json translate --trace "$scratch/trace" >"$scratch/out"
	what="$name's own trace"
	json "len(a) >= 13 and $whose == [('this', 'unknown', 'unknown')] * len(a)"
	json "all(x['now']['exact'] and x['now']['spa'] == x['now']['spa_last'] for x in a)"
	json "all(x['exact'] == ('$name' != 'normalized-7.3') for x in a)"
	# The keys of now are the same.
	json "set(x for y in a for x in y['now']) <= set(a[0]) and {'spa', 'spa_last', 'exact', 'source'} <= set(a[0]['now'])"
done

# Another host of the same make has no page here, whatever address its kernel gave.
tar -xOf "$hosts/plain-7.3.tar.zst" ./events/trace.txt | sed 's/serial=439/serial=539/' >"$scratch/trace"
for option in "" --this-boot; do
	# shellcheck disable=SC2086 # no option is no word
	trace 1 "$hosts/plain-7.3.tar.zst" $option
	json "len(a) >= 13 and $whose == [('another', 'another', 'unknown')] * len(a)"
	json "not any(x['exact'] or x['spa'] or x['now'] for x in a)"
done
run 1 --host "$hosts/plain-7.3.tar.zst" translate --trace "$scratch/trace"
says "mem2 DPA 0x1000  (another host, another boot, unknown kernel)" "next: translate the record on its own host"
says_not "_offline_page" "-> SPA"

# A captured host has its own clock.
unpack normalized-7.3
echo "cpu  1 2 3
intr 5
btime 1795297400
processes 9" >"$copy/proc/stat"
echo "5000.25 9000.10" >"$copy/proc/uptime"
line="x-1 [000] TIME: cxl_dram WALL memdev:mem2 host:0000:0d:00.0 serial:0xabc0 dpa:0x1000 hpa:0x$unknown region:region1 region_uuid:$none"
while read -r status boot time wall; do
	echo "$line" | sed "s/TIME/$time/; s/WALL/$wall/" >"$scratch/trace"
	trace "$status" "$copy"
	json "$whose == [('this', '$boot', '$boot' if '$boot' == 'this' else 'unknown')]"
	json "a[0]['exact'] == ('$boot' == 'this') and a[0]['now']['spa'] == '0x210002000' and a[0]['now']['exact']"
done <<END
0 this 14.500000 2026-11-21 21:43:41 +0000
0 this 14.500000 2026-11-22 05:43:41 +0800
1 another 14.500000 2019-03-01 10:00:00 +0000
1 another 6000.500000 2026-11-21 21:43:41 +0000
1 unknown 14.500000 2026-11-21 21:43:41
1 unknown 14.500000 2027-01-01 10:00:00 +0000
1 unknown 14.500000
END
# The next step follows from now.
run 1 --host "$copy" translate --trace "$scratch/trace"
says "mem2 DPA 0x1000  (this host, unknown boot, unknown kernel)" "    then -> no SPA" \
	"    now  -> SPA 0x210002000  (exact, recorded answer of the PRM handler)" "cxl-spa explain region1"
trace 0 "$copy" --this-boot
json "$whose == [('this', 'this', 'this')] and a[0]['exact'] and a[0]['spa'] == a[0]['now']['spa']"

# A serial number of 0, and one that two devices have, prove nothing.
echo "cxl_dram: memdev=mem2 host=0000:0d:00.0 serial=0 dpa=1000 hpa=$unknown region=region1 region_uuid=$none" >"$scratch/trace"
trace 1 "$copy"
json "$whose == [('unknown', 'unknown', 'unknown')] and not a[0]['exact'] and not a[0]['now']['exact']"
run 1 --host "$copy" translate --trace "$scratch/trace"
says "next: find out whether the record is of this host" "--this-boot"
trace 0 "$copy" --this-boot
json "$whose == [('this', 'this', 'this')]"
for device in "$copy"/sys/bus/cxl/devices/mem*; do
	chmod u+w "$device/serial"
	echo 0xabc0 >"$device/serial"
done
echo "cxl_dram: $mem2 dpa=1000 hpa=$unknown region=region1 region_uuid=$none" >"$scratch/trace"
trace 1 "$copy"
json "$whose == [('unknown', 'unknown', 'unknown')] and not a[0]['now']['exact']"

# The kernel's address of a region that is gone, computed by which kernel is not known.
echo "cxl_dram: $mem2 dpa=1000 hpa=110004000 region=region7 region_uuid=$none" >"$scratch/trace"
trace 1 "$hosts/plain-7.3.tar.zst"
json "a[0]['spa'] is None and a[0]['now']['spa'] == '0x110004000' and 'hpa 0x110004000' in a[0]['reason']"
trace 0 "$hosts/plain-7.3.tar.zst" --this-boot
json "a[0]['source'] == 'kernel' and a[0]['now']['source'] == 'decoder'"

# Without an answer now is null, and both have a reason.
echo "cxl_dram: $mem2 dpa=ffffff000 hpa=$unknown region=region0 region_uuid=$none" >"$scratch/trace"
trace 1 "$hosts/plain-7.3.tar.zst"
json "a[0]['now'] is None and a[0]['reason'] and $whose == [('this', 'unknown', 'unknown')]"
echo "cxl_dram: $mem2 dpa=zz" >"$scratch/trace"
trace 2 "$hosts/plain-7.3.tar.zst"
json "a[0]['now'] is None and a[0]['provenance'] is None"

run 2 --host "$hosts/plain-7.3.tar.zst" translate --this-boot mem2 0x1000
refused "--this-boot"
finish
