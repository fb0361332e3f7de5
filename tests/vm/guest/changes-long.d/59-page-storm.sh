# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Two hundred errors at pages of a file: the page policy takes each page out, the file keeps its contents, and the time from the
# record in the kernel's trace ring to the flag of the page is measured. Then the dax device is made anew, and all of them are out
# again. A block with 1,000 remembered pages comes online, and the time from its uevent on until all of them are out is compared with a
# loop that writes the same addresses. `page show` is measured with 1,000 cgroups.
# shellcheck source=/dev/null
. /lib/vm/pages.sh
needs_redfish
needs_program cxl-redfish-page-helper
needs_program cxl-redfish-trace
needs_program page_watch
needs_program page_loop
needs_program udev_event
needs_program run_change

work=$RESULTS/page-storm
state=/run/storm-state
witness=/sys/kernel/tracing/instances/page-witness
mkdir -p "$work" /run/file
region=$(create "$(window second)" ram 2 "$(memdev 2)" "$(memdev 3)")
dax_of "$region"
base=$(($(cat "/sys/bus/dax/devices/$dax/resource")))
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
same "no page is out" "" "$(bad_frames "$dax")"
check "cxl-redfish-trace" cxl-redfish-trace
mkdir $witness
echo boot >$witness/trace_clock
echo 16384 >$witness/buffer_size_kb
echo 1 >$witness/events/cxl/enable
qmp_open
same "QEMU's monitor answers" 0 $?

# start NAME: the service, whose output is $log, and whose state is in $state.
start() {
	mkdir -p "$state"
	log=$work/log-$1
	start_redfishd /run/redfish "$log" --allow=pages --state "$state" --page-policy soft --page-limit-hour 2000 \
		--page-limit-total 2000 --page-limit-node-share 100000 --page-limit-block 2000
}
start policy
check "the policy begins" wait_for said "are decided about"

check "a file system has its memory there" \
	mount -t tmpfs -o "mpol=bind:$(cat "/sys/bus/dax/devices/$dax/target_node")" pages /run/file
dd if=/dev/urandom of=/run/file/data bs=64k count=512 2>/dev/null
before=$(md5sum /run/file/data)
frames_with "$LRU" "$dax" 200 >"$work/frames"
timeout 3000 page_watch 200 <"$work/frames" >"$work/out" &
watch=$!

# ---- one after the other, which is measured; then the storm, by turns at both devices
# decided TEXT DPA: what the service says about that address begins so.
decided() {
	said "(device address 0x$(printf %x "$2")) $1"
}
# are_decided N: so many pages are remembered, and none is reserved.
are_decided() {
	[ "$(cxl-spa page list --json --state "$state" |
		jq -r '.remembered | "\(length) \(map(select(.state == "reserved")) | length)"')" = "$1 0" ]
}
are_watched() {
	[ "$(wc -l <"$work/out")" -ge "$1" ]
}
n=2 i=0
while read -r pfn; do
	dpa=$(((pfn * 4096 - base) / 2))
	inject $n $dpa "$THRESHOLD"
	n=$((5 - n)) i=$((i + 1))
	[ $i -le 50 ] || continue
	# The kernel may refuse a page: the service tries it again in a minute, for which the others do not wait.
	wait_for decided "is " $dpa || break
	! decided "is out of use" $dpa || echo "$pfn" >>"$work/first"
	started=$(hundredths)
done <"$work/frames"
check "all pages are decided about" wait_for are_decided 200
figure "1/100 s for the errors after the 50th, and their pages" $(($(hundredths) - started))
frames_with "$HWPOISON" "$dax" 4096 >"$work/bad"
taken=$(grep -cxF -f "$work/frames" "$work/bad")
figure "of 200 pages of a file, taken out by the policy at the first try" "$taken"
grep -F 'is not taken out of use' "$log" | head -n 10 | sed 's/^/# /'
check "at least 190 of 200" test "$taken" -ge 190
same "no page is out that no error named" "" "$(grep -vxF -f "$work/frames" "$work/bad")"
check "each was seen to go out" wait_for are_watched "$taken"
kill $watch 2>/dev/null
wait $watch
same "the contents of the file are the same" "$before" "$(md5sum /run/file/data)"

# "NANOSECONDS DPA" of each record, by the clock "boot".
awk '/ cxl_dram: / && match($0, /[0-9]+\.[0-9]+: /) {
	time = substr($0, RSTART, RLENGTH - 2); sub(/\./, "", time); time = time "000"
	match($0, / dpa=(0x)?[0-9a-f]+/); dpa = substr($0, RSTART + 5, RLENGTH - 5); sub(/^0x/, "", dpa); print time, "0x" dpa
}' $witness/trace >"$work/records"
while read -r time dpa; do
	echo "$(two_way "$base" 0 "$dpa") $time"
done <"$work/records" >"$work/recorded"
# percentile P: of those that were waited for, and taken at the first try.
percentile() {
	awk 'NR == FNR { first[$1]; next } $1 in first' "$work/first" "$work/out" |
		awk 'NR == FNR { at[$1] = $2; next } $1 in at { printf "%d\n", ($2 - at[$1]) / 1000 }' "$work/recorded" - |
		sort -n | awk -v p="$1" '{ v[NR] = $1 } END { n = int(NR * p / 100 + 0.999); print v[n < 1 ? 1 : n] }'
}
figure "us from a record of the trace to bit 19: p50" "$(percentile 50)"
figure "us from a record of the trace to bit 19: p99" "$(percentile 99)"

