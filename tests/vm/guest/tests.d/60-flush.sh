# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A reading of the host as root writes /sys/bus/cxl/flush, and the kernel then waits for all probing of
# CXL drivers: acceptable once for each walk, but not in a loop or for each request.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-spa
needs_program cxl-redfishd
needs_program curl
[ "$VM_SERIES/$VM_RULE/$VM_FAULT" = 7.x/plain/none ] || exit 0

work=$RESULTS/flush
mkdir -p "$work"
socket=/run/redfish
tracing=/sys/kernel/tracing
check "writes to flush can be counted" \
	sh -c "echo 'p:cxl_flush flush_store' >$tracing/kprobe_events &&
		echo 1 >$tracing/events/kprobes/cxl_flush/enable"

flushes() {
	awk '$1 == "cxl_flush" { print $2 }' $tracing/kprobe_profile
}
echo 1 >/sys/bus/cxl/flush
same "a write to flush is counted" 1 "$(flushes)"

# walks: how often the daemon has logged that it read the topology again.
walks() {
	grep -c "the topology was read again" "$work/log"
}

before=$(flushes)
cxl-spa list --json >"$work/list.json"
walk=$(($(flushes) - before))
devices=$(ls /sys/bus/cxl/devices | wc -l)
check "cxl-spa list writes to flush ($walk times) while it enumerates $devices devices" \
	sh -c "[ $walk -gt 0 ] && [ $walk -le $devices ]"

# settle: waits until there was no write for two seconds. The devices are read on another thread.
settle() {
	local last='' tries=0
	while [ "$last" != "$(flushes)" ] && [ $tries -lt 20 ]; do
		last=$(flushes)
		tries=$((tries + 1))
		sleep 2
	done
}

# The daemon's mailbox commands are sent by its helper, for which nothing is enumerated.
per_walk=$walk
before=$(flushes)
start_redfishd "$socket" "$work/log" --poll 2
settle
same "cxl-redfishd reads the topology once when it starts" $per_walk $(($(flushes) - before))

# One curl, one connection; resources of the host, and the members of its collections.
gets=400
root=http://localhost/redfish/v1
{
	echo $root/
	echo $root/Systems/Host
	for collection in Systems/Host/Memory Systems/Host/MemoryDomains Chassis; do
		echo $root/$collection
		curl -s --unix-socket $socket $root/$collection | tr ',' '\n' |
			sed -n 's,.*"@odata.id": *"\(/redfish/v1/[^"]*/[^"]*/[^"]*\)".*,http://localhost\1,p'
	done
} | sort -u >"$work/urls"
before=$(flushes)
walked=$(walks)
n=$(wc -l <"$work/urls")
awk -v gets=$gets '{ url[NR] = $0 }
END { for (i = 0; i < gets; i++) printf "url = \"%s\"\noutput = /dev/null\n", url[i % NR + 1] }' \
	"$work/urls" >"$work/config"
curl -s --unix-socket $socket -K "$work/config" -w '%{http_code}\n' >"$work/codes"
same "cxl-redfishd serves $gets GETs of $n resources" "$gets 200" \
	"$(sort "$work/codes" | uniq -c | xargs)"
sleep 12
same "cxl-redfishd: no write to flush for a request, nor when the devices are read again" \
	$((($(walks) - walked) * per_walk)) $(($(flushes) - before))

before=$(flushes)
walked=$(walks)
kill -HUP "$redfishd"
tenths=0
while [ "$(walks)" -eq "$walked" ] && [ $tenths -lt 1800 ]; do
	sleep 0.1
	tenths=$((tenths + 1))
done
settle
same "cxl-redfishd: reads the topology once at SIGHUP" "1 $per_walk" \
	"$(($(walks) - walked)) $(($(flushes) - before))"
stop_redfishd "$socket"
echo 0 >$tracing/events/kprobes/cxl_flush/enable
echo >$tracing/kprobe_events
