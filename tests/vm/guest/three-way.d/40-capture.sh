# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A capture of this machine, with records of its trace ring as docs/events.md describes; it gives the same
# answers as the machine. It is how tests/hosts/three-bridges-7.3.tar.zst was made.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/three-way.sh
needs_program cxl-spa
needs_program zstd

host=/tmp/host
archive=$RESULTS/three-bridges.tar.zst
tracing=/sys/kernel/tracing/instances/save
mkdir -p $host $tracing
echo boot >$tracing/trace_clock
echo 1 >$tracing/events/cxl/enable
n=0
for serial in $(serials); do
	# The seventh chunk of each region has a marker, and no poison.
	for dpa in 0x600 0x10000600; do
		echo $dpa >"/sys/kernel/debug/cxl/$(memdev "$serial")/inject_poison" && n=$((n + 1))
	done
done
same "poison at markers" $((2 * VM_WAYS)) $n

# save_ring: the records, and what is needed to read them.
save_ring() {
	local file to=$host/events
	mkdir -p $to/formats
	cp $tracing/trace $to/trace.txt
	for file in "$tracing"/per_cpu/cpu*; do
		timeout 2 cat "$file/trace_pipe_raw" >"$to/raw.${file##*/}"
	done
	for file in "$tracing"/events/cxl/cxl_*; do
		cat "$file/format" >"$to/formats/${file##*/}.format"
	done
	cat $tracing/events/header_page >$to/formats/header_page
	cat $tracing/trace_clock >$to/trace_clock
	{
		cat $tracing/per_cpu/cpu0/stats
		echo "wall ts: $(date +%s).000000000"
	} >$to/now
}
# As with daxctl reconfigure-device -m devdax.
for dax in /sys/bus/dax/devices/dax*; do
	basename "$dax" >/sys/bus/dax/drivers/device_dax/new_id
	[ -e "$dax/driver" ] || basename "$dax" >/sys/bus/dax/drivers/device_dax/bind
done
check "cxl-spa capture" cxl-spa capture /tmp/capture.tar.zst
zstd -dc /tmp/capture.tar.zst | tar -x -C $host
save_ring
rmdir $tracing
tar -c -C $host . | zstd -q -19 >"$archive"

cxl-spa --host "$archive" translate --json - <"$RESULTS/spas" >"$RESULTS/by_spa_captured"
check "the capture gives the same answers" same_lines "$RESULTS/by_spa" "$RESULTS/by_spa_captured"
cxl-spa --host "$archive" events --json >"$RESULTS/events_captured"
same "the capture has the events" $n "$(grep -c '"type":"poison"' "$RESULTS/events_captured")"