# ---- the dax device is made anew
umount /run/file
# There is no udev here: the service is told to read the topology.
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
timeout 1800 page_watch 200 <"$work/frames" >"$work/again" &
watch=$!
same "online, movable" "done" "$(memory online-movable "$region" | cut -d ' ' -f 1)"
started=$(hundredths)
kill -HUP "$redfishd"
wait $watch
same "the service takes all that are remembered out again" "0 200" "$? $(wc -l <"$work/again")"
figure "1/100 s until the service has taken them out, from the request to read the topology" $(($(hundredths) - started))
same "and no others" "$(sort "$work/frames" | md5sum)" "$(frames_with "$HWPOISON" "$dax" 4096 | sort | md5sum)"
stop_redfishd /run/redfish

# ---- 1,000 remembered pages of a block, the best of five times, by turns with the loop: each has the same block, of a dax device that
# was made anew.
state=/run/storm-many
# anew NAME: the memory is a new dax device's, for a step of this name.
anew() {
	same "a new dax device, for $1: online, and no page is marked" "done done " "$(memory devdax "$region" | cut -d ' ' -f 1) $(
		memory online-movable "$region" | cut -d ' ' -f 1) $(bad_frames "$dax")"
}
marked() {
	frames_with "$HWPOISON" "$dax" 4096 | md5sum
}
# are_out N: whether so many pages, or more, are remembered as out.
are_out() {
	[ "$(cxl-spa page list --json --state "$state" | jq '[.remembered[] | select(.state == "out")] | length')" -ge "$1" ]
}
has_measured() {
	[ "$(grep -c "$block came online: its remembered pages, 1000," "$log")" = "$1" ]
}
start empty
stop_redfishd /run/redfish
anew "the choice of pages"
per_block=$(($(block_size) / 4096))
frames_with "$BUDDY" "$dax" 1000000 | awk -v size=$per_block '++n[int($1 / size)] == 4000 { first = $1 - $1 % size; exit }
	END { for (i = 0; i < 1000; i++) print first + 100 + i * 3 }' >"$work/many"
block=memory$(($(head -n 1 "$work/many") / per_block))
awk -v first=$((base / 4096)) '{ printf "{\"device\": \"cxl-000000000000abc2\", \"dpa\": \"0x%x\"}\n", ($1 - first) * 2048 }' "$work/many" |
	jq --slurp '{remembered: .}' >"$work/many.json"
check "1,000 pages are remembered" cxl-spa page import --state $state "$work/many.json"
start many
check "the service takes all of them out" wait_for are_out 1000
for i in 1 2 3 4 5; do
	anew "loop $i"
	page_loop <"$work/many" >>"$work/loop"
	same "loop $i takes them out" "$(md5sum <"$work/many")" "$(marked)"
	anew "event $i"
	check "event $i of the block" udev_event "$block"
	check "event $i: the service takes all of them out" wait_for has_measured $i
	same "event $i: bit 19 of these is set, and of no others" "$(md5sum <"$work/many")" "$(marked)"
done
loop=$(sort -n "$work/loop" | head -n 1)
took=$(sed -n "s/.*$block came online: .* after \([0-9]*\) us.*/\1/p" "$log" | sort -n | head -n 1)
figure "us for a loop that writes 1000 addresses" "$loop"
figure "us from the uevent of a block, as received, to the last of its 1000 pages" "$took"
figure "ratio from the uevent as received to the last page, to the loop" "$(awk -v a="$took" -v b="$loop" 'BEGIN { printf "%.2f\n", a / b }')"
stop_redfishd /run/redfish

# ---- the use of a page, with 1,000 cgroups
mkdir -p /sys/fs/cgroup
[ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 none /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
i=0
while [ $i -lt 1000 ]; do
	mkdir /sys/fs/cgroup/g$i
	i=$((i + 1))
done
node=$(cat "/sys/bus/dax/devices/$dax/target_node")
sh -c "echo \$\$ >/sys/fs/cgroup/g999/cgroup.procs; exec memory_user fill $node 2" >/tmp/storm-victim &
victim=$!
check "a program of a cgroup has memory there" wait_for grep -q ready /tmp/storm-victim
pfn=$(frames_with "$ANON" "$dax" 20 | tail -n 1)
started=$(hundredths)
i=0
while [ $i -lt 10 ]; do
	cxl-spa page show "$(frame "$pfn")" --json >"$work/show"
	i=$((i + 1))
done
figure "ms for one page show, with the start of the program, of 1,000 cgroups" $(($(hundredths) - started))
same "its cgroup is named" /g999 "$(jq -r '.[0].cgroup' "$work/show")"
started=$(hundredths)
i=0
while [ $i -lt 10 ]; do
	cxl-spa page list --state $state >/dev/null
	i=$((i + 1))
done
figure "ms for the start of the program, and page list" $(($(hundredths) - started))
kill $victim
wait $victim
i=0
while [ $i -lt 1000 ]; do
	rmdir /sys/fs/cgroup/g$i
	i=$((i + 1))
done
echo 0 >$witness/tracing_on
qmp_close
same "devdax" "done" "$(memory devdax "$region" | cut -d ' ' -f 1)"
check "the region is destroyed" cxl-spa region destroy "$region"
